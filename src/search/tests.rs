//! What single switches do to a search's state, without searching: node counts would say only that something happened.

use super::budget::Budget;
use super::crew::Crew;
use super::history::Earlier;
use super::observer::Silent;
use super::state::{Pv, Search};
use super::worker::{Root, Shared, Worker};
use crate::board::{Game, Move, PackedMove, Position};
use crate::params::{Params, Profile};
use crate::score::Window;
use crate::tt::Table;
use crate::units::Depth;

/// Begins a search of a position and hands it over.
fn with_search<T>(params: Params, fen: &str, examine: impl FnOnce(&mut Search<'_>, &Position) -> T) -> T {
    let position = Position::from_fen(fen, false).unwrap();
    let (table, crew) = (Table::new(1).0, Crew::new(1));
    let game = Game::new(position.clone());
    let root = Root { game, search_moves: Vec::new(), multi_pv: 1, endgames: None };
    let shared = Shared { table: &table, crew: &crew, thread: 0 };
    let (mut worker, budget, mut silent) = (Worker::new(params), Budget::default(), Silent);
    examine(&mut Search::new(&mut worker, &root, shared, &budget, &mut silent), &position)
}

/// What ordering knows at ply 1, after 1.Ra2: that Kd7 refuted it, and how well Kd7 and the capture of the rook did.
#[derive(Debug, PartialEq, Eq)]
struct Learned {
    killer: bool,
    counter_move: bool,
    /// Whether earlier moves have a say, and what the histories say of Kd7.
    continued: bool,
    quiet: i32,
    capture: i32,
}

fn learned(params: Params) -> Learned {
    with_search(params, "3k4/8/8/8/2b5/8/8/R3K3 w - - 0 1", |search, position| {
        let find = |position: &Position, uci: &str| -> Move { position.parse_uci(uci).unwrap() };
        let rook_move = find(position, "a1a2");
        search.note_move(position, rook_move, 0);
        let after = position.play(rook_move);
        let (quiet, capture) = (find(&after, "d8d7"), find(&after, "c4a2"));
        search.note_refutation(&after, quiet, 1, 4);
        search.credit_capture(&after, capture, 100);
        let hints = search.hints(1, None);
        Learned {
            killer: hints.killers.contains(&PackedMove::new(quiet)),
            counter_move: hints.counter_move == PackedMove::new(quiet),
            continued: hints.earlier != Earlier::default(),
            quiet: search.histories.quiets(after.turn(), hints.earlier).of(quiet),
            capture: search.histories.capture(&after, capture),
        }
    })
}

#[test]
fn each_part_of_the_ordering_can_be_switched_off_alone() {
    let all = learned(Params::default());
    assert!(all.killer && all.counter_move && all.continued && all.quiet > 0 && all.capture > 0, "{all:?}");
    let without = |name: &str| {
        let mut params = Params::default();
        params.set(name, "off").unwrap();
        learned(params)
    };
    assert_eq!(without("killers"), Learned { killer: false, ..learned(Params::default()) });
    assert_eq!(without("counter_moves"), Learned { counter_move: false, ..learned(Params::default()) });
    assert_eq!(without("capture_history"), Learned { capture: 0, ..learned(Params::default()) });
    // Only the butterfly history is left.
    let butterfly = without("continuation_history");
    assert!(0 < butterfly.quiet && butterfly.quiet < all.quiet, "{butterfly:?}");
    assert_eq!(butterfly, Learned { continued: false, quiet: butterfly.quiet, ..all });
}

#[test]
fn no_progress_is_made_where_one_move_would_have_done() {
    // White's king takes three moves to b2 while Black's goes there and back.
    let moves = ["a1b1", "a7b7", "b1c1", "b7a7", "c1b2"];
    let makes_none = |no_progress| {
        with_search(Params { no_progress, ..Params::default() }, "8/k7/8/8/7p/7P/8/K7 w - - 0 1", |search, position| {
            let mut position = position.clone();
            moves.map(|uci| {
                position = position.play(position.parse_uci(uci).unwrap());
                search.path.push(&position);
                search.makes_no_progress(&position)
            })
        })
    };
    assert_eq!(makes_none(true), [false, false, false, false, true]);
    assert_eq!(makes_none(false), [false; 5]);
}

#[test]
fn where_growth_is_cut_no_node_is_deeper_than_the_iteration() {
    // Mate in two by 1.Ra6: the whole horizon search sees it, quiescence and a single ply do not.
    let iteration = 6;
    let seen = |growth_cut, plies: Depth, ply| {
        let params = Params { growth_cut, ..Profile::DeepBlue.params() };
        with_search(params, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", |search, position| {
            search.root.iteration = iteration;
            search.horizon_depth = search.params.horizon_depth;
            search.restrain(plies);
            search.leaf::<Pv>(position, Window::FULL, ply).is_ok_and(|score| score.is_mate())
        })
    };
    assert!(seen(true, 0, 0) && seen(true, 0, iteration - 1), "without restraint the horizon search is whole");
    assert!(seen(false, 1, iteration - 1), "nothing is cut");
    assert!(seen(true, 1, 0) && !seen(true, 1, iteration - 1) && !seen(true, 1, iteration + 3), "cut at the iteration");
}
