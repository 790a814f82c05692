//! Winning chances: what a score means in games, from the fit in `params/wdl.rs`.

use std::fmt;

use serde::Serialize;

use crate::board::{Position, Role, role_number};
use crate::params::wdl::{MATERIAL_UNITS, WDL_FIT};
use crate::score::Score;

/// Chances of the side to move in thousandths; they add up to a thousand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chances {
    /// Wins per thousand games.
    pub win: u32,
    /// Draws per thousand games.
    pub draw: u32,
    /// Losses per thousand games.
    pub loss: u32,
}

impl Chances {
    /// The side to move has won.
    pub const WIN: Chances = Chances { win: 1000, draw: 0, loss: 0 };
    /// A draw.
    pub const DRAW: Chances = Chances { win: 0, draw: 1000, loss: 0 };
    /// The side to move has lost.
    pub const LOSS: Chances = Chances { win: 0, draw: 0, loss: 1000 };

    /// What a score means for the side to move. Mate and tablebase scores are certain, draws included, and
    /// so is a position in which nobody can mate.
    pub fn new(score: Score, position: &Position) -> Chances {
        if score.is_winning() {
            return Chances::WIN;
        }
        if score.is_losing() {
            return Chances::LOSS;
        }
        if score.is_draw() || position.is_dead() {
            return Chances::DRAW;
        }
        let (win, loss) = WDL_FIT.win_and_loss(f64::from(score.main()), material(position));
        let thousandths = |chance: f64| (chance * 1000.0).round() as u32;
        let win = thousandths(win);
        let loss = thousandths(loss).min(1000 - win);
        Chances { win, draw: 1000 - win - loss, loss }
    }

    /// What a static evaluation, in centipawns, means for the side to move. What the rules decide needs no evaluation.
    pub fn of_evaluation(evaluation: i32, position: &Position) -> Chances {
        if position.is_terminal() { Chances::of_end(position) } else { Chances::new(Score::cp(evaluation), position) }
    }

    /// The chances where a game has ended: lost for the side to move if it is mated, or else drawn.
    pub fn of_end(position: &Position) -> Chances {
        if position.is_checkmate() { Chances::LOSS } else { Chances::DRAW }
    }

    /// The chances of the other side.
    pub const fn flip(self) -> Chances {
        Chances { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// The expected score, from 0 to 1; a draw counts half.
    pub fn points(self) -> f64 {
        f64::from(2 * self.win + self.draw) / 2000.0
    }
}

impl fmt::Display for Chances {
    /// `win 12.3 %, draw 80.0 %, loss 7.7 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |thousandths: u32| format!("{}.{} %", thousandths / 10, thousandths % 10);
        write!(f, "win {}, draw {}, loss {}", percent(self.win), percent(self.draw), percent(self.loss))
    }
}

/// The material of both sides in the units of the fit.
pub fn material(position: &Position) -> i32 {
    let units = |role: Role| MATERIAL_UNITS[role_number(role)] * position.board().by_role(role).count() as i32;
    Role::ALL.into_iter().map(units).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::wdl::FULL_MATERIAL;
    use crate::score::Draw;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "8/5k2/8/8/8/2K5/4P3/8 w - -"] {
            let position = Position::from_fen(fen, false).unwrap();
            let of = |centipawns: i32| Chances::new(Score::cp(centipawns), &position);
            for centipawns in -3000..3000 {
                let (low, high) = (of(centipawns), of(centipawns + 1));
                assert_eq!(low.win + low.draw + low.loss, 1000);
                assert!(low.win <= high.win && low.loss >= high.loss, "{centipawns}");
                assert_eq!(low.flip(), of(-centipawns));
                assert!((low.points() + of(-centipawns).points() - 1.0).abs() < 1e-9 && low.points() <= high.points());
            }
            assert!(of(3000).win > 950 && of(0).draw > 300, "{:?} {:?}", of(3000), of(0));
        }
    }

    #[test]
    fn decided_games_are_certain() {
        let start = Position::default();
        assert_eq!(material(&start), FULL_MATERIAL);
        assert_eq!(Chances::new(Score::mating(3), &start).to_string(), "win 100.0 %, draw 0.0 %, loss 0.0 %");
        assert_eq!(Chances::new(-Score::tablebase_win(9), &start).loss, 1000);
        assert_eq!([Chances::WIN, Chances::DRAW, Chances::LOSS].map(Chances::points), [1.0, 0.5, 0.0]);
        for static_eval in [55, 0] {
            assert_eq!(Chances::new(Score::draw(Draw::Theoretical { static_eval }), &start).draw, 1000);
        }
        // A bound, as null windows have them.
        let lead = Score::cp(30);
        assert_eq!(Chances::new(lead.next_up(), &start), Chances::new(lead, &start));
        for dead in ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "k7/8/8/8/8/8/B1B5/K7 w - - 0 1"] {
            let dead = Position::from_fen(dead, false).unwrap();
            assert_eq!([-900, 0, 900].map(|main| Chances::new(Score::cp(main), &dead)), [Chances::DRAW; 3]);
        }
    }
}
