//! `pacioli serve` as a process, and a plain client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use super::process::pacioli;

/// Longer than any answer takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A server; killed when dropped.
pub struct Server {
    pub child: Child,
    /// Of the address that it has printed.
    pub port: u16,
    pub key: String,
}

impl Server {
    pub fn start() -> Server {
        let mut command = pacioli();
        command.args(["serve", "--hash", "1"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut url).expect("an address");
        let rest = url.trim().strip_prefix("http://127.0.0.1:");
        let (port, key) = rest.and_then(|rest| rest.split_once("/?key=")).expect("port and key");
        Server { child, port: port.parse().expect("a port"), key: key.to_owned() }
    }

    /// Sends these bytes on a connection of their own.
    pub fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("a connection");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a time-out");
        stream.write_all(request.as_bytes()).expect("the server reads");
        stream
    }

    /// The start of a request as the page sends it, up to the headers that are added.
    pub fn head(&self, method: &str, path: &str) -> String {
        let (port, key) = (self.port, &self.key);
        format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Pacioli-Key: {key}\r\n")
    }

    /// Sends a request without a body, with these headers besides, each with the end of its line.
    pub fn request(&self, method: &str, path: &str, headers: &str) -> TcpStream {
        self.send(&format!("{}{headers}\r\n", self.head(method, path)))
    }

    /// Sends JSON to a path, as the page does.
    pub fn post(&self, path: &str, body: &str) -> TcpStream {
        self.send(&format!("{}Content-Length: {}\r\n\r\n{body}", self.head("POST", path), body.len()))
    }

    /// Status and body of the whole answer to these bytes.
    pub fn answer(&self, request: &str) -> (u16, String) {
        answer(self.send(request))
    }

    /// Status and body of the answer to JSON.
    pub fn posted(&self, path: &str, body: &str) -> (u16, String) {
        answer(self.post(path, body))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status and body of a whole answer.
pub fn answer(stream: TcpStream) -> (u16, String) {
    let (head, body) = head_and_body(stream);
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, body)
}

/// What stands before and after the empty line of a whole answer.
pub fn head_and_body(mut stream: TcpStream) -> (String, String) {
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    (head.to_owned(), body.to_owned())
}
