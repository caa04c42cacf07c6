//! The promises of the spec: examples, machines, documents, clients made from it, and the macros under it.

pub(crate) mod answers;
mod awkward_names;
mod clients;
mod compiler_messages;
pub(crate) mod conformance;
mod docs;
mod downstream;
mod fuzz;
mod machine;
mod machines;
mod maintainer;
pub(crate) mod mini_service;
mod openapi_tools;
mod packages;
mod request_members;
mod wire;
