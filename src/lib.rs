//! Pacioli.
pub mod board;
pub mod cli;
pub mod eval;
pub mod params;
pub mod score;
pub mod units;
