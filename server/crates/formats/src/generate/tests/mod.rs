//! Each rule of the format as a small case: JSON in, JSON out, compared by meaning.

mod asks_bad;
mod asks_foreign;
mod asks_own;
mod counts;
mod properties;
mod replies;
mod settings_foreign;
mod streams_in;
mod streams_out;

use std::sync::Arc;

use serde_json::Value;

use super::super::{
    ChatRequest, ConversionTarget, EncodedRequest, Format, ModelCapabilities, ResponseContext, Unsupported,
};
use super::{decode_request, encode_request};

const TARGET: ConversionTarget<'static> = ConversionTarget {
    upstream: "up",
    model: "m",
    output_max: 65_536,
    output_bought: None,
    older_bound_name: false,
    asks_for_cache: false,
    capabilities: ModelCapabilities::UNKNOWN,
};

fn json(text: impl AsRef<[u8]>) -> Value {
    let text = text.as_ref();
    serde_json::from_slice(text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)))
}

fn read(body: &str) -> ChatRequest {
    decode_request::read(body.as_bytes(), "m", false).unwrap_or_else(|error| panic!("{error}: {body}"))
}

/// A request of this format, as if a client of another format had sent it.
fn read_as(from: Format, body: &str) -> ChatRequest {
    let mut ask = read(body);
    ask.from = from;
    ask
}

fn write(ask: &ChatRequest) -> Result<(Value, Vec<String>), Unsupported> {
    let EncodedRequest { body, dropped } = encode_request::write(ask, &TARGET)?;
    Ok((json(body), dropped))
}

/// The place at which the request is refused.
fn refused(ask: &ChatRequest) -> String {
    write(ask).expect_err("refused").at
}

/// A body of contents.
fn contents(contents: &str) -> String {
    format!(r#"{{"contents":[{contents}]}}"#)
}

fn echo() -> ResponseContext {
    let request = bytes::Bytes::new();
    ResponseContext {
        id: "0123".into(),
        model: "alias".into(),
        created: 1_700_000_000,
        include_usage: false,
        request,
        functions: Arc::default(),
        stop: Arc::default(),
        thinks: false,
        counted: None,
    }
}
