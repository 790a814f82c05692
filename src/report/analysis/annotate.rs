//! An analysed game as PGN: the score after each move, the marks as glyphs, and the better line as a variation.

use super::GameAnalysis;
use super::analysed_move::AnalysedMove;
use super::text::{sentence, unsigned, without_sentence};
use crate::board::{Color, Move, Position};
use crate::pgn::PgnGame;
use crate::runner::PROGRAM;
use crate::score::StatedScore;
use crate::text::{filled, quoted};

/// The most characters of a line in the PGN export format.
const WIDTH: usize = 79;
/// Maximum moves shown of a better line.
const VARIATION_PLIES: usize = 8;

/// The game with its analysis, which must belong to this game. Original comments are kept; original variations and
/// glyphs have not been read.
pub fn to_pgn(pgn: &PgnGame, analysis: &GameAnalysis) -> String {
    let result = pgn.result.to_string();
    let mut text = String::new();
    for (name, value) in &pgn.tags {
        text.push_str(&tag_line(name, value));
    }
    for (name, value) in [("Result", result.as_str()), ("Annotator", PROGRAM)] {
        if pgn.tag(name).is_none() {
            text.push_str(&tag_line(name, value));
        }
    }
    text.push('\n');
    let mut words: Vec<String> = pgn.comments.iter().flat_map(|comment| comment_words(comment)).collect();
    let mut position = pgn.start.clone();
    let mut number_is_due = true;
    for (index, step) in pgn.moves.iter().enumerate() {
        words.extend(move_words(&position, step.mv, number_is_due));
        number_is_due = false;
        let judged = analysis.moves.get(index);
        words.extend(judged.and_then(AnalysedMove::nag).map(|nag| format!("${nag}")));
        let ours = judged.map(our_comment).unwrap_or_default();
        let theirs = step.comments.iter().map(|comment| without_verdict(comment));
        for comment in std::iter::once(ours).chain(theirs).filter(|comment| !comment.is_empty()) {
            words.extend(comment_words(&comment));
            number_is_due = true;
        }
        if let Some(line) = judged.and_then(AnalysedMove::instead) {
            words.extend(variation_words(&position, &line.moves));
        }
        position = position.play(step.mv);
    }
    words.push(result);
    let lines = filled(words.iter().map(String::as_str), "", WIDTH);
    text + &lines.join("\n") + "\n\n"
}

/// A tag with quotes and backslashes escaped.
fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} {}]\n", quoted(value))
}

/// The score after a move in machine-readable form, and what there is to say of a marked move.
fn our_comment(judged: &AnalysedMove) -> String {
    let mut parts = Vec::new();
    if judged.score.value != StatedScore::Mate(0) {
        parts.push(format!("[%eval {}]", unsigned(judged.score.value)));
    }
    parts.extend(sentence(judged));
    parts.join(" ")
}

/// A comment without the score written by an earlier analysis, and without Pacioli's sentence after it.
fn without_verdict(comment: &str) -> String {
    let Some((before, rest)) = comment.split_once("[%eval ") else { return comment.to_owned() };
    let after = rest.split_once(']').map_or("", |(_, after)| after.trim_start());
    format!("{} {}", before.trim_end(), without_sentence(after)).trim().to_owned()
}

/// A comment in braces, split into words; a command in brackets stays in one piece. No word begins with `%`, which at
/// the beginning of a line would hide that line from readers (PGN standard, section 6).
fn comment_words(comment: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in format!("{{{comment}}}").split(' ') {
        match words.last_mut() {
            Some(last) if last.rfind('[') > last.rfind(']') || word.starts_with('%') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// A move, with its number if due.
fn move_words(position: &Position, m: Move, number_is_due: bool) -> Vec<String> {
    let number = position.fullmoves();
    let number = match position.turn() {
        Color::White => Some(format!("{number}.")),
        Color::Black => number_is_due.then(|| format!("{number}...")),
    };
    number.into_iter().chain([position.san(m)]).collect()
}

/// A line in parentheses.
fn variation_words(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for (index, &m) in line.iter().take(VARIATION_PLIES).enumerate() {
        words.extend(move_words(&position, m, index == 0));
        position = position.play(m);
    }
    if let Some(first) = words.first_mut() {
        first.insert(0, '(');
    }
    if let Some(last) = words.last_mut() {
        last.push(')');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Limits, Options};
    use crate::json::PovScore;
    use crate::pgn::Games;
    use crate::report::analysis::{Plan, Theory, game};
    use crate::search::StopFlag;

    fn read(text: &str) -> PgnGame {
        Games::new(text.as_bytes()).next().unwrap().unwrap().unwrap()
    }

    #[test]
    fn what_is_written_can_be_read_and_holds_the_game_with_its_comments() {
        let text = "[White \"A \\\"B\\\"\"]\n\n{first} 1. f3 {[%eval 0.1] [%clk 0:01]} e5 2. g4 {oh} Qh4# 0-1";
        let original = read(text);
        let (mut engine, _) = Engine::new(Options { hash_mb: 4, ..Options::default() });
        let limits = Limits::to_depth(5);
        let theory = Theory::default();
        let plan = Plan { limits: &limits, confirm: 2, theory: &theory, stop: &StopFlag::new() };
        let analysis = game(&mut engine, &original, plan, &mut |_| {}).unwrap();
        let written = to_pgn(&original, &analysis);
        assert!(written.starts_with("[White \"A \\\"B\\\"\"]\n[Result \"0-1\"]\n[Annotator "), "{written}");
        // Where the lines are broken depends on the rest of the text.
        let text = written.replace('\n', " ");
        assert!(text.contains("g4 $4 {[%eval #-1] Blunder. "), "{written}");
        assert!(text.contains("2... Qh4# 0-1") && !text.contains("[%eval 0.1]"), "{written}");
        assert!(written.lines().all(|line| line.len() <= WIDTH), "{written}");
        let score = PovScore { value: StatedScore::Cp(30), pov: Color::White };
        assert_eq!(our_comment(&AnalysedMove { score, ..analysis.moves[3].clone() }), "[%eval 0.30]");
        let commands = comment_words("a [%eval 0.14] b [%clk 0:01]");
        assert_eq!(commands, ["{a", "[%eval 0.14]", "b", "[%clk 0:01]}"]);
        assert_eq!(comment_words("50 % of %x"), ["{50 %", "of %x}"]);
        let again = read(&written);
        let moves = |game: &PgnGame| game.moves.iter().map(|step| step.mv).collect::<Vec<_>>();
        assert_eq!(moves(&again), moves(&original));
        assert_eq!(again.comments, ["first"]);
        assert!(again.moves[0].comments.contains(&"[%clk 0:01]".to_owned()), "{written}");
        assert_eq!(again.moves[2].comments.last().map(String::as_str), Some("oh"));
        // What an earlier analysis said is not the author's, and does not pile up.
        assert_eq!(to_pgn(&again, &analysis), written);
        for (sentence, rest) in [
            ("Blunder. g6 was better: -0.32 instead of #1.", ""),
            ("Mistake. Nf3 was better: +0.32 instead of -1.05. A pity.", "A pity."),
            ("Sacrifices a knight, and it holds: +0.50; without it +0.20 (12...Nf3).", ""),
            ("Blunder. I was tired.", "Blunder. I was tired."),
            ("Sacrifices a knight (for nothing).", "Sacrifices a knight (for nothing)."),
        ] {
            assert_eq!(
                without_verdict(&format!("[%clk 0:01] [%eval 0.1,20] {sentence}")),
                format!("[%clk 0:01] {rest}").trim()
            );
            assert_eq!(without_verdict(sentence), sentence);
        }
    }
}
