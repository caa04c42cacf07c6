//! Credit that an operator gives by hand, once per key.

use super::commit::{Step, commit};
use super::sql::PostedTransfer;
use super::{AccountBalance, GrantRequest, LedgerStore, sql};
use tollgate_base::{AccountId, Usd};
use tollgate_store::{AuditEntry, StoreError, record, storable};

/// The most that an account may have. The database has the same bound.
pub(super) const POSTED_MAX: Usd = Usd::from_nanos(1_000_000_000_000_000_000);
/// The start of the keys of grants. Those of other transfers start otherwise, so that no grant has the key of another transfer.
const KEY_START: &str = "grant:";
/// The longest key by which something is booked once.
pub(super) const KEY_BYTES_MAX: usize = 128;
/// The longest reason that is kept with what a person books.
pub const NOTE_CHARS_MAX: usize = 500;

/// A grant that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostedGrant {
    /// The transfer's number.
    pub transfer: i64,
    /// The account that got the credit.
    pub account: AccountId,
    /// The amount.
    pub amount: Usd,
    /// Unix time in milliseconds.
    pub at_ms: i64,
    /// The part of it that paid debts of the account.
    pub debt_paid: Usd,
    /// True if an earlier call with the same key made the grant: nothing was added by this one.
    pub repeated: bool,
}

/// The reason that nothing was granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantRefused {
    /// Zero, less, or more than an account may have.
    #[error("a grant is more than zero, and an account has at most {max} USD", max = POSTED_MAX)]
    AmountOutOfRange,
    /// The key or the note is too long, or the key is empty.
    #[error("the idempotency key has 1 to {KEY_BYTES_MAX} bytes and the note at most {NOTE_CHARS_MAX} characters")]
    TextOutOfRange,
    /// No such account.
    #[error("no such account")]
    NoSuchAccount,
    /// The key was used before, for something else.
    #[error("this idempotency key was used before, to grant {} USD to account {}", .0.amount, .0.account)]
    Conflict(PostedGrant),
    /// The store failed. Whether the grant was made is told by asking again with the same key.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LedgerStore {
    /// Grants credit once per key: the same ask again is answered as before and adds nothing.
    ///
    /// # Errors
    /// When the amount or a text is out of range, the account is not there, or the key was used for something else.
    pub async fn grant(&self, ask: GrantRequest<'_>) -> Result<PostedGrant, GrantRefused> {
        if ask.amount <= Usd::ZERO || ask.amount > POSTED_MAX {
            return Err(GrantRefused::AmountOutOfRange);
        }
        if ask.idem.is_empty() || ask.idem.len() > KEY_BYTES_MAX || ask.note.chars().count() > NOTE_CHARS_MAX {
            return Err(GrantRefused::TextOutOfRange);
        }
        let key = format!("{KEY_START}{}", ask.idem);
        let at_ms = self.clock.now_ms();
        let mut transaction = self.store.begin().await?;
        if let Some(posted) = sql::find_transfer(&mut transaction, &key).await? {
            let debt_paid = sql::paid_by_credit(&mut transaction, posted.transfer).await?;
            return repeated(&ask, &posted, debt_paid);
        }
        let balance = sql::balance(&mut transaction, ask.account).await?.ok_or(GrantRefused::NoSuchAccount)?;
        if !fits(balance, ask.amount) {
            return Err(GrantRefused::AmountOutOfRange);
        }
        let transfer = sql::insert_grant(&mut transaction, &ask, &key, at_ms).await?;
        let debt_paid = sql::paid_by_credit(&mut transaction, transfer).await?;
        let paid = if debt_paid > Usd::ZERO { format!(", {debt_paid} of it for debts") } else { String::new() };
        let detail = format!("{} USD{paid}, transfer {transfer}, key {}: {}", ask.amount, ask.idem, ask.note);
        let subject = ask.account.to_string();
        let entry = AuditEntry::new(at_ms, ask.actor, "credit.grant", &subject).detail(&detail);
        record(&mut transaction, &entry).await?;
        commit(transaction, Step::Grant, "a grant").await?;
        Ok(PostedGrant { transfer, account: ask.account, amount: ask.amount, at_ms, debt_paid, repeated: false })
    }
}

fn repeated(ask: &GrantRequest<'_>, posted: &PostedTransfer, debt_paid: Usd) -> Result<PostedGrant, GrantRefused> {
    let PostedTransfer { transfer, account, amount, at_ms, .. } = *posted;
    let granted = PostedGrant { transfer, account, amount, at_ms, debt_paid, repeated: true };
    let same = ask.account == account && ask.amount == amount && storable(ask.note) == posted.note;
    if same { Ok(granted) } else { Err(GrantRefused::Conflict(granted)) }
}

fn fits(balance: AccountBalance, amount: Usd) -> bool {
    balance.posted.checked_add(amount).is_some_and(|posted| posted <= POSTED_MAX)
}
