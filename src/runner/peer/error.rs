//! What can go wrong with another engine.

use thiserror::Error;

/// A failure of another engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PeerError {
    /// The program cannot be started.
    #[error("engine `{command}` cannot be started: {reason}")]
    Start {
        /// Its command.
        command: String,
        /// What the system says.
        reason: String,
    },
    /// It exited by itself.
    #[error("engine `{command}` ended {during}")]
    Ended {
        /// Its command.
        command: String,
        /// What it was doing.
        during: String,
    },
    /// It does not answer.
    #[error("engine `{command}` does not answer {during}")]
    Silent {
        /// Its command.
        command: String,
        /// What it should have answered.
        during: String,
    },
    /// It does not read its input, whatever it says.
    #[error("engine `{command}` does not read what it is sent")]
    Deaf {
        /// Its command.
        command: String,
    },
    /// Its search comes no further.
    #[error("engine `{command}` has come no further for {seconds} s {during}")]
    Stalled {
        /// Its command.
        command: String,
        /// What it was doing.
        during: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// It has no such option.
    #[error("engine `{command}` has no option `{name}`")]
    Option {
        /// Its command.
        command: String,
        /// The option.
        name: String,
    },
    /// It does not take this value.
    #[error("engine `{command}` does not take `{value}` for its option `{name}`: {instead}")]
    OptionValue {
        /// Its command.
        command: String,
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What it takes, as it says.
        instead: String,
    },
    /// Its answer is no move of the position.
    #[error("engine `{command}` answers `{answer}` {during}, which is no legal move")]
    Illegal {
        /// Its command.
        command: String,
        /// What it was doing.
        during: String,
        /// The answer.
        answer: String,
    },
}
