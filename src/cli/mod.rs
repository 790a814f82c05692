//! Layer 5: the command line, one file per subcommand.

pub mod eval;
