//! Layer 0: whether memory is to be had, asked before it is needed.
//!
//! Rust ends the program where a small allocation fails, so that what may fail politely is asked for beforehand: room
//! is reserved, nothing of it is touched, and it is given back at once. A limit on a process (`ulimit -v`) and a system
//! that counts what it promises are seen that way; what other programs take meanwhile is not.

use std::hint::black_box;

/// Bytes in a megabyte.
pub const MEGABYTE: usize = 1 << 20;

/// How many of `wanted` blocks of so many bytes can be had, all at the same time.
pub fn blocks(wanted: usize, bytes: usize) -> usize {
    let mut held: Vec<Vec<u8>> = Vec::new();
    while held.len() < wanted {
        let mut block = Vec::new();
        if held.try_reserve(1).is_err() || block.try_reserve_exact(bytes).is_err() {
            break;
        }
        // A reservation that nobody looks at may be taken out by the compiler.
        held.push(black_box(block));
    }
    held.len()
}

/// Whether so many bytes can be had in one piece.
pub fn has(bytes: usize) -> bool {
    blocks(1, bytes) == 1
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
