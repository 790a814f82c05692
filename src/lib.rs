//! Pacioli.
pub mod board;
pub mod params;
pub mod score;
pub mod units;
