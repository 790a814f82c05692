//! The static evaluations of a position, term by term and piece by piece.

mod json;
mod page;

pub use json::PositionEvaluation;
pub use page::to_page;

use comfy_table::CellAlignment;

use crate::board::{File, Position, Rank, Square};
use crate::eval::nnue::{Network, OUTPUT_BUCKETS};
use crate::eval::{self, Chances, MAX_PHASE, TermTrace, Trace, least_pieces};
use crate::params::Params;
use crate::params::weights::FULL_SCALE;
use crate::score::pawns;
use crate::text::{TableStyle, plain};
use crate::units::Tapered;

/// How the table is shown on a terminal.
pub const TABLES: TableStyle = TableStyle::without_verdicts(&["eg", "White mg", "Black mg"]);
/// Headers of the table.
const HEADERS: [&str; 7] = ["term", "White mg", "eg", "Black mg", "eg", "total mg", "eg"];

/// One row of the table: a name and three tapered amounts, each in two cells.
fn row(name: &str, white: Tapered, black: Tapered) -> Vec<String> {
    let difference = white - black;
    let amounts = [white, black, difference].into_iter().flat_map(|amount| [pawns(amount.mg()), pawns(amount.eg())]);
    std::iter::once(name.to_owned()).chain(amounts).collect()
}

/// Both evaluations of a position as text: the classical one, and the network's if there is one.
pub fn to_text(position: &Position, network: Option<&Network>) -> String {
    let network = network.map(|network| format!("\n{}", by_network(position, network))).unwrap_or_default();
    format!("classical\n{}{network}", by_terms(position))
}

/// The network's evaluation: what each piece is worth to its side, as a board, then the score.
fn by_network(position: &Position, network: &Network) -> String {
    let values = network.piece_values(position);
    let cell = |square: Square| {
        let piece = position.board().piece_at(square).map_or('.', |piece| piece.char());
        let value = values.iter().find(|(place, _)| *place == square).map(|(_, value)| pawns(*value));
        format!("{:>8}", format!("{piece}{}", value.unwrap_or_default()))
    };
    let rank = |rank: Rank| {
        let cells: String = File::ALL.into_iter().map(|file| cell(Square::from_coords(file, rank))).collect();
        format!("{}{cells}\n", rank.char())
    };
    let board: String = Rank::ALL.into_iter().rev().map(rank).collect();
    let files: String = File::ALL.into_iter().map(|file| format!("{:>8}", file.char())).collect();
    let pieces = position.board().occupied().count();
    let total = network.evaluate(position.board(), position.turn());
    format!(
        "network {:08x}: what each piece is worth to its side\n{board} {files}\n\
         {} pieces, output bucket {} of {}{}\n{}{}\n",
        network.checksum(),
        pieces,
        Network::output_bucket(pieces) + 1,
        OUTPUT_BUCKETS,
        without_one(pieces),
        score_by_network(position, total),
        in_the_search(position, total),
    )
}

/// What is said of the worth of pieces where a position without one of them has another output bucket.
fn without_one(pieces: usize) -> String {
    let [with, without] = [pieces, pieces.saturating_sub(1)].map(Network::output_bucket);
    if with == without {
        return String::new();
    }
    format!("; without one of them it is bucket {}, and each number includes the change", without + 1)
}

/// The network's evaluation as a search takes it by default; `None` with so few pieces that it asks the other one.
fn counted(position: &Position, total: i32) -> Option<i32> {
    eval::counted(&Params::default(), position, total)
}

/// What a search makes of the network's evaluation by default, as a sentence.
fn in_the_search(position: &Position, total: i32) -> String {
    if position.is_terminal() {
        return "No search asks it here.".to_owned();
    }
    match counted(position, total) {
        Some(counted) => format!(
            "By default a search takes it for {} for the side to move, by how much material is left; the chances above \
             are those of that score.",
            pawns(counted)
        ),
        None => {
            let least = least_pieces(&Params::default());
            format!("With fewer than {least} pieces the network is by default only asked to rank draws.")
        }
    }
}

/// The line with the score, given for the side to move, and with the chances that an evaluation of `counted` has.
fn score(position: &Position, total: i32, counted: i32) -> String {
    let over = if position.is_terminal() { "; the game is over" } else { "" };
    format!(
        "score {} for White, {} for the side to move ({}){over}: {}\n",
        pawns(position.turn().fold_wb(total, -total)),
        pawns(total),
        position.turn().fold_wb("White", "Black"),
        Chances::of_evaluation(counted, position),
    )
}

/// That line for the network's evaluation.
fn score_by_network(position: &Position, total: i32) -> String {
    score(position, total, counted(position, total).unwrap_or(total))
}

/// The terms, and as the last one their sum, from which the score comes.
fn with_sum(trace: &Trace) -> Vec<TermTrace> {
    let total = |side: fn(&TermTrace) -> Tapered| trace.terms.iter().map(side).sum::<Tapered>();
    let sum = TermTrace { name: "sum", white: total(|term| term.white), black: total(|term| term.black) };
    trace.terms.iter().copied().chain([sum]).collect()
}

/// The classical evaluation: each term for both sides in middlegame and endgame, then their sum.
fn by_terms(position: &Position) -> String {
    let trace = eval::trace(position);
    let mut table = plain(&HEADERS);
    for term in with_sum(&trace) {
        table.add_row(row(term.name, term.white, term.black));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{}\n\n{}", table.trim_fmt(), summary(position, &trace))
}

/// What follows the table: phase, scale and the final score.
fn summary(position: &Position, trace: &Trace) -> String {
    let score = score(position, trace.total, trace.total);
    format!("phase {} of {MAX_PHASE}, scale {} of {FULL_SCALE}\n{score}", trace.phase, trace.scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::PovChances;
    use crate::score::Score;
    use crate::text::{narrowed, unbroken};

    #[test]
    fn the_network_shows_what_each_piece_is_worth() {
        let position = Position::from_fen("4k3/7r/8/8/8/8/4Q3/3K4 b - - 0 1", false).unwrap();
        let Some(network) = crate::eval::nnue::embedded() else { panic!("the project's own network is sound") };
        let text = to_text(&position, Some(&network));
        let values = network.piece_values(&position);
        assert_eq!(values.iter().map(|(square, _)| *square).collect::<Vec<_>>(), [Square::E2, Square::H7]);
        for (square, value) in values {
            let piece = position.board().piece_at(square).unwrap().char();
            assert!(text.contains(&format!("{piece}{}", pawns(value))), "{text}");
        }
        assert!(text.contains("output bucket 1 of 8"), "{text}");
        let line = score(&position, -510, -510);
        assert!(line.starts_with("score +5.10 for White, -5.10 for the side to move (Black): "), "{line}");
    }

    #[test]
    fn it_is_said_where_what_a_piece_is_worth_includes_another_bucket() {
        let Some(network) = crate::eval::nnue::embedded() else { panic!("the project's own network is sound") };
        // Six pieces, and seven.
        for (fen, changes) in
            [("4k3/7r/p7/8/8/8/4Q2P/3K4 b - - 0 1", true), ("4k3/7r/pp6/8/8/8/4Q2P/3K4 b - - 0 1", false)]
        {
            let position = Position::from_fen(fen, false).unwrap();
            let said = "; without one of them it is bucket 1, and each number includes the change";
            let [text, page] = [to_text(&position, Some(&network)), to_page(&position, Some(&network))];
            assert_eq!(text.contains(&format!("6 pieces, output bucket 2 of 8{said}\n")), changes, "{text}");
            assert_eq!(
                page.contains(&format!("With 6 pieces, output bucket 2 of 8 decides{said}. ")),
                changes,
                "{page}"
            );
            assert_eq!(page.contains("includes the change"), changes, "{page}");
        }
        let counts = (2..=32).filter(|&pieces| !without_one(pieces).is_empty());
        assert_eq!(counts.collect::<Vec<_>>(), [6, 10, 14, 18, 22, 26, 30]);
    }

    #[test]
    fn it_is_said_where_the_network_is_not_asked() {
        let Some(network) = crate::eval::nnue::embedded() else { panic!("the project's own network is sound") };
        // Five pieces, and six.
        for (fen, is_asked) in
            [("4k3/7r/8/8/8/8/4Q2P/3K4 b - - 0 1", false), ("4k3/7r/p7/8/8/8/4Q2P/3K4 b - - 0 1", true)]
        {
            let position = Position::from_fen(fen, false).unwrap();
            let played = {
                let mut evaluator = eval::Evaluator::new(&Params::default(), Some(network.clone()));
                evaluator.begin(&position);
                evaluator.evaluate(&position)
            };
            let by_network = network.evaluate(position.board(), position.turn());
            assert_eq!(eval::counted(&Params::default(), &position, by_network), is_asked.then_some(played));
            assert_eq!(played == eval::evaluate(&position), !is_asked);
            let json = serde_json::to_value(PositionEvaluation::new(&position, Some(&network))).unwrap();
            assert_eq!(json["network"]["is_asked"], is_asked);
            let score = Score::cp(if is_asked { played } else { by_network });
            let chances = serde_json::to_value(PovChances::of_mover(score, &position)).unwrap();
            assert_eq!(json["network"]["chances"], chances);
            for form in [to_text(&position, Some(&network)), to_page(&position, Some(&network))] {
                assert_eq!(form.contains("With fewer than"), !is_asked, "{form}");
                let counted = format!("By default a search takes it for {} for the side to move,", pawns(played));
                assert_eq!(form.contains(&counted), is_asked, "{form}");
            }
        }
    }

    #[test]
    fn a_game_that_is_over_has_its_result_and_no_search() {
        let Some(network) = crate::eval::nnue::embedded() else { panic!("the project's own network is sound") };
        // Stalemate, mate, and bishops on squares of one colour.
        for (fen, result) in [
            ("k7/2Q5/8/1p6/1P6/8/P7/K7 b - - 0 1", Chances::DRAW),
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Chances::LOSS),
            ("k7/8/b1b5/8/8/1B1B4/8/K7 w - - 0 1", Chances::DRAW),
        ] {
            let position = Position::from_fen(fen, false).unwrap();
            let with_network = Some(&*network);
            for (form, evaluations) in [
                (to_text(&position, with_network), 2),
                (to_page(&position, with_network), 2),
                (to_text(&position, None), 1),
            ] {
                let over = unbroken(&format!("; the game is over: {result}"));
                assert_eq!(unbroken(&form).matches(&over).count(), evaluations, "{form}");
                assert_eq!(form.matches("No search asks it here.").count(), evaluations - 1, "{form}");
                assert!(!form.contains("By default"), "{form}");
            }
            let json = serde_json::to_value(PositionEvaluation::new(&position, Some(&network))).unwrap();
            let chances = serde_json::to_value(PovChances { value: result, pov: position.turn() }).unwrap();
            assert_eq!([&json["classical"]["chances"], &json["network"]["chances"]], [&chances; 2]);
            assert_eq!((&json["network"]["is_asked"], json["network"].get("counted")), (&false.into(), None));
        }
    }

    #[test]
    fn what_goes_first_is_in_the_table() {
        TABLES.check(&HEADERS);
        let narrow = narrowed(&by_terms(&Position::default()), 60, &TABLES);
        assert!(narrow.lines().all(|line| line.len() <= 60) && narrow.contains("total mg"), "{narrow}");
    }

    #[test]
    fn every_term_is_shown() -> Result<(), crate::board::PositionError> {
        insta::assert_snapshot!("opening", by_terms(&Position::default()));
        let attack = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
        insta::assert_snapshot!("attack", by_terms(&Position::from_fen(attack, false)?));
        Ok(())
    }
}
