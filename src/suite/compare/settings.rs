//! In what two runs differ besides their results.

use std::fmt;

use serde::Serialize;

use crate::runner::Provenance;
use crate::suite::{Contents, Run};
use crate::text::grouped;

/// Stands for the value of a tunable that was left as it is.
const DEFAULT: &str = "default";
/// Stands for anything else that a run does not have.
const NONE: &str = "none";
/// The tunable that says how many nodes a limit of time lasts.
const NODE_TIME: &str = "node_time";

/// The value of a setting. In JSON both kinds are strings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum SettingValue {
    /// A count, grouped for people.
    Count(u64),
    /// Anything else, even if it looks like a number, as a checksum may.
    Text(String),
}

impl SettingValue {
    /// The value for people.
    fn shown(&self) -> String {
        match self {
            SettingValue::Count(count) => grouped(*count),
            SettingValue::Text(text) => text.clone(),
        }
    }

    fn text(value: impl fmt::Display) -> SettingValue {
        SettingValue::Text(value.to_string())
    }
}

impl From<SettingValue> for String {
    fn from(value: SettingValue) -> String {
        match value {
            SettingValue::Count(count) => count.to_string(),
            SettingValue::Text(text) => text,
        }
    }
}

/// A setting in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Setting {
    /// The setting's name: a field of the provenance, `rule`, `shard`, or a tunable.
    pub name: String,
    /// The first run's value; null if it has no such limit, or the tunable's default.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub before: Option<SettingValue>,
    /// The second run's value; null likewise.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub after: Option<SettingValue>,
    /// What stands for a missing value.
    #[serde(skip)]
    missing: &'static str,
    /// Whether it says how long a position is searched.
    #[serde(skip)]
    is_limit: bool,
}

impl Setting {
    /// Whether it says how long a position is searched.
    pub fn is_limit(&self) -> bool {
        self.is_limit
    }

    /// Both values for people: `nodes: A 100,000, B 30,000`.
    pub(super) fn shown(&self) -> String {
        let value = |value: &Option<SettingValue>| value.as_ref().map_or(self.missing.to_owned(), SettingValue::shown);
        format!("{}: A {}, B {}", self.name, value(&self.before), value(&self.after))
    }
}

/// What one run is described by: a name, its value, and whether it says how long a position is searched.
struct Field {
    name: &'static str,
    value: Option<SettingValue>,
    is_limit: bool,
}

impl Field {
    fn text(name: &'static str, value: Option<impl fmt::Display>) -> Field {
        Field { name, value: value.map(SettingValue::text), is_limit: false }
    }

    fn count(name: &'static str, value: Option<u64>) -> Field {
        Field { name, value: value.map(SettingValue::Count), is_limit: false }
    }

    /// The same as one that says how long a position is searched.
    fn limiting(self) -> Field {
        Field { is_limit: true, ..self }
    }
}

/// The settings in which two runs differ.
pub(super) fn differences(before: &Run, after: &Run) -> Vec<Setting> {
    let named = fields(before).into_iter().zip(fields(after)).map(|(before, after)| Setting {
        name: before.name.to_owned(),
        before: before.value,
        after: after.value,
        missing: NONE,
        is_limit: before.is_limit,
    });
    let value_of = |run, name| tunables_value(run, name).map(SettingValue::text);
    let are_timed = [before, after].iter().any(|run| run.head.provenance.movetime_ms.is_some());
    let tuned = tunable_names(before, after).into_iter().map(|name| Setting {
        name: name.to_owned(),
        before: value_of(before, name),
        after: value_of(after, name),
        missing: DEFAULT,
        is_limit: are_timed && name == NODE_TIME,
    });
    named.chain(tuned).filter(|setting| setting.before != setting.after).collect()
}

/// What tells a run from its namesakes, of which it is one: its settings that not all of them share, and its suites;
/// and its limits that not all runs share.
pub(in crate::suite) fn distinction(run: &Run, namesakes: &[&Run], all: &[&Run]) -> String {
    let mut parts = Vec::new();
    for (place, own) in fields(run).into_iter().enumerate() {
        let others = if own.is_limit { all } else { namesakes };
        if others.iter().any(|other| fields(other)[place].value != own.value) {
            let value = own.value.map_or(NONE.to_owned(), |value| value.shown());
            parts.push(format!("{} {value}", own.name));
        }
    }
    let suites = |run: &Run, of: fn(&Contents) -> String| run.suites.iter().map(of).collect::<Vec<_>>().join(", ");
    let name = |suite: &Contents| suite.name.clone();
    let checksum = |suite: &Contents| suite.crc32c.map_or(NONE.to_owned(), |sum| sum.to_string());
    let differ = |of| namesakes.iter().any(|other| suites(other, of) != suites(run, of));
    if differ(name) {
        parts.push(format!("suites {}", suites(run, name)));
    } else if namesakes.iter().any(|other| !run.has_suites_of(other)) && differ(checksum) {
        parts.push(format!("suites of checksum {}", suites(run, checksum)));
    }
    parts.join(", ")
}

/// What a run is described by, besides the tunables, with the names it has in JSON.
fn fields(run: &Run) -> [Field; 14] {
    let Provenance {
        program,
        commit,
        profile,
        set: _,
        network,
        command,
        hash_mb,
        threads,
        tables,
        movetime_ms,
        nodes,
        depth,
        clock,
    } = &run.head.provenance;
    [
        Field::text("program", Some(program)),
        Field::text("commit", commit.as_ref()),
        Field::text("command", command.as_ref()),
        Field::text("profile", *profile),
        Field::text("network", network.as_ref()),
        Field::count("hash_mb", hash_mb.map(|size| size as u64)),
        Field::count("threads", threads.map(|threads| threads as u64)),
        Field::text("tables", tables.as_ref()),
        Field::count("movetime_ms", *movetime_ms).limiting(),
        Field::count("nodes", *nodes).limiting(),
        Field::text("depth", *depth).limiting(),
        Field::text("clock", clock.as_ref()).limiting(),
        Field::text("rule", Some(run.rule)).limiting(),
        Field::text("shard", run.shard),
    ]
}

/// The names of the tunables that either run sets, each once.
fn tunable_names<'a>(before: &'a Run, after: &'a Run) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in tunables(before).into_iter().chain(tunables(after)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The tunables or options that a run sets, with their values.
fn tunables(run: &Run) -> Vec<(&str, &str)> {
    run.head.provenance.set.iter().map(|setting| setting.split_once('=').unwrap_or((setting, ""))).collect()
}

/// The value that a run gives to a tunable: the last one, of an option that is given more than once.
fn tunables_value<'a>(run: &'a Run, name: &str) -> Option<&'a str> {
    tunables(run).into_iter().rfind(|&(known, _)| known == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{ParamInfo, Profile};
    use crate::suite::{Rule, describe};

    /// What `of` makes of each setting in which a run by the rule `end` differs from one by this rule.
    fn differing<T>(before: Provenance, after: Provenance, rule: Rule, of: fn(&Setting) -> T) -> Vec<T> {
        let run = |provenance, rule| describe(&[], provenance, rule, None);
        differences(&run(before, Rule::End), &run(after, rule)).iter().map(of).collect()
    }

    fn shown(before: Provenance, after: Provenance) -> Vec<String> {
        differing(before, after, Rule::Seen, Setting::shown)
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
    fn of_an_option_given_twice_the_last_value_counts() {
        let with = |settings: &[&str]| Provenance {
            set: settings.iter().map(|&setting| setting.to_owned()).collect(),
            ..Provenance::of_program()
        };
        let shown = shown(with(&["Skill=1", "Style=x", "Skill=5"]), with(&["Skill=1", "Style=x"]));
        assert_eq!(shown, ["rule: A end, B seen", "Skill: A 5, B 1"]);
    }

    #[test]
    fn only_counts_are_grouped() {
        let of = |commit: &str, network: &str, hash_mb| Provenance {
            commit: Some(commit.to_owned()),
            network: Some(network.to_owned()),
            hash_mb: Some(hash_mb),
            ..Provenance::of_program()
        };
        assert_eq!(
            shown(of("0784468", "12345678", 1024), of("abcdef0", "90000000", 16))[..3],
            ["commit: A 0784468, B abcdef0", "network: A 12345678, B 90000000", "hash_mb: A 1,024, B 16",]
        );
        let value = serde_json::to_value([SettingValue::Count(100_000), SettingValue::text("0784468")]);
        assert_eq!(value.unwrap(), serde_json::json!(["100000", "0784468"]));
    }

    #[test]
    fn limits_are_told_from_other_settings() {
        let before = Provenance { hash_mb: Some(1), nodes: Some(5), ..Provenance::of_program() };
        let limits = |after, rule| differing(before.clone(), after, rule, Setting::is_limit);
        assert!(limits(before.clone(), Rule::End).is_empty());
        assert_eq!(limits(Provenance { hash_mb: Some(2), ..before.clone() }, Rule::End), [false]);
        for limited in [
            Provenance { movetime_ms: Some(9), ..before.clone() },
            Provenance { nodes: Some(6), ..before.clone() },
            Provenance { depth: Some(9), ..before.clone() },
            Provenance { clock: Some("60+1".to_owned()), ..before.clone() },
        ] {
            assert_eq!(limits(limited.clone(), Rule::End), [true], "{limited:?}");
        }
        assert_eq!(limits(before.clone(), Rule::Seen), [true]);
    }

    #[test]
    fn nodes_that_stand_for_time_limit_a_search_whose_time_is_limited() {
        assert!(ParamInfo::find(NODE_TIME).is_some());
        let limits = |movetime_ms, settings: [&str; 2]| {
            let with =
                |setting: &str| Provenance { movetime_ms, set: vec![setting.to_owned()], ..Provenance::of_program() };
            let [before, after] = settings.map(with);
            differing(before, after, Rule::End, Setting::is_limit)
        };
        let slower = ["node_time=40", "node_time=4"];
        assert_eq!((limits(Some(100), slower), limits(None, slower)), (vec![true], vec![false]));
        assert_eq!(limits(Some(100), ["credit=on", "node_time=4"]), [false, true]);
    }
}
