//! Answers on their way from a provider to a client: streams are passed through or transcoded, and edited by byte range.
//!
//! Nothing here charges: what comes by is metered, and the end of a stream is held back for the settlement.
//!
//! Start reading at [`forward`].

pub mod chunk;
pub mod client_error;
pub mod closed_thinking;
pub mod counted_usage;
pub mod forward;
pub mod model_name;
pub mod passthrough;
pub mod previous_response;
pub mod stream_room;
mod strip_usage;
#[cfg(test)]
mod tests;
pub mod transcode;
