//! Extension depths over many positions as a table.

use std::fmt::Write as _;

use super::heading;
use crate::lab::Tables;
use crate::lab::depths::{Depths, IterationDepths};
use crate::report::NominalWords;
use crate::text::{aligned, grouped};

pub(super) const LEGEND: &str = "\
max soft: deepest leaf of the software, extensions included; ratio: that over the nominal depth: their medians, and
where the middle half, 95 % and all of the positions lie. at least 3: share of the positions with a ratio of three or
more. nodes: median, to the end of the iteration. Percentiles are by nearest rank: of two middle values the lower.
";

/// Headers of the table, with that of the nominal depths.
pub(super) fn headers(nominal: &str) -> [&str; 12] {
    ["iter", "positions", nominal, "max soft", "half", "95 %", "most", "ratio", "half", "95 %", "at least 3", "nodes"]
}

impl Tables for Depths {
    fn to_text(&self) -> String {
        let mut text = heading(&self.head.provenance, self.positions, &[], 0);
        let nominal = NominalWords::of(&self.head.provenance);
        let mut rows = aligned(&headers(nominal.header), &[]);
        for row in &self.iterations {
            rows.add_row(cells(row));
        }
        let _ = write!(text, "{rows}\n\n{}{LEGEND}", nominal.legend);
        text
    }
}

fn cells(row: &IterationDepths) -> Vec<String> {
    let (depth, ratio) = (&row.max_software, &row.ratio);
    vec![
        row.iteration.to_string(),
        grouped(row.positions as u64),
        row.nominal_depth.to_string(),
        depth.median.to_string(),
        format!("{}-{}", depth.quarter, depth.three_quarters),
        depth.percentile_95.to_string(),
        depth.most.to_string(),
        format!("{:.2}", ratio.median),
        format!("{:.2}-{:.2}", ratio.quarter, ratio.three_quarters),
        format!("{:.2}", ratio.percentile_95),
        format!("{:.0} %", 100.0 * row.threefold),
        grouped(row.median_nodes),
    ]
}
