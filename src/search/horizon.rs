//! The horizon search: Deep Blue's chip in software.
//!
//! The chip searched a fixed number of plies (4 to 5 in middlegames) without transposition table or accounts, followed
//! by a quiescence search (paper, section 5). This search takes the chip's place at the end of the software's depth in
//! the deep-blue profile; in the modern profile its depth is zero and only quiescence remains. It does without the
//! chip's tests of singular moves at its root, its rule of no progress (section 4.3) and its bound on the score where
//! a move can repeat a position (section 3.3), and a leaf is extended by a full ply where the chip extended its
//! quiescence. The chip tried captures first, from low pieces taking high ones to high ones taking low ones, then other
//! moves by centrality (section 3.1); here moves are ordered as in the software.

use super::chip::{cannot_save_all, reaches_seventh};
use super::draws::table_key;
use super::facts::{Aborted, NodeKind, NonPv, SearchResult, Visit};
use super::observer::NodeEnd;
use super::path::NO_PLY;
use super::picker::{Picker, Selection};
use super::pv::LineMove;
use super::quiescence::Course;
use super::state::Search;
use crate::board::{Move, PackedMove, Position, is_noisy};
use crate::credit::Ledger;
use crate::params::Params;
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry};
use crate::units::{Depth, MAX_PLY, Ply};

/// What is left for a line of the horizon search.
#[derive(Copy, Clone)]
struct Reach {
    depth: Depth,
    /// Plies by which it may still be extended.
    extensions: Depth,
}

impl Reach {
    /// The initial reach of a horizon search of `depth` plies.
    fn new(params: &Params, depth: Depth) -> Reach {
        Reach { depth, extensions: params.horizon_extensions }
    }
}

impl Search<'_> {
    /// A leaf of the software's tree. The horizon search itself has no table, but the software stores its result:
    /// second searches and probes reach the same leaves again.
    pub(super) fn leaf<K: NodeKind>(&mut self, visit: Visit<'_>) -> SearchResult {
        let Visit { position, window, ply, .. } = visit;
        self.iteration.max_software = self.iteration.max_software.max(ply);
        let depth = self.iteration.horizon_depth.min(self.iteration.most_depth(self.task.params, ply));
        self.observation.note_end(NodeEnd::Horizon(depth));
        if !self.task.params.horizon_verdicts || depth <= 0 {
            return self.horizon_or_software::<K>(visit, depth, None);
        }
        let entry = self.task.tt.probe(table_key(position), ply);
        let draw = self.draw_score(position, ply);
        if let Some(entry) = entry
            && draw.is_none()
            && let Some(score) = self.tt_cutoff::<K>(&entry, window, depth, Ledger::EMPTY)
        {
            self.observation.note_end(NodeEnd::Table(entry));
            return Ok(score);
        }
        let known = entry.map_or(PackedMove::NONE, |entry| entry.best_move);
        let first = if self.task.params.horizon_moves { known.unpack(position) } else { None };
        let score = self.horizon_or_software::<K>(visit, depth, first)?;
        if draw.is_none() && self.path.depends_on == NO_PLY {
            // What the software searched instead of the horizon search may have been cut off in the meantime. If the
            // entry has a move, it may have earned credit: it is kept (law 5).
            let found =
                self.path.frames.at(ply).chip_move.filter(|_| self.task.params.horizon_moves && !known.is_some());
            let verdict = Entry {
                best_move: found.map_or(PackedMove::NONE, PackedMove::new),
                score,
                depth: depth.min(self.iteration.most_depth(self.task.params, ply)),
                bound: Bound::of(score, window.alpha, window.beta),
                was_pv: K::PV,
                ..Entry::EMPTY
            };
            self.task.tt.store(table_key(position), verdict, ply);
        }
        Ok(score)
    }

    /// The horizon search of a leaf; if it becomes too large, the software searches one ply more instead. The paper
    /// aborts "long-running hardware searches (more than 8000 nodes)" to "push more of the search into software"
    /// (section 6.2), without saying how much more.
    ///
    /// The accounts end with the software's depth in either case. The ply begins with empty ones, as a search for
    /// evidence does: what its moves earn by themselves may be cashed in. So a leaf's result does not depend on the
    /// accounts (law 5), and no award before it can matter (law 7).
    fn horizon_or_software<K: NodeKind>(
        &mut self,
        visit: Visit<'_>,
        depth: Depth,
        first: Option<Move>,
    ) -> SearchResult {
        let reach = Reach::new(self.task.params, depth);
        let Visit { position, window, ply, .. } = visit;
        let has_ceiling = self.task.params.horizon_ceiling > 0 && depth > 0 && ply < MAX_PLY - 1;
        if !has_ceiling {
            return self.horizon_within::<K>(position, window, reach, ply, first);
        }
        self.meter.set_ceiling(Some(self.task.params.horizon_ceiling as u64));
        let result = self.horizon_within::<K>(position, window, reach, ply, first);
        self.meter.set_ceiling(None);
        if result != Err(Aborted::HorizonCeiling) {
            return result;
        }
        self.path.frames.at_mut(ply).chip_move = None;
        let whole = std::mem::replace(&mut self.iteration.horizon_depth, depth - 1);
        let result = self.visit::<K>(Visit { depth: 1, ledger: Ledger::EMPTY, ..visit });
        self.iteration.horizon_depth = whole;
        if self.path.keeps_line::<K>() {
            self.path.lines.end_accounts(ply);
        }
        result
    }

    /// The score of a position from a fixed-depth search of `depth` plies plus quiescence.
    pub(super) fn horizon<K: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> SearchResult {
        let reach = Reach::new(self.task.params, depth);
        self.horizon_within::<K>(position, window, reach, ply, None)
    }

    /// The same with some plies by which the line may still be extended.
    fn horizon_within<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        mut reach: Reach,
        ply: Ply,
        first: Option<Move>,
    ) -> SearchResult {
        self.path.frames.at_mut(ply).chip_move = None;
        if reach.depth <= 0 && reach.extensions > 0 && self.prolongs_horizon(position, window.beta, ply) {
            reach = Reach { depth: 1, extensions: reach.extensions - 1 };
        }
        if reach.depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiescence::<K>(position, window, ply, Course::new(self.task.params));
        }
        self.enter(ply)?;
        let keep_line = self.path.keeps_line::<K>();
        if keep_line {
            self.path.lines.clear(ply);
        }
        if let Some(score) = self.draw_score(position, ply) {
            return Ok(score);
        }
        let mut best = Score::mated(ply);
        self.note_context(position, ply);
        let mut picker = Picker::new(self.hints(ply, first), Selection::All);
        let mut searched = 0;
        self.path.frames.at_mut(ply + 1).killers = Default::default();
        while let Some(m) = picker.next(position, self.ordering_histories()) {
            searched += 1;
            let step = self.step(position, m);
            let below = Reach { depth: reach.depth - 1, ..reach };
            let score = self.through(&step, ply, |search, child| {
                search.horizon_child::<K>(child, window, below, ply + 1, searched)
            })?;
            if score > best {
                best = score;
                if score > window.alpha {
                    window = window.raised(score);
                    self.path.frames.at_mut(ply).chip_move = Some(m);
                    if keep_line {
                        self.path.lines.update(ply, LineMove::plain(m));
                    }
                    if score >= window.beta {
                        if !is_noisy(m) {
                            self.note_refutation(position, m, ply, reach.depth);
                        }
                        break;
                    }
                }
            }
        }
        if searched == 0 && !position.in_check() {
            return Ok(self.theoretical_draw(position));
        }
        Ok(best)
    }

    /// Whether the horizon search is extended by a ply where it would end: after a pawn has reached the seventh rank,
    /// or if several pieces hang, or a pinned one (paper, section 5). That the side to move is not in check, and in the
    /// second case would stand pat in quiescence, are Pacioli's conditions.
    fn prolongs_horizon(&mut self, position: &Position, beta: Score, ply: Ply) -> bool {
        !position.in_check()
            && (reaches_seventh(position, self.path.frames.at(ply - 1).made.mv)
                || (Score::cp(self.path.evaluator.evaluate(position)) >= beta && cannot_save_all(position)))
    }

    /// Searches one child: the first with the full window, the others with a null window first.
    fn horizon_child<K: NodeKind>(
        &mut self,
        child: &Position,
        window: Window,
        reach: Reach,
        ply: Ply,
        number: usize,
    ) -> SearchResult {
        if number > 1 && self.task.scouts && !window.is_null() {
            if self.path.keeps_line::<K>() {
                self.path.lines.clear(ply);
            }
            let scout = -self.horizon_within::<NonPv>(child, Window::null(window.alpha).flip(), reach, ply, None)?;
            if !window.contains(scout) {
                return Ok(scout);
            }
        }
        Ok(-self.horizon_within::<K>(child, window.flip(), reach, ply, None)?)
    }
}
