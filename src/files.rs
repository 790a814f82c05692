//! Layer 0: the one place that opens files for reading, and that writes whole files.
//!
//! Only regular files up to a stated size are read: a pipe may never end or never begin, and a device such as
//! `/dev/zero` has no end. Whole files are written atomically: to a temporary file next to the target, which is then
//! renamed.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use thiserror::Error;

/// The largest text, suite or journal read into memory.
pub const TEXT_LIMIT: u64 = 1 << 30;
/// The largest file read piece by piece.
pub const STREAM_LIMIT: u64 = 1 << 40;
/// The most links that are followed to a file that is not there yet, as on Linux.
const MOST_LINKS: usize = 40;
/// How long a pipe that is written waits for its reader.
const READER_PATIENCE: Duration = Duration::from_secs(60);

/// A file that is not read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system reports an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a directory.
    #[error("it is a directory")]
    Directory,
    /// It is a pipe, a device or similar.
    #[error("it is not a regular file")]
    Irregular,
    /// It is larger than any such file should be.
    #[error("it is larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// It does not fit in memory.
    #[error("not enough memory for its {bytes} bytes")]
    NoMemory {
        /// Its size.
        bytes: u64,
    },
}

impl ReadError {
    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, ReadError::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> io::Error {
        match error {
            ReadError::Io(error) => error,
            other => io::Error::other(other.to_string()),
        }
    }
}

/// Opens a regular file of at most `limit` bytes.
///
/// # Errors
///
/// See [`ReadError`].
pub fn open(path: &Path, limit: u64) -> Result<File, ReadError> {
    // Check before opening: opening a device may do something.
    check(&fs::metadata(path)?, limit)?;
    let file = without_waiting().read(true).open(path)?;
    check(&file.metadata()?, limit)?;
    Ok(file)
}

/// Ways to open a file such that neither opening nor reading waits: what looked like a regular file may be a pipe by
/// now, or it is a list of the system's that has no end, such as `/proc/kmsg`.
#[cfg(all(target_os = "linux", not(miri)))]
fn without_waiting() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.custom_flags(libc::O_NONBLOCK);
    options
}

/// Elsewhere than on Linux there are no such lists, and Miri knows of no such way to open a file.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn without_waiting() -> OpenOptions {
    File::options()
}

/// Opens a file to be read, added to and resumed, and creates it if missing; [`lock`] then keeps other runs from it.
///
/// # Errors
///
/// The system refuses.
pub fn open_to_grow(path: &Path) -> io::Result<File> {
    refusing_writers(without_waiting().read(true).write(true).create(true).truncate(false)).open(path).map_err(taken)
}

/// How Windows opens a file that nobody else may write, but read, rename and remove (`CreateFileW`). A lock would keep
/// readers out, too.
#[cfg(windows)]
fn refusing_writers(options: &mut OpenOptions) -> &mut OpenOptions {
    const FILE_SHARE_READ: u32 = 1;
    const FILE_SHARE_DELETE: u32 = 4;
    std::os::windows::fs::OpenOptionsExt::share_mode(options, FILE_SHARE_READ | FILE_SHARE_DELETE)
}

/// Elsewhere [`lock`] keeps other runs from writing.
#[cfg(not(windows))]
fn refusing_writers(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// The error for a file that cannot be opened for writing: on Windows, that another run has it, or another program that
/// lets nobody write.
fn taken(error: io::Error) -> io::Error {
    const ERROR_SHARING_VIOLATION: i32 = 32;
    if cfg!(windows) && error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) {
        io::Error::other("another run is writing it, or another program keeps it open")
    } else {
        error
    }
}

/// Checks that what is written to an open file is still found at its path: a file exists as long as it is open, even if
/// it or its folder was removed.
///
/// # Errors
///
/// Nothing is there, or another file.
pub fn check_still_there(file: &File, path: &Path) -> io::Result<()> {
    let (open, there) = (file.metadata()?, fs::metadata(path)?);
    #[cfg(unix)]
    let is_same = {
        use std::os::unix::fs::MetadataExt;
        (open.dev(), open.ino()) == (there.dev(), there.ino())
    };
    #[cfg(not(unix))]
    let is_same = open.is_file() && there.is_file();
    if is_same { Ok(()) } else { Err(io::Error::other("another file has taken its place")) }
}

/// Checks that this is a regular file of at most `limit` bytes.
///
/// # Errors
///
/// It is not.
pub fn check(metadata: &Metadata, limit: u64) -> Result<(), ReadError> {
    if metadata.is_dir() {
        Err(ReadError::Directory)
    } else if !metadata.is_file() {
        Err(ReadError::Irregular)
    } else if metadata.len() > limit {
        Err(ReadError::TooLarge { limit })
    } else {
        Ok(())
    }
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// See [`ReadError`].
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let file = open(path, limit)?;
    let bytes = file.metadata()?.len();
    read_from(file, bytes, limit)
}

/// The same as text.
///
/// # Errors
///
/// See [`ReadError`]; also bytes that are not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    let text = String::from_utf8(read(path, limit)?);
    text.map_err(|error| ReadError::Io(io::Error::new(io::ErrorKind::InvalidData, error.utf8_error())))
}

/// Reads a source, such as standard input, of about `bytes` bytes and at most `limit`.
///
/// # Errors
///
/// See [`ReadError`].
pub fn read_from(source: impl Read, bytes: u64, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut read = Vec::new();
    let size = usize::try_from(bytes).ok().filter(|&size| read.try_reserve_exact(size).is_ok());
    size.ok_or(ReadError::NoMemory { bytes })?;
    // The size may be wrong: files grow, and some file systems generate them while they are read.
    source.take(limit.saturating_add(1)).read_to_end(&mut read)?;
    if read.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(read) }
}

/// Makes sure that no other run writes a file that [`open_to_grow`] or [`replace`] has opened: the lock holds until it
/// is closed. On Windows opening it has done so, and on a file system without locks success is assumed.
///
/// # Errors
///
/// Another run has it.
pub fn lock(file: &File) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is writing it")),
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

/// Replaces or creates a file atomically, and returns it locked and open for appending. A path that is not a regular
/// file, such as a terminal, is written directly.
///
/// # Errors
///
/// A file that cannot be written; it is then unchanged. A pipe that nobody reads.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    replace_held(path, bytes, None)
}

/// The same with a file that this run holds. It is released after the new one is locked, or before where the system
/// does not replace open files: Windows does so on some file systems only.
///
/// # Errors
///
/// As with [`replace`].
pub fn replace_held(path: &Path, bytes: &[u8], mut held: Option<File>) -> io::Result<File> {
    // The target of a link is replaced, not the link.
    let path = target(path);
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut file = open_within(&path, READER_PATIENCE)?;
        file.write_all(bytes)?;
        return Ok(file);
    }
    let part = beside(&path);
    let moved = write_new(&part, bytes).and_then(|file| {
        if let Some(old) = old {
            fs::set_permissions(&part, old.permissions())?;
        }
        fs::rename(&part, &path)
            .or_else(|error| if held.take().is_some() { fs::rename(&part, &path) } else { Err(error) })
            .map(|()| file)
    });
    if moved.is_err() {
        // Leave nothing behind, if possible.
        let _ = fs::remove_file(&part);
    }
    moved
}

/// Where a file is, or would be, that a link may stand for.
pub fn target(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        // What is there need not have a path, such as a pipe that standard output goes to.
        if fs::metadata(&place).is_ok() {
            break;
        }
        let Ok(next) = fs::read_link(&place) else { break };
        place = place.parent().unwrap_or(Path::new("")).join(next);
    }
    fs::canonicalize(&place).unwrap_or(place)
}

/// Makes sure that a file can be written, before the work whose result it will hold. A file that does not exist is not
/// created: nothing appears under its name until it is complete. A pipe is not opened: its reader would take the end of
/// this check for the end of the output.
///
/// # Errors
///
/// The system refuses, or it is a directory.
pub fn check_place(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(ReadError::Directory.into()),
        Ok(found) if is_pipe(&found) => return Ok(()),
        // What stands in the way is said when it is opened.
        Ok(_) | Err(_) => {}
    }
    match File::options().write(true).open(path) {
        Ok(file) if !file.metadata()?.is_file() => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(taken(error)),
        // A file of its own beside it takes its place in the end.
        Ok(_) | Err(_) => {}
    }
    let part = beside(&target(path));
    File::create(&part)?;
    fs::remove_file(&part)
}

/// Whether it is a named pipe.
#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

/// Elsewhere than on Unix pipes are not among the files.
#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Opens something to be written that need not be a file: a pipe opens when its reader comes. The thread that waits for
/// a reader who never comes ends with the program.
fn open_within(path: &Path, patience: Duration) -> io::Result<File> {
    let (sender, opened) = mpsc::channel();
    let place = path.to_owned();
    let open = move || sender.send(File::options().write(true).open(place));
    thread::Builder::new().name("pipe".to_owned()).spawn(open)?;
    opened.recv_timeout(patience).unwrap_or_else(|_| {
        let reason = format!("nothing has read it within {} s", patience.as_secs());
        Err(io::Error::new(io::ErrorKind::TimedOut, reason))
    })
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = refusing_writers(File::options().write(true).create(true).truncate(true)).open(path)?;
    lock(&file)?;
    file.write_all(bytes)?;
    // Before it takes the place of what was there: after a power failure one of them must be whole.
    file.sync_all()?;
    Ok(file)
}

/// The temporary name of a file before it is moved into place: one that no other run chooses.
fn beside(path: &Path) -> PathBuf {
    with_suffix(path, &format!(".{}.part", std::process::id()))
}

/// The path of a file whose name is this one's with a suffix.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_stated_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert!(read(&path, 10).unwrap_err().is_missing());
        assert!(matches!(read(folder.path(), 10), Err(ReadError::Directory)));
        fs::write(&path, "1234567890").unwrap();
        assert_eq!(read_text(&path, 10).unwrap(), "1234567890");
        assert!(matches!(read(&path, 9), Err(ReadError::TooLarge { limit: 9 })));
        assert!(matches!(read_from(&b"12345"[..], 0, 4), Err(ReadError::TooLarge { limit: 4 })));
        #[cfg(unix)]
        assert!(matches!(read(Path::new("/dev/zero"), 10), Err(ReadError::Irregular)));
    }

    #[test]
    fn a_place_is_checked_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        check_place(&path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(&path, "what was there").unwrap();
        check_place(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "what was there");
        assert_eq!(check_place(folder.path()).unwrap_err().to_string(), "it is a directory");
        assert!(check_place(&folder.path().join("no/such/folder")).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_checked_unopened_and_waits_for_its_reader_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        if !std::process::Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
            eprintln!("skipped: no mkfifo");
            return;
        }
        check_place(&path).unwrap();
        let error = open_within(&path, Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(open_within(Path::new("/dev/null"), READER_PATIENCE).is_ok());
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["one", "two"] {
            let file = replace(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            let take = || open_to_grow(&path).and_then(|file| lock(&file));
            // Closed again before the file is taken.
            let probe = File::open(&path).unwrap().try_lock();
            match probe {
                Err(TryLockError::Error(_)) => eprintln!("skipped: no locks in this file system"),
                _ => assert!(take().is_err(), "it is locked as long as it is open"),
            }
            drop(file);
            take().unwrap();
        }
        #[cfg(all(unix, not(miri)))]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            replace(&path, b"three").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert!(replace(&folder.path().join("no/such/folder"), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
