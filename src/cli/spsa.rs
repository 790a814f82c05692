//! `pacioli spsa`: the tunables in OpenBench's SPSA format, one per line.

use std::fmt::Write as _;

use super::EXIT_DONE;
use super::output::write_stdout;
use crate::params::{INFO, ParamInfo, ParamKind, hint};

/// The final perturbation is the tunable's range divided by this.
const STEPS: f64 = 20.0;
/// The smallest final perturbation: less than half a unit would change nothing.
const LEAST_STEP: f64 = 0.5;
/// The final learning rate that OpenBench suggests.
const LEARNING_RATE: f64 = 0.002;
/// Tunables that select which search it is rather than how strong.
const LEFT_OUT: &[&str] = &["horizon_depth", "eval_noise", "eval_noise_seed"];

/// Arguments of `spsa`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these tunables; all numeric ones if none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Runs the command.
///
/// # Errors
///
/// A name that is not a numeric tunable.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let find = |name: &String| {
        let found = ParamInfo::find(name).and_then(Line::new);
        let known = || INFO.iter().filter(|info| Line::new(info).is_some()).map(|info| info.name);
        found.ok_or_else(|| anyhow::anyhow!("spsa: no numeric tunable is named `{name}`{}", hint(name, known())))
    };
    let named = args.names.iter().map(find).collect::<anyhow::Result<Vec<_>>>()?;
    let tunable = INFO.iter().filter(|info| !LEFT_OUT.contains(&info.name)).filter_map(Line::new);
    let listed = if named.is_empty() { tunable.collect() } else { named };
    write_stdout(&listing(&listed))?;
    Ok(EXIT_DONE)
}

/// A tunable number.
struct Line {
    name: &'static str,
    default: i32,
    min: i32,
    max: i32,
}

impl Line {
    /// The tunable's line; switches and choices have none.
    fn new(info: &ParamInfo) -> Option<Line> {
        match info.kind {
            ParamKind::Number { default, min, max } => Some(Line { name: info.name, default, min, max }),
            ParamKind::Switch { .. } | ParamKind::Choice { .. } => None,
        }
    }
}

/// `name, int, start, least, most, last perturbation, last learning rate` for each.
fn listing(lines: &[Line]) -> String {
    lines.iter().fold(String::new(), |mut text, Line { name, default, min, max }| {
        let step = (f64::from(max - min) / STEPS).max(LEAST_STEP);
        let _ = writeln!(text, "{name}, int, {default}, {min}, {max}, {step}, {LEARNING_RATE}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_openbench_reads_them() {
        let line = Line::new(ParamInfo::find("credit_limit").unwrap()).unwrap();
        assert_eq!(listing(&[line]), "credit_limit, int, 15, 15, 48, 1.65, 0.002\n");
    }

    #[test]
    fn what_is_left_out_exists() {
        for name in LEFT_OUT {
            assert!(ParamInfo::find(name).and_then(Line::new).is_some(), "{name}");
        }
    }
}
