//! Scores and chances that name the side whose view they are.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::side;
use crate::board::{Color, Position};
use crate::eval::Chances;
use crate::score::{Score, StatedScore};

/// A score with its point of view.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Members", try_from = "Members")]
pub struct PovScore {
    /// The score.
    pub value: StatedScore,
    /// Whose view it is: a positive score is good for this side.
    pub pov: Color,
}

/// A score: `cp` or `mate`, and whose view it is.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Score"))]
struct Members {
    /// Centipawns; 0 for a draw; missing for a mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Mate in this many moves; negative if the side named is mated; 0 if the mate is on the board, so that the side to
    /// move is mated, whichever is named; missing if there is no mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// Chooses between draws: positive for the side that prefers this one. 0 for everything else.
    #[serde(default)]
    tie: i32,
    /// Whose view it is: a positive score is good for this side.
    #[serde(with = "side")]
    #[cfg_attr(test, schemars(with = "crate::json::side::Side"))]
    pov: Color,
}

impl From<PovScore> for Members {
    fn from(PovScore { value, pov }: PovScore) -> Members {
        match value {
            StatedScore::Cp(cp) => Members { cp: Some(cp), mate: None, tie: 0, pov },
            StatedScore::Mate(moves) => Members { cp: None, mate: Some(moves), tie: 0, pov },
            StatedScore::Draw(tie) => Members { cp: Some(0), mate: None, tie, pov },
        }
    }
}

impl TryFrom<Members> for PovScore {
    type Error = &'static str;

    fn try_from(members: Members) -> Result<PovScore, &'static str> {
        let value = match members {
            Members { cp: Some(cp), mate: None, tie: 0, .. } => StatedScore::Cp(cp),
            Members { cp: None, mate: Some(moves), tie: 0, .. } => StatedScore::Mate(moves),
            Members { cp: Some(0), mate: None, tie, .. } => StatedScore::Draw(tie),
            _ => return Err("a score has either `cp` or `mate`, and only a draw a tie-breaker"),
        };
        Ok(PovScore { value, pov: members.pov })
    }
}

#[cfg(test)]
impl JsonSchema for PovScore {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Score".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Members::json_schema(generator)
    }
}

impl PovScore {
    /// A score of the side to move in this position.
    pub fn of_mover(score: impl Into<StatedScore>, position: &Position) -> PovScore {
        PovScore { value: score.into(), pov: position.turn() }
    }

    /// White's score, given that of the side to move in this position.
    pub fn of_white(score: Score, position: &Position) -> PovScore {
        PovScore { value: position.turn().fold_wb(score, -score).into(), pov: Color::White }
    }
}

impl fmt::Display for PovScore {
    /// The score alone, as [`StatedScore`] is shown: the text around it says whose it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Winning chances with their point of view.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Chances"))]
pub struct PovChances {
    /// The chances.
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "Thousandths"))]
    pub value: Chances,
    /// Whose chances they are.
    #[serde(with = "side")]
    #[cfg_attr(test, schemars(with = "crate::json::side::Side"))]
    pub pov: Color,
}

/// The members of [`Chances`].
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only describes what `Chances` writes")]
struct Thousandths {
    /// Wins per thousand games.
    win: u32,
    /// Draws per thousand games.
    draw: u32,
    /// Losses per thousand games.
    loss: u32,
}

impl PovChances {
    /// What a score of the side to move means for it.
    pub fn of_mover(score: Score, position: &Position) -> PovChances {
        PovChances { value: Chances::new(score, position), pov: position.turn() }
    }

    /// White's chances, given those of this side.
    pub fn of_white(chances: Chances, side: Color) -> PovChances {
        PovChances { value: side.fold_wb(chances, chances.flip()), pov: Color::White }
    }

    /// The expected score of this side, from 0 to 1.
    pub fn points_of(&self, side: Color) -> f64 {
        if side == self.pov { self.value.points() } else { self.value.flip().points() }
    }
}

impl fmt::Display for PovChances {
    /// The chances alone: the text around them says whose they are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StatedScore::{Cp, Draw, Mate};

    #[test]
    fn a_score_names_its_point_of_view() {
        for (value, pov, json) in [
            (Cp(35), Color::White, r#"{"cp":35,"tie":0,"pov":"white"}"#),
            (Mate(-3), Color::Black, r#"{"mate":-3,"tie":0,"pov":"black"}"#),
            (Draw(-12), Color::White, r#"{"cp":0,"tie":-12,"pov":"white"}"#),
        ] {
            let score = PovScore { value, pov };
            assert_eq!(serde_json::to_string(&score).unwrap(), json);
            assert_eq!(serde_json::from_str::<PovScore>(json).unwrap(), score);
        }
    }

    #[test]
    fn what_is_no_score_is_refused() {
        for json in [
            r#"{"pov":"white"}"#,
            r#"{"cp":1}"#,
            r#"{"cp":1,"pov":"grey"}"#,
            r#"{"cp":1,"mate":1,"pov":"white"}"#,
            r#"{"mate":1,"tie":1,"pov":"white"}"#,
            r#"{"cp":1,"tie":1,"pov":"white"}"#,
        ] {
            assert!(serde_json::from_str::<PovScore>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn whites_view_does_not_depend_on_who_moves() {
        let white = Position::from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false).unwrap();
        let black = Position::from_fen("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", false).unwrap();
        let score = Score::cp(900);
        assert_eq!(PovScore::of_white(score, &white), PovScore::of_white(-score, &black));
        assert_eq!(PovScore::of_mover(-score, &black), PovScore { value: Cp(-900), pov: Color::Black });
        let won = PovChances::of_white(Chances::LOSS, Color::Black);
        assert_eq!((won.value, Color::ALL.map(|side| won.points_of(side))), (Chances::WIN, [1.0, 0.0]));
    }
}
