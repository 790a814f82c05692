//! A recorded tree has what the search itself counts, and its output formats show it.

use std::collections::HashMap;

use super::json::to_json_lines;
use super::page::to_page;
use super::record::record_at_most;
use super::text::{parting_to_text, refutations_to_text, to_text};
use super::{End, MAX_NODES, Node, NodeId, Parting, Reason, SecondSearch, Tree};
use crate::board::{Color, Game, Move, Position};
use crate::credit::Ledger;
use crate::engine::{Engine, Limits, Options};
use crate::params::Profile;
use crate::report::paper;
use crate::score::StatedScore;
use crate::text::grouped;

/// A perpetual check: to some of the checks there is only one reply.
const PERPETUAL: &str = "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1";
/// A middlegame with many captures and checks ("Kiwipete").
const SHARP: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Kings and a pawn each: a small tree.
const SMALL: &str = "8/8/4k3/3p4/8/3K4/4P3/8 w - - 0 1";

/// Searches to a depth, with settings on top of the profile's.
fn searched_at_most(fen: &str, profile: Profile, set: &[&str], depth: i32, capacity: usize) -> Tree {
    let mut options = Options { hash_mb: 4, ..Options::of(profile) };
    for setting in set {
        options.params.apply(setting).unwrap();
    }
    let (mut engine, _) = Engine::new(options);
    let game = Game::new(Position::from_fen(fen, false).unwrap());
    record_at_most(&mut engine, &game, &Limits::to_depth(depth), capacity)
}

fn searched(fen: &str, profile: Profile, set: &[&str], depth: i32) -> Tree {
    searched_at_most(fen, profile, set, depth, MAX_NODES)
}

/// The paper's first position, in which horizon searches with a low ceiling are often pushed back into software.
const PUSHED_BACK: &str = paper::POSITIONS[0].fen;

/// Searches in which much is granted, cashed in and searched again.
fn trees() -> [Tree; 4] {
    [
        searched(PERPETUAL, Profile::DeepBlue, &[], 6),
        searched(SHARP, Profile::Modern, &[], 7),
        searched(SHARP, Profile::Modern, &["second_search=always"], 6),
        searched(PUSHED_BACK, Profile::DeepBlue, &["horizon_depth=2", "horizon_ceiling=100"], 4),
    ]
}

/// A path's moves, each with its reason.
fn line(tree: &Tree, path: &[NodeId]) -> Vec<(Reason, Option<Move>)> {
    path.iter().map(|&id| (tree.node(id).reason, tree.node(id).mv)).collect()
}

#[test]
fn the_sums_are_those_of_the_search() {
    let (mut second_searches, mut cashed) = (0, 0);
    for tree in trees() {
        assert_eq!(tree.by_reason().iter().map(|(_, sum)| sum.nodes).sum::<u64>(), tree.outcome.nodes);
        for count in [
            tree.by_reason().iter().map(|(_, sum)| sum.visits).sum::<u64>(),
            tree.by_reason().iter().map(|(_, sum)| sum.below).sum(),
            tree.by_end().iter().map(|(_, visits)| visits).sum(),
        ] {
            assert_eq!(count, tree.nodes.len() as u64);
        }
        for iteration in &tree.iterations {
            assert_eq!(tree.credit(Some(iteration.iteration)), iteration.credit, "iteration {}", iteration.iteration);
            let is_leaf = |node: &&Node| node.iteration == iteration.iteration && node.depth <= 0;
            let deepest = tree.nodes.iter().filter(is_leaf).map(|node| node.ply).max();
            assert_eq!(deepest.unwrap_or(0), iteration.max_software);
        }
        let total = tree.credit(None).total();
        let spent = tree.spendings();
        assert_eq!(spent.iter().map(|spending| spending.plies).sum::<u64>(), total.cashed_plies);
        assert!(spent.is_sorted_by(|a, b| a.plies >= b.plies));
        // The deepest visit at or below the first plies cashed in on each line.
        let mut deepest = HashMap::new();
        for (id, node) in (0..).zip(&tree.nodes) {
            let path = tree.path(id);
            let Some(first) = path.iter().position(|&id| tree.node(id).cashed > 0) else { continue };
            let ply = deepest.entry(line(&tree, &path[..=first])).or_default();
            *ply = node.ply.max(*ply);
        }
        assert_eq!(spent.len(), deepest.len());
        for spending in &spent {
            assert_eq!(spending.deepest, deepest[&line(&tree, &tree.path(spending.first))], "{spending:?}");
        }
        second_searches += total.second_searches;
        cashed += total.cashed_plies;
    }
    assert!(second_searches > 0 && cashed > 0, "nothing to test");
}

#[test]
fn evidence_that_begins_with_the_horizon_search_is_no_play() {
    // Without a ceiling nothing lies below a leaf.
    for tree in [
        searched(PERPETUAL, Profile::DeepBlue, &["horizon_ceiling=0"], 6),
        searched(SHARP, Profile::Modern, &["probcut=on"], 7),
    ] {
        let is_play = |reason: Reason| matches!(reason, Reason::Root | Reason::Play);
        let is_played = |id: &NodeId| tree.path(*id).iter().all(|&id| is_play(tree.node(id).reason));
        let played = (0..tree.nodes.len() as NodeId).filter(is_played).map(|id| tree.node(id));
        let expected: u64 = played.map(|node| if node.depth > 0 { 1 } else { node.nodes }).sum();
        let sums = tree.by_reason();
        let play: u64 = sums.iter().filter(|(reason, _)| is_play(*reason)).map(|(_, sum)| sum.nodes).sum();
        assert_eq!(play, expected);
    }
}

#[test]
fn a_second_search_follows_its_award() {
    let mut second_searches = 0;
    for tree in trees() {
        for node in tree.nodes.iter().filter(|node| node.again) {
            let granted = tree.award_of(node).expect("an award");
            assert_eq!((Some(granted.node), Some(granted.mv)), (node.parent, node.mv));
            assert_ne!(granted.second_search, SecondSearch::None);
            second_searches += 1;
        }
    }
    assert!(second_searches > 0, "nothing to test");
}

#[test]
fn the_accounts_of_a_move_follow_from_those_above() {
    let mut pushed_back = 0;
    for tree in trees() {
        for node in tree.nodes.iter().filter(|node| node.reason == Reason::Play) {
            let above = tree.node(node.parent.expect("a move has a node above"));
            let award = tree.award_of(node).map_or(Default::default(), |granted| granted.award.credit);
            // A ply that replaces a horizon search begins with empty accounts.
            let ledger = if above.depth > 0 { above.after } else { Ledger::EMPTY };
            assert_eq!(node.before, ledger.after_move(award), "{}", tree.line(above.end_id - 1));
            pushed_back += u32::from(ledger != above.after);
        }
    }
    assert!(pushed_back > 0, "nothing to test");
}

#[test]
fn only_cash_in_and_growth_control_change_a_depth_and_never_both() {
    let tree = searched(SHARP, Profile::DeepBlue, &["growth_limit=2", "growth_floor=1000"], 3);
    let cut: Vec<&Node> = tree.nodes.iter().filter(|node| node.depth != node.asked + node.cashed).collect();
    assert!(cut.iter().all(|node| node.cashed == 0 && node.depth < node.asked), "{cut:?}");
    assert!(cut.iter().any(|node| node.depth < 0), "nothing to test");
}

#[test]
fn refutations_are_lines_of_other_moves_and_their_ledgers_carry() {
    let mut pushed_back = 0;
    for tree in trees() {
        let last = tree.iterations.last().unwrap();
        let best = last.pv[0];
        let refutations = tree.refutations();
        assert!(!refutations.is_empty() && refutations.is_sorted_by(|a, b| a.nodes >= b.nodes));
        for refutation in &refutations {
            let mv = tree.node(refutation.path[0]).mv;
            assert_ne!(mv, Some(best));
            assert_eq!(refutation.score, -tree.node(refutation.path[0]).score.unwrap());
            let is_of_the_move = |node: &&Node| {
                let is_below_root = node.parent.is_some_and(|above| tree.node(above).reason == Reason::Root);
                is_below_root && (node.iteration, node.reason, node.mv) == (last.iteration, Reason::Play, mv)
            };
            assert_eq!(refutation.nodes, tree.nodes.iter().filter(is_of_the_move).map(|node| node.nodes).sum::<u64>());
            for pair in refutation.path.windows(2) {
                let (above, below) = (tree.node(pair[0]), tree.node(pair[1]));
                let (score, gives) = (above.score.unwrap(), -below.score.unwrap());
                assert!(above.end == End::CutOff || gives <= score, "{gives} for {score}: {}", tree.line(pair[1]));
            }
            let ledger = tree.ledger(&refutation.path);
            assert_eq!(ledger.len(), refutation.path.len());
            // The accounts end with the first leaf; what is searched there instead of a horizon search has none.
            let leaf = refutation.path.iter().position(|&id| tree.node(id).depth <= 0);
            let (carried, rest) = ledger.split_at(leaf.map_or(ledger.len(), |leaf| leaf + 1));
            assert!(rest.iter().all(|step| (step.accounts, step.award) == (None, None)), "{rest:?}");
            pushed_back += rest.len();
            for pair in carried.windows(2) {
                for side in Color::ALL {
                    let (last, next) = (pair[0].account_of(side).unwrap(), pair[1].account_of(side).unwrap());
                    assert_eq!(last.after_move, next.before_move, "{pair:?}");
                }
                let (mover, cashed) = (pair[1].account_of(pair[1].side).unwrap(), f64::from(pair[1].cashed()));
                assert_eq!(mover.before_move + pair[1].earned() - cashed, mover.after_move, "{pair:?}");
            }
        }
        let text = refutations_to_text(&tree, &refutations, 1);
        assert_eq!(text.matches("| White").count(), 1, "{text}");
    }
    assert!(pushed_back > 0, "nothing to test");
}

#[test]
fn a_tree_that_is_too_large_is_recorded_in_part() {
    let whole = searched(SHARP, Profile::Modern, &[], 7);
    let part = searched_at_most(SHARP, Profile::Modern, &[], 7, 100);
    assert_eq!((part.nodes.len(), part.outcome.nodes), (100, whole.outcome.nodes));
    assert_eq!(part.left_out + 100, whole.nodes.len() as u64);
    for (a, b) in part.nodes.iter().zip(&whole.nodes) {
        assert_eq!((a.question(), a.score, a.end, a.nodes), (b.question(), b.score, b.end, b.nodes));
        assert!(a.end_id <= 100);
    }
    assert!(to_text(&part).contains("were not recorded"));
    // Play that was not recorded is no evidence.
    let evidence = |tree: &Tree| {
        let sums = tree.by_reason();
        sums.iter().filter(|(reason, _)| *reason == Reason::Evidence).map(|(_, sum)| sum.nodes).sum::<u64>()
    };
    assert!(evidence(&part) <= evidence(&whole));
}

#[test]
fn trees_part_where_a_setting_first_makes_a_difference() {
    let tree = searched(SHARP, Profile::Modern, &[], 6);
    assert_eq!(Parting::of(&tree, &searched(SHARP, Profile::Modern, &[], 6)), Parting::default());
    let other = searched(SHARP, Profile::Modern, &["credit=off"], 6);
    let parting = Parting::of(&tree, &other);
    let first = parting.first.unwrap() as usize;
    assert!((0..first).all(|id| tree.nodes[id].question() == other.nodes[id].question()));
    assert_ne!(tree.nodes[first].question(), other.nodes[first].question());
    let place = format!("The two trees first diverge at visit {}:", grouped(first as u64 + 1));
    assert!(parting_to_text(&tree, &other, &parting).starts_with(&place), "{place}");
    // The first difference is a place below matching visits.
    assert!(parting.places.iter().any(|places| places.contains(&(first as u32))), "{first} {parting:?}");
    let alike = |id: u32| parting.places[0].binary_search(&id).is_err();
    assert!(parting.places[0].iter().all(|&id| tree.node(id).parent.is_none_or(alike)));
}

#[test]
fn a_tree_that_goes_on_where_the_other_ends_diverges() {
    let tree = searched(SMALL, Profile::Modern, &[], 6);
    let text = |left: &Tree, right: &Tree| parting_to_text(left, right, &Parting::of(left, right));
    assert_eq!(text(&tree, &tree), "The two trees do not diverge.\n");
    let first = tree.roots().nth(3).unwrap();
    // At the end of an iteration, and within one.
    for (length, ends_within) in [(first, false), (first + 2, true)] {
        let mut part = tree.clone();
        part.nodes.truncate(length as usize);
        part.nodes.iter_mut().for_each(|node| node.end_id = node.end_id.min(length));
        for (text, longer) in [(text(&part, &tree), "second"), (text(&tree, &part), "first")] {
            let place = grouped(u64::from(length));
            assert!(text.starts_with(&format!("The {longer} tree goes on after visit {place}, where")), "{text}");
            assert_eq!(text.contains("Below matching visits"), ends_within, "{text}");
        }
    }
}

#[test]
fn the_overview_of_a_small_search() {
    let tree = searched(SMALL, Profile::DeepBlue, &[], 6);
    let text = to_text(&tree).replace(crate::runner::PROGRAM, "Pacioli");
    insta::assert_snapshot!(text);
}

#[test]
fn a_page_needs_nothing_else_and_no_text_ends_its_data() {
    let mut tree = searched(PERPETUAL, Profile::DeepBlue, &[], 6);
    tree.provenance.set = vec!["</script><b>".to_owned()];
    let page = to_page(&tree, None).unwrap();
    for outside in ["src=", "<link", "@import", "url(", "fetch(", "import(", "//cdn", "</script><b>"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // A link is only followed if it is clicked.
    assert_eq!(page.matches("https:").count(), page.matches("<a href=\"https:").count());
    // The SVG namespace is only a name: nothing is loaded from it.
    assert_eq!(page.matches("http:").count(), page.matches("http://www.w3.org/2000/svg").count());
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let columns = data["trees"][0].as_object().unwrap();
    for column in ["size", "move", "reason", "depth", "score", "nodes", "mine", "again"] {
        assert_eq!(columns[column].as_array().unwrap().len(), tree.nodes.len(), "{column}");
    }
    for (id, node) in tree.nodes.iter().enumerate() {
        let shown = |column: &str| columns[column][id].as_i64().unwrap();
        let (before, award) = (node.before, node.award.map_or(0, |award| i64::from(award) + 1));
        let accounts = [before.mine, before.his].map(|account| i64::from(account.to_sixteenths()));
        assert_eq!(([shown("mine"), shown("his")], shown("award")), (accounts, award), "{node:?}");
        let score = StatedScore::from(node.score.unwrap_or_default()).to_string();
        assert_eq!(columns["scores"][shown("score") as usize], score, "{node:?}");
    }
    assert_eq!(to_json_lines(&tree, 1).unwrap().lines().count(), tree.nodes.len() + 1);
}
