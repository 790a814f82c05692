//! A network and its file.
//!
//! | bytes | little-endian |
//! |---|---|
//! | 8 | `PACINET3` |
//! | 8 x 4 | sets of input weights, neurons of the hidden layer, output buckets, threats, 1.0 as an activation (QA), 1.0 as an output weight (QB), centipawns of an output of 1.0, bytes of the provenance |
//! | 4 | CRC-32C of everything else, before and after |
//! | 32 | the set of input weights for each square of a king on the files a to d, rank by rank |
//! | any | the provenance: JSON in UTF-8, what the network was made from and how |
//! | up to 63 | zeros, up to a multiple of 64 |
//! | 1 each | input weights (set, input, neuron), in units of 1/QA |
//! | 2 each | hidden biases, in units of 1/QA |
//! | 2 each | output weights (bucket, side to move's half and the other's, neuron), in units of 1/QB |
//! | 4 each | output biases, in units of 1/(QA QB) |
//! | 2 each | weights of the threats (bucket, [threat](super::threats)), in units of 1/(QA QB) |

use std::fmt;

use thiserror::Error;

use super::features::{INPUTS, KING_SQUARES, Layout, View};
use super::kernels;
use super::shape::{ACTIVATION_MAX, HIDDEN, InputWeights, OUTPUT_BUCKETS, QA, QB, Values};
use super::threats::{self, THREATS, Weights};
use crate::board::{Board, Color, MOST_PIECES, Piece, Position, Role, Square};
use crate::score::MAX_EVAL;

/// The most sets of input weights: one for each king square.
const MAX_KING_BUCKETS: usize = KING_SQUARES;
/// With larger output weights the product with an activation would not fit in 16 bits.
const MAX_OUTPUT_WEIGHT: u16 = i16::MAX as u16 / ACTIVATION_MAX as u16;
/// With a larger hidden bias, its sum with the largest weight for every piece might not fit in 16 bits.
const MAX_HIDDEN_BIAS: u16 = i16::MAX as u16 - i8::MIN.unsigned_abs() as u16 * MOST_PIECES as u16;
/// Pieces for each output bucket.
const BUCKET_PIECES: usize = MOST_PIECES / OUTPUT_BUCKETS;
const _: () = assert!(MOST_PIECES.is_multiple_of(OUTPUT_BUCKETS));

/// How the file of a network begins, of whatever version.
pub const FAMILY: &[u8; 7] = b"PACINET";
/// How one of this version begins.
const MAGIC: &[u8; 8] = b"PACINET3";
/// Numbers after it, the checksum among them.
const NUMBERS: usize = 9;
/// Bytes at the beginning of a file that say what network it is.
pub const HEAD: usize = MAGIC.len() + NUMBERS * size_of::<u32>();
/// Weights start at a multiple of this.
const ALIGNMENT: usize = 64;
/// The largest scale that makes sense: a hundred pawns.
const MAX_SCALE: i32 = 10_000;

/// One number for each neuron, aligned to a cache line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row<T>(pub T);

/// A network read from its file and within the limits that keep its arithmetic exact.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    layout: Layout,
    king_buckets: usize,
    features: Vec<Row<InputWeights>>,
    bias: Row<Values>,
    outputs: Vec<[Row<Values>; 2]>,
    output_bias: [i32; OUTPUT_BUCKETS],
    threats: [Weights; OUTPUT_BUCKETS],
    scale: i32,
    provenance: String,
    checksum: u32,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({:08x})", self.checksum)
    }
}

/// Bytes that are not a network for this program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// They do not start like a network file.
    #[error("not a network file of this program")]
    NotANetwork,
    /// They start like one of another version of the format.
    #[error("a network file of another version: {} expected", String::from_utf8_lossy(MAGIC))]
    OtherVersion,
    /// They end too soon.
    #[error("truncated: {found} bytes, where {expected} or more are needed")]
    Truncated {
        /// The least number of bytes, as far as they say.
        expected: usize,
        /// Number of bytes present.
        found: usize,
    },
    /// They continue after the end.
    #[error("{extra} bytes too many")]
    TooLong {
        /// How many.
        extra: usize,
    },
    /// The architecture differs from this program's.
    #[error("different architecture: {what} is {found}, expected {expected}")]
    Shape {
        /// What differs.
        what: &'static str,
        /// The value in the file.
        found: u32,
        /// The expected value.
        expected: String,
    },
    /// The checksum does not match.
    #[error("damaged: checksum {found:08x}, but the file says {expected:08x}")]
    Damaged {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The provenance is not text.
    #[error("the provenance is not UTF-8")]
    Provenance,
    /// The weights are so large that sums might overflow.
    #[error("weights too large: {what}")]
    TooLarge {
        /// Which sum.
        what: &'static str,
    },
}

/// Reads consecutive little-endian numbers.
struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let end = self.position.saturating_add(count);
        let taken = self.bytes.get(self.position..end);
        let taken = taken.ok_or(NetworkError::Truncated { expected: end, found: self.bytes.len() })?;
        self.position = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn input_weights(&mut self) -> Result<InputWeights, NetworkError> {
        Ok(self.array()?.map(u8::cast_signed))
    }

    fn values(&mut self) -> Result<Values, NetworkError> {
        let mut values = [0; HIDDEN];
        for (value, bytes) in values.iter_mut().zip(self.take(2 * HIDDEN)?.chunks_exact(2)) {
            *value = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        Ok(values)
    }
}

/// Checks one number of the architecture.
fn expect(what: &'static str, found: u32, expected: usize) -> Result<(), NetworkError> {
    let same = found as usize == expected;
    if same { Ok(()) } else { Err(NetworkError::Shape { what, found, expected: expected.to_string() }) }
}

/// The checksum of a file: of what precedes and what follows its own field.
fn checksum(before: &[u8], after: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(before), after)
}

impl Network {
    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] if they are damaged, of another architecture, or not for this program.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(FAMILY) {
            return Err(NetworkError::NotANetwork);
        }
        if !bytes.starts_with(MAGIC) && bytes.len() >= MAGIC.len() {
            return Err(NetworkError::OtherVersion);
        }
        let mut reader = Reader { bytes, position: MAGIC.len() };
        let king_buckets = reader.u32()?;
        if king_buckets == 0 || king_buckets as usize > MAX_KING_BUCKETS {
            let expected = format!("1 to {MAX_KING_BUCKETS}");
            return Err(NetworkError::Shape { what: "sets of input weights", found: king_buckets, expected });
        }
        let king_buckets = king_buckets as usize;
        expect("neurons of the hidden layer", reader.u32()?, HIDDEN)?;
        expect("output buckets", reader.u32()?, OUTPUT_BUCKETS)?;
        expect("threats", reader.u32()?, THREATS)?;
        expect("an activation of 1", reader.u32()?, QA as usize)?;
        expect("an output weight of 1", reader.u32()?, QB as usize)?;
        let scale = reader.u32()?;
        if scale == 0 || scale > MAX_SCALE as u32 {
            let expected = format!("1 to {MAX_SCALE}");
            return Err(NetworkError::Shape { what: "the scale", found: scale, expected });
        }
        let provenance_length = reader.u32()? as usize;
        let before = reader.position;
        let expected = reader.u32()?;
        let found = checksum(&bytes[..before], &bytes[reader.position..]);

        let layout: Layout = reader.array()?;
        let provenance = reader.take(provenance_length)?;
        reader.take(reader.position.next_multiple_of(ALIGNMENT) - reader.position)?;
        let weights = (king_buckets * INPUTS + 2 * (1 + 2 * OUTPUT_BUCKETS)) * HIDDEN
            + (size_of::<i32>() + 2 * THREATS) * OUTPUT_BUCKETS;
        let end = reader.position + weights;
        if bytes.len() < end {
            return Err(NetworkError::Truncated { expected: end, found: bytes.len() });
        }
        if bytes.len() > end {
            return Err(NetworkError::TooLong { extra: bytes.len() - end });
        }
        if found != expected {
            return Err(NetworkError::Damaged { expected, found });
        }
        if let Some(&bucket) = layout.iter().find(|&&bucket| usize::from(bucket) >= king_buckets) {
            let expected = format!("below {king_buckets}");
            return Err(NetworkError::Shape { what: "a king's set of weights", found: bucket.into(), expected });
        }
        let features = (0..king_buckets * INPUTS).map(|_| reader.input_weights().map(Row)).collect::<Result<_, _>>()?;
        let bias = Row(reader.values()?);
        let outputs = (0..OUTPUT_BUCKETS)
            .map(|_| Ok([Row(reader.values()?), Row(reader.values()?)]))
            .collect::<Result<Vec<_>, NetworkError>>()?;
        let mut output_bias = [0; OUTPUT_BUCKETS];
        for bias in &mut output_bias {
            *bias = i32::from_le_bytes(reader.array()?);
        }
        let mut threats = [[0; THREATS]; OUTPUT_BUCKETS];
        for weight in threats.iter_mut().flatten() {
            *weight = i16::from_le_bytes(reader.array()?);
        }
        let network = Network {
            layout,
            king_buckets,
            features,
            bias,
            outputs,
            output_bias,
            threats,
            scale: scale as i32,
            provenance: String::from_utf8(provenance.to_vec()).map_err(|_| NetworkError::Provenance)?,
            checksum: found,
        };
        network.check_limits()?;
        Ok(network)
    }

    /// Rejects weights with which a sum might overflow in a position with at most [`MOST_PIECES`] pieces.
    fn check_limits(&self) -> Result<(), NetworkError> {
        let too_large = |what| Err(NetworkError::TooLarge { what });
        if self.bias.0.iter().any(|bias| bias.unsigned_abs() > MAX_HIDDEN_BIAS) {
            return too_large("a neuron's sum does not fit in 16 bits");
        }
        for weights in &self.outputs {
            let weights = weights.iter().flat_map(|row| &row.0).map(|weight| weight.unsigned_abs());
            if weights.clone().any(|weight| weight > MAX_OUTPUT_WEIGHT) {
                return too_large("an output weight times an activation does not fit in 16 bits");
            }
            if weights.map(i64::from).sum::<i64>() * i64::from(QA * QA) > i64::from(i32::MAX) {
                return too_large("the output's sum does not fit in 32 bits");
            }
        }
        Ok(())
    }

    /// Which set of input weights belongs to each king square.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of weights, including biases.
    pub fn weights(&self) -> usize {
        let threats = self.threats.as_flattened().len();
        (self.features.len() + 1 + 2 * self.outputs.len()) * HIDDEN + self.output_bias.len() + threats
    }

    /// Sets of input weights.
    pub fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// Centipawns of an output of 1.0.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// What the network was made from and how, in JSON.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// The checksum that identifies a network.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The neurons of an empty board.
    pub(super) fn bias(&self) -> &Values {
        &self.bias.0
    }

    /// What one input adds to the neurons.
    pub(super) fn row(&self, feature: usize) -> &InputWeights {
        &self.features[feature].0
    }

    /// The set of output weights for this many pieces.
    pub fn output_bucket(pieces: usize) -> usize {
        (pieces.saturating_sub(2) / BUCKET_PIECES).min(OUTPUT_BUCKETS - 1)
    }

    /// The evaluation for the side to move in centipawns, from both views' neurons, the side to move's first, and what
    /// attacks what on the board.
    pub(super) fn output(&self, ours: &Values, theirs: &Values, board: &Board, turn: Color) -> i32 {
        let bucket = Network::output_bucket(board.occupied().count());
        let sum = kernels::output(ours, theirs, [&self.outputs[bucket][0].0, &self.outputs[bucket][1].0]);
        let threats = threats::sum(&self.threats[bucket], board, turn);
        let output = i64::from(sum / QA) + i64::from(self.output_bias[bucket]) + i64::from(threats);
        let scaled = output * i64::from(self.scale) / i64::from(QA * QB);
        scaled.clamp(-i64::from(MAX_EVAL), i64::from(MAX_EVAL)) as i32
    }

    /// The neurons of one side's view of a board, from scratch.
    fn values(&self, board: &Board, color: Color) -> Values {
        let view = View::new(&self.layout, color, board.king_of(color).unwrap_or(Square::A1));
        let mut values = self.bias.0;
        for (square, piece) in board {
            kernels::add(&mut values, self.row(view.feature(piece, square)));
        }
        values
    }

    /// What each piece except the kings is worth to its side in centipawns: how much worse the side stands without it.
    pub fn piece_values(&self, position: &Position) -> Vec<(Square, i32)> {
        let (board, turn) = (position.board(), position.turn());
        let total = self.evaluate(board, turn);
        let value = |(square, piece): (Square, Piece)| {
            let mut without = board.clone();
            without.discard_piece_at(square);
            let loss = total - self.evaluate(&without, turn);
            (piece.role != Role::King).then(|| (square, if piece.color == turn { loss } else { -loss }))
        };
        board.into_iter().filter_map(value).collect()
    }

    /// The evaluation of a board for the side to move in centipawns, within [`MAX_EVAL`], from scratch. The board need
    /// not be a legal position.
    pub fn evaluate(&self, board: &Board, turn: Color) -> i32 {
        let (ours, theirs) = (self.values(board, turn), self.values(board, !turn));
        self.output(&ours, &theirs, board, turn)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use fastrand::Rng;

    /// A network of random weights: good enough for testing arithmetic.
    pub fn random(seed: u64, king_buckets: usize) -> Network {
        let mut dice = Rng::with_seed(seed);
        let values = |dice: &mut Rng, largest: i16| std::array::from_fn(|_| dice.i16(-largest..=largest));
        let input_weights = |dice: &mut Rng| std::array::from_fn(|_| dice.i8(..));
        let mut network = Network {
            layout: std::array::from_fn(|square| (square % king_buckets) as u8),
            king_buckets,
            features: (0..king_buckets * INPUTS).map(|_| Row(input_weights(&mut dice))).collect(),
            bias: Row(values(&mut dice, 200)),
            outputs: (0..OUTPUT_BUCKETS).map(|_| [Row(values(&mut dice, 60)), Row(values(&mut dice, 60))]).collect(),
            output_bias: [-900, 0, 700, 12, -5, 3000, 1, -1],
            threats: std::array::from_fn(|_| std::array::from_fn(|_| dice.i16(-500..=500))),
            scale: 400,
            provenance: format!("{{\"seed\":{seed}}}"),
            checksum: 0,
        };
        network.checksum = Network::read(&network.write()).unwrap().checksum;
        network
    }

    impl Network {
        /// The bytes of the network's file.
        pub fn write(&self) -> Vec<u8> {
            let mut body = self.layout.to_vec();
            body.extend(self.provenance.as_bytes());
            body.resize((HEAD + body.len()).next_multiple_of(ALIGNMENT) - HEAD, 0);
            body.extend(self.features.iter().flat_map(|row| row.0).map(i8::cast_unsigned));
            let rows = [&self.bias].into_iter().chain(self.outputs.iter().flatten());
            body.extend(rows.flat_map(|row| row.0).flat_map(|value| value.to_le_bytes()));
            body.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
            body.extend(self.threats.as_flattened().iter().flat_map(|weight| weight.to_le_bytes()));
            let shape =
                [self.king_buckets, HIDDEN, OUTPUT_BUCKETS, THREATS, QA as usize, QB as usize, self.scale as usize];
            let numbers = shape.into_iter().chain([self.provenance.len()]).map(|number| number as u32);
            let mut bytes = MAGIC.to_vec();
            bytes.extend(numbers.flat_map(u32::to_le_bytes));
            bytes.extend(checksum(&bytes, &body).to_le_bytes());
            bytes.extend(body);
            bytes
        }
    }

    #[test]
    fn a_file_reads_back_as_what_was_written() {
        for buckets in [1, 3] {
            let network = random(buckets as u64, buckets);
            assert_eq!(Network::read(&network.write()).unwrap(), network);
        }
    }

    #[test]
    fn damage_is_found_wherever_it_is() {
        let bytes = random(7, 1).write();
        for length in [0, 7, 8, 39, 40, 71, 72, 200, bytes.len() - 1] {
            assert!(Network::read(&bytes[..length]).is_err(), "{length}");
        }
        assert_eq!(Network::read(&[&bytes[..], &[0]].concat()), Err(NetworkError::TooLong { extra: 1 }));
        for place in (0..bytes.len()).step_by(1 + bytes.len() / 300).chain(0..80) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Network::read(&damaged).is_err(), "{place}");
        }
        assert_eq!(Network::read(b"MZ"), Err(NetworkError::NotANetwork));
        assert_eq!(Network::read(b"PACINET2 and more"), Err(NetworkError::OtherVersion));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let sound = random(1, 1);
        for bias in [MAX_HIDDEN_BIAS as i16 + 1, -(MAX_HIDDEN_BIAS as i16) - 1, i16::MIN] {
            let mut wild = sound.clone();
            wild.bias.0[5] = bias;
            assert!(matches!(Network::read(&wild.write()), Err(NetworkError::TooLarge { .. })));
        }
        for sign in [1, -1] {
            let mut wild = sound.clone();
            wild.outputs[3][1].0[0] = sign * 129;
            assert!(matches!(Network::read(&wild.write()), Err(NetworkError::TooLarge { .. })));
            let mut wild = sound.clone();
            wild.outputs[3] = [Row([sign * 100; HIDDEN]), Row([sign * 100; HIDDEN])];
            assert!(matches!(Network::read(&wild.write()), Err(NetworkError::TooLarge { .. })));
        }
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let board = Board::default();
        assert_eq!(board.occupied().count(), MOST_PIECES);
        for (bias, weight) in [(MAX_HIDDEN_BIAS as i16, i8::MAX), (-(MAX_HIDDEN_BIAS as i16), i8::MIN)] {
            let mut extreme = random(1, 1);
            extreme.bias = Row([bias; HIDDEN]);
            extreme.features.fill(Row([weight; HIDDEN]));
            let extreme = Network::read(&extreme.write()).unwrap();
            let sum = i32::from(bias) + i32::from(weight) * MOST_PIECES as i32;
            assert!(extreme.values(&board, Color::White).iter().all(|&value| i32::from(value) == sum));
        }
    }

    #[test]
    fn the_largest_output_does_not_overflow() {
        // As much weight as fits beside the largest activations, spread evenly.
        let weight = i32::MAX / (QA * QA);
        let (each, rest) = (weight as usize / (2 * HIDDEN), weight as usize % (2 * HIDDEN));
        let active = [ACTIVATION_MAX; HIDDEN];
        for sign in [1_i16, -1] {
            let spread = |neuron: usize| sign * (each + usize::from(neuron < rest)) as i16;
            let mut extreme = random(1, 1);
            extreme.outputs[3] = [0, HIDDEN].map(|first| Row(std::array::from_fn(|neuron| spread(first + neuron))));
            let read = Network::read(&extreme.write()).unwrap();
            let sum = kernels::output(&active, &active, [&read.outputs[3][0].0, &read.outputs[3][1].0]);
            assert_eq!(sum, i32::from(sign) * weight * QA * QA);
            extreme.outputs[3][1].0[HIDDEN - 1] += sign;
            assert!(matches!(Network::read(&extreme.write()), Err(NetworkError::TooLarge { .. })));
        }
    }

    #[test]
    fn the_output_is_what_the_formula_says() {
        let network = random(3, 2);
        let board = Board::default();
        for turn in Color::ALL {
            let mut sum = 0_i64;
            for (half, color) in [turn, !turn].into_iter().enumerate() {
                let view = View::new(&network.layout, color, board.king_of(color).unwrap());
                for neuron in 0..HIDDEN {
                    let rows = (&board).into_iter().map(|(square, piece)| view.feature(piece, square));
                    let value = i64::from(network.bias.0[neuron])
                        + rows.map(|row| i64::from(network.features[row].0[neuron])).sum::<i64>();
                    sum += value.clamp(0, 255).pow(2) * i64::from(network.outputs[7][half].0[neuron]);
                }
            }
            let threats = i64::from(threats::sum(&network.threats[7], &board, turn));
            let expected = (sum / 255 + i64::from(network.output_bias[7]) + threats) * 400 / (255 * 64);
            assert_eq!(i64::from(network.evaluate(&board, turn)), expected);
        }
    }

    #[test]
    fn a_piece_is_worth_what_its_side_loses_without_it() {
        let all = "3k4/7r/8/2p5/8/4P3/1Q6/6K1";
        let without = [
            (Square::B2, Color::White, "3k4/7r/8/2p5/8/4P3/8/6K1"),
            (Square::E3, Color::White, "3k4/7r/8/2p5/8/8/1Q6/6K1"),
            (Square::C5, Color::Black, "3k4/7r/8/8/8/4P3/1Q6/6K1"),
            (Square::H7, Color::Black, "3k4/8/8/2p5/8/4P3/1Q6/6K1"),
        ];
        let network = random(11, 2);
        for turn in Color::ALL {
            let position =
                |board: &str| Position::from_fen(&format!("{board} {} - - 0 1", turn.char()), false).unwrap();
            let for_white = |board: &str| {
                let score = network.evaluate(position(board).board(), turn);
                turn.fold_wb(score, -score)
            };
            let expected = without.map(|(square, owner, board)| {
                let loss = for_white(all) - for_white(board);
                (square, owner.fold_wb(loss, -loss))
            });
            assert!(expected.iter().all(|&(_, value)| value != 0), "{expected:?}");
            assert_eq!(network.piece_values(&position(all)), expected);
        }
    }

    #[test]
    fn output_buckets_go_by_pieces() {
        let buckets = [2, 5, 6, 29, 30, 32, 64].map(Network::output_bucket);
        assert_eq!(buckets, [0, 0, 1, 6, 7, 7, 7]);
    }
}
