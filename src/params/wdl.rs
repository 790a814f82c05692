//! The fit behind winning chances: how a search score and the material left turn into wins, draws and losses.
//!
//! A side with score `x` centipawns wins with probability `1 / (1 + exp((shift - x) / spread))` and loses with
//! `1 / (1 + exp((shift + x) / spread))`; the rest are draws. Shift and spread are quadratic in the material on the
//! board. `pacioli lab wdl` fits them; docs/wdl.md says to which games, and how well they fit.

/// Shift and spread of winning chances, each as `c[0] + c[1] * m + c[2] * m * m` centipawns with `m` the
/// material as a share of [`FULL_MATERIAL`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct WdlFit {
    /// The score at which a side wins half of its games.
    pub shift: [f64; 3],
    /// How slowly certainty grows with the score.
    pub spread: [f64; 3],
}

/// Pawns 1, knights and bishops 3, rooks 5, queens 9, both sides: the opening position's sum.
pub const FULL_MATERIAL: i32 = 78;

/// Material units by role, pawn to king.
pub const MATERIAL_UNITS: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// The fit to 1,527 of the engine's own games with the network.
pub const WDL_FIT: WdlFit = WdlFit { shift: [317.0, -538.2, 304.8], spread: [84.1, 50.0, -41.4] };

/// Lower limit of the spread: the curve must not become a step.
const LEAST_SPREAD: f64 = 5.0;

impl WdlFit {
    /// Probabilities of a win and a loss with a score in centipawns and an amount of material.
    pub fn win_and_loss(&self, centipawns: f64, material: i32) -> (f64, f64) {
        let share = f64::from(material.min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
        let of = |[constant, slope, bend]: [f64; 3]| constant + share * (slope + share * bend);
        // With a negative shift the probabilities of win and loss would add up to more than 1.
        let (shift, spread) = (of(self.shift).max(0.0), of(self.spread).max(LEAST_SPREAD));
        let chance = |x: f64| 1.0 / (1.0 + ((shift - x) / spread).exp());
        (chance(centipawns), chance(-centipawns))
    }
}
