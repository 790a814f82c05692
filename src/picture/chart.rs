//! Curves over a common axis, each labelled at its end, so that no legend is needed.

use maud::{Markup, html};

use super::scale::Scale;
use super::{Figure, HEADING, NAME_CHARACTER, WIDTH, heading, name_within, number};

/// A curve.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Without its name at its end: only its dots tell it.
    pub unlabelled: bool,
    /// Its colour, from 1 to 8.
    pub color: usize,
    /// Drawn dashed: from a different source.
    pub dashed: bool,
    /// Drawn in steps, without dots: a count.
    pub steps: bool,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// The area between two curves: a range of estimates.
#[derive(Clone, Debug, Default)]
pub struct Band {
    /// Its name.
    pub name: String,
    /// Its colour, from 1 to 8.
    pub color: usize,
    /// Lower and upper end at each place.
    pub points: Vec<(f64, f64, f64)>,
}

/// A chart of curves.
#[derive(Clone, Debug, Default)]
pub struct LineChart {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub subtitle: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// The end of the vertical axis, if it is not a round number above the values: of so many.
    pub y_end: Option<f64>,
    /// A legend below the chart, for names too long for the curves' ends.
    pub key: Vec<(usize, String)>,
    /// Drawn behind the curves.
    pub bands: Vec<Band>,
    /// The curves.
    pub series: Vec<Series>,
}

const PLOT_HEIGHT: f64 = 236.0;
const LEFT: f64 = 34.0;
/// Space before the names at the curves' ends, and after them.
const NAME_SPACE: f64 = 18.0;
const BOTTOM: f64 = 42.0;
/// Height of a line of the legend, and where its name begins.
const KEY_LINE: f64 = 20.0;
const KEY_TEXT: f64 = 18.0;
/// Minimum distance between names.
const LINE_HEIGHT: f64 = 16.0;

/// A name with the place of its curve's end.
struct EndLabel<'a> {
    x: f64,
    y: f64,
    name: &'a str,
    color: usize,
}

impl EndLabel<'_> {
    /// Whether one of these names could be above or below another.
    fn meets(&self, other: &EndLabel) -> bool {
        let end = |label: &EndLabel| label.x + NAME_CHARACTER * label.name.chars().count() as f64;
        self.x < end(other) && other.x < end(self)
    }
}

impl LineChart {
    /// Draws the chart.
    pub fn draw(&self) -> Figure {
        let band_xs = self.bands.iter().flat_map(|band| band.points.iter().map(|point| point.0));
        let xs = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.0)).chain(band_xs);
        let band_ys = self.bands.iter().flat_map(|band| band.points.iter().map(|point| point.2));
        let ys = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.1)).chain(band_ys);
        let x_scale = if self.log_x { Scale::log(xs) } else { Scale::around(xs) };
        let y_scale = self.y_end.map_or_else(|| Scale::from_zero(ys), Scale::up_to);
        let (width, top) = (WIDTH - LEFT - self.name_width(), HEADING + 8.0);
        let x = |value: f64| LEFT + x_scale.place(value) * width;
        let y = |value: f64| top + (1.0 - y_scale.place(value)) * PLOT_HEIGHT;
        let bottom = top + PLOT_HEIGHT;
        let body = html! {
            (heading(&self.title, &self.subtitle))
            @for (value, text) in y_scale.ticks() {
                line class="grid" x1=(LEFT) x2=(number(LEFT + width)) y1=(number(y(value))) y2=(number(y(value))) {}
                text class="muted small end" x=(LEFT - 7.0) y=(number(y(value) + 4.0)) { (text) }
            }
            @for (value, text) in x_scale.ticks() {
                line class="axis" x1=(number(x(value))) x2=(number(x(value))) y1=(bottom) y2=(bottom + 4.0) {}
                text class="muted small middle" x=(number(x(value))) y=(bottom + 19.0) { (text) }
            }
            line class="axis" x1=(LEFT) x2=(number(LEFT + width)) y1=(bottom) y2=(bottom) {}
            text class="muted small middle" x=(number(LEFT + width / 2.0)) y=(bottom + 37.0) { (self.x_label) }
            @for band in &self.bands {
                path class={ "band f" (band.color) } d=(outline(&band.points, x, y)) {}
            }
            @for series in &self.series { (curve(series, x, y)) }
            @for label in self.end_labels(x, y, (top, bottom)) {
                // A curve that ends before others may have some of them behind its name.
                @let halo = if label.x < LEFT + width - 1.0 { " halo" } else { "" };
                text class={ "small strong f" (label.color) (halo) } x=(number(label.x + 9.0)) y=(number(label.y + 4.0)) {
                    (label.name)
                }
            }
            @for (index, (color, text)) in self.key.iter().enumerate() {
                @let y = bottom + BOTTOM + 8.0 + index as f64 * KEY_LINE;
                rect class={ "f" (color) } x="0" y=(y) width="11" height="11" rx="2" {}
                text class="small" x=(KEY_TEXT) y=(y + 10.0) {
                    (name_within(text, WIDTH - KEY_TEXT))
                }
            }
        };
        let key = if self.key.is_empty() { 0.0 } else { 8.0 + self.key.len() as f64 * KEY_LINE };
        Figure { title: self.title.clone(), height: bottom + BOTTOM + key, body }
    }

    /// The curves with their names at their ends.
    fn labelled(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|series| !series.unlabelled)
    }

    /// Space for the longest name.
    fn name_width(&self) -> f64 {
        let names = self.labelled().map(|series| &series.name).chain(self.bands.iter().map(|band| &band.name));
        NAME_SPACE + NAME_CHARACTER * names.map(|name| name.chars().count()).max().unwrap_or(0) as f64
    }

    /// The names at the curves' ends, moved apart if they would overlap: up, but where the chart ends, down.
    fn end_labels(
        &self,
        x: impl Fn(f64) -> f64,
        y: impl Fn(f64) -> f64,
        (top, bottom): (f64, f64),
    ) -> Vec<EndLabel<'_>> {
        let ends = self.labelled().filter_map(|series| Some((*series.points.last()?, &series.name, series.color)));
        let middles = self.bands.iter().filter_map(|band| {
            let (at, low, high) = band.points.last()?;
            Some(((*at, (low + high) / 2.0), &band.name, band.color))
        });
        let mut labels: Vec<EndLabel> = ends
            .chain(middles)
            .filter(|(_, name, _)| !name.is_empty())
            .map(|((at, value), name, color)| EndLabel { x: x(at), y: y(value), name, color })
            .collect();
        labels.sort_by(|a, b| b.y.total_cmp(&a.y));
        for index in 0..labels.len() {
            let (below, rest) = labels.split_at_mut(index);
            let label = &mut rest[0];
            // Those next to it may be as low.
            let in_the_way = below.iter().filter(|other| label.meets(other));
            label.y = in_the_way.map(|other| other.y - LINE_HEIGHT).fold(label.y.min(bottom), f64::min);
        }
        for index in (0..labels.len()).rev() {
            let (rest, above) = labels.split_at_mut(index + 1);
            let label = &mut rest[index];
            let in_the_way = above.iter().filter(|other| label.meets(other));
            label.y = in_the_way.map(|other| other.y + LINE_HEIGHT).fold(label.y.max(top), f64::max);
        }
        labels
    }
}

/// A curve with its dots.
fn curve(series: &Series, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> Markup {
    let mut path = String::new();
    let mut last = None;
    for &(at, value) in &series.points {
        let (px, py) = (number(x(at)), number(y(value)));
        match last {
            None => path.push_str(&format!("M{px} {py}")),
            Some(_) if series.steps => path.push_str(&format!("H{px}V{py}")),
            Some(_) => path.push_str(&format!("L{px} {py}")),
        }
        last = Some(value);
    }
    let dashed = if series.dashed { " dashed" } else { "" };
    html! {
        path class={ "curve s" (series.color) (dashed) } d=(path) {}
        @if !series.steps {
            @for &(at, value) in &series.points {
                circle class={ "dot f" (series.color) } cx=(number(x(at))) cy=(number(y(value)))
                    r=(if series.dashed { "3" } else { "4" }) {
                    title { (series.name) ": " (number(value)) }
                }
            }
        }
    }
}

/// The outline of a band: along the upper end, and back along the lower.
fn outline(points: &[(f64, f64, f64)], x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
    let upper = points.iter().map(|&(at, _, high)| (at, high));
    let lower = points.iter().rev().map(|&(at, low, _)| (at, low));
    let corners: Vec<String> =
        upper.chain(lower).map(|(at, value)| format!("{} {}", number(x(at)), number(y(value)))).collect();
    if corners.is_empty() { String::new() } else { format!("M{}Z", corners.join("L")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_the_ends_do_not_meet() {
        let series = |name: &str, value: f64| Series {
            name: name.to_owned(),
            color: 1,
            points: vec![(1.0, 0.0), (2.0, value)],
            ..Series::default()
        };
        let chart =
            LineChart { series: vec![series("a", 10.0), series("b", 10.0), series("c", 0.0)], ..Default::default() };
        let labels = chart.end_labels(|at| at, |value| 100.0 - value, (0.0, 100.0));
        assert!(labels.windows(2).all(|pair| pair[0].y - pair[1].y >= LINE_HEIGHT), "names overlap");
        assert_eq!(labels[0].name, "c");
        let svg = chart.draw().body.into_string();
        assert_eq!(svg.matches("class=\"curve").count(), 3);
        // Those that end at the top have their names below it.
        let labels = chart.end_labels(|at| at, |value| 10.0 - value, (0.0, 100.0));
        assert_eq!(labels.iter().map(|label| label.y).collect::<Vec<_>>(), [32.0, 16.0, 0.0]);
    }

    #[test]
    fn a_name_is_where_its_curve_ends() {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            name: name.to_owned(),
            points: points.to_vec(),
            ..Series::default()
        };
        let long = series("long", &[(1.0, 0.0), (9.0, 10.0)]);
        let short = series("short", &[(1.0, 0.0), (3.0, 10.0)]);
        let chart = LineChart { series: vec![long, short], ..Default::default() };
        let labels = chart.end_labels(|at| 100.0 * at, |value| 100.0 - value, (0.0, 100.0));
        let places: Vec<_> = labels.iter().map(|label| (label.name, label.x, label.y)).collect();
        assert_eq!(places, [("long", 900.0, 90.0), ("short", 300.0, 90.0)]);
        // Nearly where another ends there is no place for both.
        let labels = chart.end_labels(|at| at, |value| 100.0 - value, (0.0, 100.0));
        assert_eq!(labels[1].y, 90.0 - LINE_HEIGHT);
    }

    #[test]
    fn dots_tell_the_name_of_a_curve_without_one_at_its_end() {
        let points = vec![(1.0, 2.0)];
        let estimate = Series { name: "estimate".to_owned(), unlabelled: true, points, ..Series::default() };
        let chart = LineChart { series: vec![estimate], ..Default::default() };
        assert!(chart.end_labels(|at| at, |value| value, (0.0, 100.0)).is_empty());
        assert!(chart.draw().body.into_string().contains("<title>estimate: 2</title>"));
    }

    #[test]
    fn a_chart_without_points_is_drawn_all_the_same() {
        let chart = LineChart { series: vec![Series::default()], bands: vec![Band::default()], ..Default::default() };
        assert!(!chart.draw().body.into_string().contains("NaN"));
    }
}
