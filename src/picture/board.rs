//! Boards.

use maud::{Markup, html};
use serde::Serialize;

use super::number;
use crate::board::{Color, File, Move, Position, Rank, Role, Square, move_target};

/// Pieces are drawn on squares of this size.
const SQUARE: f64 = 40.0;

/// How far an arrow stays away from the middle of the square that it points to, the length of its head, and half the
/// width of its head and of its shaft.
const ARROW_GAP: f64 = 6.0;
const ARROW_HEAD: f64 = 15.0;
const ARROW_HALF_HEAD: f64 = 9.0;
const ARROW_HALF_SHAFT: f64 = 3.2;
/// An arrow begins so far from the middle of its square, or at this part of its length.
const ARROW_START: f64 = 12.0;
const ARROW_START_SHARE: f64 = 0.15;

/// An arrow along a move; for board.js an array of its squares by number and its class.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "(u8, u8, &'static str)")]
pub struct Arrow {
    /// The square of the piece.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// Its class in the style sheet.
    pub class: &'static str,
}

impl Arrow {
    /// An arrow along a move.
    pub fn new(m: Move, class: &'static str) -> Option<Arrow> {
        from_and_to(m).map(|[from, to]| Arrow { from, to, class })
    }

    /// The arrow on a board of squares of [`SQUARE`], the same as board.js draws.
    fn draw(self) -> Markup {
        let middle = |square: Square| {
            let (left, top) = corner(square);
            (left + SQUARE / 2.0, top + SQUARE / 2.0)
        };
        let ((x, y), (to_x, to_y)) = (middle(self.from), middle(self.to));
        let length = (to_x - x).hypot(to_y - y).max(1.0);
        let (dx, dy) = ((to_x - x) / length, (to_y - y) / length);
        let at = |along: f64, aside: f64| {
            format!("{} {}", number(x + dx * along - dy * aside), number(y + dy * along + dx * aside))
        };
        let (start, tip) = (ARROW_START.min(ARROW_START_SHARE * length), length - ARROW_GAP);
        let neck = tip - ARROW_HEAD;
        let corners = [
            at(start, ARROW_HALF_SHAFT),
            at(neck, ARROW_HALF_SHAFT),
            at(neck, ARROW_HALF_HEAD),
            at(tip, 0.0),
            at(neck, -ARROW_HALF_HEAD),
            at(neck, -ARROW_HALF_SHAFT),
            at(start, -ARROW_HALF_SHAFT),
        ];
        html! { path class={ "arrow " (self.class) } d={ "M" (corners.join("L")) "Z" } {} }
    }
}

impl From<Arrow> for (u8, u8, &'static str) {
    fn from(Arrow { from, to, class }: Arrow) -> (u8, u8, &'static str) {
        (from as u8, to as u8, class)
    }
}

/// The squares between which a move is shown: those of the moving piece, for castling the king's. In Chess960 a king
/// may castle where it stands, and then the other one is its rook's.
pub fn from_and_to(m: Move) -> Option<[Square; 2]> {
    let (from, target) = (m.from()?, move_target(m));
    Some([from, if target == from { m.to() } else { target }])
}

/// The upper left corner of a square.
fn corner(square: Square) -> (f64, f64) {
    (f64::from(square.file() as u8) * SQUARE, f64::from(7 - square.rank() as u8) * SQUARE)
}

/// The shapes of the pieces, to be defined once in a file that contains boards.
pub fn pieces() -> Markup {
    html! {
        @for role in Role::ALL {
            @let (shape, detail) = shape(role);
            symbol id={ "piece-" (role.char()) } viewBox="0 0 40 40" {
                path d=(shape) {}
                @if !detail.is_empty() { path class="detail" d=(detail) {} }
            }
        }
    }
}

/// The outline of a piece, and lines within it.
fn shape(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Pawn => (
            "M20 8.5a5 5 0 0 1 3.2 8.8q2.2 5.2 5.3 8 2.5 2.6 2.5 7.7H9q0-5.1 2.5-7.7 3.1-2.8 5.3-8A5 5 0 0 1 20 8.5z",
            "",
        ),
        Role::Knight => (
            "M11.5 34h19q1.3-11.5-2.6-18.2Q24.700 10.300 19 9.200L15.600 5.600l-.9 5.200q-2.300 1.700-3.200 5.400L7.300 22.800q-.6 2.300 1.200 3.400 1.900 1.200 3.600-.3l2.700-2.300q3.200.2 5.200-2 .1 4.200-3.900 6.400-4.500 2.500-4.600 6z",
            "M16.300 14.600l.6.5M22.500 12.500q4.500 5 4.700 14.500",
        ),
        Role::Bishop => (
            "M20 5.500a2.300 2.300 0 0 1 1.500 4q5.700 4.600 5.700 10 0 3.200-2.700 5.700l1 3.300H29.500V34h-19v-5.500H14.500l1-3.300q-2.700-2.500-2.700-5.700 0-5.400 5.700-10A2.300 2.300 0 0 1 20 5.500z",
            "M20 14v7M16.500 17.500h7M14.500 28.500h11",
        ),
        Role::Rook => (
            "M10.500 34h19v-4.500h-2.200L26 16.500h3.500V7h-4.200v3.200h-3.100V7h-4.400v3.200h-3.100V7h-4.200v9.500H14l-1.300 13h-2.200z",
            "M14 16.500h12M12.700 29.500h14.600",
        ),
        Role::Queen => (
            "M10.500 34h19v-4.500l-1.700-3L32.300 13l-6.200 6.500L24.300 9 20 18.200 15.700 9l-1.800 10.500L7.700 13l4.500 13.500-1.700 3z",
            "M12.200 26.500q7.800-2 15.600 0M10.500 29.800h19",
        ),
        Role::King => (
            "M10.500 34h19v-4.500l-1.500-2.300q5.300-4 5.300-8.700 0-4.700-4.900-4.700-4.200 0-7.200 4.700V12.200h3V9h-3V5.500h-2.400V9h-3v3.200h3v6.300q-3-4.700-7.200-4.700-4.900 0-4.900 4.700 0 4.700 5.300 8.700l-1.500 2.300z",
            "M12 27.200q8-2.400 16 0M10.500 29.800h19M20 18.500v7",
        ),
    }
}

/// A board of this size with its upper left corner at a point, White at the bottom; `marks` are highlighted squares.
/// The coordinates are outside, a fourteenth of the size to the left and below; the mark of the side to move on the
/// right takes as much.
pub fn board(position: &Position, marks: &[Square], arrows: &[Arrow], (x, y): (f64, f64), size: f64) -> Markup {
    // The dark squares as one path: each row of them is one stroke.
    let mut dark = String::new();
    for (rank, file) in Rank::ALL.into_iter().flat_map(|rank| File::ALL.into_iter().map(move |file| (rank, file))) {
        if (rank as u8 + file as u8).is_multiple_of(2) {
            let (left, top) = corner(Square::from_coords(file, rank));
            dark.push_str(&format!("M{left} {top}h40v40h-40z"));
        }
    }
    html! {
        g transform={ "translate(" (number(x)) " " (number(y)) ") scale(" (format!("{:.4}", size / (8.0 * SQUARE))) ")" } {
            rect class="square-light" width="320" height="320" {}
            path class="square-dark" d=(dark) {}
            @for &square in marks {
                @let (left, top) = corner(square);
                rect class="mark" x=(left) y=(top) width="40" height="40" {}
            }
            @for (square, piece) in position.board().clone() {
                @let (left, top) = corner(square);
                use class=(piece.color.fold_wb("white", "black")) href={ "#piece-" (piece.role.char()) }
                    x=(left) y=(top) width="40" height="40" {}
            }
            @for arrow in arrows { (arrow.draw()) }
            rect class="frame" width="320" height="320" {}
            // One letter for each of the places given.
            text class="coordinate middle" x=(places(|at| 20 + 40 * at)) y="339" { "abcdefgh" }
            text class="coordinate middle" x=(places(|_| -11)) y=(places(|at| 27 + 40 * at)) { "87654321" }
            // On a square of the other colour, so that a black disc looks black on a dark page.
            @if position.turn() == Color::White {
                rect class="square-dark" x="325" y="303" width="17" height="17" rx="3" {}
                circle class="white turn" cx="333.5" cy="311.5" r="5.5" {}
            } @else {
                rect class="square-light" x="325" y="0" width="17" height="17" rx="3" {}
                circle class="black turn" cx="333.5" cy="8.5" r="5.5" {}
            }
        }
    }
}

/// A coordinate for each file or rank.
fn places(place: impl Fn(i32) -> i32) -> String {
    (0..8).map(|at| place(at).to_string()).collect::<Vec<_>>().join(" ")
}

/// The letter of the piece on each square from a1 to h8, if there is one.
fn contents(position: &Position) -> impl Iterator<Item = Option<char>> + '_ {
    Square::ALL.into_iter().map(|square| position.board().piece_at(square).map(|piece| piece.char()))
}

/// The pieces from a1 to h8 for a script that draws boards: a letter for each piece, a dot for an empty square.
pub fn squares(position: &Position) -> String {
    contents(position).map(|piece| piece.unwrap_or('.')).collect()
}

/// The squares that differ between two positions, with their contents in the second, for the same script.
pub fn changes(before: &Position, after: &Position) -> Vec<(u8, String)> {
    let pairs = contents(before).zip(contents(after)).zip(0..);
    let changed = |((old, new), square): ((Option<char>, Option<char>), u8)| {
        (old != new).then(|| (square, new.map_or_else(String::new, String::from)))
    };
    pairs.filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_stands_on_its_square() {
        let position = Position::default();
        let svg = board(&position, &[Square::E2], &[], (0.0, 0.0), 160.0).into_string();
        assert_eq!(svg.matches("<use").count(), 32);
        // The white king on e1, a black rook on a8.
        assert!(svg.contains("class=\"white\" href=\"#piece-k\" x=\"160\" y=\"280\""), "{svg}");
        assert!(svg.contains("class=\"black\" href=\"#piece-r\" x=\"0\" y=\"0\""), "{svg}");
        assert!(svg.contains("class=\"mark\" x=\"160\" y=\"240\""), "{svg}");
        // The files below, the eighth rank at the top.
        assert!(svg.contains("x=\"20 60 100 140 180 220 260 300\" y=\"339\">abcdefgh<"), "{svg}");
        assert!(svg.contains("y=\"27 67 107 147 187 227 267 307\">87654321<"), "{svg}");
        // 32 dark squares; a1 is one of them.
        assert_eq!(svg.matches("h40v40").count(), 32, "{svg}");
        assert!(svg.contains("M0 280h40"));
    }

    #[test]
    fn a_king_that_castles_where_it_stands_is_shown_with_its_rook() {
        for (fen, shown) in [
            ("4k3/8/8/8/8/8/8/6KR w H - 0 1", [Square::G1, Square::H1]),
            ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", [Square::E1, Square::G1]),
        ] {
            let position = Position::from_fen(fen, true).unwrap();
            let arrow = Arrow::new(position.parse_san("O-O").unwrap(), "better");
            assert_eq!(arrow.map(|arrow| [arrow.from, arrow.to]), Some(shown), "{fen}");
        }
    }

    #[test]
    fn a_script_gets_pieces_and_what_a_move_changes() {
        let before = Position::default();
        assert!(squares(&before).starts_with("RNBQKBNRPPPPPPPP........"));
        let after = before.play(before.parse_san("e4").unwrap());
        assert_eq!(changes(&before, &after), [(12, String::new()), (28, "P".to_owned())]);
    }
}
