//! The page of `pacioli serve` as a person uses it.

use super::driver::Driver;
use super::{assert_paper_does_not_scroll, driven};
use crate::common::PERPETUAL;
use crate::common::server::Server;

/// The middle of a square of the board in the window, White at the bottom.
fn square(driver: &mut Driver, name: &str) -> (f64, f64) {
    let bytes = name.as_bytes();
    let (x, y) = (40 * i32::from(bytes[0] - b'a') + 20, 40 * i32::from(b'8' - bytes[1]) + 20);
    let point = driver.value(&format!(
        "(() => {{ const at = new DOMPoint({x}, {y}).matrixTransform(get('board').firstChild.getScreenCTM()); \
         return [at.x, at.y]; }})()"
    ));
    (point[0].as_f64().expect("a number"), point[1].as_f64().expect("a number"))
}

/// Pastes a text and reads it.
fn paste(driver: &mut Driver, text: &str) {
    driver.value(&format!("get('text').value = {text:?}; get('paste').requestSubmit()"));
}

/// Starts a column's search with this many nodes.
fn search(driver: &mut Driver, column: usize, nodes: u64) {
    driver.value(&format!(
        "(() => {{ const {{ unit, amount }} = columns[{column}].form.elements; unit.value = 'nodes'; \
         unit.dispatchEvent(new Event('change')); \
         amount.value = {nodes}; columns[{column}].form.requestSubmit(); }})()"
    ));
}

/// Opens the page.
fn open(driver: &mut Driver, server: &Server) {
    driver.open(&format!("http://127.0.0.1:{}/?key={}", server.port, server.key), 1400, 1000);
    until_open(driver);
}

/// Waits until the page is there.
fn until_open(driver: &mut Driver) {
    driver.until("globalThis.document?.title === 'Search while you watch' && now.legalMoves.length === 20");
}

#[test]
fn a_position_is_played_on_and_searched_in_both_columns() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut driver) = driven(folder.path()) else { return };
    let driver = &mut driver;
    let server = Server::start();
    open(driver, &server);

    // What cannot be read is named, and the board stays.
    paste(driver, "8/8/8/8/8/8/8/8 w - - 0 1");
    driver.until("get('wrong').textContent.includes('not a legal position')");
    paste(driver, "[White \"A\"]\n\n1. e4 c5 2. Nf3 *");
    driver.until("get('moves').children.length === 3 && now.legalMoves.length === 20");
    driver.value("get('last').click()");
    driver.until("get('caption').textContent.startsWith('2.Nf3')");
    // The page stays where it is, also where the list of moves is out of view.
    driver.resize(390, 300);
    driver.value("scrollTo(0, 0); get('back').click(); get('forward').click()");
    driver.until("now.ply === 3 && get('moves').getBoundingClientRect().top > innerHeight && scrollY === 0");
    driver.resize(1400, 1000);
    // The focus stays on a move, also where another is written alike.
    paste(driver, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6");
    driver.until("get('moves').children.length === 6");
    driver.value("get('moves').lastChild.focus(); get('moves').lastChild.click()");
    driver.until("now.ply === 6 && document.activeElement === get('moves').lastChild");

    // A click on a piece and one on its square; then a piece is dragged.
    paste(driver, PERPETUAL);
    driver.until("get('fen').value.startsWith('6k1/5p1p/5Q2') && now.legalMoves.length > 20");
    for name in ["f6", "d8"] {
        let point = square(driver, name);
        driver.click(point);
    }
    driver.until("get('fen').value.startsWith('3Q2k1') && now.legalMoves.length === 1");
    let (from, to) = (square(driver, "g8"), square(driver, "g7"));
    driver.drag(from, to);
    driver.until("get('fen').value.startsWith('3Q4/5pkp') && now.legalMoves.length > 20");
    driver.value("get('back').click()");
    driver.until("now.ply === 1 && now.legalMoves.length === 1");

    // Both columns search, the second without credit.
    driver.value("columns[1].form.elements.credit.click()");
    for column in [0, 1] {
        search(driver, column, 20_000);
    }
    driver.until("columns.every((column) => column.found.length > 2)");
    driver.until("columns.every((column) => column.find('.progress').textContent.startsWith('finished'))");
    driver.until("columns.every((column) => column.find('.curves svg') && column.find('.ledger tbody button'))");
    assert_eq!(
        driver.value("columns.map((column) => column.find('.iterations th:nth-child(2)').textContent)"),
        serde_json::json!(["nominal", "minimum"])
    );
    assert_eq!(driver.value("columns.map((column) => column.creditLimit !== null)"), serde_json::json!([true, false]));
    assert_eq!(
        driver.value("columns.map((column) => column.find('.balances').children.length)"),
        serde_json::json!([3, 0])
    );

    // A move of a column's line on the board, the iteration before, and the game again.
    driver.value("columns[0].box.querySelectorAll('.ledger tbody button')[1].click()");
    driver.until("now.shown && get('fen').value === columns[0].iteration.line.moves[1].fen");
    driver.value("columns[0].box.querySelectorAll('.iterations button')[1].click()");
    driver.until("columns[0].iteration === columns[0].found.at(-2)");
    driver.until("get('fen').value === columns[0].iteration.line.moves[1].fen");
    driver.value("get('return').click()");
    driver.until("!now.shown && get('fen').value.startsWith('3Q2k1')");
    // The other column searches the game's position, which is then on the board.
    driver.value("columns[0].box.querySelectorAll('.ledger tbody button')[1].click()");
    driver.until("now.shown.column === columns[0]");
    search(driver, 1, 20_000);
    driver.until("!now.shown && get('fen').value.startsWith('3Q2k1')");
    driver.until("!columns[1].running && columns[1].found.length > 2");

    // A search goes on with the next position until it is stopped.
    search(driver, 0, 1_000_000_000);
    driver.until("columns[0].running && columns[0].found.length > 2");
    driver.value("get('forward').click()");
    driver.until("columns[0].running && columns[0].found.at(-1)?.line.start.fen.startsWith('3Q4/5pkp')");
    // The other column says that what it has found is of the position before.
    driver.until("columns.map((column) => column.find('.elsewhere').hidden).join() === 'true,false'");
    // There is no position after the last: what runs goes on.
    driver.value("globalThis.begun = columns[0].running");
    driver.value("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'End'}))");
    driver.value("get('moves').lastChild.click()");
    driver.until("columns[0].running === begun && columns[0].found.length > 1");
    // A line on the board stays as it is while iterations come, and only as long.
    driver.value("columns[0].box.querySelector('.ledger tbody button').click()");
    driver.value("globalThis.held = columns[0].iteration; globalThis.seen = columns[0].found.length");
    driver.until("columns[0].found.length > seen && columns[0].iteration === held && now.shown.ply === 1");
    driver.value("get('move').value = 'Kg6'; get('type').requestSubmit()");
    driver.until("get('note').textContent.startsWith('a line is on the board') && get('move').value === 'Kg6'");
    driver.value("get('return').click()");
    driver.until("columns[0].iteration === columns[0].found.at(-1)");
    driver.value("columns[0].find('.stop').click()");
    driver.until("!columns[0].running && columns[0].find('.progress').textContent === 'stopped'");

    // In a low window all of the panel beside the columns can be reached.
    driver.resize(1366, 650);
    driver.until("document.querySelector('.game-panel').offsetHeight <= innerHeight");
    for width in [1400, 1000, 390] {
        driver.resize(width, 900);
        driver.until("document.documentElement.scrollWidth <= innerWidth");
    }
    assert_paper_does_not_scroll(driver, "serve");
    assert!(driver.errors.is_empty(), "{:?}", driver.errors);
}

#[test]
fn columns_search_what_they_say_and_say_why_they_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut driver) = driven(folder.path()) else { return };
    let driver = &mut driver;
    let mut server = Server::start();
    open(driver, &server);

    // After another page all is as it was at first.
    let settings = "columns.flatMap(({ form }) => [...form.elements].map(({ value, checked, max, step, disabled }) => \
                    `${value} ${checked} ${max} ${step} ${disabled}`)).join('; ')";
    let at_first = driver.value(settings);
    let change = |driver: &mut Driver, field: &str, value: &str, event: &str| {
        driver.value(&format!(
            "(() => {{ const {{ {field} }} = columns[0].form.elements; {field}.value = '{value}'; \
             {field}.dispatchEvent(new Event('{event}')); }})()"
        ));
    };
    change(driver, "unit", "nodes", "change");
    change(driver, "sixteenths", "18", "input");
    // A limit halfway between two hundredths is called as everywhere.
    driver.until("columns[0].form.elements.creditLimit.value === '1.12 plies'");
    driver.value("columns[1].form.elements.credit.click()");
    driver.open("about:blank", 1400, 1000);
    driver.value("setTimeout(() => history.back())");
    until_open(driver);
    driver.until("document.readyState === 'complete'");
    assert_eq!(driver.value(settings), at_first);

    // A drag that the system breaks off, as with a pen, leaves no piece behind.
    let (from, to) = (square(driver, "e2"), square(driver, "e4"));
    driver.mouse("mousePressed", from);
    driver.until("get('board').querySelectorAll('use').length === 33");
    driver.value("document.dispatchEvent(new PointerEvent('pointercancel'))");
    driver.until("get('board').querySelectorAll('use').length === 32 && drag.from === null");
    driver.mouse("mouseReleased", to);

    // A finger that passes over the board plays nothing; one that taps chooses, lets go, and plays. In a window in
    // which nothing scrolls, so that the squares stay where they are.
    driver.resize(1400, 3000);
    let tap = |driver: &mut Driver, name: &str| {
        let place = square(driver, name);
        driver.touch(&[place]);
    };
    let chosen = |name: &str| format!("drag.from === {}", (name.as_bytes()[1] - b'1') * 8 + name.as_bytes()[0] - b'a');
    tap(driver, "e2");
    driver.until(&chosen("e2"));
    let passed = ["e4", "e5", "e7"].map(|name| square(driver, name));
    driver.touch(&passed);
    assert_eq!(driver.value(&chosen("e2")), true);
    tap(driver, "e2");
    driver.until("drag.from === null");
    tap(driver, "d2");
    driver.until(&chosen("d2"));
    tap(driver, "d4");
    driver.until("now.uci.join() === 'd2d4' && now.legalMoves.length === 20");
    driver.resize(1400, 1000);

    // Castling may be written with zeros.
    paste(driver, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5");
    driver.until("get('moves').children.length === 6");
    driver.value("get('last').click()");
    driver.until("now.ply === 6 && now.legalMoves.length > 20");
    driver.value("get('move').value = '0-0'; get('type').requestSubmit()");
    driver.until("get('caption').textContent.startsWith('4.O-O')");

    // A search that has nothing to search at a mate begins anew before it.
    paste(driver, "1. f3 e5 2. g4 Qh4#");
    driver.until("get('moves').children.length === 4 && now.legalMoves.length === 20");
    search(driver, 0, 1_000_000_000);
    driver.until("columns[0].running && columns[0].found.length > 2");
    driver.value("get('last').click()");
    driver.until("!columns[0].running && columns[0].find('.wrong').textContent.includes('Black has won')");
    // Refused, it has no settings, and shows none of the search before.
    assert_eq!(driver.value("columns[0].find('.settings-used').textContent"), "");
    driver.value("get('back').click()");
    driver.until("columns[0].found.at(-1)?.line.moves[0].san === '2...Qh4#'");
    driver.until("columns[0].find('.wrong').textContent === ''");
    driver.until("columns[0].find('.settings-used').textContent !== ''");

    // One whose server is gone says so.
    driver.value("get('first').click()");
    driver.until("now.ply === 0 && now.legalMoves.length === 20");
    search(driver, 0, 1_000_000_000);
    driver.until("columns[0].running && columns[0].found.length > 2");
    server.child.kill().unwrap();
    driver.until("columns[0].find('.wrong').textContent === NO_SERVER && !columns[0].running");
    assert!(driver.errors.is_empty(), "{:?}", driver.errors);
}
