//! A data file that grows block by block, in viriformat, with its journal.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::index::{self, Block, Checked, Header, Index};
use super::{BUFFER, DataError, viri};
use crate::files;
use crate::runner::{Head, Journal, JournalFile};

/// A data file that grows. It is locked against other writers.
pub struct DataWriter {
    file: File,
    path: PathBuf,
    journal: Journal,
    /// Whole games in it.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// The commits of other programs that made what is in the file, if they and this one's are known.
    pub begun_by: Option<String>,
}

impl DataWriter {
    /// Starts a data file, or resumes one after its last complete block: what follows is dropped.
    ///
    /// # Errors
    ///
    /// A file that cannot be written, has no journal or only the beginning of one, is damaged, or was started with
    /// other settings; a journal that is something else. Both files are then unchanged.
    pub fn open(path: &Path, header: &Header) -> Result<DataWriter, DataError> {
        let journal_path = index::path(path);
        for path in [path, &journal_path] {
            // Check before opening, since opening a pipe blocks.
            match std::fs::metadata(path) {
                Ok(found) => files::check(&found, files::STREAM_LIMIT).map_err(io::Error::from)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        let is_new = !path.exists();
        let file = files::open_to_grow(path)?;
        files::lock(&file)?;
        let writer = DataWriter::take_up(file, path, &journal_path, header);
        if is_new && writer.is_err() {
            // Nothing was there before.
            let _ = std::fs::remove_file(path);
        }
        writer
    }

    /// Goes on from what a locked file and its journal hold.
    fn take_up(mut file: File, path: &Path, journal_path: &Path, header: &Header) -> Result<DataWriter, DataError> {
        let size = file.metadata()?.len();
        if size > 0 && !journal_path.exists() {
            return Err(DataError::NoJournal);
        }
        let journal_file = JournalFile::take(journal_path)?.ok_or(DataError::NoJournal)?;
        let first_line = index::line(header)?;
        let begin = |file, journal_file: JournalFile| {
            let journal = journal_file.begin(&first_line)?;
            Ok(DataWriter { file, path: path.to_owned(), journal, games: 0, positions: 0, begun_by: None })
        };
        let Some(found) = Index::parse(journal_file.text().as_bytes())? else {
            if size > 0 {
                return Err(DataError::CutJournal);
            }
            if !journal_file.is_cut_from(&first_line) {
                return Err(DataError::BadJournal { line: 1 });
            }
            return begin(file, journal_file);
        };
        if size == 0 && found.blocks.is_empty() {
            // Nothing was made with its settings.
            return begin(file, journal_file);
        }
        found.header.check_fit(header)?;
        let blocks = whole_blocks(&mut file, size, &found.blocks)?;
        // At least one block must show that the file is the journal's.
        if blocks.is_empty() && !found.blocks.is_empty() {
            return Err(DataError::BadBlock { number: 1 });
        }
        let sum = |of: fn(&Block) -> u64| blocks.iter().map(of).sum::<u64>();
        let (games, positions, bytes) =
            (sum(|block| block.games), sum(|block| block.positions), sum(|block| block.bytes));
        let mut provenance = found.header.head.provenance.clone();
        let begun_by = provenance.go_on_by(&header.head.provenance);
        let head = Head { provenance, ..found.header.head };
        let mut lines = index::line(&Header { head, ..found.header })?;
        for block in blocks {
            lines.push_str(&index::line(block)?);
        }
        let journal = journal_file.begin(&lines)?;
        file.set_len(bytes)?;
        file.seek(SeekFrom::Start(bytes))?;
        Ok(DataWriter { file, path: path.to_owned(), journal, games, positions, begun_by })
    }

    /// Adds whole games as one block.
    ///
    /// # Errors
    ///
    /// A full disk, for example, or a file that is no longer where it was.
    pub fn add<G: AsRef<[u8]>>(&mut self, games: &[G]) -> Result<(), DataError> {
        if games.is_empty() {
            return Ok(());
        }
        let positions = games.iter().map(|game| viri::positions(game.as_ref())).sum();
        let bytes: Vec<u8> = games.iter().flat_map(|game| game.as_ref()).copied().collect();
        let block =
            Block { games: games.len() as u64, positions, bytes: bytes.len() as u64, crc32c: crc32c::crc32c(&bytes) };
        self.file.write_all(&bytes)?;
        // The journal must not list what a power failure could lose.
        self.file.sync_data()?;
        files::check_still_there(&self.file, &self.path)?;
        self.journal.add(&Checked::new(&block)?)?;
        self.games += block.games;
        self.positions += positions;
        Ok(())
    }
}

/// The leading blocks that are complete in a file of this size; each is verified.
fn whole_blocks<'b>(file: &mut File, size: u64, blocks: &'b [Block]) -> Result<&'b [Block], DataError> {
    let mut source = BufReader::with_capacity(BUFFER, file);
    let mut end = 0;
    let mut piece = vec![0; BUFFER];
    for (index, block) in blocks.iter().enumerate() {
        end += block.bytes;
        if end > size {
            return Ok(&blocks[..index]);
        }
        let (mut left, mut checksum) = (block.bytes, 0);
        while left > 0 {
            let count = left.min(BUFFER as u64) as usize;
            source.read_exact(&mut piece[..count])?;
            checksum = crc32c::crc32c_append(checksum, &piece[..count]);
            left -= count as u64;
        }
        if checksum != block.crc32c {
            return Err(DataError::BadBlock { number: index as u64 + 1 });
        }
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::lab::data::record::Source;
    use crate::lab::data::{GameResult, Sample, open};
    use crate::runner::{Head, Kind, Provenance};
    use std::fs;

    fn head(program: &str, set: &[&str]) -> Head {
        let set = set.iter().map(|&setting| setting.to_owned()).collect();
        let program = program.to_owned();
        Head::new(Kind::Datagen, Provenance { program, set, hash_mb: Some(4), ..Provenance::default() })
    }

    fn header() -> Header {
        Header {
            head: head("Pacioli of some kind", &["credit=0"]),
            command: "pacioli lab datagen {\"a\"}".to_owned(),
            seed: u64::MAX,
            nodes: 2,
            review: None,
            random_plies: 8,
            chess960_percent: 0,
            openings: 0,
            digest: 3,
            shard: None,
        }
    }

    /// The bytes of a game of one position.
    fn game(score: i32) -> Vec<u8> {
        let position = Position::default();
        let best_move = position.parse_uci("e2e4").unwrap();
        viri::encode(&[Sample { position, score, best_move, result: GameResult::WhiteWins }]).unwrap()
    }

    /// Writes a file of two blocks with three games; its bytes and its journal's.
    fn begin(path: &Path) -> (Vec<u8>, Vec<u8>) {
        let mut writer = DataWriter::open(path, &header()).unwrap();
        if writer.games < 2 {
            writer.add(&[game(1), game(2)][writer.games as usize..]).unwrap();
        }
        if writer.games < 3 {
            writer.add(&[game(3)]).unwrap();
        }
        both(path)
    }

    fn both(path: &Path) -> (Vec<u8>, Vec<u8>) {
        (fs::read(path).unwrap(), fs::read(index::path(path)).unwrap())
    }

    /// The scores in a file, and what is left over.
    fn scores(path: &Path) -> Result<(Vec<i32>, u64), DataError> {
        let mut games = open(path)?;
        let mut scores = Vec::new();
        for game in games.by_ref() {
            scores.extend(game?.iter().map(|sample| sample.score));
        }
        Ok((scores, games.left_over()))
    }

    #[test]
    fn a_file_goes_on_after_its_last_block_wherever_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (data, lines) = begin(&path);
        assert_eq!(data, [game(1), game(2), game(3)].concat());
        // Where the journal's lines and the data's blocks end.
        let ends: Vec<usize> =
            lines.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place + 1).collect();
        let blocks = [0, game(1).len() * 2, data.len()];
        // A run ends within a block, or after a block and within its journal line.
        let mut cuts: Vec<(usize, usize, usize)> = (0..ends[0]).map(|cut| (0, cut, 0)).collect();
        for last in 1..blocks.len() {
            cuts.extend((blocks[last - 1]..=blocks[last]).map(|cut| (cut, ends[last - 1], last - 1)));
            cuts.extend((ends[last - 1]..ends[last] - 1).map(|cut| (blocks[last], cut, last - 1)));
            // Only the line break is missing.
            cuts.push((blocks[last], ends[last] - 1, last));
        }
        for (data_cut, journal_cut, left) in cuts {
            fs::write(&path, &data[..data_cut]).unwrap();
            fs::write(index::path(&path), &lines[..journal_cut]).unwrap();
            let writer = DataWriter::open(&path, &header()).unwrap();
            assert_eq!(writer.games, [0, 2, 3][left], "{data_cut} {journal_cut}");
            let expected = (data[..blocks[left]].to_vec(), lines[..ends[left]].to_vec());
            assert!(both(&path) == expected, "{data_cut} {journal_cut}");
        }
        assert!(begin(&path) == (data.clone(), lines.clone()));
        // Truncated from outside: the remaining complete blocks count.
        fs::write(&path, &data[..data.len() - 1]).unwrap();
        assert!(scores(&path).is_err());
        assert_eq!(DataWriter::open(&path, &header()).unwrap().games, 2);
        assert_eq!(scores(&path).unwrap(), (vec![1, 2], 0));
        assert!(begin(&path) == (data, lines));
    }

    #[test]
    fn a_journal_of_the_first_version_is_read_but_not_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (_, lines) = begin(&path);
        let blocks = String::from_utf8(lines).unwrap().split_once('\n').unwrap().1.to_owned();
        let first = "{\"schema\":1,\"program\":\"Pacioli of some kind\",\"command\":\"pacioli lab datagen\",\"seed\":7,\
                     \"nodes\":2,\"random_plies\":8,\"chess960_percent\":0,\"openings\":0,\"hash_mb\":4,\
                     \"settings\":[\"credit=0\"],\"digest\":3,\"shard\":null";
        let check = crc32c::crc32c(first.as_bytes());
        fs::write(index::path(&path), format!("{first},\"check\":{check}}}\n{blocks}")).unwrap();
        assert_eq!(scores(&path).unwrap(), (vec![1, 2, 3], 0));
        assert_eq!(Index::read(&path).unwrap().unwrap().header.head, Head { schema: 1, ..header().head });
        let before = both(&path);
        assert!(matches!(DataWriter::open(&path, &header()), Err(DataError::OtherVersion { schema: 1 })));
        assert!(both(&path) == before);
    }

    #[test]
    fn a_journal_of_a_newer_version_is_refused_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        begin(&path);
        let newer = Header { head: Head { schema: 7, ..header().head }, ..header() };
        // Its header may have other members.
        let head = newer.head.clone();
        for line in [index::line(&newer).unwrap(), index::line(&head).unwrap()] {
            for line in [&*line, line.trim_end()] {
                fs::write(index::path(&path), line).unwrap();
                let before = both(&path);
                let errors = [open(&path).err(), DataWriter::open(&path, &header()).err()];
                let reason = "its journal: schema 7, but this program reads 1 to 2";
                assert_eq!(errors.map(|error| error.unwrap().to_string()), [reason; 2], "{line}");
                assert!(both(&path) == before);
            }
        }
    }

    #[test]
    fn what_follows_the_last_block_is_left_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (data, _) = begin(&path);
        assert_eq!(scores(&path).unwrap(), (vec![1, 2, 3], 0));
        fs::write(&path, [&data[..], &data[..50]].concat()).unwrap();
        assert_eq!(scores(&path).unwrap(), (vec![1, 2, 3], 50));
        // Without a journal the format itself says where games end.
        fs::remove_file(index::path(&path)).unwrap();
        assert_eq!(scores(&path).unwrap(), (vec![1, 2, 3, 1], 10));
        assert!(matches!(DataWriter::open(&path, &header()), Err(DataError::NoJournal)));
        assert!(!index::path(&path).exists(), "a rejected file was given a journal");
    }

    #[test]
    fn what_is_known_of_a_file_is_what_was_read_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (data, _) = begin(&path);
        let mut games = open(&path).unwrap();
        // A program of another commit goes on with the file meanwhile.
        let mut later = header();
        later.head.provenance.commit = Some("another".to_owned());
        DataWriter::open(&path, &later).unwrap().add(&[game(4)]).unwrap();
        assert_eq!(Index::read(&path).unwrap().unwrap().header, later);
        assert_eq!(games.by_ref().count(), 3);
        let source = Source::of(&path, &games);
        assert_eq!((source.bytes, source.journal), (data.len() as u64, Some(header())));
    }

    #[test]
    fn a_journal_outlives_data_that_were_moved_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (data, lines) = begin(&path);
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&path, &elsewhere).unwrap();
        assert!(matches!(DataWriter::open(&path, &header()), Err(DataError::BadBlock { number: 1 })));
        assert!(fs::read(index::path(&path)).unwrap() == lines, "the journal of the data that were moved is gone");
        fs::rename(&elsewhere, &path).unwrap();
        assert!(DataWriter::open(&path, &header()).is_ok() && fs::read(&path).unwrap() == data);
    }

    #[cfg(unix)]
    #[test]
    fn data_that_vanish_while_they_are_written_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut writer = DataWriter::open(&path, &header()).unwrap();
        writer.add(&[game(1)]).unwrap();
        let lines = fs::read(index::path(&path)).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(matches!(writer.add(&[game(2)]), Err(DataError::Io(_))));
        fs::write(&path, "of another program").unwrap();
        assert!(matches!(writer.add(&[game(2)]), Err(DataError::Io(_))));
        assert!(fs::read(index::path(&path)).unwrap() == lines, "the journal names games that are in no file");
    }

    #[test]
    fn a_journal_cut_in_its_first_line_is_named_as_that() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (data, lines) = begin(&path);
        let header = lines.iter().position(|&byte| byte == b'\n').unwrap();
        for cut in 0..header {
            fs::write(index::path(&path), &lines[..cut]).unwrap();
            assert!(matches!(DataWriter::open(&path, &super::tests::header()), Err(DataError::CutJournal)), "{cut}");
            assert!(matches!(open(&path), Err(DataError::CutJournal)), "{cut}");
            assert!(both(&path) == (data.clone(), lines[..cut].to_vec()), "{cut}: a rejected file was changed");
        }
        fs::write(index::path(&path), "notes without a line break").unwrap();
        assert!(matches!(open(&path), Err(DataError::CutJournal)));
    }

    #[test]
    fn a_text_that_is_no_journal_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        for text in ["my precious notes", "my precious\nnotes", "{\"kind\":\"datagen\",\"notes\":1"] {
            fs::write(index::path(&path), text).unwrap();
            assert!(matches!(DataWriter::open(&path, &header()), Err(DataError::BadJournal { line: 1 })), "{text}");
            assert_eq!(fs::read_to_string(index::path(&path)).unwrap(), text);
        }
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let whole = begin(&path);
        let places = [(path.clone(), &whole.0), (index::path(&path), &whole.1)];
        for (place, bytes) in places {
            for bit in 0..8 * bytes.len() {
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                fs::write(&place, &flipped).unwrap();
                let found = both(&path);
                assert!(scores(&path).is_err(), "{} bit {bit}", place.display());
                assert!(DataWriter::open(&path, &header()).is_err(), "{} bit {bit}", place.display());
                assert!(both(&path) == found, "bit {bit}: a rejected file was changed");
            }
            fs::write(&place, bytes).unwrap();
        }
    }

    #[test]
    fn a_journal_of_more_than_any_file_holds_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (_, lines) = begin(&path);
        let block = Block { games: u64::MAX, positions: 1, bytes: u64::MAX, crc32c: 0 };
        let forged = [&lines, index::line(&block).unwrap().as_bytes()].concat();
        fs::write(index::path(&path), &forged).unwrap();
        assert!(matches!(open(&path), Err(DataError::BadJournal { line: 4 })));
        assert!(matches!(DataWriter::open(&path, &header()), Err(DataError::BadJournal { line: 4 })));
        assert!(fs::read(index::path(&path)).unwrap() == forged);
    }

    #[test]
    fn only_the_same_settings_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let whole = begin(&path);
        let same = Header { command: "another".to_owned(), ..header() };
        assert_eq!(DataWriter::open(&path, &same).unwrap().positions, 3);
        for (other, differs) in [
            (Header { seed: 1, ..header() }, "another seed"),
            (Header { nodes: 1, ..header() }, "another number of nodes"),
            (Header { review: Some(1), ..header() }, "another review (--review)"),
            (Header { chess960_percent: 50, ..header() }, "another share of Chess960"),
            (Header { head: head("Pacioli of some kind", &[]), ..header() }, "other settings (--set)"),
            (Header { shard: "1/2".parse().ok(), ..header() }, "another part of the games"),
            (Header { digest: 1, ..header() }, "other positions to start from"),
            (
                Header { head: head("Pacioli of another kind", &["credit=0"]), ..header() },
                "another version of the program",
            ),
        ] {
            let error = DataWriter::open(&path, &other).err().unwrap().to_string();
            assert!(error.starts_with(&format!("begun with {differs}")), "{error}");
        }
        assert!(both(&path) == whole);
        // A file without games is begun again, with what its journal then says.
        let empty = folder.path().join("empty");
        DataWriter::open(&empty, &header()).unwrap();
        let other = Header { seed: 1, ..header() };
        assert_eq!(DataWriter::open(&empty, &other).unwrap().games, 0);
        assert_eq!(Index::read(&empty).unwrap().unwrap().header, other);
    }

    #[test]
    fn a_file_that_another_program_began_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let of = |commit: Option<&str>| {
            let mut header = header();
            header.head.provenance.commit = commit.map(str::to_owned);
            header
        };
        DataWriter::open(&path, &of(Some("first"))).unwrap().add(&[game(1)]).unwrap();
        let begun_by = |commit| DataWriter::open(&path, &of(commit)).unwrap().begun_by;
        assert_eq!([Some("first"), None, Some("second")].map(begun_by), [None, None, Some("first".to_owned())]);
        // The journal names both from then on, whoever goes on.
        assert_eq!(begun_by(Some("first")).as_deref(), Some("second"));
        let header = Index::read(&path).unwrap().unwrap().header;
        assert_eq!(header.head.provenance.commit.as_deref(), Some("first, second"));
    }
}
