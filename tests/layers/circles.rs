//! No circles in the search: `state` imports the types of a search's parts, and whatever those import, none of them
//! imports what it is imported by. Methods of the search stand in files that `state` does not import.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::lexer::{blanked, tokens};
use super::{Scan, module_path};

/// The module that is checked, and the file in it where imports are followed from.
const MODULE: &str = "search";
const START: &str = "state";

/// What each file imports of its own module.
type Imports = BTreeMap<String, Vec<String>>;

/// The names that a file of the module imports from it, outside its tests.
fn siblings(path: &str, text: &str) -> Vec<String> {
    let scan = Scan { path, tokens: tokens(&blanked(text)), module: module_path(path), violations: Vec::new() };
    let tests = scan.test_ranges();
    let mut found = Vec::new();
    for at in 0..scan.tokens.len() {
        let continues = at >= 2 && scan.is_path_separator(at - 2);
        if continues || !scan.is_path_separator(at + 1) || tests.iter().any(|range| range.contains(&at)) {
            continue;
        }
        let heads = if scan.is(at, "super") {
            scan.heads(at + 3)
        } else if scan.is(at, "crate") && scan.is(at + 3, MODULE) && scan.is_path_separator(at + 4) {
            scan.heads(at + 6)
        } else {
            continue;
        };
        found.extend(heads.into_iter().filter_map(|head| scan.tokens.get(head)).map(|token| token.text.clone()));
    }
    found
}

/// A circle of imports that can be reached from the last file of a path: its files in order, the first one twice.
fn circle(imports: &Imports, path: &mut Vec<String>) -> Option<Vec<String>> {
    let last = path.last()?.clone();
    for next in imports.get(&last)? {
        if let Some(start) = path.iter().position(|file| file == next) {
            return Some(path[start..].iter().chain([next]).cloned().collect());
        }
        path.push(next.clone());
        if let Some(found) = circle(imports, path) {
            return Some(found);
        }
        path.pop();
    }
    None
}

#[test]
fn the_parts_of_a_search_do_not_import_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(MODULE);
    let mut imports = Imports::new();
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let path = format!("src/{MODULE}/{name}.rs");
        imports.insert(name, siblings(&path, &fs::read_to_string(&file).unwrap()));
    }
    assert!(imports[START].iter().any(|name| name == "root"), "its imports are found");
    let found = circle(&imports, &mut vec![START.to_owned()]);
    assert_eq!(found.map(|files| files.join(" -> ")), None);
}

#[test]
fn circles_are_found_however_long() {
    let imports = |files: &[(&str, &str)]| -> Imports {
        files.iter().map(|&(file, text)| (file.to_owned(), siblings("src/search/x.rs", text))).collect()
    };
    let round =
        |files: &[(&str, &str)]| circle(&imports(files), &mut vec![START.to_owned()]).map(|files| files.join(" "));
    let line = [("state", "use super::{a::A, b};"), ("a", "use super::b::B;"), ("b", "use crate::units::Ply;")];
    assert_eq!(round(&line), None);
    let back =
        [("state", "use super::a::A;"), ("a", "fn f() { super::b::f() }"), ("b", "use crate::search::state::S;")];
    assert_eq!(round(&back).as_deref(), Some("state a b state"));
    let below = [("state", "use super::a::A;"), ("a", "use super::b::B;"), ("b", "use super::a::A;")];
    assert_eq!(round(&below).as_deref(), Some("a b a"));
    let apart = [("state", "use super::a::A;"), ("a", ""), ("c", "use super::state::S;")];
    assert_eq!(round(&apart), None);
    let in_tests = [("state", "use super::a::A;"), ("a", "#[cfg(test)]\nmod tests { use super::state::S; }")];
    assert_eq!(round(&in_tests), None);
}
