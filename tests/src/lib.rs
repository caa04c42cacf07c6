//! The harness: a gateway in this process on real sockets and a real ledger file, a provider that does what a test
//! tells it, a clock that a test moves, and the programs of the outside world (PostgreSQL, Python with an SDK).
//!
//! Nothing in here stands in for a part of the gateway. Waiting is always for a condition, never for a time.

pub mod alarm_log;
pub mod beside_tokens;
pub mod binary;
pub mod broken_peer;
pub mod browser;
pub mod chain;
pub mod checkout;
pub mod clients;
pub mod disk;
pub mod fake_image_provider;
pub mod fake_video_provider;
pub mod flaky_node;
pub mod formats;
pub mod gateway;
pub mod ledger_file;
pub mod mail_server;
pub mod mini_service;
pub mod node;
pub mod oidc;
pub mod patroni;
pub mod pg_proxy;
pub mod pgbouncer;
pub mod postgres;
mod preload;
pub mod python;
pub mod random;
pub mod reply;
pub mod reply_gate;
pub mod reverse_proxy;
pub mod rustc;
pub mod script;
pub mod scripted_model;
pub mod set_clock;
pub mod spans;
pub mod statements;
pub mod strict_provider;
pub mod svm;
pub mod tool_model;
pub mod totp;
pub mod upstream;
pub mod wait;
pub mod wallet;

/// What the generator makes of the small spec of `golden/mini`, compiled as it stands: that it compiles is a test, and
/// the compile-fail cases of `ui/service` are written against it.
#[rustfmt::skip]
#[path = "../golden/mini/server/crates/api/src/generated/mod.rs"]
pub mod generated;

/// Macro output and generated code name the runtime as `crate::api`.
pub use {tollgate_api as api, tollgate_base as base};

pub use alarm_log::AlarmLog;
pub use gateway::{TestGateway, client};
pub use reply_gate::ReplyGate;
pub use upstream::Upstream;
