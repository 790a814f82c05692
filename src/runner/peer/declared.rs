//! The options that an engine declares, and whether it takes a value.

/// An option as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    /// Its name, in the engine's spelling.
    pub name: String,
    /// Its type, and what follows it: `spin default 16 min 1 max 1024`.
    form: String,
}

impl Declared {
    /// Reads what follows `option name` in a line of the engine.
    pub fn parse(text: &str) -> Declared {
        let (name, form) = text.split_once(" type ").unwrap_or((text, ""));
        Declared { name: name.trim().to_owned(), form: form.trim().to_owned() }
    }

    /// What the engine takes instead of this value; `None` if it takes it, as far as it says.
    pub fn objection(&self, value: &str) -> Option<String> {
        let (kind, rest) = self.form.split_once(' ').unwrap_or((&self.form, ""));
        match kind {
            "check" => (!["true", "false"].contains(&value)).then(|| "true or false".to_owned()),
            "spin" => {
                let (least, most) = (number_after(rest, "min"), number_after(rest, "max"));
                let is_within =
                    |value: i64| least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most);
                let bound =
                    |bound: Option<i64>, none: &str| bound.map_or_else(|| none.to_owned(), |bound| bound.to_string());
                let taken = || format!("{} to {}", bound(least, "any"), bound(most, "any"));
                (!value.parse().is_ok_and(is_within)).then(taken)
            }
            "combo" => {
                // Values may have spaces in them.
                let values: Vec<&str> = rest.split("var ").skip(1).map(str::trim).collect();
                let is_known = values.is_empty() || values.iter().any(|known| known.eq_ignore_ascii_case(value));
                (!is_known).then(|| values.join(", "))
            }
            _ => None,
        }
    }
}

/// The number that follows a word.
fn number_after(text: &str, word: &str) -> Option<i64> {
    text.split_whitespace().skip_while(|&found| found != word).nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_held_against_what_is_declared() {
        for (declared, taken, refused, instead) in [
            ("Threads type spin default 1 min 1 max 512", &["1", "512"][..], &["0", "513", "abc", ""][..], "1 to 512"),
            ("Odd type spin default 1", &["-9"], &["x"], "any to any"),
            ("Ponder type check default false", &["true", "false"], &["yes", "True"], "true or false"),
            (
                "Style type combo default Calm var Calm var Very Wild",
                &["Calm", "very wild"],
                &["Wild"],
                "Calm, Very Wild",
            ),
            ("Log File type string default <empty>", &["", "anything at all"], &[], ""),
            ("Clear Hash type button", &[""], &[], ""),
            ("Undeclared", &["x"], &[], ""),
        ] {
            let option = Declared::parse(declared);
            assert!(declared.starts_with(&option.name));
            assert!(taken.iter().all(|value| option.objection(value).is_none()), "{declared}");
            assert!(refused.iter().all(|value| option.objection(value).as_deref() == Some(instead)), "{declared}");
        }
    }
}
