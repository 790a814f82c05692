//! How the values moved, as a picture.

use super::{Tunable, Tuning};
use crate::picture::{Figure, LineChart, Series, to_svg};
use crate::text::grouped;
use crate::units::PERCENT;

/// Curves in one chart: as many as there are colours.
const CURVES: usize = 8;

/// The values over the games, each as a share of its range, as an SVG picture.
pub fn picture(tuning: &Tuning) -> String {
    let tunables: Vec<(usize, &Tunable)> = tuning.origin().tunables.iter().enumerate().collect();
    let charts: Vec<Figure> = tunables.chunks(CURVES).map(|group| chart(tuning, group)).collect();
    to_svg("Tuning by self-play", &charts)
}

/// One chart, of these tunables.
fn chart(tuning: &Tuning, tunables: &[(usize, &Tunable)]) -> Figure {
    let whole = f64::from(PERCENT);
    let curve = |color: usize, index: usize, tunable: &Tunable| {
        let (least, range) = (f64::from(tunable.least), f64::from((tunable.most - tunable.least).max(1)));
        let share = |value: f64| whole * (value - least) / range;
        let points = tuning.history().iter().map(|then| (then.games as f64, share(then.values[index])));
        Series { name: tunable.name.clone(), color, steps: true, points: points.collect(), ..Series::default() }
    };
    let games = tuning.tuner().games();
    let chart = LineChart {
        title: "Values over the games".to_owned(),
        subtitle: format!("each in percent of its range; {} games", grouped(games)),
        x_label: "games".to_owned(),
        y_end: Some(whole),
        series: (1..).zip(tunables).map(|(color, &(index, tunable))| curve(color, index, tunable)).collect(),
        ..LineChart::default()
    };
    chart.draw()
}
