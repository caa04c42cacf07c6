//! Floor 2: the ledger. What an account has, what is reserved of it, what was charged and why.
//!
//! Imports `base`, `api` and `store`. Knows no model, no upstream and no wire: names and prices come in from outside and are
//! kept on the receipt. Does not know who an account is, only its number.
//! Invariants: nothing is charged that was not held before; a hold is resolved once, by its receipt, in the same
//! transaction as its charge; what an answer says is on the disk; a balance never falls below what is held; of several
//! servers on one ledger, none writes that another has taken for gone (`nodes`). The database enforces the books
//! (`server/crates/store/migrations/*/0002_ledger.sql`): to settle is to insert a receipt, and a trigger charges.
//! `rules` decides on money, `decide` on Idempotency-Keys (`idempotency`), `batch` carries out.
//! Start reading at [`Ledger`], then `rules`, then `batch`.

mod attached_statements;
mod attempt;
mod audit;
mod backend;
mod batch;
mod budget_holder;
mod budget_owner;
mod budgets;
mod claim_key;
mod claims;
mod commit;
mod debts;
mod decide;
mod durable_holds;
mod grant;
mod grant_request;
mod handle;
mod handlers;
mod histogram;
mod hold;
mod hold_ending;
mod hold_request;
mod idempotency;
mod key_budgets;
mod key_selection;
mod ledger_seal;
mod ledger_store;
mod limits;
mod list;
mod live_holds;
mod loaded_key;
mod media;
mod months;
mod nodes;
mod orphaned_holds;
mod oversight;
mod patience;
mod pools;
mod price;
mod queue;
mod receipt;
mod receipt_query;
mod report;
mod reversal;
mod reverse;
mod rules;
mod seals;
mod service_rows;
mod services;
mod settle;
mod sql;
mod start;
mod stats;
mod sums;
mod tariff;
mod tool_use;
mod usage_sums;
mod writer;

#[cfg(test)]
mod tests;

pub use attached_statements::{AttachedStatements, Statement, StatementValue};
pub use budget_holder::BudgetHolder;
#[cfg(feature = "crash-points")]
pub use commit::{CommitSide, Step};
pub use debts::{PostedCredit, debt_paid_by_order, debt_paid_by_resolution, posted_credit};
pub use durable_holds::{DurableEndFailed, DurableHold};
pub use grant::{GrantRefused, NOTE_CHARS_MAX, PostedGrant};
pub use grant_request::GrantRequest;
pub use handle::Ledger;
pub use histogram::Histogram;
pub use hold::{Hold, SettleFailed};
pub use hold_request::{HoldRefused, HoldRequest};
pub use idempotency::IdempotencyStore;
pub use key_budgets::{BudgetUsage, KeyBudgets};
pub use key_selection::KeySelection;
pub use ledger_seal::LedgerSeal;
pub use ledger_store::{LedgerStore, LedgerStoreError};
pub use limits::{BudgetPeriod, RateKind, RateLimitState, RateLimited, RateMeter};
pub use list::ReceiptsOnPage;
pub use media::{MediaKinds, MediaTokens};
pub use months::{ArchiveRefused, ArchivedMonth};
pub use price::{BilledUsage, PriceCeiling, PriceError, TokenPrices};
pub use receipt::{HoldOutcome, Receipt, ResolutionKind};
pub use receipt_query::{ReceiptMark, ReceiptQuery, ReceiptState};
pub use report::{AuditDifference, AuditReport, AuditTotals};
pub use reversal::{Reversal, ReversalKind, ReversalRequest};
pub use reverse::{ReversalRefused, TakeBackRequest, check_texts, find_reversal, reverse};
pub use rules::AccountBalance;
pub use seals::SealReport;
pub use service_rows::{OpenHold, ServerStart, ServiceUsage, ServiceUsageQuery};
pub use services::{ServiceCharges, ServiceClass, ServicePrices};
pub use settle::{FallbackModel, SettledAmounts, Settlement, SettlementRule, UpstreamDelivery};
pub use start::LedgerWorker;
pub use stats::WriterStats;
pub use tariff::{PriceTier, Tariff, UsageCharge};
pub use tool_use::ToolUseCharge;
pub use usage_sums::{UsageGrouping, UsageSpan, UsageSumQuery, UsageSums};
pub use writer::WriterEnd;

use budget_owner::BudgetOwner;
