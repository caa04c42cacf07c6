//! Orders for credit: their amounts, names, places and rows, and the caps of agents that they count against.

pub(super) mod amount;
mod cap;
pub(super) mod caps;
mod find;
mod open;
mod order;
pub(super) mod sql;

pub use cap::{CapExceeded, CapSpan, TopupCaps};
pub use open::{NewOrder, OpenRefused};
pub use order::{CreditOrder, OrderFailure, ResolvedCredit};
