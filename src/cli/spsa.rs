//! `pacioli spsa`: the tunables in OpenBench's SPSA format, one per line.

use super::EXIT_DONE;
use super::output::write_stdout;
use crate::lab::spsa::Tunable;
use crate::params::INFO;

/// Tunables that select which search or clock it is rather than how strong.
const LEFT_OUT: &[&str] = &["horizon_depth", "eval_noise", "eval_noise_seed", "node_time"];

/// Arguments of `spsa`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these tunables; if none is named, all numeric ones but horizon_depth, eval_noise, eval_noise_seed and
    /// node_time, which select a search or a clock.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Runs the command.
///
/// # Errors
///
/// A name that is not a numeric tunable.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let named = args.names.iter().map(|name| Tunable::named(name)).collect::<Result<Vec<_>, _>>()?;
    let listed = || INFO.iter().filter(|info| !LEFT_OUT.contains(&info.name)).filter_map(Tunable::new);
    let lines = if named.is_empty() { listed().collect() } else { named };
    write_stdout(&lines.iter().map(|tunable| format!("{tunable}\n")).collect::<String>())?;
    Ok(EXIT_DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_exists() {
        for name in LEFT_OUT {
            assert!(Tunable::named(name).is_ok(), "{name}");
        }
    }
}
