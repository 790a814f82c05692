//! The results of mining, a line for each game: a file of JSON lines that can be resumed.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Find, Margins, MineError, Rules, SHALLOW_DEPTH, likeness};
use crate::board::{Position, PositionError};
use crate::json;
use crate::runner::{
    Head, Journal, JournalFile, Kind, LineError, Provenance, ReopenError, first_true, read_first_line, read_line,
};

/// The first line: how the rest was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Origin {
    /// The version of the form, and Pacioli's settings, without the limits, which are part of the rules.
    #[serde(flatten)]
    pub head: Head,
    /// The other engine's name.
    pub engine: String,
    /// Its options that were set, each `name=value`; missing if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engine_options: Vec<String>,
    /// The requirements on a position.
    pub rules: Rules,
}

impl Origin {
    /// What keeps finds of one from being resumed with the other.
    fn difference(&self, other: &Origin) -> Option<&'static str> {
        let Origin { head, engine, engine_options, rules } = self;
        let differs = first_true(&[
            (*engine != other.engine, "another engine"),
            (*engine_options != other.engine_options, "other options of the engine"),
            (*rules != other.rules, "other requirements"),
        ]);
        differs.or_else(|| other.head.provenance.difference(&head.provenance))
    }

    /// What a suite says about how it was made; `source` describes its games.
    pub fn comment(&self, source: &str) -> String {
        let Origin { head: Head { provenance: Provenance { program, .. }, .. }, engine, rules, .. } = self;
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
    /// The commits of other programs that found some of them, if they and this one's are known.
    pub begun_by: Option<String>,
}

impl Mined {
    /// Opens a journal, or starts one if the file is missing or empty, or holds only a beginning of the first line. A
    /// truncated last line is removed.
    ///
    /// # Errors
    ///
    /// See [`ReopenError`].
    pub fn open(path: &Path, origin: &Origin) -> Result<Mined, ReopenError> {
        let Some(file) = JournalFile::take(path)? else { return Err(ReopenError::Irregular) };
        let first_line = json::line(origin).map_err(ReopenError::Json)?;
        let mut finds = Finds::default();
        if file.is_cut_from(&first_line) {
            return Ok(Mined { journal: file.begin(&first_line)?, finds, begun_by: None });
        }
        let text = file.recorded().to_owned();
        let (mut lines, mut begun_by) = (String::new(), None);
        for (number, line) in (1..).zip(text.lines()) {
            if number == 1 {
                let mut found: Origin = read_first_line(line, Kind::Mine)?;
                if let Some(what) = found.difference(origin) {
                    let begun = format!("made by {} with {},", found.head.provenance.program, found.engine);
                    return Err(ReopenError::Other { begun, what });
                }
                begun_by = found.head.provenance.go_on_by(&origin.head.provenance);
                lines = json::line(&found).map_err(ReopenError::Json)?;
                continue;
            }
            lines.extend([line, "\n"]);
            let line: Line = read_line(number, line)?;
            let fault = |reason: String| LineError { line: number, reason };
            let key = u64::from_str_radix(&line.game, 16).map_err(|_| fault("`game` is not a key".to_owned()))?;
            finds.take(key, line.finds).map_err(|error| fault(error.to_string()))?;
        }
        Ok(Mined { journal: file.begin(&lines)?, finds, begun_by })
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

    /// Records a game's finds; positions already known are left out.
    pub(super) fn game(&mut self, key: u64, finds: Vec<Find>) -> Result<(), MineError> {
        let first = self.finds.finds.len();
        self.finds.take(key, finds)?;
        let line = Line { game: format!("{key:016x}"), finds: self.finds.finds[first..].to_vec() };
        Ok(self.journal.add(&line)?)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn origin() -> Origin {
        let rules = Rules { look_nodes: 1, depth: 2, give_up_nodes: 3, grade_nodes: 4, least_nodes: 5, per_game: 6 };
        let (engine, engine_options) = ("Other".to_owned(), vec!["Skill=20".to_owned()]);
        Origin { head: Head::new(Kind::Mine, Provenance::of_program()), engine, engine_options, rules }
    }

    #[test]
    fn only_a_journal_is_resumed_and_only_the_beginning_of_one_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.jsonl");
        drop(Mined::open(&path, &origin()).unwrap());
        let first_line = fs::read_to_string(&path).unwrap();
        assert_eq!(first_line.lines().count(), 1);
        for cut in 0..=first_line.len() {
            fs::write(&path, &first_line[..cut]).unwrap();
            assert_eq!(Mined::open(&path, &origin()).unwrap().games(), 0, "{cut}");
            assert_eq!(fs::read_to_string(&path).unwrap(), first_line, "{cut}");
        }
        // Another build's is not a beginning of one's own, but it fits.
        let mut other = origin();
        other.head.provenance.commit = Some("another".to_owned());
        let other = serde_json::to_string(&other).unwrap();
        fs::write(&path, &other).unwrap();
        assert_eq!(Mined::open(&path, &origin()).unwrap().games(), 0);
        let commits = origin().head.provenance.commit.map_or("another".to_owned(), |own| format!("another, {own}"));
        let both = format!("{}\n", other.replace("\"commit\":\"another\"", &format!("\"commit\":\"{commits}\"")));
        assert_eq!(fs::read_to_string(&path).unwrap(), both);
        let refused = |text: &str| {
            fs::write(&path, text).unwrap();
            let error = Mined::open(&path, &origin()).err().expect("a file that is refused").to_string();
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "a refused file is left as it is");
            error
        };
        assert_eq!(refused("my precious notes"), "line 1: it is not JSON");
        assert_eq!(refused("my precious\nnotes"), "line 1: it is not JSON");
        assert_eq!(refused("{\"kind\":\"mine\",\"notes\":1"), "line 1: it breaks off");
        assert_eq!(
            refused(&first_line[..20].replace("mine", "spsa")),
            "line 1: this is JSON of `pacioli lab spsa`, not JSON of `pacioli lab mine`"
        );
        let options = "\"engine_options\":[\"Skill=20\"],";
        for (own, other, what) in [
            ("Other", "Another", "another engine"),
            ("Skill=20", "Skill=0", "other options of the engine"),
            (options, "", "other options of the engine"),
            ("\"depth\":2", "\"depth\":3", "other requirements"),
        ] {
            let error = refused(first_line.replace(own, other).trim_end());
            assert!(
                error.starts_with("made by Pacioli") && error.ends_with(&format!("with {what} than now")),
                "{error}"
            );
        }
    }
}
