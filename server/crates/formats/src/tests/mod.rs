//! The formats against each other: every client's against every provider's, over fixtures in `data/` and over streams and
//! requests made at random.
//!
//! What a fixture becomes stands beside it in a golden, to be read with the eyes of the provider's validator and of the
//! client's SDK; `UPDATE_GOLDENS=1` writes the goldens anew. Rules of one format alone are tested in its own folder.

mod accounting;
mod answers;
mod asks;
mod chunks;
mod lossless;
mod matrix;
mod mutated;
mod place;
mod turns;

use super::testing::{FORMATS, UPSTREAM, dice, echo, golden, name};
use super::{ConversionTarget, ModelCapabilities};

const fn target() -> ConversionTarget<'static> {
    ConversionTarget {
        upstream: UPSTREAM,
        model: "there",
        output_max: 32_000,
        output_bought: None,
        older_bound_name: false,
        asks_for_cache: false,
        capabilities: ModelCapabilities::UNKNOWN,
    }
}
