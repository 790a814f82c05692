//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom
//! Number Generators").

/// The golden ratio in 64 bits, by which the state advances.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The stream of one of many tasks under a common seed.
    pub fn of_task(seed: u64, task: u64) -> Random {
        let mut start = Random(seed);
        start.0 = start.draw().wrapping_add(task);
        Random(start.draw())
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `count`, which must not be zero.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.draw()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_published_ones_and_tasks_differ() {
        let mut random = Random::new(1_234_567);
        assert_eq!([random.draw(), random.draw()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        assert_ne!(Random::of_task(1, 1).draw(), Random::of_task(1, 2).draw());
        assert!((0..1000).all(|_| random.below(3) < 3));
    }
}
