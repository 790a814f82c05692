//! Axes: where values are, and which of them are labelled.

use crate::text::short;

/// How values are spread along an axis.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Scale {
    /// Linear.
    Linear { low: f64, high: f64 },
    /// Linear from zero, with a label at its end.
    UpTo { end: f64 },
    /// Logarithmic, with a label at its end.
    Log { low: f64, high: f64 },
    /// A single value, in the middle.
    One { value: f64 },
}

/// The least distance of a label from that of a logarithmic axis' end, as a part of the axis.
const NEAR_END: f64 = 0.09;

impl Scale {
    /// A linear scale from zero to a round number that contains the values.
    pub fn from_zero(values: impl Iterator<Item = f64>) -> Scale {
        let high = values.fold(1.0, f64::max);
        let step = step(high / 5.0);
        Scale::Linear { low: 0.0, high: (high / step).ceil() * step }
    }

    /// A linear scale from zero to this value, round or not.
    pub fn up_to(end: f64) -> Scale {
        Scale::UpTo { end: end.max(1.0) }
    }

    /// A linear scale that ends with the values.
    pub fn around(values: impl Iterator<Item = f64> + Clone) -> Scale {
        let (low, high) = range(values);
        if high > low { Scale::Linear { low, high } } else { Scale::One { value: low } }
    }

    /// A logarithmic scale that contains the values; those below 1 are at its start.
    pub fn log(values: impl Iterator<Item = f64> + Clone) -> Scale {
        let (low, high) = range(values.map(|value| value.max(1.0)));
        Scale::Log { low, high: if high > low { high } else { low * 10.0 } }
    }

    /// Position of a value, from 0 at the low end to 1 at the high end.
    pub fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear { low, high } => (value - low) / (high - low),
            Scale::UpTo { end } => value / end,
            Scale::Log { low, high } => (value.max(low) / low).ln() / (high / low).ln(),
            Scale::One { .. } => 0.5,
        }
    }

    /// Values to label on the axis, with their text.
    pub fn ticks(self) -> Vec<(f64, String)> {
        let values: Vec<f64> = match self {
            Scale::Linear { low, high } => {
                let step = step((high - low) / 6.0).max(1.0);
                let first = (low / step).ceil() as i64;
                let last = (high / step).floor() as i64;
                (first..=last).map(|multiple| multiple as f64 * step).collect()
            }
            Scale::UpTo { end } => {
                let step = step(end / 5.0).max(1.0);
                // A label too near to that of the end would touch it.
                let below =
                    (0..).map(|multiple| f64::from(multiple) * step).take_while(|value| end - value > step / 2.0);
                below.chain([end]).collect()
            }
            Scale::Log { low, high } => {
                let first = low.log10().floor() as i32;
                let last = high.log10().ceil() as i32;
                // If there are few powers, values between them fit; of many, only every second or third is shown.
                let every = ((last - first) / 6 + 1).max(1);
                let between: &[f64] = if last - first <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0).map(|power| 10f64.powi(power));
                let values = powers.flat_map(|power| between.iter().map(move |factor| factor * power));
                // The end has its label, too; one that is too near would touch it.
                let is_free = |&value: &f64| value >= low && self.place(value) <= 1.0 - NEAR_END;
                values.filter(is_free).chain([high]).collect()
            }
            Scale::One { value } => vec![value],
        };
        values.into_iter().map(|value| (value, short(value))).collect()
    }
}

/// The smallest and largest of some values; 0 and 1 if there are none.
fn range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    if low.is_finite() { (low, values.fold(low, f64::max)) } else { (0.0, 1.0) }
}

/// The next 1, 2 or 5 times a power of ten that is not smaller.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(f64::MIN_POSITIVE).log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|&step| step >= least * 0.999).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(texts(Scale::from_zero([23.0].into_iter())), ["0", "5", "10", "15", "20", "25"]);
        assert_eq!(texts(Scale::up_to(305.0)), ["0", "100", "200", "305"]);
        assert_eq!(texts(Scale::up_to(5.0)), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(texts(Scale::around([5.0, 8.0].into_iter())), ["5", "6", "7", "8"]);
        assert_eq!(texts(Scale::around([5.0, 5.0].into_iter())), ["5"]);
        assert_eq!(texts(Scale::log([1.0, 2e6].into_iter())), ["1", "100", "10 k", "2 M"]);
        assert_eq!(
            texts(Scale::log([200.0, 90_000.0].into_iter())),
            ["200", "500", "1 k", "2 k", "5 k", "10 k", "20 k", "50 k", "90 k"]
        );
        for scale in
            [Scale::from_zero(std::iter::empty()), Scale::around(std::iter::empty()), Scale::log([3.0].into_iter())]
        {
            assert!(scale.place(scale.ticks()[0].0).is_finite());
        }
    }

    #[test]
    fn places_run_from_end_to_end() {
        let scale = Scale::log([1.0, 10_000.0].into_iter());
        assert_eq!([0.0, 1.0, 100.0, 10_000.0].map(|value| scale.place(value)), [0.0, 0.0, 0.5, 1.0]);
    }
}
