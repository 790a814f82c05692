//! What a network is: its architecture, and what it was made from.

use crate::eval::nnue::{HIDDEN, Network, OUTPUT_BUCKETS};
use crate::text::grouped;

/// A network as text; its provenance as one fact per line, if it is the JSON that the trainer writes.
pub fn to_text(name: &str, network: &Network) -> String {
    let provenance = match serde_json::from_str::<serde_json::Value>(network.provenance()) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap_or_default(),
        Err(_) => network.provenance().to_owned(),
    };
    format!(
        "network {name}, checksum {:08x}\n\
         (768 x {}, mirrored) x 2 -> {HIDDEN} -> 1 x {OUTPUT_BUCKETS}, {} weights\n\
         an output of 1 is {} centipawns\n\
         made from\n{provenance}\n",
        network.checksum(),
        network.king_buckets(),
        grouped(network.weights() as u64),
        network.scale(),
    )
}
