//! The finds as an EPD suite, easy positions first.
//!
//! Each line has the best move, the other engine's depth, score and line (`acd`, `ce`, `dm`, `pv`), a name, and three
//! comments: the themes, the nodes that Pacioli needs, and the grade from 1 (easy) to 5.

use std::fmt::Write;

use super::{Find, themes};
use crate::board::Position;
use crate::json::MoveText;
use crate::score::StatedScore;
use crate::suite::THEMES;

/// Node limits within which positions of each grade but the last are solved.
const GRADES: [u64; 4] = [10_000, 40_000, 160_000, 640_000];
/// Maximum plies shown of the other engine's line.
const SHOWN_PLIES: usize = 11;

/// How hard a position is, from 1 to 5, by the nodes that Pacioli needs; unsolved ones are the hardest.
pub fn grade(nodes: Option<u64>) -> usize {
    1 + GRADES.iter().filter(|&&limit| nodes.is_none_or(|nodes| nodes > limit)).count()
}

/// The suite. `head` goes at the top, each line as a comment; `name` is the prefix of the positions' names.
pub fn suite_text(head: &str, name: &str, finds: &[Find]) -> String {
    let mut sorted: Vec<&Find> = finds.iter().collect();
    sorted.sort_by_key(|find| (find.solution_nodes.unwrap_or(u64::MAX), &find.fen));
    let mut text = String::new();
    for line in head.lines() {
        let _ = writeln!(text, "# {line}");
    }
    let lines = sorted.into_iter().filter_map(line_of);
    for (index, line) in lines.enumerate() {
        let _ = writeln!(text, "{}", line.replacen(NAME, &format!("{name}.{:03}", index + 1), 1));
    }
    text
}

/// Placeholder for the name until its number is known.
const NAME: &str = "{name}";

/// A find as a line of EPD; none if its moves are not legal.
fn line_of(find: &Find) -> Option<String> {
    let position = Position::from_fen(&find.fen, false).ok()?;
    let line = position.legal_line(find.pv.iter().map(|step| step.uci.as_str()));
    let solution = position.san(*line.first()?);
    let mut text = format!("{} bm {solution}; acd {}; ce {};", position.epd(), find.depth, find.score.value.to_ce());
    if let StatedScore::Mate(moves) = find.score.value {
        let _ = write!(text, " dm {moves};");
    }
    let shown = MoveText::line(&position, &line[..line.len().min(SHOWN_PLIES)]);
    let names: Vec<&str> = themes(&position, &line, find.score.value, find.next_score.value)
        .into_iter()
        .map(|theme| theme.name())
        .collect();
    let nodes = match find.solution_nodes {
        Some(nodes) => format!("nodes {nodes}"),
        None => format!("nodes over {}", find.node_limit),
    };
    let _ = write!(
        text,
        " pv {}; id \"{NAME}\"; c0 \"{THEMES} {}\"; c1 \"{nodes}\"; c2 \"grade {}\";",
        MoveText::sans(&shown),
        names.join(", "),
        grade(find.solution_nodes)
    );
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::PovScore;
    use crate::suite::{lint, parse};

    fn find(position: &str, line: &str, score: StatedScore, nodes: Option<u64>) -> Find {
        let position = Position::from_fen(position, false).unwrap();
        let step = |uci: &str| MoveText { san: String::new(), uci: uci.to_owned() };
        Find {
            fen: position.fen(),
            pv: line.split(' ').map(step).collect(),
            score: PovScore::of_mover(score, &position),
            next_score: PovScore::of_mover(StatedScore::Cp(0), &position),
            depth: 25,
            solution_nodes: nodes,
            node_limit: 2_000_000,
        }
    }

    #[test]
    fn grades_grow_with_the_nodes() {
        let grades = [1, 10_000, 10_001, 160_000, 640_000, 640_001].map(|nodes| grade(Some(nodes)));
        assert_eq!(grades, [1, 1, 2, 3, 4, 5]);
        assert_eq!(grade(None), 5);
    }

    #[test]
    fn a_suite_is_sorted_named_and_sound() {
        let opera = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k -";
        let rook = "6k1/5ppp/8/8/8/8/4P3/R3K3 w - -";
        let finds = [
            find(opera, "b3b8 d7b8 d1d8", StatedScore::Mate(2), None),
            find(rook, "e2e4", StatedScore::Cp(300), Some(84_000)),
        ];
        let text = suite_text("one\ntwo", "t", &finds);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["# one", "# two"]);
        assert_eq!(
            lines[2],
            format!(
                "{rook} bm e4; acd 25; ce 300; pv e4; id \"t.001\"; c0 \"themes: quiet move\"; c1 \"nodes 84000\"; c2 \
                 \"grade 3\";"
            )
        );
        assert_eq!(
            lines[3],
            format!(
                "{opera} bm Qb8+; acd 25; ce 32764; dm 2; pv Qb8+ Nxb8 Rd8#; id \"t.002\"; c0 \"themes: sacrifice, \
                 mate\"; c1 \"nodes over 2000000\"; c2 \"grade 5\";"
            )
        );
        let suite = parse("t.epd", text.as_bytes());
        assert!(suite.refused.is_empty() && lint(&[suite]).is_empty());
    }
}
