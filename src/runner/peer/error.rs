//! What can go wrong with another engine.

use thiserror::Error;

/// A failure of another engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("engine `{command}` {fault}")]
pub struct PeerError {
    /// Its command.
    pub command: String,
    /// What it does, or does not.
    pub fault: PeerFault,
}

/// How another engine fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PeerFault {
    /// The program cannot be started.
    #[error("cannot be started: {reason}")]
    Start {
        /// What the system says.
        reason: String,
    },
    /// It exited by itself.
    #[error("ended {during}")]
    Ended {
        /// What it was doing.
        during: String,
    },
    /// It does not answer.
    #[error("does not answer {during}")]
    Silent {
        /// What it should have answered.
        during: String,
    },
    /// It does not read its input, whatever it says.
    #[error("does not read what it is sent")]
    Deaf,
    /// Its search comes no further.
    #[error("has come no further for {seconds} s {during}")]
    Stalled {
        /// What it was doing.
        during: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// It has no such option.
    #[error("has no option `{name}`")]
    Option {
        /// The option.
        name: String,
    },
    /// It does not take this value.
    #[error("does not take `{value}` for its option `{name}`: {instead}")]
    OptionValue {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What it takes, as it says.
        instead: String,
    },
    /// Its answer is no move of the position.
    #[error("answers `{answer}` {during}, which is no legal move")]
    Illegal {
        /// What it was doing.
        during: String,
        /// The answer.
        answer: String,
    },
}
