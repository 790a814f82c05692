//! Every JSON that the program writes is as `docs/schema` describes it.

mod checker;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::process::pacioli;

/// A mate in two, and a line that is no position.
const SUITE: &str = "\
    kbK5/pp6/1P6/8/8/8/8/R7 w - - bm Ra6; id \"mate\"; c0 \"Ra6=10, Rb1=2\"; c1 \"themes: quiet move\";\n\
    r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - am Qxf7+; id \"scholar\";\n\
    rubbish\n\
    4k3/8/8/8/8/8/8/4K3 w - -\n";
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
/// A rook that can be taken; a threat of mate.
const FORCING: &str = "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1";

fn folder_of_schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema")
}

/// Checks the documents of a text, one or one in each line, against the schema of the kind that the first names; gives
/// the kind.
pub fn check(text: &str) -> String {
    let documents = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let documents: Vec<Value> = documents.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}: {text}"));
    let kind = documents.first().and_then(|first| first["kind"].as_str()).expect("a kind").to_owned();
    let file = folder_of_schemas().join(format!("{kind}.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(&file).expect("a schema")).expect("JSON");
    for document in &documents {
        checker::check(&schema, &schema, document).unwrap_or_else(|reason| panic!("{kind}: {reason}\n{document}"));
    }
    kind
}

/// What a command writes as JSON; `{}` stands for the file.
fn written(folder: &Path, command: &str) -> String {
    let file = folder.join("written.json");
    let words = command.split_whitespace().map(|word| word.replace('_', " ").replace("{}", "written.json"));
    let output = pacioli().current_dir(folder).args(words).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{command}: {output:?}");
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{command}: {error}"));
    fs::remove_file(file).unwrap();
    text
}

#[test]
fn all_that_is_written_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.epd"), SUITE).unwrap();
    fs::write(folder.join("a.pgn"), GAME).unwrap();
    let fen = FORCING.replace(' ', "_");
    let commands = [
        "solve a.epd --depth 3 --hash 1 --shard 1/1 --json {}",
        "lint a.epd --depth 3 --hash 1 --json {}",
        "report a.epd --iterations 2..4 --hash 1 --json {}",
        &format!("report {fen} --profile deep-blue --iterations 5..6 --hash 1 --json {{}}"),
        &format!("explain {fen} --depth 6 --hash 1 --json {{}}"),
        &format!("analyze {fen} --depth 4 --multipv 2 --hash 1 --json {{}}"),
        "analyze a.pgn --depth 4 --hash 1 --json {}",
        &format!("tree {fen} --profile deep-blue --depth 5 --hash 1 --json {{}}"),
        &format!("explain {fen} --depth 5 --refutations 2 --hash 1 --json {{}}"),
        &format!("tree {fen} --nodes 500 --against credit=off --hash 1 --json {{}}"),
        "eval startpos --json {}",
        "net info --json {}",
        "lab ablate a.epd --nodes 200 --hash 1 --json {}",
        "lab envelope a.epd --iterations 2..3 --hash 1 --json {}",
        "lab growth a.epd --depth 5 --floor 1 --ceiling 0.1 --hash 1 --json {}",
        "lab match a.pgn --player A --depth 2 --hash 1 --show 1.1 --json {}",
    ];
    let mut seen: BTreeSet<String> = commands.iter().map(|command| check(&written(folder, command))).collect();
    // What is made from other results.
    fs::write(folder.join("old.jsonl"), written(folder, "solve a.epd --depth 1 --hash 1 --json {}")).unwrap();
    fs::write(folder.join("new.jsonl"), written(folder, "solve a.epd --depth 3 --hash 1 --json {}")).unwrap();
    fs::write(folder.join("r.json"), written(folder, commands[2])).unwrap();
    seen.insert(check(&written(folder, "compare old.jsonl new.jsonl --json {}")));
    seen.insert(check(&written(folder, "lab depths r.json --json {}")));
    // Journals.
    for (command, journal) in [
        ("lab datagen g.data --games 2 --nodes 50 --hash 1", "g.data.journal"),
        ("lab spsa s.jsonl --tune credit_limit --games 2 --nodes 20 --hash 1", "s.jsonl"),
    ] {
        let output = pacioli().current_dir(folder).args(command.split(' ')).output();
        assert!(output.unwrap().status.success());
        seen.insert(check(&fs::read_to_string(folder.join(journal)).unwrap()));
    }
    let output = pacioli().current_dir(folder).args(["lab", "positions", "p.bullet", "g.data"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let record = fs::read_to_string(folder.join("p.bullet.json")).unwrap();
    seen.insert(check(&record));
    // It leads back to what the games depend on.
    let record: Value = serde_json::from_str(&record).unwrap();
    let journal = &record["sources"][0]["journal"];
    assert_eq!((&journal["seed"], &journal["nodes"], &record["counts"]["games"]), (&json!(1), &json!(50), &json!(2)));
    assert_eq!(record["crc32c"], json!(crc32c::crc32c(&fs::read(folder.join("p.bullet")).unwrap())));
    // Checked where it is made, since that takes long.
    seen.insert("mine".to_owned());
    let described = fs::read_dir(folder_of_schemas()).unwrap().map(|entry| entry.unwrap().path());
    let described = described.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let described: BTreeSet<String> =
        described.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(seen, described);
}

#[test]
fn what_is_not_described_is_found() {
    let schema = json!({
        "$defs": { "move": { "type": "object", "properties": { "san": { "type": "string" } }, "required": ["san"] } },
        "type": "object",
        "properties": { "best": { "$ref": "#/$defs/move" }, "n": { "type": ["integer", "null"], "minimum": 0 } },
        "required": ["best"]
    });
    let reason = |value: Value| checker::check(&schema, &schema, &value).err().unwrap_or_default();
    assert_eq!(reason(json!({ "best": { "san": "e4" }, "n": 1 })), "");
    for (value, complaint) in [
        (json!({}), "`best` is missing"),
        (json!({ "best": { "san": 4 } }), "best: san: 4 is not of type \"string\""),
        (json!({ "best": { "san": "e4", "uci": "e2e4" } }), "best: `uci` is described nowhere"),
        (json!({ "best": { "san": "e4" }, "n": 1.5 }), "n: 1.5 is not of type"),
        (json!({ "best": { "san": "e4" }, "n": -1 }), "n: -1 breaks minimum 0"),
    ] {
        assert!(reason(value).starts_with(complaint), "{complaint}");
    }
}
