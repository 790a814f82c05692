//! The layers of the source tree: imports only go down, some siblings do not import each other, wrapped libraries stay
//! in their modules, only the commands and the protocol print, and comments keep to the width of the code.
//!
//! A plain text scan: comments and literals are blanked first, and the rest is read word by word, so that imports by
//! `use` and paths in code are both seen. It does not expand macros.

mod circles;
mod comments;
mod lexer;

use std::fmt;
use std::fs;
use std::path::Path;

use lexer::{Token, blanked, tokens};

/// The only file that may contain `unsafe`, each use with its proof.
const UNSAFE_HOME: &str = "src/memory.rs";

/// Top-level modules from bottom to top. Modules of a layer may import each other, unless [`SEPARATE`].
const LAYERS: [&[&str]; 12] = [
    &["score", "units", "params", "files", "room", "memory"],
    &["board"],
    &["credit", "eval", "tt", "syzygy", "book"],
    &["search"],
    &["engine"],
    &["pgn", "picture", "text", "json"],
    &["runner", "stats"],
    &["suite", "report"],
    &["lab"],
    &["uci", "serve"],
    &["cli"],
    &["lib", "main"],
];
/// Modules of one layer that must not import each other.
const SEPARATE: &[&[&str]] = &[
    &["credit", "eval", "tt", "syzygy", "book"],
    &["runner", "stats"],
    &["suite", "report"],
    &["pgn", "picture"],
    &["uci", "serve"],
];
/// The modules that may print; `lib` stands for the files of the root, including `main.rs`.
const PRINTERS: &[&str] = &["uci", "cli", "lib"];
/// Libraries that may only be used in the module that wraps them, and in those listed with it.
const WRAPPED: &[(&str, &[&str])] = &[
    ("shakmaty", &["board"]),
    ("pgn_reader", &["pgn"]),
    ("clap", &["cli", "lib"]),
    ("anyhow", &["cli"]),
    ("indicatif", &["cli"]),
    ("ctrlc", &["runner"]),
    ("comfy_table", &["text", "suite", "report", "lab"]),
    ("maud", &["picture", "suite", "report", "serve"]),
    ("quick_xml", &["picture", "suite"]),
    // In `cli` it is the name of an option.
    ("csv", &["suite", "cli"]),
    ("rustyline", &["uci"]),
    ("terminal_size", &["cli"]),
    ("unicode_width", &["text"]),
    ("strsim", &["params"]),
    ("shakmaty_syzygy", &["syzygy"]),
    ("rustix", &["runner"]),
    ("signal_hook", &["lib", "runner"]),
    ("httparse", &["serve"]),
    ("serde_path_to_error", &["serve"]),
    ("getrandom", &["serve"]),
];
/// Macros and functions that print, with the character that follows.
const PRINTING: &[(&str, char)] = &[
    ("println", '!'),
    ("print", '!'),
    ("eprintln", '!'),
    ("eprint", '!'),
    ("dbg", '!'),
    ("stdout", '('),
    ("stderr", '('),
];

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    path: String,
    line: usize,
    what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// The layer of a top-level module.
fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

/// A scan of one file's tokens.
struct Scan<'a> {
    path: &'a str,
    tokens: Vec<Token>,
    /// The file's module path; empty for the crate's root.
    module: Vec<String>,
    violations: Vec<Violation>,
}

/// The module path of a file below `src/`.
fn module_path(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs");
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

impl Scan<'_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.text == text)
    }

    /// Whether `::` stands here.
    fn is_path_separator(&self, at: usize) -> bool {
        self.is(at, ":") && self.is(at + 1, ":")
    }

    fn report(&mut self, at: usize, what: String) {
        let line = self.tokens[at].line;
        self.violations.push(Violation { path: self.path.to_owned(), line, what });
    }

    /// The file's own top-level module; the root's files count as `lib`.
    fn home(&self) -> String {
        self.module.first().cloned().unwrap_or_else(|| "lib".to_owned())
    }

    /// Index of the bracket that closes the one at `at`.
    fn closing(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(at) {
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return index;
            }
        }
        self.tokens.len()
    }

    /// The token ranges of items under `#[cfg(test)]`.
    fn test_ranges(&self) -> Vec<std::ops::Range<usize>> {
        let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
        let mut ranges = Vec::new();
        for start in 0..self.tokens.len() {
            if !(0..attribute.len()).all(|offset| self.is(start + offset, attribute[offset])) {
                continue;
            }
            let mut at = start + attribute.len();
            while at < self.tokens.len() && !self.is(at, ";") && !self.is(at, "{") {
                at = if self.is(at, "(") || self.is(at, "[") { self.closing(at) + 1 } else { at + 1 };
            }
            ranges.push(start..if self.is(at, "{") { self.closing(at) + 1 } else { at + 1 });
        }
        ranges
    }

    /// How many inline modules enclose a token.
    fn inline_depth(&self, at: usize) -> usize {
        (0..at)
            .filter(|&start| self.is(start, "mod") && self.is(start + 2, "{") && self.closing(start + 2) > at)
            .count()
    }

    /// The words that follow a path's `::`, one for each member of a group.
    fn heads(&self, at: usize) -> Vec<usize> {
        if !self.is(at, "{") {
            return vec![at];
        }
        let end = self.closing(at);
        let mut heads = Vec::new();
        let mut index = at + 1;
        let mut expect_head = true;
        while index < end {
            if expect_head {
                heads.push(index);
            }
            expect_head = self.is(index, ",");
            index = if self.is(index, "{") { self.closing(index) + 1 } else { index + 1 };
        }
        heads
    }

    /// Checks the module named by a path from the root.
    fn check_target(&mut self, at: usize) {
        let Some(target) = self.tokens.get(at).map(|token| token.text.clone()) else { return };
        let home = self.home();
        let (Some(from), Some(to)) = (layer(&home), layer(&target)) else {
            let stranger = if layer(&home).is_none() { home } else { target };
            return self.report(at, format!("`{stranger}` is in no layer: add it to LAYERS of tests/layers.rs"));
        };
        if home == target {
            return;
        }
        if to > from {
            self.report(at, format!("`{home}` (layer {from}) imports `{target}` (layer {to}) above it"));
        } else if SEPARATE.iter().any(|group| group.contains(&home.as_str()) && group.contains(&target.as_str())) {
            self.report(at, format!("`{home}` imports its sibling `{target}`"));
        }
    }

    /// Follows a path that starts with `crate` or `super`, if it leads to the root.
    fn check_path(&mut self, at: usize) {
        let continues = at >= 2 && self.is_path_separator(at - 2);
        if continues || !self.is_path_separator(at + 1) {
            return;
        }
        let mut next = at + 3;
        if self.is(at, "super") {
            let mut up = 1;
            while self.is(next, "super") && self.is_path_separator(next + 1) {
                (up, next) = (up + 1, next + 3);
            }
            if self.module.is_empty() || up < self.module.len() + self.inline_depth(at) {
                return;
            }
        }
        for head in self.heads(next) {
            self.check_target(head);
        }
    }

    /// Checks every rule at one token.
    fn check_token(&mut self, at: usize, in_test: bool) {
        let word = self.tokens[at].text.clone();
        let home = self.home();
        let may_print = PRINTERS.contains(&home.as_str());
        match word.as_str() {
            "crate" | "super" => self.check_path(at),
            "unsafe" if self.path != UNSAFE_HOME => self.report(at, format!("`unsafe` outside {UNSAFE_HOME}")),
            _ if WRAPPED.iter().any(|&(library, homes)| library == word && !homes.contains(&home.as_str())) => {
                self.report(at, format!("`{word}` outside its place: see WRAPPED of tests/layers.rs"));
            }
            _ if !may_print && !in_test => {
                // A method of that name, as in `Command::stdout`, concerns another program's output.
                let is_method = at > 0 && self.is(at - 1, ".");
                let prints =
                    |&(name, after): &(&str, char)| name == word && self.is(at + 1, &after.to_string()) && !is_method;
                if PRINTING.iter().any(prints) {
                    self.report(at, format!("`{word}` prints, and `{home}` may not"));
                }
            }
            _ => {}
        }
    }
}

/// The violations in a file; `path` is relative to the repository, as in `src/board/see.rs`.
fn check(path: &str, text: &str) -> Vec<Violation> {
    let tokens = tokens(&blanked(text));
    let mut scan = Scan { path, tokens, module: module_path(path), violations: Vec::new() };
    let test_file = scan.module.iter().any(|part| part == "tests");
    let tests = scan.test_ranges();
    for at in 0..scan.tokens.len() {
        scan.check_token(at, test_file || tests.iter().any(|range| range.contains(&at)));
    }
    scan.violations
}

/// All Rust files below a folder.
fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            rust_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

#[test]
fn the_source_tree_keeps_its_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&root.join("src"), &mut files).expect("the source tree can be read");
    files.sort();
    assert!(files.len() > 20, "the source tree is found");
    let mut violations = Vec::new();
    for file in &files {
        let path = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(file).unwrap();
        violations.extend(check(&path, &text));
        violations.extend(comments::too_long(&path, &text));
    }
    let lines: Vec<String> = violations.iter().map(Violation::to_string).collect();
    assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
}

/// The lines on which a made-up file breaks a rule.
fn lines(path: &str, text: &str) -> Vec<usize> {
    check(path, text).into_iter().map(|violation| violation.line).collect()
}

#[test]
fn imports_upwards_and_between_separate_siblings_are_found() {
    let text = "use crate::units::Ply;\nuse crate::search::Worker;\nfn f() { crate::engine::Engine::new() }\n";
    assert_eq!(lines("src/board/see.rs", text), [2, 3]);
    assert_eq!(lines("src/engine/clock.rs", text), [0; 0]);
    let text = "use crate::{board::{Move, Position}, tt::Bound,\n    eval, units::Ply};\n";
    assert_eq!(lines("src/credit/award.rs", text), [1, 2]);
    assert_eq!(lines("src/tt/table.rs", text), [2]);
    assert_eq!(lines("src/search/node.rs", text), [0; 0]);
    assert_eq!(lines("src/search/node.rs", "use crate::new_module::X;"), [1]);
    assert_eq!(lines("src/new_module.rs", "use crate::units::Ply;"), [1]);
    assert_eq!(
        check("src/tt/mod.rs", "use crate::cli;")[0].to_string(),
        "src/tt/mod.rs:1: `tt` (layer 2) imports `cli` (layer 10) above it"
    );
}

#[test]
fn the_upper_floors_are_ordered() {
    for (path, allowed, forbidden) in [
        ("src/text/mod.rs", "crate::engine::Engine", "crate::stats::p_value"),
        ("src/pgn.rs", "crate::text::grouped", "crate::picture::Page"),
        ("src/runner/pool.rs", "crate::text::grouped", "crate::stats::p_value"),
        ("src/stats/mod.rs", "crate::text::grouped", "crate::suite::Suite"),
        ("src/runner/peer.rs", "crate::score::StatedScore", "crate::suite::Solver"),
        ("src/suite/run.rs", "crate::runner::Pool", "crate::report::Report"),
        ("src/report/collect.rs", "crate::picture::Page", "crate::suite::Record"),
        ("src/suite/run.rs", "crate::stats::p_value", "crate::lab::ablate"),
        ("src/lab/ablate.rs", "crate::suite::Record", "crate::uci::run"),
        ("src/uci/session.rs", "crate::report::Report", "crate::cli::bench"),
        ("src/serve/progress.rs", "crate::report::page", "crate::uci::run"),
        ("src/cli/mod.rs", "crate::uci::run", "crate::main"),
    ] {
        let text = format!("use {allowed};\nfn f() {{ {forbidden} }}\n");
        assert_eq!(lines(path, &text), [2], "{path}: {forbidden}");
    }
}

#[test]
fn paths_by_super_are_followed_to_the_root() {
    assert_eq!(lines("src/score.rs", "use super::board::Move;\nuse super::units::Ply;"), [1]);
    assert_eq!(lines("src/board/see.rs", "use super::Move;\nuse super::super::{search, units};\nuse super::*;"), [2]);
    let nested = "mod tests {\n use super::*;\n use super::super::search::Worker;\n}\nuse super::search;\n";
    assert_eq!(lines("src/units.rs", nested), [3, 5]);
    assert_eq!(lines("src/board/mod.rs", nested), [3, 5]);
    assert_eq!(lines("src/units.rs", "use super::*;"), [1]);
    assert_eq!(lines("src/tt/mod.rs", "pub(super) struct X; pub(crate) struct Y;"), [0; 0]);
}

#[test]
fn comments_and_literals_do_not_count() {
    let text = "//! crate::search\n/* unsafe /* nested */ shakmaty */\n/// `println!`\nconst A: &str = \"unsafe \\\" {\";\n\
                const B: &str = r#\"dbg!(\" crate::cli\"#;\nfn f<'a>(c: &'a char) { *c == '\"' || *c == '\\'' }\nunsafe {}\n";
    assert_eq!(lines("src/units.rs", text), [7]);
}

#[test]
fn libraries_and_printing_keep_to_their_places() {
    let text = "use shakmaty::Chess;\nfn f() { println!(\"\"); }\n#[cfg(test)]\nmod tests {\n fn g() { dbg!(1); }\n}\n";
    assert_eq!(lines("src/search/node.rs", text), [1, 2]);
    assert_eq!(lines("src/board/game.rs", text), [2]);
    for (path, expected) in
        [("src/cli/bench.rs", &[1][..]), ("src/uci/output.rs", &[1]), ("src/lab/ablate.rs", &[1, 2])]
    {
        assert_eq!(lines(path, text), expected, "{path}");
    }
    let libraries = "use clap::Args;\nuse anyhow::bail;\nuse pgn_reader::Visitor;\nuse ctrlc::Error;\n";
    assert_eq!(lines("src/cli/mod.rs", libraries), [3, 4]);
    assert_eq!(lines("src/uci/mod.rs", libraries), [1, 2, 3, 4]);
    assert_eq!((lines("src/pgn.rs", libraries), lines("src/runner/mod.rs", libraries)), (vec![1, 2, 4], vec![1, 2, 3]));
    let after_tests = "#[cfg(test)]\nuse std::{fmt, fs};\nfn f() { std::io::stdout() }\n";
    assert_eq!(lines("src/tt/table.rs", after_tests), [3]);
    assert_eq!(lines("src/runner/peer.rs", "fn f() {\n Command::new(x).stdout(y);\n io::stdout();\n}"), [3]);
    assert_eq!(lines("src/board/tests.rs", "fn f() { eprintln!(); let print = 1; }"), [0; 0]);
    assert_eq!(lines("src/board/game.rs", "fn f() { eprintln!(); let print = 1; }"), [1]);
}

#[test]
fn unsafe_is_found_everywhere() {
    assert_eq!(lines("src/cli/mod.rs", "#[cfg(test)]\nmod tests {\n unsafe fn f() {}\n}"), [3]);
}
