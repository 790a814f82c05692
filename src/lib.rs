//! Pacioli, a chess engine whose search keeps two accounts, as Deep Blue's did.
//!
//! The search is the *dual credit* algorithm with delayed extensions (M. Campbell, A. J. Hoane, F.-h. Hsu, "Deep Blue",
//! Artificial Intelligence 134, 2002, section 4 and Fig. 1). Each side has an account. A move that turns out to be
//! forced (singular, the only reply, an escape from check, ...) earns its side credit; when an account exceeds a limit,
//! whole plies are cashed in for depth until it does not, and the other side gives up the same amount. With the paper's
//! limit of two plies most awards wait until a series of forced moves has added up; in the modern profile, whose limit
//! is 15/16 of a ply, singular moves earn whole plies that are cashed in at once, and checks earn fractions that wait.
//!
//! # A tour
//!
//! Imports only go down; `tests/layers.rs` checks this.
//!
//! | layer | modules | what is there |
//! |---|---|---|
//! | 10 | [`cli`] | the program: one file for each command |
//! | 9 | [`uci`], [`serve`] | the protocol; a local page that searches while one watches |
//! | 8 | [`lab`] | experiments |
//! | 7 | [`suite`], [`report`] | test suites; how deep the search went and what paid for it |
//! | 6 | [`runner`], [`stats`] | long work: pools of engines, other engines, journals, interrupts, the bench; statistics |
//! | 5 | [`pgn`], [`picture`], [`text`], [`json`] | games from files; SVG and HTML; numbers and tables for people; the parts of results for programs |
//! | 4 | [`engine`] | the engine behind a facade: options, clock, searching thread |
//! | 3 | [`search`] | iterative deepening, windows and root drivers, the node function, quiescence |
//! | 2 | [`credit`], [`eval`], [`tt`], [`syzygy`], [`book`] | ledger and mechanisms; evaluation; transposition, endgame tables, opening books |
//! | 1 | [`board`] | the rules over shakmaty: positions, game history, exchanges, packed moves |
//! | 0 | [`score`], [`units`], [`params`], [`files`], [`memory`], [`room`] | two-part scores; plies, credit and weights; every tunable, once; files; memory |
//!
//! Start with [`credit::Ledger`] (the two accounts), continue with `search/node.rs` (the node function in numbered
//! steps) and `search/awards.rs` (what a move earns), and see `tests/figure_one.rs`, which compares the node with a
//! transcription of the paper's figure.
//!
//! # Using it as a library
//!
//! Layers 0 to 4 are the engine; with `default-features = false` you get these alone, without the command line.
//! `examples/play_and_explain.rs` plays a move and shows what paid for its depth.
//!
//! ```
//! use pacioli::board::{Game, Position};
//! use pacioli::engine::{Engine, Limits, Options};
//! use pacioli::search::{Silent, StopFlag};
//!
//! // Legal's mate: the knight takes although the queen hangs.
//! let fen = "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5";
//! let game = Game::new(Position::from_fen(fen, false)?);
//! let (mut engine, _warning) = Engine::new(Options::default());
//! let limits = Limits::to_depth(6);
//! let outcome = engine.search(&game, &limits, &StopFlag::new(), &mut Silent);
//! assert_eq!(outcome.best_move.map(|m| game.position().san(m)).as_deref(), Some("Nxe5"));
//! # Ok::<(), pacioli::board::PositionError>(())
//! ```
//!
//! # Glossary
//!
//! - **account, ledger**: one side's credit; both sides' accounts as a node sees them.
//! - **alpha, beta, window**: what each side has already secured; a score matters only strictly between.
//! - **all-node, cut node, PV node**: a node where every move fails low, where one fails high, or with an exact score.
//! - **award**: credit for one move, by one mechanism.
//! - **cash in**: pay for as many whole plies of depth as bring an account to the limit or below, on entering a node.
//! - **combined depth**: the deepest ply reached by any node, horizon search and quiescence included.
//! - **depth, ply**: plies still to search; plies from the root.
//! - **envelope**: the credit that earlier visits to a position generated, kept in the table.
//! - **fail high, fail low**: a score at or above beta, at or below alpha.
//! - **fail-soft**: returning the best score found even if it lies outside the window.
//! - **hashfull**: how full the transposition table is, in per mille.
//! - **horizon search**: the fixed-depth search at the end of the software depth, in place of Deep Blue's chip.
//! - **improving**: the static evaluation is better than two plies before, or reaches beta.
//! - **noisy, quiet**: a capture or promotion; any other move.
//! - **nominal depth**: the depth of an iteration before extensions; the paper's minimum software depth.
//! - **null move**: passing, for pruning or to see what the opponent threatens.
//! - **offset search**: asking whether other moves reach the best move's score minus a margin.
//! - **probe**: a small search that only gathers evidence.
//! - **scout**: a null-window search that asks whether a move exceeds alpha.
//! - **second search**: searching a move again with the credit its first search earned.
//! - **see**: static exchange evaluation of the captures on one square.
//! - **seldepth**: the UCI name of the combined depth.
//! - **singular, binary, trinary**: one, two, three moves beat all others by a margin.
//! - **software depth**: plies still to search with accounts, until the horizon search takes over; **maximum software
//!   depth**: the most plies from the root at which it does.
//! - **tie-breaker**: the second part of a score, which chooses between draws.
//! - **tt**: the transposition table; **tt move**: the move it stores for a position.
//! - **zugzwang**: having to move is a disadvantage; a null move misleads there.

// The tour names all layers, including those left out of the small library.
#![cfg_attr(not(feature = "cli"), allow(rustdoc::broken_intra_doc_links))]

pub mod board;
pub mod book;
pub mod credit;
pub mod engine;
pub mod eval;
pub mod files;
pub mod memory;
pub mod params;
pub mod room;
pub mod score;
pub mod search;
pub mod syzygy;
pub mod tt;
pub mod units;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod json;
#[cfg(feature = "cli")]
pub mod lab;
#[cfg(feature = "cli")]
pub mod pgn;
#[cfg(feature = "cli")]
pub mod picture;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "cli")]
pub mod runner;
#[cfg(feature = "cli")]
pub mod serve;
#[cfg(feature = "cli")]
pub mod stats;
#[cfg(feature = "cli")]
pub mod suite;
#[cfg(feature = "cli")]
pub mod text;
#[cfg(feature = "cli")]
pub mod uci;
