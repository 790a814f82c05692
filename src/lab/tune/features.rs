//! The features of an evaluation: how often each weight enters it.
//!
//! The evaluation is linear in its tapered weights, and the points of king danger are linear in theirs. So a weight's
//! coefficient is the value of a term when this weight is one and all others are zero. Four tapered weights are probed
//! at once: two share each phase's sum, as the digits of a number.

use crate::board::{Color, Position, role_number};
use crate::eval::MAX_PHASE;
use crate::eval::{Trace, trace_with};
use crate::params::weights::{FULL_SCALE, Field, Weights};
use crate::units::Tapered;

/// The base of the digits in which a phase's sum holds two coefficients.
const DIGIT: i32 = 256;
/// The base of the digits in which the danger points hold two coefficients; none is negative.
const DANGER_DIGIT: i32 = 128;
/// Danger coefficients are kept in sixteenths.
pub(super) const DANGER_UNIT: f32 = 16.0;
/// Danger points while they are being counted: few enough that the evaluation can square them in 32 bits.
const POINTS_MAX: i32 = 32_000;
/// Names of the weights and terms that are not found by probing.
const MATERIAL: &str = "material";
const SQUARES: &str = "squares";
const DANGER: &str = "king danger";
const SHELTER: &str = "king shelter";

/// A weight's index in the flat view, and its coefficient.
pub(super) type Entry = (u16, i16);

/// The coefficients of one position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Features {
    /// Tapered weights by the index of their middlegame part: White's count minus Black's.
    pub linear: Vec<Entry>,
    /// King danger weights, for the danger to Black's king and to White's, in [`DANGER_UNIT`]s.
    pub danger: [Vec<Entry>; 2],
    /// The middlegame's share, 0 to 1.
    pub phase: f32,
    /// The endgame scale, 0 to 1.
    pub scale: f32,
    /// The evaluation itself from White's view, in centipawns.
    pub eval: i32,
}

/// The index of the weight with this name.
pub(super) fn place(fields: &[Field], name: &str) -> Option<usize> {
    let at = fields.iter().position(|field| field.name == name)?;
    Some(fields[..at].iter().map(|field| field.count).sum())
}

/// Up to four tapered weights, and the weight set that reveals their coefficients.
struct LinearProbe {
    /// The indices of those in the middlegame's sum, then of those in the endgame's; lower digit first.
    places: [[Option<u16>; 2]; 2],
    weights: Weights,
}

/// Up to two danger weights, and the weight set that reveals their coefficients.
struct DangerProbe {
    places: [Option<u16>; 2],
    weights: Weights,
}

/// Finds the coefficients of positions with one set of weights.
pub(super) struct Extractor {
    weights: Weights,
    linear: Vec<LinearProbe>,
    danger: Vec<DangerProbe>,
    material: usize,
    squares: usize,
    no_queen: u16,
    shelter: u16,
    base: DangerProbe,
}

impl Extractor {
    /// An extractor for these weights.
    pub(super) fn new(weights: &Weights) -> Extractor {
        let fields = weights.fields();
        let at = |name: &str| place(&fields, name).unwrap_or_default();
        let silent = silent(weights, &fields);
        let with = |settings: &[(usize, i32)]| {
            let mut values = silent.values();
            for &(place, value) in settings {
                values[place] = value;
            }
            let mut weights = weights.clone();
            weights.set_values(&values);
            weights
        };
        let asked = |field: &&Field| field.tapered && field.name != MATERIAL && field.name != SQUARES;
        let places = |field: &Field| at(field.name)..at(field.name) + field.count;
        let tapered: Vec<usize> = fields.iter().filter(asked).flat_map(|field| places(field).step_by(2)).collect();
        let linear = tapered.chunks(4).map(|group| {
            let mut probe = LinearProbe { places: [[None; 2]; 2], weights: silent.clone() };
            let mut settings = Vec::new();
            for (index, &place) in group.iter().enumerate() {
                let (phase, digit) = (index / 2, index % 2);
                probe.places[phase][digit] = Some(place as u16);
                settings.push((place + phase, if digit == 0 { 1 } else { DIGIT }));
            }
            probe.weights = with(&settings);
            probe
        });
        let (no_queen, shelter, base) = (at("danger_no_queen"), at("danger_shelter"), at("danger_base"));
        let counted: Vec<usize> = fields
            .iter()
            .filter(|field| is_danger(field.name))
            .flat_map(places)
            .filter(|place| ![no_queen, shelter, base].contains(place))
            .collect();
        let danger = counted.chunks(2).map(|group| {
            let settings: Vec<_> = group.iter().copied().zip([1, DANGER_DIGIT]).collect();
            let mut places = group.iter().map(|&place| place as u16);
            DangerProbe { places: [places.next(), places.next()], weights: with(&settings) }
        });
        // The attacker's missing queen shows as a deficit against the base.
        let base_probe =
            DangerProbe { places: [Some(base as u16), None], weights: with(&[(base, DANGER_DIGIT), (no_queen, 1)]) };
        Extractor {
            linear: linear.collect(),
            danger: danger.collect(),
            material: at(MATERIAL),
            squares: at(SQUARES),
            no_queen: no_queen as u16,
            shelter: shelter as u16,
            base: base_probe,
            weights: weights.clone(),
        }
    }

    /// The coefficients of a position.
    pub(super) fn features(&self, position: &Position) -> Features {
        let actual = trace_with(&self.weights, position);
        let mut linear = self.pieces(position);
        for probe in &self.linear {
            let sum = trace_with(&probe.weights, position).sum;
            for (phase, value) in [sum.mg(), sum.eg()].into_iter().enumerate() {
                let (low, high) = digits(value);
                for (place, count) in probe.places[phase].into_iter().zip([low, high]) {
                    if let Some(place) = place.filter(|_| count != 0) {
                        linear.push((place, count));
                    }
                }
            }
        }
        Features {
            linear,
            danger: [Color::White, Color::Black].map(|attacker| self.danger(position, attacker, &actual)),
            phase: actual.phase as f32 / MAX_PHASE as f32,
            scale: actual.scale as f32 / FULL_SCALE as f32,
            eval: actual.white_total,
        }
    }

    /// Material and placement, which need no probing.
    fn pieces(&self, position: &Position) -> Vec<Entry> {
        let mut counts: Vec<Entry> = Vec::with_capacity(64);
        let mut add = |place: usize, count: i16| match counts.iter_mut().find(|entry| entry.0 == place as u16) {
            Some(entry) => entry.1 += count,
            None => counts.push((place as u16, count)),
        };
        for (square, piece) in position.board().clone() {
            let (sign, seen_from) = piece.color.fold_wb((1, square), (-1, square.flip_vertical()));
            let role = role_number(piece.role);
            add(self.material + 2 * role, sign);
            add(self.squares + 2 * (64 * role + seen_from.to_usize()), sign);
        }
        counts.retain(|entry| entry.1 != 0);
        counts
    }

    /// The danger to the attacker's enemy.
    fn danger(&self, position: &Position, attacker: Color, actual: &Trace) -> Vec<Entry> {
        let points = |probe: &DangerProbe| -term(&trace_with(&probe.weights, position), DANGER, !attacker).eg();
        let unit = DANGER_UNIT as i16;
        let base = points(&self.base);
        if base == 0 {
            return Vec::new();
        }
        let mut entries: Vec<Entry> = self.base.places.into_iter().flatten().map(|place| (place, unit)).collect();
        if base < DANGER_DIGIT {
            entries.push((self.no_queen, -unit));
        }
        // The shelter's weight refers to sixteen centipawns, so a centipawn is a sixteenth already.
        entries.push((self.shelter, -term(actual, SHELTER, !attacker).mg() as i16));
        for probe in &self.danger {
            let value = points(probe);
            for (place, count) in probe.places.into_iter().zip([value % DANGER_DIGIT, value / DANGER_DIGIT]) {
                if let Some(place) = place.filter(|_| count != 0) {
                    entries.push((place, count as i16 * unit));
                }
            }
        }
        entries
    }
}

/// Whether a weight adds to the points of king danger.
pub(super) fn is_danger(name: &str) -> bool {
    name.starts_with("danger_") && !is_danger_form(name)
}

/// Whether a weight shapes the curve from danger points to centipawns.
fn is_danger_form(name: &str) -> bool {
    ["danger_max", "danger_mg_divisor", "danger_eg_divisor"].contains(&name)
}

/// The weights with everything that a fit may change set to zero, and danger points unscaled.
fn silent(weights: &Weights, fields: &[Field]) -> Weights {
    let mut values = weights.values();
    let mut start = 0;
    for field in fields {
        if field.tapered || is_danger(field.name) {
            values[start..start + field.count].fill(0);
        }
        start += field.count;
    }
    let mut silent = weights.clone();
    silent.set_values(&values);
    silent.danger_max = POINTS_MAX;
    silent.danger_mg_divisor = i32::MAX;
    silent.danger_eg_divisor = 1;
    silent
}

/// Both digits of a sum; either may be negative.
fn digits(value: i32) -> (i16, i16) {
    let high = (value + DIGIT / 2).div_euclid(DIGIT);
    ((value - high * DIGIT) as i16, high as i16)
}

/// What a term gives a side.
fn term(trace: &Trace, name: &str, color: Color) -> Tapered {
    let found = trace.terms.iter().find(|term| term.name == name);
    found.map_or(Tapered::ZERO, |term| color.fold_wb(term.white, term.black))
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::fit::Model;
    use super::*;
    use crate::params::weights::WEIGHTS;

    #[test]
    fn digits_come_apart_again() {
        for (low, high) in [(0, 0), (5, -3), (-7, 2), (127, 120), (-128, -1)] {
            assert_eq!(digits(high * DIGIT + low), (low as i16, high as i16));
        }
    }

    /// The coefficients must reproduce the evaluation, with the weights they were found with and with others.
    #[test]
    fn coefficients_times_weights_are_the_evaluation() {
        let mut other = WEIGHTS;
        let shifted: Vec<i32> = WEIGHTS.values().iter().map(|value| value + value / 8).collect();
        other.set_values(&shifted);
        other = Weights { tempo: other.tempo, shelter: other.shelter, passed: other.passed, ..WEIGHTS };
        let extractor = Extractor::new(&WEIGHTS);
        let mut random = Rng::with_seed(7);
        let mut position = Position::default();
        for _ in 0..400 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.is_dead() {
                position = Position::default();
                continue;
            }
            position = position.play(moves[random.usize(..moves.len())]);
            let features = extractor.features(&position);
            for weights in [&WEIGHTS, &other] {
                let exact = trace_with(weights, &position).white_total;
                let values: Vec<f32> = weights.values().iter().map(|&value| value as f32).collect();
                let model = Model::new(weights).eval(&values, &features);
                // Divisions round in the evaluation; the shelter's part in the danger is kept as found.
                assert!((model - exact as f32).abs() <= 6.0, "{model} {exact} {}", position.fen());
            }
        }
    }
}
