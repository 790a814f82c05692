//! The state of one running search, and the small steps that all its node functions share.

use std::time::Instant;

use super::budget::Budget;
use super::correction::{CorrectionKey, Corrections};
use super::crew::Crew;
use super::endgames::Endgames;
use super::frame::{Frames, KILLERS};
use super::history::{Earlier, Histories, LOOK_BACK, bonus};
use super::node::Visit;
use super::observer::{NodeEnd, NodeEntry, Observer};
use super::pace::Deadlines;
use super::picker::Hints;
use super::pruning::{Reductions, growth_restraint};
use super::pv::PvTable;
use super::root::RootState;
use super::telemetry::CreditStats;
use super::worker::{self, Shared, Worker};
use crate::board::{Color, History, Move, PackedMove, Position, ReversibleMoves};
use crate::credit::{Ledger, Taper, largest_near};
use crate::eval::Evaluator;
use crate::params::Params;
use crate::score::{MAX_EVAL, Score, Window};
use crate::tt::{Bound, Entry, Table};
use crate::units::{Credit, Depth, Ply};

/// A search was given up: no score below this point means anything.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Aborted {
    /// The search was told to stop, or its budget is spent.
    Budget,
    /// The horizon search has become too large; the software takes over.
    HorizonCeiling,
}

/// A score, unless the search was aborted.
pub(super) type SearchResult = Result<Score, Aborted>;

/// What kind of node is searched, known at compile time.
pub(super) trait NodeKind {
    /// The root of the tree.
    const ROOT: bool;
    /// A node whose exact score may matter.
    const PV: bool;
}

/// The root: a PV node with its own list of moves.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node searched with a null window.
pub(super) struct NonPv;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl NodeKind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// Nodes that the first iteration may take before it heeds clock and stop flag: some milliseconds.
const FIRST_ITERATION_NODES: u64 = 8 * CHECK_INTERVAL;

/// No ply of the path: deeper than all.
pub(super) const NO_PLY: Ply = Ply::MAX;

/// Nodes between two looks at the clock and the stop flag.
const CHECK_INTERVAL: u64 = 1024;

/// One running search.
pub(super) struct Search<'a> {
    pub params: &'a Params,
    pub table: &'a Table,
    pub crew: &'a Crew,
    /// Number of this thread in the crew.
    pub thread: usize,
    pub budget: &'a Budget,
    pub histories: &'a mut Histories,
    pub corrections: &'a mut Corrections,
    pub evaluator: &'a mut Evaluator,
    pub reductions: &'a Reductions,
    pub reversible: &'a ReversibleMoves,
    pub observer: &'a mut (dyn Observer + Send),
    /// Keys of the game and of the current path.
    pub path: History,
    pub frames: Frames,
    pub pv: PvTable,
    pub root: RootState,
    /// Endgame tables to ask below the root, if any.
    pub endgames: Option<&'a Endgames>,
    /// Positions that endgame tables knew.
    pub table_hits: u64,
    /// The side that strives for repetitions: the one that the last iteration saw worse off.
    pub striver: Color,
    /// Award sizes in the current iteration.
    pub taper: Taper,
    /// The account balance beyond which credit is cashed in: [`Search::restrain`] sets it.
    pub limit: Credit,
    /// The largest award that any mechanism grants near the root.
    pub largest_near_award: i32,
    /// Plies of the horizon search in the current iteration.
    pub horizon_depth: Depth,
    /// Keep principal variations in null windows too, for drivers that use nothing else.
    pub lines_everywhere: bool,
    /// Scout moves after the first with a null window.
    pub scouts: bool,
    pub nodes: u64,
    /// The count when the running quiescence search began.
    pub quiescence_start: u64,
    /// Nodes of this thread in the last iteration, and when the current one began.
    pub last_cost: u64,
    pub iteration_start: u64,
    /// Plies by which late moves are reduced more, while the iteration costs too much.
    pub restraint: Depth,
    check_at: u64,
    /// Node count at which the running horizon search is given up.
    ceiling: u64,
    /// The ply of the path above that the last score depends on: there it would have been better to make another move
    /// ([`Search::makes_no_progress_since`]). Nodes below that ply must not store what depends on it.
    pub leans_on: Ply,
    /// Whether the observer hears of every node, and how the last one ended.
    pub tells_tree: bool,
    ended: NodeEnd,
    pub max_software: Ply,
    pub max_combined: Ply,
    pub credit: CreditStats,
    pub start: Instant,
    /// When a running iteration ends.
    pub deadlines: Deadlines,
}

impl<'a> Search<'a> {
    /// A search that is about to begin.
    pub fn new(
        worker: &'a mut Worker,
        root: &'a worker::Root,
        shared: Shared<'a>,
        budget: &'a Budget,
        observer: &'a mut (dyn Observer + Send),
    ) -> Search<'a> {
        let Worker { params, mate_params, reductions, histories, corrections, evaluator, reversible } = worker;
        let params = if budget.mate.is_some() { &*mate_params } else { &*params };
        let position = root.game.position();
        let start = budget.started.unwrap_or_else(Instant::now);
        let tells_tree = observer.wants_tree();
        let mut search = Search {
            params,
            table: shared.table,
            crew: shared.crew,
            thread: shared.thread,
            budget,
            histories,
            corrections,
            evaluator,
            reductions,
            reversible,
            observer,
            path: root.game.history().clone(),
            frames: Frames::new(),
            pv: PvTable::new(),
            root: RootState::new(position.clone(), &root.search_moves, root.multi_pv),
            endgames: root.endgames.as_ref(),
            table_hits: 0,
            striver: !position.turn(),
            taper: Taper::new(params, 1),
            limit: Credit::NONE,
            largest_near_award: largest_near(params),
            horizon_depth: params.horizon_depth,
            lines_everywhere: false,
            scouts: params.zero_window_scouts,
            nodes: 0,
            quiescence_start: 0,
            last_cost: 0,
            iteration_start: 0,
            restraint: 0,
            check_at: 0,
            ceiling: u64::MAX,
            leans_on: NO_PLY,
            tells_tree,
            ended: NodeEnd::Moves,
            max_software: 0,
            max_combined: 0,
            credit: CreditStats::default(),
            start,
            deadlines: Deadlines::hard(budget.hard),
        };
        search.evaluator.begin(position);
        search.rank_root(&root.game);
        search
    }

    /// Counts a node, and stops the search where the budget says so.
    pub fn enter(&mut self, ply: Ply) -> Result<(), Aborted> {
        if self.nodes >= self.check_at {
            self.check_budget()?;
        }
        self.nodes += 1;
        if ply > self.max_combined {
            self.max_combined = ply;
        }
        Ok(())
    }

    /// Looks at the limits. The first iteration, hardly ever more than some dozens of nodes, heeds a node limit only
    /// while it is so short, so that the move played is not an unsearched one.
    fn check_budget(&mut self) -> Result<(), Aborted> {
        let told = (self.root.iteration > 1 || self.nodes > FIRST_ITERATION_NODES)
            && (self.budget.stop.is_raised() || self.is_time_up());
        let total = self.total_nodes();
        let spent = told || self.budget.nodes.is_some_and(|limit| total >= limit);
        if spent {
            return Err(Aborted::Budget);
        }
        if self.nodes >= self.ceiling {
            return Err(Aborted::HorizonCeiling);
        }
        if self.observer.wants_current_line() {
            let line = self.current_line();
            self.observer.current_line(&line);
        }
        self.restrain(growth_restraint(self.params, self.nodes - self.iteration_start, self.last_cost));
        let next = self.nodes + CHECK_INTERVAL;
        self.check_at =
            self.budget.nodes.map_or(next, |limit| next.min(self.nodes + (limit - total))).min(self.ceiling);
        Ok(())
    }

    /// Sets the node count at which the horizon search is given up, or lifts it.
    pub fn set_ceiling(&mut self, nodes: Option<u64>) {
        self.ceiling = nodes.map_or(u64::MAX, |nodes| self.nodes + nodes);
        self.check_at = self.check_at.min(self.ceiling);
    }

    /// Restrains the iteration by so many plies; a restrained one cashes in nothing.
    pub fn restrain(&mut self, plies: Depth) {
        self.restraint = plies;
        let balance = if plies > 0 { i16::MAX } else { self.params.credit_limit as i16 };
        self.limit = Credit::sixteenths(balance);
    }

    /// The most plies, horizon search included, that may follow `ply`: where the iteration is restrained, as many as it
    /// would have without extensions. What was cashed in before is cut off with it.
    pub fn most_depth(&self, ply: Ply) -> Depth {
        if self.restraint > 0 && self.params.growth_cut { (self.root.iteration - ply).max(0) } else { Depth::MAX }
    }

    /// A node's depth as the table counts it: down to quiescence, the horizon search included. An iteration that is cut
    /// searches no line deeper than that, those of nodes entered before among them.
    pub fn table_depth(&self, depth: Depth, ply: Ply) -> Depth {
        (depth + self.horizon_depth).min(self.most_depth(ply))
    }

    /// Notes how a node ends, where the observer hears of it.
    #[inline]
    pub fn note_end(&mut self, end: NodeEnd) {
        if self.tells_tree {
            self.ended = end;
        }
    }

    /// Tells the observer of a node that is entered, at this depth after cash-in.
    pub fn tell_entry(&mut self, visit: &Visit<'_>, depth: Depth) {
        let ply = visit.ply;
        let made = self.frames.at(ply - 1).made;
        self.ended = NodeEnd::Moves;
        self.observer.node_entered(&NodeEntry {
            position: visit.position,
            ply,
            m: made.m,
            purpose: made.purpose,
            window: visit.window,
            depth,
            horizon: self.horizon_depth,
            before: visit.ledger,
            cash_in: self.frames.at(ply).cash_in,
        });
    }

    /// Tells the observer of a node that is left; no score where the search was aborted.
    pub fn tell_exit(&mut self, ply: Ply, result: SearchResult) {
        self.observer.node_left(ply, result.ok(), self.ended);
    }

    /// Nodes of all threads, as far as they are known.
    pub fn total_nodes(&self) -> u64 {
        if self.crew.is_single() {
            return self.nodes;
        }
        self.crew.publish(self.thread, self.nodes, self.table_hits);
        self.crew.total(self.thread, self.nodes)
    }

    /// Positions that endgame tables knew, all threads, as far as they are known.
    pub fn total_table_hits(&self) -> u64 {
        self.crew.total_hits(self.thread, self.table_hits)
    }

    /// Whether nodes of this kind keep their principal variation.
    pub fn keeps_line<K: NodeKind>(&self) -> bool {
        K::PV || self.lines_everywhere
    }

    /// The histories that order moves, unless they are switched off.
    pub fn ordering_histories(&self) -> Option<&Histories> {
        self.params.use_history.then_some(&*self.histories)
    }

    /// The static evaluation in centipawns for the side to move, from the table where it is there.
    pub fn static_eval(&mut self, position: &Position, entry: Option<&Entry>) -> i32 {
        match entry.and_then(|entry| entry.static_eval) {
            Some(eval) => eval,
            None => self.evaluator.evaluate(position),
        }
    }

    /// A static evaluation corrected by what was learned of its errors.
    pub fn corrected(&self, raw_eval: i32, key: CorrectionKey) -> i32 {
        if !self.params.correction_history {
            return raw_eval;
        }
        (raw_eval + self.corrections.get(self.params, key)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The table's score in place of a static evaluation, where it says that the evaluation is too high or too low.
    pub fn refined(&self, static_eval: i32, entry: Option<&Entry>) -> i32 {
        let Some(entry) = entry.filter(|entry| self.params.table_estimate && !entry.score.is_decisive()) else {
            return static_eval;
        };
        if entry.bound.excludes(entry.score, Score::cp(static_eval)) { entry.score.main() } else { static_eval }
    }

    /// The score of a table entry, where it decides the node: searched at least as deep after cash-in, as the table
    /// counts depth, with at least as much in both accounts (law 5), and on the right side of the window.
    pub fn table_cutoff<K: NodeKind>(
        &self,
        entry: &Entry,
        window: Window,
        depth: Depth,
        ledger: Ledger,
    ) -> Option<Score> {
        if !self.params.table_cutoffs || (K::PV && self.scouts) || entry.depth < depth {
            return None;
        }
        let searched_with = Ledger { mine: entry.mine, his: entry.his };
        if self.params.credit_envelope && !searched_with.covers(ledger) {
            return None;
        }
        entry.bound.decides(entry.score, window).then_some(entry.score)
    }

    /// What a finished node's score says, given the window it was searched with.
    pub fn bound_of(&self, best: Score, alpha: Score, beta: Score) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The moves made before, as the histories of move pairs see them.
    pub fn earlier(&self, ply: Ply) -> Earlier {
        LOOK_BACK.map(|back| self.frames.at(ply - back).made.index)
    }

    /// The moves before that continuation history goes by: none where it is switched off.
    pub fn continued(&self, ply: Ply) -> Earlier {
        if self.params.continuation_history { self.earlier(ply) } else { Earlier::default() }
    }

    /// The killers of a ply.
    fn killers(&self, ply: Ply) -> [PackedMove; KILLERS] {
        if self.params.killers { self.frames.at(ply).killers } else { Default::default() }
    }

    /// The quiet move that last refuted the move before.
    fn counter_move(&self, ply: Ply) -> PackedMove {
        if !self.params.counter_moves {
            return PackedMove::NONE;
        }
        self.histories.counter_move(self.frames.at(ply - 1).made.index)
    }

    /// What is known for ordering a node's moves.
    pub fn hints(&self, ply: Ply, table_move: Option<Move>) -> Hints {
        if !self.params.ordering {
            return Hints { unordered: true, ..Hints::default() };
        }
        if !self.params.use_history {
            return Hints { table_move, ..Hints::default() };
        }
        Hints {
            table_move,
            killers: self.killers(ply),
            counter_move: self.counter_move(ply),
            earlier: self.continued(ply),
            unordered: false,
        }
    }

    /// Whether a quiet move is a killer here or the usual answer to the last move.
    pub fn is_refutation(&self, ply: Ply, m: Move) -> bool {
        let packed = PackedMove::new(m);
        self.killers(ply).contains(&packed) || self.counter_move(ply) == packed
    }

    /// Credits or debits a capture in the histories.
    pub fn credit_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        if self.params.capture_history {
            self.histories.update_capture(position, m, bonus);
        }
    }

    /// A quiet move refuted the node: remember it as killer, counter-move and in the histories.
    pub fn note_refutation(&mut self, position: &Position, m: Move, ply: Ply, depth: Depth) {
        let packed = PackedMove::new(m);
        let killers = &mut self.frames.at_mut(ply).killers;
        if killers[0] != packed {
            killers[1] = killers[0];
            killers[0] = packed;
        }
        self.histories.set_counter_move(self.frames.at(ply - 1).made.index, packed);
        self.histories.update_quiet(position.turn(), m, self.continued(ply), bonus(depth));
    }
}
