//! The engine's options: typed, with the ranges that users see.

use std::time::Duration;

use thiserror::Error;

use crate::params::{ParamError, Params, Profile};
use crate::tt::DEFAULT_MEGABYTES;

/// An option that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The value is outside the range.
    #[error("`{value}` is no value for {name}: expected {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// The value given.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// A tunable or profile that cannot be set.
    #[error(transparent)]
    Param(#[from] ParamError),
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
    /// Searching threads.
    pub threads: usize,
    /// Time kept back for the GUI and the operating system, each move.
    pub move_overhead: Duration,
    /// Which search.
    pub profile: Profile,
    /// The tunables in force: the profile's, with single settings on top.
    pub params: Params,
}

impl Options {
    /// Largest table in megabytes that can be asked for.
    pub const MAX_HASH_MB: usize = 1 << 20;
    /// Most threads that can be asked for.
    pub const MAX_THREADS: usize = 256;
    /// Largest move overhead.
    pub const MAX_MOVE_OVERHEAD: Duration = Duration::from_secs(10);

    /// Changes the profile; single settings made before are dropped.
    pub fn set_profile(&mut self, profile: Profile) {
        self.profile = profile;
        self.params = profile.params();
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: DEFAULT_MEGABYTES,
            threads: 1,
            move_overhead: Duration::from_millis(10),
            profile: Profile::default(),
            params: Profile::default().params(),
        }
    }
}
