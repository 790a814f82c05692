//! The network's arithmetic: loops over integers, compiled for several instruction sets; the best one the machine
//! supports is selected at the first call. Integer sums do not depend on their order, so every set gives the same bits.
//!
//! The output layer's vectors have 512 bits where the program is compiled for a machine with AVX-512; two of 256 bits
//! take their place with AVX2, and four of 128 bits in a program for any machine.

use super::shape::{ACTIVATION_MAX, HIDDEN, InputWeights, Values};

pub(super) use chosen::{add, add_sub, add_sub_sub, exchange, output, sub};

/// The loops, for whatever instructions their caller is compiled for.
mod loops {
    use wide::{i16x32, i32x16};

    use super::{ACTIVATION_MAX, HIDDEN, InputWeights, Values};

    /// Numbers that a vector holds.
    const LANES: usize = 32;
    /// Sums that grow side by side: with one, every addition would wait for the last.
    const SUMS: usize = 4;
    /// The neurons of a step.
    const STEP: usize = SUMS * LANES;
    const _: () = assert!(HIDDEN.is_multiple_of(STEP));

    #[inline(always)]
    pub fn add_sub(to: &mut Values, from: &Values, add: &InputWeights, sub: &InputWeights) {
        for i in 0..HIDDEN {
            to[i] = from[i].wrapping_add(i16::from(add[i])).wrapping_sub(i16::from(sub[i]));
        }
    }

    #[inline(always)]
    pub fn add_sub_sub(to: &mut Values, from: &Values, add: &InputWeights, subs: &[&InputWeights; 2]) {
        for i in 0..HIDDEN {
            let less = i16::from(subs[0][i]) + i16::from(subs[1][i]);
            to[i] = from[i].wrapping_add(i16::from(add[i])).wrapping_sub(less);
        }
    }

    #[inline(always)]
    pub fn add(to: &mut Values, row: &InputWeights) {
        for i in 0..HIDDEN {
            to[i] = to[i].wrapping_add(i16::from(row[i]));
        }
    }

    #[inline(always)]
    pub fn sub(to: &mut Values, row: &InputWeights) {
        for i in 0..HIDDEN {
            to[i] = to[i].wrapping_sub(i16::from(row[i]));
        }
    }

    #[inline(always)]
    pub fn exchange(to: &mut Values, adds: &[&InputWeights; 2], subs: &[&InputWeights; 2]) {
        for i in 0..HIDDEN {
            let more = i16::from(adds[0][i]) + i16::from(adds[1][i]);
            let less = i16::from(subs[0][i]) + i16::from(subs[1][i]);
            to[i] = to[i].wrapping_add(more).wrapping_sub(less);
        }
    }

    /// By vectors, since of plain loops the compiler makes products of pairs in half of each vector only.
    #[inline(always)]
    pub fn output(ours: &Values, theirs: &Values, weights: [&Values; 2]) -> i32 {
        let mut sums = [i32x16::ZERO; SUMS];
        for (values, weights) in [(ours, weights[0]), (theirs, weights[1])] {
            let steps = values.as_chunks::<STEP>().0.iter().zip(weights.as_chunks::<STEP>().0);
            for (values, weights) in steps {
                let vectors = values.as_chunks::<LANES>().0.iter().zip(weights.as_chunks().0);
                for (sum, (&values, &weights)) in sums.iter_mut().zip(vectors) {
                    let active = i16x32::new(values).max(i16x32::ZERO).min(i16x32::splat(ACTIVATION_MAX));
                    let weighed = active * i16x32::new(weights);
                    *sum += weighed.dot(active);
                }
            }
        }
        sums.into_iter().fold(i32x16::ZERO, |total, sum| total + sum).reduce_add()
    }
}

/// A module with the loops compiled for some instruction sets, of which the best that the machine has is called.
macro_rules! compiled {
    ($name:ident, $($target:tt),+) => {
        #[allow(dead_code, reason = "a build for one machine calls the set that this has, without asking")]
        mod $name {
            use super::{InputWeights, Values, loops};
            use multiversion::multiversion;

            /// `to` becomes `from` with one row added and one taken off: a quiet move.
            #[multiversion(targets($($target),+))]
            pub fn add_sub(to: &mut Values, from: &Values, add: &InputWeights, sub: &InputWeights) {
                loops::add_sub(to, from, add, sub);
            }

            /// The same with two rows taken off: a capture.
            #[multiversion(targets($($target),+))]
            pub fn add_sub_sub(to: &mut Values, from: &Values, add: &InputWeights, subs: &[&InputWeights; 2]) {
                loops::add_sub_sub(to, from, add, subs);
            }

            /// One row more.
            #[multiversion(targets($($target),+))]
            pub fn add(to: &mut Values, row: &InputWeights) {
                loops::add(to, row);
            }

            /// One row less.
            #[multiversion(targets($($target),+))]
            pub fn sub(to: &mut Values, row: &InputWeights) {
                loops::sub(to, row);
            }

            /// Two rows more, and two less.
            #[multiversion(targets($($target),+))]
            pub fn exchange(to: &mut Values, adds: &[&InputWeights; 2], subs: &[&InputWeights; 2]) {
                loops::exchange(to, adds, subs);
            }

            /// The hidden layer's squared, clipped activations of both views, weighed and summed: the side to move's
            /// first.
            ///
            /// Nothing overflows where the weights are within the limits that a network is held to when it is read:
            /// the product of an activation and a weight fits 16 bits, and the sum 32.
            #[multiversion(targets($($target),+))]
            pub fn output(ours: &Values, theirs: &Values, weights: [&Values; 2]) -> i32 {
                loops::output(ours, theirs, weights)
            }
        }
    };
}

compiled!(chosen, "x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon");

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    compiled!(avx512, "x86_64+avx512f+avx512bw+avx512vl");
    compiled!(avx2, "x86_64+avx2");
    compiled!(neon, "aarch64+neon");

    /// What the functions of a module make of the same numbers.
    macro_rules! results {
        ($module:ident, $seed:expr) => {{
            let mut dice = Rng::with_seed($seed);
            let rows: [InputWeights; 4] = std::array::from_fn(|_| std::array::from_fn(|_| dice.i8(..)));
            let mut values = |largest: i16| -> Values { std::array::from_fn(|_| dice.i16(-largest..=largest)) };
            // Output weights as large as a network's may be; their sum, of both signs, is within its limits.
            let (from, weights) = (values(i16::MAX), [values(128), values(128)]);
            let (mut quiet, mut capture) = ([0; HIDDEN], [0; HIDDEN]);
            $module::add_sub(&mut quiet, &from, &rows[0], &rows[1]);
            $module::add_sub_sub(&mut capture, &from, &rows[0], &[&rows[1], &rows[2]]);
            let (mut more, mut less, mut exchanged) = (from, from, from);
            $module::add(&mut more, &rows[2]);
            $module::sub(&mut less, &rows[2]);
            $module::exchange(&mut exchanged, &[&rows[0], &rows[1]], &[&rows[2], &rows[3]]);
            let outputs = [(&quiet, &capture), (&more, &less)]
                .map(|(ours, theirs)| $module::output(ours, theirs, weights.each_ref()));
            (quiet, capture, more, less, exchanged, outputs)
        }};
    }

    #[test]
    fn an_exchange_adds_and_takes_off_row_by_row() {
        // All values of 8 bits in every row, others for neighbours and for each row.
        let rows: [InputWeights; 4] = std::array::from_fn(|row| std::array::from_fn(|i| (37 * i + 101 * row) as i8));
        let mut values: Values = std::array::from_fn(|i| 2 * i as i16);
        exchange(&mut values, &[&rows[0], &rows[3]], &[&rows[1], &rows[2]]);
        let row = |row: usize, i: usize| i16::from(rows[row][i]);
        assert_eq!(values, std::array::from_fn(|i| 2 * i as i16 + row(0, i) + row(3, i) - row(1, i) - row(2, i)));
    }

    #[test]
    fn the_output_is_the_sum_over_neurons() {
        for seed in 0..50 {
            let mut dice = Rng::with_seed(seed);
            let mut values = |largest: i16| -> Values { std::array::from_fn(|_| dice.i16(-largest..=largest)) };
            let (views, weights) = ([values(600), values(600)], [values(128), values(128)]);
            let neurons = views.iter().flatten().zip(weights.iter().flatten());
            let sum: i32 =
                neurons.map(|(&value, &weight)| i32::from(value).clamp(0, 255).pow(2) * i32::from(weight)).sum();
            assert_eq!(output(&views[0], &views[1], weights.each_ref()), sum, "{seed}");
        }
    }

    /// Where the machine lacks a set, its module has the plain loops, which are compared with themselves.
    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for seed in 0..200 {
            let plain = results!(loops, seed);
            assert!(results!(avx512, seed) == plain, "AVX-512, {seed}");
            assert!(results!(avx2, seed) == plain, "AVX2, {seed}");
            assert!(results!(neon, seed) == plain, "Neon, {seed}");
            assert!(results!(chosen, seed) == plain, "{seed}");
        }
    }
}
