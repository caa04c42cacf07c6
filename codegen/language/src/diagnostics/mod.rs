//! What is wrong with a spec, said so that it can be put right.
//!
//! Every complaint has a stable code ([`DiagnosticCode`], explained by `codegen explain CODE`), a place, and where it can be
//! known a correction. Building one never fails and never prints; [`DiagnosticPrinter`] turns them into text or JSON.

pub mod codes;
mod diagnostic;
mod json;
mod print;
mod similar;

pub use self::{
    codes::{DiagnosticCode, DiagnosticInfo},
    diagnostic::{Diagnostic, DiagnosticLabel, Severity, Suggestion},
    json::to_json,
    print::{DiagnosticPrinter, summary},
    similar::{closest, slip_of},
};
