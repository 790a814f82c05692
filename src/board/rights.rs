//! Castling rights and en passant squares that a text states and its position cannot have.

use shakmaty::Position as _;
use shakmaty::fen::Fen;

use super::notation::{CASTLING, NOTHING, fields};
use super::{Bitboard, Color, Position, Rank, Role, Square};

/// What [`Position::from_fen`] leaves out of a FEN because the position cannot have it, each in words.
pub fn left_out(fen: &str, position: &Position) -> Vec<String> {
    let mut fields = fields(fen).skip(CASTLING);
    let mut next = || fields.next().unwrap_or(NOTHING);
    impossible_rights(position, next(), next())
}

/// Stated rights that the position cannot have, each in words.
pub fn impossible_rights(position: &Position, castling: &str, en_passant: &str) -> Vec<String> {
    let mut reasons = Vec::new();
    if !castling_rooks(position, castling).is_subset(position.chess().castles().castling_rights()) {
        let epd = position.epd();
        let possible = epd.split(' ').nth(CASTLING).unwrap_or(NOTHING);
        let most = if possible == NOTHING { String::new() } else { format!(": at most {possible}") };
        reasons.push(format!("castling rights {castling} are impossible{most}"));
    }
    if let Ok(square) = en_passant.parse()
        && !double_push_passed(position, square)
    {
        reasons.push(format!("no pawn can have passed {en_passant}"));
    }
    reasons
}

/// The squares of the rooks that castling rights name, possible or not: two letters may mean the same one.
fn castling_rooks(position: &Position, castling: &str) -> Bitboard {
    let fen = format!("{} w {castling}", position.board().board_fen()).parse::<Fen>();
    fen.map_or(Bitboard::EMPTY, |fen| fen.as_setup().castling_rights)
}

/// Whether the last move can have been a double pawn push over this square.
fn double_push_passed(position: &Position, square: Square) -> bool {
    let mover = !position.turn();
    let (from, passed, to) =
        mover.fold_wb((Rank::Second, Rank::Third, Rank::Fourth), (Rank::Seventh, Rank::Sixth, Rank::Fifth));
    let at = |rank| Square::from_coords(square.file(), rank);
    square.rank() == passed
        && position.role_at(square).is_none()
        && position.role_at(at(from)).is_none()
        && is_pawn(position, mover, at(to))
}

/// Whether there is a pawn of this colour.
fn is_pawn(position: &Position, color: Color, square: Square) -> bool {
    position.role_at(square) == Some(Role::Pawn) && position.board().by_color(color).contains(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_position_cannot_have_is_told() {
        for (fen, chess960, told) in [
            ("startpos", false, &[][..]),
            ("4k3/8/8/8/8/8/8/4K2R", false, &[]),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, &[]),
            ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", false, &[]),
            // The outermost rook may be named twice.
            ("4k3/8/8/8/8/8/8/R3K2R w KQH - 0 1", false, &[]),
            ("4k3/8/8/8/8/8/8/1R2K1R1 w KGQB - 0 1", true, &[]),
            ("4k3/8/8/8/8/8/8/4K2R w KHA - 0 1", false, &["castling rights KHA are impossible: at most K"]),
            ("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", true, &["castling rights HG are impossible: at most K"]),
            ("4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false, &["castling rights KQkq are impossible: at most KQ"]),
            ("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", true, &[]),
            ("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", false, &["castling rights GB are impossible"]),
            // It is the square that the pawn passed, whether or not there is a pawn to take it.
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", false, &[]),
            (
                "4k3/8/8/8/8/8/8/4K3_b_K_e3_0_1",
                false,
                &["castling rights K are impossible", "no pawn can have passed e3"],
            ),
            ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", false, &["no pawn can have passed e3"]),
        ] {
            let position = Position::from_fen(fen, chess960).unwrap();
            assert_eq!(left_out(fen, &position), told, "{fen}");
        }
    }
}
