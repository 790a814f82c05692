//! One running search: its parts, by lifetime.

use super::budget::Budget;
use super::correction::Corrections;
use super::drivers;
use super::history::Histories;
use super::iteration::RunningIteration;
use super::meter::Meter;
use super::observation::Observation;
use super::observer::{Observer, Outcome};
use super::path::Path;
use super::picker::OrderingWeights;
use super::root::RootState;
use super::task::{Request, Shared, Task};
use super::worker::Worker;

/// What one thread has learned, in this search and earlier ones.
pub(super) struct Learned<'a> {
    pub histories: &'a mut Histories,
    pub corrections: &'a mut Corrections,
}

/// One running search.
pub(super) struct Search<'a> {
    /// What was asked, and what does not change meanwhile.
    pub task: Task<'a>,
    pub learned: Learned<'a>,
    /// What has been spent.
    pub meter: Meter,
    pub root: RootState,
    /// The running iteration.
    pub iteration: RunningIteration,
    /// From the root to the current node.
    pub path: Path<'a>,
    /// The observer.
    pub observation: Observation<'a>,
}

impl<'a> Search<'a> {
    /// A search that is about to start.
    pub fn new(
        worker: &'a mut Worker,
        request: &'a Request,
        shared: Shared<'a>,
        budget: &'a Budget,
        observer: &'a mut (dyn Observer + Send),
    ) -> Search<'a> {
        let Worker { params, mate_params, reductions, histories, corrections, evaluator, reversible } = worker;
        let params = if budget.mate.is_some() { &*mate_params } else { &*params };
        histories.fade(params);
        let Shared { table, crew, thread } = shared;
        let driver = drivers::from_params(params);
        let (scouts, endgames) = (params.zero_window_scouts && driver.scouts(), request.endgames.as_ref());
        let (position, multi_pv) = (request.game.position(), request.multi_pv.max(1));
        let mut search = Search {
            task: Task {
                params,
                tt: table,
                crew,
                thread,
                budget,
                multi_pv,
                reductions,
                ordering: OrderingWeights::new(params),
                reversible,
                endgames,
                scouts,
            },
            learned: Learned { histories, corrections },
            meter: Meter::new(budget),
            root: RootState::new(position.clone(), &request.search_moves),
            iteration: RunningIteration::new(params, 0, 0, 0),
            path: Path::new(position, request.game.history(), evaluator, driver.needs_lines_everywhere()),
            observation: Observation::new(observer),
        };
        search.rank_root(&request.game);
        search
    }
}

impl Worker {
    /// Searches by iterative deepening until the budget is spent, on a thread of [`engine::spawn`], since other stacks
    /// may be too small; [`Engine::search`] sees to that.
    ///
    /// [`engine::spawn`]: crate::engine::spawn
    /// [`Engine::search`]: crate::engine::Engine::search
    pub fn search(
        &mut self,
        request: &Request,
        shared: Shared<'_>,
        budget: &Budget,
        observer: &mut (dyn Observer + Send),
    ) -> Outcome {
        Search::new(self, request, shared, budget, observer).iterate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Color};
    use crate::params::Params;
    use crate::search::history::{MoveIndex, QuietContext};
    use crate::search::tests::with_worker;

    #[test]
    fn a_search_begins_with_what_is_kept_of_the_histories_of_quiet_moves() {
        // What is kept of the histories of 1.e4, in general and after it, and of a capture.
        let kept = |history_kept| {
            let params = Params { history_kept, ..Params::default() };
            let mut worker = Worker::new(params.clone(), None);
            let fen = "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1";
            let seen = |earlier| QuietContext { color: Color::White, attacked: Bitboard::EMPTY, earlier };
            let mut found = None;
            for bonus in [1001, 0] {
                with_worker(&mut worker, fen, None, |search, position| {
                    let [m, capture] = ["e2e4", "e2d3"].map(|uci| position.parse_uci(uci).unwrap());
                    let after = seen([Some(MoveIndex::new(Color::White, m)), None, None]);
                    let histories = &mut *search.learned.histories;
                    histories.update_quiet(&params, after, m, bonus);
                    histories.update_capture(position, capture, bonus);
                    let [alone, both] = [seen([None; 3]), after].map(|context| histories.quiets(context).of(m));
                    found = Some([alone, both - alone, histories.capture(position, capture)]);
                });
            }
            found.unwrap()
        };
        assert_eq!(kept(75), [750, 750, 1001]);
        assert_eq!(kept(100), [1001; 3]);
    }
}
