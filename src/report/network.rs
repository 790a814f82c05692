//! What a network is: its architecture, and what it was made from.

use serde::Serialize;
use serde_json::Value;

use crate::eval::nnue::{HIDDEN, Network, OUTPUT_BUCKETS, THREATS};
use crate::runner::{Head, Kind, Provenance};
use crate::text::{grouped, shown_lines};

/// A network for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NetworkInfo {
    /// The version of the form, and the program.
    #[serde(flatten)]
    head: Head,
    /// The network's file, or `embedded`.
    name: String,
    /// The checksum that identifies the network, in hexadecimal.
    checksum: String,
    /// Sets of input weights, chosen by the square of the own king.
    king_buckets: usize,
    /// Neurons of the hidden layer for each side's view.
    hidden: usize,
    /// Sets of output weights, chosen by the number of pieces.
    output_buckets: usize,
    /// Inputs that go straight to the output: what attacks what.
    threats: usize,
    /// Weights and biases in all.
    weights: usize,
    /// Centipawns of an output of 1.
    scale: i32,
    /// What it was made from and how, as its trainer wrote it: usually an object.
    made_from: Value,
}

impl NetworkInfo {
    /// What this network is.
    pub fn new(name: &str, network: &Network) -> NetworkInfo {
        let text = network.provenance();
        NetworkInfo {
            head: Head::new(Kind::Network, Provenance::of_program()),
            name: name.to_owned(),
            checksum: format!("{:08x}", network.checksum()),
            king_buckets: network.king_buckets(),
            hidden: HIDDEN,
            output_buckets: OUTPUT_BUCKETS,
            threats: THREATS,
            weights: network.weights(),
            scale: network.scale(),
            made_from: serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
        }
    }
}

/// A network as text; its provenance as one fact per line, if it is the JSON that the trainer writes.
pub fn to_text(name: &str, network: &Network) -> String {
    let provenance = match serde_json::from_str::<Value>(network.provenance()) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap_or_default(),
        Err(_) => network.provenance().to_owned(),
    };
    // A foreign file may have anything in it.
    let provenance = shown_lines(&provenance);
    format!(
        "network {name}, checksum {:08x}\n\
         (768 x {}, mirrored) x 2 -> {HIDDEN} -> 1 x {OUTPUT_BUCKETS}, and {THREATS} threats -> 1 x {OUTPUT_BUCKETS}, \
         {} weights\n\
         an output of 1 is {} centipawns\n\
         made from\n{provenance}\n",
        network.checksum(),
        network.king_buckets(),
        grouped(network.weights() as u64),
        network.scale(),
    )
}
