//! The usage of an answer, read from its bytes as they go by.
//!
//! [`read`] looks once over a reply or an event of a stream, each format in its own file; [`usage`] checks what the upstream
//! reports; [`usage_meter`] gathers both over an answer, what its totals leave out ([`beyond_totals`]) and uses of tools
//! ([`tool_uses`]) included, so that an ending of any kind can be charged. Nothing here changes a byte.

mod answering_model;
mod beyond_totals;
pub mod cost;
mod event;
mod generate;
mod generated_size;
mod messages;
mod read;
mod responses;
#[cfg(test)]
mod tests;
mod tool_uses;
mod usage;
mod usage_meter;

pub use answering_model::{in_one_folder, is_variant};
pub use beyond_totals::ReportedServices;
pub use event::MeteredEvent;
pub use usage::UsageReport;
pub use usage_meter::{UsageMeter, counted, tokens_of_text};
