//! The results of mining, recorded game by game: a file of JSON lines that can be resumed.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Find, Margins, Rules, SHALLOW_DEPTH, likeness};
use crate::board::{Position, PositionError};
use crate::runner::{FileHeader, Head, Journal, JournalError, JournalFile, Kind, Provenance, json_fault};

/// The first line: how the rest was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Origin {
    /// The version of the form, and Pacioli's settings, without the limits, which are part of the rules.
    #[serde(flatten)]
    pub head: Head,
    /// The other engine's name.
    pub engine: String,
    /// The requirements on a position.
    pub rules: Rules,
}

impl Origin {
    /// Whether finds of both belong together.
    fn fits(&self, other: &Origin) -> bool {
        let head = other.head.clone();
        self.head.fits(&head) && Origin { head, ..self.clone() } == *other
    }

    /// What a suite says about how it was made; `source` describes its games.
    pub fn comment(&self, source: &str) -> String {
        let Origin { head: Head { provenance: Provenance { program, .. }, .. }, engine, rules } = self;
        let Margins { gap, most_next, most_next_to_mate, .. } = Margins::STRICT;
        format!(
            "Tactical positions mined by `pacioli lab mine` ({program}) from {source}.\n\
             bm is the one clearly best move, confirmed by {engine} with two variations to depth {}, which gives\n\
             score (ce), mate (dm) and line (pv). It scores at least {gap} centipawns more than the next best move, which\n\
             scores {most_next} at most; or it mates, and the next does not and scores {most_next_to_mate} at most.\n\
             A search of {SHALLOW_DEPTH} plies by Pacioli does not find it. c0 names the themes, c1 the nodes that Pacioli\n\
             needs to find the move and keep it in a search of {} nodes, c2 the grade from 1 (easy) to 5.",
            rules.depth, rules.grade_nodes
        )
    }
}

/// Every other line: a game that is done.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Line {
    /// The game's number, in hexadecimal.
    game: String,
    /// The positions found in it.
    finds: Vec<Find>,
}

/// A file that does not belong to this run.
#[derive(Debug, Error)]
pub enum MinedError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] JournalError),
    /// The path is that of a pipe or a device.
    #[error("it is not a regular file")]
    Irregular,
    /// A recorded position is not legal.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A line is something else.
    #[error("line {line}: {reason}")]
    Line {
        /// Line in the file, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// It was made with other settings.
    #[error("made by {found} with other settings or another engine")]
    Other {
        /// Who made it.
        found: String,
    },
}

/// The finds so far.
#[derive(Default)]
struct Finds {
    done: HashSet<u64>,
    known: HashSet<String>,
    finds: Vec<Find>,
}

impl Finds {
    /// Adds the finds of a game.
    fn take(&mut self, key: u64, finds: Vec<Find>) -> Result<(), PositionError> {
        for find in finds {
            if self.known.insert(likeness(&Position::from_fen(&find.fen, false)?)) {
                self.finds.push(find);
            }
        }
        self.done.insert(key);
        Ok(())
    }
}

/// The results, and their journal.
pub struct Mined {
    journal: Journal,
    finds: Finds,
}

impl Mined {
    /// Opens a journal, or starts one if the file is missing or empty. A truncated last line is removed.
    ///
    /// # Errors
    ///
    /// See [`MinedError`].
    pub fn open(path: &Path, origin: &Origin) -> Result<Mined, MinedError> {
        let Some(file) = JournalFile::take(path)? else { return Err(MinedError::Irregular) };
        let text = file.whole_lines().to_owned();
        let mut finds = Finds::default();
        for (index, line) in text.lines().enumerate() {
            let fault = |reason: String| MinedError::Line { line: index + 1, reason };
            if index == 0 {
                FileHeader::of(line)
                    .check(Kind::Mine, Kind::Mine.schema())
                    .map_err(|error| fault(error.to_string()))?;
                let found: Origin = serde_json::from_str(line).map_err(|error| fault(json_fault(&error)))?;
                if !found.fits(origin) {
                    return Err(MinedError::Other {
                        found: format!("{} with {}", found.head.provenance.program, found.engine),
                    });
                }
                continue;
            }
            let line: Line = serde_json::from_str(line).map_err(|error| fault(json_fault(&error)))?;
            let key = u64::from_str_radix(&line.game, 16).map_err(|_| fault("`game` is not a key".to_owned()))?;
            finds.take(key, line.finds).map_err(|error| fault(error.to_string()))?;
        }
        let mut journal = file.begin(&text)?;
        if text.is_empty() {
            journal.add(origin)?;
        }
        Ok(Mined { journal, finds })
    }

    /// Whether a game was already done.
    pub fn is_done(&self, key: u64) -> bool {
        self.finds.done.contains(&key)
    }

    /// Number of games done.
    pub fn games(&self) -> usize {
        self.finds.done.len()
    }

    /// The finds, in the order of the games.
    pub fn finds(&self) -> &[Find] {
        &self.finds.finds
    }

    /// Names of the positions found, each standing for all equivalent ones.
    pub(super) fn known(&self) -> &HashSet<String> {
        &self.finds.known
    }

    /// Records a game's finds; positions already known are left out.
    pub(super) fn game(&mut self, key: u64, finds: Vec<Find>) -> Result<(), MinedError> {
        let first = self.finds.finds.len();
        self.finds.take(key, finds)?;
        let line = Line { game: format!("{key:016x}"), finds: self.finds.finds[first..].to_vec() };
        Ok(self.journal.add(&line)?)
    }
}
