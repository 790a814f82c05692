//! HTTP of the smallest kind: one request on a connection, of bounded size and time, and its answer.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::num::IntErrorKind;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::bounds::{MAX_BODY, MAX_HEADER_BYTES, MAX_HEADERS, REQUEST_TIMEOUT};
use super::refusal::Refusal;
use crate::json;

/// How much of a refused request is still read, and how long: a connection that is closed before loses the answer.
const LINGER: Duration = Duration::from_millis(500);
const LINGER_BYTES: usize = 4 * 1024 * 1024;
/// The most characters of a refusal.
const MAX_REFUSAL: usize = 500;
/// What a page may do: run its own script and talk to this server, nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                           connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A request.
pub(super) struct Request {
    pub method: String,
    pub path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// The value of a header whose name is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// A parameter of the address.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.split('&').filter_map(|pair| pair.split_once('=')).find(|pair| pair.0 == name).map(|pair| pair.1)
    }

    /// The body, which should be JSON of this form.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        // What is no JSON at all is said to be so, before its members are looked at.
        serde_json::from_slice::<IgnoredAny>(&self.body)?;
        let mut json = serde_json::Deserializer::from_slice(&self.body);
        Ok(serde_path_to_error::deserialize(&mut json)?)
    }

    /// A request with these headers and parameters.
    #[cfg(test)]
    pub fn made_up(headers: &[(&str, &str)], query: &str) -> Request {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Request { method: "GET".to_owned(), path: "/".to_owned(), query: query.to_owned(), headers, body: Vec::new() }
    }

    /// The request at the start of these bytes, without its body, and the length of its headers; `None` if more is
    /// needed.
    fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let status = match parsed.parse(bytes) {
            Err(httparse::Error::TooManyHeaders) => return Err(Refusal::LongHeaders),
            status => status.map_err(|_| Refusal::Syntax("its first line or a header cannot be read"))?,
        };
        let httparse::Status::Complete(length) = status else { return Ok(None) };
        let (path, query) = parsed.path.map_or(("", ""), |target| target.split_once('?').unwrap_or((target, "")));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let request = Request {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: parsed.headers.iter().map(|header| (header.name.to_owned(), text(header.value))).collect(),
            body: Vec::new(),
        };
        Ok(Some((request, length)))
    }

    /// How long the body is.
    fn body_length(&self) -> Result<usize, Refusal> {
        if self.header("transfer-encoding").is_some() {
            return Err(Refusal::NoLength);
        }
        let Some(length) = self.header("content-length").map(str::trim) else { return Ok(0) };
        match length.parse() {
            Ok(length @ 0..=MAX_BODY) => Ok(length as usize),
            Err(error) if *error.kind() != IntErrorKind::PosOverflow => {
                Err(Refusal::Syntax("the content length is not a number"))
            }
            // However many digits it has.
            _ => Err(Refusal::LongBody { length: length.to_owned() }),
        }
    }
}

/// An answer.
pub(super) struct Answer {
    status: &'static str,
    kind: &'static str,
    /// The method that the request should have had.
    allowed: Option<&'static str>,
    body: String,
}

impl Answer {
    /// A page.
    pub fn html(body: String) -> Answer {
        Answer { status: "200 OK", kind: "text/html; charset=utf-8", allowed: None, body }
    }

    /// Data.
    pub fn json(data: &impl Serialize) -> Result<Answer, Refusal> {
        let body = serde_json::to_string(data)?;
        Ok(Answer { status: "200 OK", kind: "application/json", allowed: None, body })
    }

    /// What is wrong with the request.
    pub fn refusal(refusal: &Refusal) -> Answer {
        // It may quote any text from the request.
        let text = refusal.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let body = text.chars().take(MAX_REFUSAL).chain(['\n']).collect();
        let kind = "text/plain; charset=utf-8";
        Answer { status: refusal.status(), kind, allowed: refusal.allowed(), body }
    }
}

/// Status line and headers of an answer; its body ends where the connection does.
fn headers(status: &str, kind: &str, allowed: Option<&str>) -> String {
    let allow = allowed.map(|method| format!("Allow: {method}\r\n")).unwrap_or_default();
    format!(
        "HTTP/1.1 {status}\r\n{allow}Content-Type: {kind}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Content-Security-Policy: {PAGE_POLICY}\r\n\r\n"
    )
}

/// A connection.
pub(super) struct Connection {
    stream: TcpStream,
    /// Whether the request asks for the headers of an answer only.
    is_head: bool,
}

impl Connection {
    pub fn new(stream: TcpStream) -> io::Result<Connection> {
        // Some systems let it inherit this from the listener.
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(REQUEST_TIMEOUT))?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, is_head: false })
    }

    /// The request on it.
    pub fn request(&mut self) -> Result<Request, Refusal> {
        let deadline = Instant::now() + REQUEST_TIMEOUT;
        let mut bytes = Vec::new();
        let (mut request, header_length) = loop {
            self.is_head = bytes.starts_with(b"HEAD ");
            match Request::parse(&bytes)? {
                Some((_, length)) if length > MAX_HEADER_BYTES => return Err(Refusal::LongHeaders),
                Some(parsed) => break parsed,
                None if bytes.len() > MAX_HEADER_BYTES => return Err(Refusal::LongHeaders),
                None => {}
            }
            self.read_more(&mut bytes, deadline)?;
        };
        let end = header_length + request.body_length()?;
        while bytes.len() < end {
            self.read_more(&mut bytes, deadline)?;
        }
        request.body = bytes[header_length..end].to_vec();
        Ok(request)
    }

    /// Reads what has come.
    fn read_more(&mut self, bytes: &mut Vec<u8>, deadline: Instant) -> Result<(), Refusal> {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut chunk = [0; 4096];
        // No time left is an error here, where zero would mean no limit.
        self.stream.set_read_timeout(Some(left)).map_err(|_| Refusal::Late)?;
        match self.stream.read(&mut chunk) {
            Ok(length @ 1..) => {
                bytes.extend_from_slice(&chunk[..length]);
                Ok(())
            }
            // Systems call the same by either name.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(Refusal::Late),
            Ok(0) | Err(_) => Err(Refusal::Incomplete),
        }
    }

    /// Sends a whole answer, or its headers.
    pub fn send(&self, answer: &Answer) -> io::Result<()> {
        let body = if self.is_head { "" } else { answer.body.as_str() };
        (&self.stream).write_all((headers(answer.status, answer.kind, answer.allowed) + body).as_bytes())
    }

    /// Begins an answer of many lines of JSON.
    pub fn begin_lines(&self) -> io::Result<()> {
        (&self.stream).write_all(headers("200 OK", "application/x-ndjson", None).as_bytes())
    }

    /// Sends a line of JSON.
    pub fn send_line(&self, data: &impl Serialize) -> io::Result<()> {
        (&self.stream).write_all(json::line(data)?.as_bytes())
    }

    /// Waits until the other side closes the connection, or [`Connection::end`] is called.
    pub fn wait_for_end(&self) {
        let unlimited = self.stream.set_read_timeout(None);
        let mut chunk = [0; 64];
        while unlimited.is_ok() && matches!((&self.stream).read(&mut chunk), Ok(1..)) {}
    }

    /// Ends the connection in both directions.
    pub fn end(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Closes it after the answer has arrived.
    pub fn close(mut self) {
        let deadline = Instant::now() + LINGER;
        let mut rest = Vec::new();
        if self.stream.shutdown(Shutdown::Write).is_ok() {
            while rest.len() < LINGER_BYTES && self.read_more(&mut rest, deadline).is_ok() {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn requests_are_parsed_from_what_has_arrived() {
        let text = "POST /moves?a=1&key=x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody";
        for end in 0..text.len() - 4 {
            assert!(Request::parse(&text.as_bytes()[..end]).unwrap().is_none(), "{end}");
        }
        let (request, length) = Request::parse(text.as_bytes()).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str(), length), ("POST", "/moves", text.len() - 4));
        assert_eq!(
            (request.header("host"), request.parameter("key"), request.parameter("k")),
            (Some("h"), Some("x"), None)
        );
        assert_eq!(request.body_length().unwrap(), 4);
        assert!(matches!(Request::parse(b"\0\0"), Err(Refusal::Syntax(_))));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MAX_HEADERS + 1));
        assert!(matches!(Request::parse(many.as_bytes()), Err(Refusal::LongHeaders)));
    }

    #[test]
    fn a_refusal_is_one_short_line() {
        let refusal = Refusal::NotFound { path: format!("/a\r\n{}", "b".repeat(9000)) };
        let body = Answer::refusal(&refusal).body;
        assert!(body.starts_with("there is no `/a bbb") && body.lines().count() == 1 && body.len() < 510, "{body}");
    }

    #[test]
    fn whatever_is_sent_is_parsed_or_refused() {
        let request = "POST /moves?a=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n";
        proptest::proptest!(|(at in 0..request.len(), bytes: Vec<u8>)| {
            let changed = [&request.as_bytes()[..at], &bytes, &request.as_bytes()[at..]].concat();
            if let Ok(Some((request, length))) = Request::parse(&changed) {
                assert!(length <= changed.len());
                let _ = (request.body_length(), request.parameter("a"));
            }
        });
    }

    #[test]
    fn a_request_that_is_late_is_told_from_one_that_breaks_off() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut connection = Connection::new(listener.accept().unwrap().0).unwrap();
        let mut read = |patience| connection.read_more(&mut Vec::new(), Instant::now() + patience);
        assert!(matches!(read(Duration::from_millis(20)), Err(Refusal::Late)));
        assert!(matches!(read(Duration::ZERO), Err(Refusal::Late)));
        drop(sender);
        assert!(matches!(read(REQUEST_TIMEOUT), Err(Refusal::Incomplete)));
    }

    #[test]
    fn only_bodies_of_a_known_bounded_length_are_read() {
        let length = |name: &str, value: &str| Request::made_up(&[(name, value)], "").body_length();
        assert!(matches!(length("Transfer-Encoding", "chunked"), Err(Refusal::NoLength)));
        assert!(matches!(length("Content-Length", "524289"), Err(Refusal::LongBody { length }) if length == "524289"));
        let endless = "9".repeat(40);
        let refused = length("Content-Length", &endless).unwrap_err().to_string();
        assert_eq!(refused, format!("the request has {endless} bytes, more than the {MAX_BODY} that are read"));
        assert!(matches!(length("Content-Length", "-1"), Err(Refusal::Syntax(_))));
        assert_eq!((length("Content-Length", "524288").unwrap(), length("Accept", "x").unwrap()), (524_288, 0));
    }
}
