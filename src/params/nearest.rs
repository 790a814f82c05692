//! The name that was probably meant.

#[cfg(feature = "cli")]
use strsim::jaro_winkler;

/// Names less alike than this have nothing to do with each other; 1 is the same name.
#[cfg(feature = "cli")]
const LEAST_LIKENESS: f64 = 0.8;

/// The most bytes of a text that may be a name with a slip: no name is nearly as long. Each character is compared with
/// those of every known name, and a line of input may have a million.
#[cfg(feature = "cli")]
const LONGEST: usize = 100;

/// The known name that is most like this one, ignoring case; `None` if none is much like it, or it is too long for one.
#[cfg(feature = "cli")]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = Some(name.trim()).filter(|name| name.len() <= LONGEST)?.to_lowercase();
    let likeness = |known: &str| jaro_winkler(&name, &known.to_lowercase());
    let best = known.into_iter().map(|known| (likeness(known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|&(likeness, _)| likeness >= LEAST_LIKENESS).map(|(_, known)| known)
}

/// Always `None`: the small library does not compare names.
#[cfg(not(feature = "cli"))]
pub fn nearest<'a>(_name: &str, _known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    None
}

/// The end of a message about an unknown name: `; did you mean ...?` if one is much like it.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    // The same name is known, but not here.
    let other = nearest(name, known).filter(|&known| known != name);
    other.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;
    use crate::params::INFO;

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        let known = ["multi_cut", "null_move", "Hash", "futility"];
        for (slip, meant) in [("mult_cut", "multi_cut"), ("nul_move", "null_move"), ("hsah", "Hash"), ("HASH", "Hash")]
        {
            assert_eq!(nearest(slip, known), Some(meant), "{slip}");
        }
        assert_eq!(nearest("xyzzy", known), None);
        assert_eq!(hint("mult_cut", known), "; did you mean `multi_cut`?");
        assert_eq!([hint("", known), hint("Hash", known)], ["", ""]);
    }

    #[test]
    fn what_is_longer_than_any_name_is_not_compared() {
        assert!(INFO.iter().all(|info| info.name.len() < LONGEST));
        let long = "x".repeat(LONGEST + 1);
        for (name, found) in [(&long[1..], Some(&long[1..])), (&long[..], None)] {
            assert_eq!(nearest(name, [name]), found);
        }
    }
}
