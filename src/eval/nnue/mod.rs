//! An efficiently updatable neural network (Y. Nasu, 2018; Chess Programming Wiki, "NNUE").
//!
//! Each side sees the board from its own end: 768 inputs, one for each kind of piece on each square, mirrored so that
//! the side's king is on files a to d, with sets of weights by the king's square. A hidden layer for each view, squared
//! clipped activations, and one output from both layers, the side to move's first, with weights by the number of
//! pieces. What attacks what, the *threats*, is added to the output. All numbers are integers: every machine computes
//! the same bits.
//!
//! | file | what is there |
//! |---|---|
//! | `shape` | how many neurons and buckets, and the units of the weights |
//! | `network` | the weights, their file, and the evaluation from scratch |
//! | `features` | the numbering of the inputs |
//! | `threats` | the inputs that go straight to the output |
//! | `accumulator` | the hidden layer, updated incrementally along the search path |
//! | `kernels` | the arithmetic, for several instruction sets |

mod accumulator;
mod features;
mod kernels;
mod network;
mod shape;
mod threats;

use std::io::Read;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use thiserror::Error;

use crate::files::{self, ReadError};

pub(super) use accumulator::Accumulators;
use features::{INPUTS, KING_SQUARES};
#[cfg(test)]
pub use network::tests::random;
pub use network::{FAMILY, Network, NetworkError};
pub use shape::{HIDDEN, OUTPUT_BUCKETS};
pub use threats::THREATS;

/// The embedded network file: `EVALFILE` at build time, or else the project's own.
static EMBEDDED_BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/network.bin"));
/// Read once, since every engine uses it.
static EMBEDDED: LazyLock<Result<Arc<Network>, NetworkError>> =
    LazyLock::new(|| Network::read(EMBEDDED_BYTES).map(Arc::new));

/// Room for what a network's file has besides input weights.
const OTHER_BYTES: usize = 1 << 22;
/// Room for the largest network, with a set of weights for each king square, and for its provenance.
const FILE_LIMIT: u64 = (KING_SQUARES * INPUTS * HIDDEN + OTHER_BYTES) as u64;

/// Whether the embedded file is a network: another than the project's own may have been given at build time.
///
/// # Errors
///
/// [`NetworkError`]: why it is rejected.
pub fn check_embedded() -> Result<(), &'static NetworkError> {
    EMBEDDED.as_ref().map(|_| ())
}

/// The embedded network; `None` if [`check_embedded`] fails.
pub fn embedded() -> Option<Arc<Network>> {
    EMBEDDED.as_ref().ok().cloned()
}

/// A network file that is rejected.
#[derive(Debug, Error)]
pub enum OpenError {
    /// It cannot be read.
    #[error("cannot read it: {0}")]
    Read(#[from] ReadError),
    /// It is not a network for this program.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Reads a network from its file.
///
/// # Errors
///
/// [`OpenError`] if it cannot be read or is not a network for this program.
pub fn open(path: &Path) -> Result<Network, OpenError> {
    match files::read(path, FILE_LIMIT) {
        Ok(bytes) => Ok(Network::read(&bytes)?),
        // What it is says more than that it is large.
        Err(error @ ReadError::TooLarge { .. }) => Err(refusal(path).map_or(error.into(), OpenError::Network)),
        Err(error) => Err(error.into()),
    }
}

/// Why a file is not a network for this program, if its beginning says so.
fn refusal(path: &Path) -> Option<NetworkError> {
    let head = network::HEAD as u64;
    let file = files::open(path, files::STREAM_LIMIT).ok()?;
    let beginning = files::read_from(file.take(head), head, head).ok()?;
    Network::read(&beginning).err().filter(|error| !matches!(error, NetworkError::Truncated { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_embedded_network_is_sound() {
        assert_eq!(EMBEDDED.as_ref().err(), None);
    }

    #[test]
    fn of_a_file_that_is_too_large_it_is_said_what_it_is() {
        /// Where a file says how many neurons there are.
        const NEURONS: std::ops::Range<usize> = 12..16;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let own = random(1, 1).write();
        let mut wide = own.clone();
        wide[NEURONS].copy_from_slice(&(2 * HIDDEN as u32).to_le_bytes());
        let shape = format!("different architecture: neurons of the hidden layer is {}, expected {HIDDEN}", 2 * HIDDEN);
        let size = format!("cannot read it: it is larger than the limit of {FILE_LIMIT} bytes");
        for (beginning, reason) in [
            (&b"of another program"[..], "not a network file of this program"),
            (b"PACINET2, and more", "a network file of another version: PACINET3 expected"),
            (&wide, &shape),
            (&own, &size),
        ] {
            fs::write(&path, beginning).unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_len(FILE_LIMIT + 1).unwrap();
            assert_eq!(open(&path).unwrap_err().to_string(), reason);
        }
    }
}
