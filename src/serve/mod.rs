//! Layer 9: a page on this machine on which positions are searched while one watches.
//!
//! A [`Server`] listens on the loopback address only. One connection carries one request, read by the `httparse` crate
//! over the standard library's sockets; the answer to a search is a line of JSON for each iteration, until the search
//! ends or the page closes the connection. For one page of one person on the loopback address that is enough: `axum`
//! would bring an asynchronous run time and two dozen more crates, for searches that need a thread each anyway. The
//! small servers with threads have neither time-outs nor limits of their own.
//!
//! | part | what is there |
//! |---|---|
//! | `http` | requests and answers on one connection |
//! | `access`, `bounds`, `refusal` | who may send requests, how much may be asked for, and what is answered otherwise |
//! | `page` with `drag.js`, `column.js`, `page.js` | the page: moving the pieces, a column with its search, the game |
//! | `game_path` | a position as the path to it: read from text, drawn, its legal moves |
//! | `search_request`, `running_searches`, `progress` | a search: its settings, its slot, and what it reports |
//!
//! Laws:
//! - Only this machine's own browser is served: the address is the loopback's, each request has the key that was
//!   printed, names this server as its host (or another page could reach it by a name of its own, "DNS rebinding"), and
//!   comes from no other page.
//! - No path is read. The page is a part of the program and loads nothing from elsewhere.
//! - A request's size and time, the connections, the searches and their limits are all bounded, in `bounds.rs`. A new
//!   search of a page's column ends the one before it; a closed page ends its searches.
//! - Whatever is sent, the answer is a page, JSON, or one line of text with what is wrong; for `HEAD` its headers
//!   alone, but where a connection is one too many, which is not read.

mod access;
mod bounds;
mod game_path;
mod http;
mod page;
mod progress;
mod refusal;
mod running_searches;
mod search_request;

pub use refusal::Refusal;

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use self::access::Access;
use self::bounds::{MAX_CONNECTIONS, MAX_REFUSED};
use self::game_path::GamePath;
use self::http::{Answer, Request};
use self::running_searches::RunningSearches;
use self::search_request::SearchRequest;
use crate::engine::Options;
use crate::runner::Interrupt;

/// How often the server looks for a new connection, and at shutdown for the last requests to end.
const POLL_INTERVAL: Duration = Duration::from_millis(15);
/// How long the server waits for running requests when it shuts down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// A server that cannot be started.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port is taken, or not allowed.
    #[error("cannot listen on port {port} of this machine")]
    Port {
        /// The port.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// The system has no random numbers for a key.
    #[error("cannot generate a random key: {0}")]
    Key(getrandom::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    state: Arc<ServerState>,
}

/// What all connections share.
struct ServerState {
    access: Access,
    searches: RunningSearches,
    /// The settings of searches before a page changes them.
    options: Options,
    interrupt: Interrupt,
    connections: AtomicUsize,
}

impl Server {
    /// Listens on this port of the loopback address, or on any free one if it is 0. Searches have these options where
    /// the page does not set others, and end with the interrupt.
    ///
    /// # Errors
    ///
    /// The port cannot be opened, or the system has no random numbers.
    pub fn new(port: u16, options: Options, interrupt: Interrupt) -> Result<Server, ServeError> {
        let failed = |source| ServeError::Port { port, source };
        let listener = TcpListener::bind(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let access = Access::new(listener.local_addr().map_err(failed)?.port()).map_err(ServeError::Key)?;
        let state = ServerState {
            access,
            searches: RunningSearches::default(),
            options,
            interrupt,
            connections: AtomicUsize::new(0),
        };
        Ok(Server { listener, state: Arc::new(state) })
    }

    /// The address of the page, with its key.
    pub fn url(&self) -> String {
        self.state.access.url()
    }

    /// Answers requests until the interrupt is raised.
    pub fn run(&self) {
        while !self.state.interrupt.is_raised() {
            match self.listener.accept() {
                Ok((stream, _)) => self.serve(stream),
                // Nobody is there, or a connection failed before it was accepted.
                Err(_) => thread::sleep(POLL_INTERVAL),
            }
        }
        let deadline = Instant::now() + SHUTDOWN_TIMEOUT;
        while self.state.connections.load(Ordering::Acquire) > 0 && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Answers one connection on a thread of its own. One too many is told so, and closed if there are many of these.
    fn serve(&self, stream: TcpStream) {
        let others = self.state.connections.fetch_add(1, Ordering::AcqRel);
        let open = OpenConnection(self.state.clone());
        if others >= MAX_CONNECTIONS + MAX_REFUSED {
            return;
        }
        let answer = move || {
            if others < MAX_CONNECTIONS {
                open.0.answer(stream)
            } else {
                refuse(stream)
            }
            drop(open);
        };
        // Without memory for a thread the connection is closed.
        let _ = thread::Builder::new().name("page".to_owned()).spawn(answer);
    }
}

/// Says that there are too many connections.
fn refuse(stream: TcpStream) {
    let Ok(connection) = http::Connection::new(stream) else { return };
    let _ = connection.send(&Answer::refusal(&Refusal::Crowded));
    connection.close();
}

/// Counts a connection as long as it lives, also on panic.
struct OpenConnection(Arc<ServerState>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

impl ServerState {
    /// Reads a request and answers it. Nothing can be reported on a broken connection.
    fn answer(&self, stream: TcpStream) {
        let Ok(mut connection) = http::Connection::new(stream) else { return };
        let answered = connection.request().and_then(|request| self.handle(&request, &connection));
        let _ = match answered {
            Ok(Some(answer)) => connection.send(&answer),
            Ok(None) => Ok(()),
            Err(refusal) => connection.send(&Answer::refusal(&refusal)),
        };
        connection.close();
    }

    /// The answer to a request; `None` if it has been sent already.
    fn handle(&self, request: &Request, connection: &http::Connection) -> Result<Option<Answer>, Refusal> {
        self.access.check(request)?;
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => page::page(&self.options).map(Answer::html).map(Some),
            ("POST", "/read") => Answer::json(&game_path::read(request.body()?)?).map(Some),
            ("POST", "/play") => Answer::json(&request.body::<GamePath>()?.view()?).map(Some),
            ("POST", "/moves") => Answer::json(&request.body::<GamePath>()?.legal_moves()?).map(Some),
            ("POST", "/search") => {
                let wanted: SearchRequest = request.body()?;
                let stop = self.interrupt.stop_flag().ok_or(Refusal::ShuttingDown)?;
                let search = wanted.search(&self.options)?;
                let slot = self.searches.enter(wanted.page, wanted.column, stop)?;
                progress::stream_search(search, slot.stop(), connection);
                Ok(None)
            }
            (_, "/") => Err(Refusal::Method { path: "/".to_owned(), expected: "GET" }),
            (_, path @ ("/read" | "/play" | "/moves" | "/search")) => {
                Err(Refusal::Method { path: path.to_owned(), expected: "POST" })
            }
            (_, path) => Err(Refusal::NotFound { path: path.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_loopback_address_is_listened_on_and_a_taken_port_is_named() {
        let listen = |port| Server::new(port, Options::default(), Interrupt::new());
        let server = listen(0).unwrap();
        let address = server.listener.local_addr().unwrap();
        assert!(address.ip().is_loopback() && server.url().starts_with(&format!("http://{address}/?key=")));
        let error = listen(address.port()).err().map(|error| error.to_string());
        assert_eq!(error, Some(format!("cannot listen on port {} of this machine", address.port())));
    }

    #[test]
    fn a_server_ends_when_it_is_interrupted() {
        let interrupt = Interrupt::new();
        let server = Server::new(0, Options::default(), interrupt.clone()).unwrap();
        thread::scope(|scope| {
            let running = scope.spawn(|| server.run());
            interrupt.raise();
            assert!(running.join().is_ok());
        });
    }
}
