//! Positions for a trainer: the quiet ones of many games, each once, shuffled; or positions near those of the games,
//! with the classical evaluation as their score, from which a network learns that evaluation before it learns from
//! searches (*pretraining*).
//!
//! Laws: the result depends only on the games, their order and the settings. Of positions that their records cannot
//! tell apart the first that passes the filter is kept, with its score and result: files of better searches should be
//! listed first. Memory is 32 bytes for each position kept, plus its key in a hash set, 10 to 21 bytes; both grow by
//! doubling.

use std::collections::HashSet;

use fastrand::Rng;
use serde::Serialize;

use super::bullet::{self, RECORD};
use super::{DataError, GameResult, Sample, Unquiet};
use crate::board::Position;
use crate::eval;

/// Which positions to keep.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Filter {
    /// The largest score, in centipawns for either side.
    pub max_score: i32,
    /// Searched positions to skip at the beginning of each game.
    pub skip_plies: usize,
    /// Percentage of a position's score that comes from what follows it in its game.
    pub lookahead: u8,
}

/// Centipawns that divide the logarithm of the odds, wherever scores are averaged as expected points.
const POINTS_SCALE: f64 = 200.0;

/// The scores of a game's positions, each averaged with what follows it, since a later search has seen further: of the
/// expected points, `lookahead` percent are the next position's average, or the result after the last one, and the rest
/// is the position's own search (temporal differences; R. S. Sutton, "Learning to predict by the methods of temporal
/// differences", 1988). A position alone, as `lab datagen --again` searches it, keeps its score: nothing follows it,
/// and its result is that of a game in which it may never have been.
fn looking_ahead(game: &[Sample], lookahead: u8) -> Vec<i32> {
    let Some(last) = game.last().filter(|_| lookahead > 0 && game.len() > 1) else {
        return game.iter().map(|sample| sample.score).collect();
    };
    let share = f64::from(lookahead) / 100.0;
    let mut ahead = last.points();
    let mut white_to_move = last.position.turn().is_white();
    let mut scores: Vec<i32> = Vec::with_capacity(game.len());
    for sample in game.iter().rev() {
        let turn = sample.position.turn().is_white();
        if turn != white_to_move {
            ahead = 1.0 - ahead;
        }
        white_to_move = turn;
        let own = 1.0 / (1.0 + (-f64::from(sample.score) / POINTS_SCALE).exp());
        ahead = (1.0 - share) * own + share * ahead;
        scores.push((POINTS_SCALE * (ahead / (1.0 - ahead)).ln()).round() as i32);
    }
    scores.reverse();
    scores
}

/// How many positions were kept or dropped.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// The number of games.
    pub games: u64,
    /// The number of positions in them.
    pub positions: u64,
    /// Positions skipped at the beginning of a game.
    pub early: u64,
    /// Positions in which the side to move is in check.
    pub in_check: u64,
    /// Positions whose best move is a capture or a promotion.
    pub noisy: u64,
    /// Positions whose score is beyond the limit, or that have more pieces than the format holds.
    pub out_of_range: u64,
    /// Positions that were in the collection already.
    pub duplicates: u64,
}

/// Random successors of positions: one or two moves, whatever they are worth, lead to them. A search evaluates many
/// positions after bad moves, which games do not contain.
pub struct Successors {
    count: u8,
    random: Rng,
}

impl Successors {
    /// So many for each position.
    pub fn new(count: u8, seed: u64) -> Successors {
        Successors { count, random: Rng::with_seed(seed) }
    }

    /// One of them; `None` if there was no move.
    fn successor(&mut self, position: &Position) -> Option<Position> {
        let next = self.step(position)?;
        if self.random.bool() { self.step(&next) } else { Some(next) }
    }

    fn step(&mut self, position: &Position) -> Option<Position> {
        self.random.choice(&position.legal_moves()).map(|&m| position.play(m))
    }
}

/// Positions gathered from games.
pub struct Collection {
    filter: Filter,
    records: Vec<[u8; RECORD]>,
    keys: HashSet<u64>,
    /// The counts so far.
    pub counts: Counts,
}

impl Collection {
    /// An empty collection.
    pub fn new(filter: Filter) -> Collection {
        Collection { filter, records: Vec::new(), keys: HashSet::new(), counts: Counts::default() }
    }

    /// Adds those of a game's positions that pass the filter.
    ///
    /// # Errors
    ///
    /// No memory for more.
    pub fn add(&mut self, game: &[Sample]) -> Result<(), DataError> {
        let scores = looking_ahead(game, self.filter.lookahead);
        let game = self.after_opening(game);
        let limit = self.filter.max_score;
        for (sample, score) in game.iter().zip(&scores[scores.len() - game.len()..]) {
            self.counts.positions += 1;
            let record = match sample.unquiet(limit) {
                None => bullet::encode(&sample.position, (*score).clamp(-limit, limit), sample.result)
                    .ok_or(Unquiet::OutOfRange),
                Some(reason) => Err(reason),
            };
            match record {
                Ok(record) => self.keep(record)?,
                Err(Unquiet::InCheck) => self.counts.in_check += 1,
                Err(Unquiet::Noisy) => self.counts.noisy += 1,
                Err(Unquiet::OutOfRange) => self.counts.out_of_range += 1,
            }
        }
        Ok(())
    }

    /// Adds the game's positions and random successors of each, with the classical evaluation as their score. No
    /// evaluation is asked for in check.
    ///
    /// # Errors
    ///
    /// No memory for more.
    pub fn add_evaluated(&mut self, game: &[Sample], successors: &mut Successors) -> Result<(), DataError> {
        for sample in self.after_opening(game) {
            self.add_by_evaluation(&sample.position, sample.result)?;
            for _ in 0..successors.count {
                if let Some(position) = successors.successor(&sample.position) {
                    self.add_by_evaluation(&position, sample.result)?;
                }
            }
        }
        Ok(())
    }

    /// Counts a game and the positions at its beginning that are left out; the others are returned. A position alone,
    /// as `lab datagen --again` searches it, is from anywhere in its game.
    fn after_opening<'a>(&mut self, game: &'a [Sample]) -> &'a [Sample] {
        let skipped = if game.len() > 1 { self.filter.skip_plies.min(game.len()) } else { 0 };
        let (early, rest) = game.split_at(skipped);
        self.counts.games += 1;
        self.counts.early += early.len() as u64;
        self.counts.positions += early.len() as u64;
        rest
    }

    fn add_by_evaluation(&mut self, position: &Position, result: GameResult) -> Result<(), DataError> {
        self.counts.positions += 1;
        if position.in_check() {
            self.counts.in_check += 1;
            return Ok(());
        }
        let score = eval::evaluate(position);
        match bullet::encode(position, score, result).filter(|_| score.abs() <= self.filter.max_score) {
            Some(record) => self.keep(record),
            None => {
                self.counts.out_of_range += 1;
                Ok(())
            }
        }
    }

    /// Keeps a record whose position is new, as far as the record holds it.
    fn keep(&mut self, record: [u8; RECORD]) -> Result<(), DataError> {
        let no_memory = |_| DataError::NoMemory { positions: self.records.len() };
        self.keys.try_reserve(1).map_err(no_memory)?;
        self.records.try_reserve(1).map_err(|_| DataError::NoMemory { positions: self.keys.len() })?;
        if self.keys.insert(bullet::board_key(&record)) {
            self.records.push(record);
        } else {
            self.counts.duplicates += 1;
        }
        Ok(())
    }

    /// Number of positions kept.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records of all positions kept, in an order that depends on the seed.
    pub fn shuffled(self, seed: u64) -> Vec<[u8; RECORD]> {
        let Collection { mut records, keys, .. } = self;
        drop(keys);
        Rng::with_seed(seed).shuffle(&mut records);
        records
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::lab::data::GameResult;

    const FILTER: Filter = Filter { max_score: 500, skip_plies: 0, lookahead: 0 };

    fn sample(fen: &str, best_move: &str, score: i32) -> Sample {
        let position = Position::from_fen(fen, false).unwrap();
        let best_move = position.parse_uci(best_move).unwrap();
        Sample { position, score, best_move, result: GameResult::Draw }
    }

    /// A quiet position with the king on one of eight squares.
    fn quiet(file: usize) -> Sample {
        let king = ["K7", "1K6", "2K5", "3K4", "4K3", "5K2", "6K1", "7K"][file];
        sample(&format!("4k3/8/8/8/8/8/P7/{king} w - - 0 1"), "a2a3", file as i32)
    }

    fn record(sample: &Sample) -> [u8; RECORD] {
        bullet::encode(&sample.position, sample.score, sample.result).unwrap()
    }

    #[test]
    fn skipped_positions_take_their_scores_along() {
        let game: Vec<_> = (0..8).map(quiet).collect();
        let mut collection = Collection::new(Filter { skip_plies: 3, ..FILTER });
        collection.add(&game).unwrap();
        let mut expected: Vec<_> = game[3..].iter().map(record).collect();
        let mut found = collection.shuffled(1);
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn each_position_is_counted_once() {
        let game = [
            quiet(0),
            quiet(0),
            sample("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", 0),
            sample("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d2", 0),
            sample("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 0),
            sample("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1", "e5f6", 0),
            Sample { score: 500, ..quiet(1) },
            Sample { score: -501, ..quiet(2) },
        ];
        let mut collection = Collection::new(FILTER);
        collection.add(&game).unwrap();
        let expected =
            Counts { games: 1, positions: 8, early: 0, in_check: 1, noisy: 3, out_of_range: 1, duplicates: 1 };
        assert_eq!((collection.counts, collection.len()), (expected, 2));

        let mut later = Collection::new(Filter { skip_plies: 2, ..FILTER });
        later.add(&game).unwrap();
        later.add(&game[..2]).unwrap();
        assert_eq!((later.counts.early, later.counts.games, later.len()), (4, 2, 1));
        assert_eq!(later.counts.positions, 10);
        later.add(&game[..1]).unwrap();
        assert_eq!(
            (later.counts.early, later.counts.games, later.len()),
            (4, 3, 2),
            "a position alone is no beginning"
        );
    }

    #[test]
    fn the_first_of_equal_positions_is_kept() {
        let mut collection = Collection::new(FILTER);
        collection.add(&[quiet(3), Sample { score: 77, ..quiet(3) }]).unwrap();
        assert_eq!(collection.shuffled(1), [record(&quiet(3))]);
        // Equal as far as a record goes, which knows nothing of castling.
        let [can, cannot] = ["KQ", "-"].map(|rights| {
            let fen = format!("4k3/7p/8/8/8/8/P7/R3K2R w {rights} - 0 1");
            sample(&fen, "a2a3", 0)
        });
        let mut collection = Collection::new(FILTER);
        collection.add(&[can, cannot]).unwrap();
        assert_eq!((collection.len(), collection.counts.duplicates), (1, 1));
    }

    #[test]
    fn a_score_is_averaged_with_what_follows_it() {
        // White moves, Black twice, and White again, who wins: the sides do not alternate where a game was cut.
        let turns = [true, false, false, true];
        let own = [120, -30, 15, 260];
        let game: Vec<Sample> = turns
            .iter()
            .zip(own)
            .map(|(&white, score)| {
                let (turn, pawn_move) = if white { ("w", "a2a3") } else { ("b", "h7h6") };
                let quiet = sample(&format!("4k3/7p/8/8/8/8/P7/4K3 {turn} - - 0 1"), pawn_move, score);
                Sample { result: GameResult::WhiteWins, ..quiet }
            })
            .collect();
        let points = |index: usize, white: bool| {
            let mover = 1.0 / (1.0 + 10_f64.powf(-f64::from(own[index]) * std::f64::consts::LOG10_E / POINTS_SCALE));
            if white == turns[index] { mover } else { 1.0 - mover }
        };
        for lookahead in [0, 1, 70, 99] {
            let share = f64::from(lookahead) / 100.0;
            let averaged = looking_ahead(&game, lookahead);
            for (index, &white) in turns.iter().enumerate() {
                let terms =
                    (index..4).map(|later| (1.0 - share) * share.powi((later - index) as i32) * points(later, white));
                let won = if white { 1.0 } else { 0.0 };
                let expected = terms.sum::<f64>() + share.powi((4 - index) as i32) * won;
                let found = 1.0 / (1.0 + (-f64::from(averaged[index]) / POINTS_SCALE).exp());
                assert!((found - expected).abs() < 0.002, "{lookahead} {index}: {found}, {expected}");
            }
        }
        assert_eq!(looking_ahead(&game, 0), own);
        let mut collection = Collection::new(Filter { lookahead: 100, ..FILTER });
        collection.add(&game[2..]).unwrap();
        let certain = |index: usize, score| record(&Sample { score, ..game[index].clone() });
        let mut expected = vec![certain(2, -FILTER.max_score), certain(3, FILTER.max_score)];
        let mut found = collection.shuffled(1);
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        assert!(looking_ahead(&[], 70).is_empty());
        assert_eq!(looking_ahead(&game[..1], 70), own[..1], "a position alone has nothing to look ahead to");
    }

    #[test]
    fn the_order_depends_on_the_seed_and_nothing_is_lost() {
        let game: Vec<_> = (0..8).map(quiet).collect();
        let shuffled = |seed| {
            let mut collection = Collection::new(FILTER);
            collection.add(&game).unwrap();
            collection.shuffled(seed)
        };
        let sorted = |mut records: Vec<[u8; RECORD]>| {
            records.sort();
            records
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let all = game.iter().map(record).collect();
        assert_eq!(sorted(shuffled(1)), sorted(all));
    }

    #[test]
    fn successors_are_legal_near_and_scored_by_the_evaluation() {
        let game = [quiet(1), quiet(5)];
        let collected = |seed| {
            let mut collection = Collection::new(FILTER);
            collection.add_evaluated(&game, &mut Successors::new(20, seed)).unwrap();
            collection
        };
        let collection = collected(1);
        let counts = collection.counts;
        assert_eq!(counts.positions, 2 * (1 + 20));
        assert_eq!(
            collection.len() as u64,
            counts.positions - counts.in_check - counts.out_of_range - counts.duplicates
        );
        let after = |positions: &[Position]| -> Vec<Position> {
            let moves = |position: &Position| -> Vec<Position> {
                position.legal_moves().into_iter().map(|m| position.play(m)).collect()
            };
            positions.iter().flat_map(moves).collect()
        };
        let start: Vec<Position> = game.iter().map(|sample| sample.position.clone()).collect();
        let (once, twice) = (after(&start), after(&after(&start)));
        let records = collection.shuffled(1);
        // How many of them are after no move, after one, and after two.
        let mut found = [0; 3];
        for record in &records {
            let is_of = |position: &Position| {
                bullet::encode(position, eval::evaluate(position), GameResult::Draw).as_ref() == Some(record)
            };
            let plies = [&start, &once, &twice].iter().position(|positions| positions.iter().any(is_of));
            found[plies.expect("a position nearby")] += 1;
        }
        assert!(found[0] == game.len() && found[1] > 0 && found[2] > 0, "{found:?}");
        assert_eq!(collected(1).shuffled(1), records);
        assert_ne!(collected(2).shuffled(1), records);
        let mut strict = Collection::new(FILTER);
        let decided = sample("4k3/8/8/8/8/8/P7/RNB1K3 w - - 0 1", "a2a3", 0);
        strict.add_evaluated(&[decided], &mut Successors::new(0, 1)).unwrap();
        assert_eq!((strict.counts.out_of_range, strict.len()), (1, 0));
    }
}
