//! The pages in a real browser, if there is one: keys, clicks and the slider do what they say, at the width of a
//! phone. Without a Chromium, or if it does not run here, the tests pass, and say so with `--show-output`.

#[cfg(unix)]
mod driver;
#[cfg(unix)]
mod serve;

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::PERPETUAL;
use crate::common::process::{ended, exit_within, pacioli};

/// Names of the browser.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Longer than a browser takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A blunder that allows an immediate mate.
const GAME: &str = "1. f3 e5 2. g4 Qh4# 0-1\n";
/// Several games.
#[cfg(unix)]
const GAMES: &str = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 *\n";
/// A game without moves, and one of a single move.
const SHORT_GAMES: &str = "[White \"A\"]\n\n*\n\n1. e4 *\n";
/// A position without a legal move.
const MATED: &str = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
/// A position of a suite that is soon solved.
#[cfg(unix)]
const MATE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n";
/// The same with another move, which is not found.
#[cfg(unix)]
const NOT_BEST: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra7;\n";

/// The page that shows the others in frames, and writes down what their checks say.
const AROUND: &str = include_str!("browser/around.html");

/// What all checks use; `CHECKS` is replaced by them and `NAME` by the page's name.
const FRAME: &str = include_str!("browser/frame.html");

const EXPLAIN: &str = include_str!("browser/explain.js");

const ANALYZE: &str = include_str!("browser/analyze.js");

const TREE: &str = include_str!("browser/tree.js");

/// A suite with many positions.
const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/classics.epd");

const MANY: &str = include_str!("browser/many.js");

const REPORT: &str = include_str!("browser/report.js");

const SHORT_GAMES_CHECKS: &str = include_str!("browser/short_games.js");

const MATED_CHECKS: &str = include_str!("browser/mated.js");

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    env::split_paths(&paths).flat_map(|folder| BROWSERS.map(|name| folder.join(name))).find(|path| path.is_file())
}

/// A browser that can be driven, with its files in this folder, if there is one.
#[cfg(unix)]
fn driven(folder: &Path) -> Option<driver::Driver> {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium");
        return None;
    };
    let driver = driver::Driver::start(&browser, folder);
    if driver.is_none() {
        println!("skipped: {} cannot be driven here", browser.display());
    }
    driver
}

/// What the program writes as a page.
fn page(arguments: &[&str], input: &str) -> String {
    let output = ended(pacioli().args(arguments).args(["--hash", "4", "--html", "-"]), input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The document as the browser has it after its scripts; `None` if the browser does not come to an end.
fn document(browser: &Path, folder: &Path, file: &Path) -> Option<String> {
    let out = folder.join("document.html");
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--disable-extensions", "--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stdout(File::create(&out).ok()?)
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    exit_within(&mut child, PATIENCE)?;
    fs::read_to_string(out).ok()
}

#[test]
fn pages_can_be_driven() {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let pages = [
        ("explain", page(&["explain", PERPETUAL, "--profile", "deep-blue", "--depth", "6"], ""), EXPLAIN),
        ("analyze", page(&["analyze", "-", "--depth", "4"], GAME), ANALYZE),
        ("tree", page(&["tree", PERPETUAL, "--nodes", "2000"], ""), TREE),
        ("report", page(&["report", "--iterations", "3..4"], ""), REPORT),
        ("many", page(&["analyze", CLASSICS, "--nodes", "60"], ""), MANY),
        ("one position", page(&["report", PERPETUAL, "--iterations", "5..5"], ""), ""),
        ("short games", page(&["analyze", "-", "--depth", "1"], SHORT_GAMES), SHORT_GAMES_CHECKS),
        ("mated", page(&["analyze", MATED, "--depth", "1"], ""), MATED_CHECKS),
    ];
    let mut around = AROUND.to_owned();
    for (name, page, checks) in &pages {
        let frame = FRAME.replace("CHECKS", checks).replace("NAME", name);
        fs::write(folder.path().join(format!("{name}.html")), page.replace("</body>", &format!("{frame}</body>")))
            .unwrap();
        around.push_str(&format!("<iframe src=\"{name}.html\" width=\"390\" height=\"800\"></iframe>"));
    }
    let file = folder.path().join("around.html");
    fs::write(&file, around).unwrap();
    let document = document(&browser, folder.path(), &file).unwrap_or_default();
    let Some((_, heard)) = document.split_once("heard:\n") else {
        println!("skipped: {} does not show pages here", browser.display());
        return;
    };
    for (name, ..) in &pages {
        assert!(heard.contains(&format!("{name}: sound\n")), "{heard}");
    }
}

/// Writes a page under a name and opens it; the condition that it is open.
#[cfg(unix)]
fn opened(driver: &mut driver::Driver, folder: &Path, name: &str, page: impl AsRef<[u8]>) -> String {
    let file = folder.join(format!("{name}.html"));
    fs::write(&file, page).unwrap();
    let is_open = format!("location.pathname.endsWith('{name}.html') && document.readyState === 'complete'");
    driver.open(&format!("file://{}", file.display()), 1000, 1000);
    driver.until(&is_open);
    is_open
}

#[cfg(unix)]
#[test]
fn a_page_that_one_comes_back_to_is_as_at_first() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut driver) = driven(folder.path()) else { return };
    let fields = "[...document.querySelectorAll('input:not([readonly]), select')]";
    let state = format!("{fields}.map((field) => `${{field.value}} ${{field.checked}}`).join('; ')");
    let change = format!(
        "{fields}.forEach((field) => {{ if (field.type === 'radio') field.checked = true; \
         else field.value = {{ range: 0, search: 'x' }}[field.type] ?? field.lastChild.value; \
         for (const name of ['input', 'change']) field.dispatchEvent(new Event(name)); }})"
    );
    for (name, page) in [
        ("explain", page(&["explain", PERPETUAL, "--profile", "deep-blue", "--depth", "6"], "")),
        ("games", page(&["analyze", "-", "--depth", "2"], GAMES)),
        ("many", page(&["analyze", CLASSICS, "--nodes", "60"], "")),
        ("suite", page(&["solve", "-", "--nodes", "60"], &MATE.repeat(12))),
        ("tree", page(&["tree", PERPETUAL, "--nodes", "2000"], "")),
    ] {
        let is_open = opened(&mut driver, folder.path(), name, page);
        let at_first = driver.value(&state);
        driver.value(&change);
        assert_ne!(driver.value(&state), at_first, "{name}");
        driver.open("about:blank", 1000, 1000);
        // Later, since what is under way when the page goes has no answer.
        driver.value("setTimeout(() => history.back())");
        driver.until(&is_open);
        assert_eq!(driver.value(&state), at_first, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_search_of_rows_counts_those_that_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut driver) = driven(folder.path()) else { return };
    let arguments = ["solve", "-", "--nodes", "200", "--hash", "4", "--html", "-"];
    let output = ended(pacioli().args(arguments), MATE.repeat(11) + NOT_BEST);
    assert_eq!(output.status.code(), Some(1), "one is not solved");
    opened(&mut driver, folder.path(), "suite", output.stdout);
    driver.value(
        "(() => { const search = document.querySelector('.sift input'); search.value = 'ra'; \
         search.dispatchEvent(new Event('input')); })()",
    );
    driver.until("document.querySelector('.sift output').textContent === '12 of 12'");
    driver.value("document.getElementById('only-unsolved').click()");
    driver.until("document.querySelector('.sift output').textContent === '1 of 12'");
    assert!(driver.errors.is_empty(), "{:?}", driver.errors);
}

/// Checks that parts of a page scroll on the screen, and none on paper.
#[cfg(unix)]
fn assert_paper_does_not_scroll(driver: &mut driver::Driver, name: &str) {
    let scrolls = "[...document.querySelectorAll('section, div')].map((box) => getComputedStyle(box)) \
                   .some(({ overflowX, overflowY }) => overflowX !== 'visible' || overflowY !== 'visible')";
    for (medium, expected) in [("screen", true), ("print", false)] {
        driver.call("Emulation.setEmulatedMedia", serde_json::json!({ "media": medium })).expect("a medium");
        assert_eq!(driver.value(scrolls), expected, "{name}, {medium}");
    }
}

#[cfg(unix)]
#[test]
fn all_of_what_scrolls_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut driver) = driven(folder.path()) else { return };
    for (name, page) in [
        ("report", page(&["report", "--iterations", "3..4"], "")),
        ("games", page(&["analyze", "-", "--depth", "2"], GAMES)),
        ("tree", page(&["tree", PERPETUAL, "--nodes", "2000"], "")),
    ] {
        opened(&mut driver, folder.path(), name, page);
        // On a narrow screen figures are wider than it.
        driver.resize(400, 800);
        assert_paper_does_not_scroll(&mut driver, name);
        let widest = "Math.max(0, ...[...document.querySelectorAll('.figure')].map((figure) => \
                      figure.getBoundingClientRect().width))";
        assert!(driver.value(widest).as_f64().expect("a number") < 400., "{name}");
    }
}
