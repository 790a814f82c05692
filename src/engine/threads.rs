//! Threads with enough stack for a search, and the memory it needs.
//!
//! The search recurses deeper than a default stack allows. On a thread started here it runs in place; on any other it
//! gets its own thread, unless there is no memory for one.

use std::cell::Cell;
use std::io;
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};

use thiserror::Error;

use crate::room::{self, MEGABYTE};
use crate::tt::{AllocationError, Table};

/// Stack of a search thread: three times the deepest recursion, by the frame sizes of the compiled functions; they are
/// larger in unoptimized builds.
const STACK_SIZE: usize = if cfg!(debug_assertions) { 32 * MEGABYTE } else { 16 * MEGABYTE };
/// What the deepest recursion takes of a stack. The main thread's stack grows while it runs; if the memory for that is
/// not available, the system ends the program without a word.
const DEEPEST_RECURSION: usize = STACK_SIZE / 3;
/// What a search allocates for itself, with a margin: lines, frames and so on.
const SEARCH_ROOM: usize = 4 * MEGABYTE;
/// What an engine needs besides its table, with a margin: one worker's histories and caches.
const ENGINE_ROOM: usize = 16 * MEGABYTE;
/// What one more search thread needs.
pub(super) const THREAD_ROOM: usize = STACK_SIZE + SEARCH_ROOM;

thread_local! {
    /// Whether this thread has enough stack for a search.
    static IS_ROOMY: Cell<bool> = const { Cell::new(false) };
}

/// A search that cannot be run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("not enough memory to search: {megabytes} MB are not available")]
pub struct SearchError {
    /// The minimum needed.
    megabytes: usize,
}

/// Whether there is memory for an engine and a search.
///
/// # Errors
///
/// There is not enough.
pub fn check_engine_room() -> Result<(), SearchError> {
    check(ENGINE_ROOM + SEARCH_ROOM + DEEPEST_RECURSION)
}

fn check(bytes: usize) -> Result<(), SearchError> {
    if room::has(bytes) { Ok(()) } else { Err(SearchError { megabytes: bytes / MEGABYTE }) }
}

/// Whether there is memory for one search of an existing engine.
///
/// # Errors
///
/// There is not enough.
pub fn check_room() -> Result<(), SearchError> {
    check(SEARCH_ROOM + if is_roomy() { 0 } else { DEEPEST_RECURSION })
}

/// A table of this many megabytes, or of as many as leave room for a search on this thread. A larger table is worth
/// more than room for another thread.
pub(super) fn table(megabytes: usize) -> (Table, Option<AllocationError>) {
    room::leaving(DEEPEST_RECURSION + SEARCH_ROOM, || Table::new(megabytes))
}

/// Whether there is memory for this many parallel searches, each on its own thread.
pub fn has_room_for(searches: usize) -> bool {
    room::blocks(searches, THREAD_ROOM) == searches
}

/// Whether a search fits on the current thread's stack.
pub(super) fn is_roomy() -> bool {
    IS_ROOMY.get()
}

/// Whether there is memory for one search on another thread.
pub(super) fn has_room_elsewhere() -> bool {
    room::has(THREAD_ROOM)
}

/// What the system's refusal to start a thread means.
pub fn no_thread(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("no memory for another thread, or too many threads ({error})"))
}

fn builder(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK_SIZE)
}

/// Starts a thread with enough stack for a search.
///
/// # Errors
///
/// The system cannot start a thread.
pub fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    let started = builder(name).spawn(|| {
        IS_ROOMY.set(true);
        work()
    });
    started.map_err(no_thread)
}

/// The same within a scope.
///
/// # Errors
///
/// As [`spawn`].
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    builder(name).spawn_scoped(scope, || {
        IS_ROOMY.set(true);
        work()
    })
}
