//! Turns what a search tells into lines of the protocol.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::output::{Info, Output, sound_line};
use crate::board::{Game, Move};
use crate::eval::Chances;
use crate::score::Score;
use crate::search::{Iteration, Observer, Outcome};
use crate::tt::Bound;
use crate::units::{Credit, Depth, Ply};

/// Searches shorter than this do not say which move they are at: it would only flicker.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

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
    /// Whether winning chances are told.
    show_wdl: bool,
    started: Instant,
    shown: Option<Shown>,
}

impl<'a> Reporter<'a> {
    /// An observer of a search of this game's position.
    pub fn new(out: &'a Output, game: &'a Game, debug: &'a AtomicBool) -> Reporter<'a> {
        Reporter { out, game, debug, show_wdl: false, started: Instant::now(), shown: None }
    }

    /// The same, with winning chances or without.
    pub fn with_wdl(self, show_wdl: bool) -> Reporter<'a> {
        Reporter { show_wdl, ..self }
    }

    /// Winning chances, where they are wanted.
    fn chances(&self, score: Score) -> Option<Chances> {
        self.show_wdl.then(|| Chances::new(score, self.game.position()))
    }

    /// Sends what is still missing and returns the answer.
    ///
    /// The last line with a principal variation must begin with the move that is played; a search that was stopped in
    /// the middle of an iteration may have found a better one since. `allowed` are the moves that may be played: where
    /// the search has no answer among them, the first one stands in.
    pub fn answer(&self, outcome: &Outcome, allowed: &[Move]) -> String {
        let best = outcome.best_move.filter(|m| allowed.contains(m)).or(allowed.first().copied());
        let Some(best) = best else {
            return "bestmove (none)".to_owned();
        };
        let line = if outcome.pv.first() == Some(&best) { outcome.pv.as_slice() } else { &[best] };
        let line = sound_line(self.game, line);
        if self.shown.as_ref().and_then(|shown| shown.first_move) != Some(best) {
            let depth = outcome.depth.max(1);
            let (seldepth, hashfull) = self.shown.as_ref().map_or((depth, 0), |shown| (shown.seldepth, shown.hashfull));
            let info = Info {
                depth,
                seldepth,
                multipv: 1,
                score: outcome.score,
                bound: Bound::Exact,
                chances: self.chances(outcome.score),
                nodes: outcome.nodes,
                hashfull,
                table_hits: outcome.table_hits,
                elapsed: outcome.elapsed,
                pv: &line,
            };
            self.out.line(info.line(self.game.position()));
        }
        let position = self.game.position();
        let reply = outcome.ponder.and_then(|reply| sound_line(self.game, &[best, reply]).get(1).copied());
        match reply.or(line.get(1).copied()) {
            Some(reply) => format!("bestmove {} ponder {}", position.uci(best), position.play(best).uci(reply)),
            None => format!("bestmove {}", position.uci(best)),
        }
    }

    fn show(&mut self, iteration: &Iteration) {
        let pv = sound_line(self.game, &iteration.pv);
        let info = Info {
            depth: iteration.iteration,
            seldepth: iteration.max_combined,
            multipv: iteration.multipv,
            score: iteration.score,
            bound: iteration.bound,
            chances: self.chances(iteration.score),
            nodes: iteration.nodes,
            hashfull: iteration.hashfull,
            table_hits: iteration.table_hits,
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
             cashed in {} plies second searches {} taken back {}",
            iteration.iteration,
            iteration.score,
            iteration.nominal_depth,
            iteration.max_software,
            iteration.researches,
            total.awards,
            total.credit as f64 / f64::from(Credit::PER_PLY),
            total.cashed_plies,
            total.second_searches,
            total.failures,
        ));
    }
}

impl Observer for Reporter<'_> {
    fn iteration(&mut self, iteration: &Iteration) {
        if self.debug.load(Ordering::Relaxed) {
            self.show_credit(iteration);
        }
        self.show(iteration);
    }

    fn bound(&mut self, iteration: &Iteration) {
        self.show(iteration);
    }

    fn current_move(&mut self, iteration: Depth, m: Move, number: usize) {
        if self.started.elapsed() >= CURRENT_MOVE_AFTER {
            let m = self.game.position().uci(m);
            self.out.line(format_args!("info depth {iteration} currmove {m} currmovenumber {number}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::read_to_string;

    use super::*;
    use crate::search::CreditStats;

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
            table_hits: 0,
            researches: 0,
            credit: CreditStats::default(),
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
            table_hits: 0,
            elapsed: Duration::from_millis(2),
        }
    }

    /// The lines sent for these iterations, and the answer to the outcome.
    fn conversation(game: &Game, iterations: &[Iteration], outcome: &Outcome) -> (Vec<String>, String) {
        let (reader, writer) = std::io::pipe().unwrap();
        let out = Output::new(writer);
        let debug = AtomicBool::new(false);
        let mut reporter = Reporter::new(&out, game, &debug);
        iterations.iter().for_each(|iteration| reporter.iteration(iteration));
        let answer = reporter.answer(outcome, &game.position().legal_moves());
        drop(out);
        (read_to_string(reader).unwrap().lines().map(str::to_owned).collect(), answer)
    }

    fn moves(texts: &[&str]) -> (Game, Vec<Move>) {
        let game = Game::default();
        let mut position = game.position().clone();
        let mut line = Vec::new();
        for text in texts {
            let m = position.parse_uci(text).unwrap();
            line.push(m);
            position = position.play(m);
        }
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
