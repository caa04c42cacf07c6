//! The formats against each other: every client's against every provider's, over fixtures in `data/` and over streams and
//! requests made at random.
//!
//! What a fixture becomes stands beside it in a golden, to be read with the eyes of the provider's validator and of the
//! client's SDK; `UPDATE_GOLDENS=1` writes the goldens anew. Rules of one format alone are tested in its own folder.

mod accounting;
mod answers;
mod asks;
mod chunks;
mod dice;
mod golden;
mod hunt;
mod law;
mod lossless;
mod matrix;
mod mutated;
mod place;
mod turns;
mod usages;

use std::sync::Arc;

use bytes::Bytes;

use super::{ConversionTarget, Format, ModelCapabilities, ResponseContext};

const FORMATS: [Format; 4] = [Format::Chat, Format::Responses, Format::Messages, Format::Generate];
const UPSTREAM: &str = "up";

const fn name(format: Format) -> &'static str {
    match format {
        Format::Chat | Format::Completions => "chat",
        Format::Responses => "responses",
        Format::Messages => "messages",
        Format::Generate => "generate",
    }
}

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

fn echo() -> ResponseContext {
    let request = Bytes::from_static(br#"{"model":"m","input":"Hi","temperature":0.50}"#);
    ResponseContext {
        id: "0123".into(),
        model: "m".into(),
        created: 1_700_000_000,
        include_usage: true,
        request,
        functions: Arc::default(),
        stop: Arc::default(),
        thinks: false,
        counted: None,
    }
}
