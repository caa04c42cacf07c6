//! Requests, answers and streams. Nothing here knows an operation; what differs between them stands in [`Operation`].

mod codes;
mod error;
mod events;
mod form;
mod head;
mod input;
mod operation;
mod options;
mod pages;
mod reading;
mod transport;
mod values;

pub use codes::Code;
pub(crate) use codes::codes;
pub use error::{ConnectionError, Error, Refusal, Strange, Unsent};
pub use events::EventStream;
pub(crate) use form::Form;
pub use form::{Part, Upload};
pub use head::ResponseHead;
pub(crate) use input::Input;
pub(crate) use operation::{Envelope, Operation};
pub use options::{CallOptions, OnResponse};
pub use pages::Pages;
pub(crate) use transport::Transport;
pub(crate) use values::present;
pub use values::{TextOrList, Usd};
