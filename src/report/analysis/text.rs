//! Analysis as text for a terminal.

use std::fmt::Write as _;

use super::confirm::further;
use super::mark::Mark;
use super::{AnalysedLine, AnalysedMove, GameAnalysis, Inexact, PositionAnalysis, SideSummary};
use crate::pgn::PgnGame;
use crate::score::StatedScore;
use crate::text::{TableStyle, aligned, counted, counted_as, grouped, without_empty};

/// How the tables are shown on a terminal.
pub const TABLES: TableStyle =
    TableStyle { folded: &["remarks"], ..TableStyle::without_verdicts(&["points", "remarks"]) };
/// Headers of a game's table.
const GAME_HEADERS: [&str; 5] = ["move", "White's score", "points", "lost", "remarks"];

/// A score in pawns without a plus sign, or the moves to mate: as in PGN comments.
pub(super) fn unsigned(score: StatedScore) -> String {
    score.without_tie().to_string().trim_start_matches('+').to_owned()
}

/// What paid for a line's depth, in one line.
fn ledger(line: &AnalysedLine) -> String {
    let sums = line.ledger.iter().map(|sum| format!("{} {} ({:+.2})", sum.mechanism, sum.awards, sum.granted_plies));
    match sums.collect::<Vec<_>>() {
        sums if sums.is_empty() => "no credit".to_owned(),
        sums => format!(
            "credit from {}; cashed in {}",
            sums.join(", "),
            counted_as(line.cashed_plies as usize, "ply", "plies")
        ),
    }
}

/// The best lines of a position.
pub fn position_to_text(analysis: &PositionAnalysis) -> String {
    let id = analysis.id.as_ref().map(|id| format!("{id}\n")).unwrap_or_default();
    let mut text = format!("{id}{}\n{}, {}\n", analysis.fen, analysis.head.provenance.heading(), nodes(analysis.nodes));
    for (index, line) in analysis.lines.iter().enumerate() {
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "\n{}. {} for White ({}), iteration {}\n   {}\n   {}\n",
            index + 1,
            Inexact::with_score(line.bound, line.score),
            line.chances,
            line.iteration,
            line.pv,
            ledger(line),
        );
    }
    if analysis.lines.is_empty() {
        text.push_str("\nno legal move\n");
    }
    text
}

/// A number of nodes in words.
fn nodes(count: u64) -> String {
    counted(count as usize, "node")
}

/// Who played whom, where, when, and with which result; `shown` is how a tag's value is written.
pub(in crate::report) fn players(pgn: &PgnGame, shown: fn(&str) -> String) -> String {
    let tag = |name: &str| pgn.tag(name).unwrap_or("?");
    // What is not known of a date is at its end: `1997.??.??`.
    let occasion = [tag("Event"), tag("Date").trim_end_matches(".??")];
    let is_known = |text: &&str| text.chars().any(|c| c != '?');
    let occasion = occasion.into_iter().filter(is_known).map(|text| format!(" {}", shown(text)));
    let occasion: String = occasion.collect();
    let comma = if occasion.is_empty() { "" } else { "," };
    format!("{} - {}{comma}{occasion}, {}", shown(tag("White")), shown(tag("Black")), pgn.result)
}

/// A game with its marks, and what each side lost.
pub fn game_to_text(pgn: &PgnGame, analysis: &GameAnalysis) -> String {
    let mut table = aligned(&GAME_HEADERS, &["move", "remarks"]);
    for step in &analysis.moves {
        let dots = step.side.fold_wb(".", "...");
        let lost = step.mark.and(step.loss).map_or(String::new(), |loss| format!("{loss:.3}"));
        table.add_row([
            format!("{}{dots}{}{}", step.number, step.text, step.glyph()),
            Inexact::with_score(step.bound, step.score),
            format!("{:.2}", step.chances.value.points()),
            lost,
            remark(step),
        ]);
    }
    let table = without_empty(table);
    let provenance = &analysis.provenance;
    let again = match analysis.confirm_nodes {
        0 => String::new(),
        again => format!(" ({} of these for second searches)", grouped(again)),
    };
    format!(
        "{}\n{}{}, {}{again}\n{}\n\n{table}\n\nWhite: {}\nBlack: {}\n",
        players(pgn, str::to_owned),
        provenance.heading(),
        provenance.limits(),
        nodes(analysis.nodes),
        confirmation(analysis),
        summary(&analysis.white),
        summary(&analysis.black),
    )
}

/// What the marks rest on, as a sentence.
pub(in crate::report) fn confirmation(analysis: &GameAnalysis) -> String {
    let (limits, factor) = (&analysis.provenance, analysis.confirm);
    if factor == 0 {
        return "Marks rest on one search of each position.".to_owned();
    }
    if analysis.suspects == 0 {
        return "No mistake or sacrifice was suspected, and nothing searched again.".to_owned();
    }
    let times =
        (limits.nodes.is_some() || limits.movetime_ms.is_some()).then(|| format!(" with {factor} times the limit"));
    let depth = limits.depth.map(|depth| format!(" to iteration {}", further(depth, factor)));
    let limits: Vec<String> = [times, depth].into_iter().flatten().collect();
    format!("Suspected mistakes and sacrifices were searched again{}.", limits.join(","))
}

/// What there is to say of a move in the table.
fn remark(step: &AnalysedMove) -> String {
    let better = step.mark.zip(step.instead_score());
    match (better, &step.sacrifice) {
        (Some((_, score)), _) => format!("better {score} {}", step.best.pv),
        (None, Some(_)) => sentence(step).unwrap_or_default(),
        (None, None) if step.theory => "theory".to_owned(),
        (None, None) => String::new(),
    }
}

/// The words of a [`sentence`], by which [`without_sentence`] knows it.
const SACRIFICES: &str = "Sacrifices ";
const HOLDS: &str = ", and it holds: ";
const WITHOUT: &str = "; without it ";
const BETTER: &str = " was better: ";
const INSTEAD: &str = " instead of ";

/// What there is to say of a marked move, as a sentence.
pub(in crate::report) fn sentence(step: &AnalysedMove) -> Option<String> {
    let played = Inexact::with_score(step.bound, step.score);
    if let Some(sacrifice) = &step.sacrifice {
        let (score, best) = (step.instead_score()?, first_move(sacrifice.without.pv.text()));
        let offer = sacrifice.offer;
        return Some(format!("{SACRIFICES}{offer}{HOLDS}{played}{WITHOUT}{score} ({best})."));
    }
    let instead = step.mark.zip(step.instead_score());
    instead.map(|(mark, better)| {
        let best = step.best.best_san();
        format!("{}. {best}{BETTER}{better}{INSTEAD}{played}.", mark.name())
    })
}

/// A text without such a [`sentence`] at its beginning.
pub(super) fn without_sentence(text: &str) -> &str {
    let end_of = |word: &str, end: &str| {
        let start = text.find(word)? + word.len();
        text[start..].find(end).map(|length| start + length + end.len())
    };
    let marks = [Mark::Blunder, Mark::Mistake, Mark::Inaccuracy];
    let end = if text.starts_with(SACRIFICES) && text.contains(HOLDS) {
        end_of(WITHOUT, ").")
    } else if marks.iter().any(|mark| text.starts_with(&format!("{}. ", mark.name()))) && text.contains(BETTER) {
        // The score has a point of its own.
        end_of(INSTEAD, ". ").or_else(|| text.ends_with('.').then_some(text.len()))
    } else {
        None
    };
    text[end.unwrap_or(0)..].trim_start()
}

/// The first move of a line, with its number.
fn first_move(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// One side's totals.
pub(in crate::report) fn summary(side: &SideSummary) -> String {
    let sacrifices = match side.sacrifices {
        0 => String::new(),
        count => format!(", {}", counted(count as usize, "sound sacrifice")),
    };
    let loss = match side.mean_loss {
        Some(loss) if side.judged == side.moves => format!("; mean loss per move {loss:.3}"),
        Some(loss) => format!("; mean loss of the {} judged {loss:.3}", side.judged),
        None if side.moves == 0 => String::new(),
        None => "; none of them was judged".to_owned(),
    };
    format!(
        "{}, {}, {}{sacrifices} in {}{loss}",
        counted_as(side.inaccuracies as usize, "inaccuracy", "inaccuracies"),
        counted(side.mistakes as usize, "mistake"),
        counted(side.blunders as usize, "blunder"),
        counted(side.moves as usize, "move"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::narrowed;

    #[test]
    fn what_is_not_known_of_a_game_is_left_out() {
        let known = |tags: &[(&str, &str)]| {
            let text: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
            let pgn = format!("{text}\n1. e4 *\n");
            players(&crate::pgn::Games::new(pgn.as_bytes()).next().unwrap().unwrap().unwrap(), str::to_owned)
        };
        assert_eq!(known(&[]), "? - ?, *");
        let match_1997 = [("White", "Deep Blue"), ("Black", "Kasparov"), ("Event", "New York"), ("Date", "1997.??.??")];
        assert_eq!(known(&match_1997), "Deep Blue - Kasparov, New York 1997, *");
        assert_eq!(
            known(&[("White", "A"), ("Black", "B"), ("Event", "?"), ("Date", "2016.07.28")]),
            "A - B, 2016.07.28, *"
        );
    }

    #[test]
    fn what_goes_first_is_in_a_table() {
        let known = GAME_HEADERS;
        TABLES.check(&known);
    }

    #[test]
    fn a_narrow_terminal_shows_what_was_better() {
        let mut table = aligned(&GAME_HEADERS, &["move", "remarks"]);
        let better = "better +0.31 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3";
        table.add_row(["4.Bxc6?", "-0.42", "0.44", "0.121", better]);
        let narrow = narrowed(&format!("{table}\n"), 80, &TABLES);
        assert!(narrow.lines().all(|line| line.len() <= 80) && !narrow.contains("no room"), "{narrow}");
        let missing: Vec<&str> = better.split(' ').filter(|word| !narrow.contains(word)).collect();
        assert!(missing.is_empty(), "{missing:?}: {narrow}");
    }
}
