//! The data of a page with a board: lines of play that the script steps through.

use serde::Serialize;

use crate::board::{Color, Move, Position};
use crate::picture::{Arrow, changes, from_and_to, squares};
use crate::report::evidence::EvidenceKind;
use crate::report::explain::{ExplainedMove, numbered};
use crate::report::horizon::horizon;
use crate::text::unbroken;

/// All that the script needs.
#[derive(Serialize)]
pub(super) struct Data {
    /// The balance beyond which an account is cashed in, in plies; none if the search keeps no accounts.
    pub limit: Option<f64>,
    /// How one of several lines is chosen.
    pub choice: LinePicker,
    /// The names of several positions with lines of their own; empty if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<String>,
    /// The lines to choose from, position by position.
    pub lines: Vec<Line>,
    /// Better lines instead of marked moves: a move's `better` is an index into these.
    pub better: Vec<Line>,
}

impl Data {
    /// Whether the lines are games, with their moves assessed.
    pub fn are_games(&self) -> bool {
        self.lines.iter().any(|line| line.moves.iter().any(|step| step.judged.is_some()))
    }
}

/// How a line is chosen.
#[derive(Copy, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LinePicker {
    /// By a slider for each position, the last one first: iterations.
    Slider,
    /// From a list.
    List,
}

/// A line of play, for the script.
#[derive(Serialize)]
pub struct Line {
    /// Its name in the list, or its iteration.
    name: String,
    /// What is known of it as a whole.
    heading: String,
    /// The index of the position that it belongs to.
    position: usize,
    /// The position in which it starts.
    start: Start,
    /// Its moves.
    pub(super) moves: Vec<Step>,
    /// Where the accounts end.
    #[serde(skip_serializing_if = "Option::is_none")]
    horizon: Option<End>,
}

/// A position to start from.
#[derive(Serialize)]
struct Start {
    /// The squares from a1 to h8.
    board: String,
    fen: String,
    white: bool,
    chess960: bool,
}

/// The end of the accounts.
#[derive(Serialize)]
struct End {
    /// The first move without accounts.
    before: usize,
    /// What it says.
    text: String,
}

/// A move with what the page shows of it.
#[derive(Serialize)]
pub(super) struct Step {
    /// The move in SAN with its number.
    san: String,
    /// Whether White makes it.
    white: bool,
    /// The position after it.
    fen: String,
    /// From where to where.
    squares: Vec<u8>,
    /// What it changes on the board.
    changes: Vec<(u8, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<Entry>,
    #[serde(skip_serializing_if = "String::is_empty")]
    evidence: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Arrow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
}

/// What a move did to the accounts.
#[derive(Serialize)]
struct Entry {
    /// In the mover's column.
    own: String,
    /// In the other side's column.
    other: String,
    /// White's balance afterwards.
    white: f64,
    /// Black's balance afterwards.
    black: f64,
    /// The mover's balance before anything was cashed in.
    peak: f64,
    /// Plies cashed in.
    cashed: i32,
}

/// A move of a game with its assessment.
#[derive(Serialize)]
pub(super) struct Judged {
    /// White's score after it.
    pub score: String,
    /// White's expected score after it, from 0 to 1.
    pub points: f64,
    /// White's expected score by the classical evaluation of the position after it, without a search.
    pub classical: f64,
    /// The same by the network, counted for less with less material, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<f64>,
    /// The glyph of its mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// Whether it is opening theory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub theory: bool,
    /// What the mark means.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The better line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<usize>,
}

impl Line {
    /// A line without a ledger.
    pub fn plain(position: &Position, moves: &[Move]) -> Line {
        let mut steps = Vec::with_capacity(moves.len());
        let mut current = position.clone();
        for (index, &m) in moves.iter().enumerate() {
            let next = current.play(m);
            steps.push(Step {
                san: numbered(position, index, &current.san(m)),
                white: current.turn() == Color::White,
                fen: next.fen(),
                squares: from_and_to(m).into_iter().flatten().map(|square| square as u8).collect(),
                changes: changes(&current, &next),
                entry: None,
                evidence: String::new(),
                arrows: Vec::new(),
                judged: None,
            });
            current = next;
        }
        let start = Start {
            board: squares(position),
            fen: position.fen(),
            white: position.turn() == Color::White,
            chess960: position.is_chess960(),
        };
        Line { name: String::new(), heading: String::new(), position: 0, start, moves: steps, horizon: None }
    }

    /// The same line with a name and what is known of it.
    pub(super) fn called(self, name: String, heading: String) -> Line {
        Line { name, heading: unbroken(&heading), ..self }
    }

    /// The same line as one of this position's.
    pub(super) fn of_position(self, position: usize) -> Line {
        Line { position, ..self }
    }

    /// A line with its ledger.
    pub(super) fn explained(position: &Position, moves: &[Move], ledger: &[ExplainedMove]) -> Line {
        let mut line = Line::plain(position, moves);
        for (step, explained) in line.moves.iter_mut().zip(ledger) {
            step.entry = explained.accounts.map(|accounts| Entry {
                own: explained.entry(),
                other: explained.other_entry(),
                white: accounts.white.after_move,
                black: accounts.black.after_move,
                peak: accounts.of(explained.side).before_move + explained.earned(),
                cashed: accounts.cashed_plies,
            });
            step.evidence = explained.evidence();
            step.arrows.extend(explained.evidence.as_ref().and_then(|evidence| {
                let class = match evidence.kind {
                    EvidenceKind::Threat => "threat",
                    EvidenceKind::NextBest => "next-best",
                };
                Arrow::new(evidence.first, class)
            }));
        }
        line.horizon = horizon(ledger).map(|end| End { before: end.before, text: end.text() });
        line
    }
}
