//! The program as a process: run to its end, or connected by two pipes, with checks of every line it sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use pacioli::board::Game;

/// Longer than any answer or command takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// How long nothing must be heard to count as silence.
const SILENCE: Duration = Duration::from_millis(400);

/// The tested program, as a command.
pub fn pacioli() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pacioli"))
}

/// What the program makes of a line of arguments in a folder.
pub fn run_in(folder: &Path, arguments: &str) -> Output {
    ended(pacioli().current_dir(folder).args(arguments.split_whitespace()), "")
}

/// Output as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// Checks that a command has ended with exit code 0 and nothing on standard error; what it has printed.
#[track_caller]
pub fn succeeded(output: &Output) -> &str {
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    text(&output.stdout)
}

/// Checks that a command has ended with exit code 2 and this complaint, in one line on standard error.
pub fn assert_refused(output: &Output, complaint: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}: {output:?}");
    assert!(said.contains(complaint) && said.lines().count() == 1, "{complaint}: {output:?}");
}

/// Writes a script that can be run as a program, such as another engine.
#[cfg(unix)]
pub fn write_script(path: &Path, text: impl AsRef<[u8]>) {
    use std::{fs, os::unix::fs::PermissionsExt};
    fs::write(path, text).expect("a place for the script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script that can be run");
}

/// Writes another engine, named `Other`: a script that runs this at every `go`.
#[cfg(unix)]
pub fn write_engine(path: &Path, at_go: &str) {
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'id name Other'; echo uciok;;\n isready) echo readyok;;\n\
         go*) {at_go};;\n quit) exit;; esac; done\n"
    );
    write_script(path, script);
}

/// Interrupts a program, as Ctrl-C does.
pub fn interrupt(program: &Child) {
    let killed = Command::new("kill").args(["-INT", &program.id().to_string()]).status().expect("`kill` starts");
    assert!(killed.success(), "{killed}");
}

/// The result of a command that gets this input; the test fails if it does not exit.
pub fn ended(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // A program that exits early does not read everything.
    let writer = thread::spawn(move || pipe.write_all(&input).is_ok());
    let output = output(child);
    writer.join().expect("an end of the input");
    output
}

/// Waits for a program to exit, and reads its output meanwhile; the test fails if it does not exit. What it has started
/// and left behind with its output is waited for without end.
pub fn output(mut child: Child) -> Output {
    fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).expect("a pipe to read from");
            bytes
        })
    }
    let (stdout, stderr) = (child.stdout.take().map(reader), child.stderr.take().map(reader));
    let status = exit_within(&mut child, PATIENCE).expect("the program exits");
    let bytes = |reader: Option<JoinHandle<_>>| reader.map_or(Vec::new(), |r| r.join().expect("an end of the output"));
    Output { status, stdout: bytes(stdout), stderr: bytes(stderr) }
}

/// Waits for a program to exit by itself; one that has not within this time is killed.
pub fn exit_within(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + patience;
    loop {
        let status = child.try_wait().expect("a child to wait for");
        if status.is_some() {
            return status;
        }
        if Instant::now() > deadline {
            // Both may fail if it exits just now.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The program connected by two pipes; killed when dropped.
pub struct Engine {
    child: Child,
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::of(pacioli())
    }

    /// The program that this command runs.
    pub fn of(mut command: Command) -> Engine {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// All lines up to and including the first that starts like this.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no `{start}` after {heard:#?}");
            };
            let found = line.starts_with(start);
            heard.push(line);
            if found {
                return heard;
            }
        }
    }

    /// The same after sending this.
    pub fn ask(&mut self, question: &str, start: &str) -> Vec<String> {
        self.send(question);
        self.until(start)
    }

    /// The line that starts like this, without those before it.
    pub fn expect(&mut self, start: &str) -> String {
        self.until(start).pop().expect("it was heard")
    }

    /// Checks that no line that starts like this comes for a while.
    pub fn expect_no(&mut self, start: &str) {
        let deadline = Instant::now() + SILENCE;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => assert!(!line.starts_with(start), "{line}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the program ended"),
            }
        }
    }

    /// Waits for everything sent so far and returns the lines received.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok")
    }

    /// Checks a search's lines: a score, sound PVs, and a legal answer with which the last PV starts.
    pub fn expect_answer(&mut self, game: &Game) -> String {
        let heard = self.until("bestmove");
        let answer = heard.last().expect("it was heard");
        let words: Vec<_> = answer.split(' ').collect();
        let mut after = game.position().clone();
        for text in words.iter().skip(1).step_by(2) {
            let m = after.parse_uci(text).unwrap_or_else(|error| panic!("{answer}: {error}"));
            after = after.play(m);
        }
        assert!(words.len() == 2 || (words.len() == 4 && words[2] == "ponder"), "{answer}");
        let infos: Vec<_> = heard.iter().filter(|line| line.contains(" score ")).collect();
        for line in &infos {
            check_info(line, game);
        }
        let last = infos.last().unwrap_or_else(|| panic!("no score in {heard:#?}"));
        let first_move = last.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next());
        assert_eq!(first_move, Some(words[1]), "{heard:#?}");
        words[1].to_owned()
    }

    /// Checks that the program exits by itself, successfully.
    pub fn expect_end(mut self) {
        let status = exit_within(&mut self.child, PATIENCE).expect("the program exits");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Both fail if the program has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks that an info line has its numbers, that its variation is legal and ends with the game, and that a mate comes
/// with its complete line.
pub fn check_info(line: &str, game: &Game) {
    let words: Vec<_> = line.split(' ').collect();
    for name in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
        let place = words.iter().position(|word| *word == name).unwrap_or_else(|| panic!("no {name} in {line}"));
        assert!(words.get(place + 1).is_some_and(|value| value.parse::<u64>().is_ok()), "{name} in {line}");
    }
    let mut game = game.clone();
    let mut plies = 0;
    for (index, text) in line.split(" pv ").nth(1).into_iter().flat_map(|pv| pv.split(' ')).enumerate() {
        assert!(index == 0 || !game.is_over(), "{line}: goes on after the end");
        game.play_uci(text).unwrap_or_else(|error| panic!("{line}: {error}"));
        plies += 1;
    }
    if let Some(moves) = number_after(line, "mate") {
        let position = game.position();
        assert!(position.in_check() && position.legal_moves().is_empty(), "{line}: ends without mate");
        assert_eq!(plies, if moves > 0 { 2 * moves - 1 } else { -2 * moves }, "{line}");
    }
}

/// The number that follows a word.
pub fn number_after(line: &str, word: &str) -> Option<i64> {
    line.split(' ').skip_while(|&known| known != word).nth(1)?.parse().ok()
}

/// How many of the lines are complaints.
pub fn complaints(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("info string")).count()
}
