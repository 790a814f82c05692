//! Results of older versions in the present form.

use serde_json::{Map, Value, json};

use super::Expected;
use crate::board::{Move, Position};
use crate::json::MoveText;

/// How every result up to version 5 states the solution: as a text.
const SIGN: &str = "\"expected\":\"";

/// A result of versions 3 to 5 in the present form; `None` for everything else.
///
/// These versions had the solution as a text in SAN. Versions 3 and 4 also had moves in SAN, and in UCI notation only
/// the one played; scores without a point of view, which was the side to move's; and `depth` for the last iteration.
pub(super) fn renewed(line: &str) -> Option<Value> {
    if !line.contains(SIGN) {
        return None;
    }
    let Ok(Value::Object(mut result)) = serde_json::from_str(line) else { return None };
    let fen = result.get("fen")?.as_str()?;
    let solution = result.get("expected")?.as_str()?;
    // What castles may only be readable by the rules of Chess960.
    let (position, expected) = [false, true].into_iter().find_map(|chess960| {
        let position = Position::from_fen(fen, chess960).ok()?;
        let expected = Expected::parse(&position, solution)?;
        Some((position, expected))
    })?;
    result.insert("expected".to_owned(), json!(expected));
    if let Some(uci) = result.remove("played_uci") {
        renew_moves(&mut result, &position, uci);
    }
    Some(Value::Object(result))
}

/// Gives a result of version 3 or 4 its moves in both notations, and its score a point of view.
fn renew_moves(result: &mut Map<String, Value>, position: &Position, uci: Value) {
    if let Some(played) = result.get_mut("played").filter(|played| !played.is_null()) {
        *played = json!({ "san": played.take(), "uci": uci });
    }
    if let Some(Value::Object(score)) = result.get_mut("score") {
        score.insert("pov".to_owned(), position.turn().fold_wb("white", "black").into());
    }
    let line = moves(position, result);
    result.insert("pv".to_owned(), json!(MoveText::line(position, &line)));
    if let Some(depth) = result.remove("depth") {
        result.insert("iteration".to_owned(), depth);
    }
}

/// The moves of a result's variation, up to the first that cannot be replayed.
fn moves(position: &Position, result: &Map<String, Value>) -> Vec<Move> {
    let words = result.get("pv").and_then(Value::as_array).into_iter().flatten();
    let mut position = position.clone();
    let mut moves = Vec::new();
    for m in words.map_while(|word| word.as_str()) {
        let Ok(m) = position.parse_san(m) else { break };
        position = position.play(m);
        moves.push(m);
    }
    moves
}

#[cfg(test)]
mod tests {
    use crate::score::StatedScore;
    use crate::suite::from_jsonl;

    /// As version 3 wrote it: without tie-breakers.
    const OLD: &str = r#"{"type":"run","schema":3,"provenance":{"program":"Pacioli 0.1.0","profile":"modern","set":[],"hash_mb":1,"depth":1},"rule":"end","suites":[{"name":"a.epd","positions":1,"refused":[{"file":"a.epd","line":2,"column":1,"reason":"rubbish"}],"taskless":[]}]}
{"type":"position","index":0,"suite":"a.epd","line":1,"id":"a:1","fen":"k7/8/1K6/8/8/8/8/8 b - - 0 1","expected":"Kb8","played":"Kb8","played_uci":"a8b8","score":{"cp":-20},"pv":["Kb8","Kc6"],"solved":true,"solution":{"iteration":1,"nodes":2},"first_seen":{"iteration":1,"nodes":2},"left_again":false,"depth":1,"nodes":2}
"#;

    #[test]
    fn results_of_older_versions_are_read() {
        let reports = from_jsonl(OLD).unwrap();
        let result = &reports[0].positions[0];
        assert_eq!((result.played_san(), result.played.as_ref().unwrap().uci.as_str()), (Some("Kb8"), "a8b8"));
        assert_eq!(result.pv.iter().map(|step| step.uci.as_str()).collect::<Vec<_>>(), ["a8b8", "b6c6"]);
        assert_eq!(
            (result.score.value, result.score.pov.is_black(), result.iteration),
            (StatedScore::Cp(-20), true, 1)
        );
        assert_eq!(reports[0].run.suites[0].refused[0].file, "a.epd");
        // Written again, they have the present form.
        let text = crate::suite::to_jsonl(&reports).unwrap();
        assert_eq!(from_jsonl(&text).unwrap(), reports);
    }

    #[test]
    fn the_solution_was_a_text() {
        let text = crate::suite::to_jsonl(&from_jsonl(OLD).unwrap()).unwrap();
        let best = r#"{"best":[{"san":"Kb8","uci":"a8b8"}]}"#;
        let fifth = text.replace(r#""schema":6"#, r#""schema":5"#).replace(best, r#""Kb8""#);
        assert!(text.contains(best) && !fifth.contains(best), "{text}");
        assert_eq!(from_jsonl(&fifth).unwrap(), from_jsonl(&text).unwrap());
        assert_eq!(from_jsonl(&fifth.replace(r#""expected":"Kb8""#, r#""expected":"Qb8""#)).unwrap_err().line, 2);
    }

    #[test]
    fn castling_of_chess960_is_read() {
        let old = OLD
            .replace("k7/8/1K6/8/8/8/8/8 b - - 0 1", "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1")
            .replace(
                "\"expected\":\"Kb8\",\"played\":\"Kb8\",\"played_uci\":\"a8b8\"",
                "\"expected\":\"O-O\",\"played\":\"O-O\",\"played_uci\":\"e1g1\"",
            )
            .replace("[\"Kb8\",\"Kc6\"]", "[\"O-O\"]");
        let reports = from_jsonl(&old).unwrap();
        assert_eq!(reports[0].positions[0].expected.to_string(), "O-O");
    }

    #[test]
    fn an_old_result_without_a_position_is_refused() {
        let bad = OLD.replace("k7/8/1K6/8/8/8/8/8", "nonsense");
        assert_eq!(from_jsonl(&bad).unwrap_err().line, 2);
    }
}
