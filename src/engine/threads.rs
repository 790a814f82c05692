//! Threads that a search fits on, and the memory that it takes.
//!
//! The search recurses deeper than a default stack allows. On a thread started here it runs where it is called; on any
//! other it gets a thread of its own, unless there is no memory for one.

use std::cell::Cell;
use std::io;
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};

use thiserror::Error;

use crate::room::{self, MEGABYTE};

/// Stack of a searching thread: three times the deepest recursion, as frames of the compiled functions add up; they are
/// larger where nothing is optimized.
const STACK_SIZE: usize = if cfg!(debug_assertions) { 32 * MEGABYTE } else { 16 * MEGABYTE };
/// What a search allocates for itself, with room to spare: lines, frames and the like.
const SEARCH_ROOM: usize = 4 * MEGABYTE;
/// What an engine takes beside its table, with room to spare: one worker's histories and caches.
const ENGINE_ROOM: usize = 16 * MEGABYTE;
/// Address space that the system's allocator takes for another thread.
const ALLOCATOR_ROOM: usize = 64 * MEGABYTE;
/// What one more searching thread takes.
pub(super) const THREAD_ROOM: usize = STACK_SIZE + SEARCH_ROOM + ALLOCATOR_ROOM;

thread_local! {
    /// Whether this thread has the stack for a search.
    static IS_ROOMY: Cell<bool> = const { Cell::new(false) };
}

/// A search that cannot be run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("not enough memory to search: {megabytes} MB are not to be had")]
pub struct SearchError {
    /// What it takes at least.
    megabytes: usize,
}

/// Whether there is memory for an engine and a search.
///
/// # Errors
///
/// There is not.
pub fn check_engine_room() -> Result<(), SearchError> {
    check(ENGINE_ROOM + SEARCH_ROOM)
}

fn check(bytes: usize) -> Result<(), SearchError> {
    if room::has(bytes) { Ok(()) } else { Err(SearchError { megabytes: bytes / MEGABYTE }) }
}

/// Whether there is memory for one search of an engine that is there.
///
/// # Errors
///
/// There is not.
pub fn check_room() -> Result<(), SearchError> {
    check(SEARCH_ROOM)
}

/// Whether there is memory for so many searches at a time, each on a thread of its own.
pub fn has_room_for(searches: usize) -> bool {
    room::blocks(searches, THREAD_ROOM) == searches
}

/// Whether a search fits on the stack of the thread at hand.
pub(super) fn is_roomy() -> bool {
    IS_ROOMY.get()
}

/// Whether there is memory for one search on another thread.
pub(super) fn has_room_elsewhere() -> bool {
    room::has(STACK_SIZE + SEARCH_ROOM)
}

fn builder(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK_SIZE)
}

/// Starts a thread that a search fits on.
///
/// # Errors
///
/// The system gives no thread.
pub fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    builder(name).spawn(|| {
        IS_ROOMY.set(true);
        work()
    })
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
