//! Output of lines, and the format of the protocol's lines.

use std::fmt::Display;
use std::io::Write;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::event::Event;
use crate::board::{Game, Move, Position};
use crate::eval::Chances;
use crate::score::{MAX_EVAL, Score, StatedScore};
use crate::text::shown;
use crate::tt::Bound;
use crate::units::{Depth, Ply};

/// Longest message sent in one line; what is echoed from bad input can be of any length.
const MAX_MESSAGE: usize = 600;
/// The most complaints about one command that are sent one by one.
const MOST_COMPLAINTS: usize = 20;

/// The connection to the GUI, shared by the threads that send to it.
#[derive(Clone)]
pub struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    /// Gets an event when lines cannot be sent any more.
    events: Option<Sender<Event>>,
}

impl Output {
    /// Sends lines to a writer.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Arc::new(Mutex::new(writer)), events: None }
    }

    /// Sends lines to a writer; `events` gets an event when it is closed.
    pub fn heeded(writer: impl Write + Send + 'static, events: Sender<Event>) -> Output {
        Output { events: Some(events), ..Output::new(writer) }
    }

    /// Sends one line immediately.
    ///
    /// A GUI that has gone cannot be told anything: a failure becomes an event for the protocol's loop.
    pub fn line(&self, text: impl Display) {
        let text = format!("{text}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
        if let (Err(error), Some(events)) = (sent, &self.events) {
            // If the loop has ended, so does the program.
            let _ = events.send(Event::OutputLost(error));
        }
    }

    /// Sends a message for people; control characters, which could forge a line, are replaced.
    pub fn message(&self, text: impl Display) {
        let text = text.to_string();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let safe: String = line.chars().map(shown).take(MAX_MESSAGE).collect();
            self.line(format_args!("info string {safe}"));
        }
    }

    /// Sends complaints about one command as messages, the first ones only if there are many.
    pub fn complaints<T: Display>(&self, complaints: &[T]) {
        let (shown, rest) = complaints.split_at(complaints.len().min(MOST_COMPLAINTS));
        shown.iter().for_each(|complaint| self.message(complaint));
        if !rest.is_empty() {
            self.message(format_args!("and {} more complaints about this command", rest.len()));
        }
    }
}

/// The part of a principal variation that may be shown: legal moves, up to the end of the game.
///
/// A line may continue past a draw because the search scored the draw elsewhere, or be corrupt if it comes from the
/// table. The root itself is not tested for a draw: a move was requested.
pub fn sound_line(game: &Game, pv: &[Move]) -> Vec<Move> {
    let mut game = game.clone();
    let mut sound = Vec::with_capacity(pv.len());
    for &m in pv {
        if !game.position().legal_moves().contains(&m) {
            break;
        }
        game.play(m);
        sound.push(m);
        if game.is_over() {
            break;
        }
    }
    sound
}

/// A score that claims no more than the variation shows: a mate is only stated if the sound variation is complete.
/// Otherwise one side wins by more than any evaluation; `None` if the score is a bound that does not say even that.
pub fn vouched(root: &Position, score: Score, bound: Bound, pv: &[Move]) -> Option<(Score, Bound)> {
    let Some(distance) = score.mate_distance() else { return Some((score, bound)) };
    let end = pv.iter().fold(root.clone(), |position, &m| position.play(m));
    let is_whole = pv.len() == distance as usize && end.is_checkmate();
    let won = Score::cp(MAX_EVAL);
    match bound {
        _ if is_whole => Some((score, bound)),
        Bound::Exact | Bound::Lower if score.is_winning() => Some((won, Bound::Lower)),
        Bound::Exact | Bound::Upper if score.is_losing() => Some((-won, Bound::Upper)),
        _ => None,
    }
}

/// The contents of an `info` line with a principal variation.
pub struct Info<'a> {
    /// Iteration.
    pub depth: Depth,
    /// Deepest ply reached.
    pub seldepth: Ply,
    /// MultiPV rank.
    pub multipv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Winning chances, if wanted.
    pub chances: Option<Chances>,
    /// Nodes searched.
    pub nodes: u64,
    /// Fill of the table in per mille.
    pub hashfull: usize,
    /// Positions resolved by endgame tables.
    pub tb_hits: u64,
    /// Time used.
    pub elapsed: Duration,
    /// The variation, already sound.
    pub pv: &'a [Move],
}

impl Info<'_> {
    /// The line, given the root position.
    pub fn line(&self, root: &Position) -> String {
        let bound = match self.bound {
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
            _ => "",
        };
        let wdl =
            self.chances.map_or_else(String::new, |Chances { win, draw, loss }| format!(" wdl {win} {draw} {loss}"));
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {} hashfull {} tbhits {} time {}",
            self.depth,
            self.seldepth,
            self.multipv,
            score(self.score),
            self.nodes,
            nodes_per_second(self.nodes, self.elapsed),
            self.hashfull,
            self.tb_hits,
            self.elapsed.as_millis(),
        );
        if !self.pv.is_empty() {
            line.push_str(" pv ");
            line.push_str(&uci_line(root, self.pv));
        }
        line
    }
}

/// A line of legal moves in the protocol's notation.
pub fn uci_line(root: &Position, line: &[Move]) -> String {
    root.uci_words(line).join(" ")
}

/// A score in the protocol's notation.
pub fn score(score: Score) -> String {
    match score.stated() {
        StatedScore::Cp(cp) => format!("cp {cp}"),
        StatedScore::Draw(_) => "cp 0".to_owned(),
        StatedScore::Mate(moves) => format!("mate {moves}"),
    }
}

/// Speed; times below a microsecond count as one.
fn nodes_per_second(nodes: u64, elapsed: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1)
}

/// The board as text, with facts that help to distinguish positions.
pub fn diagram(position: &Position) -> String {
    use crate::board::{File, Rank, Square};
    const RULE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(RULE);
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position.board().piece_at(Square::from_coords(file, rank));
            text.push_str(" | ");
            text.push(piece.map_or(' ', |piece| piece.char()));
        }
        text.push_str(&format!(" | {}\n{RULE}", rank.char()));
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let checkers: Vec<_> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    text.push_str(&format!("Fen: {}\n", position.fen()));
    text.push_str(&format!("Key: {:016X}\n", position.key()));
    text.push_str(format!("Checkers: {}", checkers.join(" ")).trim_end());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(Position::from_fen(fen, false).unwrap());
        moves.split_whitespace().for_each(|m| game.play_uci(m).unwrap());
        game
    }

    fn line(game: &Game, moves: &str) -> Vec<Move> {
        let line = game.position().legal_line(moves.split_whitespace());
        assert_eq!(line.len(), moves.split_whitespace().count());
        line
    }

    #[test]
    fn a_line_ends_at_the_third_repetition_counting_the_game() {
        let game = game("7k/8/8/8/8/8/8/R6K w - - 0 1", "h1g1 h8g8 g1h1 g8h8");
        let pv = line(&game, "h1g1 h8g8 g1h1 g8h8 a1a2 h8g8");
        assert_eq!(sound_line(&game, &pv).len(), 4);
    }

    #[test]
    fn a_line_ends_at_fifty_moves_dead_material_and_mate() {
        let fifty = game("7k/8/8/8/8/8/8/R6K w - - 98 80", "");
        assert_eq!(sound_line(&fifty, &line(&fifty, "h1g1 h8g8 a1a2")).len(), 2);
        let dead = game("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "");
        assert_eq!(sound_line(&dead, &line(&dead, "a1b2 h8g8")).len(), 1);
        let mate = game("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "");
        assert_eq!(sound_line(&mate, &line(&mate, "a1a8")).len(), 1);
    }

    #[test]
    fn a_line_ends_before_an_illegal_move_and_a_drawn_root_still_has_one() {
        let start = Game::default();
        let e4 = line(&start, "e2e4")[0];
        assert_eq!(sound_line(&start, &[e4, e4]), [e4]);
        let drawn = game("7k/8/8/8/8/8/8/R6K w - - 100 80", "");
        assert_eq!(sound_line(&drawn, &line(&drawn, "h1g1 h8g8")).len(), 1);
    }

    #[test]
    fn a_mate_is_stated_only_with_the_whole_way_to_it() {
        let game = game("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "");
        let root = game.position();
        let whole = line(&game, "f6g6 h8g8 a1a8");
        for bound in [Bound::Exact, Bound::Lower] {
            assert_eq!(vouched(root, Score::mating(3), bound, &whole), Some((Score::mating(3), bound)));
        }
        let won = Some((Score::cp(MAX_EVAL), Bound::Lower));
        for bound in [Bound::Exact, Bound::Lower] {
            assert_eq!(vouched(root, Score::mating(3), bound, &whole[..2]), won);
            assert_eq!(vouched(root, Score::mating(5), bound, &whole), won);
        }
        let lost = Some((Score::cp(-MAX_EVAL), Bound::Upper));
        for bound in [Bound::Exact, Bound::Upper] {
            assert_eq!(vouched(root, Score::mated(4), bound, &whole), lost);
        }
        // At most a win, and at least a loss, may be anything.
        assert_eq!(vouched(root, Score::mating(3), Bound::Upper, &whole[..1]), None);
        assert_eq!(vouched(root, Score::mated(4), Bound::Lower, &whole), None);
        assert_eq!(vouched(root, Score::cp(9), Bound::Upper, &[]), Some((Score::cp(9), Bound::Upper)));
    }

    #[test]
    fn info_lines_are_worded_as_the_protocol_wants() {
        let root = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", false).unwrap();
        let pv = [root.parse_uci("e1g1").unwrap()];
        let mut info = Info {
            depth: 5,
            seldepth: 9,
            multipv: 1,
            score: Score::mating(3),
            bound: Bound::Exact,
            chances: None,
            nodes: 2000,
            hashfull: 12,
            tb_hits: 0,
            elapsed: Duration::from_millis(500),
            pv: &pv,
        };
        let expected =
            "info depth 5 seldepth 9 multipv 1 score mate 2 nodes 2000 nps 4000 hashfull 12 tbhits 0 time 500 pv e1g1";
        assert_eq!(info.line(&root), expected);
        info.bound = Bound::Upper;
        info.chances = Some(Chances { win: 1, draw: 990, loss: 9 });
        info.score = Score::cp(-7);
        info.elapsed = Duration::ZERO;
        info.pv = &[];
        let expected = "info depth 5 seldepth 9 multipv 1 score cp -7 upperbound wdl 1 990 9 nodes 2000 nps 2000000000 hashfull 12 tbhits 0 time 0";
        assert_eq!(info.line(&root), expected);
        let root = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w H - 0 1", true).unwrap();
        info.pv = &pv;
        assert!(info.line(&root).ends_with(" pv e1h1"));
    }

    #[test]
    fn of_many_complaints_the_first_ones_are_sent_and_the_others_counted() {
        let (reader, writer) = std::io::pipe().unwrap();
        Output::new(writer).complaints(&["no"; MOST_COMPLAINTS + 5]);
        let text = std::io::read_to_string(reader).unwrap();
        assert_eq!(text.lines().count(), MOST_COMPLAINTS + 1);
        assert!(text.ends_with("info string and 5 more complaints about this command\n"), "{text}");
    }

    #[test]
    fn messages_cannot_forge_lines() {
        let (reader, writer) = std::io::pipe().unwrap();
        Output::new(writer).message("bad \u{7}`x`\nbestmove\r e2e4\n");
        let text = std::io::read_to_string(reader).unwrap();
        assert_eq!(text, "info string bad  `x`\ninfo string bestmove  e2e4\n");
    }
}
