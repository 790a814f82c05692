//! Embeds the network file in the program: the project's own, or the one given by `EVALFILE`.

use std::path::PathBuf;
use std::{env, fs};

/// The project's own network.
const DEFAULT: &str = "networks/pacioli.net";

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let file = env::var_os("EVALFILE").filter(|name| !name.is_empty()).map_or_else(|| DEFAULT.into(), PathBuf::from);
    println!("cargo::rerun-if-changed={}", file.display());
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("network.bin");
    if let Err(error) = fs::copy(&file, target) {
        println!("cargo::error=network file {}: {error}", file.display());
    }
}
