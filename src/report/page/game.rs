//! Analysed games as a page: an evaluation curve, the score sheet, and the better lines with their ledgers.

use super::model::{Arrow, Choice, Data, Judged, Line};
use super::{SCORES_OF_WHITE, analysed, limit, to_page};
use crate::board::Move;
use crate::params::Params;
use crate::pgn::PgnGame;
use crate::report::analysis::text::{players, summary};
use crate::report::analysis::{AnalysedMove, GameAnalysis};
use crate::report::evidence::Witness;

/// Games with their analyses as a page; the settings are those of the searches.
///
/// # Errors
///
/// None in practice: the data has no maps with keys that JSON could not hold.
pub fn games_to_page(
    games: &[PgnGame],
    analyses: &[GameAnalysis],
    params: &Params,
) -> Result<String, serde_json::Error> {
    let mut witness = Witness::for_boards();
    let mut better = Vec::new();
    let lines: Vec<Line> =
        games.iter().zip(analyses).map(|(pgn, analysis)| game(pgn, analysis, &mut better, &mut witness)).collect();
    let data = Data { limit: limit(params), choice: Choice::List, lines, better };
    let provenance = analyses.first().map(|analysis| analysis.provenance.clone()).unwrap_or_default();
    to_page("Where the game turned", &provenance, &data, SCORES_OF_WHITE)
}

/// One game; the better lines of its marked moves go to `better`.
fn game(pgn: &PgnGame, analysis: &GameAnalysis, better: &mut Vec<Line>, witness: &mut Witness) -> Line {
    let moves: Vec<Move> = pgn.moves.iter().map(|step| step.mv).collect();
    let heading = format!("White: {}. Black: {}.", summary(&analysis.white), summary(&analysis.black));
    let mut line = Line::plain(&pgn.start, &moves).called(players(pgn), heading);
    let mut position = pgn.start.clone();
    for ((step, judged), &m) in line.moves.iter_mut().zip(&analysis.moves).zip(&moves) {
        let place = judged.mark.map(|_| {
            step.arrows.extend(judged.best.moves.first().and_then(|&best| Arrow::new(best, "better")));
            let heading = format!("{} for White ({})", judged.best.score, judged.best.chances);
            let instead = analysed(&position, &judged.best, &analysis.provenance, witness);
            better.push(instead.called(String::new(), heading));
            better.len() - 1
        });
        step.judged = Some(assessment(judged, place));
        position = position.play(m);
    }
    line
}

/// What the page says of a move.
fn assessment(judged: &AnalysedMove, better: Option<usize>) -> Judged {
    let comment = judged.mark.map(|mark| {
        format!("{}: loses {:.2} of the point; {} was better", mark.name(), judged.loss, judged.best.best_san())
    });
    Judged {
        score: judged.score.to_string(),
        points: judged.chances.value.points(),
        mark: judged.mark.map(|mark| mark.glyph()),
        comment: comment.unwrap_or_default(),
        better,
    }
}
