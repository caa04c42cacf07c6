//! The harness: a gateway in this process on real sockets and a real ledger file, a provider that does what a test
//! tells it, a clock that a test moves, and the programs of the outside world (PostgreSQL, Python with an SDK).
//!
//! Nothing in here stands in for a part of the gateway. Waiting is always for a condition, never for a time.

pub mod binary;
pub mod gate;
pub mod gateway;
pub mod postgres;
pub mod python;
pub mod random;
pub mod reply;
pub mod upstream;
pub mod wait;

/// Macro output and generated code name the runtime as `crate::api`.
pub use tollgate_server::{api, base};

pub use gate::Gate;
pub use gateway::{TestGateway, client};
pub use upstream::Upstream;
