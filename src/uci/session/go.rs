//! `go`, `ponderhit` and `bench`: what is to run, within which limits.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Session;
use super::running::{Patience, Running, Search};
use crate::board::{Color, Move};
use crate::engine::{Limits, Measure, Options, TimePlan};
use crate::runner::bench::{DEFAULT_DEPTH, MAX_DEPTH, SIGNATURE_HASH_MB};
use crate::search::{StopFlag, last_mate_iteration};
use crate::text::grouped;
use crate::uci::command::Go;
use crate::uci::event::Answer;
use crate::uci::thinker::Job;

/// The time for a move if limits were given and none of them ends the search.
const UNSTATED_TIME: Duration = Duration::from_secs(1);

impl Session {
    pub(super) fn go(&mut self, go: Go) {
        self.end_search(None);
        if self.is_given_up {
            return;
        }
        let position = self.game.position().clone();
        let stop = StopFlag::new();
        let limits = Limits {
            search_moves: self.search_moves(&go),
            multi_pv: self.settings.multi_pv,
            analysis: self.settings.analysis,
            since: Some(self.timed_since()),
            ..go.limits
        };
        if let Some(depth) = go.perft {
            let running = Running::Count { stop: stop.clone(), patience: Patience::PERFT };
            self.start(running, Job::Perft { position: Box::new(position), depth, stop });
            return;
        }
        let turn = position.turn();
        let limits = self.bounded(limits, go.is_limited, turn);
        let held = limits.infinite || limits.ponder;
        let plan = self.engine.as_ref().map_or(TimePlan::NONE, |engine| {
            if limits.ponder { engine.plan_after_ponderhit(&limits, turn) } else { engine.plan(&limits, turn) }
        });
        let mut search =
            Search { stop: stop.clone(), limits: limits.clone(), plan, position, held, deadline: None, answer: None };
        if search.position.legal_moves().is_empty() {
            let score = if search.position.in_check() { "mate 0" } else { "cp 0" };
            self.out.line(format_args!("info depth 0 score {score}"));
            search.answer = Some(Answer::default());
            self.searched = None;
            self.running = Some(Running::Search(Box::new(search)));
            self.answer_if_due();
        } else if let Some(engine) = self.engine.take() {
            if !search.limits.ponder {
                self.explain_time(search.plan);
            }
            let (game, extras) = (Box::new(self.game.clone()), self.settings.extras);
            self.start(Running::Search(Box::new(search)), Job::Search { engine, game, limits, extras, stop });
        }
    }

    /// When the time for the last command began: when it came, or when the count that it waited for ended.
    fn timed_since(&self) -> Instant {
        self.counted.map_or(self.received, |ended| ended.max(self.received))
    }

    /// The moves to search: those requested, or all, without those excluded; empty stands for all.
    fn search_moves(&self, go: &Go) -> Vec<Move> {
        let moves = self.legal_moves("searchmoves", &go.search_moves);
        if moves.is_empty() && !go.search_moves.is_empty() {
            self.out.message("searchmoves: no legal move is named; searching all");
        }
        let excluded = self.legal_moves("excludemoves", &go.exclude_moves);
        if excluded.is_empty() {
            return moves;
        }
        let all = self.game.position().legal_moves();
        let requested = if moves.is_empty() { &all[..] } else { &moves };
        let left: Vec<Move> = requested.iter().copied().filter(|m| !excluded.contains(m)).collect();
        if left.is_empty() {
            self.out.message("excludemoves: no move is left; excluding none");
            return moves;
        }
        left
    }

    /// The moves of a part of `go`, without those that are not legal.
    fn legal_moves(&self, part: &str, texts: &[String]) -> Vec<Move> {
        let (mut moves, mut complaints) = (Vec::new(), Vec::new());
        for text in texts {
            match self.game.position().parse_uci(text) {
                Ok(m) if !moves.contains(&m) => moves.push(m),
                Ok(_) => {}
                Err(error) => complaints.push(format!("{part}: {error}")),
            }
        }
        self.out.complaints(&complaints);
        moves
    }

    /// The limits, with a time for the move if some were given but none ends the search, and a message about it. If
    /// there is no legal move nothing is searched.
    fn bounded(&self, limits: Limits, is_limited: bool, turn: Color) -> Limits {
        let is_over = self.game.position().legal_moves().is_empty();
        if limits.infinite || limits.ponder || !is_limited || is_over {
            return limits;
        }
        self.explain_mate(&limits, turn);
        self.explain_clock(&limits, turn);
        if limits.is_bounded(turn) {
            return limits;
        }
        self.explain_unstated(turn);
        Limits { move_time: Some(UNSTATED_TIME), ..limits }
    }

    /// Reports that there is a time that nobody has stated.
    fn explain_unstated(&self, turn: Color) {
        let time = UNSTATED_TIME.as_millis();
        self.out.message(format_args!("go: neither a time for {turn} nor another limit; searching {time} ms"));
    }

    /// Reports where a search for a mate ends without one, if no other limit does: that may be a long time away.
    fn explain_mate(&self, limits: &Limits, turn: Color) {
        let params = &self.settings.options.params;
        let Some(moves) = limits.mate else { return };
        let others = Limits { mate: None, ..limits.clone() };
        if others.is_bounded(turn) || self.settings.options.limit_strength {
            return;
        }
        let depth = last_mate_iteration(params, moves);
        let nodes = grouped(u64::from(params.mate_nodes.unsigned_abs()));
        self.out.message(format_args!(
            "go mate {moves}: without a mate the search ends with a proof that there is none, with iteration {depth}, or \
             with the iteration in which it reaches {nodes} nodes; `stop` ends it at once"
        ));
    }

    /// Reports what replaces a missing time of the side to move.
    fn explain_clock(&self, limits: &Limits, turn: Color) {
        match limits.clock.measure(turn) {
            Measure::Opponents(_) => self.out.message(format_args!("go: no time for {turn}; using the opponent's")),
            Measure::Increment(_) => self.out.message(format_args!("go: no time for {turn}; using the increment")),
            Measure::Own(_) | Measure::None => {}
        }
    }

    pub(super) fn ponder_hit(&mut self) {
        let since = self.timed_since();
        let search = self.running.as_mut().and_then(Running::search);
        let Some(search) = search.filter(|search| search.limits.ponder) else {
            self.out.message("ponderhit: no search is pondering");
            return;
        };
        search.limits.ponder = false;
        search.held = search.limits.infinite;
        // Nothing is searched any more.
        if search.answer.is_some() {
            self.answer_if_due();
            return;
        }
        // The search was started without a clock. Most of its work is done, so the plan's usual time is enough.
        let plan = search.plan;
        let time = match (plan.soft, plan.hard) {
            (Some(soft), Some(hard)) => Some(soft.min(hard)),
            (soft, hard) => soft.or(hard),
        };
        // There is nothing to think about if one move may be played.
        let time = if plan.soft.is_some() && search.has_one_choice() { Some(Duration::ZERO) } else { time };
        let (limits, turn, is_held) = (search.limits.clone(), search.position.turn(), search.held);
        let is_bounded = is_held || limits.is_bounded(turn);
        let time = if is_bounded { time } else { Some(UNSTATED_TIME) };
        search.deadline = time.map(|time| since + time);
        if !is_bounded {
            self.explain_unstated(turn);
        } else if !is_held {
            self.explain_clock(&limits, turn);
        }
        self.explain_time(TimePlan { soft: time, hard: time });
        self.answer_if_due();
    }

    /// Reports how long the search may take, with `debug on`.
    fn explain_time(&self, plan: TimePlan) {
        if self.debug.load(Ordering::Relaxed) {
            let text =
                |time: Option<Duration>| time.map_or("none".to_owned(), |time| format!("{} ms", time.as_millis()));
            self.out.message(format_args!("time: soft {}, hard {}", text(plan.soft), text(plan.hard)));
        }
    }

    /// Starts the bench on the search thread, where `stop` reaches it.
    pub(super) fn bench(&mut self, depth: Option<&str>) {
        self.end_search(None);
        if self.is_given_up {
            return;
        }
        let depth = match depth.map(|text| (text, text.parse())) {
            None => DEFAULT_DEPTH,
            Some((_, Ok(depth @ 1..=MAX_DEPTH))) => depth,
            Some((text, _)) => {
                self.out.message(format_args!("bench: `{text}` is not a depth from 1 to {MAX_DEPTH}"));
                return;
            }
        };
        let stop = StopFlag::new();
        // The signature holds for this table size, one thread and full strength without tables, whatever is set.
        let options = Options {
            hash_mb: SIGNATURE_HASH_MB,
            threads: 1,
            limit_strength: false,
            tables: None,
            ..self.settings.options.clone()
        };
        let running = Running::Count { stop: stop.clone(), patience: Patience::BENCH };
        self.start(running, Job::Bench { options: Box::new(options), depth, stop });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::uci::command;
    use crate::uci::output::Output;

    #[test]
    fn the_clock_runs_from_when_a_ponderhit_came() {
        let (sender, events) = channel();
        let mut session = Session::new(Output::new(std::io::sink()), sender, events).unwrap();
        let obey = |session: &mut Session, line: &str| session.obey(command::parse(line).command.unwrap());
        let came = Instant::now();
        // With a count that ended after it came, too.
        for counted in [None, Some(came), Some(came + Duration::from_secs(5))] {
            obey(&mut session, "go ponder movetime 60000");
            (session.received, session.counted) = (came, counted);
            obey(&mut session, "ponderhit");
            let search = session.running.as_mut().and_then(Running::search).unwrap();
            assert_eq!(search.deadline, Some(counted.unwrap_or(came) + search.plan.hard.unwrap()));
            session.stop();
        }
    }
}
