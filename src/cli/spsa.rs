//! `pacioli spsa`: the tunables as OpenBench's SPSA takes them, one a line.

use std::fmt::Write as _;

use super::EXIT_DONE;
use super::output::write_stdout;
use crate::params::{INFO, ParamInfo};

/// Steps that the range of a tunable is divided into for the last perturbation.
const STEPS: f64 = 20.0;
/// The smallest last perturbation: less than half a unit would change nothing.
const LEAST_STEP: f64 = 0.5;
/// The last learning rate that OpenBench suggests.
const LEARNING_RATE: f64 = 0.002;
/// What says which search it is rather than how strong.
const CHOICES: &[&str] =
    &["horizon_depth", "aspiration_policy", "root_driver", "second_search", "eval_noise", "eval_noise_seed"];

/// Arguments of `spsa`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these tunables; all numbers where none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Runs the command.
///
/// # Errors
///
/// A name that no number has.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let find = |name: &String| {
        let found = INFO.iter().find(|info| info.name.eq_ignore_ascii_case(name) && !info.is_switch);
        found.ok_or_else(|| anyhow::anyhow!("spsa: no number is named `{name}`"))
    };
    let named = args.names.iter().map(find).collect::<anyhow::Result<Vec<_>>>()?;
    let tunable = INFO.iter().filter(|info| !info.is_switch && !CHOICES.contains(&info.name));
    let listed = if named.is_empty() { tunable.collect() } else { named };
    write_stdout(&listing(&listed))?;
    Ok(EXIT_DONE)
}

/// `name, int, start, least, most, last perturbation, last learning rate` for each.
fn listing(infos: &[&ParamInfo]) -> String {
    infos.iter().fold(String::new(), |mut text, info| {
        let step = (f64::from(info.max - info.min) / STEPS).max(LEAST_STEP);
        let ParamInfo { name, default, min, max, .. } = info;
        let _ = writeln!(text, "{name}, int, {default}, {min}, {max}, {step}, {LEARNING_RATE}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_openbench_reads_them() {
        let info = INFO.iter().find(|info| info.name == "credit_limit").unwrap();
        assert_eq!(listing(&[info]), "credit_limit, int, 15, 15, 48, 1.65, 0.002\n");
    }

    #[test]
    fn what_is_left_out_exists() {
        for name in CHOICES {
            assert!(INFO.iter().any(|info| info.name == *name), "{name}");
        }
    }
}
