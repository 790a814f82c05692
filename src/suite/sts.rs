//! The rating that is estimated from the points of the Strategic Test Suite.
//!
//! The regression is that of F. Mosca's STS-Rating (<https://github.com/fsmosca/STS-Rating>, `sts_rating.py`,
//! `--getrating`): the CCRL 40/4 rating of an engine is 44.523 times its percentage of the points, minus 242.85. By its
//! documentation it only applies to version 3 of the suite, 1,500 positions of 10 points; the tool uses one thread and
//! 200 ms a position on an Intel i7-2600K, scaled by a benchmark on other machines. Version 4 has as many positions and
//! points, and cannot be told from it here.

use super::position_result::PositionResult;
use crate::runner::Provenance;
use crate::text::{counted, grouped};

/// Rating for each percent of the points.
const SLOPE: f64 = 44.523;
/// Rating without any points.
const INTERCEPT: f64 = -242.85;
/// Positions of the version that the regression is for.
const POSITIONS: usize = 1500;
/// The points of a best move in that version.
const BEST: u32 = 10;
/// What the names of the suite's positions begin with.
const NAME: &str = "STS(v";

/// Whether all positions are from the Strategic Test Suite, with points.
fn is_sts(results: &[PositionResult]) -> bool {
    let is = |result: &PositionResult| result.id.starts_with(NAME) && result.max_points.is_some();
    !results.is_empty() && results.iter().all(is)
}

/// The estimated rating; `None` if the regression does not hold for these positions.
pub(super) fn rating(results: &[PositionResult]) -> Option<i32> {
    let is_version_3 = is_sts(results) && results.len() == POSITIONS;
    if !is_version_3 || results.iter().any(|result| result.max_points != Some(BEST)) {
        return None;
    }
    let points: u64 = results.iter().filter_map(|result| result.points).map(u64::from).sum();
    let percent = 100.0 * points as f64 / f64::from(BEST) / POSITIONS as f64;
    Some((SLOPE * percent + INTERCEPT).round() as i32)
}

/// What a reader must know of the estimate, or why there is none; `None` for other suites.
pub(super) fn remark(results: &[PositionResult], rating: Option<i32>, made_with: &Provenance) -> Option<String> {
    if !is_sts(results) {
        return None;
    }
    Some(match rating {
        Some(rating) => format!(
            "STS rating {rating}: {SLOPE} times the percentage minus {}, published for CCRL 40/4 ratings at 200 ms a \
             position on an Intel i7-2600K (github.com/fsmosca/STS-Rating); here{}",
            -INTERCEPT,
            made_with.limits().trim_start_matches(','),
        ),
        None => {
            let best = results.iter().filter_map(|result| result.max_points).max().unwrap_or(0);
            format!(
                "no STS rating: the published regression holds for version 3 of the suite, {} of {BEST} points; here {} \
                 of {best}",
                counted(POSITIONS, "position"),
                grouped(results.len() as u64),
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::json::PovScore;
    use crate::score::StatedScore;
    use crate::suite::{Expected, Rule, SuiteReport, describe};

    /// As many positions, with these points each.
    fn report(count: usize, points: u32, max_points: u32) -> SuiteReport {
        let result = |index: usize| PositionResult {
            index,
            suite: "sts.epd".to_owned(),
            line: index + 1,
            id: format!("STS(v1.0) Undermine.{index}"),
            themes: Vec::new(),
            theme: None,
            fen: String::new(),
            expected: Expected::default(),
            played: None,
            score: PovScore { value: StatedScore::Cp(0), pov: Color::White },
            pv: Vec::new(),
            solved: false,
            solution: None,
            first_seen: None,
            left_again: false,
            points: Some(points),
            max_points: Some(max_points),
            mate_line: None,
            iteration: 1,
            nodes: 1,
            time_ms: None,
        };
        let provenance = Provenance { nodes: Some(20_000), ..Provenance::of_program() };
        SuiteReport::new(describe(&[], provenance, Rule::End, None), (0..count).map(result).collect())
    }

    #[test]
    fn the_regression_is_the_published_one() {
        let report = report(1500, 6, 10);
        // 44.523 x 60 - 242.85.
        assert_eq!(report.total.sts_rating, Some(2429));
        let remark = report.sts_remark().unwrap();
        assert!(remark.starts_with("STS rating 2429: 44.523 times the percentage minus 242.85, "), "{remark}");
        assert!(remark.ends_with("here at most 20,000 nodes each"), "{remark}");
    }

    #[test]
    fn other_versions_and_parts_have_no_rating() {
        for (count, max_points) in [(1188, 100), (1500, 100), (100, 10)] {
            let report = report(count, 6, max_points);
            assert_eq!(report.total.sts_rating, None);
            assert!(report.sts_remark().unwrap().starts_with("no STS rating: "));
        }
        assert_eq!(report(0, 0, 0).sts_remark(), None);
    }
}
