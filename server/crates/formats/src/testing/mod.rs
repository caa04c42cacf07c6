//! Fixtures and faults for the tests of whatever reads and writes the formats, with the feature `testing` alone.

pub mod dice;
pub mod golden;

use std::sync::Arc;

use bytes::Bytes;

use super::{Format, ResponseContext};

/// The formats of providers.
pub const FORMATS: [Format; 4] = [Format::Chat, Format::Responses, Format::Messages, Format::Generate];
/// The name of the provider.
pub const UPSTREAM: &str = "up";

/// The folder of a format among the fixtures.
#[must_use]
pub const fn name(format: Format) -> &'static str {
    match format {
        Format::Chat | Format::Completions => "chat",
        Format::Responses => "responses",
        Format::Messages => "messages",
        Format::Generate => "generate",
    }
}

/// The request that is answered.
#[must_use]
pub fn echo() -> ResponseContext {
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
