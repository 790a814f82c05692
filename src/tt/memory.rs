//! Two hints to the processor about the table's memory. They change speed only: the one place with `unsafe`.

#![allow(unsafe_code, reason = "hints about memory have no safe interface; each use is proven harmless below")]

/// Asks for the cache line at `place` ahead of its use.
#[inline]
pub(super) fn prefetch<T>(place: &T) {
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

/// Asks the system to back a vector's reserved memory with large pages, as random access over many small ones misses
/// the address cache at every probe.
pub(super) fn advise_large_pages<T>(memory: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        /// The system takes whole pages only; this is a multiple of every small page size in use.
        const ALIGNMENT: usize = 1 << 16;
        let spare = memory.spare_capacity_mut();
        let start = spare.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(ALIGNMENT);
        let bytes = std::mem::size_of_val(spare).saturating_sub(before);
        // SAFETY: the range lies within memory that the vector has reserved and nobody else uses (`before` skips to the
        // first whole page, and the length is shortened by as much). MADV_HUGEPAGE changes neither contents nor
        // validity, only the size of the pages behind them; where it fails, nothing happens, and the result is rightly
        // ignored.
        let _ = unsafe { libc::madvise(start.wrapping_add(before).cast(), bytes, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
