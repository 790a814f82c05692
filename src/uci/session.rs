//! The state of a session, and what each command does to it.

mod typed;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::command::{self, Command, Go, Setup};
use super::event::{Answer, Event, Finished, Searched};
use super::options::{self, Effect, Settings};
use super::output::{Output, diagram};
use super::thinker::{self, Job};
use crate::board::{Color, Game, Move, Position, PositionError, START_FEN, assumed, left_out};
use crate::engine::{Engine, Limits, Measure, Options, TimePlan, check_engine_room};
use crate::report::evaluation;
use crate::report::evidence::Witness;
use crate::report::explain::{explain_iteration, to_text};
use crate::runner::bench::{DEFAULT_DEPTH, MAX_DEPTH, SIGNATURE_HASH_MB};
use crate::search::{StopFlag, last_mate_iteration};
use crate::text::grouped;

/// Name and version.
pub const NAME: &str = concat!("Pacioli ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Pacioli maintainers";
/// How long a perft or a bench is awaited at the end.
const COUNT_PATIENCE: Duration = Duration::from_millis(700);
/// The same for a bench at the end of input: it is often started by a pipe that ends right after the command.
const BENCH_PATIENCE: Duration = Duration::from_secs(60);
/// The time for a move if limits were given and none of them ends the search.
const UNSTATED_TIME: Duration = Duration::from_secs(1);
/// How long the running search, once stopped, is awaited at the end. It ends within milliseconds, unless the machine
/// has no time for it; a pipe that ends wants its answer even then.
const SEARCH_PATIENCE: Patience = Patience { quit: Duration::from_secs(1), end_of_input: Duration::from_secs(20) };

/// How a conversation ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum End {
    /// By `quit`.
    Quit,
    /// By the end of input, or since nobody listens any more.
    Input,
}

/// How long something that runs is awaited at the end.
#[derive(Copy, Clone, Debug)]
struct Patience {
    quit: Duration,
    end_of_input: Duration,
}

impl Patience {
    fn at(self, end: End) -> Duration {
        match end {
            End::Quit => self.quit,
            End::Input => self.end_of_input,
        }
    }
}

/// The text of `help`.
const HELP: &str = "\
uci                      name and options
isready                  answers readyok
setoption name X value Y change an option; buttons have no value
ucinewgame               forget what was learned
position startpos|fen F [moves M ...]
go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M ...]
   [excludemoves M ...] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
go perft N               count the leaves of the legal move tree
stop, ponderhit          end the search; the move pondered on was played
debug on|off             say more, such as what dual credit did
e4, g1f3, undo           play a move in either notation; take back the last one
startpos, a FEN          set up a position
d, eval, flip            show the board; its evaluation; swap colours and flip the board
explain                  the line of the last search as a ledger: what paid for its depth
bench [DEPTH]            node-count signature and speed
quit                     end";

/// A `position` that cannot be set up.
#[derive(Debug, Error)]
enum SetupError {
    #[error("position: {0}")]
    Start(PositionError),
    #[error("position: move {number}: {error}")]
    Move { number: usize, error: PositionError },
}

/// What is running, from its start until its answer is sent.
enum Running {
    /// A search.
    Search(Box<Search>),
    /// A perft or bench, whose count is awaited.
    Count {
        stop: StopFlag,
        /// How long the end of the conversation waits for it.
        patience: Patience,
    },
}

/// A search from its start until its answer is sent.
struct Search {
    stop: StopFlag,
    limits: Limits,
    position: Position,
    /// The time for it, from its start or from a `ponderhit` on.
    plan: TimePlan,
    /// Whether the answer must wait for `stop` or `ponderhit` even when it is known.
    held: bool,
    /// When the time after a `ponderhit` is up.
    deadline: Option<Instant>,
    /// The answer, once it is known.
    answer: Option<Answer>,
}

impl Search {
    /// Whether only one move may be played.
    fn has_one_choice(&self) -> bool {
        self.position.legal_moves().len() == 1 || self.limits.search_moves.len() == 1
    }
}

impl Running {
    /// Its stop flag.
    fn stop(&self) -> &StopFlag {
        match self {
            Running::Search(search) => &search.stop,
            Running::Count { stop, .. } => stop,
        }
    }

    /// The search, if it is one.
    fn search(&mut self) -> Option<&mut Search> {
        match self {
            Running::Search(search) => Some(search),
            Running::Count { .. } => None,
        }
    }

    /// Whether it is still running; a search that has its answer may only be waiting to give it.
    fn is_at_work(&self) -> bool {
        match self {
            Running::Search(search) => search.answer.is_none(),
            Running::Count { .. } => true,
        }
    }
}

/// How a waiting event affects the running job.
enum Urgency {
    Stop,
    End(End),
    None,
}

fn urgency(event: &Event) -> Urgency {
    let line = match event {
        Event::Line(line, _) => line,
        Event::EndOfInput | Event::OutputLost(_) => return Urgency::End(End::Input),
        Event::Finished(_) | Event::Overlong | Event::NoText => return Urgency::None,
    };
    match command::parse(line).command {
        Some(Command::Stop) => Urgency::Stop,
        Some(Command::Quit) => Urgency::End(End::Quit),
        _ => Urgency::None,
    }
}

/// Tasks waiting for the engine to be idle.
#[derive(Default)]
struct Errands {
    new_game: bool,
    clear_hash: bool,
}

/// One session.
pub struct Session {
    out: Output,
    events: Receiver<Event>,
    /// Events received while waiting for a search to end.
    backlog: VecDeque<Event>,
    jobs: Sender<Job>,
    /// The engine, unless it is searching.
    engine: Option<Box<Engine>>,
    settings: Settings,
    errands: Errands,
    game: Game,
    /// How the game came about.
    setup: Setup,
    debug: Arc<AtomicBool>,
    running: Option<Running>,
    /// The last iteration of the last search, for `explain`.
    searched: Option<Box<Searched>>,
    /// When the last command came, for the clock.
    received: Instant,
    /// When the last perft or bench ended: a search that waited for it has its time from then on.
    counted: Option<Instant>,
    /// Whether the conversation is to end, and what runs has been waited for long enough.
    is_given_up: bool,
}

impl Session {
    /// A session that receives `events` and gives `sender`, their other end, to the search.
    ///
    /// # Errors
    ///
    /// The system cannot start a thread, or has no memory for an engine.
    pub fn new(out: Output, sender: Sender<Event>, events: Receiver<Event>) -> io::Result<Session> {
        let settings = Settings::default();
        let debug = Arc::new(AtomicBool::new(false));
        let jobs = thinker::spawn(out.clone(), debug.clone(), sender)?;
        check_engine_room().map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let (engine, warning) = Engine::new(settings.options.clone());
        if let Some(warning) = warning {
            out.message(warning);
        }
        Ok(Session {
            out,
            events,
            backlog: VecDeque::new(),
            jobs,
            engine: Some(Box::new(engine)),
            settings,
            errands: Errands::default(),
            game: Game::default(),
            setup: Setup::default(),
            debug,
            running: None,
            searched: None,
            received: Instant::now(),
            counted: None,
            is_given_up: false,
        })
    }

    /// Answers until `quit` or the end of input.
    ///
    /// # Errors
    ///
    /// Lines cannot be sent any more.
    pub fn run(mut self) -> io::Result<()> {
        let (mut outcome, mut end) = (Ok(()), End::Input);
        while let Some(event) = self.next_event() {
            match event {
                Event::Finished(finished) => self.finished(finished),
                Event::EndOfInput => break,
                Event::OutputLost(error) => {
                    outcome = Err(error);
                    break;
                }
                Event::Overlong => self.out.message("line too long, ignored"),
                Event::NoText => self.out.message("not UTF-8: what was typed so far is dropped"),
                Event::Line(line, received) => {
                    self.received = received;
                    let parsed = command::parse(&line);
                    let is_unknown = parsed.command.is_none();
                    // In Chess960 the castling rights of a FEN may read like the command `d`.
                    let may_be_fen = is_unknown || line.split(' ').next().is_some_and(|word| word.contains('/'));
                    if (may_be_fen && self.set_up_typed(&line)) || (is_unknown && self.play_typed(&line)) {
                        continue;
                    }
                    self.out.complaints(&parsed.faults);
                    match parsed.command {
                        Some(Command::Quit) => {
                            end = End::Quit;
                            break;
                        }
                        Some(command) => self.obey(command),
                        None => {}
                    }
                    if self.is_given_up {
                        return self.lost();
                    }
                }
            }
        }
        self.end_search(Some(end));
        outcome.and_then(|()| self.lost())
    }

    /// Checks at the end whether lines could still be sent.
    fn lost(&mut self) -> io::Result<()> {
        let rest = self.backlog.drain(..).chain(self.events.try_iter());
        let lost = rest.filter_map(|event| if let Event::OutputLost(error) = event { Some(error) } else { None });
        lost.last().map_or(Ok(()), Err)
    }

    /// The next event; stops the search when its time after a `ponderhit` is up.
    fn next_event(&mut self) -> Option<Event> {
        loop {
            let now = Instant::now();
            let search = self.running.as_mut().and_then(Running::search);
            let deadline = match search {
                Some(search) if search.deadline.is_some_and(|deadline| deadline <= now) => {
                    search.stop.raise();
                    None
                }
                Some(search) => search.deadline,
                None => None,
            };
            if let Some(event) = self.backlog.pop_front() {
                return Some(event);
            }
            let Some(deadline) = deadline else {
                return self.events.recv().ok();
            };
            match self.events.recv_timeout(deadline.saturating_duration_since(now)) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug.store(on, Ordering::Relaxed),
            Command::IsReady => self.out.line("readyok"),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Register | Command::Quit => {}
            Command::UciNewGame => {
                self.errands.new_game = true;
                self.catch_up();
            }
            Command::Position(setup) => match self.set_up(&setup) {
                Ok(game) => {
                    if let Some(fen) = &setup.fen {
                        self.explain_fen(fen);
                    }
                    (self.game, self.setup) = (game, setup);
                }
                Err(error) => self.out.message(format_args!("{error}; the previous position stays")),
            },
            Command::Go(go) => self.go(*go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Display => self.out.line(diagram(self.game.position())),
            Command::Eval => self
                .out
                .line(evaluation::to_text(self.game.position(), self.settings.options.network.as_deref()).trim_end()),
            Command::Explain => self.explain(),
            Command::Flip => self.start_from(self.game.position().mirrored()),
            Command::Undo => self.undo(),
            Command::Bench(depth) => self.bench(depth.as_deref()),
            Command::Help => self.out.line(HELP),
        }
    }

    fn introduce(&self) {
        self.out.line(format_args!("id name {NAME}\nid author {AUTHOR}\n\n{}\nuciok", options::listing().join("\n")));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let chess960 = self.settings.chess960;
        match options::set(&mut self.settings, name, value) {
            Ok(Effect::Kept) => {}
            Ok(Effect::Told(lines)) => lines.iter().for_each(|line| self.out.message(line)),
            Ok(Effect::ClearHash) => self.errands.clear_hash = true,
            Err(error) => self.out.message(error),
        }
        if self.settings.chess960 != chess960 {
            // The castling rules are part of a position; the moves before it follow the other rules.
            let fen = self.game.position().fen();
            match Position::from_fen(&fen, self.settings.chess960) {
                Ok(position) => {
                    self.explain_losses(&fen, &position);
                    self.start_from(position);
                }
                Err(error) => self.out.message(error),
            }
        }
        self.catch_up();
    }

    /// Carries out on the engine what was requested during a search; does nothing during one.
    fn catch_up(&mut self) {
        let Some(engine) = &mut self.engine else { return };
        if *engine.options() != self.settings.options
            && let Some(warning) = engine.set_options(self.settings.options.clone())
        {
            self.out.message(warning);
        }
        let errands = std::mem::take(&mut self.errands);
        if errands.new_game {
            engine.new_game();
        } else if errands.clear_hash {
            engine.clear_hash();
        }
    }

    /// Plays a game from its start; the current one is not changed.
    fn set_up(&self, setup: &Setup) -> Result<Game, SetupError> {
        let fen = setup.fen.as_deref().unwrap_or(START_FEN);
        let mut game = Game::new(Position::from_fen(fen, self.settings.chess960).map_err(SetupError::Start)?);
        for (index, text) in setup.moves.iter().enumerate() {
            game.play_uci(text).map_err(|error| SetupError::Move { number: index + 1, error })?;
        }
        Ok(game)
    }

    /// Reports what is assumed for the fields that a FEN lacks, and what is left out of those that it has.
    fn explain_fen(&self, fen: &str) {
        if let Some(assumed) = assumed(fen) {
            self.out.message(format_args!("position: fields are missing; assumed: {assumed}"));
        }
        if let Ok(start) = Position::from_fen(fen, self.settings.chess960) {
            self.explain_losses(fen, &start);
        }
    }

    /// Reports what a position lacks of its FEN.
    fn explain_losses(&self, fen: &str, position: &Position) {
        for reason in left_out(fen, position) {
            self.out.message(format_args!("position: {reason}; left out"));
        }
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

    fn go(&mut self, go: Go) {
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
            since: Some(self.received).max(self.counted),
            ..go.limits
        };
        if let Some(depth) = go.perft {
            let patience = Patience { quit: COUNT_PATIENCE, end_of_input: COUNT_PATIENCE };
            let running = Running::Count { stop: stop.clone(), patience };
            self.start(running, Job::Perft { position: Box::new(position), depth, stop });
            return;
        }
        let limits = self.bounded(limits, go.is_limited, position.turn());
        let held = limits.infinite || limits.ponder;
        let lag = self.engine.as_ref().map(|engine| engine.lag()).unwrap_or_default();
        let played = Limits { ponder: false, ..limits.clone() };
        let mut search = Search {
            stop: stop.clone(),
            limits: limits.clone(),
            plan: TimePlan::new(&played, position.turn(), &self.settings.options, lag),
            position,
            held,
            deadline: None,
            answer: None,
        };
        if search.position.legal_moves().is_empty() {
            let score = if search.position.in_check() { "mate 0" } else { "cp 0" };
            self.out.line(format_args!("info depth 0 score {score}"));
            search.answer = Some(Answer::default());
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

    /// The limits, with a time for the move if some were given but none ends the search, and a message about it.
    fn bounded(&self, limits: Limits, is_limited: bool, turn: Color) -> Limits {
        if limits.infinite || limits.ponder || !is_limited {
            return limits;
        }
        self.explain_mate(&limits);
        self.explain_clock(&limits, turn);
        if limits.is_bounded(turn) {
            return limits;
        }
        let time = UNSTATED_TIME.as_millis();
        self.out.message(format_args!("go: neither a time for {turn} nor another limit; searching {time} ms"));
        Limits { move_time: Some(UNSTATED_TIME), ..limits }
    }

    /// Reports where a search for a mate ends without one: that may be a long time away.
    fn explain_mate(&self, limits: &Limits) {
        let params = &self.settings.options.params;
        let Some(moves) = limits.mate else { return };
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

    fn start(&mut self, running: Running, job: Job) {
        self.running = Some(running);
        // Without its thread the job is done here: nothing is answered meanwhile, but the engine is not lost.
        if let Err(SendError(job)) = self.jobs.send(job) {
            self.out.message("the search thread has ended; continuing without it");
            self.backlog.push_back(Event::Finished(thinker::perform(job, &self.out, &self.debug)));
        }
    }

    /// Reports how long the search may take, with `debug on`.
    fn explain_time(&self, plan: TimePlan) {
        if self.debug.load(Ordering::Relaxed) {
            let text =
                |time: Option<Duration>| time.map_or("none".to_owned(), |time| format!("{} ms", time.as_millis()));
            self.out.message(format_args!("time: soft {}, hard {}", text(plan.soft), text(plan.hard)));
        }
    }

    /// Shows the line of the last search as a ledger.
    fn explain(&self) {
        let Some(Searched { position, provenance, options, iteration }) = self.searched.as_deref() else {
            self.out.message("explain: there is no line yet; search first");
            return;
        };
        let explained = explain_iteration(position, iteration, &mut Witness::new(options));
        self.out.line(to_text(position, provenance, &explained).trim_end());
    }

    fn ponder_hit(&mut self) {
        let search = self.running.as_mut().and_then(Running::search);
        let Some(search) = search.filter(|search| search.limits.ponder) else {
            self.out.message("ponderhit: no search is pondering");
            return;
        };
        search.limits.ponder = false;
        search.held = search.limits.infinite;
        // The search was started without a clock. Most of its work is done, so the plan's usual time is enough.
        let plan = search.plan;
        let time = match (plan.soft, plan.hard) {
            (Some(soft), Some(hard)) => Some(soft.min(hard)),
            (soft, hard) => soft.or(hard),
        };
        // There is nothing to think about if one move may be played.
        let time = if plan.soft.is_some() && search.has_one_choice() { Some(Duration::ZERO) } else { time };
        let is_bounded = search.held || search.limits.is_bounded(search.position.turn());
        let time = if is_bounded { time } else { Some(UNSTATED_TIME) };
        search.deadline = time.map(|time| Instant::now() + time);
        self.explain_time(TimePlan { soft: time, hard: time });
        self.answer_if_due();
    }

    /// Stops whatever is running, on the user's command.
    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop().raise();
        }
        self.end_search(None);
    }

    /// Ends the running search, if any, and sends its answer; waits for it as long as allowed at this end of the
    /// conversation, or until that comes. A perft or bench is awaited, not stopped: its count is what was requested.
    /// Only `stop` ends it, or the end of the conversation after a while.
    fn end_search(&mut self, end: Option<End>) {
        let patience = match &mut self.running {
            None => return,
            Some(Running::Search(search)) => {
                search.held = false;
                search.stop.raise();
                SEARCH_PATIENCE
            }
            Some(Running::Count { patience, .. }) => *patience,
        };
        let mut until = end.map(|end| Instant::now() + patience.at(end));
        // What was received while an earlier job was awaited counts as well.
        let mut unread = 0;
        while let Some(running) = self.running.as_ref().filter(|running| running.is_at_work()) {
            if let Some(event) = self.backlog.get(unread) {
                unread += 1;
                match urgency(event) {
                    // It stays in the backlog: jobs in between must be stopped too.
                    Urgency::Stop => running.stop().raise(),
                    Urgency::End(end) => until = until.or(Some(Instant::now() + patience.at(end))),
                    Urgency::None => {}
                }
                continue;
            }
            let event = match until {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.events.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Finished(finished)) => self.finished(finished),
                // Only what waits for a count is before it, and that may take for ever.
                Ok(Event::Line(line, _))
                    if line.eq_ignore_ascii_case("isready")
                        && self.backlog.is_empty()
                        && !running.stop().is_raised() =>
                {
                    self.out.line("readyok");
                }
                Ok(other) => self.backlog.push_back(other),
                // A count that is no longer awaited.
                Err(RecvTimeoutError::Timeout) if !running.stop().is_raised() => {
                    running.stop().raise();
                    until = Some(Instant::now() + SEARCH_PATIENCE.quit);
                }
                Err(_) => {
                    self.is_given_up = true;
                    return;
                }
            }
        }
        self.answer_if_due();
    }

    fn finished(&mut self, finished: Finished) {
        match finished {
            Finished::Count => {
                self.running = None;
                self.counted = Some(Instant::now());
            }
            Finished::Search { mut engine, answer, searched } => {
                if let Some(search) = self.running.as_mut().and_then(Running::search) {
                    search.answer = Some(answer);
                    if let Some(due) = search.deadline.filter(|deadline| *deadline <= Instant::now()) {
                        engine.note_delay(due.elapsed());
                    }
                }
                self.engine = Some(engine);
                self.searched = searched;
            }
        }
        self.answer_if_due();
        self.catch_up();
    }

    /// Sends the answer if it is known and need not wait any longer.
    fn answer_if_due(&mut self) {
        let Some(search) = self.running.as_mut().and_then(Running::search) else { return };
        if let Some(answer) = search.answer.filter(|_| !search.held) {
            self.out.line(answer.line(&search.position));
            self.running = None;
        }
    }

    /// Starts the bench on the search thread, where `stop` reaches it.
    fn bench(&mut self, depth: Option<&str>) {
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
        let patience = Patience { quit: COUNT_PATIENCE, end_of_input: BENCH_PATIENCE };
        let running = Running::Count { stop: stop.clone(), patience };
        self.start(running, Job::Bench { options: Box::new(options), depth, stop });
    }
}
