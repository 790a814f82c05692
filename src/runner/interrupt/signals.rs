//! The signals with which a system, or a person, asks a program to end.

use std::io;
#[cfg(unix)]
use std::path::Path;

#[cfg(unix)]
use crate::files;

/// Calls a function at each of them from another thread. On Linux the end of the terminal stays ignored if it is so
/// from the start, as under `nohup`.
///
/// # Errors
///
/// The system does not report them.
#[cfg(unix)]
pub(super) fn at_each(mut heed: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let hangup = Some(SIGHUP).filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let wait = move || signals.forever().for_each(|_| heed());
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// The same where there are no signals but Ctrl-C and what is like it.
#[cfg(not(unix))]
pub(super) fn at_each(heed: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(heed).map_err(io::Error::other)
}

/// Whether a signal is ignored, as far as the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = files::read_text(Path::new("/proc/self/status"), files::TEXT_LIMIT).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // A bit for each signal, from the first on.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| (mask >> (signal - 1)) & 1 == 1)
}
