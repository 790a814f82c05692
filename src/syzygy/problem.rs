//! Problems with endgame tables, each described in one line.

use std::path::PathBuf;

use shakmaty_syzygy::{Material, Metric, ProbeError, Syzygy};
use thiserror::Error;

use crate::board::Chess;

/// A part of the tables that cannot be used; the rest can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyzygyProblem {
    /// A folder that cannot be read.
    #[error("Syzygy: cannot read the folder {folder}: {reason}", folder = folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file that is left out.
    #[error("Syzygy: {file} is left out: {reason}", file = file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// No folder contains tables.
    #[error("Syzygy: no tables in `{path}`")]
    Nothing {
        /// The folders.
        path: String,
    },
    /// An incomplete set of tables.
    #[error("Syzygy: of the {materials} tables with {pieces} pieces there are {wdl} WDL and {dtz} DTZ")]
    Incomplete {
        /// Pieces, including kings.
        pieces: usize,
        /// WDL tables found.
        wdl: usize,
        /// DTZ tables found.
        dtz: usize,
        /// How many of each there should be.
        materials: usize,
    },
    /// A file with invalid contents, found when it was needed.
    #[error("Syzygy: {name} is not used: {reason}")]
    Damaged {
        /// The file's name.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

impl SyzygyProblem {
    /// A file on which a probe failed.
    pub(super) fn damaged(metric: Metric, material: &Material, error: &ProbeError) -> SyzygyProblem {
        let extension = match metric {
            Metric::Wdl => Chess::TBW.ext,
            Metric::Dtz => Chess::TBZ.ext,
        };
        let reason = match error {
            ProbeError::Read { error } => format!("it cannot be read: {error}"),
            ProbeError::Magic { .. } => "it does not start like a table".to_owned(),
            // The library's own message ends in a backtrace.
            ProbeError::CorruptedTable { .. } => "it is truncated or damaged".to_owned(),
        };
        SyzygyProblem::Damaged { name: format!("{material}.{extension}"), reason }
    }
}
