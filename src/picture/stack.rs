//! Stacked columns of shares: the parts of a whole, and how they change from column to column.

use maud::{Markup, html};

use super::{Figure, HEADING, WIDTH, heading, number};

/// One column.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// The label below it.
    pub name: String,
    /// The label above it: the whole, formatted.
    pub total: String,
    /// The parts, in the order of [`StackChart::parts`].
    pub values: Vec<f64>,
}

/// A chart of columns, all of the same height.
#[derive(Clone, Debug, Default)]
pub struct StackChart {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub subtitle: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// The parts, from bottom to top: colours from 1 to 10, and names.
    pub parts: Vec<(usize, String)>,
    /// The columns, from left to right.
    pub stacks: Vec<Stack>,
}

const PLOT_HEIGHT: f64 = 216.0;
/// Space for "100 %", also in a wide font.
const LEFT: f64 = 54.0;
const BOTTOM: f64 = 44.0;
/// Maximum width of a column.
const MAX_COLUMN: f64 = 64.0;
/// Space for a label above a column; where columns are narrower, not every one gets its labels.
const LABEL: f64 = 38.0;
/// Names of parts per row of the legend.
const KEY_COLUMNS: usize = 3;
const KEY_LINE: f64 = 20.0;

impl StackChart {
    /// Draws the chart.
    pub fn draw(&self) -> Figure {
        let top = HEADING + 26.0;
        let bottom = top + PLOT_HEIGHT;
        let slot = (WIDTH - LEFT) / self.stacks.len().max(1) as f64;
        let key = bottom + BOTTOM + 6.0;
        // The last column always has its labels.
        let step = (LABEL / slot).ceil() as usize;
        let is_labelled = |index: usize| (self.stacks.len() - 1 - index).is_multiple_of(step);
        let body = html! {
            (heading(&self.title, &self.subtitle))
            @for percent in [0, 25, 50, 75, 100] {
                @let y = bottom - f64::from(percent) / 100.0 * PLOT_HEIGHT;
                line class="grid" x1=(LEFT) x2=(WIDTH) y1=(number(y)) y2=(number(y)) {}
                text class="muted small end" x=(LEFT - 7.0) y=(number(y + 4.0)) { (percent) " %" }
            }
            @for (index, stack) in self.stacks.iter().enumerate() {
                @let x = LEFT + slot * (index as f64 + 0.5);
                (self.column(stack, x, (slot * 0.72).min(MAX_COLUMN), bottom))
                @if is_labelled(index) { (labels(stack, x, bottom)) }
            }
            line class="axis" x1=(LEFT) x2=(WIDTH) y1=(bottom) y2=(bottom) {}
            text class="muted small middle" x=(number(LEFT + (WIDTH - LEFT) / 2.0)) y=(bottom + 37.0) { (self.x_label) }
            @for (index, (color, name)) in self.parts.iter().enumerate() {
                @let x = LEFT + (index % KEY_COLUMNS) as f64 * (WIDTH - LEFT) / KEY_COLUMNS as f64;
                @let y = key + (index / KEY_COLUMNS) as f64 * KEY_LINE;
                rect class={ "f" (color) } x=(number(x)) y=(number(y)) width="11" height="11" rx="2" {}
                text class="small" x=(number(x + 17.0)) y=(number(y + 10.0)) { (name) }
            }
        };
        let rows = self.parts.len().div_ceil(KEY_COLUMNS);
        Figure { title: self.title.clone(), height: key + rows as f64 * KEY_LINE, body }
    }

    /// One column around `x`.
    fn column(&self, stack: &Stack, x: f64, width: f64, bottom: f64) -> Markup {
        let whole: f64 = stack.values.iter().sum();
        let mut y = bottom;
        let mut parts = Vec::new();
        for ((color, name), &value) in self.parts.iter().zip(&stack.values).filter(|&(_, &value)| value > 0.0) {
            let height = value / whole * PLOT_HEIGHT;
            y -= height;
            parts.push((color, name, y, height, value / whole));
        }
        html! {
            @for (color, name, y, height, share) in parts {
                rect class={ "f" (color) } x=(number(x - width / 2.0)) y=(number(y)) width=(number(width))
                    height=(number((height - 1.0).max(0.4))) {
                    title { (name) ": " (number(100.0 * share)) " %" }
                }
            }
        }
    }
}

/// The labels of a column around `x`.
fn labels(stack: &Stack, x: f64, bottom: f64) -> Markup {
    html! {
        text class="small middle strong" x=(number(x)) y=(number(bottom - PLOT_HEIGHT - 8.0)) { (stack.total) }
        text class="muted small middle" x=(number(x)) y=(number(bottom + 19.0)) { (stack.name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_column_fill_it() {
        let stack = Stack { name: "7".to_owned(), total: "9".to_owned(), values: vec![1.0, 0.0, 3.0] };
        let empty = Stack { values: vec![0.0; 3], ..Stack::default() };
        let parts = vec![(1, "a".to_owned()), (2, "b".to_owned()), (10, "c".to_owned())];
        let chart = StackChart { parts, stacks: vec![stack, empty], ..StackChart::default() };
        let svg = chart.draw().body.into_string();
        assert!(svg.contains("a: 25 %") && svg.contains("c: 75 %") && !svg.contains("NaN"), "{svg}");
        // Two parts in columns, three in the legend.
        assert_eq!(svg.matches("<rect").count(), 5);
    }

    #[test]
    fn labels_of_narrow_columns_do_not_meet() {
        let stack = |index: i32| Stack { name: format!("i{index}"), total: "7.7 k".to_owned(), values: vec![1.0] };
        let labelled = |columns: i32| {
            let chart = StackChart {
                parts: vec![(1, "a".to_owned())],
                stacks: (0..columns).map(stack).collect(),
                ..StackChart::default()
            };
            chart.draw().body.into_string()
        };
        assert_eq!(labelled(8).matches("7.7 k").count(), 8);
        let many = labelled(40);
        assert!(many.matches("7.7 k").count() <= 12 && many.contains("i39"), "{many}");
    }
}
