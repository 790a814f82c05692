//! The size of the network, and its units.

/// Neurons of the hidden layer for each side's view.
pub const HIDDEN: usize = 512;
/// Sets of output weights, selected by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// The value of 1.0 as a clipped activation.
pub(super) const QA: i32 = 255;
/// The same in the neurons' type.
pub(super) const ACTIVATION_MAX: i16 = QA as i16;
/// The value of 1.0 as an output weight.
pub(super) const QB: i32 = 64;

/// One number for each neuron of the hidden layer, for one side's view.
pub(super) type Values = [i16; HIDDEN];
/// What an input adds to each neuron, in units of 1/QA.
pub(super) type InputWeights = [i8; HIDDEN];
