//! Layer 0: what the system is asked for that has no safe interface: the transposition table's memory, allocated
//! without being touched, and hints on how memory is used. The only place with `unsafe`; `docs/reliability.md` says how
//! each use is tested.

#![allow(unsafe_code, reason = "untouched memory and hints have no safe interface; each use is proven harmless below")]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::AtomicU64;

/// The two words of an entry.
pub(crate) type Words = [AtomicU64; 2];

/// An array of `count` zeroed pairs of words; `None` if the memory is not available. The system provides such memory at
/// once and clears each page when it is first used.
pub(crate) fn zeroed(count: usize) -> Option<Vec<Words>> {
    let layout = Layout::array::<Words>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout's size is not zero, as `alloc_zeroed` requires.
    let memory = unsafe { alloc_zeroed(layout) }.cast::<Words>();
    // SAFETY: if it is not null, the memory comes from the global allocator with the layout of an array of `count`
    // pairs, which is that of a vector of this capacity; and all its bytes are zero, which is a valid `AtomicU64`, as
    // that has the bit validity of `u64`. Nobody else has the pointer.
    (!memory.is_null()).then(|| unsafe { Vec::from_raw_parts(memory, count, count) })
}

/// A multiple of every size of small pages in use.
#[cfg(all(target_os = "linux", not(miri)))]
const PAGES: usize = 1 << 16;

/// Sets all words to zero by giving the memory back to the system, which provides it anew when it is next used: that
/// takes no time for what was never used, and little for the rest. What is no whole page is written to. `false` if the
/// system takes no memory back, and nothing is done. The words are zero afterwards if the memory is private and
/// anonymous, as that of the system's allocator is, which the program does not replace.
pub(crate) fn renew(memory: &mut [Words]) -> bool {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let start = memory.as_mut_ptr().cast::<u8>();
        let size = std::mem::size_of_val(memory);
        let before = start.align_offset(PAGES).min(size);
        let bytes = (size - before) / PAGES * PAGES;
        // What holds no whole page is not given back. The system's answer to no bytes would depend on where they lie.
        // SAFETY: the range consists of whole pages within memory that is borrowed exclusively, and whatever the system
        // puts in their place is valid: any bits are an `AtomicU64`. If it fails, nothing happens.
        let is_renewed =
            bytes == 0 || unsafe { libc::madvise(start.wrapping_add(before).cast(), bytes, libc::MADV_DONTNEED) } == 0;
        if is_renewed {
            let (first, last) = (before.div_ceil(size_of::<Words>()), (before + bytes) / size_of::<Words>());
            memory[..first].fill_with(Words::default);
            memory[last..].fill_with(Words::default);
        }
        is_renewed
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    {
        let _ = memory;
        false
    }
}

/// Prefetches the cache line at `place`.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the pointer comes from a reference, so it is valid; and a prefetch never faults, reads no value and
        // changes nothing but the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks the system to back memory with large pages, since random access over many small ones misses the TLB at every
/// probe. Best called before the memory is first used.
pub(crate) fn advise_large_pages(memory: &mut [Words]) {
    // Miri, which runs the tests of the table and watches every access, has no pages.
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let start = memory.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(PAGES);
        let bytes = std::mem::size_of_val(memory).saturating_sub(before);
        // SAFETY: the range lies within memory that is borrowed exclusively (`before` skips to the first whole page,
        // and the length is shortened by as much). MADV_HUGEPAGE changes neither contents nor validity, only the size
        // of the pages behind them; if it fails, nothing happens, and the result is rightly ignored.
        let _ = unsafe { libc::madvise(start.wrapping_add(before).cast(), bytes, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = memory;
}

/// Lets all threads allocate from one place. By itself glibc's allocator reserves 64 MB of addresses for each thread,
/// and with limited memory (`ulimit -v`) the first thread to allocate leaves nothing for the others.
pub fn share_between_threads() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        // SAFETY: the call only changes a setting of the allocator, under the allocator's own lock; memory that is
        // allocated stays as it is. If the setting is refused, nothing changes, and the result is rightly ignored.
        let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn memory_that_is_renewed_is_zero_from_end_to_end_and_nothing_around_it_changes() {
        // Some pages, few or none, and less than would reach the first; from the beginning and from within.
        for count in [100_000, 5_000, 3] {
            let mut memory = zeroed(count).unwrap();
            for (from, to) in [(0, count), (1, count - 1)] {
                check_renewal(&mut memory, from, to);
            }
        }
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn memory_without_a_whole_page_is_renewed_wherever_it_lies() {
        const COUNT: usize = 4;
        // The system takes nothing of no length where a page begins, and refuses it everywhere else.
        let mut memory = zeroed(PAGES / size_of::<Words>() + 2 * COUNT).unwrap();
        let page = memory[COUNT..].as_ptr().cast::<u8>().align_offset(PAGES) / size_of::<Words>() + COUNT;
        for end in [page - 1, page, page + 1] {
            check_renewal(&mut memory, end - COUNT + 1, end);
        }
    }

    /// Renews the words from `from` to `to` and checks those and all others.
    fn check_renewal(memory: &mut [Words], from: usize, to: usize) {
        memory.fill_with(|| [AtomicU64::new(7), AtomicU64::new(9)]);
        let is_renewed = renew(&mut memory[from..to]);
        assert_eq!(is_renewed, cfg!(all(target_os = "linux", not(miri))), "from {from} to {to}");
        for (index, words) in memory.iter().enumerate() {
            let expected = if is_renewed && (from..to).contains(&index) { [0, 0] } else { [7, 9] };
            assert_eq!(words.each_ref().map(|word| word.load(Ordering::Relaxed)), expected, "{index}");
        }
    }
}
