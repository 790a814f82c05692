//! What is wrong with a line, and where: the reading of each part reports it in the same way.

/// What is wrong at a byte of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub at: usize,
    pub reason: String,
}

impl Fault {
    pub fn new(at: usize, reason: impl Into<String>) -> Fault {
        Fault { at, reason: reason.into() }
    }
}
