//! Layer 2: dual credit. The ledger, and one file for each mechanism that awards credit.
//!
//! After M. Campbell, A. J. Hoane, F.-h. Hsu, "Deep Blue", Artificial Intelligence 134 (2002), section 4. Each side
//! keeps an account; a move that turns out to be forced earns its side a fraction of a ply; only when an account
//! exceeds a limit is it cashed in for depth. So lone forced moves extend nothing and series of them do; how much has to
//! add up is the limit: two plies in the paper, one in the modern profile.
//!
//! A mechanism is a pure function from evidence to [`Credit`](crate::units::Credit). The evidence is gathered in `search/probes.rs`; the
//! awards of several mechanisms combine by maximum, not sum.

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
