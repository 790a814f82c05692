//! Layer 9: a page on this machine on which positions are searched while one watches.
//!
//! A [`Server`] listens on the loopback address only. One connection carries one request, read by the `httparse` crate
//! over the standard library's sockets; the answer to a search is a line of JSON for each iteration, until the search
//! ends or the page closes the connection. For one person's page that is enough: an asynchronous server brings two
//! dozen more crates and a run time, and the small servers with threads have neither time-outs nor limits of their own.
//!
//! Laws:
//! - Only this machine's own browser is served: the address is the loopback's, each request has the key that was printed,
//!   names this server as its host (or another page could reach it by a name of its own, "DNS rebinding"), and comes from
//!   no other page.
//! - No path is read. The page is a part of the program and loads nothing from elsewhere.
//! - A request's size and time, the connections, the searches and their limits are all bounded, in `bounds.rs`. A new search of a page's
//!   column ends the one before it; a closed page ends its searches.
//! - Whatever is sent, the answer is a page, JSON, or one line of text with what is wrong.

mod ask;
mod bounds;
mod desk;
mod gate;
mod http;
mod page;
mod place;
mod refusal;
mod watch;

pub use refusal::Refusal;

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use self::ask::Ask;
use self::bounds::MAX_CONNECTIONS;
use self::desk::Desk;
use self::gate::Gate;
use self::http::{Answer, Request};
use self::place::Place;
use crate::engine::Options;
use crate::runner::Interrupt;

/// How often the server looks for a new connection, and for a request to end.
const PAUSE: Duration = Duration::from_millis(15);
/// How long requests may go on when the server ends.
const FAREWELL: Duration = Duration::from_secs(1);

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
    #[error("the system gives no random key: {0}")]
    Key(getrandom::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    office: Arc<Office>,
}

/// What all connections share.
struct Office {
    gate: Gate,
    desk: Desk,
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
    /// The port cannot be had, or the system has no random numbers.
    pub fn new(port: u16, options: Options, interrupt: Interrupt) -> Result<Server, ServeError> {
        let failed = |source| ServeError::Port { port, source };
        let listener = TcpListener::bind(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let gate = Gate::new(listener.local_addr().map_err(failed)?.port()).map_err(ServeError::Key)?;
        let office = Office { gate, desk: Desk::default(), options, interrupt, connections: AtomicUsize::new(0) };
        Ok(Server { listener, office: Arc::new(office) })
    }

    /// The address of the page, with its key.
    pub fn url(&self) -> String {
        self.office.gate.url()
    }

    /// Answers requests until the interrupt is raised.
    pub fn run(&self) {
        while !self.office.interrupt.is_raised() {
            match self.listener.accept() {
                Ok((stream, _)) => self.serve(stream),
                // Nobody is there, or a connection failed before it was accepted.
                Err(_) => thread::sleep(PAUSE),
            }
        }
        let deadline = Instant::now() + FAREWELL;
        while self.office.connections.load(Ordering::Acquire) > 0 && Instant::now() < deadline {
            thread::sleep(PAUSE);
        }
    }

    /// Answers one connection on a thread of its own; one too many is closed.
    fn serve(&self, stream: TcpStream) {
        let office = self.office.clone();
        if office.connections.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
            office.connections.fetch_sub(1, Ordering::AcqRel);
            return;
        }
        let served = Served(office);
        // Without memory for a thread the connection is closed.
        let _ = thread::Builder::new().name("page".to_owned()).spawn(move || served.0.answer(stream));
    }
}

/// Counts a connection as long as it lives, also on panic.
struct Served(Arc<Office>);

impl Drop for Served {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Office {
    /// Reads a request and answers it. A connection that breaks has nobody to be told.
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
        self.gate.check(request)?;
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => page::page(&self.options).map(Answer::html).map(Some),
            ("POST", "/read") => Answer::json(&place::read(request.body()?)?).map(Some),
            ("POST", "/play") => Answer::json(&request.body::<Place>()?.played()?).map(Some),
            ("POST", "/moves") => Answer::json(&request.body::<Place>()?.moves()?).map(Some),
            ("POST", "/search") => {
                let ask: Ask = request.body()?;
                let stop = self.interrupt.stop_flag().ok_or(Refusal::Ending)?;
                let search = ask.search(&self.options)?;
                let seat = self.desk.take(ask.page, ask.column, stop)?;
                watch::watch(search, seat.stop(), connection);
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
