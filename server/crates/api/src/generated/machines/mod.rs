// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! State machines, a module each: states, moves, who may make them, and the statements that do.
pub mod agent;
pub mod api_key;
pub mod payment;
pub mod topup_order;
pub mod x402_order;
pub mod video_task;
