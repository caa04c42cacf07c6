//! Floor 2: the ledger. What an account has, what is reserved of it, what was charged and why.
//!
//! Imports `base` and `store`. Knows no model, no upstream and no wire: names and prices come in from outside and are
//! kept on the receipt. Does not know who an account is, only its number.
//! Invariants: nothing is charged that was not held before; a hold is resolved once, by its receipt, in the same
//! transaction as its charge; what an answer says is on the disk; a balance never falls below what is held; of several
//! servers on one ledger, none writes that another has taken for gone (`nodes`). The
//! database enforces the books (`migrations/sqlite/0002_ledger.sql`), `rules` decides, `batch` carries out.
//! Start reading at [`Credit`], then `rules`, then `batch`.

mod attempt;
mod audit;
mod batch;
mod books;
mod budgets;
mod claims;
mod commit;
mod debts;
mod decide;
#[cfg(feature = "money-off")]
mod free;
mod grant;
mod handle;
mod handlers;
mod hold;
mod in_hand;
mod kept;
mod ledger;
mod limits;
mod list;
mod media;
mod months;
mod nodes;
mod once;
mod orphaned_holds;
mod price;
mod queue;
mod receipt;
mod report;
mod reversal;
mod rider;
mod rules;
mod seals;
mod services;
mod settle;
mod spread;
mod sql;
mod start;
mod stats;
mod sums;
mod tariff;
mod writer;

#[cfg(test)]
mod tests;

pub use books::{Books, BooksError};
pub use budgets::{Budget, Budgets};
#[cfg(feature = "crash-points")]
pub use commit::{Side, Step};
pub use debts::{PostedCredit, debt_paid_by_order, debt_paid_by_resolution, posted_credit};
pub use grant::{GrantAsk, GrantRefused, Granted, NOTE_CHARS_MAX};
pub use handle::Credit;
pub use hold::{Hold, HoldAsk, HoldRefused};
pub use kept::{EndFailed, KeptHold};
pub use limits::{Meter, Period, Rate, Standing, TooSoon};
pub use list::{ListAsk, Page, ReceiptState};
pub use media::{Kinds, Media};
pub use months::{ArchiveRefused, ArchivedMonth};
pub use once::Repeats;
pub use price::{Ceiling, Price, PriceError, Usage};
pub use receipt::{Outcome, Receipt, Resolved};
pub use report::{AuditReport, Difference, Totals};
pub use reversal::{
    Reversal, ReversalAsk, ReversalKind, ReversalRefused, TakeAsk, check_texts, find_reversal, reverse,
};
pub use rider::{Rider, Statement, Value};
pub use rules::Balance;
pub use seals::{Seal, SealReport};
pub use services::{ServiceClass, ServicePrices, Services, ToolUse};
pub use settle::{Delivery, Fallback, SettleFailed, Settled, Settlement, SettlementRule};
pub use spread::Spread;
pub use start::{CreditWorker, WriterEnd};
pub use stats::WriterStats;
pub use sums::{SumAsk, SumBy, Sums};
pub use tariff::{Charge, Tariff, Tier};
