//! Pacioli.
pub mod board;
pub mod cli;
pub mod credit;
pub mod engine;
pub mod eval;
pub mod params;
pub mod report;
pub mod score;
pub mod search;
pub mod suite;
pub mod tt;
pub mod uci;
pub mod units;
