//! What a result was made with.

use serde::{Deserialize, Serialize};

use super::PROGRAM;
use crate::engine::{Engine, Limits, Options};
use crate::params::{Evaluation, Profile};
use crate::text::{counted, grouped, milliseconds};

/// What a result was made with: in the head of every JSON format, and of every text.
///
/// Settings with default values are omitted, so that results stay comparable when a tunable is added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Provenance {
    /// Name and version of the program.
    pub program: String,
    /// The commit that the program was built from, with a `+` if files had been changed since; missing if its build did
    /// not know, as for development. Several if programs of different commits went on with the work in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The search profile; missing for another engine, or if several profiles are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Settings that differ from the profile's, or the UCI options set for another engine, each as `name=value`;
    /// `UCI_Chess960=true` if suites are solved with `--chess960`.
    #[serde(default)]
    pub set: Vec<String>,
    /// The checksum of the network, as `pacioli net` shows it; missing if it was not used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The command of another engine; missing for Pacioli.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The size of the transposition table in megabytes; missing if nothing was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_mb: Option<usize>,
    /// The number of search threads, if more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The endgame tables that were found, in words, with a checksum of their names; missing if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// Milliseconds for each search; missing if not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Nodes for each search; missing if not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The last iteration of each search; missing if not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// The clock of each game, in seconds, and what a side gains with every move; missing if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
}

impl Provenance {
    /// Work of this program without any search.
    pub fn of_program() -> Provenance {
        let commit = option_env!("PACIOLI_COMMIT").map(str::to_owned);
        Provenance { program: PROGRAM.to_owned(), commit, ..Provenance::default() }
    }

    /// Searches by this program.
    pub fn of(options: &Options, limits: &Limits) -> Provenance {
        let mut set = options.params.differences(&options.profile.params());
        // What a level changes follows from its rating; it searches with one thread and no endgame tables.
        let is_limited = options.limit_strength;
        if is_limited {
            set.extend(["UCI_LimitStrength=true".to_owned(), format!("UCI_Elo={}", options.elo)]);
        }
        let own = Provenance {
            profile: Some(options.profile),
            set,
            network: network(options),
            hash_mb: Some(options.hash_mb),
            threads: Some(options.threads).filter(|&threads| threads > 1 && !is_limited),
            tables: options.tables.as_ref().filter(|_| !is_limited).map(|tables| tables.identity()),
            ..Provenance::of_program()
        };
        own.within(limits)
    }

    /// Searches by this engine, whose table may be smaller than its options say.
    pub fn of_engine(engine: &Engine, limits: &Limits) -> Provenance {
        Provenance { hash_mb: Some(engine.hash_megabytes()), ..Provenance::of(engine.options(), limits) }
    }

    /// The same with these limits.
    pub fn within(self, limits: &Limits) -> Provenance {
        Provenance {
            movetime_ms: limits.move_time.map(milliseconds),
            nodes: limits.nodes,
            depth: limits.depth,
            clock: limits.clock.control().map(|control| control.to_string()),
            ..self
        }
    }

    /// Whether results of both belong together, so that one run can resume the other: the same version of the program,
    /// settings and network.
    pub fn fits(&self, other: &Provenance) -> bool {
        self.difference(other).is_none()
    }

    /// Why results of both do not belong together: what the other has.
    ///
    /// The commit does not count, or a new one would end every unfinished run; nor does a network that one of them does
    /// not name, as in older files.
    pub fn difference(&self, other: &Provenance) -> Option<&'static str> {
        let is_same_network = self.network.iter().zip(&other.network).all(|(mine, others)| mine == others);
        first_true(&[
            (self.program != other.program, "another version of the program"),
            (self.command != other.command, "another engine"),
            (self.profile != other.profile, "another profile"),
            (self.set != other.set, "other settings (--set)"),
            (self.hash_mb != other.hash_mb, "another size of the table"),
            (self.threads != other.threads, "another number of threads"),
            (self.tables != other.tables, "other endgame tables"),
            (self.nodes != other.nodes, "another number of nodes"),
            (self.depth != other.depth, "another depth"),
            (self.movetime_ms != other.movetime_ms, "another time"),
            (self.clock != other.clock, "another clock"),
            (!is_same_network, "another network"),
        ])
    }

    /// Adds the commits of a program that goes on with the work, and its network if none was named, as in older files.
    /// The commits that were there and are not its own, which may search otherwise, are returned.
    pub fn go_on_by(&mut self, program: &Provenance) -> Option<String> {
        self.network = self.network.take().or_else(|| program.network.clone());
        let commits = |provenance: &Provenance| -> Vec<String> {
            provenance.commit.iter().flat_map(|commits| commits.split(", ")).map(str::to_owned).collect()
        };
        let (mut all, own) = (commits(self), commits(program));
        let others: Vec<String> = all.iter().filter(|commit| !own.contains(commit)).cloned().collect();
        let new: Vec<String> = own.into_iter().filter(|commit| !all.contains(commit)).collect();
        let is_known = program.commit.is_some();
        all.extend(new);
        self.commit = (!all.is_empty()).then(|| all.join(", "));
        (is_known && !others.is_empty()).then(|| others.join(", "))
    }

    /// Program and settings in one line.
    pub fn heading(&self) -> String {
        let profile = self.profile.map(|profile| format!(", profile {profile}")).unwrap_or_default();
        let set: String = self.set.iter().map(|setting| format!(", {setting}")).collect();
        let table = self.hash_mb.map(|hash_mb| format!(", {hash_mb} MB of table")).unwrap_or_default();
        let threads = self.threads.map(|threads| format!(", {threads} threads")).unwrap_or_default();
        let tables = self.tables.as_ref().map(|tables| format!(", {tables}")).unwrap_or_default();
        format!("{}{profile}{table}{threads}{tables}{set}", self.program)
    }

    /// The limits of each search, formatted to end a line.
    pub fn limits(&self) -> String {
        let time = self.movetime_ms.map(|time| format!(", {} ms each", grouped(time)));
        let nodes = self.nodes.map(|nodes| format!(", at most {} each", counted(nodes as usize, "node")));
        let depth = self.depth.map(|depth| format!(", to iteration {depth}"));
        let clock = self.clock.as_ref().map(|clock| format!(", a clock of {clock} s"));
        [time, nodes, depth, clock].into_iter().flatten().collect()
    }
}

/// The first of these reasons that holds.
pub fn first_true(reasons: &[(bool, &'static str)]) -> Option<&'static str> {
    reasons.iter().find_map(|&(holds, reason)| holds.then_some(reason))
}

/// The checksum of the network that searches with these options use, if they use one.
fn network(options: &Options) -> Option<String> {
    let network = options.network.as_ref().filter(|_| options.params.evaluation == Evaluation::Nnue)?;
    Some(format!("{:08x}", network.checksum()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::syzygy::Tables;

    #[test]
    fn only_what_differs_from_the_profile_is_named() {
        let mut options = Options { hash_mb: 16, ..Options::of(Profile::DeepBlue) };
        let limits = Limits { nodes: Some(20_000), move_time: Some(Duration::from_secs(2)), ..Limits::default() };
        let default = Provenance::of(&options, &limits);
        assert_eq!((default.set.len(), default.profile), (0, Some(Profile::DeepBlue)));
        options.params.apply("null_move=on").unwrap();
        options.params.apply("multi_cut=0").unwrap();
        let changed = Provenance::of(&options, &limits);
        assert_eq!(changed.heading(), format!("{PROGRAM}, profile deep-blue, 16 MB of table, null_move=on"));
        assert_eq!(changed.limits(), ", 2,000 ms each, at most 20,000 nodes each");
    }

    #[test]
    fn a_level_is_named_and_has_neither_threads_nor_tables() {
        // With tables where there are some.
        let tables = std::env::var("PACIOLI_SYZYGY").ok().and_then(|path| Tables::open(&path).0).map(Arc::new);
        let options = Options { threads: 2, tables, limit_strength: true, elo: 1000, ..Options::default() };
        let heading = Provenance::of(&options, &Limits::default()).heading();
        let level = "UCI_LimitStrength=true, UCI_Elo=1000";
        assert_eq!(heading, format!("{PROGRAM}, profile modern, 16 MB of table, {level}"));
    }

    #[test]
    fn the_network_is_named_where_it_evaluates() {
        let mut options = Options::default();
        options.params.apply("evaluation=nnue").unwrap();
        let network = |options: &Options| Provenance::of(options, &Limits::default()).network;
        assert_eq!(network(&options), options.network.as_ref().map(|network| format!("{:08x}", network.checksum())));
        options.params.apply("evaluation=classical").unwrap();
        assert_eq!(network(&options), None);
    }

    #[test]
    fn results_of_other_settings_do_not_belong_together_and_those_of_other_commits_do() {
        let of = |commit: &str, network: Option<&str>| Provenance {
            commit: Some(commit.to_owned()),
            network: network.map(str::to_owned),
            ..Provenance::of_program()
        };
        let provenance = of("abc", Some("1"));
        assert!(provenance.fits(&of("def", Some("1"))) && !provenance.fits(&of("abc", Some("2"))));
        assert!(provenance.fits(&of("abc", None)) && of("abc", None).fits(&provenance));
        for other in [
            Provenance { set: vec!["credit=off".to_owned()], ..provenance.clone() },
            Provenance { hash_mb: Some(1), ..provenance.clone() },
            Provenance { threads: Some(2), ..provenance.clone() },
            Provenance { tables: Some("Syzygy".to_owned()), ..provenance.clone() },
            Provenance { program: "Pacioli of another kind".to_owned(), ..provenance.clone() },
            Provenance { command: Some("other".to_owned()), ..provenance.clone() },
            Provenance { profile: Some(Profile::DeepBlue), ..provenance.clone() },
            Provenance { movetime_ms: Some(5), ..provenance.clone() },
            Provenance { nodes: Some(5), ..provenance.clone() },
            Provenance { depth: Some(5), ..provenance.clone() },
            Provenance { clock: Some("5+0".to_owned()), ..provenance.clone() },
        ] {
            assert!(!provenance.fits(&other) && !other.fits(&provenance), "{other:?}");
        }
    }

    #[test]
    fn all_commits_are_kept_and_others_told() {
        let of = |commit: Option<&str>| Provenance { commit: commit.map(str::to_owned), ..Provenance::of_program() };
        let mut begun = of(Some("a"));
        assert_eq!([Some("a"), None].map(|commit| begun.go_on_by(&of(commit))), [None, None]);
        assert_eq!(begun.go_on_by(&of(Some("b+"))).as_deref(), Some("a"));
        assert_eq!(begun.commit.as_deref(), Some("a, b+"));
        assert_eq!(begun.go_on_by(&of(Some("a"))).as_deref(), Some("b+"));
        assert_eq!(begun.go_on_by(&of(Some("c"))).as_deref(), Some("a, b+"));
        assert_eq!(begun.commit.as_deref(), Some("a, b+, c"));
        // So is a network, where none was named.
        let of_network = |network: &str| Provenance { network: Some(network.to_owned()), ..of(None) };
        begun.go_on_by(&of_network("1"));
        begun.go_on_by(&of_network("2"));
        assert_eq!(begun.network.as_deref(), Some("1"));
        let mut unknown = of(None);
        assert_eq!((unknown.go_on_by(&of(Some("a"))), unknown.commit.as_deref()), (None, Some("a")));
    }

    #[test]
    fn what_is_written_is_read() {
        let provenance = Provenance::of(&Options::default(), &Limits::to_depth(9));
        let text = serde_json::to_string(&provenance).unwrap();
        assert!(text.contains("\"profile\":\"modern\"") && !text.contains("nodes"), "{text}");
        assert_eq!(serde_json::from_str::<Provenance>(&text).unwrap(), provenance);
        assert!(serde_json::from_str::<Provenance>(&text.replace("modern", "ancient")).is_err());
    }
}
