//! `pacioli serve` as its page sees it, and as pages see it that should not.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::PERPETUAL;
use crate::common::process::interrupt;
use crate::common::server::{Server, answer, head_and_body};

/// Longer than a search takes to end on a busy machine, and much shorter than the searches that are ended.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A request for a search.
fn search_request(page: u32, column: u8, budget: &str) -> String {
    format!(
        r#"{{"page":{page},"column":{column},"game":{{"fen":"{PERPETUAL}","moves":["f6d8"]}},"profile":"deep-blue",
        "credit":true,"credit_limit":24,"budget":{{{budget}}}}}"#
    )
}

/// The lines of an answer that comes bit by bit.
fn lines(stream: TcpStream) -> impl Iterator<Item = Value> {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.skip_while(|line| !line.is_empty()).skip(1).map(|line| serde_json::from_str(&line).expect("JSON"))
}

/// Waits until something holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn only_the_own_page_with_the_key_is_answered() {
    let server = Server::start();
    let (port, key) = (server.port, &server.key);
    let (status, page) = server.answer(&format!("GET /?key={key} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"));
    assert!(status == 200 && page.contains("function drawBoard") && !page.contains(key), "{status}");
    let origin = |name: &str| server.head("GET", "/") + &format!("Origin: {name}\r\n\r\n");
    assert_eq!(server.answer(&origin(&format!("http://127.0.0.1:{port}"))).0, 200);
    let host = |name: &str| format!("GET /?key={key} HTTP/1.1\r\nHost: {name}\r\n\r\n");
    for (request, expected) in [
        (format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"), "the key is missing or wrong"),
        (format!("GET /?key={key}0 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"), "the key is missing or wrong"),
        (format!("GET /?key={key} HTTP/1.1\r\n\r\n"), "this server is 127.0.0.1:"),
        (host("evil.example"), "not `evil.example`"),
        (host(&format!("evil.example:{port}")), "not `evil.example:"),
        (origin("http://evil.example"), "requests from pages of `http://evil.example` are refused"),
        (origin("null"), "requests from pages of `null` are refused"),
    ] {
        let (status, text) = server.answer(&request);
        assert!(status == 403 && text.contains(expected) && !text.contains(key), "{request}: {status} {text}");
    }
}

#[test]
fn bad_requests_get_one_line_of_what_is_wrong() {
    let server = Server::start();
    let posted = |path: &str, body: &str| server.posted(path, body);
    let sent = |method: &str, path: &str, rest: &str| answer(server.request(method, path, rest));
    let too_long = format!("{{\"text\":\"{}\"}}", "x".repeat(600_000));
    for ((status, text), expected, message) in [
        (server.answer("hello\r\n\r\n"), 400, "not an HTTP request"),
        (sent("GET", "/etc/passwd", ""), 404, "there is no `/etc/passwd`"),
        (sent("GET", "/../../etc/passwd", ""), 404, "there is no `/../../etc/passwd`"),
        (sent("GET", "/read", ""), 405, "`/read` is for POST only"),
        (sent("POST", "/", ""), 405, "`/` is for GET only"),
        (sent("POST", "/read", "Transfer-Encoding: chunked\r\n"), 411, "does not say how long"),
        (sent("POST", "/read", "Content-Length: 99999999999\r\n"), 413, "more than the 524288 that are read"),
        (posted("/read", &too_long), 413, "the request has 600"),
        (sent("GET", "/", &format!("A: {}\r\n", "x".repeat(20_000))), 431, "more than 16384 bytes of them"),
        (posted("/read", "{"), 400, "not the JSON expected: it breaks off"),
        (posted("/read", "[1,2"), 400, "not the JSON expected: it breaks off"),
        (posted("/read", "text"), 400, "not the JSON expected: it is not JSON"),
        (
            posted("/read", r#"{"text":5}"#),
            400,
            "not the JSON expected: `text`: there is a number where something else is expected",
        ),
        (posted("/read", r#"{"text":"8/8/8/8/8/8/8/8 w - - 0 1"}"#), 422, "not a legal position"),
        (posted("/read", r#"{"text":"1. e4 e5 2. Ke3"}"#), 422, "game 1, White's move 2: `Ke3` is not legal"),
        (posted("/play", &format!(r#"{{"fen":"{PERPETUAL}","moves":["h2h8"]}}"#)), 422, "`h2h8` is not legal in"),
        (posted("/search", &search_request(1, 0, r#""seconds":1e9"#)), 422, "is not a value for seconds"),
        (posted("/read", r#"{"text":" "}"#), 422, "there is nothing to read"),
        (posted("/search", "{}"), 400, "not the JSON expected: its member `page` is missing"),
        (posted("/read", "[]"), 400, "not the JSON expected: "),
        (posted("/search", &search_request(1, 0, r#""nodes":-1"#)), 400, "a member cannot be `-1`"),
        (posted("/search", &search_request(1, 0, "")), 400, "`budget`: a member is not what it should be"),
        (
            posted("/search", &search_request(1, 0, r#""seconds":1,"nodes":1"#)),
            400,
            "`budget`: a member is not what it should be",
        ),
        (
            posted("/search", &search_request(1, 0, r#""nodes":1e3"#)),
            400,
            "a number with a point or an exponent, or too large",
        ),
        (
            posted("/search", &search_request(1, 0, r#""seconds":1e999"#)),
            400,
            "`budget.seconds`: a number is too large",
        ),
    ] {
        assert_eq!(status, expected, "{message}: {text}");
        assert!(text.contains(message) && text.lines().count() == 1, "{text}");
    }
}

#[test]
fn a_wrong_method_is_told_the_right_one_and_head_gets_headers_only() {
    let server = Server::start();
    let long = format!("A: {}\r\n", "x".repeat(20_000));
    for (method, path, rest, status, allow) in [
        ("POST", "/", "", 405, Some("Allow: GET")),
        ("OPTIONS", "/search", "", 405, Some("Allow: POST")),
        ("HEAD", "/", "", 405, Some("Allow: GET")),
        ("HEAD", "/read", "", 405, Some("Allow: POST")),
        ("GET", "/a", "", 404, None),
        ("HEAD", "/a", "", 404, None),
        ("HEAD", "/", "Content-Length: 99999999999\r\n", 413, None),
        ("HEAD", "/", &long, 431, None),
    ] {
        let (head, body) = head_and_body(server.request(method, path, rest));
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {head}");
        assert_eq!(head.lines().skip(1).find(|line| line.contains("Allow")), allow, "{method} {path}: {head}");
        assert_eq!(body.is_empty(), method == "HEAD", "{method} {path}: {body}");
    }
}

#[test]
fn one_connection_too_many_is_told_so() {
    let server = Server::start();
    let held: Vec<_> = (0..24).map(|_| server.send("GET / HTTP/1.1\r\n")).collect();
    let (status, text) = server.posted("/read", r#"{"text":"startpos"}"#);
    assert_eq!((status, text.lines().count()), (503, 1), "{text}");
    assert!(text.starts_with("24 connections are open"), "{text}");
    drop(held);
}

#[test]
fn a_game_is_read_and_played_on() {
    let server = Server::start();
    let json = |(status, text): (u16, String)| -> Value {
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).expect("JSON")
    };
    let game = json(server.posted("/read", r#"{"text":"[White \"A\"]\n\n1. f3 e5 2. g4 *"}"#));
    assert_eq!((&game["uci"][2], &game["line"]["moves"][2]["san"]), (&"g2g4".into(), &"2.g4".into()));
    let path = |moves: &str| format!(r#"{{"fen":{},"moves":[{moves}]}}"#, game["line"]["start"]["fen"]);
    let moves = json(server.posted("/moves", &path(r#""f2f3","e7e5","g2g4""#)));
    let mate = moves["moves"].as_array().unwrap().iter().find(|mv| mv["san"] == "Qh4#").unwrap();
    assert_eq!((&mate["from"], &mate["to"], &mate["uci"]), (&59.into(), &31.into(), &"d8h4".into()));
    let over = json(server.posted("/moves", &path(r#""f2f3","e7e5","g2g4","d8h4""#)));
    assert_eq!((&over["over"], over["moves"].as_array().unwrap().len()), (&"checkmate: Black has won".into(), 0));
    let played = json(server.posted("/play", &path(r#""f2f3","e7e5","g2g4","d8h4""#)));
    assert_eq!((&played["uci"][3], &played["line"]["moves"][3]["san"]), (&"d8h4".into(), &"2...Qh4#".into()));
    assert_eq!(server.posted("/play", &path(r#""f2f3","e7e5","g2g4","d8h5""#)).0, 422);
}

#[test]
fn two_columns_are_searched_side_by_side() {
    let server = Server::start();
    let streams: Vec<TcpStream> =
        (0..2).map(|column| server.post("/search", &search_request(7, column, r#""nodes":10000"#))).collect();
    let received: Vec<Vec<Value>> = streams.into_iter().map(|stream| lines(stream).collect()).collect();
    // The same settings: the same iterations.
    let iterations =
        |events: &[Value]| events.iter().filter(|event| event["iteration"].is_object()).cloned().collect::<Vec<_>>();
    assert_eq!(iterations(&received[0]), iterations(&received[1]));
    for events in &received {
        assert_eq!(events[0]["begin"]["credit_limit"], 1.5);
        assert_eq!(events[0]["begin"]["nominal"], "minimum");
        assert!(events.last().unwrap()["end"].as_str().unwrap().ends_with(" nodes"), "{:?}", events.last());
        let last = &iterations(events).pop().unwrap()["iteration"];
        let chart = last["charts"][0].as_str().unwrap();
        assert!(chart.starts_with("<div class=\"scroll\"") && chart.contains("<svg"), "{chart}");
        assert!(last["iteration"].as_i64().unwrap() > 2);
        let line = &last["line"];
        assert_eq!((&line["start"]["white"], &line["moves"][0]["white"]), (&false.into(), &false.into()));
        assert!(line["moves"].as_array().unwrap().iter().any(|step| step["entry"].is_object()), "{line}");
    }
}

#[test]
fn a_search_ends_with_the_next_one_of_its_column_with_its_page_and_with_the_server() {
    let mut server = Server::start();
    let endless = |page: u32, column: u8| {
        let mut events = lines(server.post("/search", &search_request(page, column, r#""seconds":600"#)));
        (events.next().is_some_and(|event| event["begin"].is_object())).then_some(events)
    };
    let old = endless(1, 0).expect("a search");
    let mut running: Vec<_> = (0..4).map(|column| endless(1, column).expect("a search")).collect();
    let last = old.last().unwrap();
    assert!(last["end"].is_string(), "{last}");
    let (status, text) = server.posted("/search", &search_request(2, 0, r#""nodes":10"#));
    assert_eq!((status, text.as_str()), (503, "4 searches are running: stop one of them first\n"));
    // The page closes one of its connections.
    drop(running.pop());
    until("a search slot is free", || server.posted("/search", &search_request(2, 0, r#""nodes":10"#)).0 == 200);
    if cfg!(unix) {
        interrupt(&server.child);
        until("the server ends", || server.child.try_wait().unwrap().is_some_and(|status| status.success()));
    }
}

#[test]
fn what_breaks_off_does_no_harm() {
    let server = Server::start();
    drop(server.send("GET / HT"));
    let half = server.send(&format!("{}Content-Length: 100\r\n\r\n{{", server.head("POST", "/read")));
    half.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(answer(half), (400, "the connection ended before the request was complete\n".to_owned()));
    // Connections that say nothing do not keep others away.
    let _silent: Vec<TcpStream> = (0..10).map(|_| server.send("")).collect();
    assert_eq!(answer(server.request("GET", "/", "")).0, 200);
}
