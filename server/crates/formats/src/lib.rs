//! Floor 1: converts requests, answers and streams between four APIs of providers, through one model of a conversation.
//!
//! The formats are chat completions (O), responses (R), messages (A) and generate-content (G). Imports nothing of the server.
//! Each format has a folder with six modules: `decode_request` and `encode_request` for requests, `decode_response` and
//! `encode_response` for whole answers, `decode_stream` and `encode_stream` for streams. They know the inner language and
//! [`json`], never each other: N + M converters, not N x M. Pure: no network, no clock, no money, no generated types.
//!
//! Invariants: what a conversion cannot carry is refused by name ([`Unsupported`]) where leaving it out would change what
//! the client gets, and reported ([`EncodedRequest::dropped`], [`ConvertedResponse::left_out`]) where it would not; nothing
//! vanishes silently but blocks of a stream, whose headers are gone when they come. A request written
//! in the format that it was read from loses nothing. Numbers keep their spelling, texts their bytes, arguments and
//! schemas their order of members. A signature goes back to its maker and to nobody else.
//!
//! Tools that only one format has are made functions, which all have, before a request is written, and are restored in the
//! answer: [`functions`].
//!
//! Start reading at [`ChatRequest`], then [`StreamEvent`].

mod block;
mod capabilities;
mod chat;
mod conversion_error;
mod drop_report;
mod event;
mod format;
mod functions;
mod generate;
mod json;
mod messages;
mod request;
mod response;
pub mod responses;
mod sequence;
mod signature;
mod stop_texts;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod transcript;
mod unknown_member;
pub mod wire;

use std::sync::Arc;

pub use block::{BlockKind, ChatMessage, ContentBlock, MediaContent, MediaSource, MessageRole, merge_messages};
pub use capabilities::{InputKind, ModelCapabilities, ThinkingMode};
pub use conversion_error::{EncodedRequest, MalformedRequest, MalformedResponse, Unsupported};
pub use drop_report::{DropReport, SamplingNumber};
pub use event::{BlockDelta, BlockOpening, StreamDecoder, StreamEncoder, StreamEvent};
pub use format::{ConversionTarget, Format};
pub use functions::{FunctionNames, lower_tools};
pub use messages::usage::MessagesUsage;
pub use request::{
    ChatRequest, LocatedValue, OutputShape, ReasoningEffort, ReasoningSettings, ToolChoice, ToolDefinition, ToolKind,
};
pub use response::{ChatResponse, ConvertedResponse, ResponseChoice, ResponseContext, StopReason, TokenUsage};
pub use responses::final_response as ended_response;
pub use sequence::BlockSequencer;
pub use signature::{ThinkingSignature, has_foreign_signature};
pub use stop_texts::stop_texts;
pub use transcript::transcript;
pub use unknown_member::UnknownMember;

/// Checks that a request means something in other formats.
///
/// # Errors
/// When a member asks for what only its own format has.
pub fn check_portable(format: Format, body: &[u8]) -> Result<(), Unsupported> {
    match format {
        Format::Completions => chat::completions::check_portable(body),
        // What of these cannot be carried depends on the other format, whose writer says so.
        Format::Chat | Format::Responses | Format::Messages | Format::Generate => Ok(()),
    }
}

/// Reads a request. In format G the model and the kind of answer stand in the path; elsewhere `body` says both.
///
/// # Errors
/// When the body is not what its format says.
pub fn decode_request(format: Format, body: &[u8], model: &str, stream: bool) -> Result<ChatRequest, MalformedRequest> {
    match format {
        Format::Chat => chat::decode_request::read(body),
        Format::Completions => chat::completions::read(body),
        Format::Responses => responses::read(body),
        Format::Messages => messages::decode_request::read(body),
        Format::Generate => generate::decode_request::read(body, model, stream),
    }
}

/// Writes a request for a provider that speaks `format`.
///
/// # Errors
/// When the format has no word for something that matters.
pub fn encode_request(
    format: Format,
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
) -> Result<EncodedRequest, Unsupported> {
    match format {
        // A provider gets this format from its own clients alone.
        Format::Chat | Format::Completions => chat::encode_request::write(ask, target),
        Format::Responses => responses::write(ask, target),
        Format::Messages => messages::encode_request::write(ask, target),
        Format::Generate => generate::encode_request::write(ask, target),
    }
}

/// True if providers of a format have a token counter that can be called.
#[must_use]
pub const fn has_token_counter(format: Format) -> bool {
    match format {
        Format::Messages | Format::Generate | Format::Responses => true,
        Format::Chat | Format::Completions => false,
    }
}

/// Reads a request that is to be counted and not answered.
///
/// # Errors
/// When the body is not what its format says.
pub fn decode_count_request(format: Format, body: &[u8], model: &str) -> Result<ChatRequest, MalformedRequest> {
    match format {
        Format::Messages => messages::count::read(body),
        Format::Generate => generate::count::read(body, model),
        Format::Responses => responses::read_context(body),
        Format::Chat | Format::Completions => decode_request(format, body, model, false),
    }
}

/// Writes a request to be counted by a provider that speaks `format`, one that [counts](has_token_counter).
///
/// # Errors
/// When the format has no word for something that matters.
pub fn encode_count_request(
    format: Format,
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
) -> Result<EncodedRequest, Unsupported> {
    match format {
        Format::Messages => messages::count::write(ask, target),
        Format::Generate => generate::count::write(ask, target),
        Format::Responses => responses::write_count(ask, target),
        Format::Chat | Format::Completions => encode_request(format, ask, target),
    }
}

/// Reads a provider's count, in tokens.
///
/// # Errors
/// When it holds none.
pub fn decode_token_count(format: Format, body: &[u8]) -> Result<u64, MalformedResponse> {
    match format {
        Format::Generate => generate::count::read_answer(body),
        Format::Responses => responses::read_tokens(body),
        Format::Messages | Format::Chat | Format::Completions => messages::count::read_counted(body),
    }
}

/// Writes a count, in tokens, for a client.
#[must_use]
pub fn encode_token_count(format: Format, tokens: u64) -> Vec<u8> {
    match format {
        Format::Generate => generate::count::write_answer(tokens),
        Format::Responses => responses::write_tokens(tokens),
        Format::Messages | Format::Chat | Format::Completions => messages::count::write_counted(tokens),
    }
}

/// Makes a whole answer of one format, given by `upstream`, one of another.
///
/// # Errors
/// When it is not what its format says.
pub fn convert_response(
    from: Format,
    to: Format,
    body: &[u8],
    upstream: &str,
    echo: &ResponseContext,
) -> Result<ConvertedResponse, MalformedResponse> {
    let mut reply = match from {
        Format::Chat | Format::Completions => chat::decode_response::read(body, upstream),
        Format::Responses => responses::read_reply(body, upstream),
        Format::Messages => messages::decode_response::read(body, upstream),
        Format::Generate => generate::decode_response::read(body, upstream),
    }?;
    functions::restore(&mut reply, &echo.functions);
    stop_texts::cut(&mut reply, &echo.stop);
    // No client is told figures that cannot be, or that are not charged.
    reply.usage = echo.counted.or(reply.usage.filter(|usage| !usage.impossible));
    let left_out = |has_place: fn(&ContentBlock) -> bool| reply.left_out(from != to, has_place);
    let (body, left_out) = match to {
        Format::Chat => (chat::encode_response::write(&reply, echo), left_out(chat::encode_response::has_place)),
        Format::Completions => (chat::completions::write_reply(&reply, echo), left_out(chat::completions::has_place)),
        Format::Responses => (responses::write_reply(&reply, echo), left_out(responses::has_place)),
        Format::Messages => {
            (messages::encode_response::write(&reply, echo), left_out(messages::encode_response::has_place))
        }
        Format::Generate => {
            (generate::encode_response::write(&reply, echo), left_out(generate::encode_response::has_place))
        }
    };
    Ok(ConvertedResponse { body, left_out })
}

/// The member of an answer of that format that tells its usage: its name, and its value as JSON.
///
/// # Panics
/// Never: what is written is JSON.
#[must_use]
pub fn usage_member(format: Format, usage: &TokenUsage) -> (&'static str, String) {
    let mut out = Vec::new();
    let mut object = json::ObjectWriter::new(&mut out);
    let name = match format {
        Format::Chat | Format::Completions => {
            chat::usage::write(usage, &mut object);
            "usage"
        }
        Format::Generate => {
            generate::usage::write(usage, &mut object);
            "usageMetadata"
        }
        Format::Messages => {
            let mut counts = object.object("usage");
            messages::usage::write(Some(*usage), &mut counts);
            counts.end();
            "usage"
        }
        Format::Responses => {
            let mut counts = object.object("usage");
            responses::usage::write(usage, &mut counts);
            counts.end();
            "usage"
        }
    };
    object.end();
    let written = json::JsonValue::document(&out).and_then(|document| document.object());
    let value = written.ok().and_then(|mut object| object.raw(name)).expect("it was just written");
    (name, value.get().to_owned())
}

/// A reader of a stream that `upstream` sends.
#[must_use]
pub fn stream_decoder(from: Format, upstream: &str) -> Box<dyn StreamDecoder> {
    match from {
        Format::Chat | Format::Completions => Box::new(chat::decode_stream::ChatStreamDecoder::new(upstream)),
        Format::Responses => Box::new(responses::ResponsesStreamDecoder::new(upstream)),
        Format::Messages => Box::new(messages::decode_stream::MessagesStreamDecoder::new(upstream)),
        Format::Generate => Box::new(generate::decode_stream::GenerateStreamDecoder::new(upstream)),
    }
}

/// A writer of a stream for a client; `as_list` is format G's other kind.
#[must_use]
pub fn stream_encoder(to: Format, echo: ResponseContext, as_list: bool) -> Box<dyn StreamEncoder> {
    let (functions, stop) = (Arc::clone(&echo.functions), Arc::clone(&echo.stop));
    let writer: Box<dyn StreamEncoder> = match to {
        Format::Chat => Box::new(chat::encode_stream::ChatStreamEncoder::new(echo)),
        Format::Completions => Box::new(chat::completions::CompletionsStreamEncoder::new(echo)),
        Format::Responses => Box::new(responses::ResponsesStreamEncoder::new(echo)),
        Format::Messages => Box::new(messages::encode_stream::MessagesStreamEncoder::new(echo)),
        Format::Generate if as_list => Box::new(generate::encode_stream::GenerateStreamEncoder::array(echo)),
        Format::Generate => Box::new(generate::encode_stream::GenerateStreamEncoder::new(echo)),
    };
    functions::ToolRestorer::wrap(stop_texts::StopTextCutter::wrap(writer, stop), functions)
}

/// The message of a provider's error object in any of the formats, for people.
#[must_use]
pub fn error_message(body: &[u8]) -> Option<String> {
    let mut document = json::JsonValue::document(body).ok()?.object().ok()?;
    let error = document.value(&["error"])?;
    error.text().ok().or_else(|| error.object().ok()?.text(&["message"]).ok()?)
}
