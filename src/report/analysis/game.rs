//! A whole game: every position searched, and the moves marked that lost part of the expected score.

use serde::Serialize;

use super::confirm::{Suspect, deeper};
use super::mark::thousandths;
use super::reached::{Reached, Searcher};
use super::sacrifice::Offer;
use super::theory::Theory;
use super::{AnalysedLine, AnalysedMove, Mark};
use crate::board::{Color, Game, Move, Position};
use crate::engine::{Engine, Limits};
use crate::eval::Chances;
use crate::json::{MoveText, PovChances, PovScore};
use crate::pgn::PgnGame;
use crate::runner::{Head, Kind, Provenance};
use crate::score::Score;
use crate::search::StopFlag;

/// How a game is analysed.
#[derive(Copy, Clone, Debug)]
pub struct Plan<'a> {
    /// The limits of the search of each position.
    pub limits: &'a Limits,
    /// How many times the nodes and the time the second searches have, with an iteration more for each doubling; 0 for
    /// no second searches.
    pub confirm: u32,
    /// Positions in which only blunders are marked.
    pub theory: &'a Theory,
    /// Ends the analysis early.
    pub stop: &'a StopFlag,
}

/// How far the analysis of a game is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Number of positions searched.
    Searched(usize),
    /// Number of moves searched again, and of all such moves.
    Confirmed(usize, usize),
}

/// One side's summary.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SideSummary {
    /// The number of moves made.
    pub moves: u32,
    /// The number of inaccuracies among them.
    pub inaccuracies: u32,
    /// The number of mistakes among them.
    pub mistakes: u32,
    /// The number of blunders among them.
    pub blunders: u32,
    /// The number of sound sacrifices among them.
    pub sacrifices: u32,
    /// The number of moves that were judged: those whose loss is known.
    pub judged: u32,
    /// The mean loss of the moves that were judged, in expected score, from 0 to 1; missing if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_loss: Option<f64>,
}

/// A game with its assessment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameAnalysis {
    /// The settings of the searches.
    #[serde(skip)]
    pub provenance: Provenance,
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// The game's tags in order, each with name and value.
    pub tags: Vec<(String, String)>,
    /// The position that it starts from; missing if that is the initial one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The result, as in PGN: `1-0`, `0-1`, `1/2-1/2`, or `*` if it is not known.
    pub result: String,
    /// Nodes searched for all positions.
    pub nodes: u64,
    /// How many times the nodes and the time the second searches had, with an iteration more for each doubling; 0 if
    /// none were wanted.
    pub confirm: u32,
    /// The number of moves that were searched again, as suspected mistakes or sacrifices.
    pub suspects: usize,
    /// Nodes of these second searches; none if the rules decide, as after a mate.
    pub confirm_nodes: u64,
    /// The moves in order, each with its assessment.
    pub moves: Vec<AnalysedMove>,
    /// White's summary.
    pub white: SideSummary,
    /// Black's summary.
    pub black: SideSummary,
}

/// Games with their assessments.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GamesAnalysis<'a> {
    /// The version of the form, and the settings of the searches.
    #[serde(flatten)]
    pub head: Head,
    /// The games, in the order of the file.
    pub games: &'a [GameAnalysis],
    /// Whether the analysis was ended before the last game; missing if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

impl<'a> GamesAnalysis<'a> {
    /// Games that were analysed with the same settings: all, unless that was interrupted.
    pub fn new(games: &'a [GameAnalysis], interrupted: bool) -> GamesAnalysis<'a> {
        let provenance = games.first().map(|game| game.provenance.clone()).unwrap_or_default();
        GamesAnalysis { head: Head::new(Kind::Games, provenance), games, interrupted }
    }
}

/// Analyses a game. The positions are searched from last to first, so that the table already knows what a move leads
/// to; then suspected mistakes and sacrifices are searched again, deeper. `progress` gets how far it is. `None` if it
/// was ended early.
pub fn game(engine: &mut Engine, pgn: &PgnGame, plan: Plan, progress: &mut dyn FnMut(Stage)) -> Option<GameAnalysis> {
    let positions: Vec<Position> = pgn.positions().collect();
    engine.new_game();
    let mut searcher = Searcher { engine, limits: plan.limits.clone(), stop: plan.stop, nodes: 0 };
    let mut reached: Vec<Reached> = Vec::with_capacity(positions.len());
    for index in (0..positions.len()).rev() {
        let is_last = index + 1 == positions.len();
        reached.push(Reached::in_game(&mut searcher, &game_to(&positions, index), is_last));
        if plan.stop.is_raised() {
            return None;
        }
        progress(Stage::Searched(positions.len() - index));
    }
    reached.reverse();
    let mut moves: Vec<AnalysedMove> = (0..pgn.moves.len())
        .filter_map(|index| {
            let best = reached[index].best.clone()?;
            let is_theory = plan.theory.contains(&positions[index + 1]);
            Some(judge(&positions[index], pgn.moves[index].mv, best, &reached[index + 1], is_theory))
        })
        .collect();
    let first_nodes = searcher.nodes;
    let mut suspects = 0;
    if plan.confirm > 0 {
        searcher.limits = deeper(plan.limits, plan.confirm);
        suspects = confirm(&mut searcher, &positions, &mut moves, progress)?;
    }
    Some(GameAnalysis {
        provenance: Provenance::of_engine(searcher.engine, plan.limits),
        number: pgn.number,
        tags: pgn.tags.clone(),
        fen: Some(pgn.start.fen()).filter(|fen| *fen != Position::default().fen()),
        result: pgn.result.to_string(),
        nodes: searcher.nodes,
        confirm: plan.confirm,
        suspects,
        confirm_nodes: searcher.nodes - first_nodes,
        white: summary(&moves, Color::White),
        black: summary(&moves, Color::Black),
        moves,
    })
}

/// The game up to one of its positions. Its history would take too much room if each position had its own.
fn game_to(positions: &[Position], index: usize) -> Game {
    Game::through(&positions[..index], positions[index].clone())
}

/// Searches suspected mistakes and offers again, the last first, and returns how many; `None` if it was ended early.
fn confirm(
    searcher: &mut Searcher,
    positions: &[Position],
    moves: &mut [AnalysedMove],
    progress: &mut dyn FnMut(Stage),
) -> Option<usize> {
    let offers = |(index, step): (usize, &AnalysedMove)| {
        let is_offer = !step.theory && Offer::of(&positions[index], step.mv).is_some();
        (step.mark.is_some() || is_offer).then_some(index)
    };
    let suspects: Vec<usize> = moves.iter().enumerate().filter_map(offers).collect();
    for (done, &index) in suspects.iter().rev().enumerate() {
        let (made, rest) = moves.split_at_mut(index + 1);
        let step = &mut made[index];
        let is_last = index + 2 == positions.len();
        let (before, after) = (game_to(positions, index), game_to(positions, index + 1));
        let suspect = Suspect { before: &before, mv: step.mv, after: &after, is_last };
        let position = &positions[index];
        if let (Some(_), Some(&better)) = (step.mark, step.best.moves.first()) {
            if let Some(verdict) = suspect.compare(searcher, better) {
                step.confirmed = verdict.loss.and(Some(verdict.confirmation));
                step.assess(position, &verdict.reached, verdict.loss);
            } else {
                (step.loss, step.mark) = (None, None);
            }
        }
        // A mistake that was none may be a sacrifice that the first search did not understand.
        if step.mark.is_none()
            && !step.theory
            && let Some((sacrifice, reached, loss)) = suspect.sacrifice(searcher)
            && !sacrifice.is_refuted_by(step.side, rest)
        {
            (step.sacrifice, step.confirmed) = (Some(sacrifice), None);
            step.assess(position, &reached, Some(loss));
        }
        if searcher.stop.is_raised() {
            return None;
        }
        progress(Stage::Confirmed(done + 1, suspects.len()));
    }
    Some(suspects.len())
}

/// Judges a move by the best one in its place and the score of the position after it.
fn judge(before: &Position, mv: Move, best: AnalysedLine, after: &Reached, theory: bool) -> AnalysedMove {
    // Both by the material before the move: a capture alone must not change what a score is worth.
    let points = |value: Score| Chances::new(value, before).points();
    let loss = if best.iteration == 0 {
        // Without a completed iteration there is a move, but no opinion.
        None
    } else if best.moves.first() == Some(&mv) {
        // The best move loses nothing, whatever a deeper search of what follows says.
        Some(0.0)
    } else {
        after.is_known().then(|| (points(best.value) - points(-after.value)).max(0.0))
    };
    let mut judged = AnalysedMove {
        number: before.fullmoves(),
        side: before.turn(),
        text: MoveText::new(before, mv),
        score: PovScore::of_white(Score::ZERO, before),
        bound: None,
        chances: PovChances::of_white(Chances::DRAW, before.turn()),
        loss: None,
        mark: None,
        theory,
        confirmed: None,
        sacrifice: None,
        best,
        mv,
    };
    judged.assess(before, after, loss);
    judged
}

/// One side's summary.
fn summary(moves: &[AnalysedMove], side: Color) -> SideSummary {
    let mut summary = SideSummary::default();
    let mut loss = 0.0;
    for step in moves.iter().filter(|step| step.side == side) {
        summary.moves += 1;
        loss += step.loss.unwrap_or_default();
        summary.judged += u32::from(step.loss.is_some());
        match step.mark {
            Some(Mark::Inaccuracy) => summary.inaccuracies += 1,
            Some(Mark::Mistake) => summary.mistakes += 1,
            Some(Mark::Blunder) => summary.blunders += 1,
            None => {}
        }
        summary.sacrifices += u32::from(step.sacrifice.is_some());
    }
    summary.mean_loss = (summary.judged > 0).then(|| thousandths(loss / f64::from(summary.judged)));
    summary
}

#[cfg(test)]
mod tests {
    use super::super::text::{confirmation, summary as summary_text};
    use super::super::{Confirmation, Inexact};
    use super::*;
    use crate::engine::Options;
    use crate::pgn::Games;
    use crate::score::StatedScore;

    #[test]
    fn what_the_rules_decide_is_confirmed_without_a_node() {
        let text = "[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 1/2-1/2";
        let limits = Limits::of_nodes(2_000);
        let analysis = analysed(text, &limits, 4, &Theory::default());
        assert_eq!((analysis.moves[0].mark, analysis.confirm_nodes), (Some(Mark::Blunder), 0));
        assert_eq!(analysis.fen.as_deref(), Some("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"));
        assert_eq!((analysis.number, analysis.result.as_str()), (1, "1/2-1/2"));
        assert!(confirmation(&analysis).ends_with(" searched again with 4 times the limit."));
        assert!(summary_text(&analysis.black).ends_with(" in 0 moves"));
    }

    #[test]
    fn an_analysis_that_is_ended_early_says_nothing() {
        let pgn = Games::new(&b"1. f3 e5 2. g4 Qh4# 0-1"[..]).next().unwrap().unwrap().unwrap();
        let (limits, theory) = (Limits::to_depth(2), Theory::default());
        // After so many steps: five positions, and the blunder again.
        let ended_after = |steps| {
            let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
            let stop = StopFlag::new();
            let plan = Plan { limits: &limits, confirm: 2, theory: &theory, stop: &stop };
            let mut left: usize = steps;
            let mut hear = |_| {
                left = left.saturating_sub(1);
                if left == 0 {
                    stop.raise();
                }
            };
            game(&mut engine, &pgn, plan, &mut hear).is_some()
        };
        assert_eq!([1, 4, 100].map(ended_after), [false, false, true]);
    }

    #[test]
    fn what_was_not_searched_is_not_judged() {
        let (limits, theory) = (Limits::of_nodes(1), Theory::default());
        let analysis = analysed("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0", &limits, 4, &theory);
        let nothing = |step: &AnalysedMove| step.loss.is_none() && step.mark.is_none() && step.sacrifice.is_none();
        assert!(analysis.moves.iter().all(nothing), "{analysis:?}");
        for side in [&analysis.white, &analysis.black] {
            assert_eq!((side.judged, side.mean_loss), (0, None));
            assert!(summary_text(side).ends_with(" moves; none of them was judged"));
        }
        assert_eq!(confirmation(&analysis), "No mistake or sacrifice was suspected, and nothing searched again.");
    }

    #[test]
    fn the_mean_loss_is_of_the_moves_judged_and_marks_are_counted() {
        let limits = Limits::to_depth(4);
        let mut moves = analysed("1. f3 e5 2. g4 Qh4# 0-1", &limits, 0, &Theory::default()).moves;
        (moves[0].loss, moves[2].loss) = (None, Some(0.5));
        let white = summary(&moves, Color::White);
        assert_eq!((white.judged, white.mean_loss), (1, Some(0.5)));
        assert!(summary_text(&white).ends_with(" in 2 moves; mean loss of the 1 judged 0.500"));
        let marks = [Mark::Mistake, Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];
        moves.iter_mut().zip(marks).for_each(|(step, mark)| step.mark = Some(mark));
        let counted = |side| {
            let SideSummary { inaccuracies, mistakes, blunders, .. } = summary(&moves, side);
            (inaccuracies, mistakes, blunders)
        };
        assert_eq!((counted(Color::White), counted(Color::Black)), ((0, 2, 0), (1, 0, 1)));
    }

    /// An analysis of a game with these limits.
    fn analysed(text: &str, limits: &Limits, confirm: u32, theory: &Theory) -> GameAnalysis {
        let (mut engine, _) = Engine::new(Options { hash_mb: 16, ..Options::default() });
        analysed_by(&mut engine, text, limits, confirm, theory)
    }

    /// The same by this engine.
    fn analysed_by(engine: &mut Engine, text: &str, limits: &Limits, confirm: u32, theory: &Theory) -> GameAnalysis {
        let pgn = Games::new(text.as_bytes()).next().unwrap().unwrap().unwrap();
        let plan = Plan { limits, confirm, theory, stop: &StopFlag::new() };
        game(engine, &pgn, plan, &mut |_| {}).expect("nothing ends it early")
    }

    #[test]
    fn a_game_is_the_same_whatever_the_engine_analysed_before() {
        let (mut engine, _) = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let (limits, theory) = (Limits::to_depth(6), Theory::default());
        let mut analysis = || analysed_by(&mut engine, "1. f3 e5 2. g4 Qh4# 0-1", &limits, 0, &theory);
        assert_eq!(analysis(), analysis());
    }

    #[test]
    fn the_blunder_of_a_fools_mate_is_marked_and_the_mate_is_not() {
        let limits = Limits::to_depth(6);
        let analysis = analysed("1. f3 e5 2. g4 Qh4# 0-1", &limits, 2, &Theory::named().unwrap());
        let marks: Vec<_> = analysis.moves.iter().map(|step| (step.text.san.as_str(), step.mark)).collect();
        assert_eq!(marks[2], ("g4", Some(Mark::Blunder)));
        assert_eq!(marks[3], ("Qh4#", None));
        assert_eq!((analysis.white.blunders, analysis.black.blunders), (1, 0));
        assert_eq!(analysis.moves[2].score.value, StatedScore::Mate(-1));
        assert_eq!(analysis.moves[2].confirmed.map(|confirmed| confirmed.played.value), Some(StatedScore::Mate(-1)));
        assert_eq!(analysis.moves[3].chances.value, Chances::LOSS);
        // What was better is worth what the second search says.
        let mut blunder = analysis.moves[2].clone();
        let better = PovScore { value: StatedScore::Cp(-77), pov: Color::White };
        blunder.confirmed = blunder.confirmed.map(|confirmed| Confirmation { better, ..confirmed });
        assert_eq!(blunder.instead_score().as_deref(), Some("-0.77"));
        // Without one, what the first says, which may be a bound.
        (blunder.confirmed, blunder.best.bound, blunder.best.score) = (None, Some(Inexact::Upper), better);
        assert_eq!(blunder.instead_score().as_deref(), Some("<= -0.77"));
    }

    #[test]
    fn a_score_after_a_move_is_a_bound_where_the_search_ended_before_it_was_exact() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let text = format!("[FEN \"{fen}\"]\n\n1. a3 bxc3 2. Bxc3 O-O 3. O-O *");
        let mut inexact = 0;
        for nodes in (1..30).map(|hundreds| 100 * hundreds) {
            let limits = Limits::of_nodes(nodes);
            let analysis = analysed(&text, &limits, 0, &Theory::default());
            for pair in analysis.moves.windows(2) {
                // One search gives the score after a move and the best line from there.
                assert_eq!((pair[0].score, pair[0].bound), (pair[1].best.score, pair[1].best.bound));
                inexact += u32::from(pair[0].bound.is_some());
            }
        }
        assert!(inexact > 0, "nothing to test");
    }

    #[test]
    fn a_stalemate_is_half_a_point_whatever_the_material() {
        let text = "[FEN \"k7/8/1K6/8/8/8/8/2Q5 w - - 0 1\"]\n\n1. Qc7 1/2-1/2";
        for confirm in [0, 1, 2] {
            let limits = Limits::to_depth(4);
            let analysis = analysed(text, &limits, confirm, &Theory::default());
            let step = &analysis.moves[0];
            assert_eq!((step.chances.value, step.loss, step.mark), (Chances::DRAW, Some(0.5), Some(Mark::Blunder)));
            assert_eq!((step.best.chances.value, step.confirmed.is_some()), (Chances::WIN, confirm > 0));
        }
    }

    #[test]
    fn a_draw_that_nobody_claimed_confirms_nothing() {
        // Black, who could take the queen at any time, repeats the position a third time, and the game goes on.
        let fen = "4r1k1/5ppp/8/8/4Q3/8/5PPP/6K1 w - - 0 1";
        let text = format!("[FEN \"{fen}\"]\n\n1. Kh1 Kh8 2. Kg1 Kg8 3. Kh1 Kh8 4. Kg1 Kg8 5. h3 *");
        let limits = Limits::to_depth(3);
        let analysis = analysed(&text, &limits, 2, &Theory::default());
        let step = &analysis.moves[7];
        assert_eq!((step.text.san.as_str(), step.mark), ("Kg8", Some(Mark::Blunder)));
        assert_eq!(step.confirmed.map(|confirmed| confirmed.played.value), Some(StatedScore::Mate(1)));
    }

    #[test]
    fn a_famous_sacrifice_is_recognised_and_theory_is_not_marked() {
        // Deep Blue - Kasparov 1997, game 6.
        let fen = "r1bqkb1r/pp1n1ppp/2p1pn2/6N1/3P4/3B4/PPP2PPP/R1BQK1NR w KQkq - 0 7";
        let text = format!("[FEN \"{fen}\"]\n\n7. N1f3 h6 8. Nxe6 *");
        let limits = Limits::of_nodes(20_000);
        let analysis = analysed(&text, &limits, 4, &Theory::named().unwrap());
        assert_eq!(analysis.moves.iter().map(|step| step.theory).collect::<Vec<_>>(), [true, false, false]);
        let sacrifice = analysis.moves[2].sacrifice.as_ref().expect("a sacrifice");
        assert_eq!(sacrifice.offer.to_string(), "a knight for a pawn");
        assert_eq!((analysis.white.sacrifices, analysis.black.sacrifices), (1, 0));
        assert!(analysis.confirm_nodes > 0 && analysis.nodes > analysis.confirm_nodes);
    }

    #[test]
    fn a_sacrifice_is_brilliant_if_nothing_else_is_as_good_and_none_if_everything_wins() {
        // A smothered mate: of a side that is otherwise lost, and of one that is ahead. A bishop for the last pawn,
        // where others draw, too.
        for (fen, san, glyph, nag) in [
            ("3r1r1k/6pp/7N/8/2Q5/8/1q4PP/6K1 w - - 0 1", "Qg8+", "!!", Some(3)),
            ("5r1k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", "Qg8+", "", None),
            ("8/8/3k4/3p4/8/1B6/8/6K1 w - - 0 1", "Bxd5", "!", Some(1)),
        ] {
            let limits = Limits::to_depth(6);
            let analysis = analysed(&format!("[FEN \"{fen}\"]\n\n1. {san} *"), &limits, 1, &Theory::default());
            let step = &analysis.moves[0];
            assert_eq!((analysis.suspects, step.glyph(), step.nag()), (1, glyph, nag), "{fen}");
        }
    }

    #[test]
    fn a_named_blunder_is_a_blunder() {
        // The Stafford Gambit's trap, which has a name; the moves before it lose less.
        let fen = "r1bqkb1r/ppp2ppp/2p2n2/4P3/8/8/PPPP1PPP/RNBQKB1R b KQkq - 0 5";
        let text = format!("[FEN \"{fen}\"]\n\n5... Ne4 6. d3 *");
        let limits = Limits::of_nodes(20_000);
        let analysis = analysed(&text, &limits, 4, &Theory::named().unwrap());
        assert!(analysis.moves.iter().all(|step| step.theory));
        let marks: Vec<_> =
            analysis.moves.iter().filter_map(|step| Some((step.text.san.as_str(), step.mark?))).collect();
        assert_eq!(marks, [("d3", Mark::Blunder)]);
    }

    #[test]
    fn no_mark_rests_on_a_score_that_may_be_worse() {
        let fen = "r1bqkb1r/pp1n1ppp/2p1pn2/6N1/3P4/3B4/PPP2PPP/R1BQK1NR w KQkq - 0 7";
        let text = format!("[FEN \"{fen}\"]\n\n7. N1f3 h6 8. Nxe6 Qe7 *");
        let (mut sacrifices, mut losses) = (0, 0);
        for nodes in (300..1_500).step_by(60) {
            let limits = Limits::of_nodes(nodes);
            for step in analysed(&text, &limits, 4, &Theory::default()).moves {
                let worse = step.side.fold_wb(Inexact::Upper, Inexact::Lower);
                assert!(step.sacrifice.is_none() || step.bound != Some(worse), "{nodes}: {}", step.text.san);
                let without = step.sacrifice.as_ref().and_then(|sacrifice| sacrifice.without.bound);
                assert!(without.is_none(), "{nodes}: {}", step.text.san);
                assert!(step.mark.is_none() || step.confirmed.is_some(), "{nodes}: {}", step.text.san);
                // A sound sacrifice may lose a little, and its scores are those of its own searches.
                assert!(step.sacrifice.is_none() || step.confirmed.is_none(), "{nodes}: {}", step.text.san);
                sacrifices += u32::from(step.sacrifice.is_some());
                losses += u32::from(step.sacrifice.is_some() && step.loss > Some(0.0));
            }
        }
        assert!(sacrifices > 0 && losses > 0, "{sacrifices} {losses}");
    }

    #[test]
    fn no_mark_rests_on_a_search_that_ended_before_it_could_tell() {
        let mut open = 0;
        for nodes in (10..200).step_by(10) {
            let limits = Limits::of_nodes(nodes);
            let analysis = analysed("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0", &limits, 1, &Theory::default());
            for step in &analysis.moves {
                assert!(step.mark.is_none() || step.confirmed.is_some(), "{nodes}: {}", step.text.san);
                open += u32::from(step.loss.is_none());
            }
        }
        assert!(open > 0);
    }

    #[test]
    fn a_sacrifice_is_refuted_by_what_follows_unless_a_mistake_explains_it() {
        let fen = "r1bqkb1r/pp1n1ppp/2p1pn2/6N1/3P4/3B4/PPP2PPP/R1BQK1NR w KQkq - 0 7";
        let text = format!("[FEN \"{fen}\"]\n\n7. N1f3 h6 8. Nxe6 Qe7 9. O-O fxe6 10. Bg6+ Kd8 *");
        // To the end of an iteration: a bound would leave it open whether the sacrifice holds.
        let limits = Limits::to_depth(10);
        let mut analysis = analysed(&text, &limits, 4, &Theory::default());
        let sacrifice = analysis.moves[2].sacrifice.clone().expect("a sacrifice");
        let rest = &mut analysis.moves[3..];
        assert!(!sacrifice.is_refuted_by(Color::White, rest));
        for lost in 0..rest.len() {
            let chances = std::mem::replace(&mut rest[lost].chances.value, Chances::LOSS);
            assert_eq!(sacrifice.is_refuted_by(Color::White, rest), lost < 4, "after {lost} plies");
            let mark = rest[1].mark.replace(Mark::Mistake);
            assert_eq!(sacrifice.is_refuted_by(Color::White, rest), lost < 1, "after {lost} plies and a mistake");
            rest[1].mark = mark;
            rest[lost].chances.value = chances;
        }
    }
}
