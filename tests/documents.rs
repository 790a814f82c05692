//! The documents: worked examples must equal the program's output, every command line shown must be accepted, and what
//! is said in several places must be the same.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use pacioli::cli::Cli;

use crate::common::process::pacioli;

/// Placeholders in examples for numbers filled in by the shell.
const FILLED_IN: [&str; 3] = ["{}", "$SLURM_ARRAY_TASK_ID", "$SLURM_ARRAY_TASK_COUNT"];

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documents that show command lines.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join("docs")).expect("the folder of documents");
    let pages =
        entries.map(|entry| entry.expect("a name").path()).filter(|path| path.extension().is_some_and(|e| e == "md"));
    let others = ["README.md", "CONTRIBUTING.md", "training/README.md"].map(|name| root.join(name));
    pages.chain(others).collect()
}

/// The code blocks of a document, each as its lines without indentation: fenced, or indented by four.
fn code_blocks(text: &str) -> Vec<Vec<&str>> {
    let mut blocks = vec![Vec::new()];
    let mut fenced = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        fenced ^= is_fence;
        match line.strip_prefix("    ") {
            _ if is_fence => blocks.push(Vec::new()),
            Some(code) => blocks.last_mut().expect("there is one").push(if fenced { line } else { code }),
            None if fenced => blocks.last_mut().expect("there is one").push(line),
            // A blank line does not end a block that continues after it.
            None if line.is_empty() => blocks.last_mut().expect("there is one").push(""),
            None => blocks.push(Vec::new()),
        }
    }
    blocks.retain(|block| block.iter().any(|line| !line.is_empty()));
    blocks
}

/// The command lines of a block, with backslash continuations joined.
fn lines(block: &[&str]) -> Vec<String> {
    let joined = block.join("\n").replace("\\\n", " ");
    joined.lines().map(str::to_owned).collect()
}

/// The arguments that a command line passes to the program, if it calls it.
pub fn arguments(line: &str) -> Option<Vec<String>> {
    let is_program = |word: &str| matches!(word.trim_start_matches(['\'', '(']), "pacioli" | "./pacioli");
    let mut words = line.split_whitespace();
    if line.trim_start().starts_with("cargo run ") {
        words.find(|&word| word == "--")?;
    } else {
        words.find(|&word| is_program(word))?;
    }
    let mut arguments = Vec::new();
    let mut quoted: Option<String> = None;
    for word in words {
        if quoted.is_none() && (word.starts_with('#') || [":::", "|", ">"].contains(&word)) {
            break;
        }
        // Single quotes enclose a whole command for another program.
        let (word, is_last) = word.split_once('\'').map_or((word, false), |(word, _)| (word, true));
        let whole = quoted.take().map_or(word.to_owned(), |before| format!("{before} {word}"));
        if whole.matches('"').count() == 1 {
            quoted = Some(whole);
        } else {
            let filled = FILLED_IN.iter().fold(whole.replace('"', ""), |text, place| text.replace(place, "1"));
            arguments.push(filled);
        }
        if is_last {
            break;
        }
    }
    Some(arguments)
}

/// Why the program would reject these arguments.
pub fn refusal(arguments: &[String]) -> Option<String> {
    let words = std::iter::once("pacioli").chain(arguments.iter().map(String::as_str));
    Cli::try_parse_from(words).err().filter(clap::Error::use_stderr).map(|error| error.to_string())
}

#[test]
fn every_command_line_shown_is_accepted() {
    let mut refused = Vec::new();
    let mut commands = 0;
    for path in documents() {
        for line in code_blocks(&read(&path)).iter().flat_map(|block| lines(block)) {
            let Some(arguments) = arguments(&line) else { continue };
            commands += 1;
            if let Some(reason) = refusal(&arguments) {
                refused.push(format!("{}: {}\n{reason}", path.display(), line.trim()));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(commands > 0, "no command line was found");
}

#[test]
fn command_lines_are_found_as_a_shell_reads_them() {
    let text = "Text with pacioli in it.\n\n    pacioli explain \"8/8 w\" --depth 7   # why\n    make\n\n```\n\
                parallel pacioli solve A.epd \\\n    --shard {}/8 ::: 1 2\nrun --wrap 'pacioli merge a' -x\n```\n\
                More.\n\n    cargo run --release -- solve";
    let found: Vec<_> = code_blocks(text).iter().flat_map(|block| lines(block)).filter_map(|l| arguments(&l)).collect();
    let expected: [&[&str]; 4] =
        [&["explain", "8/8 w", "--depth", "7"], &["solve", "A.epd", "--shard", "1/8"], &["merge", "a"], &["solve"]];
    assert_eq!(found, expected);
    assert_eq!(refusal(&found[0]), None);
    assert!(refusal(&["solve".to_owned(), "--no-such".to_owned()]).is_some());
}

#[test]
fn the_worked_example_is_what_the_program_prints() {
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/dual-credit.md"));
    let (_, section) = page.split_once("\n## A worked example\n").expect("the section");
    let blocks = code_blocks(section);
    let [command, shown, ..] = &blocks[..] else { panic!("a command line and what it prints") };
    let command = command.join(" ");
    let output = pacioli().args(arguments(&command).expect("a command line")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let shown = shown.join("\n");
    assert_eq!(shown.trim(), printed.trim(), "docs/dual-credit.md shows another output of {}", command.trim());
}

/// The figure of each rule in the table of docs/strength.md: switch and Elo.
fn figures(page: &str) -> Vec<(&str, &str)> {
    fn cells(line: &str) -> Option<(&str, &str)> {
        let [_, _, switch, elo, _] = <[&str; 5]>::try_from(line.split('|').collect::<Vec<_>>()).ok()?;
        let switch = switch.trim().strip_prefix('`')?.strip_suffix('`')?;
        let figure = elo.trim().trim_matches('*');
        // What follows the error is a condition.
        let end = figure.match_indices(' ').nth(2).map_or(figure.len(), |(end, _)| end);
        (figure.contains(" ± ") && !switch.ends_with("...")).then(|| (switch, figure[..end].trim_end_matches('*')))
    }
    let table = page.split("## What each rule is worth").nth(1).expect("the table of rules");
    table.split("\n## ").next().expect("its end").lines().filter_map(cells).collect()
}

#[test]
fn the_elo_beside_a_rule_in_the_code_is_the_one_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = read(&root.join("docs/strength.md"));
    let sources = ["src/search", "src/credit", "src/eval"].map(|folder| fs::read_dir(root.join(folder)).expect(folder));
    let files = sources.into_iter().flatten().map(|file| file.expect("a file").path()).filter(|path| path.is_file());
    let code: String = files.map(|file| read(&file)).collect();
    let mut in_code: Vec<&str> = code.lines().filter_map(|line| line.trim().strip_prefix("/// Elo: ")).collect();
    let mut in_table: Vec<String> =
        figures(&page).iter().map(|(switch, figure)| format!("{figure} (`{switch}`)")).collect();
    in_code.sort_unstable();
    in_table.sort_unstable();
    assert!(in_table.len() > 30, "{in_table:?}");
    assert_eq!(in_code, in_table);
}

#[test]
fn what_the_readme_shows_and_links_to_is_in_the_package() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (manifest, page) = (read(&root.join("Cargo.toml")), read(&root.join("README.md")));
    let include = manifest.lines().find_map(|line| line.strip_prefix("include = ")).expect("what is packed");
    let patterns: Vec<&str> = include.split('"').skip(1).step_by(2).collect();
    let is_packed = |file: &str| {
        let path = format!("/{file}");
        patterns.iter().any(|pattern| match pattern.split_once('*') {
            Some((start, end)) => {
                path.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)).is_some_and(|part| !part.contains('/'))
            }
            None => path.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        })
    };
    let named = ["](", "src=\""].into_iter().flat_map(|mark| page.split(mark).skip(1));
    let targets = named.filter_map(|rest| rest.split([')', '"', '#']).next());
    let files: Vec<&str> = targets.filter(|target| !target.contains(':')).collect();
    assert!(files.len() > 10, "{files:?}");
    for file in files {
        assert!(is_packed(file), "{file}");
    }
}

/// What stands in quotes in each line that starts with this key.
fn values<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix(key));
    lines.filter_map(|rest| rest.split('"').nth(1)).collect()
}

#[test]
fn the_workflows_build_with_the_oldest_compiler_promised() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = read(&root.join("Cargo.toml"));
    let promised = values(&manifest, "rust-version = ");
    assert_eq!(promised.len(), 1, "one oldest compiler");
    let mut named = 0;
    for entry in fs::read_dir(root.join(".github/workflows")).expect("the folder of workflows") {
        let path = entry.expect("a name").path();
        let workflow = read(&path);
        for toolchain in values(&workflow, "RUSTUP_TOOLCHAIN: ") {
            assert_eq!(toolchain, promised[0], "{}", path.display());
            named += 1;
        }
        for install in workflow.lines().filter(|line| line.contains("toolchain install")) {
            assert!(install.contains("install \"$RUSTUP_TOOLCHAIN\" "), "{}: {install}", path.display());
        }
    }
    assert!(named > 0, "no workflow names a compiler");
    assert!(
        read(&root.join("docs/reliability.md")).contains(&format!("`rust-version` in `Cargo.toml`, {}", promised[0]))
    );
}
