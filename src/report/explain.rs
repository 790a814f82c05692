//! The principal variation as a ledger: which mechanism paid for each ply, in a T-account with White's entries on the
//! left and Black's on the right, as a bookkeeper would show two parties' accounts.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use serde::Serialize;

use super::model::{SCHEMA, ScoreField};
use crate::board::{Color, Game, Move, Position};
use crate::engine::{Engine, Limits};
use crate::eval::Chances;
use crate::search::{Iteration, LedgerEntry, Observer, StopFlag};

/// A line explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The version of this form.
    pub schema: u32,
    /// The position searched.
    pub fen: String,
    /// The search profile.
    pub profile: String,
    /// The last iteration that was finished.
    pub iteration: i32,
    /// Nominal depth in software plies.
    pub nominal_depth: i32,
    /// Deepest ply of a full node.
    pub max_software: i32,
    /// Nodes searched until then.
    pub nodes: u64,
    /// The score for the side to move.
    pub score: ScoreField,
    /// What the score means in games, in thousandths for the side to move.
    pub chances: Chances,
    /// One entry for each move of the line.
    pub line: Vec<ExplainedMove>,
}

/// One move with its entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedMove {
    /// Ply from the root, from 1.
    pub ply: usize,
    /// `white` or `black`.
    pub side: &'static str,
    /// The move in SAN.
    pub san: String,
    /// What earned credit, if anything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<&'static str>,
    /// Whether an earlier visit earned it and the table kept it.
    pub kept: bool,
    /// The award in plies.
    pub amount: f64,
    /// The mover's account before the move.
    pub before: f64,
    /// The mover's account after award and cash-in.
    pub balance: f64,
    /// Plies of extension cashed in.
    pub cashed: i32,
    /// The other side's account after it gave up as much.
    pub other_balance: f64,
    /// Singular moves: the score that the alternatives did not reach; threats: that passing did not reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<ScoreField>,
}

/// Keeps the last finished iteration.
#[derive(Default)]
struct Last(Option<Iteration>);

impl Observer for Last {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0 = Some(iteration.clone());
    }
}

/// Searches a position and explains its principal variation; `None` where no iteration was finished.
pub fn explain(engine: &mut Engine, game: &Game, limits: &Limits) -> Option<Explanation> {
    let mut last = Last::default();
    engine.new_game();
    engine.search(game, limits, &StopFlag::new(), &mut last);
    let profile = engine.options().profile.to_string();
    last.0.map(|iteration| explain_iteration(game.position(), profile, &iteration))
}

/// Explains the principal variation of an iteration.
pub fn explain_iteration(position: &Position, profile: String, iteration: &Iteration) -> Explanation {
    let mut line = Vec::with_capacity(iteration.pv.len());
    let mut current = position.clone();
    for (index, (&m, entry)) in iteration.pv.iter().zip(&iteration.ledger).enumerate() {
        line.push(explained(&current, index + 1, m, entry));
        current = current.play(m);
    }
    Explanation {
        schema: SCHEMA,
        fen: position.fen(),
        profile,
        iteration: iteration.iteration,
        nominal_depth: iteration.nominal_depth,
        max_software: iteration.max_software,
        nodes: iteration.nodes,
        score: iteration.score.into(),
        chances: Chances::new(iteration.score, position),
        line,
    }
}

/// One move explained, in the position it is made in.
fn explained(position: &Position, ply: usize, m: Move, entry: &LedgerEntry) -> ExplainedMove {
    ExplainedMove {
        ply,
        side: position.turn().fold_wb("white", "black"),
        san: position.san(m),
        mechanism: entry.award.map(|award| award.mechanism.name()),
        kept: entry.award.is_some_and(|award| award.kept),
        amount: entry.award.map_or(0.0, |award| award.credit.plies()),
        before: entry.before.plies(),
        balance: entry.after.plies(),
        cashed: entry.cashed,
        other_balance: entry.other.plies(),
        bound: entry.award.and_then(|award| award.bound).map(ScoreField::from),
    }
}

impl ExplainedMove {
    /// The entry in its side's column: mechanism, amount and what was cashed in.
    fn entry(&self) -> String {
        let mut text = match self.mechanism {
            Some(mechanism) => format!("{mechanism} {:+.2}", self.amount),
            None => return String::new(),
        };
        if self.kept {
            text.push_str(" (kept)");
        }
        if self.cashed > 0 {
            let _ = write!(text, ", cashed {}", self.cashed);
        }
        text
    }

    /// What a probe showed.
    fn evidence(&self) -> String {
        match (self.mechanism, self.bound) {
            (Some("threat" | "mate threat"), Some(bound)) => format!("passing stays below {bound}"),
            (Some(_), Some(bound)) => format!("others stay below {bound}"),
            _ => String::new(),
        }
    }
}

/// Number and move, as a score sheet has them.
fn numbered(position: &Position, index: usize, san: &str) -> String {
    let white_first = position.turn() == Color::White;
    let number = position.fullmoves() as usize + (index + usize::from(!white_first)) / 2;
    let is_white = white_first == index.is_multiple_of(2);
    format!("{number}{}{san}", if is_white { "." } else { "..." })
}

/// The explanation as text: a T-account, White's entries left, Black's right.
pub fn to_text(position: &Position, explanation: &Explanation) -> String {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["White", "balance", "move", "balance", "Black", "evidence"]);
    for (index, step) in explanation.line.iter().enumerate() {
        let (balance, entry) = (format!("{:.2}", step.balance), step.entry());
        let other = format!("{:.2}", step.other_balance);
        let san = numbered(position, index, &step.san);
        let evidence = step.evidence();
        table.add_row(match step.side {
            "white" => [entry, balance, san, other, String::new(), evidence],
            _ => [String::new(), other, san, balance, entry, evidence],
        });
    }
    for column in [1, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!(
        "{}\n{} profile, iteration {} (nominal depth {}, deepest full node {}), {} nodes, score {} for the side to move ({})\n\n{table}\n\n\
         Amounts in plies. An account that exceeds the limit is cashed in for depth, and the other gives up as much.\n",
        explanation.fen,
        explanation.profile,
        explanation.iteration,
        explanation.nominal_depth,
        explanation.max_software,
        explanation.nodes,
        explanation.score,
        explanation.chances,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::params::Profile;

    #[test]
    fn the_entries_of_a_forcing_line_balance() {
        let mut options = Options { hash_mb: 4, ..Options::default() };
        options.set_profile(Profile::DeepBlue);
        let (mut engine, _) = Engine::new(options);
        // A perpetual check: every reply is forced.
        let position = Position::from_fen("6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1", false).unwrap();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let explanation = explain(&mut engine, &Game::new(position.clone()), &limits).unwrap();
        assert!(explanation.line.iter().any(|step| step.mechanism.is_some()), "{explanation:?}");
        for step in &explanation.line {
            assert!((step.before + step.amount - f64::from(step.cashed) - step.balance).abs() < 1e-9, "{step:?}");
        }
        let text = to_text(&position, &explanation);
        assert!(text.contains("| White") && text.contains("1.Q"), "{text}");
    }
}
