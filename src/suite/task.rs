//! What is to be solved: the positions of suites that have a task.

use super::{Record, Suite};

/// A position to solve.
#[derive(Copy, Clone, Debug)]
pub struct Task<'a> {
    /// Its number among those of all suites, from 0.
    pub index: usize,
    /// The position.
    pub record: &'a Record,
}

/// The positions of the suites that have a task.
pub fn solvable(suites: &[Suite]) -> impl Iterator<Item = &Record> {
    suites.iter().flat_map(|suite| &suite.records).filter(|record| record.is_solvable())
}

/// The same, numbered.
pub fn tasks(suites: &[Suite]) -> Vec<Task<'_>> {
    solvable(suites).enumerate().map(|(index, record)| Task { index, record }).collect()
}
