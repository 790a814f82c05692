//! How deep the extensions went over many positions: the distribution of the maximum software depth over the nominal
//! depth.
//!
//! The tables of the paper have two positions, and amounts can be fitted to two. This reads any number of reports of
//! [`report`], as JSON, so that a long series can be searched in parts.
//!
//! [`report`]: crate::report

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::picture::{Band, LineChart, Series, to_svg};
use crate::report::NominalWords;
use crate::report::paper::POSITIONS;
use crate::runner::{Head, Kind, Provenance};
use crate::stats::percentile;
use crate::text::counted;

/// The oldest version of a report that is still read.
pub const OLDEST_SCHEMA: u32 = 2;

/// What this reads of a report.
#[derive(Clone, Debug, Deserialize)]
pub struct Source {
    #[serde(flatten)]
    head: Head,
    positions: Vec<SourcePosition>,
}

#[derive(Clone, Debug, Deserialize)]
struct SourcePosition {
    fen: String,
    iterations: Vec<SourceRow>,
}

#[derive(Copy, Clone, Debug, Deserialize)]
struct SourceRow {
    iteration: i32,
    nominal_depth: i32,
    max_software: i32,
    nodes: u64,
    /// What version 2 called `nodes`.
    nodes_total: Option<u64>,
}

/// A report that cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DepthsError {
    /// Searched with other settings than the first.
    #[error("searched by {found}; the first report by {expected}")]
    OtherSettings {
        /// This report's heading.
        found: String,
        /// The first report's.
        expected: String,
    },
    /// A position that was counted already.
    #[error("has this position a second time: {fen}")]
    Twice {
        /// The position.
        fen: String,
    },
}

/// One iteration over all positions that finished it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IterationDepths {
    /// The iteration's number.
    pub iteration: i32,
    /// The number of positions that finished it.
    pub positions: usize,
    /// Nominal depth in software plies; in the deep-blue profile the minimum software depth.
    pub nominal_depth: i32,
    /// The maximum software depth in plies: its distribution.
    pub max_software: Distribution,
    /// The maximum over the nominal depth: its distribution.
    pub ratio: Distribution,
    /// Share of the positions with a maximum of at least three times the nominal depth, from 0 to 1.
    pub threefold: f64,
    /// Nodes to the end of the iteration, the median by nearest rank: the lower of two middle ones.
    pub median_nodes: u64,
}

/// A distribution by nearest ranks.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Distribution {
    /// The smallest value.
    pub least: f64,
    /// A quarter of the values is at most this.
    pub quarter: f64,
    /// Half of the values are at most this; the lower of two middle ones.
    pub median: f64,
    /// Three quarters of the values are at most this.
    pub three_quarters: f64,
    /// Nineteen of twenty values are at most this.
    pub percentile_95: f64,
    /// The largest value.
    pub most: f64,
}

impl Distribution {
    /// Of these values; `None` where there are none.
    fn of(mut values: Vec<f64>) -> Option<Distribution> {
        values.sort_by(f64::total_cmp);
        Some(Distribution {
            least: *values.first()?,
            quarter: percentile(&values, 25)?,
            median: percentile(&values, 50)?,
            three_quarters: percentile(&values, 75)?,
            percentile_95: percentile(&values, 95)?,
            most: *values.last()?,
        })
    }
}

/// The whole report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Depths {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// The number of positions in all reports.
    pub positions: usize,
    /// The distributions of each iteration.
    pub iterations: Vec<IterationDepths>,
}

/// Reports that are being counted.
#[derive(Debug, Default)]
pub struct Collection {
    provenance: Option<Provenance>,
    positions: Vec<SourcePosition>,
}

impl Collection {
    /// Adds a report, whose kind and version have been checked. The commits of its program that no earlier report has
    /// are returned, if there was one.
    ///
    /// # Errors
    ///
    /// One with other settings, or with a position that is there already; nothing is added then.
    pub fn add(&mut self, source: Source) -> Result<Option<String>, DepthsError> {
        let expected = self.provenance.get_or_insert_with(|| source.head.provenance.clone());
        if !expected.fits(&source.head.provenance) {
            let line = |provenance: &Provenance| provenance.heading() + &provenance.limits();
            return Err(DepthsError::OtherSettings { found: line(&source.head.provenance), expected: line(expected) });
        }
        for (index, position) in source.positions.iter().enumerate() {
            let before = self.positions.iter().chain(&source.positions[..index]);
            if before.into_iter().any(|other| other.fen == position.fen) {
                return Err(DepthsError::Twice { fen: position.fen.clone() });
            }
        }
        let mut made_by = source.head.provenance;
        let others = made_by.go_on_by(expected);
        expected.go_on_by(&made_by);
        self.positions.extend(source.positions);
        Ok(others)
    }

    /// What they come to; `None` where no position finished an iteration.
    pub fn depths(self) -> Option<Depths> {
        // By the numbers that occur, which in an edited file may be far apart.
        let mut rows: BTreeMap<i32, Vec<SourceRow>> = BTreeMap::new();
        for row in self.positions.iter().flat_map(|position| &position.iterations) {
            rows.entry(row.iteration).or_default().push(*row);
        }
        if rows.is_empty() {
            return None;
        }
        Some(Depths {
            head: Head::new(Kind::Depths, self.provenance?),
            positions: self.positions.len(),
            iterations: rows.into_iter().filter_map(|(number, rows)| IterationDepths::of(number, rows)).collect(),
        })
    }
}

impl IterationDepths {
    fn of(iteration: i32, rows: Vec<SourceRow>) -> Option<IterationDepths> {
        let nominal_depth = rows.first()?.nominal_depth;
        let ratio = |row: &SourceRow| f64::from(row.max_software) / f64::from(row.nominal_depth.max(1));
        let nodes = |row: &SourceRow| row.nodes_total.unwrap_or(row.nodes) as f64;
        let threefold = rows.iter().filter(|row| row.max_software >= row.nominal_depth.saturating_mul(3)).count();
        Some(IterationDepths {
            iteration,
            positions: rows.len(),
            nominal_depth,
            max_software: Distribution::of(rows.iter().map(|row| f64::from(row.max_software)).collect())?,
            ratio: Distribution::of(rows.iter().map(ratio).collect())?,
            threefold: threefold as f64 / rows.len() as f64,
            median_nodes: Distribution::of(rows.iter().map(nodes).collect())?.median as u64,
        })
    }
}

impl Depths {
    /// The distribution as a picture, with the paper's two positions as dashed lines.
    pub fn to_picture(&self) -> String {
        let curve = |name: &str, color: usize, value: fn(&IterationDepths) -> f64| Series {
            name: name.to_owned(),
            color,
            points: self.iterations.iter().map(|row| (f64::from(row.iteration), value(row))).collect(),
            ..Series::default()
        };
        let papers = POSITIONS.iter().enumerate().map(|(index, paper)| Series {
            name: format!("paper, position {}", index + 1),
            color: 1,
            dashed: true,
            points: self
                .iterations
                .iter()
                .filter_map(|row| {
                    let max_software = paper.row(row.nominal_depth)?.max_software;
                    Some((f64::from(row.iteration), f64::from(max_software)))
                })
                .collect(),
            ..Series::default()
        });
        let middle = |row: &IterationDepths| {
            (f64::from(row.iteration), row.max_software.quarter, row.max_software.three_quarters)
        };
        let chart = LineChart {
            title: "Maximum software depth".to_owned(),
            subtitle: format!("plies from the root, {}; shaded: the middle half", counted(self.positions, "position")),
            x_label: "iteration".to_owned(),
            bands: vec![Band { name: String::new(), color: 2, points: self.iterations.iter().map(middle).collect() }],
            series: [
                curve("largest", 4, |row| row.max_software.most),
                curve("95 %", 5, |row| row.max_software.percentile_95),
                curve("median", 2, |row| row.max_software.median),
                curve(NominalWords::of(&self.head.provenance).name, 3, |row| f64::from(row.nominal_depth)),
            ]
            .into_iter()
            .chain(papers)
            .collect(),
            ..LineChart::default()
        };
        to_svg("How deep the extensions went", &[chart.draw()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Tables;
    use crate::params::Profile;

    fn made_up_provenance(profile: Profile) -> Provenance {
        let program = "Pacioli of some kind".to_owned();
        Provenance { program, profile: Some(profile), hash_mb: Some(64), depth: Some(8), ..Provenance::default() }
    }

    fn position(fen: &str, rows: &[(i32, i32, i32)]) -> SourcePosition {
        let row = |&(iteration, nominal_depth, max_software): &(i32, i32, i32)| SourceRow {
            iteration,
            nominal_depth,
            max_software,
            nodes: max_software as u64 * 1000,
            nodes_total: None,
        };
        SourcePosition { fen: fen.to_owned(), iterations: rows.iter().map(row).collect() }
    }

    fn source(positions: Vec<SourcePosition>) -> Source {
        Source { head: Head::new(Kind::Report, made_up_provenance(Profile::DeepBlue)), positions }
    }

    #[test]
    fn reports_are_added_up_iteration_by_iteration() {
        let mut collection = Collection::default();
        collection.add(source(vec![position("a", &[(7, 3, 9), (8, 4, 12)]), position("b", &[(7, 3, 3)])])).unwrap();
        collection.add(source(vec![position("c", &[(7, 3, 6)]), position("d", &[])])).unwrap();
        let depths = collection.depths().unwrap();
        let [seventh, eighth] = &depths.iterations[..] else { panic!("{depths:?}") };
        assert_eq!((depths.positions, seventh.positions, eighth.positions), (4, 3, 1));
        assert_eq!((seventh.iteration, seventh.nominal_depth, seventh.median_nodes), (7, 3, 6000));
        let Distribution { least, median, most, .. } = seventh.ratio;
        assert_eq!([least, median, most], [1.0, 2.0, 3.0]);
        assert_eq!(seventh.max_software.three_quarters, 9.0);
        let two = position("x", &[(7, 3, 9), (7, 3, 6)]).iterations;
        assert_eq!(IterationDepths::of(7, two.clone()).unwrap().median_nodes, 6000);
        let older = two.iter().map(|row| SourceRow { nodes_total: Some(2 * row.nodes), ..*row }).collect();
        assert_eq!(IterationDepths::of(7, older).unwrap().median_nodes, 12_000);
        assert!((seventh.threefold - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(eighth.threefold, 1.0);
        assert!(depths.to_picture().contains("paper, position 2"));
        insta::assert_snapshot!(depths.to_text());
    }

    #[test]
    fn no_number_of_an_edited_report_is_too_large() {
        let mut collection = Collection::default();
        let rows = [(i32::MAX, i32::MAX, 9), (i32::MIN, i32::MIN, 9), (7, 3, 9)];
        collection.add(source(vec![position("a", &rows)])).unwrap();
        let depths = collection.depths().unwrap();
        let found: Vec<_> = depths.iterations.iter().map(|row| (row.iteration, row.threefold)).collect();
        assert_eq!(found, [(i32::MIN, 1.0), (7, 1.0), (i32::MAX, 0.0)]);
        assert!(depths.to_picture().contains("How deep the extensions went"));
    }

    #[test]
    fn only_without_pruning_is_the_nominal_depth_a_minimum() {
        let of = |profile| {
            let head = Head::new(Kind::Report, made_up_provenance(profile));
            let mut collection = Collection::default();
            collection.add(Source { head, positions: vec![position("a", &[(7, 3, 9)])] }).unwrap();
            let depths = collection.depths().unwrap();
            (depths.to_text(), depths.to_picture())
        };
        let ((minimum, curve), (nominal, other_curve)) = (of(Profile::DeepBlue), of(Profile::Modern));
        assert!(minimum.contains("| min soft |") && minimum.contains("no line is shorter"), "{minimum}");
        assert!(nominal.contains("| nominal |") && !nominal.contains("min soft"), "{nominal}");
        assert!(curve.contains(">plies from the root, 1 position; shaded: the middle half<"), "{curve}");
        assert!(curve.contains(">minimum<") && !other_curve.contains("minimum") && other_curve.contains(">nominal<"));
    }

    #[test]
    fn the_papers_curves_are_at_its_software_depths() {
        let are_drawn = |nominal_depth| {
            let mut collection = Collection::default();
            collection.add(source(vec![position("a", &[(1, nominal_depth, 9), (2, nominal_depth, 9)])])).unwrap();
            collection.depths().unwrap().to_picture().contains("paper, position 2")
        };
        // Iterations 1 and 2 are none of the paper's, but their software may be as deep.
        assert_eq!([1, 4].map(are_drawn), [false, true]);
    }

    #[test]
    fn the_middle_half_leaves_out_a_quarter_on_each_side() {
        let of = |plies: i32| position(&plies.to_string(), &[(7, 3, plies)]);
        let mut collection = Collection::default();
        collection.add(source((3..=7).map(of).collect())).unwrap();
        let table = collection.depths().unwrap().to_text();
        assert!(table.contains("|        5 |  4-6 |    7 |    7 |"), "{table}");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let mut collection = Collection::default();
        collection.add(source(vec![position("a", &[])])).unwrap();
        let other = Source { head: Head::new(Kind::Report, made_up_provenance(Profile::Modern)), ..source(Vec::new()) };
        assert!(matches!(collection.add(other), Err(DepthsError::OtherSettings { .. })));
        let twice = source(vec![position("b", &[]), position("a", &[])]);
        assert_eq!(collection.add(twice), Err(DepthsError::Twice { fen: "a".to_owned() }));
        assert_eq!(collection.positions.len(), 1);
        assert_eq!(collection.depths(), None);
    }

    #[test]
    fn the_commits_of_all_reports_are_named() {
        let of = |commit: &str, fen: &str| {
            let mut report = source(vec![position(fen, &[(7, 3, 9)])]);
            report.head.provenance.commit = Some(commit.to_owned());
            report
        };
        let mut collection = Collection::default();
        let told = [("a", "x"), ("b", "y"), ("a", "z")].map(|(commit, fen)| collection.add(of(commit, fen)).unwrap());
        assert_eq!(told, [None, Some("b".to_owned()), None]);
        assert_eq!(collection.depths().unwrap().head.provenance.commit.as_deref(), Some("a, b"));
    }

    #[test]
    fn reports_of_two_networks_do_not_go_together_behind_one_that_names_none() {
        let of = |network: Option<&str>, fen: &str| {
            let mut report = source(vec![position(fen, &[(7, 3, 9)])]);
            report.head.provenance.network = network.map(str::to_owned);
            report
        };
        let mut collection = Collection::default();
        let reports = [of(None, "x"), of(Some("1"), "y"), of(Some("2"), "z")];
        assert_eq!(reports.map(|report| collection.add(report).is_ok()), [true, true, false]);
    }

    #[test]
    fn a_report_as_it_is_written_can_be_read() {
        let report = crate::report::Report {
            head: Head::new(Kind::Report, made_up_provenance(Profile::DeepBlue)),
            positions: Vec::new(),
        };
        let text = crate::json::readable(&report).unwrap();
        assert_eq!(serde_json::from_str::<Source>(&text).unwrap().head, report.head);
    }
}
