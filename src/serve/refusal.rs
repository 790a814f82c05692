//! What is wrong with a request.

use serde_path_to_error::Path;
use thiserror::Error;

use super::bounds::{
    MAX_BODY, MAX_CONNECTIONS, MAX_HEADER_BYTES, MAX_HEADERS, MAX_PLIES, MAX_SEARCHES, REQUEST_TIMEOUT,
};
use crate::board::PositionError;
use crate::engine::SearchError;
use crate::json::{form_fault, json_fault};
use crate::params::ParamError;
use crate::pgn::RefusedGame;

/// A request that is not done, with the reason in one line.
#[derive(Debug, Error)]
pub enum Refusal {
    /// Not HTTP.
    #[error("not an HTTP request: {0}")]
    Syntax(&'static str),
    /// The request did not come in time.
    #[error("the request was not complete within {} s", REQUEST_TIMEOUT.as_secs())]
    Late,
    /// The connection ended before.
    #[error("the connection ended before the request was complete")]
    Incomplete,
    /// Too many or too long headers.
    #[error("the request has more than {MAX_HEADERS} headers, or more than {MAX_HEADER_BYTES} bytes of them")]
    LongHeaders,
    /// A body of unknown length.
    #[error("the request does not say how long its body is")]
    NoLength,
    /// Too long a body.
    #[error("the request has {length} bytes, more than the {MAX_BODY} that are read")]
    LongBody {
        /// The length stated.
        length: String,
    },
    /// The request is for a server of another name.
    #[error("this server is {expected}, not `{host}`")]
    Host {
        /// The host named.
        host: String,
        /// This server.
        expected: String,
    },
    /// The request comes from a page of another server.
    #[error("requests from pages of `{origin}` are refused")]
    Origin {
        /// The page's server.
        origin: String,
    },
    /// No key, or a wrong one.
    #[error("the key is missing or wrong: open the address that `pacioli serve` has printed")]
    Key,
    /// No such thing.
    #[error("there is no `{path}`")]
    NotFound {
        /// What was asked for.
        path: String,
    },
    /// A wrong method.
    #[error("`{path}` is for {expected} only")]
    Method {
        /// What was asked for.
        path: String,
        /// The right method.
        expected: &'static str,
    },
    /// The body is no JSON.
    #[error("not the JSON expected: {}", json_fault(.0))]
    Json(#[from] serde_json::Error),
    /// The body is JSON of another form.
    #[error("not the JSON expected: {}{}", place(.0.path()), form_fault(.0.inner()))]
    Form(#[from] serde_path_to_error::Error<serde_json::Error>),
    /// A position or move that cannot be used.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A game that cannot be used.
    #[error(transparent)]
    Game(#[from] RefusedGame),
    /// No text.
    #[error("there is nothing to read: paste a FEN or a game in PGN")]
    NoText,
    /// A text that is neither.
    #[error("`{start}` is neither a FEN nor a game in PGN with moves")]
    Neither {
        /// How the text begins.
        start: String,
    },
    /// Too long a game.
    #[error("the game has {0} plies, more than {MAX_PLIES}")]
    LongGame(usize),
    /// Nothing to search.
    #[error("there is nothing to search: {0}")]
    Over(&'static str),
    /// A number out of range.
    #[error("`{value}` is not a value for {name}: expected {expected}")]
    Bounds {
        /// What it is.
        name: &'static str,
        /// The value given.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// A tunable that cannot be set.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Too many connections.
    #[error("{MAX_CONNECTIONS} connections are open: close other pages of this server, then try again")]
    Crowded,
    /// Too many searches.
    #[error("{MAX_SEARCHES} searches are running: stop one of them first")]
    Busy,
    /// No memory.
    #[error(transparent)]
    Memory(#[from] SearchError),
    /// The server is about to end.
    #[error("the server is shutting down")]
    ShuttingDown,
}

/// Which member is meant, before what is wrong with it; empty for the whole.
fn place(path: &Path) -> String {
    if path.iter().next().is_none() { String::new() } else { format!("`{path}`: ") }
}

impl Refusal {
    /// The method that the request should have had, if that is what is wrong.
    pub(super) fn allowed(&self) -> Option<&'static str> {
        if let Refusal::Method { expected, .. } = self { Some(expected) } else { None }
    }

    /// The status of the answer in HTTP.
    pub(super) fn status(&self) -> &'static str {
        match self {
            Refusal::Syntax(_) | Refusal::Incomplete | Refusal::Json(_) | Refusal::Form(_) => "400 Bad Request",
            Refusal::Host { .. } | Refusal::Origin { .. } | Refusal::Key => "403 Forbidden",
            Refusal::NotFound { .. } => "404 Not Found",
            Refusal::Method { .. } => "405 Method Not Allowed",
            Refusal::Late => "408 Request Timeout",
            Refusal::NoLength => "411 Length Required",
            Refusal::LongBody { .. } => "413 Content Too Large",
            Refusal::LongHeaders => "431 Request Header Fields Too Large",
            Refusal::Crowded | Refusal::Busy | Refusal::Memory(_) | Refusal::ShuttingDown => "503 Service Unavailable",
            _ => "422 Unprocessable Content",
        }
    }
}
