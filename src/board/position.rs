//! A copy-make position: shakmaty's [`Chess`] with incremental keys.
//!
//! The key equals shakmaty's own Zobrist hash with legal en passant, so that positions that repeat under the laws of
//! chess have equal keys. Tests compare it, and the pawn and piece keys, with keys computed from scratch.

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{
    Bitboard, Board, Castles, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Move, MoveList,
    Position as _, Role, Setup, Square,
};

use super::notation::{
    CROWD, SIDE, SOMETHING_ELSE, START_FEN, board_fault, fault, fields, flaws, is_mark, is_start, names_rooks,
    overlarge_counter,
};
use super::state::{State, changes, piece_key};
use super::{MOST_PIECES_OF_A_SIDE, PositionError};

/// A legal position with everything that is updated incrementally.
#[derive(Clone)]
pub struct Position {
    chess: Chess,
    key: u64,
    /// The part of the key that stands for castling rights.
    castling_key: u64,
    state: State,
    /// The pieces that give check.
    checkers: Bitboard,
    /// Plies since the last move that cannot be taken back, for repetitions; a null move resets it too.
    reversible_plies: u32,
}

impl Default for Position {
    fn default() -> Position {
        Position::from_chess(Chess::default())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}

/// The square the moving piece ends on; for castling, the king's.
pub fn move_target(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => m.to(),
    }
}

/// Whether the move changes the material: a capture or a promotion.
pub fn is_noisy(m: Move) -> bool {
    m.is_capture() || m.is_promotion()
}

/// The key for White to move.
pub(super) fn turn_key() -> u64 {
    Zobrist64::zobrist_for_white_turn().0
}

/// The key of a legal en passant capture on this square's file.
fn en_passant_key(square: Square) -> u64 {
    Zobrist64::zobrist_for_en_passant_file(square.file()).0
}

/// The key of all castling rights.
fn castling_key(castles: &Castles) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if castles.has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
            }
        }
    }
    key
}

impl Position {
    /// Wraps a legal position in which no side has more pieces than it begins with, computing key and state from
    /// scratch.
    pub fn from_chess(chess: Chess) -> Position {
        let key = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let castling_key = castling_key(chess.castles());
        let state = State::from_board(chess.board());
        let checkers = chess.checkers();
        let reversible_plies = chess.halfmoves();
        Position { chess, key, castling_key, state, checkers, reversible_plies }
    }

    /// Parses a FEN, X-FEN or Shredder-FEN.
    ///
    /// `startpos` stands for the initial position. Missing counters are filled in, and impossible castling rights or en
    /// passant squares are dropped, as GUIs do; [`left_out`](super::left_out) names them. Material that no
    /// game leads to, such as ten queens, and checks that no last move could have given, are accepted.
    ///
    /// # Errors
    ///
    /// [`PositionError`] if the text is not a FEN of chess or the position is illegal (kings, checks, pawns on the back
    /// rank, more pieces of a side than it begins with).
    pub fn from_fen(text: &str, chess960: bool) -> Result<Position, PositionError> {
        let text = text.trim();
        if is_start(text) {
            return Position::from_fen(START_FEN, chess960);
        }
        let refused = |reason| PositionError::Syntax { fen: text.to_owned(), reason };
        let board = fields(text).next().ok_or(PositionError::Empty)?;
        // What follows the last rank is the pocket of a variant otherwise.
        if board.split('/').count() > SIDE {
            return Err(refused(board_fault(board)));
        }
        // shakmaty knows fewer separators.
        let spaced = fields(text).collect::<Vec<_>>().join(" ");
        let fen: Fen = spaced.parse().map_err(|error: shakmaty::fen::ParseFenError| refused(fault(text, &error)))?;
        // Pieces in hand and checks left to give are those of variants.
        let setup = fen.as_setup();
        if setup.pockets.is_some() || setup.remaining_checks.is_some() {
            return Err(refused(SOMETHING_ELSE.to_owned()));
        }
        if let Some(counter) = overlarge_counter(text) {
            return Err(refused(format!("the counter {counter} is larger than any that is kept ({})", u32::MAX)));
        }
        Position::from_setup(fen, CastlingMode::from_chess960(chess960))
            .map_err(|reason| PositionError::Illegal { fen: text.to_owned(), reason })
    }

    /// Parses a FEN under the rules of Chess960 if asked for, or if its castling rights name the rooks by their files,
    /// which only occurs there; under those of chess otherwise.
    ///
    /// # Errors
    ///
    /// As [`Position::from_fen`].
    pub fn from_fen_of_either(text: &str, chess960: bool) -> Result<Position, PositionError> {
        Position::from_fen(text, chess960 || names_rooks(text))
    }

    /// Validates a parsed FEN.
    fn from_setup(fen: Fen, mode: CastlingMode) -> Result<Position, String> {
        let chess = fen
            .into_position::<Chess>(mode)
            .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .map_err(|error| flaws(error.kinds()))?;
        Position::uncrowded(chess).ok_or_else(|| CROWD.to_owned())
    }

    /// The position, unless a side has more pieces than it begins with: it might have more moves than a list holds.
    fn uncrowded(chess: Chess) -> Option<Position> {
        let is_crowd = |&color: &Color| chess.board().by_color(color).count() > MOST_PIECES_OF_A_SIDE;
        (!Color::ALL.iter().any(is_crowd)).then(|| Position::from_chess(chess))
    }

    /// Validates the contents of a data file; `None` if it is not a legal position. Castling rooks are given by their
    /// squares there, so that orthodox chess needs no separate mode.
    pub(super) fn from_packed(setup: Setup) -> Option<Position> {
        let mode = CastlingMode::detect(&setup);
        Chess::from_setup(setup, mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
            .and_then(Position::uncrowded)
    }

    /// Whether the position is played under Chess960 rules, where castling is written as king takes rook.
    pub fn is_chess960(&self) -> bool {
        self.chess.castles().mode().is_chess960()
    }

    /// The pieces.
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// The underlying shakmaty position, for the outermost layer and for crates that build on shakmaty.
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// Zobrist key: board, turn, castling rights and legal en passant.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key as if no capture en passant were possible.
    pub(super) fn key_without_en_passant(&self) -> u64 {
        self.key ^ self.en_passant_part()
    }

    /// The key that Polyglot books use. It differs from [`Position::key`] if a pawn stands ready to take en passant but
    /// may not.
    pub fn polyglot_key(&self) -> u64 {
        self.chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
    }

    /// Keys of parts of the position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmoves(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// How many plies back a repetition is possible.
    pub fn reversible_plies(&self) -> u32 {
        self.reversible_plies
    }

    /// Number of the current full move, from 1.
    pub fn fullmoves(&self) -> u32 {
        self.chess.fullmoves().get()
    }

    /// Whether either side may still castle.
    pub fn may_castle(&self) -> bool {
        self.chess.castles().any()
    }

    /// The opponent's pieces that give check.
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && self.legal_moves().is_empty()
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.chess.legal_moves()
    }

    /// Adds the legal captures en passant.
    pub fn push_en_passant(&self, moves: &mut MoveList) {
        if self.chess.maybe_ep_square().is_some() {
            self.chess.en_passant_moves().iter().for_each(|&m| moves.push(m));
        }
    }

    /// Adds the legal castling moves, kingside first.
    pub fn push_castling(&self, moves: &mut MoveList) {
        if self.in_check() {
            return;
        }
        let castles = self.chess.castles();
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            // Mostly a right is gone or pieces stand between, which is quicker to see than asking for a list.
            if castles.has(self.turn(), side) && (castles.path(self.turn(), side) & self.board().occupied()).is_empty()
            {
                self.chess.castling_moves(side).iter().for_each(|&m| moves.push(m));
            }
        }
    }

    /// Whether a side has a piece besides king and pawns; without one, passing may be the best move.
    pub fn has_pieces(&self, color: Color) -> bool {
        self.piece_count(color) > 0
    }

    /// Knights, bishops, rooks and queens of a side.
    pub fn piece_count(&self, color: Color) -> usize {
        let board = self.board();
        let minor_or_major = board.knights() | board.bishops_and_queens() | board.rooks();
        (minor_or_major & board.by_color(color)).count()
    }

    /// Whether neither side can ever give mate.
    pub fn is_dead(&self) -> bool {
        let board = self.board();
        // The usual case first: any pawn, rook or queen can still mate.
        (board.pawns() | board.rooks_and_queens()).is_empty() && self.chess.is_insufficient_material()
    }

    /// Whether the game ends here whatever came before: there is no legal move, or neither side can ever give mate.
    pub fn is_terminal(&self) -> bool {
        self.is_dead() || self.legal_moves().is_empty()
    }

    /// The position after a legal move.
    #[must_use]
    #[inline]
    pub fn play(&self, m: Move) -> Position {
        let mut next = self.clone();
        next.make(m);
        next
    }

    /// The key after a legal move, ignoring castling and its rights, promotions and en passant: cheap, and mostly
    /// right. For prefetching before the move is made.
    #[inline]
    pub fn likely_key_after(&self, m: Move) -> u64 {
        let key = self.key ^ turn_key();
        let Move::Normal { role, from, capture, to, .. } = m else { return key };
        let us = self.turn();
        let captured = capture.map_or(0, |role| piece_key(role.of(!us), to));
        key ^ piece_key(role.of(us), from) ^ piece_key(role.of(us), to) ^ captured
    }

    /// The key after passing, which is legal unless in check.
    #[inline]
    pub fn key_after_passing(&self) -> u64 {
        self.key ^ turn_key() ^ self.en_passant_part()
    }

    /// Plays a legal move in place. On a clone it is faster than [`Position::play`], whose result is copied once more
    /// on its way to the caller.
    pub fn make(&mut self, m: Move) {
        let rights = self.chess.castles().castling_rights();
        self.key ^= self.en_passant_part();
        changes(self.turn(), m, |_, piece, square| {
            let key = piece_key(piece, square);
            self.key ^= key;
            self.state.toggle(piece, key);
        });
        self.chess.play_unchecked(m);
        self.checkers = self.chess.checkers();
        self.key ^= turn_key() ^ self.en_passant_part();
        let castles = self.chess.castles();
        // Rights rarely change: only then are their keys worth computing.
        if castles.castling_rights() != rights {
            let castling_key = castling_key(castles);
            self.key ^= self.castling_key ^ castling_key;
            self.castling_key = castling_key;
        }
        // A FEN may say any number.
        let reversible_plies = self.reversible_plies.saturating_add(1);
        self.reversible_plies = if self.chess.halfmoves() == 0 { 0 } else { reversible_plies };
    }

    /// The en passant part of the key: nonzero only if a capture is legal.
    fn en_passant_part(&self) -> u64 {
        match self.chess.maybe_ep_square() {
            Some(_) => self.chess.legal_ep_square().map_or(0, en_passant_key),
            None => 0,
        }
    }

    /// The position after passing, or `None` in check, where passing is illegal.
    pub fn play_null(&self) -> Option<Position> {
        let mut next = self.clone();
        next.chess = self.chess.clone().swap_turn().or_else(shakmaty::PositionError::ignore_too_much_material).ok()?;
        next.key = self.key_after_passing();
        next.reversible_plies = 0;
        Some(next)
    }

    /// The FEN. Castling rooks are named by file only where `KQkq` would be ambiguous (X-FEN).
    pub fn fen(&self) -> String {
        Fen::from_position(&self.chess, EnPassantMode::Legal).to_string()
    }

    /// The first four fields of the FEN, as in EPD.
    pub fn epd(&self) -> String {
        self.fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    /// Parses a move in UCI notation (both ways of writing castling).
    ///
    /// # Errors
    ///
    /// [`PositionError`] if the text is not a move or the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, PositionError> {
        let uci: UciMove = text.parse().map_err(|_| PositionError::MoveSyntax { text: text.to_owned() })?;
        uci.to_move(&self.chess).map_err(|_| self.illegal(text))
    }

    /// Parses a move in standard algebraic notation, with or without check and annotation marks.
    ///
    /// # Errors
    ///
    /// [`PositionError`] if the text is not a move, or the move is ambiguous or not legal here.
    pub fn parse_san(&self, text: &str) -> Result<Move, PositionError> {
        let bare = text.trim_end_matches(is_mark);
        let san: San = bare.parse().map_err(|_| PositionError::MoveSyntax { text: text.to_owned() })?;
        san.to_move(&self.chess).map_err(|error| match error {
            SanError::AmbiguousSan => self.ambiguous(text, san),
            SanError::IllegalSan => self.illegal(text),
        })
    }

    /// Parses a move in either notation: what SAN reads as a pawn's move, as it does `g1f3`, may be another one in UCI.
    ///
    /// # Errors
    ///
    /// As [`Position::parse_san`].
    pub fn parse_either(&self, text: &str) -> Result<Move, PositionError> {
        self.parse_san(text).or_else(|error| self.parse_uci(text).map_err(|_| error))
    }

    /// The error for a text that may mean several moves.
    fn ambiguous(&self, text: &str, san: San) -> PositionError {
        let meant: Vec<Move> = self.legal_moves().into_iter().filter(|&m| san.matches(m)).collect();
        PositionError::AmbiguousMove { text: text.to_owned(), names: self.any_of(&meant) }
    }

    /// The error for a move that is not legal here.
    fn illegal(&self, text: &str) -> PositionError {
        PositionError::IllegalMove { text: text.to_owned(), fen: self.fen() }
    }

    /// A legal move in UCI notation, as this position's castling rules write it.
    pub fn uci(&self, m: Move) -> String {
        m.to_uci(self.chess.castles().mode()).to_string()
    }

    /// A legal move in standard algebraic notation with check or mate mark.
    pub fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.chess.clone(), m).to_string()
    }

    /// Several legal moves of which one is meant, in standard algebraic notation: `Nbd2 or Nfd2`.
    pub fn any_of(&self, moves: &[Move]) -> String {
        moves.iter().map(|&m| self.san(m)).collect::<Vec<_>>().join(" or ")
    }

    /// A line of legal moves in standard algebraic notation, with move numbers.
    pub fn san_line(&self, line: &[Move]) -> String {
        self.san_line_from(self.fullmoves(), line)
    }

    /// The same with this number for its first move: after Black has passed it is not the position's.
    pub fn san_line_from(&self, mut number: u32, line: &[Move]) -> String {
        let mut position = self.clone();
        let mut words = Vec::with_capacity(line.len());
        for (index, &m) in line.iter().enumerate() {
            let san = position.san(m);
            words.push(match position.turn() {
                Color::White => format!("{number}.{san}"),
                Color::Black if index == 0 => format!("{number}...{san}"),
                Color::Black => san,
            });
            number = number.saturating_add(u32::from(position.turn() == Color::Black));
            position = position.play(m);
        }
        words.join(" ")
    }

    /// A line of legal moves in UCI notation.
    pub fn uci_words(&self, line: &[Move]) -> Vec<String> {
        let mut position = self.clone();
        let write = |&m: &Move| {
            let word = position.uci(m);
            position.make(m);
            word
        };
        line.iter().map(write).collect()
    }

    /// The moves of a line in UCI notation, up to the first word that is not a legal move.
    pub fn legal_line<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Vec<Move> {
        let mut position = self.clone();
        let read = |word: &'w str| {
            let m = position.parse_uci(word).ok()?;
            position.make(m);
            Some(m)
        };
        words.into_iter().map_while(read).collect()
    }

    /// The position with colours and ranks swapped: the same game seen from the other side of the board.
    pub fn mirrored(&self) -> Position {
        let mode = self.chess.castles().mode();
        let setup = self.chess.to_setup(EnPassantMode::Always).into_mirrored();
        match setup
            .position::<Chess>(mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
        {
            Ok(chess) => Position::from_chess(chess),
            // The mirror of a legal position is legal; should the rules disagree, an unmirrored position is harmless.
            Err(_) => self.clone(),
        }
    }

    /// The role on a square, if any.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.board().role_at(square)
    }

    /// Key and state, both from scratch.
    pub fn from_scratch(&self) -> (u64, State) {
        let fresh = Position::from_chess(self.chess.clone());
        (fresh.key, fresh.state)
    }
}
