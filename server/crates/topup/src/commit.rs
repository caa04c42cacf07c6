//! The commits of this room. All that is written here becomes durable by one of these steps; `tests/tidy/commits.rs` checks that
//! nobody commits past this file. `Send` alone is no commit: it marks the moment at which signed bytes leave for a chain.

use tollgate_store::{CommitSide, StoreError, StoreTransaction, commit_step, reached, steps};

steps! {
    /// An order is made.
    Open = "open-order",
    /// A payment is named and claimed for its order, before anything is sent.
    Claim = "claim-payment",
    /// A payment is credited.
    Credit = "credit-order",
    /// A payment is set aside for an operator.
    SetAside = "set-aside-payment",
    /// An operator decides on a payment.
    Resolve = "resolve-payment",
    /// Money went back to the payer.
    Reverse = "reverse-payment",
    /// A payment is given up: it certainly did not come.
    GiveUp = "give-up-payment",
    /// A signed transaction is sent to the chain.
    Send = "send-transaction",
    /// The checkout page of an order is kept.
    Page = "keep-page",
    /// A notice of a provider is kept.
    Notice = "keep-notice",
    /// The report of a notice is acted on, or left to an operator.
    Act = "act-on-notice",
    /// A provider is about to be asked.
    Ask = "ask-provider",
    /// The answer of a provider is acted on.
    Answer = "act-on-answer",
    /// Orders that nobody paid in time expire.
    Expire = "expire-orders",
    /// A payment was seen in a block, or is in none any more.
    Seen = "see-payment",
    /// A payment on chain is closed: it cannot change any more.
    Close = "close-payment",
    /// Our account has signed a transaction once more.
    Sign = "sign-transaction",
    /// Transactions of our account need no sending any more.
    Done = "end-transactions",
    /// The ledger was compared with a chain or a provider.
    Reconcile = "note-comparison",
    /// The next number of our account is asked of its chain again.
    ResetNumber = "reset-number",
}

/// Commits a transaction that makes `step` durable.
pub(super) async fn commit(transaction: StoreTransaction, step: Step, what: &'static str) -> Result<(), StoreError> {
    commit_step(transaction, step.name(), what).await
}

/// Sends something that is durable to a chain or provider, between the marks of [`Step::Send`].
pub(super) async fn sent<T>(sending: impl Future<Output = T>) -> T {
    reached(Step::Send.name(), CommitSide::Before);
    let told = sending.await;
    reached(Step::Send.name(), CommitSide::After);
    told
}
