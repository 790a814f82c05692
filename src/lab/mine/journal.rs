//! What was mined, written down game by game: a file of JSON lines that can be taken up again.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Find, Margins, Rules, SHALLOW_DEPTH, likeness};
use crate::board::Position;
use crate::files;

/// The first line: how the rest was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Version of this form.
    pub schema: u32,
    /// Our name and version.
    pub program: String,
    /// What the other engine calls itself.
    pub engine: String,
    /// What is asked of a position.
    pub rules: Rules,
}

impl Head {
    /// What a suite says of how it was made; `source` says what games it is from.
    pub fn comment(&self, source: &str) -> String {
        let Head { program, engine, rules, .. } = self;
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
struct Line {
    /// The game's number, in hexadecimal digits.
    game: String,
    /// What it held.
    finds: Vec<Find>,
}

/// A file that is no journal of this run.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is something else.
    #[error("line {line}: {reason}")]
    Line {
        /// Line in the file, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// It was made in another way.
    #[error("made by {found} with other settings, or another engine, than now")]
    Other {
        /// Who made it.
        found: String,
    },
}

/// A journal that is open.
pub struct Journal {
    file: File,
    done: HashSet<u64>,
    known: HashSet<String>,
    /// What was found, in the order of the games.
    pub finds: Vec<Find>,
}

impl Journal {
    /// Opens a journal, or begins one where the file is missing or empty. A last line that was cut short is taken off.
    ///
    /// # Errors
    ///
    /// See [`JournalError`].
    pub fn open(path: &Path, head: &Head) -> Result<Journal, JournalError> {
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        files::lock(&file)?;
        let size = file.metadata()?;
        files::check(&size, files::TEXT_LIMIT).map_err(io::Error::from)?;
        let bytes = files::read_from(&mut file, size.len(), files::TEXT_LIMIT).map_err(io::Error::from)?;
        let mut text = String::from_utf8(bytes).map_err(io::Error::other)?;
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let mut journal = Journal { file, done: HashSet::new(), known: HashSet::new(), finds: Vec::new() };
        for (index, line) in text.lines().enumerate() {
            let fault = |reason: String| JournalError::Line { line: index + 1, reason };
            if index == 0 {
                let found: Head = serde_json::from_str(line).map_err(|error| fault(error.to_string()))?;
                if found != *head {
                    return Err(JournalError::Other { found: format!("{} with {}", found.program, found.engine) });
                }
                continue;
            }
            let line: Line = serde_json::from_str(line).map_err(|error| fault(error.to_string()))?;
            let key = u64::from_str_radix(&line.game, 16).map_err(|error| fault(error.to_string()))?;
            journal.take(key, line.finds).map_err(fault)?;
        }
        journal.file.set_len(text.len() as u64)?;
        io::Seek::seek(&mut journal.file, io::SeekFrom::End(0))?;
        if text.is_empty() {
            journal.write(head)?;
        }
        Ok(journal)
    }

    /// Whether a game was done before.
    pub fn is_done(&self, key: u64) -> bool {
        self.done.contains(&key)
    }

    /// How many games are done.
    pub fn games(&self) -> usize {
        self.done.len()
    }

    /// Names of the positions found, each standing for those that are the same to a player.
    pub(super) fn known(&self) -> &HashSet<String> {
        &self.known
    }

    /// Writes down what a game held; a position that is known already is left out.
    pub(super) fn game(&mut self, key: u64, finds: Vec<Find>) -> io::Result<()> {
        let first = self.finds.len();
        self.take(key, finds).map_err(io::Error::other)?;
        let line = Line { game: format!("{key:016x}"), finds: self.finds[first..].to_vec() };
        self.write(&line)
    }

    /// Takes over what a game held.
    fn take(&mut self, key: u64, finds: Vec<Find>) -> Result<(), String> {
        for find in finds {
            let position = Position::from_fen(&find.position, false).map_err(|error| error.to_string())?;
            if self.known.insert(likeness(&position)) {
                self.finds.push(find);
            }
        }
        self.done.insert(key);
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}
