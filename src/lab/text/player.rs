//! A player's moves compared with Pacioli's, as tables.

use std::fmt::Write as _;

use comfy_table::Table;

use crate::json::MoveText;
use crate::lab::Tables;
use crate::lab::player::{Match, MoveName, MoveResult, ProfileResult};
use crate::text::{aligned, counted, grouped, shortened};

/// Headers of the table of a move's iterations.
pub(super) const CHOICE_HEADERS: [&str; 9] =
    ["profile", "iter", "nominal", "max soft", "max comb", "nodes", "score", "move", "PV"];
/// Headers of the table of a profile's agreement.
pub(super) const AGREEMENT_HEADERS: [&str; 7] =
    ["iter", "moves", "same", "share", "nominal", "mean max soft", "max soft"];
/// Headers of the table of the moves where a profile's choice differs.
pub(super) const DIFFERENCE_HEADERS: [&str; 7] = ["game", "played", "chosen", "score", "iter", "max soft", "same in"];
pub(super) const LEGEND: &str = "\
moves: positions in which the iteration was finished, within the limit that all have; same: those in which its move is
the one played. nominal: plies of the software without extensions; max soft: deepest leaf of the software, extensions
included; max comb: deepest ply of all. same in: iterations that chose the move played. Scores are for the side to move;
+0.00= is a draw, by repetition (rep) or with the evaluation that breaks the tie between draws.
";

impl Tables for Match {
    /// The comparison as text: the requested moves, and for each profile its agreement and the differences.
    fn to_text(&self) -> String {
        let moves = self.profiles.first().map_or(0, |profile| profile.moves.len());
        let mut text = String::new();
        let common = &self.head.provenance;
        let _ = writeln!(text, "{}", common.heading());
        let _ = write!(text, "{}: {} in {}", self.player, counted(moves, "move"), counted(self.games, "game"));
        if self.refused > 0 {
            let _ = write!(text, ", {} refused", self.refused);
        }
        let _ = write!(text, "{}", common.limits());
        if let Some(nodes) = self.shown_nodes {
            let _ = write!(text, ", {} nodes for the moves shown", grouped(nodes));
        }
        text.push('\n');
        for &name in &self.shown {
            push_moves(&mut text, self, name);
        }
        for profile in &self.profiles {
            push_profile(&mut text, profile);
        }
        text.push('\n');
        text.push_str(LEGEND);
        text
    }
}

/// A move's iterations with every profile. A number means two moves if the name matches both players.
fn push_moves(text: &mut String, report: &Match, name: MoveName) {
    let Some(first) = report.profiles.first() else { return };
    for (index, found) in first.moves.iter().enumerate().filter(|(_, found)| found.name == name) {
        let played = numbered(found);
        let _ = writeln!(text, "\nGame {}, {played} was played\n{}\n", name.game, found.fen);
        let of_profiles = report.profiles.iter().filter_map(|profile| Some((profile, profile.moves.get(index)?)));
        let _ = writeln!(text, "{}", choice_table(of_profiles));
    }
}

/// One move's iterations, profile by profile.
fn choice_table<'a>(found: impl Iterator<Item = (&'a ProfileResult, &'a MoveResult)>) -> Table {
    let mut rows = aligned(&CHOICE_HEADERS, &["profile", "move", "PV"]);
    for (profile, result) in found {
        for choice in &result.iterations {
            rows.add_row([
                name(profile),
                choice.iteration.to_string(),
                choice.nominal_depth.to_string(),
                choice.max_software.to_string(),
                choice.max_combined.to_string(),
                grouped(choice.nodes),
                choice.score.to_string(),
                if choice.same { format!("{} (played)", choice.best_move) } else { choice.best_move.to_string() },
                shortened(choice.pv.text()),
            ]);
        }
    }
    rows
}

/// A profile's name.
fn name(result: &ProfileResult) -> String {
    result.provenance.profile.map(|profile| profile.to_string()).unwrap_or_default()
}

/// A profile's agreement by iteration, and the moves where its final choice differs.
fn push_profile(text: &mut String, profile: &ProfileResult) {
    let moves = profile.moves.len();
    let set: String = profile.provenance.set.iter().map(|setting| format!(", {setting}")).collect();
    let _ = writeln!(text, "\n{} profile{set}: the same move in {} of {moves}\n", name(profile), profile.same);
    let mut rows = aligned(&AGREEMENT_HEADERS, &[]);
    for sum in &profile.iterations {
        rows.add_row([
            sum.iteration.to_string(),
            grouped(sum.moves as u64),
            grouped(sum.same as u64),
            format!("{:.0} %", 100.0 * sum.same as f64 / sum.moves.max(1) as f64),
            sum.nominal_depth.to_string(),
            format!("{:.1}", sum.mean_max_software),
            sum.max_software.to_string(),
        ]);
    }
    let _ = writeln!(text, "{rows}");
    if profile.same == moves {
        return;
    }
    let left = ["played", "chosen", "same in"];
    let mut rows = aligned(&DIFFERENCE_HEADERS, &left);
    for result in profile.moves.iter().filter(|result| !result.same) {
        let last = result.iterations.last();
        rows.add_row([
            result.name.game.to_string(),
            numbered(result),
            result.best_move.as_ref().map(MoveText::to_string).unwrap_or_default(),
            result.score.to_string(),
            last.map_or(0, |choice| choice.iteration).to_string(),
            last.map_or(0, |choice| choice.max_software).to_string(),
            same_in(result),
        ]);
    }
    let _ = writeln!(text, "\nWhere they differ:\n\n{rows}");
}

/// The move played with its number, as on a score sheet.
fn numbered(result: &MoveResult) -> String {
    let dots = result.side.fold_wb(".", "...");
    format!("{}{dots}{}", result.name.number, result.played)
}

/// The iterations that chose the move played, runs abbreviated: `1-3, 7`.
fn same_in(result: &MoveResult) -> String {
    let mut runs: Vec<(i32, i32)> = Vec::new();
    for choice in result.iterations.iter().filter(|choice| choice.same) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == choice.iteration => *last = choice.iteration,
            _ => runs.push((choice.iteration, choice.iteration)),
        }
    }
    let run = |(first, last): (i32, i32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    if runs.is_empty() { "none".to_owned() } else { runs.into_iter().map(run).collect::<Vec<_>>().join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::json::{PovScore, Variation};
    use crate::lab::player::{IterationChoice, IterationSum};
    use crate::lab::text::tests::made_up_provenance;
    use crate::params::Profile;
    use crate::runner::Kind;
    use crate::runner::{Head, Provenance};
    use crate::score::Score;

    /// A move whose iterations from 1 on chose these moves; the capital is the one played.
    fn result(number: u32, choices: &str) -> MoveResult {
        let choice = |(index, m): (usize, char)| IterationChoice {
            iteration: index as i32 + 1,
            nominal_depth: 1,
            max_software: 2,
            max_combined: 9,
            nodes: 1000 * (index as u64 + 1),
            best_move: MoveText { san: format!("{m}4"), uci: String::new() },
            same: m == 'B',
            score: PovScore { value: Score::cp(25).into(), pov: Color::White },
            pv: Variation::made_up(&format!("{number}.{m}4 Nf6")),
        };
        let iterations: Vec<IterationChoice> = choices.chars().enumerate().map(choice).collect();
        let last = iterations.last().unwrap();
        MoveResult {
            name: MoveName { game: 2, number },
            side: if number == 1 { Color::White } else { Color::Black },
            fen: format!("fen {number}"),
            played: MoveText { san: "B4".to_owned(), uci: String::new() },
            best_move: Some(last.best_move.clone()),
            same: last.same,
            score: last.score,
            nodes: 4000,
            iterations,
        }
    }

    #[test]
    fn a_match() {
        let common = |provenance| Provenance { movetime_ms: Some(1500), nodes: Some(300_000), ..provenance };
        let profile = |profile: Profile, moves: Vec<MoveResult>| ProfileResult {
            provenance: Provenance { set: vec!["credit_limit=24".to_owned()], ..common(made_up_provenance(profile)) },
            same: moves.iter().filter(|result| result.same).count(),
            iterations: vec![IterationSum {
                iteration: 1,
                moves: 3,
                same: 1,
                nominal_depth: 1,
                mean_max_software: 2.333,
                max_software: 4,
            }],
            moves,
        };
        let report = Match {
            head: Head::new(Kind::Match, Provenance { profile: None, ..common(made_up_provenance(Profile::Modern)) }),
            player: "Deep Blue".to_owned(),
            games: 1,
            refused: 1,
            shown: vec![MoveName { game: 2, number: 2 }],
            shown_nodes: None,
            profiles: vec![
                profile(Profile::Modern, vec![result(1, "aB"), result(2, "BBaBc")]),
                profile(Profile::DeepBlue, vec![result(1, "B"), result(2, "aB")]),
            ],
        };
        insta::assert_snapshot!(report.to_text());
    }
}
