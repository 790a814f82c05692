//! `pacioli tree` and `explain --refutations` from the outside: JSON lines, texts, pages, and how they fit together.

use std::fs;

use pacioli::board::Position;
use serde_json::{Value, json};

use crate::common::process::{assert_refused, ended, pacioli, succeeded};

/// A middlegame with many captures and checks ("Kiwipete").
const SHARP: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The output of the command.
fn run(command: &str, arguments: &[&str]) -> String {
    succeeded(&ended(pacioli().arg(command).args(arguments), "")).to_owned()
}

/// A score as a number for comparisons; an infinite bound is beyond all.
fn value(score: &Value, open: f64) -> f64 {
    if score.is_null() {
        return open;
    }
    let decisive = |moves: f64| if moves > 0.0 { 1e6 - moves } else { -1e6 - moves };
    let main = score["cp"].as_f64().unwrap_or_else(|| decisive(score["mate"].as_f64().unwrap()));
    main + score["tie"].as_f64().unwrap_or(0.0) / 1e5
}

#[test]
fn the_lines_are_a_well_formed_tree() {
    for profile in ["modern", "deep-blue"] {
        let arguments = [SHARP, "--profile", profile, "--nodes", "20000", "--hash", "4", "--json", "-"];
        let text = run("tree", &arguments);
        assert_eq!(run("tree", &arguments), text, "the same run gives the same");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let (head, nodes) = lines.split_first().unwrap();
        assert_eq!((head["schema"].as_u64(), head["visits"].as_u64()), (Some(3), Some(nodes.len() as u64)));
        assert_eq!((head["provenance"]["profile"].as_str(), head["fen"].as_str()), (Some(profile), Some(SHARP)));
        let mut positions: Vec<Position> = Vec::new();
        let (mut all, mut bounds) = (0, 0);
        for (id, node) in nodes.iter().enumerate() {
            assert_eq!(node["id"].as_u64(), Some(id as u64));
            let Some(parent) = node["parent"].as_u64() else {
                assert_eq!((node["reason"].as_str(), node["ply"].as_u64()), (Some("root"), Some(0)));
                all += node["nodes"].as_u64().unwrap();
                positions.push(Position::from_fen(SHARP, false).unwrap());
                continue;
            };
            let (above, before) = (&nodes[parent as usize], &positions[parent as usize]);
            assert!(parent < id as u64);
            assert_eq!(node["iteration"], above["iteration"]);
            let deeper = node["ply"].as_u64().unwrap() - above["ply"].as_u64().unwrap();
            let position = match node["reason"].as_str().unwrap() {
                "verification" => before.clone(),
                "null move" => before.play_null().unwrap(),
                _ => {
                    let m = before.parse_uci(node["uci"].as_str().unwrap()).unwrap();
                    assert_eq!(before.san(m), node["san"]);
                    before.play(m)
                }
            };
            assert_eq!(deeper, u64::from(node["reason"] != "verification"), "{node}");
            positions.push(position);
            if node["reason"] == "play" {
                let (mover, earned) = (node["side"].as_str().unwrap(), node["award"]["plies"].as_f64().unwrap_or(0.0));
                let cashed = node["accounts"]["cashed_plies"].as_f64().unwrap();
                assert_eq!(node["depth"].as_f64().unwrap(), node["depth_before_cash_in"].as_f64().unwrap() + cashed);
                if let Some(bound) = node["award"].get("bound") {
                    assert_eq!(bound["pov"], mover, "{node}");
                    bounds += 1;
                }
                for side in ["white", "black"] {
                    let balance = |node: &Value, when| node["accounts"][side][when].as_f64().unwrap();
                    let before = balance(node, "before_move");
                    assert_eq!(before, balance(above, "after_move"), "{node}");
                    let most = if side == mover { before + earned - cashed } else { before };
                    assert!(balance(node, "after_move") <= most, "{node}");
                }
                // From the parent's view, the window lies within the parent's.
                let own = (-value(&node["beta"], 1e9), -value(&node["alpha"], -1e9));
                let outer = (value(&above["alpha"], -1e9), value(&above["beta"], 1e9));
                assert!(outer.0 <= own.0 && own.1 <= outer.1, "{above} {node}");
            }
        }
        assert_eq!(head["nodes"].as_u64(), Some(all));
        assert!(bounds > 0, "nothing to test");
    }
}

#[test]
fn two_trees_are_compared_in_text_lines_and_page() {
    let folder = tempfile::tempdir().unwrap();
    let (json, html) = (folder.path().join("tree.jsonl"), folder.path().join("tree.html"));
    let (json, html) = (json.to_str().unwrap(), html.to_str().unwrap());
    let settings = ["--set", "credit_limit=24", "--against", "credit=off"];
    let arguments =
        [&[SHARP, "--nodes", "5000", "--hash", "4", "--json", json, "--html", html][..], &settings].concat();
    let text = run("tree", &arguments);
    assert!(text.contains("credit=off") && text.contains("first diverge at visit"), "{text}");
    assert!(text.contains("No credit was granted"), "{text}");
    let lines = fs::read_to_string(json).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let heads: Vec<&Value> = lines.iter().filter(|line| line["type"] == "tree").collect();
    assert_eq!(heads.iter().map(|head| head["tree"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2)]);
    let sets = heads.iter().map(|head| head["provenance"]["set"].clone()).collect::<Vec<_>>();
    assert_eq!(sets, [json!(["credit_limit=24"]), json!(["credit=off", "credit_limit=24"])]);
    for head in heads {
        let visits = lines.iter().filter(|line| line["type"] == "visit" && line["tree"] == head["tree"]).count();
        assert_eq!(Some(visits as u64), head["visits"].as_u64());
    }
    let page = fs::read_to_string(html).unwrap();
    assert!(page.contains("where the trees diverge") && page.matches("role=\"tree\"").count() == 2);
    assert!(page.contains("class=\"trees two\""));
}

#[test]
fn explain_shows_as_many_refutations_as_asked_for() {
    let arguments = [SHARP, "--nodes", "20000", "--hash", "4", "--refutations", "2"];
    let text = run("explain", &arguments);
    assert_eq!(text.matches("| White").count(), 3, "{text}");
    assert!(text.contains("Refutations of the root moves except the best"), "{text}");
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for arguments in [
        &["tree", "not a fen"][..],
        &["tree", SHARP, "--against", "no_such=1"],
        &["tree", SHARP, "--set", "credit=2"],
        &["tree", SHARP, "--html", "no/such/folder/x.html"],
        &["explain", SHARP, "--refutations", "x"],
    ] {
        let output = pacioli().args(arguments).output().unwrap();
        assert_refused(&output, "error: ");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
