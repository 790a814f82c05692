//! Which searches an ablation compares.

use crate::params::{INFO, ParamError, Params, Value};

/// The name of the search that the others are compared with.
pub(super) const BASELINE: &str = "all on";
/// The switch of dual credit as a whole.
const CREDIT: &str = "credit";
/// The common prefix of its mechanisms' switches.
const CREDIT_PREFIX: &str = "credit_";
/// Switches without the prefix that credit's evidence depends on.
const EVIDENCE: [&str; 3] = ["singular_prediction", "singular_confirmation", "multi_cut"];
/// The switch of the extension scheme that other engines use instead of credit.
const CONVENTIONAL: &str = "conventional_extensions";

/// One search of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// What is set on top of the given settings, each as `name=value`.
    pub changes: Vec<String>,
    /// Its tunables.
    pub params: Params,
}

impl Variant {
    /// The given settings, with changes on top.
    fn new(name: impl Into<String>, base: &Params, changes: &[(&str, bool)]) -> Result<Variant, ParamError> {
        let mut params = base.clone();
        let changes: Vec<String> = changes.iter().map(|&(name, on)| format!("{name}={}", Value::Switch(on))).collect();
        for change in &changes {
            params.apply(change)?;
        }
        Ok(Variant { name: name.into(), changes, params })
    }
}

/// The variants of an ablation, the given settings first, and the switches that these already have off: switching those
/// off would only run the same search again.
///
/// # Errors
///
/// None if the list of tunables is consistent.
pub fn variants(base: &Params) -> Result<(Vec<Variant>, Vec<String>), ParamError> {
    let mut variants = vec![Variant::new(BASELINE, base, &[])?];
    let mut already_off = Vec::new();
    let parts = INFO.iter().filter(|info| info.is_switch() && is_part(info.name));
    for name in parts.map(|info| info.name) {
        if base.get(name) == Some(Value::Switch(false)) {
            already_off.push(name.to_owned());
        } else {
            variants.push(Variant::new(format!("no {name}"), base, &[(name, false)])?);
        }
    }
    let conventional = Variant::new("conventional", base, &[(CREDIT, false), (CONVENTIONAL, true)])?;
    variants.extend(Some(conventional).filter(|variant| variant.params != *base && extends(&variant.params)));
    Ok((variants, already_off))
}

/// Whether conventional extensions, if on, find anything to extend: the deep-blue profile looks for neither.
fn extends(params: &Params) -> bool {
    params.conventional_checks || params.singular_prediction
}

/// Whether a switch is credit, one of its mechanisms, or what they depend on.
fn is_part(name: &str) -> bool {
    name == CREDIT || name.starts_with(CREDIT_PREFIX) || EVIDENCE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Profile;

    #[test]
    fn the_settings_as_given_come_first_and_each_variant_differs_from_them() {
        for profile in Profile::ALL {
            let base = profile.params();
            let (variants, already_off) = variants(&base).unwrap();
            assert_eq!((&variants[0].params, variants[0].name.as_str()), (&base, BASELINE));
            assert_eq!(variants[1].changes, ["credit=off"]);
            assert!(variants[1..].iter().all(|variant| variant.params != base));
            for name in ["credit_singular", "singular_prediction", "singular_confirmation", "multi_cut"] {
                let taken_out = variants.iter().any(|variant| variant.changes == [format!("{name}=off")]);
                assert_ne!(taken_out, already_off.iter().any(|off| off == name), "{name}");
            }
        }
    }

    #[test]
    fn conventional_extensions_are_not_compared_with_themselves() {
        let mut base = Params::default();
        base.apply("credit=off").unwrap();
        base.apply("conventional_extensions=on").unwrap();
        let (variants, _) = variants(&base).unwrap();
        assert!(variants[1..].iter().all(|variant| variant.params != base), "{variants:?}");
    }

    #[test]
    fn only_switches_are_taken_out() {
        let (variants, already_off) = variants(&Params::default()).unwrap();
        let text = format!("{variants:?} {already_off:?}");
        assert!(!text.contains("credit_limit=") && !text.contains("no credit_reach"));
        assert_eq!(
            already_off,
            [
                "credit_forced_reply",
                "credit_check_evasion",
                "credit_influence",
                "credit_envelope",
                "credit_envelope_singular",
                "singular_confirmation"
            ]
        );
    }

    #[test]
    fn conventional_extensions_take_credits_place() {
        let (variants, _) = variants(&Params::default()).unwrap();
        let variant = variants.iter().find(|variant| variant.name == "conventional").unwrap();
        assert!(!variant.params.credit);
        assert_eq!(variant.params.get(CONVENTIONAL), Some(Value::Switch(true)));
    }

    #[test]
    fn conventional_extensions_are_compared_only_where_they_extend() {
        let is_compared = |changes: &[&str]| {
            let mut base = Profile::DeepBlue.params();
            for change in changes {
                base.apply(change).unwrap();
            }
            variants(&base).unwrap().0.iter().any(|variant| variant.name == "conventional")
        };
        assert!(!is_compared(&[]));
        assert!(is_compared(&["conventional_checks=on"]));
        assert!(is_compared(&["singular_prediction=on"]));
    }
}
