//! A line of input as a typed command.
//!
//! The syntax is that of the UCI protocol's description (Huber and Meyer-Kahlen, 2006), plus commands that people type
//! at a terminal. Its rule for unknown words is followed too: an unknown word before a command is skipped. A line is
//! never rejected as a whole for one bad word; [`Parsed`] holds what was understood and what was not.

use std::num::IntErrorKind;
use std::time::Duration;

use thiserror::Error;

use crate::board::START;
use crate::engine::{Clock, Limits};
use crate::params::{choice, hint, nearest};
use crate::text::{CountError, parse_count};
use crate::units::MAX_PLY;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Report name and options.
    Uci,
    /// Turn debug output on or off.
    Debug(bool),
    /// Answer when all earlier commands are done.
    IsReady,
    /// Change an option; buttons have no value.
    SetOption {
        /// The option's name, words separated by one space.
        name: String,
        /// Everything after the word `value`.
        value: Option<String>,
    },
    /// A registration, which Pacioli does not need.
    Register,
    /// The next position is from another game.
    UciNewGame,
    /// Set up a position.
    Position(Setup),
    /// Search.
    Go(Box<Go>),
    /// Stop the search and answer.
    Stop,
    /// The ponder move was played: the clock is running now.
    PonderHit,
    /// Exit the program.
    Quit,
    /// Show the board.
    Display,
    /// Swap colours and flip the board.
    Flip,
    /// `eval`: show the static evaluation term by term.
    Eval,
    /// `explain`: show the last search's line as a ledger.
    Explain,
    /// Run the bench to this depth, as text.
    Bench(Option<String>),
    /// List the commands.
    Help,
    /// Take back the last move.
    Undo,
}

/// A position as text, not yet checked against the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The initial position; the start position if there is none.
    pub fen: Option<String>,
    /// The moves since, in UCI notation.
    pub moves: Vec<String>,
}

/// What to search for and how long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// All limits except the moves, which need a position to be parsed.
    pub limits: Limits,
    /// The moves to search, as text; all if there are none.
    pub search_moves: Vec<String>,
    /// The moves not to search, as text.
    pub exclude_moves: Vec<String>,
    /// Count leaves to this depth instead of searching.
    pub perft: Option<u32>,
    /// Whether a limit was given, even if it was not understood.
    pub is_limited: bool,
}

/// A part of a line that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// No command starts like this.
    #[error("unknown command `{text}`{}; `help` lists the known ones", meant(text))]
    UnknownCommand {
        /// The words before the first command, or all.
        text: String,
    },
    /// An unexpected word.
    #[error("{command}: unexpected `{word}` at word {at}{}", hint(word, expected(command)))]
    UnexpectedWord {
        /// The command.
        command: &'static str,
        /// The word.
        word: String,
        /// Its position in the line, from 1.
        at: usize,
    },
    /// The line ends too early, or another part starts.
    #[error("{command}: {expected} missing")]
    Missing {
        /// The command.
        command: &'static str,
        /// What should have been there.
        expected: &'static str,
    },
    /// A parameter of `go` whose value is not a number.
    #[error("go: `{word}` at word {at} is not a number for {parameter}")]
    NotANumber {
        /// The parameter.
        parameter: GoWord,
        /// Its value.
        word: String,
        /// The value's position in the line, from 1.
        at: usize,
    },
    /// A parameter of `go` whose number makes no sense.
    #[error("go: {parameter} is at least 1, not {value}")]
    TooSmall {
        /// The parameter.
        parameter: GoWord,
        /// Its value.
        value: i64,
    },
    /// A parameter of `go` without its value.
    #[error("go: {parameter} has no value")]
    NoValue {
        /// The parameter.
        parameter: GoWord,
    },
}

/// A line, as far as it was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The command, if there is one that can be carried out.
    pub command: Option<Command>,
    /// What was not understood; the command is valid without it.
    pub faults: Vec<CommandError>,
}

/// The words of a line, with a count.
struct Words<'a> {
    rest: &'a str,
    read: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.rest.trim_start();
        let (word, rest) = start.split_at(start.find(char::is_whitespace).unwrap_or(start.len()));
        self.rest = rest;
        self.read += usize::from(!word.is_empty());
        (!word.is_empty()).then_some(word)
    }
}

/// Parses one line; any text is allowed.
pub fn parse(line: &str) -> Parsed {
    let mut words = Words { rest: line, read: 0 };
    let mut parsed = Parsed::default();
    let mut skipped = Vec::new();
    while let Some(word) = words.next() {
        match known(&word.to_ascii_lowercase(), &mut words, &mut parsed.faults) {
            Some(Ok(command)) => parsed.command = Some(command),
            Some(Err(fault)) => parsed.faults.push(fault),
            None => {
                skipped.push(word);
                continue;
            }
        }
        break;
    }
    if !skipped.is_empty() {
        parsed.faults.insert(0, CommandError::UnknownCommand { text: skipped.join(" ") });
    }
    parsed
}

/// The words that start a command.
const COMMANDS: [&str; 19] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "flip",
    "eval",
    "explain",
    "bench",
    "help",
    "exit",
    "undo",
];

/// The end of a message about a line that is no command: the one that its first word is much like.
fn meant(line: &str) -> String {
    hint(line.split_whitespace().next().unwrap_or_default(), COMMANDS.into_iter().chain([START]))
}

/// The words that a command has, apart from values.
fn expected(command: &str) -> Vec<&'static str> {
    match command {
        "go" => GoWord::NAMES.into(),
        "position" => vec![START, "fen", "moves"],
        "setoption" => vec!["name", "value"],
        "debug" => vec!["on", "off"],
        _ => Vec::new(),
    }
}

/// The command that starts with this word, or `None` if none does.
fn known(word: &str, words: &mut Words<'_>, faults: &mut Vec<CommandError>) -> Option<Result<Command, CommandError>> {
    Some(match word {
        "uci" => Ok(Command::Uci),
        "debug" => debug(words),
        "isready" => Ok(Command::IsReady),
        "setoption" => set_option(words),
        "register" => Ok(Command::Register),
        "ucinewgame" => Ok(Command::UciNewGame),
        "position" => position(words).map(Command::Position),
        "go" => Ok(Command::Go(Box::new(go(words, faults)))),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit),
        "quit" | "exit" => Ok(Command::Quit),
        "d" => Ok(Command::Display),
        "flip" => Ok(Command::Flip),
        "eval" => Ok(Command::Eval),
        "explain" => Ok(Command::Explain),
        "bench" => Ok(Command::Bench(bench(words, faults))),
        "help" => Ok(Command::Help),
        "undo" => Ok(Command::Undo),
        _ => return None,
    })
}

fn debug(words: &mut Words<'_>) -> Result<Command, CommandError> {
    match words.next() {
        Some(word) if word.eq_ignore_ascii_case("on") => Ok(Command::Debug(true)),
        Some(word) if word.eq_ignore_ascii_case("off") => Ok(Command::Debug(false)),
        Some(word) => Err(CommandError::UnexpectedWord { command: "debug", word: word.to_owned(), at: words.read }),
        None => Err(CommandError::Missing { command: "debug", expected: "`on` or `off`" }),
    }
}

fn bench(words: &mut Words<'_>, faults: &mut Vec<CommandError>) -> Option<String> {
    let depth = words.next().map(str::to_owned);
    while let Some(word) = words.next() {
        faults.push(CommandError::UnexpectedWord { command: "bench", word: word.to_owned(), at: words.read });
    }
    depth
}

fn set_option(words: &mut Words<'_>) -> Result<Command, CommandError> {
    const COMMAND: &str = "setoption";
    match words.next() {
        Some(word) if word.eq_ignore_ascii_case("name") => {}
        Some(word) => {
            return Err(CommandError::UnexpectedWord { command: COMMAND, word: word.to_owned(), at: words.read });
        }
        None => return Err(CommandError::Missing { command: COMMAND, expected: "`name`" }),
    }
    let name: Vec<_> = words.by_ref().take_while(|word| !word.eq_ignore_ascii_case("value")).collect();
    if name.is_empty() {
        return Err(CommandError::Missing { command: COMMAND, expected: "the option's name" });
    }
    // `value` at the end of the line and no `value` at all look the same here; both leave nothing to set.
    let value = words.rest.trim();
    Ok(Command::SetOption { name: name.join(" "), value: (!value.is_empty()).then(|| value.to_owned()) })
}

fn position(words: &mut Words<'_>) -> Result<Setup, CommandError> {
    const COMMAND: &str = "position";
    let is_moves = |word: &str| word.eq_ignore_ascii_case("moves");
    let fen = match words.next() {
        Some(word) if word.eq_ignore_ascii_case("startpos") => match words.next() {
            Some(word) if !is_moves(word) => {
                return Err(CommandError::UnexpectedWord { command: COMMAND, word: word.to_owned(), at: words.read });
            }
            _ => None,
        },
        Some(word) if word.eq_ignore_ascii_case("fen") => {
            let fields: Vec<_> = words.by_ref().take_while(|&word| !is_moves(word)).collect();
            if fields.is_empty() {
                return Err(CommandError::Missing { command: COMMAND, expected: "the FEN" });
            }
            Some(fields.join(" "))
        }
        Some(word) => {
            return Err(CommandError::UnexpectedWord { command: COMMAND, word: word.to_owned(), at: words.read });
        }
        None => return Err(CommandError::Missing { command: COMMAND, expected: "`startpos` or `fen`" }),
    };
    Ok(Setup { fen, moves: words.map(str::to_owned).collect() })
}

choice! {
    /// The words that start a part of `go`.
    GoWord {
        /// The moves to search follow.
        SearchMoves = "searchmoves",
        /// The moves not to search follow; not part of the protocol.
        ExcludeMoves = "excludemoves",
        /// Search on the opponent's time.
        Ponder = "ponder",
        /// White's remaining milliseconds.
        WhiteTime = "wtime",
        /// Black's remaining milliseconds.
        BlackTime = "btime",
        /// White's increment in milliseconds.
        WhiteIncrement = "winc",
        /// Black's increment in milliseconds.
        BlackIncrement = "binc",
        /// Moves to the next time control.
        MovesToGo = "movestogo",
        /// Last iteration.
        Depth = "depth",
        /// Maximum number of nodes.
        Nodes = "nodes",
        /// Moves to mate.
        Mate = "mate",
        /// Milliseconds for this move.
        MoveTime = "movetime",
        /// Until stopped.
        Infinite = "infinite",
        /// Depth of a perft.
        Perft = "perft",
    }
}

impl GoWord {
    /// Whether a number follows that limits the search.
    fn is_limit(self) -> bool {
        !matches!(self, GoWord::SearchMoves | GoWord::ExcludeMoves | GoWord::Ponder | GoWord::Infinite)
    }

    fn parse(word: &str) -> Option<GoWord> {
        GoWord::ALL.into_iter().find(|parameter| word.eq_ignore_ascii_case(parameter.name()))
    }
}

/// Parses the parts of `go` in any order; of several equal ones the last number counts, and all moves do.
///
/// A part that makes no sense is reported and ignored rather than rejecting the whole: a GUI that gets no `bestmove`
/// waits forever.
fn go(words: &mut Words<'_>, faults: &mut Vec<CommandError>) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match GoWord::parse(word) {
            Some(GoWord::SearchMoves) => go_moves(words, &mut go.search_moves),
            Some(GoWord::ExcludeMoves) => go_moves(words, &mut go.exclude_moves),
            Some(GoWord::Ponder) => go.limits.ponder = true,
            Some(GoWord::Infinite) => go.limits.infinite = true,
            Some(parameter) => {
                go.is_limited = true;
                match go_value(parameter, words) {
                    Ok(value) => {
                        if value < 1 && matches!(parameter, GoWord::Mate | GoWord::Depth | GoWord::Nodes) {
                            faults.push(CommandError::TooSmall { parameter, value });
                        }
                        // No mate is that short: a search for it would not end.
                        if value >= 1 || parameter != GoWord::Mate {
                            go.limit(parameter, value);
                        }
                    }
                    Err(fault) => faults.push(fault),
                }
            }
            None => {
                faults.push(CommandError::UnexpectedWord { command: "go", word: word.to_owned(), at: words.read });
                // No search without end was meant.
                if is_misspelled_limit(word, words.peek()) {
                    go.is_limited = true;
                    if words.peek().is_some_and(is_number) {
                        words.next();
                    }
                }
            }
        }
    }
    go
}

/// Whether a word is a limit that is spelled wrong: it is much like one, or like another word of `go` and has a number
/// after it.
fn is_misspelled_limit(word: &str, next: Option<&str>) -> bool {
    let meant = nearest(word, expected("go")).and_then(GoWord::parse);
    meant.is_some_and(|meant| meant.is_limit() || next.is_some_and(is_number))
}

fn is_number(word: &str) -> bool {
    number(GoWord::Nodes, word).is_some()
}

/// The moves up to the word that starts the next part, or is a limit that is spelled wrong.
fn go_moves(words: &mut Words<'_>, moves: &mut Vec<String>) {
    while let Some(text) = words.peek().filter(|&word| GoWord::parse(word).is_none()) {
        if is_misspelled_limit(text, words.rest.split_whitespace().nth(1)) {
            break;
        }
        moves.push(text.to_owned());
        words.next();
    }
}

/// The number after a parameter of `go`. A word that starts the next part is not consumed.
fn go_value(parameter: GoWord, words: &mut Words<'_>) -> Result<i64, CommandError> {
    let word = words.peek().filter(|&word| GoWord::parse(word).is_none()).ok_or(CommandError::NoValue { parameter })?;
    words.next();
    number(parameter, word).ok_or_else(|| CommandError::NotANumber { parameter, word: word.to_owned(), at: words.read })
}

/// The number that a word is, as near as it can be held: whole, and for nodes also as in `5k`; `None` if it is none.
fn number(parameter: GoWord, word: &str) -> Option<i64> {
    match word.parse::<i64>() {
        Ok(value) => Some(value),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Some(i64::MAX),
        Err(error) if *error.kind() == IntErrorKind::NegOverflow => Some(i64::MIN),
        Err(_) => match parse_count(word) {
            Ok(count) if parameter == GoWord::Nodes => Some(i64::try_from(count).unwrap_or(i64::MAX)),
            Err(CountError::TooLarge { .. }) => Some(i64::MAX),
            _ => None,
        },
    }
}

impl Go {
    /// Applies one number, clamped to what a search can work with. Clocks go below zero in some GUIs, which leaves no
    /// time but is not an error.
    fn limit(&mut self, parameter: GoWord, value: i64) {
        let time = Duration::from_millis(value.max(0).unsigned_abs()).min(Clock::MOST);
        let plies = value.clamp(1, i64::from(MAX_PLY)) as i32;
        let limits = &mut self.limits;
        match parameter {
            GoWord::WhiteTime => limits.clock.white_time = Some(time),
            GoWord::BlackTime => limits.clock.black_time = Some(time),
            GoWord::WhiteIncrement => limits.clock.white_increment = time,
            GoWord::BlackIncrement => limits.clock.black_increment = time,
            // Some GUIs send zero if there is no further time control.
            GoWord::MovesToGo => {
                limits.clock.moves_to_go = u32::try_from(value.min(i64::from(u32::MAX))).ok().filter(|&moves| moves > 0)
            }
            GoWord::Depth => limits.depth = Some(plies),
            GoWord::Nodes => limits.nodes = Some(value.max(1).unsigned_abs()),
            GoWord::Mate => limits.mate = Some(plies),
            GoWord::MoveTime => limits.move_time = Some(time),
            GoWord::Perft => self.perft = Some(value.clamp(0, i64::from(MAX_PLY)) as u32),
            GoWord::SearchMoves | GoWord::ExcludeMoves | GoWord::Ponder | GoWord::Infinite => {}
        }
    }
}

#[cfg(test)]
mod tests;
