//! A position as the path to it: the start of a game and the moves made. It is read from text, drawn as a game, and has
//! legal moves.

use serde::{Deserialize, Serialize};

use super::bounds::MAX_PLIES;
use super::refusal::Refusal;
use crate::board::{Game, Move, Position, assumed, is_fifty_moves, left_out, move_target};
use crate::pgn::{Games, PgnGame};
use crate::report::page::Line;

/// A FEN's board has seven; a result has one.
const FEN_SLASHES: usize = 3;
/// What a game begins with that does not begin with a move: a comment, a tag, a variation.
const GAME_MARKS: [char; 4] = ['{', ';', '[', '('];
/// How much of a text is quoted.
const QUOTED: usize = 60;

/// A text with a position or a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    text: String,
    /// Whether a FEN is meant under the rules of Chess960; a game and a FEN that names rooks say so themselves.
    #[serde(default)]
    chess960: bool,
}

/// A position reached in a game: the start and the moves that have been made.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GamePath {
    fen: String,
    #[serde(default)]
    chess960: bool,
    /// In UCI notation.
    #[serde(default)]
    moves: Vec<String>,
}

/// A game as the page draws it.
#[derive(Serialize)]
pub(super) struct GameView {
    line: Line,
    /// Its moves in UCI notation.
    uci: Vec<String>,
    /// What the reader should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// The legal moves of a position.
#[derive(Serialize)]
pub(super) struct LegalMoves {
    moves: Vec<LegalMove>,
    /// Why the game is over, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<&'static str>,
}

/// A legal move. Castling goes to the king's square, or in Chess960, where that may be another move, to the rook's.
#[derive(Serialize)]
struct LegalMove {
    from: u8,
    to: u8,
    uci: String,
    san: String,
}

/// The position that a text holds, or the first of its games that has contents.
pub(super) fn read(text: Text) -> Result<GameView, Refusal> {
    let Text { text, chess960 } = text;
    // Some editors begin a file with a mark of its byte order.
    let text = text.trim_start_matches('\u{feff}');
    let first = text.split_whitespace().next().ok_or(Refusal::NoText)?;
    match Position::from_fen_of_either(text, chess960) {
        Ok(position) => {
            return Ok(GameView::new(&position, &[], remarks(text, &position)));
        }
        Err(error) if first.matches('/').count() >= FEN_SLASHES && !first.starts_with(GAME_MARKS) => {
            return Err(error.into());
        }
        Err(_) => {}
    }
    // A text in memory can be read to its end.
    let mut games = Games::new(text.as_bytes()).flatten();
    // A file of a tournament may begin with games that were not played.
    let game = match games.find(|game| game.as_ref().map_or(true, has_contents)) {
        Some(Ok(game)) => game,
        Some(Err(refused)) if !refused.is_due_to(first) => return Err(refused.into()),
        _ => return Err(Refusal::Neither { start: text.trim().chars().take(QUOTED).collect() }),
    };
    let moves: Vec<Move> = game.moves.iter().map(|step| step.mv).collect();
    check_length(moves.len())?;
    let has_another = games.flatten().any(|game| has_contents(&game));
    let several = has_another.then(|| format!("The text has several games; this is game {}.", game.number));
    let remarks = game.tag("FEN").and_then(|fen| remarks(fen, &game.start));
    Ok(GameView::new(&game.start, &moves, sentences(several.into_iter().chain(remarks))))
}

/// Whether a game is more than tags and comments: it has moves, or a start of its own.
fn has_contents(game: &PgnGame) -> bool {
    !game.moves.is_empty() || game.tag("FEN").is_some()
}

/// What is assumed for the fields that a FEN lacks, and what is left out of those that it has; `None` if nothing is.
fn remarks(fen: &str, position: &Position) -> Option<String> {
    let assumed = assumed(fen).map(|what| format!("Assumed: {what}."));
    let left_out = left_out(fen, position).into_iter().map(|reason| format!("Left out: {reason}."));
    sentences(assumed.into_iter().chain(left_out))
}

/// Sentences as one text; `None` if there are none.
fn sentences(sentences: impl Iterator<Item = String>) -> Option<String> {
    Some(sentences.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

fn check_length(plies: usize) -> Result<(), Refusal> {
    if plies > MAX_PLIES { Err(Refusal::LongGame(plies)) } else { Ok(()) }
}

impl GamePath {
    /// The game up to here, and its moves.
    fn replay(&self) -> Result<(Position, Vec<Move>, Game), Refusal> {
        check_length(self.moves.len())?;
        let start = Position::from_fen_of_either(&self.fen, self.chess960)?;
        let mut game = Game::new(start.clone());
        let mut moves = Vec::with_capacity(self.moves.len());
        for text in &self.moves {
            let mv = game.position().parse_uci(text)?;
            game.play(mv);
            moves.push(mv);
        }
        Ok((start, moves, game))
    }

    /// The game up to here.
    pub fn game(&self) -> Result<Game, Refusal> {
        self.replay().map(|(_, _, game)| game)
    }

    /// The game up to here, as the page draws it.
    pub fn view(&self) -> Result<GameView, Refusal> {
        let (start, moves, _) = self.replay()?;
        Ok(GameView::new(&start, &moves, None))
    }

    /// The legal moves here.
    pub fn legal_moves(&self) -> Result<LegalMoves, Refusal> {
        let game = self.game()?;
        let position = game.position();
        let moves = position.legal_moves().into_iter().filter_map(|mv| LegalMove::new(position, mv)).collect();
        Ok(LegalMoves { moves, over: over(&game) })
    }
}

impl GameView {
    fn new(start: &Position, moves: &[Move], note: Option<String>) -> GameView {
        GameView { line: Line::plain(start, moves), uci: start.uci_words(moves), note }
    }
}

impl LegalMove {
    fn new(position: &Position, mv: Move) -> Option<LegalMove> {
        let to = if mv.is_castle() && position.is_chess960() { mv.to() } else { move_target(mv) };
        Some(LegalMove { from: mv.from()? as u8, to: to as u8, uci: position.uci(mv), san: position.san(mv) })
    }
}

/// Why a game is over, or why it is drawn; `None` if it goes on.
pub(super) fn over(game: &Game) -> Option<&'static str> {
    let position = game.position();
    if position.legal_moves().is_empty() {
        let mated = position.turn().fold_wb("checkmate: Black has won", "checkmate: White has won");
        return Some(if position.in_check() { mated } else { "stalemate" });
    }
    if position.is_dead() {
        return Some("a draw: neither side can mate");
    }
    if is_fifty_moves(position) {
        return Some("a draw by the fifty-move rule");
    }
    game.is_over().then_some("a draw by threefold repetition")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<GameView, Refusal> {
        read(Text { text: text.to_owned(), chess960: false })
    }

    fn path(fen: &str, moves: &[&str]) -> GamePath {
        GamePath { fen: fen.to_owned(), chess960: false, moves: moves.iter().map(|&text| text.to_owned()).collect() }
    }

    fn start() -> String {
        Position::default().fen()
    }

    #[test]
    fn a_text_is_a_position_or_a_game() {
        assert!(read_text("  8/8/8/8/8/8/4P3/k3K3 w - - 0 1\n").unwrap().uci.is_empty());
        assert!(read_text("startpos").unwrap().note.is_none());
        let note = read_text("4k3/8/8/8/8/8/8/4K2R w").unwrap().note;
        assert_eq!(note.as_deref(), Some("Assumed: no castling, no en passant."));
        let note = read_text("4k3/8/8/8/8/8/8/4K2R w KQ e6").unwrap().note;
        let left_out = "Left out: castling rights KQ are impossible: at most K. Left out: no pawn can have passed e6.";
        assert_eq!(note.as_deref(), Some(left_out));
        assert_eq!(read_text("[White \"A\"]\n\n1. e4 e5 2. Nf3 *").unwrap().uci, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(
            read_text("1. e4 *\n\n1. d4 *").unwrap().note.as_deref(),
            Some("The text has several games; this is game 1.")
        );
        for rest in ["{only a comment}", "rubbish here", "[Event \"x\"]\n"] {
            assert_eq!(read_text(&format!("1. e4 e5 *\n\n{rest}")).unwrap().note, None, "{rest}");
        }
        let impossible = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K e6 0 1\"]\n\n1. O-O *\n\n1. e4 *";
        assert_eq!(
            read_text(impossible).unwrap().note.as_deref(),
            Some("The text has several games; this is game 1. Left out: no pawn can have passed e6.")
        );
        let forfeit = "[Event \"T\"]\n[Round \"1.1\"]\n[Result \"1-0\"]\n\n1-0\n\n";
        let played = "[Event \"T\"]\n[Round \"1.2\"]\n\n1. e4 e5 *\n\n";
        let view = read_text(&[forfeit, played].concat()).unwrap();
        assert_eq!((view.uci.join(" ").as_str(), view.note), ("e2e4 e7e5", None));
        assert_eq!(
            read_text(&[forfeit, played, played].concat()).unwrap().note.as_deref(),
            Some("The text has several games; this is game 2.")
        );
        for text in ["8/8/8/8/8/8/4P3/k3K3 w - - 0 1", "1. e4 *"] {
            assert!(read_text(&format!("\u{feff}{text}")).unwrap().note.is_none(), "{text}");
        }
        // Lines of a FEN, and a comment with slashes.
        assert!(read_text("4k3/8/8/8/8/8/8/4K2R\nw K\t- 0 1").unwrap().note.is_none());
        assert_eq!(read_text("{https://example.org/a/b/c} 1. e4 *").unwrap().uci, ["e2e4"]);
        // Rooks are only named in Chess960.
        let named_rooks = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
        let view = read_text(named_rooks).unwrap();
        assert!(view.note.is_none() && serde_json::to_string(&view).unwrap().contains("\"chess960\":true"));
        assert_eq!(path(named_rooks, &["e1b1", "e8g8"]).view().unwrap().uci, ["e1b1", "e8g8"]);
        let tags = "[Variant \"Chess960\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n\n";
        assert_eq!(read_text(&format!("{tags}1. O-O *")).unwrap().uci, ["e1g1"]);
    }

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        for (text, expected) in [
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "not a legal position"),
            ("8/8/8/8/9/8/8/K7 w - - 0 1", "not a FEN"),
            ("1. e4 e5 2. Ke3 *", "game 1, White's move 2: `Ke3` is not legal"),
            ("[Variant \"Atomic\"]\n\n1. e4 *", "game 1: unknown variant `Atomic`"),
            ("[Result \"1-0\"]\n\n1-0\n\n1. e4 e5 2. Ke3 *", "game 2, White's move 2: `Ke3` is not legal"),
            ("hello", "`hello` is neither a FEN nor a game in PGN"),
            ("[White \"A\"]", "`[White \"A\"]` is neither a FEN nor a game in PGN with moves"),
            ("[A \"b\"]\n\n*\n\n[A \"b\"]", "`[A \"b\"]\n\n*\n\n[A \"b\"]` is neither"),
            (" \n", "there is nothing to read"),
            ("1. e4 {never closed", "game 1: a comment is not closed"),
        ] {
            let found = read_text(text).err().map(|refusal| refusal.to_string()).unwrap_or_default();
            assert!(found.starts_with(expected), "{text}: {found}");
        }
        let long = path(&start(), &["g1f3", "g8f6", "f3g1", "f6g8"].repeat(251));
        assert!(matches!(long.legal_moves(), Err(Refusal::LongGame(1004))));
        assert!(matches!(path(&start(), &["e2e5"]).view(), Err(Refusal::Position(_))));
    }

    #[test]
    fn every_legal_move_starts_where_a_drag_begins() {
        let moves = |path: GamePath| path.legal_moves().unwrap().moves;
        assert_eq!(moves(path(&start(), &["e2e4"])).len(), 20);
        let castling = moves(path("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &[]));
        assert!(castling.iter().any(|mv| (mv.from, mv.to, mv.san.as_str()) == (4, 6, "O-O")));
        let fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1".to_owned();
        let castling = moves(GamePath { fen, chess960: true, moves: Vec::new() });
        assert!(castling.iter().any(|mv| (mv.from, mv.to, mv.uci.as_str()) == (5, 6, "f1g1")));
        // The king is dragged onto the rook, wherever it will stand.
        let fen = "4k3/8/8/8/8/8/8/4K2R w H - 0 1".to_owned();
        let castling = moves(GamePath { fen, chess960: true, moves: Vec::new() });
        assert!(castling.iter().any(|mv| (mv.from, mv.to, mv.uci.as_str()) == (4, 7, "e1h1")));
        let promotions = moves(path("8/8/8/8/8/k7/p7/2K5 b - - 0 1", &[]));
        let sans: Vec<&str> = promotions.iter().map(|mv| mv.san.as_str()).filter(|san| san.contains('=')).collect();
        assert_eq!(sans.len(), 4, "{sans:?}");
        assert!(sans.iter().any(|san| san.starts_with("a1=Q")));
    }

    #[test]
    fn the_end_of_a_game_is_named() {
        let over = |path: GamePath| path.legal_moves().unwrap().over.unwrap_or_default();
        assert_eq!(over(path(&start(), &[])), "");
        assert_eq!(over(path(&start(), &["f2f3", "e7e5", "g2g4", "d8h4"])), "checkmate: Black has won");
        assert_eq!(over(path("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", &[])), "stalemate");
        assert_eq!(over(path("7k/8/8/8/8/8/8/K7 w - - 0 1", &[])), "a draw: neither side can mate");
        assert_eq!(over(path("7k/8/8/8/8/8/8/KR6 w - - 100 90", &[])), "a draw by the fifty-move rule");
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
        assert_eq!(over(path(&start(), &shuffle)), "a draw by threefold repetition");
    }
}
