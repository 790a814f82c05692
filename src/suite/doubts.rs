//! Doubts about solutions that only a search can raise: moves that look as good as the solution, or better.
//!
//! The solution moves and all others are searched separately with the same limits, so that each group gets its own
//! score. The result is an opinion, and a warning: the search may be wrong where the suite is right.

use super::finding::{Finding, FindingKind};
use super::{MateLine, Record, Suite, solvable};
use crate::board::{Game, Move};
use crate::engine::{Engine, Limits};
use crate::runner::Pool;
use crate::score::StatedScore;
use crate::search::{Outcome, Silent, StopFlag};

/// When a search raises a doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoubtRules {
    /// The limits of each search: two where a position has moves to play or to avoid, and one where it asks for a mate.
    pub limits: Limits,
    /// Another move that scores at most this many centipawns less than the solution is a dual.
    pub dual_margin: i32,
    /// If another move scores at least this many centipawns more than the solution, the solution is wrong.
    pub wrong_margin: i32,
}

impl DoubtRules {
    /// A dual is nearly as good as the solution.
    pub const DUAL_MARGIN: i32 = 20;
    /// A move better by a pawn and a half is hardly the wrong one.
    pub const WRONG_MARGIN: i32 = 150;
}

/// The doubts about all records with a task, in order; `progress` is called after each record.
pub fn doubts(pool: &mut Pool, suites: &[Suite], rules: &DoubtRules, progress: &mut dyn FnMut()) -> Vec<Finding> {
    let records: Vec<&Record> = solvable(suites).collect();
    let work = |engine: &mut Engine, index: usize| doubts_about(engine, records[index], rules);
    pool.run(records.len(), work, &mut |_| progress()).into_iter().flatten().collect()
}

/// A move with its score.
struct Opinion {
    mv: Move,
    score: StatedScore,
    depth: i32,
    line: Vec<Move>,
}

/// The doubts about one record.
fn doubts_about(engine: &mut Engine, record: &Record, rules: &DoubtRules) -> Vec<Finding> {
    let mut opinion = |moves: Vec<Move>, mate: Option<i32>| -> Option<Opinion> {
        if moves.is_empty() {
            return None;
        }
        engine.new_game();
        let limits = Limits { search_moves: moves, mate, ..rules.limits.clone() };
        let game = Game::new(record.position.clone());
        let Outcome { best_move, score, depth, pv, .. } = engine.search(&game, &limits, &StopFlag::new(), &mut Silent);
        best_move.map(|mv| Opinion { mv, score: score.stated().without_tie(), depth, line: pv })
    };
    let legal = record.position.legal_moves();
    let without = |left_out: &[Move]| legal.iter().copied().filter(|m| !left_out.contains(m)).collect::<Vec<_>>();
    // Without a completed iteration there is a move to play, but no opinion of it.
    let is_known = |pair: &(Opinion, Opinion)| pair.0.depth > 0 && pair.1.depth > 0;
    let mut found = Vec::new();
    if !record.best.is_empty() {
        let solution: Vec<Move> = record.best.iter().copied().filter(|m| !record.avoid.contains(m)).collect();
        let pair = opinion(solution, None).zip(opinion(without(&record.best), None));
        found.extend(pair.filter(is_known).and_then(|(solution, other)| compare(record, &solution, &other, rules)));
    } else if !record.avoid.is_empty() {
        let pair = opinion(without(&record.avoid), None).zip(opinion(record.avoid.clone(), None));
        found.extend(pair.filter(is_known).and_then(|(others, avoided)| praise(record, &others, &avoided, rules)));
    }
    if let Some(goal) = record.mate_goal() {
        let opinion = opinion(legal.to_vec(), (goal > 0).then_some(goal));
        found.extend(opinion.and_then(|opinion| mate(record, goal, &opinion)));
    }
    found
}

/// Whether a move is so much better than another that this one is wrong. Of two mates for the same side none is, unless
/// the line states the number of moves: then each of them counts, whatever the margin, which is in centipawns.
fn refutes(record: &Record, better: &Opinion, worse: &Opinion, rules: &DoubtRules) -> bool {
    let lead = better.score.value() - worse.score.value();
    match (better.score, worse.score) {
        (StatedScore::Mate(one), StatedScore::Mate(other)) if one.signum() == other.signum() => {
            record.mate_goal().is_some() && lead > 0
        }
        _ => lead >= rules.wrong_margin,
    }
}

/// The finding if a move outside the solution is as good or better.
fn compare(record: &Record, solution: &Opinion, other: &Opinion, rules: &DoubtRules) -> Option<Finding> {
    let lead = other.score.value() - solution.score.value();
    let named = |opinion: &Opinion| format!("{} scores {}", record.position.san(opinion.mv), opinion.score);
    let at = format!("(depth {})", solution.depth.min(other.depth));
    let moves = [other.mv, solution.mv];
    if refutes(record, other, solution, rules) {
        let reason = format!("likely wrong: {}, {} {at}", named(other), named(solution));
        return Some(finding(record, FindingKind::LikelyWrong, "bm", &moves, reason));
    }
    // A slower mate is not another solution.
    let margin = if matches!(solution.score, StatedScore::Mate(1..)) { 0 } else { rules.dual_margin };
    (lead >= -margin).then(|| {
        let reason = format!("likely dual: {}, {} {at}", named(other), named(solution));
        finding(record, FindingKind::LikelyDual, "bm", &moves, reason)
    })
}

/// The finding if a move to avoid looks best.
fn praise(record: &Record, others: &Opinion, avoided: &Opinion, rules: &DoubtRules) -> Option<Finding> {
    refutes(record, avoided, others, rules).then(|| {
        let san = |opinion: &Opinion| record.position.san(opinion.mv);
        let reason = format!(
            "likely wrong: {} should be avoided, but scores {}, {} {} (depth {})",
            san(avoided),
            avoided.score,
            san(others),
            others.score,
            others.depth.min(avoided.depth)
        );
        finding(record, FindingKind::LikelyWrong, "am", &[avoided.mv, others.mv], reason)
    })
}

/// The finding about a mate that is shorter than stated, or that was not found.
fn mate(record: &Record, goal: i32, opinion: &Opinion) -> Option<Finding> {
    let shorter = match opinion.score {
        StatedScore::Mate(moves) if moves != goal && opinion.score.mates_within(goal) => {
            Some(moves).filter(|&moves| MateLine::check(&record.position, &opinion.line, moves) == MateLine::Mates)
        }
        _ => None,
    };
    let (kind, moves, reason) = match shorter {
        Some(moves) => {
            let line = record.position.san_line(&opinion.line);
            (FindingKind::LikelyWrong, vec![opinion.mv], format!("likely wrong: mate in {moves}, not {goal}: {line}"))
        }
        None if opinion.score.mates_within(goal) => return None,
        None => {
            let reason = format!("mate in {goal} not found: {} at depth {}", opinion.score, opinion.depth);
            (FindingKind::MateNotFound, Vec::new(), reason)
        }
    };
    Some(Finding::new(record, kind, record.dm_column, &moves, reason))
}

/// A finding about an operation.
fn finding(record: &Record, kind: FindingKind, opcode: &str, moves: &[Move], reason: String) -> Finding {
    Finding::new(record, kind, record.column_of(opcode), moves, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::suite::parse;

    fn reasons(text: &str) -> Vec<String> {
        reasons_by(&rules(Limits::to_depth(6)), text)
    }

    fn rules(limits: Limits) -> DoubtRules {
        DoubtRules { limits, dual_margin: DoubtRules::DUAL_MARGIN, wrong_margin: DoubtRules::WRONG_MARGIN }
    }

    fn reasons_by(rules: &DoubtRules, text: &str) -> Vec<String> {
        let (mut pool, _) = Pool::new(&Options { hash_mb: 1, ..Options::default() }, 2);
        let mut progress = 0;
        let found = doubts(&mut pool, &[parse("x", text.as_bytes())], rules, &mut || progress += 1);
        assert_eq!(progress, text.lines().count());
        found.iter().map(|finding| finding.to_string()).collect()
    }

    /// A rook that mates on the back rank; another move that does not mate.
    const HEAD: &str = "6k1/5ppp/8/8/8/8/4P3/R3K3 w - - ";

    #[test]
    fn a_sound_solution_raises_no_doubt() {
        assert!(reasons(&format!("{HEAD}bm Ra8#;\n{HEAD}am e4;\n{HEAD}dm 1;")).is_empty());
    }

    #[test]
    fn without_a_completed_iteration_there_is_no_opinion_but_a_mate_is_not_found() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
        let text = format!("{start}bm a4;\n{start}am e4;\n4k3/8/8/8/8/8/8/4K2R w - - dm 12;");
        let found = reasons_by(&rules(Limits::of_nodes(1)), &text);
        assert!(found.len() == 1 && found[0].contains("mate in 12 not found"), "{found:?}");
    }

    #[test]
    fn no_number_of_moves_is_too_large() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - dm 1073741824;\n7k/8/6K1/8/8/8/8/R7 b - - dm -2147483648;";
        let found = reasons_by(&rules(Limits::of_nodes(2000)), text);
        assert!(found.len() == 2 && found[0].contains("mate in 1073741824 not found"), "{found:?}");
        assert!(found[1].contains("mate in -1, not -2147483648"), "{found:?}");
    }

    #[test]
    fn a_better_move_says_that_the_solution_is_wrong() {
        let found = reasons(&format!("{HEAD}bm e4;\n{HEAD}am Ra8;\n{HEAD}dm 2;"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("x:1:36: warning: likely wrong: Ra8# scores #1, e4 scores +"), "{found:?}");
        assert!(
            found[1].starts_with("x:2:36: warning: likely wrong: Ra8# should be avoided, but scores #1"),
            "{found:?}"
        );
        let shorter = "warning: likely wrong: mate in 1, not 2: 1.Ra8#";
        assert_eq!(found[2], format!("x:3:36: {shorter}"));
        assert_eq!(reasons(&format!("{HEAD}id \"x\"; bm #2;")), [format!("x:1:44: {shorter}")]);
    }

    #[test]
    fn a_solution_that_mates_later_is_not_wrong_unless_it_says_when() {
        let head = "7k/5K2/8/8/8/8/8/R7 w - - ";
        let text = format!("{head}bm Rg1;\n{head}am Rh1;\n{head}bm Rg1; dm 2;");
        let found = reasons(&text);
        assert!(found[0].starts_with("x:1:30: warning: likely dual: Rh1# scores #1, Rg1 scores #2"), "{found:?}");
        assert!(found[1].starts_with("x:3:30: warning: likely wrong: Rh1# scores #1, Rg1 scores #2"), "{found:?}");
        assert!(found.len() == 3 && found[2].contains("likely wrong: mate in 1, not 2"), "{found:?}");
        // No margin in centipawns is a number of moves.
        let wide = DoubtRules { wrong_margin: 10_000, ..rules(Limits::to_depth(6)) };
        assert_eq!(reasons_by(&wide, &text), found);
    }

    #[test]
    fn a_move_as_good_is_a_dual() {
        let two_rooks = "6k1/5ppp/8/8/8/8/8/RR2K3 w - - bm Ra8#;";
        let found = reasons(two_rooks);
        assert!(found.len() == 1 && found[0].contains("likely dual: Rb8# scores #1, Ra8# scores #1"), "{found:?}");
    }
}
