//! Random numbers of tasks that are done in any order, and digests of what they depend on.

use fastrand::Rng;

/// The random numbers of one of many tasks under a common seed: the same whatever else is done before or in parallel.
pub(super) fn dice(seed: u64, task: u64) -> Rng {
    let first = Rng::with_seed(seed).u64(..);
    // Drawn once more, because neighbouring tasks must not start in neighbouring states.
    Rng::with_seed(Rng::with_seed(first.wrapping_add(task)).u64(..))
}

/// FNV-1a in 64 bits (Fowler, Noll, Vo).
pub(super) fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_depend_on_seed_and_task_only() {
        let draws = |seed, task| std::iter::repeat_with(|| dice(seed, task).u64(..)).take(2).collect::<Vec<_>>();
        let first = draws(1, 1);
        assert_eq!(first[0], first[1]);
        assert!(draws(1, 2)[0] != first[0] && draws(2, 1)[0] != first[0]);
    }
}
