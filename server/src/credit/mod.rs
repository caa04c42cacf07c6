//! Floor 2: the ledger. What an account has, what is reserved of it, what was charged and why.
//!
//! Imports `base` and `store`. Knows no model, no upstream and no wire: names and prices come in from outside and are
//! kept on the receipt. Does not know who an account is, only its number.
//! Invariants: nothing is charged that was not held before; a hold is resolved once, by its receipt, in the same
//! transaction as its charge; what an answer says is on the disk; a balance never falls below what is held; of several
//! servers on one ledger, none writes that another has taken for gone (`nodes`). The
//! database enforces the books (`migrations/sqlite/0002_ledger.sql`), `rules` decides, `batch` carries out.
//! Start reading at [`Ledger`], then `rules`, then `batch`.

mod attached_statements;
mod attempt;
mod audit;
mod backend;
mod batch;
mod budgets;
mod claims;
mod commit;
mod debts;
mod decide;
mod durable_holds;
#[cfg(feature = "money-off")]
mod free;
mod grant;
mod handle;
mod handlers;
mod histogram;
mod hold;
mod idempotency;
mod ledger_store;
mod limits;
mod list;
mod live_holds;
mod media;
mod months;
mod nodes;
mod orphaned_holds;
mod price;
mod queue;
mod receipt;
mod report;
mod reversal;
mod rules;
mod seals;
mod services;
mod settle;
mod sql;
mod start;
mod stats;
mod sums;
mod tariff;
mod writer;

#[cfg(test)]
mod tests;

pub use attached_statements::{AttachedStatements, Statement, StatementValue};
pub use budgets::{BudgetUsage, KeyBudgets};
#[cfg(feature = "crash-points")]
pub use commit::{CommitSide, Step};
pub use debts::{PostedCredit, debt_paid_by_order, debt_paid_by_resolution, posted_credit};
pub use durable_holds::{DurableEndFailed, DurableHold};
pub use grant::{GrantRefused, GrantRequest, NOTE_CHARS_MAX, PostedGrant};
pub use handle::Ledger;
pub use histogram::Histogram;
pub use hold::{Hold, HoldRefused, HoldRequest};
pub use idempotency::IdempotencyStore;
pub use ledger_store::{LedgerStore, LedgerStoreError};
pub use limits::{BudgetPeriod, RateKind, RateLimitState, RateLimited, RateMeter};
pub use list::{ReceiptQuery, ReceiptState, ReceiptsOnPage};
pub use media::{MediaKinds, MediaTokens};
pub use months::{ArchiveRefused, ArchivedMonth};
pub use price::{BilledUsage, PriceCeiling, PriceError, TokenPrices};
pub use receipt::{HoldOutcome, Receipt, ResolutionKind};
pub use report::{AuditDifference, AuditReport, AuditTotals};
pub use reversal::{
    Reversal, ReversalKind, ReversalRefused, ReversalRequest, TakeBackRequest, check_texts, find_reversal, reverse,
};
pub use rules::AccountBalance;
pub use seals::{LedgerSeal, SealReport};
pub use services::{ServiceCharges, ServiceClass, ServicePrices, ToolUseCharge};
pub use settle::{FallbackModel, SettleFailed, SettledAmounts, Settlement, SettlementRule, UpstreamDelivery};
pub use start::{LedgerWorker, WriterEnd};
pub use stats::WriterStats;
pub use sums::{UsageGrouping, UsageSumQuery, UsageSums};
pub use tariff::{PriceTier, Tariff, UsageCharge};
