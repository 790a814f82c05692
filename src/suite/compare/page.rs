//! The comparison as a page: the verdict, the curves, and the positions gained and lost.

use maud::{Markup, html};

use super::{Comparison, Difference, san};
use crate::board::Position;
use crate::json::MoveText;
use crate::picture::{Arrow, Page, card, sift, sift_script};
use crate::suite::curves::{NamedRun, curves};
use crate::suite::page::{answer, diagram, fen, item, limits};
use crate::text::{grouped, probability};

/// A comparison as a page.
pub fn to_comparison_page(before: NamedRun, after: NamedRun, comparison: &Comparison) -> String {
    let curves = curves(&[before, after]);
    let names = [before.name, after.name];
    let body = html! {
        @if !comparison.settings.is_empty() {
            p { "Different settings: " (comparison.settings.iter().map(|s| s.shown()).collect::<Vec<_>>().join("; ")) "." }
        }
        @if let Some(warning) = comparison.warning() { p class="bad" { "Warning: " (warning) "." } }
        @if let Some(left_out) = comparison.left_out() { p { (left_out) "." } }
        // A single chart shares its row with the figures.
        @if curves.len() != 1 { (totals(comparison)) }
        div class="sheet" style="margin-top:18px" {
            @for figure in &curves { (card(figure.inline())) }
            @if curves.len() == 1 { (card(totals(comparison))) }
        }
        (differences("Gained", &comparison.gained, names))
        (differences("Lost", &comparison.lost, names))
        (sift_script(comparison.gained.len().max(comparison.lost.len())))
    };
    let subtitle = match [before, after].map(|run| limits(run.report)) {
        [a, b] if a == b => format!("A: {}; B: {}; {a}", before.name, after.name),
        [a, b] => format!("A: {}, {a}; B: {}, {b}", before.name, after.name),
    };
    Page { title: "Two runs compared".to_owned(), subtitle, styles: &[], body }.to_html()
}

/// What changed, in figures.
fn totals(comparison: &Comparison) -> Markup {
    let count = |count: usize| grouped(count as u64);
    html! {
        ul class="figures" {
            (item(
                format!("{} → {}", count(comparison.before_solved), count(comparison.after_solved)),
                &format!("solved, of {}", count(comparison.positions)),
            ))
            (item(format!("+{} −{}", count(comparison.gained.len()), count(comparison.lost.len())), "gained and lost"))
            (item(probability(comparison.p_value), "p, McNemar's exact test"))
            @if let (Some(a), Some(b)) = (comparison.before_points, comparison.after_points) {
                (item(format!("{} → {}", grouped(a), grouped(b)), "points"))
            }
            @if let Some(ratio) = comparison.both_solve.node_ratio {
                (item(format!("× {ratio:.2}"), "nodes to a solution, if both solve (geometric mean)"))
            }
        }
    }
}

/// Positions that one run solves and the other does not.
fn differences(title: &str, list: &[Difference], [before, after]: [&str; 2]) -> Markup {
    html! {
        @if !list.is_empty() {
            h2 { (title) }
            p class="muted" { "Arrows: green the solution, red a move to avoid, blue and orange what A and B played instead." }
            (sift(list.len(), false))
            (card(html! {
                @for difference in list {
                    details {
                        summary {
                            span class="name" { (difference.id) }
                            span class="what" { (difference.expected.to_string()) }
                            span class="pair" {
                                "A " (san(&difference.before)) ", B " (san(&difference.after))
                            }
                        }
                        div class="position" {
                            (diagram(&difference.fen, |position| arrows(position, difference)))
                            div {
                                (fen(&difference.fen))
                                (answer(Some(&format!("A, {before}")), &difference.before_answer))
                                (answer(Some(&format!("B, {after}")), &difference.after_answer))
                            }
                        }
                    }
                }
            }))
        }
    }
}

/// The solution's moves, those to avoid, and what was played besides; each move once.
fn arrows(position: &Position, difference: &Difference) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    let mut add = |m: &MoveText, class| {
        let arrow = position.parse_uci(&m.uci).ok().and_then(|m| Arrow::new(m, class));
        let is_new = |arrow: &Arrow| !arrows.iter().any(|known| (known.from, known.to) == (arrow.from, arrow.to));
        if let Some(arrow) = arrow.filter(is_new) {
            arrows.push(arrow);
        }
    };
    difference.expected.best.iter().for_each(|m| add(m, "better"));
    difference.expected.avoid.iter().for_each(|m| add(m, "threat"));
    for (played, class) in [(&difference.before, "played-a"), (&difference.after, "played-b")] {
        played.iter().for_each(|played| add(played, class));
    }
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Square};
    use crate::json::PovScore;
    use crate::score::StatedScore;
    use crate::suite::{Answer, Expected};

    #[test]
    fn each_move_has_one_arrow() {
        let answer = Answer {
            played: None,
            score: PovScore { value: StatedScore::Cp(0), pov: Color::White },
            pv: Vec::new(),
            solution: None,
            first_seen: None,
            left_again: false,
            points: None,
            mate_line: None,
            iteration: 1,
            nodes: 1,
        };
        let difference = Difference {
            suite: String::new(),
            id: String::new(),
            fen: String::new(),
            expected: Expected::parse(&Position::default(), "e4 d4, not a4, #3").unwrap(),
            before: Some(MoveText { san: "d4".to_owned(), uci: "d2d4".to_owned() }),
            after: Some(MoveText { san: "Nf3".to_owned(), uci: "g1f3".to_owned() }),
            before_answer: answer.clone(),
            after_answer: answer,
        };
        let drawn = arrows(&Position::default(), &difference);
        let targets: Vec<_> = drawn.iter().map(|arrow| (arrow.to, arrow.class)).collect();
        let expected =
            [(Square::E4, "better"), (Square::D4, "better"), (Square::A4, "threat"), (Square::F3, "played-b")];
        assert_eq!(targets, expected);
    }
}
