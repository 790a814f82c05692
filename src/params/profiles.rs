//! The two profiles: which values make the paper's search, and which the one for play.

use std::str::FromStr;

use serde::Deserialize;

use super::{AspirationPolicy, Evaluation, ParamError, Params, choice};

choice! {
    /// Which search: the paper's, or a modern one.
    #[derive(Default, Deserialize)]
    #[serde(try_from = "String")]
    Profile {
        /// Everything that has made engines strong since, with dual credit as the only extension scheme. The default.
        #[default]
        Modern = "modern",
        /// The paper's search: dual credit, no forward pruning before quiescence, and a horizon search in place of the
        /// chip. It is not the figure as printed: later moves are searched against the best score so far, first by
        /// scouts, and again only if their credit is cashed in at once.
        DeepBlue = "deep-blue",
    }
}

/// The deep-blue profile: neither forward pruning nor reductions before quiescence (paper, section 2), the chip's
/// horizon search and its checks in quiescence (section 5), and amounts calibrated against Tables 2 and 3 (section
/// 4.2).
fn deep_blue() -> Params {
    Params {
        credit_limit: 32,
        credit_near_plies: 2,
        credit_middle_scale: 160,
        credit_far_scale: 160,
        credit_reach: 3,
        credit_wide_singular: false,
        credit_very_wide_singular: false,
        credit_forced_reply: true,
        credit_check_evasion: true,
        credit_check: false,
        threat_search: true,
        credit_influence: true,
        credit_envelope: true,
        credit_envelope_singular: true,
        conventional_checks: false,
        conventional_double: false,
        conventional_triple: false,
        singular_prediction: false,
        singular_confirmation: true,
        probe_pruning: false,
        multi_cut: false,
        null_move: false,
        null_move_margin: 0,
        null_move_yields: false,
        correction_history: false,
        correction_losing_captures: false,
        correction_minor_weight: 0,
        material_scaling: false,
        tt_estimate: false,
        surplus_reduction: false,
        history_pruning: false,
        reverse_futility: false,
        reverse_futility_threat: 0,
        futility: false,
        futility_refutation: 0,
        late_move_pruning: false,
        late_move_reductions: false,
        reduction_lead_most: 0,
        see_pins: false,
        see_pruning: false,
        check_order: 0,
        threat_history: false,
        swing_history: false,
        reply_history: false,
        easy_cutoff_depth: 0,
        scout_history: false,
        tt_history: false,
        refuted_moves: 0,
        continuation_sum: false,
        improving_above_beta: false,
        internal_reduction: false,
        growth_cut: true,
        growth_limit: 6,
        growth_floor: 10_000,
        quiescence_tt: false,
        evaluation: Evaluation::Classical,
        horizon_depth: 4,
        chip_checks: true,
        horizon_extensions: 1,
        horizon_ceiling: 8000,
        horizon_moves: true,
        singular_full_on_pv: true,
        singular_min_depth: 1,
        singular_probe_share: 50,
        delta_margin: 200,
        quiescence_gain_margin: 0,
        quiescence_mean: false,
        history_kept: 100,
        history_bonus_slope: 160,
        history_bonus_most: 1600,
        surprise_plies: 0,
        capture_history_weight: 24,
        capture_risk_divisor: 0,
        aspiration_width: 15,
        aspiration_growth: 100,
        aspiration_step: 0,
        singular_margin: 0,
        singular_margin_base: 10,
        singular_former_pv: 0,
        singular_arity: 3,
        singular_credit: 36,
        binary_credit: 20,
        trinary_credit: 12,
        forced_reply_credit: 54,
        threat_credit: 20,
        mate_threat_credit: 24,
        no_progress: true,
        pace_calm: true,
        pace_forcing: false,
        aspiration_policy: AspirationPolicy::Fixed,
        ..Params::default()
    }
}

impl Profile {
    /// The values of this profile.
    pub fn params(self) -> Params {
        match self {
            Profile::Modern => Params::default(),
            Profile::DeepBlue => deep_blue(),
        }
    }
}

impl TryFrom<String> for Profile {
    type Error = ParamError;

    fn try_from(text: String) -> Result<Profile, ParamError> {
        text.parse()
    }
}

impl FromStr for Profile {
    type Err = ParamError;
    fn from_str(text: &str) -> Result<Profile, ParamError> {
        Profile::ALL
            .into_iter()
            .find(|profile| profile.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| ParamError::UnknownProfile { name: text.trim().to_owned() })
    }
}
