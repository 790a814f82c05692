//! Layer 0: checks whether memory is available before it is needed.
//!
//! Rust aborts when a small allocation fails, so the memory that an error can still be reported for is checked
//! beforehand: it is reserved, not touched, and released at once. This detects a limit on the process (`ulimit -v`) and
//! a system without overcommit, but not what other programs take meanwhile.

use std::hint::black_box;

/// Bytes in a megabyte.
pub const MEGABYTE: usize = 1 << 20;

/// How many of `wanted` blocks of `bytes` bytes are available at the same time.
pub fn blocks(wanted: usize, bytes: usize) -> usize {
    let mut held: Vec<Vec<u8>> = Vec::new();
    while held.len() < wanted {
        let mut block = Vec::new();
        if held.try_reserve(1).is_err() || block.try_reserve_exact(bytes).is_err() {
            break;
        }
        // The compiler may remove a reservation that is never used.
        held.push(black_box(block));
    }
    held.len()
}

/// Whether `bytes` bytes are available in one block.
pub fn has(bytes: usize) -> bool {
    blocks(1, bytes) == 1
}

/// Does `work` while so many bytes are set aside, if they are available, so that it leaves them.
pub fn leaving<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let mut kept: Vec<u8> = Vec::new();
    // With even less there is nothing to leave.
    let _ = kept.try_reserve_exact(bytes);
    let kept = black_box(kept);
    let result = work();
    drop(kept);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_blocks_are_there_and_impossible_ones_are_not() {
        assert!(has(1) && blocks(3, MEGABYTE) == 3 && blocks(0, MEGABYTE) == 0);
        assert!(!has(usize::MAX) && blocks(4, isize::MAX as usize) == 0);
    }
}
