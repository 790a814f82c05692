//! Pacioli.
pub mod board;
pub mod eval;
pub mod params;
pub mod score;
pub mod units;
