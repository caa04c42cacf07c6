//! The cost of requests: prices, the usage that providers report, and what is told of it.

mod answered_by;
mod cache_writes;
mod call_endings;
pub(crate) mod charges;
mod cost;
mod hidden_usage;
pub(crate) mod hosted_tools;
mod media;
mod prices;
mod service_terms;
mod sold_tools;
mod tags;
mod tariffs;
