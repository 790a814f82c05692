//! In what two runs differ besides their results.

use serde::Serialize;

use crate::runner::Provenance;
use crate::suite::Run;
use crate::text::grouped;

/// The settings that say how long a position is searched, by the names that [`Provenance`] and [`Run`] have in JSON.
const LIMITS: [&str; 4] = ["movetime_ms", "nodes", "depth", "rule"];
/// Stands for the value of a tunable that was left as it is.
const DEFAULT: &str = "default";
/// Stands for anything else that a run does not have.
const NONE: &str = "none";

/// A setting in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Setting {
    /// Its name: a field of the provenance, `rule`, `shard`, or a tunable.
    pub name: String,
    /// The first run's value; none if it has no such limit, or the tunable's default.
    pub before: Option<String>,
    /// The second run's.
    pub after: Option<String>,
    /// What stands for a missing value.
    #[serde(skip)]
    missing: &'static str,
}

impl Setting {
    /// Whether it says how long a position is searched.
    pub fn is_limit(&self) -> bool {
        LIMITS.contains(&self.name.as_str())
    }

    /// Both values for people: `nodes: A 100,000, B 30,000`.
    pub(super) fn shown(&self) -> String {
        let value = |value: &Option<String>| match value.as_deref() {
            Some(value) => value.parse().map_or_else(|_| value.to_owned(), grouped),
            None => self.missing.to_owned(),
        };
        format!("{}: A {}, B {}", self.name, value(&self.before), value(&self.after))
    }
}

/// The settings in which two runs differ.
pub(super) fn differences(before: &Run, after: &Run) -> Vec<Setting> {
    let tunables = tunables(before).into_iter().chain(tunables(after)).map(|(name, _)| name);
    let mut names: Vec<&str> = Vec::new();
    for name in tunables {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let value_of = |run, name| tunables_value(run, name).map(str::to_owned);
    let tuned = names.into_iter().map(|name| (name.to_owned(), value_of(before, name), value_of(after, name), DEFAULT));
    let named = fields(before).into_iter().zip(fields(after));
    let named = named.map(|((name, before), (_, after))| (name.to_owned(), before, after, NONE));
    named
        .chain(tuned)
        .filter(|(_, before, after, _)| before != after)
        .map(|(name, before, after, missing)| Setting { name, before, after, missing })
        .collect()
}

/// What a run is described by, besides the tunables, with the names it has in JSON.
fn fields(run: &Run) -> [(&'static str, Option<String>); 11] {
    let Provenance { program, commit, profile, set: _, network, command, hash_mb, movetime_ms, nodes, depth } =
        &run.head.provenance;
    [
        ("program", Some(program.clone())),
        ("commit", commit.clone()),
        ("command", command.clone()),
        ("profile", profile.map(|profile| profile.to_string())),
        ("network", network.clone()),
        ("hash_mb", hash_mb.map(|size| size.to_string())),
        ("movetime_ms", movetime_ms.map(|time| time.to_string())),
        ("nodes", nodes.map(|nodes| nodes.to_string())),
        ("depth", depth.map(|depth| depth.to_string())),
        ("rule", Some(run.rule.to_string())),
        ("shard", run.shard.map(|shard| shard.to_string())),
    ]
}

/// The tunables or options that a run sets, with their values.
fn tunables(run: &Run) -> Vec<(&str, &str)> {
    run.head.provenance.set.iter().map(|setting| setting.split_once('=').unwrap_or((setting, ""))).collect()
}

/// The value that a run gives to a tunable.
fn tunables_value<'a>(run: &'a Run, name: &str) -> Option<&'a str> {
    tunables(run).into_iter().find(|&(known, _)| known == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Profile;
    use crate::suite::{Rule, describe};

    fn shown(before: Provenance, after: Provenance) -> Vec<String> {
        let run = |provenance, rule| describe(&[], provenance, rule, None);
        differences(&run(before, Rule::End), &run(after, Rule::Seen)).iter().map(Setting::shown).collect()
    }

    #[test]
    fn what_differs_is_named_with_both_values() {
        let set = |settings: &[&str]| settings.iter().map(|&setting| setting.to_owned()).collect();
        let before = Provenance {
            profile: Some(Profile::Modern),
            set: set(&["credit=off", "null_move=on"]),
            nodes: Some(100_000),
            ..Provenance::of_program()
        };
        let after = Provenance {
            set: set(&["null_move=on", "credit=on", "iid=off"]),
            nodes: Some(30_000),
            depth: Some(9),
            ..before.clone()
        };
        assert_eq!(
            shown(before, after),
            [
                "nodes: A 100,000, B 30,000",
                "depth: A none, B 9",
                "rule: A end, B seen",
                "credit: A off, B on",
                "iid: A default, B off",
            ]
        );
    }

    #[test]
    fn limits_are_told_from_other_settings() {
        let run = |hash_mb, nodes| {
            let provenance = Provenance { hash_mb: Some(hash_mb), nodes: Some(nodes), ..Provenance::of_program() };
            describe(&[], provenance, Rule::End, None)
        };
        let limits = |after: &Run| differences(&run(1, 5), after).iter().map(Setting::is_limit).collect::<Vec<_>>();
        assert_eq!((limits(&run(1, 5)), limits(&run(2, 5)), limits(&run(1, 6))), (vec![], vec![false], vec![true]));
    }
}
