//! The accumulators along the search path: each move adds and subtracts a few rows of weights.
//!
//! Updates are lazy: a move is only noted, and an evaluation catches up from the last position on the path with known
//! neurons. When a king move changes its side's view, the neurons are built from the last board seen in that view
//! ([`Seen`]), which usually differs by a few pieces (a "Finny table").

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::{SQUARES, View};
use super::kernels;
use super::network::{Network, Row};
use super::shape::{HIDDEN, InputWeights, Values};
use crate::board::{Bitboard, Board, Change, Color, Move, Position, Role, changes};

/// The most pieces that one move drops, or lifts.
const MOST_CHANGES: usize = 2;

/// A position on the path.
#[derive(Clone)]
struct Entry {
    key: u64,
    /// Each side's view, White first.
    views: [View; 2],
    /// The move leading to it, and who made it; `None` for a null move, and at the start of the path.
    made: Option<(Color, Move)>,
    /// Each view's neurons, if known.
    values: [Row<Values>; 2],
    known: [bool; 2],
}

/// The last board seen in one view, with its neurons.
#[derive(Clone)]
struct Seen {
    values: Row<Values>,
    board: Board,
}

impl Seen {
    /// An empty board.
    fn nothing(network: &Network) -> Seen {
        Seen { values: Row(*network.bias()), board: Board::empty() }
    }

    /// Updates it to this board.
    fn catch_up(&mut self, network: &Network, view: View, board: &Board) {
        let mut adds = ArrayVec::<_, SQUARES>::new();
        let mut subs = ArrayVec::<_, SQUARES>::new();
        for square in differing(&self.board, board) {
            let row = |piece| network.row(view.feature(piece, square));
            adds.extend(board.piece_at(square).map(row));
            subs.extend(self.board.piece_at(square).map(row));
        }
        self.board.clone_from(board);
        add_and_sub(&mut self.values.0, &adds, &subs);
    }
}

/// The squares on which two boards differ.
fn differing(first: &Board, second: &Board) -> Bitboard {
    let white = first.by_color(Color::White) ^ second.by_color(Color::White);
    Role::ALL.into_iter().fold(white, |squares, role| squares | (first.by_role(role) ^ second.by_role(role)))
}

/// A network that follows a path.
pub(in crate::eval) struct Accumulators {
    network: Arc<Network>,
    /// Entries of the path, followed by those of longer earlier ones.
    path: Vec<Entry>,
    length: usize,
    /// By view number.
    seen: Vec<Seen>,
}

impl Accumulators {
    /// A network with no path yet.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let seen = vec![Seen::nothing(&network); View::count(network.king_buckets())];
        Accumulators { network, path: Vec::new(), length: 0, seen }
    }

    /// Begins a path at this position.
    pub fn begin(&mut self, position: &Position) {
        self.length = 0;
        let views = View::both(self.network.layout(), position);
        self.append(position, views, None);
    }

    /// Follows a move, or a null move, to the position after it.
    pub fn enter(&mut self, m: Option<Move>, child: &Position) {
        // Only a king's move changes a view.
        let kept = self.last().filter(|_| m.is_none_or(|m| m.role() != Role::King)).map(|last| self.path[last].views);
        let views = kept.unwrap_or_else(|| View::both(self.network.layout(), child));
        self.append(child, views, m.map(|m| (!child.turn(), m)));
    }

    /// The index of the path's last position.
    fn last(&self) -> Option<usize> {
        self.length.checked_sub(1)
    }

    fn append(&mut self, position: &Position, views: [View; 2], made: Option<(Color, Move)>) {
        let key = position.key();
        match self.path.get_mut(self.length) {
            Some(entry) => {
                (entry.key, entry.views, entry.made, entry.known) = (key, views, made, [false; 2]);
            }
            None => {
                let values = [Row([0; HIDDEN]), Row([0; HIDDEN])];
                self.path.push(Entry { key, views, made, values, known: [false; 2] });
            }
        }
        self.length += 1;
    }

    /// Undoes the last move.
    pub fn leave(&mut self) {
        self.length = self.length.saturating_sub(1);
    }

    /// The evaluation for the side to move in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let (board, turn) = (position.board(), position.turn());
        let (us, them) = turn.fold_wb((0, 1), (1, 0));
        match self.last().filter(|&last| self.path[last].key == position.key()) {
            Some(last) => {
                self.make_known(last, 0, position);
                self.make_known(last, 1, position);
                let values = &self.path[last].values;
                self.network.output(&values[us].0, &values[them].0, board, turn)
            }
            None => {
                let views = View::both(self.network.layout(), position);
                views.iter().for_each(|&view| self.look(view, position));
                let [ours, theirs] = [us, them].map(|side| &self.seen[views[side].number()].values);
                self.network.output(&ours.0, &theirs.0, board, turn)
            }
        }
    }

    /// Updates the last board seen in a view to this position.
    fn look(&mut self, view: View, position: &Position) {
        self.seen[view.number()].catch_up(&self.network, view, position.board());
    }

    /// Computes one side's neurons at the path's last position, which is `position`.
    fn make_known(&mut self, last: usize, side: usize, position: &Position) {
        let view = self.path[last].views[side];
        let mut first = last;
        while !self.path[first].known[side] {
            if first == 0 || self.path[first - 1].views[side] != view {
                self.look(view, position);
                let entry = &mut self.path[last];
                entry.values[side].clone_from(&self.seen[view.number()].values);
                entry.known[side] = true;
                return;
            }
            first -= 1;
        }
        for index in first..last {
            let (before, after) = self.path.split_at_mut(index + 1);
            let (from, entry) = (&before[index].values[side].0, &mut after[0]);
            apply(&self.network, view, entry.made, from, &mut entry.values[side].0);
            entry.known[side] = true;
        }
    }
}

/// One view's neurons after a move, from those before it.
fn apply(network: &Network, view: View, made: Option<(Color, Move)>, from: &Values, to: &mut Values) {
    let mut adds = ArrayVec::<_, MOST_CHANGES>::new();
    let mut subs = ArrayVec::<_, MOST_CHANGES>::new();
    if let Some((us, m)) = made {
        changes(us, m, |change, piece, square| {
            let row = network.row(view.feature(piece, square));
            match change {
                Change::Lifted => subs.push(row),
                Change::Dropped => adds.push(row),
            }
        });
    }
    match (&adds[..], &subs[..]) {
        ([add], [sub]) => kernels::add_sub(to, from, add, sub),
        ([add], &[first, second]) => kernels::add_sub_sub(to, from, add, &[first, second]),
        (adds, subs) => {
            // Castling, and the null move, which changes nothing.
            *to = *from;
            add_and_sub(to, adds, subs);
        }
    }
}

/// Adds some rows and takes others off, as many at a time as there is a kernel for.
fn add_and_sub(values: &mut Values, mut adds: &[&InputWeights], mut subs: &[&InputWeights]) {
    while let (Some((more, other_adds)), Some((less, other_subs))) =
        (adds.split_first_chunk(), subs.split_first_chunk())
    {
        kernels::exchange(values, more, less);
        (adds, subs) = (other_adds, other_subs);
    }
    adds.iter().for_each(|row| kernels::add(values, row));
    subs.iter().for_each(|row| kernels::sub(values, row));
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::super::network::tests::random;
    use super::*;
    use crate::board::Square;

    /// Positions with castling both ways, Chess960 among them, promotions, en passant and many king moves.
    const STARTS: [(&str, bool); 6] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", false),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", false),
        ("1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w BDbd - 0 1", true),
        ("r3kr2/8/8/8/8/8/8/1R2K1R1 w BGaf - 0 1", true),
    ];

    /// The most sets of input weights of the networks here.
    const MOST_BUCKETS: usize = 3;
    /// A network for each number of sets.
    static NETWORKS: LazyLock<[Arc<Network>; MOST_BUCKETS]> =
        LazyLock::new(|| std::array::from_fn(|index| Arc::new(random(index as u64, index + 1))));

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        /// Continues from the last position, forwards or back, and evaluates only now and then.
        #[test]
        fn what_is_kept_along_a_path_is_what_comes_from_scratch(
            start in 0..STARTS.len(),
            network in 0..MOST_BUCKETS,
            choices in proptest::collection::vec(any::<u16>(), 1..120),
        ) {
            let network = &NETWORKS[network];
            let (fen, chess960) = STARTS[start];
            let mut path = vec![Position::from_fen(fen, chess960).unwrap()];
            let mut accumulators = Accumulators::new(network.clone());
            accumulators.begin(&path[0]);
            for choice in choices {
                let last = &path[path.len() - 1];
                let (kind, choice) = (choice % 8, usize::from(choice / 8));
                let moves = last.legal_moves();
                if kind == 0 && path.len() > 1 {
                    path.pop();
                    accumulators.leave();
                } else if kind == 1 && let Some(passed) = last.play_null() {
                    accumulators.enter(None, &passed);
                    path.push(passed);
                } else if !moves.is_empty() {
                    let m = moves[choice % moves.len()];
                    let child = last.play(m);
                    accumulators.enter(Some(m), &child);
                    path.push(child);
                }
                let last = &path[path.len() - 1];
                if kind % 2 == 0 {
                    prop_assert_eq!(accumulators.evaluate(last), network.evaluate(last.board(), last.turn()));
                }
                // A position that is not the path's last uses the other way.
                let first = &path[0];
                prop_assert_eq!(accumulators.evaluate(first), network.evaluate(first.board(), first.turn()));
            }
        }
    }

    #[test]
    fn castling_is_followed_where_the_king_stays_or_takes_its_rooks_square() {
        // In Chess960, on either side of the board.
        for (fen, castling, king) in [
            ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", Square::G1),
            ("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "c8b8", Square::C8),
            ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", Square::G1),
            ("2rk4/8/8/8/8/8/8/4K3 b c - 0 1", "d8c8", Square::C8),
        ] {
            let position = Position::from_fen(fen, true).unwrap();
            let m = position.parse_uci(castling).unwrap();
            let child = position.play(m);
            assert_eq!(child.board().king_of(position.turn()), Some(king), "{fen}");
            for network in NETWORKS.iter() {
                let mut accumulators = Accumulators::new(network.clone());
                accumulators.begin(&position);
                accumulators.evaluate(&position);
                accumulators.enter(Some(m), &child);
                let expected = network.evaluate(child.board(), child.turn());
                assert_eq!(accumulators.evaluate(&child), expected, "{fen}, {network:?}");
            }
        }
    }

    #[test]
    fn a_new_path_forgets_the_old_one() {
        let network = Arc::new(random(9, 1));
        let mut accumulators = Accumulators::new(network.clone());
        for (fen, chess960) in STARTS {
            let position = Position::from_fen(fen, chess960).unwrap();
            accumulators.begin(&position);
            assert_eq!(accumulators.evaluate(&position), network.evaluate(position.board(), position.turn()));
            let m = position.legal_moves()[0];
            let child = position.play(m);
            accumulators.enter(Some(m), &child);
            assert_eq!(accumulators.evaluate(&child), network.evaluate(child.board(), child.turn()));
        }
    }
}
