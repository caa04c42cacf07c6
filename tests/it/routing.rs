//! The provider that answers: candidates, failures, capabilities, and changes while it runs.

mod capabilities;
mod failover;
mod fallback;
pub(crate) mod faults;
mod model_patterns;
mod provider_kinds;
mod reload;
mod retry_after;
mod session_affinity;
mod strict_provider;
