//! What single switches do to a search's state, without searching: node counts would only show that something happened.

use std::ops::ControlFlow;

use super::budget::Budget;
use super::correction::CorrectionKey;
use super::crew::Crew;
use super::facts::{Aborted, Candidate, NextMove, Node, NonPv, Pv, Root, TtHint, Visit};
use super::history::Earlier;
use super::iteration::RunningIteration;
use super::observer::Silent;
use super::quiescence::Course;
use super::root::RankSearch;
use super::state::Search;
use super::task::{Endgames, LEADER, Request, Shared};
use super::worker::Worker;
use crate::board::{Bitboard, Game, Move, PackedMove, Position, START_FEN, attacked};
use crate::credit::{Award, Ledger, Mechanism};
use crate::params::{Params, Profile};
use crate::score::{Score, Window};
use crate::tt::{Bound, Entry, Table};
use crate::units::{Credit, Depth, MAX_PLY, Ply};

/// Starts a search of a position and passes it to `examine`.
pub(super) fn with_search<T>(params: Params, fen: &str, examine: impl FnOnce(&mut Search<'_>, &Position) -> T) -> T {
    with_endgames(params, fen, None, examine)
}

/// The same with endgame tables.
pub(super) fn with_endgames<T>(
    params: Params,
    fen: &str,
    endgames: Option<Endgames>,
    examine: impl FnOnce(&mut Search<'_>, &Position) -> T,
) -> T {
    with_worker(&mut Worker::new(params, None), fen, endgames, examine)
}

/// The same by a worker that may have searched before.
pub(super) fn with_worker<T>(
    worker: &mut Worker,
    fen: &str,
    endgames: Option<Endgames>,
    examine: impl FnOnce(&mut Search<'_>, &Position) -> T,
) -> T {
    let position = Position::from_fen(fen, false).unwrap();
    let (table, crew) = (Table::new(1).0, Crew::new(1));
    let game = Game::new(position.clone());
    let request = Request { game, search_moves: Vec::new(), multi_pv: 1, endgames };
    let shared = Shared { table: &table, crew: &crew, thread: LEADER };
    let (budget, mut silent) = (Budget::default(), Silent);
    examine(&mut Search::new(worker, &request, shared, &budget, &mut silent), &position)
}

/// A node of `depth` plies at `ply`, where both accounts are empty.
pub(super) fn with_node<T>(
    params: Params,
    fen: &str,
    window: Window,
    depth: Depth,
    ply: Ply,
    examine: impl FnOnce(&mut Search<'_>, &Node<'_>) -> T,
) -> T {
    with_search(params, fen, |search, position| {
        search.iteration = RunningIteration::new(search.task.params, depth + ply, 0, 0);
        let visit = Visit { position, window, depth, ply, ledger: Ledger::EMPTY, cut_node: true };
        let node = search.prepare::<NonPv>(visit, None);
        examine(search, &node)
    })
}

/// What ordering has learned at ply 1, after 1.Ra2: that Kd7 refuted it, and the histories of Kd7 and of capturing the
/// rook.
#[derive(Debug, PartialEq, Eq)]
struct Learned {
    killer: bool,
    counter_move: bool,
    /// Whether earlier moves are used, and the history score of Kd7.
    continued: bool,
    quiet: i32,
    capture: i32,
}

fn learned(params: Params) -> Learned {
    with_search(params, "3k4/8/8/8/2b5/8/8/R3K3 w - - 0 1", |search, position| {
        let find = |position: &Position, uci: &str| -> Move { position.parse_uci(uci).unwrap() };
        let rook_move = find(position, "a1a2");
        let step = search.step(position, rook_move);
        search.through(&step, 0, |search, after| {
            let (quiet, capture) = (find(after, "d8d7"), find(after, "c4a2"));
            search.note_refutation(after, quiet, 1, 4);
            search.learn_of_capture(after, capture, 100);
            let hints = search.hints(1, None);
            Learned {
                killer: hints.killers.contains(&PackedMove::new(quiet)),
                counter_move: hints.counter_move == PackedMove::new(quiet),
                continued: hints.earlier != Earlier::default(),
                quiet: search.learned.histories.quiets(search.quiet_context(after.turn(), 1)).of(quiet),
                capture: search.learned.histories.capture(after, capture),
            }
        })
    })
}

/// What the nodes below can see of the move made at ply 0.
fn evidence(search: &Search<'_>) -> (Option<Move>, bool, bool, usize) {
    let made = search.path.frames.at(0).made;
    (made.mv, made.forcing, made.passed_pawn_push, search.path.keys.search_keys().len())
}

#[test]
fn a_move_leaves_nothing_behind_whichever_way_its_search_ends() {
    with_search(Params::default(), "8/4k3/P7/8/8/8/8/4K2R w - - 0 1", |search, position| {
        let untouched = evidence(search);
        let (push, check) = (position.parse_uci("a6a7").unwrap(), position.parse_uci("h1h7").unwrap());
        let step = search.step(position, push);
        let aborted: Result<(), Aborted> = search.through(&step, 0, |search, _| {
            assert_eq!(evidence(search), (Some(push), false, true, 1));
            Err(Aborted::Budget)
        });
        assert_eq!((aborted, evidence(search)), (Err(Aborted::Budget), untouched));
        // A probe between two searches of a move: neither must see the other's evidence.
        let probe = search.evidence_step(position, check);
        search.through(&probe, 0, |search, _| assert_eq!(evidence(search), (Some(check), true, false, 1)));
        assert_eq!(evidence(search), untouched);
        let pass = search.pass(position).unwrap();
        search.through(&pass, 0, |search, _| {
            assert_eq!(evidence(search), (None, false, false, 1));
            assert!(search.path.frames.at(0).made.passed() && search.path.frames.at(0).made.index.is_none());
        });
        assert_eq!(evidence(search), untouched);
    });
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

/// The history of 1.Ra2 after something is learned of it: by `learn` before it is made, or in the position after it.
fn history_of_a_rook_move(params: Params, learn: impl Fn(&mut Search<'_>, &Node<'_>, Option<Move>)) -> i32 {
    with_search(params, "3k4/8/8/8/2b5/8/8/R3K3 w - - 0 1", |search, position| {
        let m = position.parse_uci("a1a2").unwrap();
        fn visit(position: &Position, ply: Ply) -> Visit<'_> {
            Visit { position, window: Window::null(Score::ZERO), depth: 6, ply, ledger: Ledger::EMPTY, cut_node: false }
        }
        let node = search.prepare::<NonPv>(visit(position, 0), None);
        search.note_context(position, 0);
        learn(search, &node, Some(m));
        let step = search.step(position, m);
        search.through(&step, 0, |search, after| {
            let node = search.prepare::<NonPv>(visit(after, 1), None);
            learn(search, &node, None);
        });
        search.learned.histories.quiets(search.quiet_context(position.turn(), 0)).of(m)
    })
}

#[test]
fn moves_learn_from_more_than_cutoffs_and_each_way_can_be_switched_off() {
    let none = Params {
        swing_history: false,
        reply_history: false,
        scout_history: false,
        tt_history: false,
        ..Params::default()
    };
    let fails_low = |search: &mut Search<'_>, node: &Node<'_>, before: Option<Move>| {
        if before.is_none() {
            search.learn_from_failure(node);
        }
    };
    assert!(history_of_a_rook_move(Params { reply_history: true, ..none.clone() }, fails_low) > 0);
    assert_eq!(history_of_a_rook_move(none.clone(), fails_low), 0);

    let cuts_off = |search: &mut Search<'_>, node: &Node<'_>, before: Option<Move>| {
        if before.is_some() {
            search.learn_from_table(node.position, node.ply, before, node.depth);
        }
    };
    assert!(history_of_a_rook_move(Params { tt_history: true, ..none.clone() }, cuts_off) > 0);
    assert_eq!(history_of_a_rook_move(none.clone(), cuts_off), 0);

    // The rook move changes little for the classical evaluation; where it was thought to be far better or worse before,
    // the difference counts.
    let swing = |before: i32| {
        move |search: &mut Search<'_>, _: &Node<'_>, first: Option<Move>| {
            if first.is_some() {
                search.path.frames.at_mut(0).static_eval = Some(before);
            }
        }
    };
    let on = Params { swing_history: true, ..none.clone() };
    assert!(history_of_a_rook_move(on.clone(), swing(-2000)) > 0);
    assert!(history_of_a_rook_move(on, swing(2000)) < 0);
    assert_eq!(history_of_a_rook_move(none, swing(2000)), 0);
}

#[test]
fn a_full_depth_scout_teaches_what_a_move_is_worth_after_the_one_before_it() {
    let history = |scout_history, is_good| {
        let params = Params { scout_history, tt_history: false, ..Params::default() };
        with_search(params, "3k4/8/8/8/2b5/8/8/R3K3 w - - 0 1", |search, position| {
            let step = search.step(position, position.parse_uci("a1a2").unwrap());
            search.through(&step, 0, |search, after| {
                let window = Window::null(Score::ZERO);
                let visit = Visit { position: after, window, depth: 6, ply: 1, ledger: Ledger::EMPTY, cut_node: false };
                let node = search.prepare::<NonPv>(visit, None);
                let m = after.parse_uci("d8d7").unwrap();
                search.learn_from_scout(&node, m, is_good);
                search.learned.histories.quiets(search.quiet_context(after.turn(), 1)).of(m)
            })
        })
    };
    assert!(history(true, true) > 0 && history(true, false) < 0);
    assert_eq!((history(false, true), history(false, false)), (0, 0));
}

/// Makes the moves one after another from `ply` on, and examines the position after each.
fn walk(
    search: &mut Search<'_>,
    position: &Position,
    moves: &[&str],
    ply: Ply,
    examine: &mut dyn FnMut(&mut Search<'_>, &Position, Ply),
) {
    let Some((uci, rest)) = moves.split_first() else { return };
    let step = search.step(position, position.parse_uci(uci).unwrap());
    search.through(&step, ply, |search, child| {
        examine(search, child, ply + 1);
        walk(search, child, rest, ply + 1, examine);
    });
}

#[test]
fn no_progress_is_made_where_one_move_would_have_done() {
    // White's king takes three moves to b2 while Black's king goes back and forth.
    let moves = ["a1b1", "a7b7", "b1c1", "b7a7", "c1b2"];
    let since = |no_progress| {
        let mut found = Vec::new();
        let params = Params { no_progress, ..Params::default() };
        with_search(params, "8/k7/8/8/7p/7P/8/K7 w - - 0 1", |search, position| {
            walk(search, position, &moves, 0, &mut |search, child, ply| {
                found.push(search.makes_no_progress_since(child, ply));
            });
        });
        found
    };
    assert_eq!(since(true), [None, None, None, None, Some(5)]);
    assert_eq!(since(false), [None; 5]);
}

#[test]
fn the_third_time_is_a_draw_even_if_the_second_is_none() {
    let moves = ["h8g8", "b2c2", "g8h8", "c2b2"].repeat(2);
    let draws = |repetition_in_search| {
        let mut found = Vec::new();
        let params = Params { repetition_in_search, ..Params::default() };
        with_search(params, "7k/8/8/8/8/8/1Q6/K7 b - - 0 1", |search, position| {
            walk(search, position, &moves, 0, &mut |search, child, ply| {
                found.extend(search.draw_score(child, ply).map(|_| ply));
            });
        });
        found
    };
    // The root stands on the board for the second time after four plies, and the third after eight.
    assert_eq!(draws(true), [5, 6, 7, 8]);
    assert_eq!(draws(false), [8]);
}

#[test]
fn the_best_of_some_root_moves_says_nothing_about_the_position() {
    // The move gives the queen away. What corrects the evaluation afterwards, and whether the table has more than the
    // evaluation.
    let kept = |legal| {
        with_search(Params::default(), "3k4/2p5/8/8/2b5/8/8/Q3K3 w - - 0 1", |search, position| {
            search.iteration = RunningIteration::new(search.task.params, 1, 0, 0);
            let moves = vec![position.parse_uci("a1a2").unwrap()];
            search.root.rank = RankSearch::new(moves, legal, None, None);
            let visit =
                Visit { position, window: Window::FULL, depth: 1, ply: 0, ledger: Ledger::EMPTY, cut_node: false };
            search.node::<Root>(visit).unwrap();
            let key = CorrectionKey::new(position.state(), position.turn(), search.earlier(0));
            let correction = search.learned.corrections.get(search.task.params, key);
            let has_more = |entry: Entry| entry.bound != Bound::None || entry.best_move.is_some();
            (correction.signum(), search.task.tt.probe(position.key(), 0).is_some_and(has_more))
        })
    };
    assert_eq!(kept(1), (-1, true), "as if there were no other move");
    assert_eq!(kept(2), (0, false));
}

#[test]
fn the_horizon_search_too_orders_quiet_moves_by_what_is_attacked() {
    let seen = |threat_history| {
        let params = Params { threat_history, horizon_depth: 1, ..Params::default() };
        with_search(params, "3k4/8/8/8/2b5/8/8/R3K3 w - - 0 1", |search, position| {
            search.horizon::<Pv>(position, Window::FULL, 1, 0).unwrap();
            (search.path.frames.at(0).attacked, attacked(position, !position.turn()))
        })
    };
    let (found, expected) = seen(true);
    assert_eq!(found, expected);
    assert_eq!(seen(false).0, Bitboard::EMPTY);
}

#[test]
fn every_search_ends_at_the_hard_limit_of_plies() {
    // A queen can be taken.
    let evaluates_only = |ply| {
        with_search(Params::default(), "7k/8/8/3q4/4P3/8/8/K7 w - - 0 1", |search, position| {
            let evaluation = Ok(Score::cp(search.path.evaluator.evaluate(position)));
            let visit = Visit { position, window: Window::FULL, depth: 5, ply, ledger: Ledger::EMPTY, cut_node: false };
            let course = Course::new(search.task.params);
            [
                search.node::<Pv>(visit),
                search.horizon::<Pv>(position, Window::FULL, 4, ply),
                search.quiescence::<Pv>(position, Window::FULL, ply, course),
            ]
            .map(|score| score == evaluation)
        })
    };
    assert_eq!([MAX_PLY - 2, MAX_PLY - 1].map(evaluates_only), [[false; 3], [true; 3]]);
}

#[test]
fn where_growth_is_cut_no_node_is_deeper_than_the_iteration() {
    // Mate in two by 1.Ra6: the full horizon search sees it, quiescence and a single ply do not.
    let iteration = 6;
    let seen = |growth_cut, plies: Depth, ply| {
        let params = Params { growth_cut, ..Profile::DeepBlue.params() };
        with_search(params, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", |search, position| {
            search.iteration.number = iteration;
            search.iteration.horizon_depth = search.task.params.horizon_depth;
            search.iteration.restrain(search.task.params, plies);
            let visit = Visit { position, window: Window::FULL, depth: 0, ply, ledger: Ledger::EMPTY, cut_node: false };
            search.leaf::<Pv>(visit).is_ok_and(|score| score.is_mate())
        })
    };
    assert!(seen(true, 0, 0) && seen(true, 0, iteration - 1), "without restraint the horizon search is complete");
    assert!(seen(false, 1, iteration - 1), "nothing is cut");
    assert!(seen(true, 1, 0) && !seen(true, 1, iteration - 1) && !seen(true, 1, iteration + 3), "cut at the iteration");
}

#[test]
fn a_side_improves_on_two_plies_before_unless_that_is_switched_off() {
    let improves = |improving, before| {
        with_search(Params { improving, ..Params::default() }, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", |search, position| {
            search.path.frames.at_mut(0).static_eval = before;
            let visit =
                Visit { position, window: Window::FULL, depth: 4, ply: 2, ledger: Ledger::EMPTY, cut_node: false };
            search.prepare::<Pv>(visit, None).improving
        })
    };
    assert!(improves(true, Some(-500)) && improves(true, None) && !improves(true, Some(500)));
    assert!(!improves(false, Some(-500)) && !improves(false, None));
}

#[test]
fn the_horizon_searchs_best_move_is_kept_but_never_in_the_place_of_one_that_earned_credit() {
    // Mate in two by 1.Ra6.
    let leaf = |horizon_moves, before: Option<&str>| {
        let params = Params { horizon_moves, ..Profile::DeepBlue.params() };
        with_search(params, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", |search, position| {
            search.iteration.number = 5;
            search.iteration.horizon_depth = search.task.params.horizon_depth;
            if let Some(uci) = before {
                let best_move = PackedMove::new(position.parse_uci(uci).unwrap());
                let credit = Credit::from_plies(1);
                let entry = Entry { best_move, credit, credit_source: 1, bound: Bound::None, ..Entry::EMPTY };
                search.task.tt.store(position.key(), entry, 0);
            }
            let visit =
                Visit { position, window: Window::FULL, depth: 0, ply: 0, ledger: Ledger::EMPTY, cut_node: false };
            assert!(search.leaf::<Pv>(visit).is_ok_and(|score| score.is_mate()));
            let entry = search.task.tt.probe(position.key(), 0).unwrap();
            (entry.best_move.unpack(position).map(|m| position.uci(m)), entry.credit.is_some())
        })
    };
    assert_eq!(leaf(true, None), (Some("a1a6".to_owned()), false));
    assert_eq!(leaf(false, None), (None, false));
    assert_eq!(leaf(true, Some("a1a2")), (Some("a1a2".to_owned()), true));
}

#[test]
fn a_leaf_that_is_drawn_by_the_way_to_it_leaves_the_positions_verdict_as_it_is() {
    let moves = ["h8g8", "b2c2", "g8h8", "c2b2", "h8g8"];
    with_search(Profile::DeepBlue.params(), "7k/8/8/8/8/8/1Q6/K7 b - - 0 1", |search, position| {
        search.iteration = RunningIteration::new(search.task.params, 8, 0, 0);
        let mut verdicts = Vec::new();
        walk(search, position, &moves, 0, &mut |search, child, ply| {
            let (window, ledger) = (Window::FULL, Ledger::EMPTY);
            let score = search.leaf::<Pv>(Visit { position: child, window, depth: 0, ply, ledger, cut_node: false });
            let entry = search.task.tt.probe(child.key(), 0);
            verdicts.push((score.unwrap().is_repetition(), entry.map(|entry| (entry.bound, entry.score))));
        });
        // The last move repeats the first one's position.
        assert_eq!([verdicts[0].0, verdicts[4].0], [false, true]);
        assert!(verdicts[0].1.is_some_and(|(bound, _)| bound == Bound::Exact));
        assert_eq!(verdicts[4].1, verdicts[0].1);
    });
}

/// What is known of a move before its first search in a node of eight plies, if the table has it with this credit and
/// expects it to reach the score; and the candidate that it becomes.
fn weighed(params: Params, fen: &str, uci: &str, kept: Option<Award>, score: i32) -> (TtHint, Candidate) {
    with_search(params, fen, |search, position| {
        search.iteration = RunningIteration::new(search.task.params, 8, 0, 0);
        let m = position.parse_uci(uci).unwrap();
        let entry = Entry {
            best_move: PackedMove::new(m),
            score: Score::cp(score),
            bound: Bound::Lower,
            depth: 8,
            credit: kept.map_or(Credit::NONE, |award| award.credit),
            credit_source: kept.map_or(0, |award| award.mechanism.number()),
            ..Entry::EMPTY
        };
        let window = Window::null(Score::cp(score));
        let visit = Visit { position, window, depth: 8, ply: 1, ledger: Ledger::EMPTY, cut_node: false };
        let node = search.prepare::<NonPv>(visit, Some(&entry));
        let Ok(ControlFlow::Continue(hint)) = search.weigh_tt_move::<NonPv>(&node, Some(&entry), m) else {
            panic!("the node goes on");
        };
        let next = NextMove { mv: m, number: 1, history: 0 };
        let candidate = search.make_candidate::<NonPv>(&node, next, Some(&hint));
        (hint, candidate)
    })
}

#[test]
fn an_only_move_is_no_singular_one() {
    // The king can only take the rook.
    let only = "8/8/8/8/8/7k/1r6/K7 w - - 0 1";
    for credit_forced_reply in [false, true] {
        let params = Params { credit_forced_reply, ..Params::default() };
        let (hint, _) = weighed(params, only, "a1b2", None, 100);
        let expected = credit_forced_reply.then_some(Mechanism::ForcedReply);
        assert_eq!(hint.earned.award.map(|award| award.mechanism), expected);
    }
}

#[test]
fn a_table_move_is_ahead_by_what_the_best_alternative_lacks_if_it_is_singular() {
    let lead = |fen, uci, score| weighed(Params::default(), fen, uci, None, score).0.lead;
    let queen = |score| lead("7k/8/8/3q4/4P3/8/8/K7 w - - 0 1", "e4d5", score);
    assert!(queen(100) > 300, "without the capture White is lost");
    assert_eq!(queen(120), queen(100) + 20);
    assert_eq!(lead(START_FEN, "e2e4", -300), 0, "other moves are as good");
    assert_eq!(lead("8/8/8/8/8/7k/1r6/K7 w - - 0 1", "a1b2", 100), 0, "there is no other move");
}

#[test]
fn what_was_kept_lasts_when_the_move_is_singular_too() {
    // Without the capture of the queen White is lost.
    let fen = "7k/8/8/3q4/4P3/8/8/K7 w - - 0 1";
    let threat = Award::kept(Mechanism::Threat.number(), Credit::sixteenths(12)).unwrap();
    let enveloped = Params { credit_envelope: true, ..Params::default() };
    let (hint, candidate) = weighed(enveloped.clone(), fen, "e4d5", Some(threat), 100);
    let singular = hint.earned.award.unwrap();
    assert!(singular.mechanism == Mechanism::Singular && singular.credit > threat.credit, "{singular:?}");
    let of = |award: Option<Award>| award.map(|award| (award.mechanism, award.credit));
    assert_eq!(of(candidate.award), of(Some(singular)));
    assert_eq!(of(candidate.lasting), of(Some(threat)), "the table must not lose it");
    let keeping = Params { credit_envelope_singular: true, ..enveloped };
    let (_, candidate) = weighed(keeping, fen, "e4d5", Some(threat), 100);
    assert_eq!(of(candidate.lasting), of(Some(singular)), "singular credit lasts only if asked for");
}
