//! Every tunable of the search, once: name, default, range and meaning.
//!
//! The same declaration feeds `--set name=value` on the command line, the UCI options and the listing for tuners.
//! Each mechanism and each pruning rule has its own switch, so that any of them can be disabled alone. A [`Profile`] is
//! a set of values on top of the defaults.

mod nearest;
mod profiles;
pub mod wdl;
pub mod weights;

pub use nearest::{hint, nearest};
pub use profiles::Profile;

use std::fmt;
use std::time::Duration;

use thiserror::Error;

/// Microseconds in a millisecond.
const MICROSECONDS: u64 = 1000;

/// Describes one tunable: everything but its value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Name on the command line and in UCI.
    pub name: &'static str,
    /// What it does, with its unit.
    pub meaning: &'static str,
    /// Its values.
    pub kind: ParamKind,
}

/// The values a tunable can have, and its value in the modern profile.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// On or off.
    Switch {
        /// Value in the modern profile.
        default: bool,
    },
    /// A whole number.
    Number {
        /// Value in the modern profile.
        default: i32,
        /// Smallest value allowed.
        min: i32,
        /// Largest value allowed.
        max: i32,
    },
    /// One of several named values.
    Choice {
        /// Value in the modern profile.
        default: &'static str,
        /// All values.
        names: &'static [&'static str],
    },
}

impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamKind::Switch { .. } => f.write_str("on or off"),
            ParamKind::Number { min, max, .. } => write!(f, "{min} to {max}"),
            ParamKind::Choice { names, .. } => f.write_str(&names.join(" or ")),
        }
    }
}

impl ParamKind {
    /// The names of its values, if they have names.
    fn names(self) -> Vec<&'static str> {
        match self {
            ParamKind::Switch { .. } => vec!["on", "off"],
            ParamKind::Number { .. } => Vec::new(),
            ParamKind::Choice { names, .. } => names.to_vec(),
        }
    }

    /// Parses a value; `None` if the tunable cannot have it.
    fn parse(self, text: &str) -> Option<Value> {
        match self {
            ParamKind::Switch { .. } => parse_switch(text).map(Value::Switch),
            ParamKind::Number { min, max, .. } => {
                text.parse().ok().filter(|number| (min..=max).contains(number)).map(Value::Number)
            }
            ParamKind::Choice { names, .. } => {
                names.iter().find(|name| name.eq_ignore_ascii_case(text)).map(|name| Value::Choice(name))
            }
        }
    }
}

/// `true` or `false`, or a common synonym, ignoring case; `None` for any other word.
pub fn parse_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" => Some(true),
        "false" | "off" | "0" => Some(false),
        _ => None,
    }
}

impl ParamInfo {
    /// The tunable with this name, ignoring case.
    pub fn find(name: &str) -> Option<&'static ParamInfo> {
        INFO.iter().find(|info| info.name.eq_ignore_ascii_case(name.trim()))
    }

    /// Whether it is a switch.
    pub const fn is_switch(&self) -> bool {
        matches!(self.kind, ParamKind::Switch { .. })
    }
}

/// A tunable's value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a switch.
    Switch(bool),
    /// Of a number.
    Number(i32),
    /// Of a choice, by name.
    Choice(&'static str),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => f.write_str(if *on { "on" } else { "off" }),
            Value::Number(number) => number.fmt(f),
            Value::Choice(name) => f.write_str(name),
        }
    }
}

/// A setting that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParamError {
    /// No tunable has this name.
    #[error("unknown parameter `{name}`{}", hint(name, INFO.iter().map(|info| info.name)))]
    UnknownName {
        /// The name given.
        name: String,
    },
    /// The tunable cannot have this value.
    #[error("`{value}` is not a value for `{name}`: expected {expected}")]
    BadValue {
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// The values it can have.
        expected: String,
    },
    /// A `name=value` setting without the equals sign.
    #[error("`{text}` is not of the form name=value")]
    NotASetting {
        /// The text given.
        text: String,
    },
    /// No profile has this name.
    #[error("unknown profile `{name}`: expected {}{}", Profile::NAMES.join(" or "), hint(name, Profile::NAMES))]
    UnknownProfile {
        /// The name given.
        name: String,
    },
}

/// Declares an enum whose values have names, by which they are shown and written in results.
macro_rules! choice {
    ( $( #[$doc:meta] )* $name:ident { $( $( #[$value_doc:meta] )* $value:ident = $text:literal, )* } ) => {
        $( #[$doc] )*
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $( #[$value_doc] )* $value, )*
        }

        impl $name {
            /// All values.
            pub const ALL: [$name; [ $( $text, )* ].len()] = [ $( $name::$value, )* ];
            /// Their names, in the same order.
            pub const NAMES: [&str; $name::ALL.len()] = [ $( $text, )* ];

            /// The value's name.
            pub const fn name(self) -> &'static str {
                $name::NAMES[self as usize]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

pub(crate) use choice;

/// Lets serde write a type as its text and read it back: for `#[serde(try_from = "String", into = "String")]`.
macro_rules! text_form {
    ( $type:ident ) => {
        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.to_string()
            }
        }

        impl TryFrom<String> for $type {
            type Error = <$type as std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<$type, Self::Error> {
                text.parse()
            }
        }
    };
}

pub(crate) use text_form;

choice! {
    /// What evaluates positions.
    Evaluation {
        /// The network.
        Nnue = "nnue",
        /// The classical evaluation.
        Classical = "classical",
    }
}

choice! {
    /// When a move is searched again because it has earned new credit.
    SecondSearch {
        /// Never: the credit only counts from the next visit on, if the table keeps it.
        Never = "never",
        /// If it would be cashed in at once.
        CashedAtOnce = "cashed-at-once",
        /// Whenever it can matter.
        Always = "always",
    }
}

choice! {
    /// Where the windows of an iteration are, and how they widen.
    AspirationPolicy {
        /// Always the full window.
        Off = "off",
        /// Moreland: a fixed width, then the full window.
        Fixed = "fixed",
        /// Crafty: the failing bound moves in steps.
        Gradual = "gradual",
        /// Robbolito, Stockfish: a small window; the failing bound's distance grows geometrically.
        Exponential = "exponential",
        /// Fischerle: asymmetric 7:3 around the last score, mirrored for odd and even depth.
        Parity = "parity",
    }
}

choice! {
    /// How the root's score is found.
    RootDriver {
        /// Principal variation search.
        Pvs = "pvs",
        /// Plain alpha-beta, without scouts.
        AlphaBeta = "alpha-beta",
        /// MTD(f): null windows from the last score on.
        Mtdf = "mtdf",
        /// SSS*, as MTD from +infinity: null windows that only move down.
        SssStar = "sss",
    }
}

/// Declares [`Params`] and its table of [`ParamInfo`] from one list.
macro_rules! params {
    (
        switches { $( $switch:ident = $on:literal, $switch_meaning:literal; )* }
        numbers { $( $number:ident = $default:literal in $min:literal..=$max:literal, $number_meaning:literal; )* }
        choices { $( $choice:ident = $type:ident::$chosen:ident, $choice_meaning:literal; )* }
    ) => {
        /// A full set of values of all tunables. [`Params::set`] keeps them within their ranges; fields that are set
        /// directly must stay within those of [`INFO`], since the search divides by some of them.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $( #[doc = $switch_meaning] pub $switch: bool, )*
            $( #[doc = $number_meaning] pub $number: i32, )*
            $( #[doc = $choice_meaning] pub $choice: $type, )*
        }

        /// All tunables in the order of their declaration.
        pub const INFO: &[ParamInfo] = &[
            $( ParamInfo {
                name: stringify!($switch),
                meaning: $switch_meaning,
                kind: ParamKind::Switch { default: $on },
            }, )*
            $( ParamInfo {
                name: stringify!($number),
                meaning: $number_meaning,
                kind: ParamKind::Number { default: $default, min: $min, max: $max },
            }, )*
            $( ParamInfo {
                name: stringify!($choice),
                meaning: $choice_meaning,
                kind: ParamKind::Choice { default: $type::$chosen.name(), names: &$type::NAMES },
            }, )*
        ];

        impl Default for Params {
            fn default() -> Params {
                Params {
                    $( $switch: $on, )*
                    $( $number: $default, )*
                    $( $choice: $type::$chosen, )*
                }
            }
        }

        impl Params {
            /// Assigns a value that the tunable can have.
            fn assign(&mut self, name: &str, value: Value) {
                match (name, value) {
                    $( (stringify!($switch), Value::Switch(on)) => self.$switch = on, )*
                    $( (stringify!($number), Value::Number(number)) => self.$number = number, )*
                    $( (stringify!($choice), Value::Choice(chosen)) => {
                        let found = $type::ALL.into_iter().find(|value| value.name() == chosen);
                        self.$choice = found.unwrap_or(self.$choice);
                    } )*
                    _ => {}
                }
            }

            /// The value of a tunable.
            pub fn get(&self, name: &str) -> Option<Value> {
                match name {
                    $( stringify!($switch) => Some(Value::Switch(self.$switch)), )*
                    $( stringify!($number) => Some(Value::Number(self.$number)), )*
                    $( stringify!($choice) => Some(Value::Choice(self.$choice.name())), )*
                    _ => None,
                }
            }

            /// A plain search: every mechanism and pruning rule off, for comparison with an independent minimax.
            pub fn all_switches_off(self) -> Params {
                Params { $( $switch: false, )* ..self }
            }
        }
    };
}

params! {
    switches {
        // Dual credit, section 4 of the paper.
        credit = true, "dual credit: without it no credit is awarded or cashed in";
        singular_full_on_pv = false, "test alternatives at full depth on the principal variation, after a move's first search";
        credit_singular = true, "credit for singular, binary and trinary moves";
        credit_wide_singular = true, "more credit for a table move that is singular by a wide margin";
        credit_very_wide_singular = true, "still more for a quiet one that is by a very wide margin";
        credit_forced_reply = false, "credit for the only legal move";
        credit_check_evasion = false, "credit for evading check";
        credit_check = true, "credit for giving check, before the move is searched";
        credit_threat = true, "credit for answering a threat revealed by a null move";
        threat_search = false, "look for threats by a search of its own where no null move was tried for pruning";
        credit_influence = false, "credit for a good move that was not possible at its side's previous turn";
        credit_passed_pawn = true, "credit for passed-pawn pushes that do not fail low, and for the replies to them";
        credit_envelope = false, "search a table move with the credit it once earned, and cut off only if the table entry had as much";
        credit_envelope_singular = false, "the same for singular credit; without it each visit tests again, or grants none";
        credit_horizon_check = true, "skip awards that cannot matter, and the evidence for them";
        conventional_extensions = false, "extend checks and singular table moves like other engines: for comparison, with credit off";
        conventional_checks = true, "among these, extend checks";
        conventional_double = true, "among these, extend table moves that are singular by a wide margin by two plies, off the principal variation";
        conventional_triple = true, "of the latter, extend quiet ones that are singular by a very wide margin by three plies";
        singular_confirmation = false, "test the alternatives of a move whose score was unexpectedly good";
        singular_prediction = true, "test whether the table move is singular before searching it";
        probe_pruning = true, "prune in the test of alternatives as in the main search";
        multi_cut = true, "return early when several moves reach beta in the singularity test";
        // Pruning and ordering.
        tt_cutoffs = true, "transposition table cutoffs";
        null_move = true, "null-move pruning: prune if passing still fails high";
        null_move_yields = true, "no null move where the table's move captures a piece and its score is a lower bound";
        null_move_verification = true, "verify null-move cutoffs by a search without null moves, at high depth and where zugzwang is likely";
        probcut = false, "ProbCut: return early if a capture stays well above beta in a shallow search: no gain in games, a loss in tactics";
        correction_history = true, "correct the static evaluation by its errors in similar positions";
        correction_losing_captures = true, "learn that correction also where the best move is a capture that loses an exchange";
        material_scaling = true, "let the network's evaluation count for less the less material is left";
        tt_estimate = true, "prune by the table's score if it is a better bound than the static evaluation";
        surplus_reduction = true, "reduce a table move if others are about as good and it is expected to fail high";
        history_pruning = true, "skip quiet moves with a bad history at low depth";
        reverse_futility = true, "reverse futility pruning: prune if the static evaluation is far above beta";
        futility = true, "futility pruning: skip quiet moves if the static evaluation is far below alpha";
        late_move_pruning = true, "skip late quiet moves at low depth";
        late_move_reductions = true, "late-move reductions: search late moves at reduced depth first";
        see_pins = true, "in exchanges a side's pinned pieces capture nothing off the line, as long as one of those that pin them has not captured";
        see_pruning = true, "skip moves that lose material at low depth";
        growth_control = true, "in an iteration that costs far more than the last one, reduce late moves more and cash in nothing";
        growth_cut = false, "when growth control restrains an iteration, let no node be deeper than the iteration, horizon search included, but for the horizon's own extensions";
        internal_reduction = true, "internal iterative reduction: reduce the depth of nodes without a table move";
        mate_distance_pruning = true, "narrow the window to the mates still possible";
        zero_window_scouts = true, "principal variation search: moves after the first are scouted with a null window";
        raised_alpha = true, "search later moves against the best score so far (Fig. 1 keeps the node's alpha)";
        ordering = true, "move ordering: without it moves are searched as generated";
        use_history = true, "order moves by the histories, killers and counter-moves";
        killers = true, "try quiet moves early that caused a cutoff at the same ply";
        counter_moves = true, "try the quiet move early that last refuted the opponent's move";
        threat_history = true, "order quiet moves also by whether they leave or enter squares that the opponent attacks";
        swing_history = true, "learn of a quiet move at once from what it did to the static evaluation";
        reply_history = true, "a quiet move that left the opponent no good reply gets a bonus";
        scout_history = true, "learn of a quiet move from the full-depth search that follows a reduced one";
        tt_history = true, "a quiet table move that cuts off without a search gets a bonus";
        continuation_history = true, "continuation history: order quiet moves also by their success after the preceding moves";
        continuation_sum = true, "continuation histories learn what their sum has not yet learned, instead of each for itself";
        capture_history = true, "order captures also by their past success";
        improving = true, "prune late moves and reduce less if the evaluation improves, and cut off by it from nearer to beta: off, no node counts as improving";
        improving_above_beta = true, "in reductions and late-move pruning, a node whose evaluation reaches beta counts as improving";
        chip_checks = false, "in quiescence try mating and singular checks by Deep Blue's rules, a number for each side, instead of all for some plies";
        horizon_verdicts = true, "store the horizon search's result at a leaf in the table";
        horizon_moves = false, "store the horizon search's best move at a leaf in the table, and try it first the next time";
        quiescence_tt = true, "use the table in quiescence";
        quiescence_delta = true, "skip captures in quiescence that cannot reach alpha";
        quiescence_mean = true, "in quiescence, the score of a move beyond beta is the mean of both";
        quiescence_see = true, "skip losing captures in quiescence";
        pace_stability = true, "take less time if the best move has not changed for some iterations";
        pace_effort = true, "take less time if most nodes went into the best move";
        pace_panic = true, "take more time if the score falls";
        pace_forcing = true, "take more time the further the principal variation was extended, and less if it was not";
        pace_calm = false, "stop a running iteration early unless the root score is falling or another move may become the best";
        learn_lag = true, "keep back more of the clock if the machine lets searches end late";
        repetition_in_search = true, "score a position that repeats once within the search as a draw";
        upcoming_repetition = false, "return the draw if the next move can repeat a position and the draw is good enough";
        no_progress = false, "fail low if the side that just moved could have come here sooner, in one move";
    }
    numbers {
        // Dual credit: amounts in sixteenths of a ply. With a limit just below a ply each whole ply is cashed in at
        // once, and what waits is always less than one.
        credit_limit = 15 in 15..=48, "account balance beyond which credit is cashed in, in sixteenths of a ply (paper: 2 plies)";
        credit_near_plies = 4 in 0..=32, "plies from the root with the near awards";
        credit_middle_plies = 10 in 0..=64, "plies from the root with at least the middle awards";
        credit_middle_scale = 256 in 0..=256, "middle awards relative to the near ones, in 256ths";
        credit_far_scale = 256 in 0..=256, "far awards relative to the near ones, in 256ths";
        conventional_check_may_lose = 7 in 0..=2000, "what a check may lose by exchanges to get a conventional extension, in centipawns";
        conventional_double_margin = 18 in 0..=500, "how far below the singularity margin all alternatives must stay for a conventional extension by two plies, in centipawns";
        conventional_triple_margin = 90 in 0..=1000, "the same for three plies";
        conventional_line_cap = 8 in 0..=64, "moves of a line that conventional extensions extend by more than a ply";
        conventional_reach = 2 in 1..=8, "no conventional extensions beyond this many times the iteration's nominal depth";
        credit_reach = 2 in 1..=8, "no awards beyond this many times the iteration's nominal depth";
        singular_credit = 16 in 0..=63, "award for a singular move near the root, in sixteenths of a ply";
        wide_singular_credit = 32 in 0..=63, "award near the root for a table move that is singular by a wide margin, in sixteenths of a ply";
        very_wide_singular_credit = 48 in 0..=63, "the same for a quiet one by a very wide margin";
        binary_credit = 6 in 0..=63, "award for one of two good moves near the root, in sixteenths of a ply";
        trinary_credit = 4 in 0..=63, "award for one of three good moves near the root, in sixteenths of a ply";
        forced_reply_credit = 16 in 0..=63, "award for the only legal move near the root, in sixteenths of a ply";
        check_evasion_credit = 16 in 0..=63, "award for evading check near the root, in sixteenths of a ply";
        check_credit = 12 in 0..=63, "award for giving check near the root, in sixteenths of a ply";
        threat_credit = 12 in 0..=63, "award for answering a threat near the root, in sixteenths of a ply";
        mate_threat_credit = 16 in 0..=63, "award for answering a mate threat near the root, in sixteenths of a ply";
        influence_credit = 8 in 0..=63, "award for an enabled move near the root, in sixteenths of a ply";
        passed_pawn_credit = 12 in 0..=63, "award for a passed-pawn push or the reply to it near the root, in sixteenths of a ply";
        // Evidence.
        singular_min_depth = 6 in 1..=20, "minimum depth at which alternatives are tested";
        singular_margin = 1 in 0..=200, "margin of the singularity test in centipawns for each ply of depth";
        singular_margin_base = 0 in 0..=200, "fixed part of the singularity margin in centipawns";
        singular_former_pv = 100 in 0..=300, "how much larger the part by depth is for table moves in former PV nodes, in percent";
        wide_singular_margin = 15 in 0..=1000, "how far below the singularity margin all alternatives must stay for a wide margin, in centipawns";
        very_wide_singular_margin = 66 in 0..=1000, "the same for a very wide one";
        singular_arity = 1 in 1..=3, "alternatives that the test counts before it stops";
        singular_tt_slack = 3 in 0..=20, "how much shallower than the node the table entry may be";
        singular_probe_share = 46 in 10..=100, "depth at which alternatives are tested, in percent of what is left above quiescence";
        threat_margin = 150 in 0..=1000, "how far a null move must fail low to be a threat, in centipawns";
        threat_ancestors = 4 in 1..=16, "plies back within which a forcing move must have been played for a threat to earn credit";
        // Shape of the search.
        horizon_depth = 0 in 0..=8, "plies of the credit-free horizon search in place of Deep Blue's chip";
        horizon_extensions = 0 in 0..=4, "plies by which a line of the horizon search may be extended, for pawns on the seventh rank and hanging pieces";
        horizon_ceiling = 0 in 0..=1000000, "nodes after which a horizon search is abandoned and the software searches a ply deeper; 0 for no limit";
        chip_mating_checks = 2 in 0..=8, "mating checks that each side may try in a line of quiescence by Deep Blue's rules, besides those that count as singular ones";
        chip_singular_checks = 1 in 0..=8, "singular checks, likewise, and mating ones beyond their own number";
        quiescence_check_plies = 1 in 0..=8, "plies of quiescence that also try checking moves";
        null_move_min_depth = 3 in 1..=20, "minimum depth for null-move pruning";
        null_move_margin = 100 in 0..=500, "how far above beta the evaluation must be for null-move pruning at depth zero, in centipawns";
        null_move_margin_slope = 4 in 0..=100, "how much less for each ply of depth, in centipawns";
        null_move_base = 4 in 1..=8, "reduction of the null-move search in plies";
        null_move_divisor = 4 in 1..=16, "one more ply of null-move reduction for this much depth";
        null_move_eval_divisor = 210 in 50..=1000, "one more ply of null-move reduction for this many centipawns above beta";
        null_move_eval_most = 3 in 0..=8, "the most plies of null-move reduction for an evaluation above beta";
        reverse_futility_depth = 4 in 0..=20, "maximum depth for reverse futility pruning";
        reverse_futility_margin = 43 in 0..=500, "reverse futility margin in centipawns for each ply of depth";
        reverse_futility_threat = 38 in 0..=500, "how much higher the evaluation must be for reverse futility pruning where a pawn attacks one of the side's pieces, in centipawns";
        reverse_futility_pieces = 2 in 0..=8, "pieces beside pawns and king that reverse futility pruning requires: with fewer, zugzwang is likely";
        reverse_futility_share = 56 in 0..=100, "share of the evaluation in the score that reverse futility returns, in percent; the rest is beta, but for a centipawn";
        futility_depth = 8 in 0..=20, "maximum reduced depth for futility pruning";
        futility_base = 40 in 0..=500, "fixed part of the futility margin in centipawns";
        futility_margin = 77 in 0..=500, "futility margin in centipawns for each ply of reduced depth";
        futility_refutation = 27 in 0..=500, "how much higher killers and counter-moves are thought to come in futility pruning, in centipawns";
        late_move_pruning_depth = 8 in 0..=20, "maximum depth for late-move pruning";
        late_move_pruning_base = 6 in 0..=50, "quiet moves searched before late-move pruning, besides the depth's square; half of both if the evaluation does not improve";
        see_quiet_margin = 79 in 0..=500, "exchange loss that prunes a quiet move, in centipawns for each ply of reduced depth";
        see_noisy_margin = 82 in 0..=500, "exchange loss that prunes a capture, in centipawns for each ply of depth";
        see_check_margin = 300 in 0..=2000, "how much more a checking move may lose, in centipawns";
        null_move_verify_depth = 14 in 1..=64, "minimum depth at which every null-move cutoff is verified";
        null_move_verify_pieces = 1 in 0..=8, "with so few pieces beside pawns and king every null-move cutoff is verified";
        probcut_depth = 5 in 3..=20, "minimum depth for ProbCut";
        probcut_reduction = 4 in 1..=8, "depth reduction of the search that confirms a capture in ProbCut, in plies";
        probcut_margin = 160 in 0..=500, "how far above beta a capture must stay for ProbCut, in centipawns";
        probcut_improving = 50 in 0..=300, "how much less if the evaluation improves, in centipawns";
        surplus_plies = 3 in 0..=4, "plies by which a table move with equally good alternatives is reduced if the table's score reaches beta";
        surplus_cut_plies = 2 in 0..=4, "the same in other expected cut nodes";
        history_pruning_depth = 4 in 0..=12, "maximum depth for history pruning";
        history_pruning_margin = 3359 in 0..=16384, "how negative a pruned move's history must be for each ply of depth";
        correction_pawn_weight = 35 in 0..=400, "largest correction of the evaluation by pawn structure, in centipawns";
        correction_piece_weight = 44 in 0..=400, "largest correction by either side's pieces, in centipawns";
        correction_move_weight = 35 in 0..=400, "largest correction by the last two moves, in centipawns";
        correction_minor_weight = 30 in 0..=400, "largest correction by the knights and bishops of both sides, in centipawns";
        correction_most = 195 in 1..=1024, "largest single update of a correction, in 1024ths of the largest correction";
        correction_divisor = 7 in 1..=64, "centipawns of error, found at a depth of one ply, that update a correction by one 1024th";
        see_pruning_depth = 8 in 0..=20, "maximum depth for pruning by static exchange evaluation";
        reduction_min_depth = 3 in 1..=20, "minimum depth for late-move reductions";
        reduction_base = 125 in 0..=300, "base of the late-move reduction, in hundredths of a ply";
        reduction_divisor = 172 in 100..=600, "divisor of the logarithms' product in the late-move reduction, in hundredths";
        reduction_pv = 78 in 0..=300, "how much less late moves are reduced in PV nodes, in hundredths of a ply";
        reduction_was_pv = 25 in 0..=300, "how much less in former PV nodes, in hundredths of a ply";
        reduction_cut_node = 105 in 0..=300, "how much more in expected cut nodes, in hundredths of a ply";
        reduction_worsening = 42 in 0..=300, "how much more if the evaluation does not improve, in hundredths of a ply";
        reduction_noisy_tt_move = 50 in 0..=300, "how much more for quiet moves if the table move is a capture, in hundredths of a ply";
        reduction_refutation = 72 in 0..=300, "how much less for killers and counter-moves, in hundredths of a ply";
        reduction_near_root = 100 in 0..=300, "how much less near the root, in hundredths of a ply";
        reduction_near_plies = 6 in 0..=64, "the last ply from the root that counts as near it";
        reduction_cutoffs = 50 in 0..=300, "how much more if many replies have caused cutoffs, in hundredths of a ply";
        reduction_many_cutoffs = 3 in 0..=64, "cutoffs among a node's children, those in searches for evidence included, beyond which its late moves are reduced more";
        reduction_lead_most = 200 in 0..=500, "the most by which other moves are reduced more than a table move that is far ahead of them, in hundredths of a ply: one for each centipawn of its lead";
        reduction_lead_margin = 70 in 0..=1000, "lead beyond which that begins, in centipawns";
        reduction_history_divisor = 9472 in 1024..=32768, "history score that is worth one ply of reduction";
        reduction_forcing_share = 50 in 0..=100, "share of the tabulated reduction for captures and checks, in percent";
        check_order = 5338 in 0..=32768, "ordering bonus for quiet checks that lose little, in points of history";
        check_may_lose = 50 in 0..=500, "what a quiet check may lose by exchanges to be tried early, in centipawns: at most a bishop for a knight";
        victim_weight = 8 in 1..=32, "how much more the victim counts than the attacker in the order of captures";
        capture_history_weight = 24 in 0..=256, "weight of the capture history relative to the victim's value, in 256ths";
        capture_risk_divisor = 64 in 0..=4096, "history score for which a capture may lose a centipawn more and still come before quiet moves; 0 for none";
        history_bonus_slope = 265 in 0..=1000, "what a cutoff adds to the histories, for each ply of depth";
        history_bonus_offset = 80 in 0..=1000, "how much less it adds at every depth";
        surprise_plies = 1 in 0..=4, "plies by which a cutoff counts as deeper in the histories if the static evaluation did not exceed alpha; 0 for none";
        history_bonus_most = 2120 in 0..=8192, "the most that one cutoff adds to the histories";
        history_kept = 75 in 0..=100, "what the histories of quiet moves keep from one search of a game to the next, in percent";
        swing_weight = 370 in 0..=3000, "what a pawn's worth of swing of the static evaluation adds to the histories";
        swing_most = 800 in 0..=8192, "the most that a swing adds or takes";
        easy_cutoff_depth = 1 in 0..=20, "maximum depth at which a cutoff by the first quiet move searched adds nothing to its histories";
        reply_share = 94 in 0..=200, "what a move without a good reply gets, in percent of a cutoff's bonus";
        scout_share = 73 in 0..=200, "what the full-depth search after a reduced one adds, in percent of a cutoff's bonus";
        tt_share = 65 in 0..=200, "what a cutoff by the table adds, in percent of a searched one's";
        refuted_moves = 2 in 0..=64, "the first so many moves of a node get a malus after the moves before them, if they are quiet and a reply refutes them; 0 for none";
        growth_limit = 4 in 2..=50, "how many times the previous one's nodes, and half of them more, an iteration may cost before it is restrained";
        growth_floor = 1000000 in 1000..=1000000, "minimum nodes counted for the previous iteration, which may have been served from the table";
        growth_most = 16 in 1..=64, "the most plies by which an iteration that grows too much reduces late moves";
        internal_reduction_depth = 5 in 1..=20, "minimum depth for internal iterative reduction";
        delta_margin = 257 in 0..=1000, "what a capture may gain beyond its victim in quiescence, in centipawns";
        quiescence_gain_margin = 200 in 0..=1000, "with delta pruning, a capture must win material in quiescence if standing pat and so much more do not exceed alpha, in centipawns; 0: it need not";
        mate_positions = 10000000 in 0..=2000000000, "positions examined to prove that there is no mate in as many moves as were asked for";
        mate_patience = 12 in 0..=200, "plies beyond the mate asked for after which a search for it ends";
        mate_nodes = 200000000 in 1000..=2000000000, "nodes after which an iteration of a search for a mate is its last";
        quiescence_reach = 64 in 0..=64, "plies of quiescence after which the static evaluation is returned";
        quiescence_nodes = 16384 in 1024..=1000000, "nodes after which a quiescence search returns the static evaluation: with dozens of queens its tree has no end";
        // The network, by the material left.
        material_scale_base = 802 in 0..=2048, "what the network's evaluation counts for without any material, in 1024ths";
        material_scale_unit = 3 in 0..=20, "how much more for each unit of material, where a pawn is 1 and both sides begin with 78 together, in 1024ths";
        nnue_least_pieces = 6 in 0..=33, "pieces, kings and pawns included, from which on the network evaluates; the classical evaluation knows more of what cannot be won";
        // Weakening, for limited strength.
        eval_noise = 0 in 0..=1000, "largest random part of the evaluation in centipawns; 0 for play at full strength";
        eval_noise_seed = 0 in 0..=2147483647, "seed of the random part of the evaluation, besides the position";
        // Root.
        expected_moves = 24 in 1..=100, "moves that the remaining time is planned for, unless the time control has fewer left";
        increment_share = 75 in 0..=100, "share of the increment that is spent on the move, in percent";
        hard_factor = 4 in 1..=20, "how many times its planned time one move may take";
        hard_share = 50 in 1..=100, "the most of the remaining time that one move may take, in percent; the last move of a time control may take all of it";
        lag_memory = 90 in 0..=99, "share of the machine's longest delay that is remembered from one search to the next, in percent";
        lag_share = 80 in 0..=90, "the most of the remaining time that is kept back for such delays, in percent";
        lag_unseen = 70 in 0..=1000, "milliseconds of the clock that are kept back for delays that have not been seen lately";
        node_time = 0 in 0..=10000, "nodes that count as a millisecond of the clock, so that games with a clock can be repeated; 0 for real time";
        helpers_least = 10 in 0..=1000, "milliseconds that a search must be allowed for other threads to help: starting and ending them takes some";
        next_growth_least = 150 in 100..=1000, "least time that the next iteration is expected to take, in percent of the last one's";
        next_growth_most = 400 in 100..=1000, "the most, in percent of the last one's";
        useful_share = 40 in 1..=100, "share of an iteration that must fit into the plan for it to be started, in percent: even unfinished it may find a better move";
        pace_settled = 75 in 10..=200, "time for a settled best move, in percent of the plan";
        pace_iterations = 5 in 1..=20, "iterations in a row that keep the best move of the one before, after which it is settled";
        pace_unsettled = 15 in 0..=100, "more time for each such iteration that is missing, in percent of the plan";
        pace_effort_base = 160 in 100..=300, "time if no node went into the best move, in percent of the plan; its share of the nodes is subtracted";
        pace_unforced = 85 in 10..=200, "time if the principal variation was not extended, in percent of the plan";
        pace_forced_ply = 8 in 0..=100, "more time for each ply by which it was extended, in percent of the plan";
        pace_forced_most = 8 in 0..=64, "the most such plies that count";
        panic_drop = 15 in 1..=200, "drop of the score from which more time is taken, in centipawns: within iterations (paper, 8.4), and between them, which is not the paper's";
        calm_most = 150 in 100..=1000, "time at which a running iteration is stopped if its score is not falling and no other move may become the best, in percent of the plan";
        panic_most = 80 in 0..=300, "the most that a falling score adds, in percent of the plan";
        aspiration_width = 13 in 1..=500, "half-width of the first exponential window in centipawns";
        aspiration_growth = 40 in 0..=100, "growth of an exponential window's half-width with each failure, in percent";
        aspiration_step = 1 in 0..=50, "what each failure adds to that, in centipawns";
        aspiration_min_iteration = 5 in 1..=20, "first iteration with an aspiration window";
        aspiration_failures = 6 in 1..=20, "failures in one iteration after which the window opens fully";
        aspiration_too_large = 1500 in 100..=10000, "scores from here on change in jumps and get the full window, in centipawns";
    }
    choices {
        evaluation = Evaluation::Nnue, "what evaluates positions";
        second_search = SecondSearch::CashedAtOnce, "when a move is searched again because it has earned new credit";
        aspiration_policy = AspirationPolicy::Exponential, "where the windows of an iteration are, and how they widen";
        root_driver = RootDriver::Pvs, "how the root's score is found";
    }
}

impl Params {
    /// The tunables whose values differ from `base`, each as `name=value`.
    pub fn differences(&self, base: &Params) -> Vec<String> {
        let differing = INFO.iter().filter(|info| self.get(info.name) != base.get(info.name));
        differing.filter_map(|info| Some(format!("{}={}", info.name, self.get(info.name)?))).collect()
    }

    /// Sets a tunable by name.
    ///
    /// # Errors
    ///
    /// [`ParamError`] if no tunable has this name or the value is out of range; nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let info = ParamInfo::find(name).ok_or_else(|| ParamError::UnknownName { name: name.trim().to_owned() })?;
        let bad = || ParamError::BadValue {
            name: info.name.to_owned(),
            value: value.trim().to_owned(),
            expected: info.kind.to_string() + &hint(value, info.kind.names()),
        };
        self.assign(info.name, info.kind.parse(value.trim()).ok_or_else(bad)?);
        Ok(())
    }

    /// Applies one `name=value` setting.
    ///
    /// # Errors
    ///
    /// As [`Params::set`], or if there is no equals sign.
    pub fn apply(&mut self, setting: &str) -> Result<(), ParamError> {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| ParamError::NotASetting { text: setting.to_owned() })?;
        self.set(name, value)
    }

    /// The time that so many nodes stand for; `None`, and nobody counts them, if time is measured.
    pub fn time_of(&self, nodes: impl FnOnce() -> u64) -> Option<Duration> {
        let per_millisecond = u64::from(self.node_time.unsigned_abs());
        let micros = || nodes().saturating_mul(MICROSECONDS) / per_millisecond;
        (per_millisecond > 0).then(|| Duration::from_micros(micros()))
    }

    /// The same with another search's evaluation: in its units, and with its noise.
    pub fn with_evaluation_of(self, other: &Params) -> Params {
        Params {
            evaluation: other.evaluation,
            material_scaling: other.material_scaling,
            material_scale_base: other.material_scale_base,
            material_scale_unit: other.material_scale_unit,
            nnue_least_pieces: other.nnue_least_pieces,
            eval_noise: other.eval_noise,
            eval_noise_seed: other.eval_noise_seed,
            ..self
        }
    }

    /// The same for mate searches: without the forward pruning rules of the main search that may prune the only mate,
    /// those that stop where a position is good enough without one, or skip moves that look bad.
    ///
    /// Reductions stay: they only delay a mate to a later iteration. So does the pruning of captures in quiescence,
    /// which starts where an iteration's depth ends.
    pub fn without_forward_pruning(self) -> Params {
        Params {
            null_move: false,
            probcut: false,
            multi_cut: false,
            reverse_futility: false,
            futility: false,
            late_move_pruning: false,
            history_pruning: false,
            see_pruning: false,
            probe_pruning: false,
            growth_control: false,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_among_the_values_and_every_name_unique() {
        let params = Params::default();
        for (index, info) in INFO.iter().enumerate() {
            let default = match info.kind {
                ParamKind::Switch { default } => Value::Switch(default),
                ParamKind::Number { default, .. } => Value::Number(default),
                ParamKind::Choice { default, .. } => Value::Choice(default),
            };
            assert_eq!(info.kind.parse(&default.to_string()), Some(default), "{}", info.name);
            assert_eq!(params.get(info.name), Some(default), "{}", info.name);
            assert!(INFO[..index].iter().all(|other| other.name != info.name), "{}", info.name);
        }
    }

    #[test]
    fn every_profile_has_values_that_can_be_set() {
        for profile in Profile::ALL {
            let params = profile.params();
            let mut set = Params::default();
            for info in INFO {
                set.set(info.name, &params.get(info.name).unwrap().to_string()).unwrap();
            }
            assert_eq!(set, params, "{profile}");
        }
    }

    /// A new rule that is on by default must not enter the paper's search unnoticed.
    #[test]
    fn the_paper_s_search_has_these_rules_and_no_others() {
        let params = Profile::DeepBlue.params();
        let on = |info: &&ParamInfo| params.get(info.name) == Some(Value::Switch(true));
        let rules: Vec<&str> = INFO.iter().filter(on).map(|info| info.name).collect();
        insta::assert_snapshot!(rules.join("\n"));
        // Rules that have no switch, but a number without effect.
        let without = [
            "null_move_margin",
            "reverse_futility_threat",
            "futility_refutation",
            "correction_minor_weight",
            "reduction_lead_most",
            "singular_former_pv",
            "quiescence_gain_margin",
            "capture_risk_divisor",
            "surprise_plies",
            "easy_cutoff_depth",
            "refuted_moves",
            "aspiration_step",
        ];
        assert_eq!(without.map(|name| params.get(name)), [Some(Value::Number(0)); 12]);
        assert_eq!((params.history_kept, params.aspiration_growth), (100, 100));
    }

    #[test]
    fn looking_for_mates_turns_these_rules_off_and_changes_nothing_else() {
        let mut params = Params::default();
        INFO.iter().filter(|info| info.is_switch()).for_each(|info| params.set(info.name, "on").unwrap());
        let exhaustive = params.clone().without_forward_pruning();
        let changed: Vec<_> = INFO.iter().filter(|info| params.get(info.name) != exhaustive.get(info.name)).collect();
        assert!(changed.iter().all(|info| info.is_switch()), "{changed:?}");
        insta::assert_snapshot!(changed.iter().map(|info| info.name).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn a_plain_search_has_no_switch_on() {
        let plain = Params::default().all_switches_off();
        assert!(INFO.iter().all(|info| plain.get(info.name) != Some(Value::Switch(true))));
        assert_eq!(plain.credit_limit, Params::default().credit_limit);
    }

    #[test]
    fn settings_are_checked() {
        let mut params = Params::default();
        params.apply("credit_limit=24").unwrap();
        params.apply("Null_Move = off").unwrap();
        params.apply("root_driver=MTDF").unwrap();
        assert_eq!((params.credit_limit, params.null_move, params.root_driver), (24, false, RootDriver::Mtdf));
        let before = params.clone();
        for bad in ["credit_limit=1000", "credit_limit=x", "no_such=1", "credit_limit", "null_move=2", "root_driver=4"]
        {
            assert!(params.apply(bad).is_err(), "{bad}");
        }
        assert_eq!(params, before);
        let error = params.apply("root_driver=4").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`4` is not a value for `root_driver`: expected pvs or alpha-beta or mtdf or sss"
        );
    }
}
