//! What the words of a ledger mean, for pages.

use maud::{Markup, html};

use crate::credit::Mechanism;

/// The words that are not mechanisms.
const TERMS: [(&str, &str); 7] = [
    (
        "account",
        "Each side's credit in plies. A move that turns out to be forced or forcing earns its side credit, and both \
         accounts are carried along the line.",
    ),
    (
        "limit, cash in",
        "An account that exceeds the limit is cashed in: the search goes deeper by the excess, rounded up to whole \
         plies, and the other side gives up as much of its account. An iteration that costs far more than the last \
         one is restrained: from then on nothing is cashed in.",
    ),
    ("(kept)", "The credit was earned in an earlier visit to the position; the transposition table kept it."),
    (
        "others stay below, only one other reaches, next best",
        "The evidence for a singular, binary or trinary move: a score that no other move, only one or only two reach, \
         and the best of the others.",
    ),
    (
        "passing stays below, threatened",
        "The evidence for a threat: the score if the mover passes, and what the opponent would then play.",
    ),
    (
        "+0.00=rep, +0.00=+12",
        "A draw by repetition, and another draw with the static evaluation in centipawns that ranks it among draws.",
    ),
    (
        "where the accounts end",
        "With the line, or with the software's depth: in the deep-blue profile a horizon search of fixed depth \
         follows, and then quiescence; in the modern profile quiescence follows at once. There are no accounts there, \
         and what has not been cashed in is left unspent. The last moves of a line may also have been added from the \
         transposition table.",
    ),
];

/// What earns credit by this mechanism.
fn meaning(mechanism: Mechanism) -> &'static str {
    match mechanism {
        Mechanism::Singular => "The move is better than all others by a margin.",
        Mechanism::Binary => "Two moves are better than all others by a margin, and this is one of them.",
        Mechanism::Trinary => "Three moves are better than all others by a margin, and this is one of them.",
        Mechanism::ForcedReply => "The only legal move.",
        Mechanism::CheckEvasion => "A reply to a check that does not lose what the side already has.",
        Mechanism::Check => "A move that gives check.",
        Mechanism::Threat => "A reply to a threat: if the side passed, its score would fall.",
        Mechanism::MateThreat => "A reply to a threat of mate: if the side passed, it would be mated.",
        Mechanism::Influence => "A good move that was not possible at its side's previous turn.",
        Mechanism::PassedPawn => "A push of a far advanced passed pawn, or the reply to one.",
        Mechanism::Envelope => "Credit that an earlier visit earned and the transposition table kept.",
    }
}

/// The glossary as a part of a page that opens on demand.
pub fn glossary() -> Markup {
    html! {
        details class="glossary card" {
            summary { span class="name" { "Glossary: what earns credit, and what the words mean" } }
            dl {
                @for mechanism in Mechanism::ALL {
                    div { dt { (mechanism) } dd { (meaning(mechanism)) } }
                }
                @for (term, meaning) in TERMS {
                    div { dt { (term) } dd { (meaning) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_is_explained() {
        let page = glossary().into_string();
        assert_eq!(page.matches("<dt>").count(), Mechanism::ALL.len() + TERMS.len());
        for mechanism in Mechanism::ALL {
            assert!(page.contains(&format!("<dt>{mechanism}</dt>")), "{mechanism}");
        }
    }
}
