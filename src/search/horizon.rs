//! The horizon search: Deep Blue's chip in software.
//!
//! The chip searched a fixed number of plies (4 to 5 in middlegames) with a plain alpha-beta, no transposition table
//! and no credit, and then a quiescence search (paper, section 5). Where the software's depth runs out, this takes its
//! place in the deep-blue profile; in the modern profile its depth is zero and only quiescence remains.

use super::observer::NodeEnd;
use super::picker::{Picker, Selection};
use super::pv::LineMove;
use super::state::{NodeKind, NonPv, Search, SearchResult};
use crate::board::{Position, is_noisy};
use crate::credit::Ledger;
use crate::score::{Score, Window};
use crate::tt::Entry;
use crate::units::{Depth, MAX_PLY, Ply};

impl Search<'_> {
    /// A leaf of the software's tree. The horizon search itself has no table, but the software keeps its verdict: second
    /// searches and searches for evidence come to the same leaves again.
    pub(super) fn leaf<K: NodeKind>(&mut self, position: &Position, window: Window, ply: Ply) -> SearchResult {
        let depth = self.horizon_depth.min(self.most_depth(ply));
        self.note_end(NodeEnd::Horizon(depth));
        if !self.params.horizon_verdicts || depth <= 0 {
            return self.horizon::<K>(position, window, depth, ply);
        }
        let entry = self.table.probe(position.key(), ply);
        let draw = self.draw_score(position, ply);
        if let Some(entry) = entry
            && draw.is_none()
            && let Some(score) = self.table_cutoff::<K>(&entry, window, depth, Ledger::EMPTY)
        {
            self.note_end(NodeEnd::Table(entry));
            return Ok(score);
        }
        let score = self.horizon::<K>(position, window, depth, ply)?;
        if draw.is_none() {
            let verdict = Entry {
                score,
                depth,
                bound: self.bound_of(score, window.alpha, window.beta),
                was_pv: K::PV,
                ..Entry::EMPTY
            };
            self.table.store(position.key(), verdict, ply);
        }
        Ok(score)
    }

    /// The score of a position by a fixed-depth search of `depth` plies and quiescence.
    pub(super) fn horizon<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        depth: Depth,
        ply: Ply,
    ) -> SearchResult {
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiescence::<K>(position, window, ply, self.params.quiescence_check_plies);
        }
        self.enter(ply)?;
        let keep_line = self.keeps_line::<K>();
        if keep_line {
            self.pv.clear(ply);
        }
        if let Some(score) = self.draw_score(position, ply) {
            return Ok(score);
        }
        let mut best = Score::mated(ply);
        let mut picker = Picker::new(self.hints(ply, None), Selection::All);
        let mut searched = 0;
        self.frames.at_mut(ply + 1).killers = Default::default();
        while let Some(m) = picker.next(position, self.ordering_histories()) {
            searched += 1;
            let step = self.step(position, m);
            let score = self.through(&step, ply, |search, child| {
                search.horizon_child::<K>(child, window, depth - 1, ply + 1, searched)
            })?;
            if score > best {
                best = score;
                if score > window.alpha {
                    window = window.raised(score);
                    if keep_line {
                        self.pv.update(ply, LineMove::plain(m));
                    }
                    if score >= window.beta {
                        if !is_noisy(m) {
                            self.note_refutation(position, m, ply, depth);
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

    /// Searches one child: the first with the whole window, the others with a null window first.
    fn horizon_child<K: NodeKind>(
        &mut self,
        child: &Position,
        window: Window,
        depth: Depth,
        ply: Ply,
        number: usize,
    ) -> SearchResult {
        if number > 1 && self.scouts && !window.is_null() {
            if self.keeps_line::<K>() {
                self.pv.clear(ply);
            }
            let scout = -self.horizon::<NonPv>(child, Window::null(window.alpha).flip(), depth, ply)?;
            if !window.contains(scout) {
                return Ok(scout);
            }
        }
        Ok(-self.horizon::<K>(child, window.flip(), depth, ply)?)
    }
}
