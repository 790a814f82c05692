//! Plays a move and explains it, with the engine as a small library:
//!
//! ```sh
//! cargo run --release --example play_and_explain --no-default-features
//! ```
//!
//! Takes a FEN as its argument; without one, it uses a perpetual check.

use std::process::ExitCode;

use pacioli::board::{Game, Position};
use pacioli::engine::{Engine, Limits, Options};
use pacioli::params::Profile;
use pacioli::search::{Iteration, LedgerEntry, Observer, StopFlag};

/// White gives perpetual check: to some of the checks there is only one reply.
const PERPETUAL_CHECK: &str = "6k1/5p1p/5Q2/8/8/7P/qr4PK/r7 w - - 0 1";

/// Plies of the search, including the horizon's.
const DEPTH: i32 = 8;

/// Keeps the last completed iteration. An observer could also print each one as it comes.
#[derive(Default)]
struct Last(Option<Iteration>);

impl Observer for Last {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0 = Some(iteration.clone());
    }
}

fn main() -> ExitCode {
    let fen = std::env::args().nth(1).unwrap_or_else(|| PERPETUAL_CHECK.to_owned());
    let position = match Position::from_fen(&fen, false) {
        Ok(position) => position,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };

    // The profile that searches as in the paper; `Options::default()` plays strongest.
    let (mut engine, warning) = Engine::new(Options::of(Profile::DeepBlue));
    if let Some(warning) = warning {
        eprintln!("{warning}");
    }

    let mut last = Last::default();
    let limits = Limits::to_depth(DEPTH);
    let outcome = engine.search(&Game::new(position.clone()), &limits, &StopFlag::new(), &mut last);
    let (Some(best_move), Some(iteration)) = (outcome.best_move, last.0) else {
        println!("There is no legal move.");
        return ExitCode::SUCCESS;
    };

    println!(
        "{position_fen}\nplays {san}, score {score}",
        position_fen = position.fen(),
        san = position.san(best_move),
        score = outcome.score
    );
    println!(
        "iteration {}: minimum {} plies, deepest full node at {}\n",
        iteration.iteration, iteration.nominal_depth, iteration.max_software
    );
    println!("{:>3}  {:<5}  {:<8}  {:>7}  what happened", "ply", "side", "move", "balance");
    let mut current = position;
    for (ply, (&m, &entry)) in (1..).zip(iteration.pv.iter().zip(&iteration.ledger)) {
        let side = current.turn().fold_wb("White", "Black");
        let balance = entry.map_or_else(String::new, |entry| format!("{:.2}", entry.after.plies()));
        println!("{ply:>3}  {side:<5}  {:<8}  {balance:>7}  {}", current.san(m), entry.map_or_else(String::new, told));
        current = current.play(m);
    }
    println!("\nBalances in plies, of the side that moved. Below the software's depth no accounts are kept.");
    ExitCode::SUCCESS
}

/// What a move did to the accounts, in words.
fn told(entry: LedgerEntry) -> String {
    let earned = entry.award.map(|award| format!("earns {:.2} ({})", award.credit.plies(), award.mechanism.name()));
    let cashed = (entry.cashed > 0).then(|| {
        let plies = if entry.cashed == 1 { "ply" } else { "plies" };
        format!("cashes in {} {plies}; the other side gives up {:.2}", entry.cashed, entry.given_up.plies())
    });
    earned.into_iter().chain(cashed).collect::<Vec<_>>().join(", ")
}
