//! Layer 2: dual credit. The ledger, and one file for each mechanism that awards credit.
//!
//! After M. Campbell, A. J. Hoane, F.-h. Hsu, "Deep Blue", Artificial Intelligence 134 (2002), section 4. Each side
//! keeps an account; a move that turns out to be forced earns its side credit, and only when an account exceeds a limit
//! is it cashed in for depth. An award below the limit waits for others; one above it extends at once.
//!
//! How long credit waits depends on the amounts. The deep-blue profile has the paper's limit of two plies: a forced
//! reply extends by itself, a singular move does so near the root, and all other awards have to add up. The modern
//! profile has a limit of 15/16 of a ply: singular moves and mate threats earn whole plies, which are cashed in at
//! once; checks earn 3/4 of a ply, which waits. So do material threats and passed pawns, but only after the move's
//! first search: without the envelope that counts only where it completes what waits.
//!
//! A mechanism is a pure function from evidence to an [`Award`], if any. The evidence is gathered in `search/awards.rs`
//! and `search/singularity.rs`; a check needs none and is paid in `search/candidate.rs`. The awards of several
//! mechanisms combine by maximum, not sum.

mod award;
pub mod check;
pub mod check_evasion;
pub mod forced_reply;
pub mod influence;
mod ledger;
pub mod passed_pawn;
pub mod singular;
pub mod threat;

pub use award::{Award, Mechanism, Taper, largest_near};
pub use ledger::{CashIn, Ledger};
