//! Endgame tables in the search: results for the root's moves, and for positions below.
//!
//! At a root in the tables every move gets bounds: a winning move is worth at least the table win at its distance, so
//! that the shortest win is played unless the search proves a mate; a losing one at most as much, so that the longest
//! loss is. Among draws the search decides, and its score becomes the tie-breaker. Below the root the WDL tables are
//! probed right after captures and pawn moves, where the fifty-move counter is zero.

use super::draws::table_key;
use super::facts::NodeKind;
use super::root::RootKnowledge;
use super::state::Search;
use super::task::Endgames;
use crate::board::{Game, Position};
use crate::score::{Score, Window};
use crate::syzygy::{Wdl, settled};
use crate::tt::{Bound, Entry};
use crate::units::{Credit, Depth, MAX_PLY, Ply};

/// Endgame table results are stored in the transposition table with this much more depth: they are certain.
const CERTAINTY: Depth = 6;

/// A table result for a node.
pub(super) enum Knowledge {
    /// The node's score, which ends it.
    Decides(Score),
    /// The search goes on, and its score is within these bounds.
    Bounds(Window),
}

impl Search<'_> {
    /// Probes the tables at the root and sorts its moves accordingly.
    pub(super) fn rank_root(&mut self, game: &Game) {
        let Some(endgames) = self.task.endgames else { return };
        let few = game.position().board().occupied().count() <= endgames.limit();
        let Some(ranked) = few.then(|| endgames.tables.rank(game, &self.root.choice, endgames.fifty_moves)).flatten()
        else {
            return;
        };
        let moves = ranked.moves().iter().map(|ranked| ranked.mv).collect();
        self.root.sort(moves, RootKnowledge::new(game.position(), &ranked, self.path.evaluator));
        self.meter.tb_hits += ranked.moves().len() as u64;
        if self.root.known.is_draw {
            // Every position below would get the same result.
            self.task.endgames = None;
        }
    }

    /// The tables' result for a node; none for most nodes.
    #[inline]
    pub(super) fn ask_endgames<K: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Knowledge {
        match self.task.endgames {
            Some(endgames) if K::MAY_END_EARLY && position.halfmoves() == 0 => {
                self.probe_endgames(endgames, position, window, depth, ply)
            }
            _ => Knowledge::Bounds(Window::FULL),
        }
    }

    /// Probes a position right after a capture or pawn move. The result is also stored in the transposition table,
    /// which is faster to probe.
    #[cold]
    fn probe_endgames(
        &mut self,
        endgames: &Endgames,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Knowledge {
        const NOTHING: Knowledge = Knowledge::Bounds(Window::FULL);
        let pieces = position.board().occupied().count();
        let limit = endgames.limit();
        if pieces > limit || (pieces == limit && depth < endgames.probe_depth) || !endgames.tables.covers(position) {
            return NOTHING;
        }
        // Reading a table can take as long as very many nodes.
        self.meter.look_at = self.meter.nodes;
        let Some(wdl) = endgames.tables.wdl(position) else { return NOTHING };
        self.meter.tb_hits += 1;
        let (score, bound) = match settled(wdl, endgames.fifty_moves) {
            Wdl::Win => (Score::tablebase_win(ply), Bound::Lower),
            Wdl::Loss => (-Score::tablebase_win(ply), Bound::Upper),
            _ => (self.theoretical_draw(position), Bound::Exact),
        };
        if bound.decides(score, window) {
            self.remember_certainty(position, score, bound, depth, ply);
            return Knowledge::Decides(score);
        }
        Knowledge::Bounds(match bound {
            Bound::Lower => Window { alpha: score, ..Window::FULL },
            _ => Window { beta: score, ..Window::FULL },
        })
    }

    /// Stores a table result, with accounts as large as the table can hold: it holds whatever a later visit has.
    fn remember_certainty(&mut self, position: &Position, score: Score, bound: Bound, depth: Depth, ply: Ply) {
        let entry = Entry {
            score,
            depth: (depth + CERTAINTY).min(MAX_PLY),
            bound,
            mine: Credit::from_plies(MAX_PLY),
            his: Credit::from_plies(MAX_PLY),
            ..Entry::EMPTY
        };
        self.task.tt.store(table_key(position), entry, ply);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::credit::Ledger;
    use crate::params::Params;
    use crate::search::facts::{NonPv, Pv, Visit};
    use crate::search::iteration::RunningIteration;
    use crate::search::tests::with_endgames;
    use crate::syzygy::{Tables, cursed_wins};

    /// A table's win or loss seen two plies from the root.
    const WIN: Score = Score::tablebase_win(2);

    #[test]
    fn a_win_or_loss_ends_a_node_or_bounds_its_score_and_is_not_asked_for_between_captures() {
        let Ok(path) = std::env::var("PACIOLI_SYZYGY") else {
            eprintln!("skipped: PACIOLI_SYZYGY names no folder of tables");
            return;
        };
        let tables = Arc::new(Tables::open(&path).0.expect("the folder has tables"));
        // What is known of the queen's ending with this side to move and counter, in such a window: the score that ends
        // the node, or the bounds.
        let known = |turn: &str, halfmoves, alpha| {
            let fen = format!("8/8/8/3k4/8/8/8/KQ6 {turn} - - {halfmoves} 60");
            let endgames = Endgames { tables: tables.clone(), probe_depth: 1, probe_limit: 7, fifty_moves: true };
            with_endgames(Params::default(), &fen, Some(endgames), |search, position| {
                search.meter.look_at = 1000;
                let knowledge = search.ask_endgames::<NonPv>(position, Window::null(alpha), 4, 2);
                // Whoever has read a table looks at the clock next.
                assert_eq!(search.meter.look_at, if halfmoves == 0 { 0 } else { 1000 });
                match knowledge {
                    Knowledge::Decides(score) => (Some(score), None),
                    Knowledge::Bounds(bounds) => (None, Some(bounds)),
                }
            })
        };
        let (mate, mated) = (Score::mating(9), Score::mated(10));
        assert_eq!((known("w", 0, Score::ZERO), known("b", 0, Score::ZERO)), ((Some(WIN), None), (Some(-WIN), None)));
        // A shorter way is looked for.
        assert_eq!(known("w", 0, mate), (None, Some(Window { alpha: WIN, ..Window::FULL })));
        assert_eq!(known("b", 0, mated), (None, Some(Window { beta: -WIN, ..Window::FULL })));
        for (turn, alpha) in [("w", Score::ZERO), ("w", mate), ("b", Score::ZERO), ("b", mated)] {
            assert_eq!(known(turn, 1, alpha), (None, Some(Window::FULL)), "{turn} {alpha}");
        }
    }

    /// Starts a search with a table of the queen's ending in which every win comes too late for the fifty-move rule.
    fn with_cursed_wins<T>(fen: &str, fifty_moves: bool, examine: impl FnOnce(&mut Search<'_>, &Position) -> T) -> T {
        let (tables, _folder) = cursed_wins();
        let endgames = Endgames { tables: Arc::new(tables), probe_depth: 1, probe_limit: 7, fifty_moves };
        with_endgames(Params::default(), fen, Some(endgames), examine)
    }

    #[test]
    fn a_win_that_comes_too_late_counts_only_without_the_fifty_move_rule() {
        let known = |turn: &str, fifty_moves| {
            let ending = Position::from_fen(&format!("8/8/8/3k4/8/8/8/KQ6 {turn} - - 0 60"), false).unwrap();
            // The root has a piece more than the table.
            with_cursed_wins("8/8/8/3k4/8/8/8/KQR5 w - - 0 60", fifty_moves, |search, _| {
                match search.ask_endgames::<NonPv>(&ending, Window::null(Score::ZERO), 4, 2) {
                    Knowledge::Decides(score) => score,
                    Knowledge::Bounds(bounds) => panic!("{turn} {fifty_moves}: {bounds:?}"),
                }
            })
        };
        assert_eq!(["w", "b"].map(|turn| known(turn, false)), [WIN, -WIN]);
        assert_eq!(["w", "b"].map(|turn| known(turn, true).main()), [0, 0]);
    }

    #[test]
    fn at_the_root_only_a_draw_that_gives_away_the_chance_of_a_late_win_is_worth_no_more_than_a_draw() {
        with_cursed_wins("8/8/8/3k4/8/8/8/KQ6 w - - 0 60", true, |search, position| {
            let root = &search.root;
            assert!(root.known.is_draw && search.task.endgames.is_none());
            // The king can take a queen on e4.
            let worth = |uci: &str| root.known.clamp(position.parse_uci(uci).unwrap(), Score::cp(300));
            assert_eq!(["b1c2", "b1e4"].map(worth), [Score::cp(300), Score::ZERO]);
        });
    }

    #[test]
    fn a_node_is_worth_the_win_that_a_table_knows_whatever_its_moves_show() {
        let score = with_cursed_wins("8/8/8/3k4/8/8/8/KQ6 w - - 0 60", false, |search, position| {
            search.iteration = RunningIteration::new(search.task.params, 3, 0, 0);
            let (window, ledger) = (Window::FULL, Ledger::EMPTY);
            search.node::<Pv>(Visit { position, window, depth: 1, ply: 2, ledger, cut_node: false })
        });
        assert!(score.is_ok_and(|score| score >= WIN), "{score:?}");
    }
}
