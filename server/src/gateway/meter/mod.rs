//! The usage of an answer, read from its bytes as they go by.
//!
//! [`seen`] looks once over a reply or an event of a stream, each format in its own file; [`usage`] checks what the upstream
//! reports; [`tally`] gathers both over an answer, what its totals leave out ([`beyond`]) and uses of tools ([`uses`])
//! included, so that an ending of any kind can be charged. Nothing here changes a byte.

mod answering;
mod beyond;
mod generate;
mod messages;
mod responses;
mod seen;
mod tally;
mod usage;
mod uses;

pub use answering::{in_one_folder, is_variant};
pub use beyond::ToldServices;
pub use seen::Seen;
pub use tally::{Tally, counted, tokens_of_text};
pub use usage::Reported;
