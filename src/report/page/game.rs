//! Analysed games as a page: an evaluation curve, the score sheet, and the better lines with their ledgers.

use super::model::{Data, Judged, Line, LinePicker};
use super::{SCORES_OF_WHITE, analysed, credit_limit, to_page};
use crate::board::{Move, Position};
use crate::engine::Options;
use crate::eval::{self, Chances};
use crate::pgn::PgnGame;
use crate::picture::Arrow;
use crate::report::analysis::text::{confirmation, players, sentence, summary};
use crate::report::analysis::{AnalysedMove, GameAnalysis, Inexact};
use crate::report::evidence::Witness;

/// Games with their analyses as a page; the settings are those of the searches.
///
/// # Errors
///
/// None in practice: the data has no maps with keys that JSON could not hold.
pub fn games_to_page(
    games: &[PgnGame],
    analyses: &[GameAnalysis],
    options: &Options,
) -> Result<String, serde_json::Error> {
    let provenance = analyses.first().map(|analysis| analysis.provenance.clone()).unwrap_or_default();
    let mut witness = Witness::for_boards(options);
    let mut better = Vec::new();
    let lines = games.iter().zip(analyses);
    let lines = lines.map(|(pgn, analysis)| game(pgn, analysis, options, &mut better, &mut witness)).collect();
    let data =
        Data { limit: credit_limit(&options.params), choice: LinePicker::List, positions: Vec::new(), lines, better };
    // Of all games, if anything was searched again in one of them.
    let telling = analyses.iter().find(|analysis| analysis.suspects > 0).or(analyses.first());
    let confirmation = telling.map(confirmation).unwrap_or_default();
    to_page("Where the game turned", &provenance, &data, &format!("{SCORES_OF_WHITE} {confirmation}"))
}

/// White's expected score by the side to move's evaluation, in centipawns.
fn static_points(position: &Position, evaluation: i32) -> f64 {
    let chances = Chances::of_evaluation(evaluation, position);
    position.turn().fold_wb(chances, chances.flip()).points()
}

/// A tag's value, or an id, that does not turn around what stands beside it if it is written from right to left.
pub(super) fn isolated(value: &str) -> String {
    /// First strong isolate, and the end of it.
    const ISOLATE: (char, char) = ('\u{2068}', '\u{2069}');
    if value.is_ascii() { value.to_owned() } else { format!("{}{value}{}", ISOLATE.0, ISOLATE.1) }
}

/// One game; the better lines of its marked moves go to `better`.
fn game(
    pgn: &PgnGame,
    analysis: &GameAnalysis,
    options: &Options,
    better: &mut Vec<Line>,
    witness: &mut Witness,
) -> Line {
    let moves: Vec<Move> = pgn.moves.iter().map(|step| step.mv).collect();
    let heading = format!("White: {}. Black: {}.", summary(&analysis.white), summary(&analysis.black));
    let mut line = Line::plain(&pgn.start, &moves).called(players(pgn, isolated), heading);
    let mut position = pgn.start.clone();
    for ((step, judged), &m) in line.moves.iter_mut().zip(&analysis.moves).zip(&moves) {
        let place = judged.instead().map(|line| {
            // Without a sacrifice: no arrow, since that move was not better.
            let arrow = judged.mark.and(line.moves.first()).and_then(|&best| Arrow::new(best, "better"));
            step.arrows.extend(arrow);
            let score = judged.instead_score().unwrap_or_default();
            let what = if judged.mark.is_some() { "better" } else { "without it" };
            let heading = format!("{what}: {score} for White");
            let instead = analysed(&position, line, witness);
            better.push(instead.called(String::new(), heading));
            better.len() - 1
        });
        position = position.play(m);
        step.judged = Some(assessment(judged, place, &position, options));
    }
    line
}

/// What the page says of a move that leads to the position.
fn assessment(judged: &AnalysedMove, better: Option<usize>, position: &Position, options: &Options) -> Judged {
    let loss =
        judged.mark.and(judged.loss).map(|loss| format!(" It loses {loss:.3} of the point.")).unwrap_or_default();
    Judged {
        score: Inexact::with_score(judged.bound, judged.score),
        points: judged.chances.value.points(),
        classical: static_points(position, eval::evaluate(position)),
        network: options.network.as_ref().map(|network| {
            let total = network.evaluate(position.board(), position.turn());
            static_points(position, eval::counted(&options.params, position, total).unwrap_or(total))
        }),
        mark: Some(judged.glyph()).filter(|glyph| !glyph.is_empty()),
        comment: sentence(judged).map(|sentence| format!("{sentence}{loss}")).unwrap_or_default(),
        theory: judged.theory,
        better,
    }
}
