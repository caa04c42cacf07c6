//! The path of a model request: its hold, the attempts at its candidates, the answer, the settlement.
//!
//! Each step of [`run`] has its file: [`reserve`], [`attempts`], [`first_bytes`], [`deliver`], then [`metered_stream`] for streams.
//! What is charged for each kind of end is in [`settlement_policy`]; [`disconnect`] is the client that has gone. Chat turns,
//! unary requests and token counts share the one loop over candidates in [`attempts`].
//!
//! Start reading at [`run`].

mod answer_progress;
pub mod attempts;
pub mod billing;
mod compaction;
mod convert;
pub mod deliver;
pub mod disconnect;
mod first_bytes;
pub mod metered_stream;
mod prepared_turn;
pub mod rate_limit_headers;
pub mod reply;
pub mod reserve;
pub mod resolve;
mod run;
mod service_charges;
mod session;
pub mod settlement_policy;
mod turn;
