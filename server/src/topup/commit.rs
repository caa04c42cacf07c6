//! The commits of this room. Whatever is written here becomes durable by one of these steps; `tests/tidy/commits.rs` sees to it
//! that nobody commits past this file. One step is no commit: what was committed leaves the house by it.

use crate::store::{Side, StoreError, Transaction, commit_step, reached, steps};

steps! {
    /// An order is made.
    Open = "open-order",
    /// Money is on its way for it.
    Claim = "claim-payment",
    /// It came, and is credited.
    Credit = "credit-order",
    /// It came, and nothing is there that it could buy.
    SetAside = "set-aside-payment",
    /// A person decides on it.
    Resolve = "resolve-payment",
    /// It went back to whoever paid.
    Reverse = "reverse-payment",
    /// It certainly did not come.
    GiveUp = "give-up-payment",
    /// What was signed for it is given to the chain.
    Send = "send-transaction",
    /// Its page is open at a provider.
    Page = "keep-page",
    /// A provider has reported something.
    Notice = "keep-notice",
    /// What it reported is done, or left to a person.
    Act = "act-on-notice",
    /// A provider is about to be asked.
    Ask = "ask-provider",
    /// What it said is done.
    Answer = "act-on-answer",
    /// Nobody paid in time.
    Expire = "expire-orders",
    /// It was seen in a block, or is in none any more.
    Seen = "see-payment",
    /// Nothing can become of it any more.
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
pub(super) async fn commit(transaction: Transaction, step: Step, what: &'static str) -> Result<(), StoreError> {
    commit_step(transaction, step.name(), what).await
}

/// Gives something that is durable to the world outside.
pub(super) async fn sent<T>(sending: impl Future<Output = T>) -> T {
    reached(Step::Send.name(), Side::Before);
    let told = sending.await;
    reached(Step::Send.name(), Side::After);
    told
}
