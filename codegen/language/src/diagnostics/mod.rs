//! What is wrong with a spec, said so that it can be put right.
//!
//! Every complaint has a stable code ([`Code`], explained by `codegen explain CODE`), a place, and where it can be
//! known a correction. Building one never fails and never prints; [`Printer`] turns them into text or JSON.

pub mod codes;
mod diagnostic;
mod json;
mod print;
mod similar;

pub use self::{
    codes::{Code, CodeInfo},
    diagnostic::{Diagnostic, Label, Severity, Suggestion},
    json::to_json,
    print::{Printer, summary},
    similar::closest,
};
