//! The state of a session, and what each command does to it.

mod go;
mod running;
mod typed;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use thiserror::Error;

use self::running::{End, Running};
use super::command::{self, Command, Setup};
use super::event::{Event, Searched};
use super::options::{self, Effect, Settings};
use super::output::{Output, diagram};
use super::thinker::{self, Job};
use crate::board::{Game, Position, PositionError, START_FEN, assumed, left_out, names_rooks};
use crate::engine::{Engine, check_engine_room};
use crate::eval;
use crate::report::evaluation;
use crate::report::evidence::Witness;
use crate::report::explain::{explain_iteration, to_text};
use crate::runner::PROGRAM;

const AUTHOR: &str = "the Pacioli maintainers";

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
    /// The iteration that the last search's answer is from, for `explain`.
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
                    if (may_be_fen && self.set_up_typed(&line, !is_unknown)) || (is_unknown && self.play_typed(&line)) {
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
            Command::IsReady => {
                if self.engine.is_some() {
                    eval::prepare();
                }
                self.out.line("readyok");
            }
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
            Command::Flip => {
                let mirrored = self.game.position().mirrored();
                self.start_from(mirrored.fen(), mirrored);
            }
            Command::Undo => self.undo(),
            Command::Bench(depth) => self.bench(depth.as_deref()),
            Command::Help => self.out.line(HELP),
        }
    }

    fn introduce(&self) {
        let listing = options::listing().join("\n");
        self.out.line(format_args!("id name {PROGRAM}\nid author {AUTHOR}\n\n{listing}\nuciok"));
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
            self.follow_other_rules();
        }
        self.catch_up();
    }

    /// Sets up the game by the other rules of castling, which are part of a position: with its moves if these lead to
    /// the same place, or else from where it stands.
    fn follow_other_rules(&mut self) {
        let fen = self.game.position().fen();
        // The rights may differ: those that these rules do not know are there again with the others.
        if let Ok(game) = self.set_up(&self.setup)
            && game.position().board() == self.game.position().board()
        {
            self.explain_losses(&fen, game.position());
            self.game = game;
            return;
        }
        match Position::from_fen(&fen, self.settings.chess960) {
            Ok(position) => {
                self.explain_losses(&fen, &position);
                self.start_from(fen, position);
            }
            Err(error) => self.out.message(error),
        }
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
        let reasons = left_out(fen, position);
        for reason in &reasons {
            self.out.message(format_args!("position: {reason}; left out"));
        }
        let keeps_more = || Position::from_fen(fen, true).is_ok_and(|other| left_out(fen, &other) != reasons);
        if !position.is_chess960() && names_rooks(fen) && keeps_more() {
            self.out.message("position: castling rights that name files are for Chess960: set UCI_Chess960");
        }
    }

    /// Shows the line of the last search as a ledger.
    fn explain(&self) {
        let Some(Searched { position, provenance, options, iteration }) = self.searched.as_deref() else {
            self.out.message("explain: there is no line: nothing was searched, or not even one iteration");
            return;
        };
        let explained = explain_iteration(position, iteration, &mut Witness::new(options));
        self.out.line(to_text(position, provenance, &explained).trim_end());
    }
}
