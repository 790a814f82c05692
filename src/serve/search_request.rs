//! A page's request for a search: which game, which settings, and when it ends.

use std::time::Duration;

use serde::Deserialize;

use super::bounds::{MAX_NODES, MAX_SECONDS};
use super::game_path::{GamePath, over};
use super::refusal::Refusal;
use crate::board::Game;
use crate::engine::{Limits, Options, check_engine_room};
use crate::params::Profile;

/// A request for a search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchRequest {
    /// The page's number, which it draws at random.
    pub page: u32,
    /// The column of the page.
    pub column: u8,
    game: GamePath,
    profile: Profile,
    /// Whether it keeps accounts.
    credit: bool,
    /// The balance beyond which an account is cashed in, in sixteenths of a ply.
    credit_limit: i32,
    budget: Budget,
}

/// When a search ends.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Budget {
    Nodes(u64),
    Seconds(f64),
}

/// A search ready to run.
#[derive(Debug)]
pub(super) struct Search {
    pub game: Game,
    pub options: Options,
    pub limits: Limits,
}

impl SearchRequest {
    /// The search, with these options where the page sets nothing.
    pub fn search(&self, options: &Options) -> Result<Search, Refusal> {
        let game = self.game.game()?;
        if let Some(over) = over(&game).filter(|_| game.position().legal_moves().is_empty()) {
            return Err(Refusal::Over(over));
        }
        let limits = self.budget.limits()?;
        let mut options = options.clone();
        options.set_profile(self.profile);
        options.params.credit = self.credit;
        options.params.apply(&format!("credit_limit={}", self.credit_limit))?;
        check_engine_room()?;
        Ok(Search { game, options, limits })
    }
}

impl Budget {
    fn limits(&self) -> Result<Limits, Refusal> {
        let refused = |name, value: String, expected| Err(Refusal::Bounds { name, value, expected });
        match *self {
            Budget::Nodes(nodes) if (1..=MAX_NODES).contains(&nodes) => Ok(Limits::of_nodes(nodes)),
            Budget::Nodes(nodes) => refused("nodes", nodes.to_string(), format!("1 to {MAX_NODES}")),
            Budget::Seconds(seconds) if seconds > 0.0 && seconds <= MAX_SECONDS => {
                Ok(Limits { move_time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() })
            }
            Budget::Seconds(seconds) => refused("seconds", seconds.to_string(), format!("up to {MAX_SECONDS}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::json::json_fault;

    fn search(game: &str, change: (&str, &str)) -> Result<Search, String> {
        let text = format!(
            r#"{{"page":1,"column":0,"game":{game},"profile":"deep-blue","credit":false,"credit_limit":20,
            "budget":{{"nodes":5}}}}"#
        );
        let request: SearchRequest =
            serde_json::from_str(&text.replace(change.0, change.1)).map_err(|error| json_fault(&error))?;
        request.search(&Options { hash_mb: 3, ..Options::default() }).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn settings_are_those_of_the_request() {
        let game_path = format!(r#"{{"fen":"{}","moves":["e2e4"]}}"#, Position::default().fen());
        let Search { game, options, limits } = search(&game_path, ("", "")).unwrap();
        let start = Position::default();
        let after = start.play(start.parse_uci("e2e4").unwrap());
        assert_eq!((options.hash_mb, options.profile), (3, Profile::DeepBlue));
        assert_eq!((options.params.credit, options.params.credit_limit), (false, 20));
        assert_eq!((limits.nodes, game.position().fen()), (Some(5), after.fen()));
        let limits = search(&game_path, (r#""nodes":5"#, r#""seconds":1.5"#)).unwrap().limits;
        assert_eq!((limits.nodes, limits.move_time), (None, Some(Duration::from_millis(1500))));
    }

    #[test]
    fn what_is_out_of_bounds_is_refused_with_its_name() {
        let game_path = format!(r#"{{"fen":"{}"}}"#, Position::default().fen());
        for (change, expected) in [
            ((r#""nodes":5"#, r#""nodes":0"#), "`0` is not a value for nodes: expected 1 to 1000000000"),
            ((r#""nodes":5"#, r#""seconds":601"#), "`601` is not a value for seconds: expected up to 600"),
            ((r#""nodes":5"#, r#""seconds":0"#), "`0` is not a value for seconds"),
            (
                ("\"credit_limit\":20", "\"credit_limit\":200"),
                "`200` is not a value for `credit_limit`: expected 15 to 48",
            ),
            ((r#""nodes":5"#, r#""nodes":-1"#), "a member cannot be `-1`"),
            (("deep-blue", "ancient"), "unknown profile `ancient`: expected modern or deep-blue"),
            (("\"page\":1,", ""), "its member `page` is missing"),
            (("\"page\":1", "\"page\":1,\"file\":\"/etc/passwd\""), "it has a member `file`, which is not known"),
        ] {
            let found = search(&game_path, change).unwrap_err();
            assert!(found.starts_with(expected), "{found}");
        }
        let mate = r#"{"fen":"R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"}"#;
        assert_eq!(search(mate, ("", "")).unwrap_err(), "there is nothing to search: checkmate: White has won");
    }
}
