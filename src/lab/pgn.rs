//! Games from PGN: who played, from where, and the moves of the main line.

use std::io::{self, Read};
use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::Color;

use crate::board::{Move, Position};

/// A game read from a file.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// White's name; empty where the file has none.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Where it starts.
    pub start: Position,
    /// The moves of the main line.
    pub moves: Vec<Move>,
    /// What is said after each of them; empty where nothing is.
    pub comments: Vec<String>,
}

/// A game that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedGame {
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// Why.
    pub reason: String,
}

impl PgnGame {
    /// The name of the player of a colour.
    pub fn name(&self, color: Color) -> &str {
        color.fold_wb(&self.white, &self.black)
    }
}

/// Reads all games. One that cannot be used is refused, and the reading goes on.
///
/// # Errors
///
/// A source that cannot be read.
pub fn read(source: impl Read) -> io::Result<(Vec<PgnGame>, Vec<RefusedGame>)> {
    let mut reader = Reader::new(source);
    let (mut games, mut refused) = (Vec::new(), Vec::new());
    let mut number = 0;
    while let Some(result) = reader.read_game(&mut GameVisitor)? {
        number += 1;
        match result {
            Ok(game) => games.push(PgnGame { number, ..game }),
            Err(reason) => refused.push(RefusedGame { number, reason }),
        }
    }
    Ok((games, refused))
}

/// The tags that matter.
#[derive(Default)]
struct Tags {
    white: String,
    black: String,
    fen: Option<String>,
    variant: Option<String>,
}

impl Tags {
    /// The start of the game.
    fn start(&self) -> Result<Position, String> {
        let chess960 = match self.variant.as_deref().map(str::to_ascii_lowercase).as_deref() {
            None | Some("" | "standard" | "chess" | "normal" | "from position") => false,
            Some(name) if name.contains("960") || name.starts_with("fischer") => true,
            Some(name) => return Err(format!("`{name}` is another game than chess")),
        };
        match &self.fen {
            Some(fen) => Position::from_fen(fen, chess960).map_err(|error| error.to_string()),
            None => Ok(Position::default()),
        }
    }
}

/// A game on its way, with the position that its last move led to.
struct Playing {
    game: PgnGame,
    position: Position,
}

struct GameVisitor;

impl Visitor for GameVisitor {
    type Tags = Tags;
    type Movetext = Playing;
    type Output = Result<PgnGame, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => tags.white = value,
            b"Black" => tags.black = value,
            b"FEN" => tags.fen = Some(value),
            b"Variant" => tags.variant = Some(value),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Playing> {
        match tags.start() {
            Ok(start) => {
                let position = start.clone();
                let game = PgnGame {
                    number: 0,
                    white: tags.white,
                    black: tags.black,
                    start,
                    moves: Vec::new(),
                    comments: Vec::new(),
                };
                ControlFlow::Continue(Playing { game, position })
            }
            Err(reason) => ControlFlow::Break(Err(reason)),
        }
    }

    fn san(&mut self, playing: &mut Playing, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(playing.position.chess()) {
            Ok(m) => {
                playing.position.make(m);
                playing.game.moves.push(m);
                playing.game.comments.push(String::new());
                ControlFlow::Continue(())
            }
            Err(error) => {
                let dots = playing.position.turn().fold_wb(".", "...");
                ControlFlow::Break(Err(format!("{}{dots}{san}: {error}", playing.position.fullmoves())))
            }
        }
    }

    fn comment(&mut self, playing: &mut Playing, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let Some(text) = playing.game.comments.last_mut() {
            text.push_str(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, playing: Playing) -> Self::Output {
        Ok(playing.game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Vec<PgnGame>, Vec<RefusedGame>) {
        read(text.as_bytes()).unwrap()
    }

    #[test]
    fn main_lines_are_read_with_names_and_starts() {
        let (games, refused) = read_text(
            "\u{feff}[White \"A \\\"x\\\"\"]\r\n[Black \"B\"]\r\n\r\n1. e4 {yes} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\r\n\r\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\"]\n\n7. e4 Kd7 1-0\n",
        );
        assert!(refused.is_empty());
        assert_eq!((games[0].name(Color::White), games[0].name(Color::Black)), ("A \"x\"", "B"));
        assert_eq!((games[0].number, games[1].number), (1, 2));
        assert_eq!(games[0].start.san_line(&games[0].moves), "1.e4 e5 2.Nf3");
        assert_eq!(games[0].comments, ["yes", "", ""]);
        assert_eq!(games[1].start.san_line(&games[1].moves), "7.e4 Kd7");
    }

    #[test]
    fn chess960_is_read_with_its_castling() {
        let (games, refused) = read_text(
            "[Variant \"Chess960\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n\n1. O-O O-O-O *\n",
        );
        assert_eq!((games.len(), refused.len()), (1, 0));
        assert!(games[0].start.is_chess960() && games[0].moves.len() == 2);
    }

    #[test]
    fn bad_games_are_refused_with_the_place_and_the_others_read() {
        let (games, refused) = read_text(
            "[White \"A\"]\n\n1. e4 e5 2. Ke3 Ke7 *\n\n[FEN \"x\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
             [White \"B\"]\n\n1. d4 *\n",
        );
        assert_eq!(games.iter().map(|game| (game.number, game.moves.len())).collect::<Vec<_>>(), [(4, 1)]);
        let reasons: Vec<_> = refused.iter().map(|refused| refused.reason.as_str()).collect();
        assert!(reasons[0].starts_with("2.Ke3: "), "{reasons:?}");
        assert!(reasons[1].contains("not a FEN") && reasons[2] == "`atomic` is another game than chess", "{reasons:?}");
        assert!(read_text("").0.is_empty() && read_text("").1.is_empty());
    }
}
