//! Embeds the network file in the program: the project's own, or the one given by `EVALFILE`. A program built to be
//! used also learns which commit it was built from.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The project's own network.
const DEFAULT: &str = "networks/pacioli.net";
/// How a network's file begins, and the bytes that say what network it is: `eval/nnue/network.rs` reads them.
const MAGIC: &str = "PACINET3";
const HEAD: usize = 44;
/// What the program is built from.
const BUILT: [&str; 6] = ["src", "positions", "networks", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let file = env::var_os("EVALFILE").filter(|name| !name.is_empty()).map_or_else(|| DEFAULT.into(), PathBuf::from);
    println!("cargo::rerun-if-changed={}", file.display());
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("network.bin");
    // Not copied: the copy of a file that is only to be read could not be replaced.
    let copied = fs::read(&file).map_err(|error| error.to_string()).and_then(|network| {
        refusal(&network).map_or(Ok(()), Err)?;
        fs::write(target, network).map_err(|error| error.to_string())
    });
    if let Err(reason) = copied {
        println!("cargo::error=network file {}: {reason}", file.display());
    }
    if let Some(commit) = commit() {
        println!("cargo::rustc-env=PACIOLI_COMMIT={commit}");
    }
}

/// Why this is certainly no network; whatever else may be wrong with it, the program says when it is started.
pub fn refusal(network: &[u8]) -> Option<String> {
    if !network.starts_with(MAGIC.as_bytes()) {
        return Some(format!("not a network of this program, which begins with {MAGIC}"));
    }
    (network.len() < HEAD).then(|| format!("truncated: {} bytes, where a network has at least {HEAD}", network.len()))
}

/// The checkout's commit, if this is one and not an unpacked package. Cargo asks again when it moves to another commit.
///
/// Builds for development do without it: their results are snapshots, and nothing is to be compiled again after a
/// commit.
fn commit() -> Option<String> {
    if env::var("PROFILE").ok()? != "release" || !Path::new(".git").exists() {
        return None;
    }
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        let path = git(&["rev-parse", "--git-path", name])?;
        // A missing file would count as changed at every build.
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    // Where files have been changed since, the commit is not what is built.
    BUILT.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
    let status = [&["status", "--porcelain", "--"], &BUILT[..]].concat();
    let is_changed = !git(&status)?.is_empty();
    // Names are compared, so their length must not depend on git's settings and what else is in the clone.
    let commit = git(&["rev-parse", "HEAD"])?;
    let name = commit.get(..7)?;
    Some(if is_changed { format!("{name}+") } else { name.to_owned() })
}

/// What git prints; nothing without git, or if it refuses.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
