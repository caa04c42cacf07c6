//! The commits of this room. Whatever is written here becomes durable by one of these steps; `tests/tidy/commits.rs` sees to it
//! that nobody commits past this file.

use super::backend::BatchPlan;
pub use tollgate_store::CommitSide;
use tollgate_store::{StoreError, StoreTransaction, commit_step, reached, steps};

steps! {
    /// Money is reserved.
    Hold = "hold",
    /// Money that was reserved is charged, and the rest given back.
    Settle = "settle",
    /// Money that was reserved is given back whole.
    Release = "release",
    /// Money is given back because its hold has expired and the owner is gone.
    Sweep = "sweep",
    /// Money is reserved for what outlives the process.
    Keep = "keep",
    /// A durable hold is charged, and the rest given back.
    SettleKept = "settle-kept",
    /// A durable hold is given back whole.
    ReleaseKept = "release-kept",
    /// Credit is given by hand.
    Grant = "grant",
    /// Credit is taken back by hand.
    Take = "take",
    /// Debts are paid out of what an account has available again.
    CollectDebts = "collect-debts",
    /// A server starts, and what was up in its place is gone.
    Start = "start",
    /// A part of what servers held that are gone is given back.
    GiveBack = "give-back",
    /// Nothing is held any more by a server that is gone.
    EndStart = "end-start",
    /// A server says that it is there.
    Beat = "beat",
    /// Servers that went silent are taken for gone.
    Bury = "bury",
    /// A server says that it has ended.
    Resign = "resign",
    /// A link of the chain of seals.
    Seal = "seal",
    /// There is a partition for the receipts of a month.
    MakeMonth = "make-month",
    /// A month of receipts is archived.
    Archive = "archive",
    /// The head of the chain of seals is written to the audit log.
    TellSeal = "tell-seal",
    /// A request has its Idempotency-Key.
    GiveKey = "give-key",
    /// The outcome of a request with a key is kept, or its key is freed.
    EndKey = "end-key",
    /// Keys whose time is over are forgotten.
    PurgeKeys = "purge-keys",
}

/// Commits a transaction that makes `step` durable.
pub(super) async fn commit(transaction: StoreTransaction, step: Step, what: &'static str) -> Result<(), StoreError> {
    commit_step(transaction, step.name(), what).await
}

/// Reports the steps of a batch to the crash points. The writer commits a batch in the words of its database, between two of
/// these.
pub(super) fn batch_reached(plan: &BatchPlan<'_>, side: CommitSide) {
    for hold in &plan.holds {
        reached(if hold.rider.is_empty() { Step::Hold } else { Step::Keep }.name(), side);
    }
    for receipt in &plan.receipts {
        let ending = receipt.ending;
        let step = match (ending.if_expired, ending.rider.is_empty(), ending.usage.is_some()) {
            (true, _, _) => Step::Sweep,
            (false, true, true) => Step::Settle,
            (false, true, false) => Step::Release,
            (false, false, true) => Step::SettleKept,
            (false, false, false) => Step::ReleaseKept,
        };
        reached(step.name(), side);
    }
}
