//! No circles: no file imports from another that imports from it, directly or by way of others. Names that a module
//! hands on lead to the file that they come from. A module's own file introduces its parts, so what it takes from them
//! does not count, nor do tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::lexer::{blanked, tokens};
use super::{Scan, module_path, rust_files};

/// A module's path from the root.
type Module = Vec<String>;

/// The source tree, as far as it is needed to see which file a name comes from.
#[derive(Default)]
struct Tree {
    /// The paths that each module's file names: those of code from the root or a parent, resolved to the root.
    named: BTreeMap<Module, Vec<Module>>,
    /// The paths from the root of the names that each module imports, and may hand on.
    imported: BTreeMap<Module, BTreeMap<String, Module>>,
}

/// The paths that begin at a token and continue `before`, one for each member of a group.
fn paths(scan: &Scan, at: usize, before: &[String]) -> Vec<Module> {
    if scan.is(at, "{") {
        return scan.heads(at).into_iter().flat_map(|head| paths(scan, head, before)).collect();
    }
    let Some(token) = scan.tokens.get(at) else { return Vec::new() };
    let path: Module = before.iter().chain([&token.text]).cloned().collect();
    if scan.is_path_separator(at + 1) { paths(scan, at + 3, &path) } else { vec![path] }
}

/// A path that is written in a module, from the root; `None` if it begins with neither the root nor a parent.
fn from_root(module: &[String], path: &[String]) -> Option<Module> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    match path.first().map(String::as_str) {
        Some("crate") => Some(path[1..].to_vec()),
        Some("super") if ups <= module.len() => Some([&module[..module.len() - ups], &path[ups..]].concat()),
        _ => None,
    }
}

impl Tree {
    /// Adds a file.
    fn add(&mut self, path: &str, text: &str) {
        let scan = Scan { path, tokens: tokens(&blanked(text)), module: module_path(path), violations: Vec::new() };
        let (module, tests) = (scan.module.clone(), scan.test_ranges());
        let (named, imported) =
            (self.named.entry(module.clone()).or_default(), self.imported.entry(module.clone()).or_default());
        for at in (0..scan.tokens.len()).filter(|at| !tests.iter().any(|range| range.contains(at))) {
            let continues = at >= 2 && scan.is_path_separator(at - 2);
            let leads = (scan.is(at, "crate") || scan.is(at, "super")) && scan.is_path_separator(at + 1) && !continues;
            let is_use = scan.is(at, "use");
            if !leads && !is_use {
                continue;
            }
            // In a module within the file the first parent is the file's own.
            let here = [&module[..], &vec![String::new(); scan.inline_depth(at)]].concat();
            if leads {
                named.extend(paths(&scan, at, &[]).iter().filter_map(|written| from_root(&here, written)));
                continue;
            }
            for written in paths(&scan, at + 1, &[]) {
                let mut whole = from_root(&here, &written).unwrap_or_else(|| [&here[..], &written].concat());
                whole.pop_if(|last| last == "self");
                imported.extend(whole.last().cloned().map(|name| (name, whole)));
            }
        }
    }

    /// The module whose file a path leads to.
    fn home(&self, path: &[String]) -> Module {
        let mut module = Module::new();
        for (index, part) in path.iter().enumerate() {
            let inner = [&module[..], std::slice::from_ref(part)].concat();
            // A module needs no handing on.
            let handed_on = self.imported.get(&module).and_then(|names| names.get(part)).filter(|&to| *to != inner);
            if self.named.contains_key(&inner) {
                module = inner;
            } else if let Some(to) = handed_on {
                return self.home(&[&to[..], &path[index + 1..]].concat());
            } else {
                break;
            }
        }
        module
    }

    /// The modules from whose files a module's file imports.
    fn imports(&self, module: &Module) -> BTreeSet<Module> {
        let homes = self.named[module].iter().map(|path| self.home(path));
        homes.filter(|home| !home.is_empty() && !home.starts_with(module)).collect()
    }

    /// A circle: its modules in order, the first one twice.
    fn circle(&self) -> Option<String> {
        let mut done = BTreeSet::new();
        self.named.keys().find_map(|module| self.circle_from(&mut vec![module.clone()], &mut done))
    }

    /// A circle that can be reached from the last module of a path, by way of others than those that lead to none.
    fn circle_from(&self, path: &mut Vec<Module>, done: &mut BTreeSet<Module>) -> Option<String> {
        let last = path.last()?.clone();
        if done.contains(&last) {
            return None;
        }
        for next in self.imports(&last) {
            if let Some(start) = path.iter().position(|module| *module == next) {
                let names: Vec<String> = path[start..].iter().chain([&next]).map(|module| module.join("::")).collect();
                return Some(names.join(" -> "));
            }
            path.push(next);
            if let Some(found) = self.circle_from(path, done) {
                return Some(found);
            }
            path.pop();
        }
        done.insert(last);
        None
    }
}

#[test]
fn no_file_imports_from_one_that_imports_from_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&root.join("src"), &mut files).unwrap();
    let mut tree = Tree::default();
    for file in &files {
        let path = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        if !path.ends_with("/tests.rs") {
            tree.add(&path, &fs::read_to_string(file).unwrap());
        }
    }
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let found = tree.imports(&module("uci::session"));
    assert!(found.contains(&module("uci::event")) && found.contains(&module("board::position")), "{found:?}");
    assert_eq!(tree.circle(), None);
}

#[test]
fn circles_are_found_however_long() {
    let circle = |files: &[(&str, &str)]| {
        let mut tree = Tree::default();
        files.iter().for_each(|(file, text)| tree.add(&format!("src/{file}.rs"), text));
        tree.circle()
    };
    assert_eq!(circle(&[("a", "use crate::{b::B, c};"), ("b", "use super::c::C;"), ("c", "use std::fmt;")]), None);
    let back = [("a", "use crate::b::B;"), ("b", "fn f() { super::c::f() }"), ("c", "use crate::{b::{self, B}};")];
    assert_eq!(circle(&back).as_deref(), Some("b -> c -> b"));
    let nested = [("m/mod", "pub use a::A;\nmod a;"), ("m/a", "use super::b::B;"), ("m/b", "use super::{A, X};")];
    assert_eq!(circle(&nested).as_deref(), Some("m::a -> m::b -> m::a"));
    let introduced = [("m/mod", "use a::A;\nfn f() { a::f() }"), ("m/a", "use super::X;")];
    assert_eq!(circle(&introduced), None);
    let handed_on = [("m/mod", "pub use a::A;"), ("m/a", "use crate::n::N;"), ("n", "use crate::m::A;")];
    assert_eq!(circle(&handed_on).as_deref(), Some("m::a -> n -> m::a"));
    let within = [("a", "mod b { pub struct B; }\nmod x { use super::b::B; }"), ("b", "use crate::a::A;")];
    assert_eq!(circle(&within), None);
    let in_tests = [("a", "use crate::b::B;"), ("b", "#[cfg(test)]\nmod tests { use crate::a::A; }")];
    assert_eq!(circle(&in_tests), None);
}
