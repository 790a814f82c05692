//! One search thread: its learned state, kept from search to search.

use std::sync::Arc;

use super::correction::Corrections;
use super::history::Histories;
use super::reductions::Reductions;
use crate::board::ReversibleMoves;
use crate::eval::Evaluator;
use crate::eval::nnue::Network;
use crate::params::Params;

/// The state of one search thread.
pub struct Worker {
    pub(super) params: Params,
    /// The same for mate searches: without forward pruning in the main search. Quiescence and reductions are unchanged.
    pub(super) mate_params: Params,
    pub(super) reductions: Reductions,
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) evaluator: Evaluator,
    pub(super) reversible: ReversibleMoves,
}

impl Worker {
    /// A fresh worker, which evaluates with the network if there is one, unless the tunables say otherwise.
    pub fn new(params: Params, network: Option<Arc<Network>>) -> Worker {
        let reductions = Reductions::new(&params);
        let evaluator = Evaluator::new(&params, network);
        Worker {
            mate_params: params.clone().without_forward_pruning(),
            params,
            reductions,
            histories: Histories::default(),
            corrections: Corrections::default(),
            evaluator,
            reversible: ReversibleMoves::new(),
        }
    }

    /// Forgets what it learned, before a new game.
    pub fn new_game(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Replaces the tunables and the network, and forgets what it learned with the old ones.
    pub fn set_params(&mut self, params: Params, network: Option<Arc<Network>>) {
        self.reductions = Reductions::new(&params);
        self.evaluator = Evaluator::new(&params, network);
        self.mate_params = params.clone().without_forward_pruning();
        self.params = params;
        self.new_game();
    }
}
