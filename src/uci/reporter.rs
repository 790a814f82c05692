//! Turns reports of a search into lines of the protocol.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::event::Answer;
use super::options::Extras;
use super::output::{Info, Output, sound_line, uci_line, vouched};
use crate::board::{Game, Move};
use crate::engine::Options;
use crate::eval::Chances;
use crate::report::evidence::Witness;
use crate::report::explain::{explain_iteration, ledger, summary};
use crate::score::Score;
use crate::search::{Iteration, Observer, Outcome};
use crate::text::counted_as;
use crate::tt::Bound;
use crate::units::{Credit, Depth, Ply};

/// Shorter searches do not send the current move: it would only flicker.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// Time between two current lines.
const CURRENT_LINE_EVERY: Duration = Duration::from_secs(1);
/// The CPU number in those lines: the one that reports.
const PROCESSOR: usize = 1;

/// What the final lines need to know about the last one sent.
struct Shown {
    first_move: Option<Move>,
    seldepth: Ply,
    hashfull: usize,
}

/// The observer of one search.
pub struct Reporter<'a> {
    out: &'a Output,
    game: &'a Game,
    debug: &'a AtomicBool,
    extras: Extras,
    /// How many lines are searched for.
    lines: usize,
    started: Instant,
    current_line_told: Instant,
    shown: Option<Shown>,
    /// What the best line is from: the last completed iteration, or the one in which the search ended.
    last: Option<Iteration>,
    /// The source of evidence, if ledgers are wanted.
    ledgers: Option<Witness>,
}

impl<'a> Reporter<'a> {
    /// An observer of a search for so many lines from this game's position.
    pub fn new(out: &'a Output, game: &'a Game, debug: &'a AtomicBool, extras: Extras, lines: usize) -> Reporter<'a> {
        let now = Instant::now();
        Reporter {
            out,
            game,
            debug,
            extras,
            lines,
            started: now,
            current_line_told: now,
            shown: None,
            last: None,
            ledgers: None,
        }
    }

    /// Shows the line of every iteration of this search as a ledger, like `pacioli explain`.
    pub fn show_ledgers(&mut self, options: &Options) {
        self.ledgers = Some(Witness::new(options));
    }

    /// The iteration that the move played is from: the last completed one, or the one in which the search ended.
    pub fn into_last(self) -> Option<Iteration> {
        self.last
    }

    /// Winning chances, if wanted.
    fn chances(&self, score: Score) -> Option<Chances> {
        self.extras.chances.then(|| Chances::new(score, self.game.position()))
    }

    /// Sends what is still missing and returns the answer.
    ///
    /// The last line with a principal variation must start with the move that is played; a search stopped in the middle
    /// of an iteration may have found a better one since. `allowed` are the moves that may be played: if the search's
    /// answer is not among them, the first one is used.
    pub fn answer(&self, outcome: &Outcome, allowed: &[Move]) -> Answer {
        let best = outcome.best_move.filter(|m| allowed.contains(m)).or(allowed.first().copied());
        let Some(best) = best else {
            return Answer::default();
        };
        let line = if outcome.pv.first() == Some(&best) { outcome.pv.as_slice() } else { &[best] };
        let line = sound_line(self.game, line);
        if self.shown.as_ref().and_then(|shown| shown.first_move) != Some(best) {
            // Depth 0 means that no move was searched.
            let depth = outcome.depth;
            let (seldepth, hashfull) = self.shown.as_ref().map_or((depth, 0), |shown| (shown.seldepth, shown.hashfull));
            let said = vouched(self.game.position(), outcome.score, Bound::Exact, &line);
            let (score, bound) = said.unwrap_or((Score::ZERO, Bound::None));
            let info = Info {
                depth,
                seldepth,
                multipv: 1,
                score,
                bound,
                chances: self.chances(score),
                nodes: outcome.nodes,
                hashfull,
                tb_hits: outcome.tb_hits,
                elapsed: outcome.elapsed,
                pv: &line,
            };
            self.out.line(info.line(self.game.position()));
        }
        let reply = outcome.ponder.and_then(|reply| sound_line(self.game, &[best, reply]).get(1).copied());
        Answer { best: Some(best), ponder: reply.or(line.get(1).copied()) }
    }

    fn show(&mut self, iteration: &Iteration) {
        let pv = sound_line(self.game, &iteration.pv);
        let Some((score, bound)) = vouched(self.game.position(), iteration.score, iteration.bound, &pv) else { return };
        let info = Info {
            depth: iteration.iteration,
            seldepth: iteration.max_combined,
            multipv: iteration.multipv,
            score,
            bound,
            chances: self.chances(score),
            nodes: iteration.nodes,
            hashfull: iteration.hashfull,
            tb_hits: iteration.tb_hits,
            elapsed: iteration.elapsed,
            pv: &pv,
        };
        self.out.line(info.line(self.game.position()));
        if iteration.multipv <= 1 {
            self.shown = Some(Shown {
                first_move: pv.first().copied(),
                seldepth: iteration.max_combined,
                hashfull: iteration.hashfull,
            });
        }
    }

    /// What dual credit did, for `debug on`.
    fn show_credit(&self, iteration: &Iteration) {
        let total = iteration.credit.total();
        self.out.message(format_args!(
            "iteration {}: score {} nominal depth {} software plies {} window failures {} awards {} ({:.1} plies) \
             cashed in {}, {} of them delayed, second searches {} taken back {}",
            iteration.iteration,
            iteration.score,
            iteration.nominal_depth,
            iteration.max_software,
            iteration.researches,
            total.awards,
            total.credit as f64 / f64::from(Credit::PER_PLY),
            counted_as(total.cashed_plies as usize, "ply", "plies"),
            total.delayed_plies,
            total.second_searches,
            total.failures,
        ));
    }
}

impl Observer for Reporter<'_> {
    fn iteration(&mut self, iteration: &Iteration) {
        // The totals are those of all lines.
        let is_best = iteration.multipv <= 1;
        if is_best && self.debug.load(Ordering::Relaxed) {
            self.show_credit(iteration);
        }
        if is_best && let Some(witness) = &mut self.ledgers {
            let position = self.game.position();
            let explained = explain_iteration(position, iteration, witness);
            self.out.message(format_args!("{}\n{}", summary(&explained), ledger(position, &explained.pv)));
        }
        self.show(iteration);
        if is_best {
            self.last = Some(iteration.clone());
        }
    }

    fn bound(&mut self, iteration: &Iteration) {
        // Several lines are sent together, when all are known.
        if self.lines <= 1 {
            self.show(iteration);
        }
    }

    fn unfinished(&mut self, iteration: &Iteration) {
        self.show(iteration);
        // A line that is still the last completed iteration's is known better from there.
        let differs = |last: &Iteration| (last.iteration, &last.pv) != (iteration.iteration, &iteration.pv);
        if iteration.multipv <= 1 && self.last.as_ref().is_none_or(differs) {
            let found = iteration.clone();
            // If one that was second there is the best now, all else about that iteration is known.
            self.last = Some(match self.last.take().filter(|last| last.iteration == found.iteration) {
                Some(last) => {
                    Iteration { score: found.score, bound: found.bound, pv: found.pv, ledger: found.ledger, ..last }
                }
                None => found,
            });
        }
    }

    fn current_move(&mut self, iteration: Depth, m: Move, number: usize) {
        if self.started.elapsed() >= CURRENT_MOVE_AFTER {
            let m = self.game.position().uci(m);
            self.out.line(format_args!("info depth {iteration} currmove {m} currmovenumber {number}"));
        }
    }

    fn wants_refutations(&self) -> bool {
        self.extras.refutations
    }

    fn refutation(&mut self, line: &[Move]) {
        self.out.line(format_args!("info refutation {}", uci_line(self.game.position(), &sound_line(self.game, line))));
    }

    fn wants_current_line(&self) -> bool {
        self.extras.current_line && self.current_line_told.elapsed() >= CURRENT_LINE_EVERY
    }

    fn current_line(&mut self, line: &[Move]) {
        self.current_line_told = Instant::now();
        if !line.is_empty() {
            self.out.line(format_args!("info currline {PROCESSOR} {}", uci_line(self.game.position(), line)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::read_to_string;

    use super::*;
    use crate::credit::Mechanism;
    use crate::search::{CreditStats, MechanismStats};

    fn iteration(pv: &[Move]) -> Iteration {
        Iteration {
            iteration: 3,
            nominal_depth: 3,
            max_software: 4,
            max_combined: 7,
            score: Score::cp(20),
            bound: Bound::Exact,
            pv: pv.to_vec(),
            ledger: Vec::new(),
            multipv: 1,
            nodes: 100,
            elapsed: Duration::from_millis(1),
            hashfull: 5,
            tb_hits: 0,
            researches: 0,
            credit: CreditStats::default(),
            restrained_at: None,
        }
    }

    fn outcome(best_move: Option<Move>, ponder: Option<Move>, pv: &[Move]) -> Outcome {
        Outcome {
            best_move,
            ponder,
            score: Score::cp(30),
            pv: pv.to_vec(),
            depth: 3,
            nodes: 120,
            tb_hits: 0,
            elapsed: Duration::from_millis(2),
            longest_pause: Duration::ZERO,
            no_mate: None,
            changes: Vec::new(),
        }
    }

    /// The lines sent for these iterations, and the answer to the outcome.
    fn conversation(game: &Game, iterations: &[Iteration], outcome: &Outcome) -> (Vec<String>, String) {
        conversation_with(Extras::default(), game, iterations, outcome)
    }

    /// The same with what is only shown on request.
    fn conversation_with(
        extras: Extras,
        game: &Game,
        iterations: &[Iteration],
        outcome: &Outcome,
    ) -> (Vec<String>, String) {
        let (reader, writer) = std::io::pipe().unwrap();
        let out = Output::new(writer);
        let debug = AtomicBool::new(false);
        let mut reporter = Reporter::new(&out, game, &debug, extras, 1);
        iterations.iter().for_each(|iteration| reporter.iteration(iteration));
        let answer = reporter.answer(outcome, &game.position().legal_moves());
        drop(out);
        (read_to_string(reader).unwrap().lines().map(str::to_owned).collect(), answer.line(game.position()))
    }

    fn moves(texts: &[&str]) -> (Game, Vec<Move>) {
        let game = Game::default();
        let line = game.position().legal_line(texts.iter().copied());
        assert_eq!(line.len(), texts.len());
        (game, line)
    }

    #[test]
    fn the_last_line_shown_begins_with_the_move_played() {
        let (game, pv) = moves(&["e2e4", "e7e5"]);
        let (lines, answer) = conversation(&game, &[iteration(&pv)], &outcome(Some(pv[0]), Some(pv[1]), &pv));
        assert_eq!((lines.len(), answer.as_str()), (1, "bestmove e2e4 ponder e7e5"));
        let (_, better) = moves(&["d2d4", "d7d5"]);
        let (lines, answer) = conversation(&game, &[iteration(&pv)], &outcome(Some(better[0]), None, &better));
        assert_eq!((lines.len(), answer.as_str()), (2, "bestmove d2d4 ponder d7d5"));
        assert_eq!(
            lines[1],
            "info depth 3 seldepth 7 multipv 1 score cp 30 nodes 120 nps 60000 hashfull 5 tbhits 0 time 2 pv d2d4 d7d5"
        );
    }

    #[test]
    fn winning_chances_are_those_of_the_side_to_move() {
        let (game, pv) = moves(&["e2e4", "e7e5"]);
        let (_, better) = moves(&["d2d4", "d7d5"]);
        let (extras, score) = (Extras { chances: true, ..Extras::default() }, Score::cp(300));
        let completed = Iteration { score, ..iteration(&pv) };
        let found = Outcome { score, ..outcome(Some(better[0]), None, &better) };
        let (lines, _) = conversation_with(extras, &game, &[completed], &found);
        let Chances { win, draw, loss } = Chances::new(score, game.position());
        assert!(win > loss && lines.len() == 2, "{win} {loss} {lines:?}");
        let shown = format!(" score cp 300 wdl {win} {draw} {loss} nodes ");
        assert!(lines.iter().all(|line| line.contains(&shown)), "{shown} {lines:?}");
    }

    #[test]
    fn what_can_be_explained_is_the_line_of_the_move_played() {
        let (game, pv) = moves(&["e2e4", "e7e5"]);
        let (_, better) = moves(&["d2d4", "d7d5"]);
        let completed = iteration(&pv);
        let found = Iteration { iteration: 4, nominal_depth: 4, ..iteration(&better) };
        let still = Iteration { nominal_depth: 4, ..completed.clone() };
        let second = Iteration { multipv: 2, ..found.clone() };
        // With several lines the second one of the completed iteration may end as the best.
        let was_second = iteration(&better);
        let moved_up = Iteration { nominal_depth: 4, ..was_second.clone() };
        for (unfinished, expected) in
            [(&found, &found), (&still, &completed), (&second, &completed), (&moved_up, &was_second)]
        {
            let (_reader, writer) = std::io::pipe().unwrap();
            let (out, debug) = (Output::new(writer), AtomicBool::new(false));
            let mut reporter = Reporter::new(&out, &game, &debug, Extras::default(), 2);
            reporter.iteration(&completed);
            reporter.unfinished(unfinished);
            let last = reporter.into_last().unwrap();
            let seen = (last.iteration, last.nominal_depth, &last.pv);
            assert_eq!(seen, (expected.iteration, expected.nominal_depth, &expected.pv), "{unfinished:?}");
        }
    }

    #[test]
    fn debugging_tells_what_credit_did() {
        let (game, pv) = moves(&["e2e4"]);
        let mut credit = CreditStats::default();
        *credit.of_mut(Mechanism::Threat) = MechanismStats {
            awards: 9,
            credit: 40,
            cashed_plies: 5,
            delayed_plies: 3,
            second_searches: 4,
            failures: 1,
        };
        let (reader, writer) = std::io::pipe().unwrap();
        let (out, debug) = (Output::new(writer), AtomicBool::new(true));
        let found = Iteration { researches: 2, credit, ..iteration(&pv) };
        let mut reporter = Reporter::new(&out, &game, &debug, Extras::default(), 2);
        reporter.iteration(&found);
        reporter.iteration(&Iteration { multipv: 2, ..found });
        drop(out);
        let heard = read_to_string(reader).unwrap();
        let told = "info string iteration 3: score +0.20 nominal depth 3 software plies 4 window failures 2 awards 9 \
                    (2.5 plies) cashed in 5 plies, 3 of them delayed, second searches 4 taken back 1\n";
        assert!(heard.starts_with(told), "{heard}");
        assert_eq!(heard.matches("info string iteration").count(), 1, "{heard}");
    }

    #[test]
    fn a_score_is_shown_and_a_legal_move_played_whatever_the_search_says() {
        let (game, pv) = moves(&["e2e4", "e7e5"]);
        let (lines, answer) = conversation(&game, &[], &outcome(Some(pv[1]), Some(pv[0]), &[]));
        assert!(lines.len() == 1 && lines[0].contains(" score cp "), "{lines:?}");
        let best = answer.strip_prefix("bestmove ").unwrap();
        assert!(game.position().parse_uci(best).is_ok(), "{answer}");
        let (_, answer) = conversation(&game, &[], &outcome(Some(pv[0]), Some(pv[0]), &[pv[0]]));
        assert_eq!(answer, "bestmove e2e4");
    }
}
