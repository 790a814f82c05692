//! The network's arithmetic: plain loops over integers, compiled for several instruction sets; the best one the machine
//! supports is selected at the first call. Integer sums do not depend on their order, so every set gives the same bits.

use multiversion::multiversion;

use super::network::{ACTIVATION_MAX, HIDDEN};

/// One number for each neuron of the hidden layer, for one side's view.
pub(super) type Values = [i16; HIDDEN];

/// `to` becomes `from` with one row added and one subtracted: a quiet move.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn add_sub(to: &mut Values, from: &Values, add: &Values, sub: &Values) {
    for i in 0..HIDDEN {
        to[i] = from[i].wrapping_add(add[i]).wrapping_sub(sub[i]);
    }
}

/// The same with two rows subtracted: a capture.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn add_sub_sub(to: &mut Values, from: &Values, add: &Values, first: &Values, second: &Values) {
    for i in 0..HIDDEN {
        to[i] = from[i].wrapping_add(add[i]).wrapping_sub(first[i]).wrapping_sub(second[i]);
    }
}

/// Adds one row.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn add(to: &mut Values, row: &Values) {
    for i in 0..HIDDEN {
        to[i] = to[i].wrapping_add(row[i]);
    }
}

/// Subtracts one row.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn sub(to: &mut Values, row: &Values) {
    for i in 0..HIDDEN {
        to[i] = to[i].wrapping_sub(row[i]);
    }
}

/// Weighted sum of both views' squared clipped activations, the side to move's first.
///
/// Nothing overflows if the weights are within the limits checked when a network is read: the product of an activation
/// and a weight fits in 16 bits, and the sum in 32.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn output(ours: &Values, theirs: &Values, weights: &[Values; 2]) -> i32 {
    let mut sum = 0_i32;
    for (values, weights) in [(ours, &weights[0]), (theirs, &weights[1])] {
        for i in 0..HIDDEN {
            let active = values[i].clamp(0, ACTIVATION_MAX);
            let weighed = active.wrapping_mul(weights[i]);
            sum = sum.wrapping_add(i32::from(weighed) * i32::from(active));
        }
    }
    sum
}
