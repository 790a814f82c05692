//! The running iteration: its awards, its depth, and its statistics.

use super::telemetry::CreditStats;
use crate::credit::{Taper, largest_near};
use crate::params::Params;
use crate::units::{Credit, Depth, Ply};

/// State that belongs to one iteration.
pub(super) struct RunningIteration {
    /// Its number, from 1; 0 before the first.
    pub number: Depth,
    /// Software plies to which its root is searched.
    pub nominal_depth: Depth,
    /// Plies of horizon search below the software.
    pub horizon_depth: Depth,
    /// Award sizes.
    pub taper: Taper,
    /// The account balance beyond which credit is cashed in.
    pub limit: Credit,
    /// The largest award near the root, but for wide singular margins: see [`largest_near`].
    pub largest_near_award: i32,
    /// Additional reduction of late moves in plies, while the iteration costs too much.
    pub restraint: Depth,
    /// Nodes of the search, all threads, when that began.
    pub restrained_at: Option<u64>,
    /// Nodes of this thread in the last iteration, and at the start of this one.
    pub last_cost: u64,
    pub first_node: u64,
    pub max_software: Ply,
    pub max_combined: Ply,
    /// What dual credit did.
    pub credit: CreditStats,
}

impl RunningIteration {
    /// The iteration with this number, which starts after `first_node` nodes; the last one took `last_cost` of them.
    ///
    /// In the deep-blue profile iteration `i` has `i - 4` plies of software (paper, section 4.2) and 4 of horizon
    /// search; the first iterations shorten the horizon search instead.
    pub fn new(params: &Params, number: Depth, first_node: u64, last_cost: u64) -> RunningIteration {
        let horizon = params.horizon_depth;
        let nominal_depth = (number - horizon).max(1);
        let mut iteration = RunningIteration {
            number,
            nominal_depth,
            horizon_depth: horizon.min((number - 1).max(0)),
            taper: Taper::new(params, nominal_depth),
            limit: Credit::NONE,
            largest_near_award: largest_near(params),
            restraint: 0,
            restrained_at: None,
            last_cost,
            first_node,
            max_software: 0,
            max_combined: 0,
            credit: CreditStats::default(),
        };
        iteration.restrain(params, 0);
        iteration
    }

    /// The iteration after this one, which starts after `nodes` nodes.
    pub fn next(&self, params: &Params, nodes: u64) -> RunningIteration {
        RunningIteration::new(params, self.number + 1, nodes, nodes - self.first_node)
    }

    /// Restrains it by this many plies; a restrained iteration cashes in nothing.
    pub fn restrain(&mut self, params: &Params, plies: Depth) {
        self.restraint = plies;
        let balance = if plies > 0 { i16::MAX } else { params.credit_limit as i16 };
        self.limit = Credit::sixteenths(balance);
    }

    /// The maximum number of plies after `ply`, including the horizon search: if the iteration is restrained, as many
    /// as without extensions. Plies cashed in before are cut off as well.
    pub fn most_depth(&self, params: &Params, ply: Ply) -> Depth {
        if self.restraint > 0 && params.growth_cut { (self.number - ply).max(0) } else { Depth::MAX }
    }

    /// A node's depth for the table: down to quiescence, including the horizon search. A restrained iteration with a
    /// cut searches no line deeper than its limit, including lines of nodes entered before.
    pub fn tt_depth(&self, params: &Params, depth: Depth, ply: Ply) -> Depth {
        (depth + self.horizon_depth).min(self.most_depth(params, ply))
    }

    /// The largest award at a ply, with the same exception.
    pub fn largest_award(&self, ply: Ply) -> Credit {
        self.taper.scale(self.largest_near_award, ply)
    }
}
