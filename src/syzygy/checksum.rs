//! The checksum at the end of a table: whether the file is as its generator wrote it.
//!
//! The generator hashes a table in chunks with CityHashCrc256, hashes the list of those hashes to 128 bits, and appends
//! the result (source: R. de Man, `tb`, checksum.c; G. Pike and J. Alakuijala, CityHash 1.0, citycrc). Only files of
//! one chunk are checked here, so the list is 32 bytes, which CityHashCrc128 leaves to CityHash128.

use std::io;
use std::num::Wrapping;

/// The largest table that is read completely when it is opened: all with up to 4 pieces are smaller. Reading the
/// largest ones would keep a GUI waiting for minutes.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// Bytes of the checksum.
const CHECKSUM: usize = 16;
/// The hashed length is a multiple of this many bytes.
const BLOCK: usize = 64;

/// Checks a whole file of at most [`MOST_BYTES`]; one without a checksum is accepted.
pub(super) fn check(file: &[u8]) -> io::Result<()> {
    if file.len() % BLOCK != CHECKSUM {
        return Ok(());
    }
    let (table, checksum) = file.split_at(file.len() - CHECKSUM);
    let is_whole = checksum == checksum_of(table);
    if is_whole { Ok(()) } else { Err(io::Error::other("its contents do not match its checksum")) }
}

/// The checksum of a table of one chunk.
pub(super) fn checksum_of(table: &[u8]) -> [u8; CHECKSUM] {
    let hash = city_crc_256(table).map(u64::to_le_bytes).concat();
    // The crate has the first word in the upper half.
    let hash = cityhash_rs::cityhash_102_128(&hash);
    hash.rotate_left(u64::BITS).to_le_bytes()
}

/// Bytes consumed by each step of the hash.
const STEP: usize = 5 * size_of::<u64>();
/// Bytes consumed by each round: steps with and without multiplication alternate.
const ROUND: usize = 6 * STEP;
/// The multiplier of CityHash called k0.
const K0: Wrapping<u64> = Wrapping(0xc3a5_c85c_97cb_3127);

/// CityHashCrc256. Less than a round is padded with zeros, with the length as the seed.
fn city_crc_256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= ROUND {
        return long_hash(bytes, 0);
    }
    let mut padded = [0; ROUND];
    padded[..bytes.len()].copy_from_slice(bytes);
    long_hash(&padded, !(bytes.len() as u32))
}

/// CityHashCrc256 of at least one round. Letters are those of the source; all arithmetic wraps.
fn long_hash(bytes: &[u8], seed: u32) -> [u64; 4] {
    let length = Wrapping(bytes.len() as u64);
    let b = word(bytes, 96) + K0;
    let first = mix(b, length);
    let second = word(bytes, 120) * K0 + length;
    let mut state = State {
        lanes: [word(bytes, 56) + K0, b, first, second, word(bytes, 184) + Wrapping(u64::from(seed)), first + second],
        crcs: [seed, 0, 0, 0, 0],
    };
    let (rounds, rest) = bytes.as_chunks::<ROUND>();
    for step in rounds.iter().flat_map(|round| round.as_chunks::<{ 2 * STEP }>().0) {
        state.step(&step[..STEP], Wrapping(1), 1);
        state.step(&step[STEP..], K0, 0);
    }
    let (steps, tail) = rest.as_chunks::<STEP>();
    steps.iter().for_each(|step| state.step(step, K0, 0));
    if !tail.is_empty() {
        state.step(&bytes[bytes.len() - STEP..], K0, 0);
    }
    state.finish(first, second)
}

/// The state carried from step to step.
struct State {
    /// a to e, and t.
    lanes: [Wrapping<u64>; 6],
    /// f to j, each a CRC-32C of an earlier value of one lane.
    crcs: [u32; 5],
}

impl State {
    /// Consumes 40 bytes. Two kinds of steps differ in multiplier and in the last bit of the rotations.
    fn step(&mut self, bytes: &[u8], multiplier: Wrapping<u64>, odd: u32) {
        const ROTATIONS: [u32; 5] = [41, 27, 41, 33, 25];
        let a = self.lanes[0];
        for (lane, rotation) in ROTATIONS.into_iter().enumerate() {
            let next = Wrapping(self.lanes[lane + 1].0.rotate_right(rotation ^ odd));
            self.lanes[lane] = next * multiplier + word(bytes, lane * size_of::<u64>());
            // The instruction inverts nothing; the crate's function inverts input and output.
            self.crcs[lane] = !crc32c::crc32c_append(!self.crcs[lane], &self.lanes[lane].0.to_le_bytes());
        }
        self.lanes[ROTATIONS.len()] = a;
    }

    /// The hash; `first` and `second` are the initial words.
    fn finish(self, first: Wrapping<u64>, second: Wrapping<u64>) -> [u64; 4] {
        let [mut a, mut b, mut c, mut d, mut e, t] = self.lanes;
        let [mut f, mut g, mut h, mut i, mut j] = self.crcs.map(|crc| Wrapping(u64::from(crc)));
        j += i << 32;
        a = mix(a, j);
        h += g << 32;
        b += h;
        c = mix(c, f) + i;
        d = mix(d, e + first);
        j += e;
        i += mix(h, t);
        e = mix(a, d) + j;
        f = mix(b, c) + a;
        g = mix(j, i) + c;
        let mut words = [e + f + g + h, second, Wrapping(0), Wrapping(0)];
        a = fold((a + g) * K0) * K0 + b;
        words[1] += a + words[0];
        a = fold(a * K0) * K0 + c;
        words[2] = a + words[1];
        a = fold((a + e) * K0) * K0;
        words[3] = a + words[2];
        words.map(|word| word.0)
    }
}

/// The word at an offset.
fn word(bytes: &[u8], offset: usize) -> Wrapping<u64> {
    let mut word = [0; size_of::<u64>()];
    word.copy_from_slice(&bytes[offset..offset + size_of::<u64>()]);
    Wrapping(u64::from_le_bytes(word))
}

/// The high bits over the low ones: ShiftMix.
fn fold(x: Wrapping<u64>) -> Wrapping<u64> {
    x ^ (x >> 47)
}

/// Two words in one: HashLen16.
fn mix(x: Wrapping<u64>, y: Wrapping<u64>) -> Wrapping<u64> {
    const MULTIPLIER: Wrapping<u64> = Wrapping(0x9ddf_ea08_eb38_2d69);
    let z = fold((x ^ y) * MULTIPLIER);
    fold((y ^ z) * MULTIPLIER) * MULTIPLIER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_generators_own_code() {
        // Computed by the C code of the generator (R. de Man, `tb`: city-c.c) from the same bytes: less than a round,
        // a round, and rounds with steps and a tail after them.
        for (length, expected) in [
            (64, 0x6cb2_48bc_7aee_bbf7_e670_b1ea_b69a_cfda_u128),
            (192, 0xf72c_b30d_1ec3_a514_fb6c_c375_45b5_67bd),
            (240, 0xb074_5539_20e1_8001_5f8e_d0a2_b025_31da),
            (1024, 0xbe52_7058_598d_6ead_0f80_8ce4_88eb_2569),
            (4096, 0x127b_80a1_a848_6b86_effe_2017_ab88_0592),
        ] {
            let bytes: Vec<u8> = (0..length).map(|i: usize| (i * i + 7 * i) as u8).collect();
            assert_eq!(checksum_of(&bytes), expected.to_be_bytes(), "{length}");
        }
    }
}
