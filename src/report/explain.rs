//! The principal variation as a ledger: which mechanism paid for each ply, in a T-account with White's entries on the
//! left and Black's on the right, as in bookkeeping.

use comfy_table::Table;
use serde::Serialize;

use super::entry::{Account, Accounts, GrantedAward, finding};
use super::evidence::{Evidence, Witness};
use crate::board::{Color, Game, Move, Position};
use crate::engine::{Engine, Limits};
use crate::json::side;
use crate::json::{MoveText, PovChances, PovScore};
use crate::runner::Provenance;
use crate::search::{Iteration, LedgerEntry, Observer, StopFlag};
use crate::text::{TableStyle, aligned, grouped};
use crate::tt::Bound;

/// How the tables are shown on a terminal.
pub const TABLES: TableStyle =
    TableStyle { folded: &["White", "Black", "evidence"], ..TableStyle::without_verdicts(&["balance", "evidence"]) };
/// Headers of the ledger.
const LEDGER_HEADERS: [&str; 6] = ["White", "balance", "move", "balance", "Black", "evidence"];

/// The line of one iteration explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainedIteration {
    /// The iteration's number.
    pub iteration: i32,
    /// Nominal depth in software plies.
    pub nominal_depth: i32,
    /// Deepest leaf of the software's tree, extensions included; 0 if there was none below the root.
    pub max_software: i32,
    /// Nodes from the start of the search to the end of the iteration.
    pub nodes: u64,
    /// The value of `nodes` when growth control began to restrain the iteration, which cashed in nothing from then on;
    /// missing if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restrained_at: Option<u64>,
    /// The score for the side to move.
    pub score: PovScore,
    /// Whether it is exact; in a completed iteration it is.
    #[serde(skip)]
    pub bound: Bound,
    /// What the score means in games, for the side to move.
    pub chances: PovChances,
    /// The principal variation, each move with its entry.
    pub pv: Vec<ExplainedMove>,
}

/// One move with its entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainedMove {
    /// The ply from the root, from 1.
    pub ply: usize,
    /// Whose move it is.
    #[serde(with = "side")]
    #[cfg_attr(test, schemars(with = "crate::json::side::Side"))]
    pub side: Color,
    /// The move.
    #[serde(flatten)]
    pub text: MoveText,
    /// What the move earned; missing if it earned nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub award: Option<GrantedAward>,
    /// What the move did to the accounts; missing below the software's depth, where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accounts: Option<Accounts>,
    /// A line that shows the evidence; missing if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// Keeps the completed iterations.
#[derive(Default)]
struct Completed(Vec<Iteration>);

impl Observer for Completed {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0.push(iteration.clone());
    }
}

/// Searches a position and returns its completed iterations, each with its line and ledger.
pub fn iterations(engine: &mut Engine, game: &Game, limits: &Limits) -> Vec<Iteration> {
    let mut completed = Completed::default();
    engine.new_game();
    engine.search(game, limits, &StopFlag::new(), &mut completed);
    completed.0
}

/// Explains the principal variation of an iteration.
pub fn explain_iteration(position: &Position, iteration: &Iteration, witness: &mut Witness) -> ExplainedIteration {
    ExplainedIteration {
        iteration: iteration.iteration,
        nominal_depth: iteration.nominal_depth,
        max_software: iteration.max_software,
        nodes: iteration.nodes,
        restrained_at: iteration.restrained_at,
        score: PovScore::of_mover(iteration.score, position),
        bound: iteration.bound,
        chances: PovChances::of_mover(iteration.score, position),
        pv: explain_entries(position, &iteration.pv, &iteration.ledger, witness),
    }
}

/// Explains a line, move by move.
pub(super) fn explain_entries(
    position: &Position,
    moves: &[Move],
    ledger: &[Option<LedgerEntry>],
    witness: &mut Witness,
) -> Vec<ExplainedMove> {
    let mut line = Vec::with_capacity(moves.len());
    let mut current = position.clone();
    for (index, (&m, &entry)) in moves.iter().zip(ledger).enumerate() {
        let evidence = entry.and_then(|entry| witness.evidence(&current, m, &entry));
        line.push(explained(&current, index + 1, m, entry, evidence));
        current = current.play(m);
    }
    line
}

/// One move explained, in the position before it.
pub(super) fn explained(
    position: &Position,
    ply: usize,
    m: Move,
    entry: Option<LedgerEntry>,
    evidence: Option<Evidence>,
) -> ExplainedMove {
    let award = entry.and_then(|entry| entry.award);
    ExplainedMove {
        ply,
        side: position.turn(),
        text: MoveText::new(position, m),
        award: award.map(|award| GrantedAward::new(award, position.turn())),
        accounts: entry.map(|entry| Accounts::new(entry, position.turn())),
        evidence,
    }
}

impl ExplainedMove {
    /// A side's account, if there are accounts.
    pub(super) fn account_of(&self, side: Color) -> Option<Account> {
        self.accounts.map(|accounts| accounts.of(side))
    }

    /// Plies that the move earned.
    pub(super) fn earned(&self) -> f64 {
        self.award.map_or(0.0, |award| award.plies)
    }

    /// Whether it earned them on an earlier visit.
    pub(super) fn is_kept(&self) -> bool {
        self.award.is_some_and(|award| award.kept)
    }

    /// Plies cashed in after the move.
    pub(super) fn cashed(&self) -> i32 {
        self.accounts.map_or(0, |accounts| accounts.cashed_plies)
    }

    /// The entries in the mover's column: mechanism, amount and what was cashed in.
    pub(super) fn entry(&self) -> String {
        let earned = self.award.map(|GrantedAward { mechanism, plies, kept, .. }| {
            format!("{mechanism} {plies:+.2}{}", if kept { " (kept)" } else { "" })
        });
        let cashed = Some(self.cashed()).filter(|&plies| plies > 0).map(|plies| format!("cashed {plies}"));
        earned.into_iter().chain(cashed).collect::<Vec<_>>().join(", ")
    }

    /// The entry in the other side's column: what it gave up.
    pub(super) fn other_entry(&self) -> String {
        let given_up = self.account_of(!self.side).map_or(0.0, Account::given_up);
        if given_up > 0.0 { format!("gives up {given_up:.2}") } else { String::new() }
    }

    /// What a probe showed.
    pub(super) fn evidence(&self) -> String {
        let is_threat = self.award.is_some_and(|award| award.mechanism.is_threat());
        let finding = self.award.and_then(|award| Some(finding(award.mechanism, award.bound?)));
        let line = self.evidence.as_ref().map(|evidence| match is_threat {
            true => format!("threatened {} ({})", evidence.pv, evidence.score),
            false => format!("next best {} ({})", evidence.pv, evidence.score),
        });
        finding.into_iter().chain(line).collect::<Vec<_>>().join("; ")
    }
}

/// Number and move, as on a score sheet.
pub(super) fn numbered(position: &Position, index: usize, san: &str) -> String {
    let white_first = position.turn() == Color::White;
    let later = u32::try_from((index + usize::from(!white_first)) / 2).unwrap_or(u32::MAX);
    let number = position.fullmoves().saturating_add(later);
    let is_white = white_first == index.is_multiple_of(2);
    format!("{number}{}{san}", if is_white { "." } else { "..." })
}

/// The explanation as text: what was searched, and the ledger.
pub fn to_text(position: &Position, provenance: &Provenance, explained: &ExplainedIteration) -> String {
    let (summary, ledger) = (summary(explained), ledger(position, &explained.pv).to_string());
    let has_draw = [&summary, &ledger].iter().any(|text| text.contains("+0.00="));
    let draws = if has_draw { DRAWS } else { "" };
    format!(
        "{}\n{}\n{summary}\n\n{ledger}\n\n\
         Amounts in plies. An account that exceeds the limit is cashed in for depth, and the other gives up as much.\n\
         Moves without balances are below the software's depth, where no accounts are kept, or from the table.\n\
         {draws}",
        position.fen(),
        provenance.heading(),
    )
}

/// How scores of draws are written, below a ledger that has one.
const DRAWS: &str =
    "+0.00=rep: a draw by repetition; +0.00=+12: another, with the static evaluation that ranks it among draws.\n";

/// How deep the explained iteration went, in one line.
pub fn summary(explained: &ExplainedIteration) -> String {
    // A short mate ends all its lines before a full node below the root.
    let deepest = match explained.max_software {
        0 => "no full node below the root".to_owned(),
        ply => format!("deepest leaf {ply}"),
    };
    let bound = match explained.bound {
        Bound::Upper => "at most ",
        Bound::Lower => "at least ",
        Bound::Exact | Bound::None => "",
    };
    // Its accounts may be left beyond the limit.
    let restrained = if explained.restrained_at.is_some() { ", in its last part kept from cashing in" } else { "" };
    format!(
        "iteration {} (nominal depth {}, {deepest}{restrained}), {} nodes, score {bound}{} for the side to move ({})",
        explained.iteration,
        explained.nominal_depth,
        grouped(explained.nodes),
        explained.score,
        explained.chances,
    )
}

/// The T-account, White's entries left, Black's right.
pub fn ledger(position: &Position, line: &[ExplainedMove]) -> Table {
    let mut table = aligned(&LEDGER_HEADERS, &["White", "move", "Black", "evidence"]);
    for (index, step) in line.iter().enumerate() {
        let shown = |side| step.account_of(side).map_or(String::new(), |account| format!("{:.2}", account.after_move));
        let (balance, entry) = (shown(step.side), step.entry());
        let (other, given) = (shown(!step.side), step.other_entry());
        let san = numbered(position, index, &step.text.san);
        let evidence = step.evidence();
        table.add_row(match step.side {
            Color::White => [entry, balance, san, other, given, evidence],
            Color::Black => [given, other, san, balance, entry, evidence],
        });
    }
    table
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::credit::{Award, Mechanism};
    use crate::engine::Options;
    use crate::json::Variation;
    use crate::params::Profile;
    use crate::score::Score;
    use crate::search::CreditStats;
    use crate::text::narrowed;
    use crate::units::Credit;

    /// The entry of a move that earned this many sixteenths.
    fn entry(mechanism: Mechanism, earned: i16, kept: bool, bound: Option<Score>) -> Option<LedgerEntry> {
        let award = Award::of(mechanism, Credit::sixteenths(earned)).map(|award| Award { kept, bound, ..award });
        Some(LedgerEntry { award, after: Credit::sixteenths(earned), ..LedgerEntry::default() })
    }

    fn made_up_provenance() -> Provenance {
        Provenance {
            program: "Pacioli 1.2.3".to_owned(),
            profile: Some(Profile::DeepBlue),
            hash_mb: Some(0),
            ..Provenance::default()
        }
    }

    /// A made-up explanation: every kind of entry and evidence.
    fn made_up() -> (Position, ExplainedIteration) {
        let position = Position::from_fen("4r1k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 10", false).unwrap();
        let mut end = position.clone();
        let pv = ["h3", "Re2", "g3", "Kf8"].map(|san| {
            let m = end.parse_san(san).unwrap();
            end = end.play(m);
            m
        });
        let cashed = entry(Mechanism::Binary, 18, true, None).map(|entry| LedgerEntry {
            before: Credit::sixteenths(24),
            cashed: 1,
            after: Credit::sixteenths(26),
            given_up: Credit::sixteenths(16),
            other: Credit::sixteenths(20),
            ..entry
        });
        let ledger = vec![
            entry(Mechanism::MateThreat, 24, false, Some(Score::cp(-180))),
            entry(Mechanism::Singular, 36, false, Some(Score::cp(410))),
            cashed,
            None,
        ];
        let iteration = Iteration {
            iteration: 8,
            nominal_depth: 4,
            max_software: 9,
            max_combined: 20,
            score: Score::cp(-531),
            bound: Bound::Exact,
            pv: pv.to_vec(),
            ledger,
            multipv: 1,
            nodes: 12_345,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            researches: 0,
            credit: CreditStats::default(),
            restrained_at: None,
        };
        let mut explained = explain_iteration(&position, &iteration, &mut Witness::new(&Options::default()));
        // The witness's lines change with the search; what matters here is that there are such lines.
        for evidence in explained.pv.iter_mut().filter_map(|step| step.evidence.as_mut()) {
            evidence.score.value = Score::cp(-600).into();
            evidence.pv = Variation::made_up("1.x y");
        }
        (position, explained)
    }

    #[test]
    fn what_goes_first_is_in_a_table() {
        let known = LEDGER_HEADERS;
        TABLES.check(&known);
    }

    #[test]
    fn a_narrow_terminal_shows_the_evidence() {
        let (position, explanation) = made_up();
        let narrow = narrowed(&to_text(&position, &made_up_provenance(), &explanation), 80, &TABLES);
        assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
        assert!(narrow.contains("| evidence") && !narrow.contains("no room"), "{narrow}");
    }

    #[test]
    fn moves_have_the_numbers_of_a_score_sheet() {
        for (turn, numbers) in [("w", ["10.x", "10...x", "11.x"]), ("b", ["10...x", "11.x", "11...x"])] {
            let position = Position::from_fen(&format!("4k3/8/8/8/8/8/8/4K3 {turn} - - 0 10"), false).unwrap();
            assert_eq!([0, 1, 2].map(|index| numbered(&position, index, "x")), numbers);
        }
        let last = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 4294967295", false).unwrap();
        assert_eq!(numbered(&last, 1, "x"), "4294967295.x");
    }

    #[test]
    fn the_text_is_a_t_account() {
        let (position, explained) = made_up();
        insta::assert_snapshot!(to_text(&position, &made_up_provenance(), &explained));
    }

    #[test]
    fn the_json_has_everything() {
        insta::assert_json_snapshot!(made_up().1);
    }

    #[test]
    fn a_score_that_is_only_a_bound_is_said_to_be_one() {
        let (_, explained) = made_up();
        for (bound, words) in [(Bound::Exact, ""), (Bound::Lower, "at least "), (Bound::Upper, "at most ")] {
            let shown = summary(&ExplainedIteration { bound, ..explained.clone() });
            assert!(shown.contains(&format!("score {words}-5.31 for")), "{shown}");
        }
    }

    #[test]
    fn a_ledger_of_an_iteration_that_was_restrained_says_so() {
        let (_, explained) = made_up();
        for restrained_at in [None, Some(9_000)] {
            let explained = ExplainedIteration { restrained_at, ..explained.clone() };
            let text = summary(&explained);
            assert_eq!(text.contains(", in its last part kept from cashing in)"), restrained_at.is_some(), "{text}");
        }
    }

    #[test]
    fn the_entries_of_a_forcing_line_balance() {
        let (mut engine, _) = Engine::new(Options { hash_mb: 4, ..Options::of(Profile::DeepBlue) });
        // A perpetual check: to some of the checks there is only one reply.
        let position = Position::from_fen("6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1", false).unwrap();
        let limits = Limits::to_depth(8);
        let last = iterations(&mut engine, &Game::new(position.clone()), &limits).pop().unwrap();
        let explained = explain_iteration(&position, &last, &mut Witness::new(&Options::default()));
        assert!(explained.pv.iter().any(|step| step.award.is_some()), "{explained:?}");
        for step in explained.pv.iter().filter(|step| step.accounts.is_some()) {
            let own = step.account_of(step.side).unwrap();
            let balance = own.before_move + step.earned() - f64::from(step.cashed());
            assert!((balance - own.after_move).abs() < 1e-9, "{step:?}");
        }
        let text = to_text(&position, &made_up_provenance(), &explained);
        assert!(text.contains("| White") && text.contains("1.Q"), "{text}");
    }
}
