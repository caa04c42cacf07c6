//! Credit that is taken back, once: what the account has available at once, and the rest as a debt.

use super::commit::{Step, commit};
use super::grant::{KEY_BYTES_MAX, NOTE_CHARS_MAX, POSTED_MAX};
use super::{LedgerStore, Reversal, ReversalKind, ReversalRequest, sql};
use tollgate_base::{AccountId, Actor, Usd};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record, storable};

/// Keys of other kinds of reversals start otherwise.
const TAKE_KEY_START: &str = "take:";
/// The ledger account that grants come from.
const PROMO: &str = "promo";

/// A reversal by hand that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct TakeBackRequest<'a> {
    /// The account that it is taken from.
    pub account: AccountId,
    /// The amount, more than zero.
    pub amount: Usd,
    /// True if the account owes what it does not have available.
    pub debt: bool,
    /// The idempotency key, by which a repeated call is recognised: 1 to 128 bytes.
    pub idem: &'a str,
    /// The actor that takes it.
    pub actor: Actor<'a>,
    /// The reason: 1 to 500 characters.
    pub reason: &'a str,
}

/// The reason that nothing was taken back.
#[derive(Debug, thiserror::Error)]
pub enum ReversalRefused {
    /// Zero, less, or more than an account may have.
    #[error("what is taken is more than zero, and at most {max} USD", max = POSTED_MAX)]
    AmountOutOfRange,
    /// The key or the reason is empty or too long.
    #[error("the idempotency key has 1 to {KEY_BYTES_MAX} bytes and the reason 1 to {NOTE_CHARS_MAX} characters")]
    TextOutOfRange,
    /// No such account.
    #[error("no such account")]
    NoSuchAccount,
    /// The account would owe more than it may ever have.
    #[error("the account owes {owed} USD already: all its debts together are at most {max} USD", max = POSTED_MAX)]
    DebtOutOfRange {
        /// The sum of its debts.
        owed: Usd,
    },
    /// The key was used before, for something else.
    #[error("this idempotency key was used before, to take {} USD from account {}", .0.amount, .0.account)]
    Conflict(Reversal),
    /// The store failed. Whether it was taken is told by asking again with the same key.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LedgerStore {
    /// Takes credit back by hand, once per key: what is available, and never what is held. The rest is owed where that is asked
    /// for, and is left else.
    ///
    /// # Errors
    /// When the amount or a text is out of range, the account is not there, or the key was used for something else.
    pub async fn take(&self, ask: TakeBackRequest<'_>) -> Result<Reversal, ReversalRefused> {
        if ask.amount <= Usd::ZERO || ask.amount > POSTED_MAX {
            return Err(ReversalRefused::AmountOutOfRange);
        }
        check_texts(ask.idem, ask.reason)?;
        let key = format!("{TAKE_KEY_START}{}", ask.idem);
        let asked = ReversalRequest {
            kind: ReversalKind::Take,
            account: ask.account,
            payment: None,
            counter: PROMO,
            amount: ask.amount,
            debt: ask.debt,
            idem: &key,
            actor: ask.actor,
            note: ask.reason,
            at_ms: self.clock.now_ms(),
        };
        let mut transaction = self.store.begin().await?;
        let reversal = reverse(&mut transaction, &asked).await?;
        if reversal.repeated {
            return Ok(reversal);
        }
        let Reversal { id, amount, taken, debt, .. } = reversal;
        let detail = format!("{taken} of {amount} USD, {debt} owed, reversal {id}, key {}: {}", ask.idem, ask.reason);
        let subject = ask.account.to_string();
        let entry = AuditEntry::new(asked.at_ms, ask.actor, "credit.take", &subject).detail(&detail);
        record(&mut transaction, &entry).await?;
        commit(transaction, Step::Take, "what is taken back").await?;
        Ok(reversal)
    }

    /// The sum of the debts of an account.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn debt(&self, account: AccountId) -> Result<Usd, StoreError> {
        sql::debt_of(self.store.readers(), account).await
    }
}

/// Refuses a key or a reason that is empty or too long.
///
/// # Errors
/// [`ReversalRefused::TextOutOfRange`].
pub fn check_texts(idem: &str, reason: &str) -> Result<(), ReversalRefused> {
    let fits = !idem.is_empty() && idem.len() <= KEY_BYTES_MAX;
    if !fits || reason.is_empty() || reason.chars().count() > NOTE_CHARS_MAX {
        return Err(ReversalRefused::TextOutOfRange);
    }
    Ok(())
}

/// The reversal that was made under an idempotency key.
///
/// # Errors
/// When the store fails.
pub async fn find_reversal(transaction: &mut StoreTransaction, idem: &str) -> Result<Option<Reversal>, StoreError> {
    Ok(sql::find_reversal(transaction, idem).await?.map(|(found, _)| found))
}

/// Takes money back within a transaction, or finds what its key took before: what is available, and never what is held.
///
/// # Errors
/// When the account is not there or would owe too much, the key was used for something else, or the store fails.
pub async fn reverse(
    transaction: &mut StoreTransaction,
    ask: &ReversalRequest<'_>,
) -> Result<Reversal, ReversalRefused> {
    if let Some((found, note)) = sql::find_reversal(transaction, ask.idem).await? {
        let whole = found.left() == Usd::ZERO;
        let same = (found.kind, found.account, found.payment, found.amount)
            == (ask.kind, ask.account, ask.payment, ask.amount)
            && note == storable(ask.note)
            && (whole || !ask.debt)
            && (ask.debt || found.debt == Usd::ZERO);
        return if same { Ok(found) } else { Err(ReversalRefused::Conflict(found)) };
    }
    let balance = sql::balance_locked(transaction, ask.account).await?.ok_or(ReversalRefused::NoSuchAccount)?;
    let taken = ask.amount.min(balance.available());
    let rest = Usd::from_nanos(ask.amount.nanos() - taken.nanos());
    let debt = if ask.debt { rest } else { Usd::ZERO };
    let owed = sql::debt_of(&mut *transaction, ask.account).await?;
    if owed.checked_add(debt).is_none_or(|all| all > POSTED_MAX) {
        return Err(ReversalRefused::DebtOutOfRange { owed });
    }
    let id = sql::insert_reversal(transaction, ask, taken, debt).await?;
    let ReversalRequest { kind, account, payment, amount, at_ms, .. } = *ask;
    Ok(Reversal { id, kind, account, payment, amount, taken, debt, at_ms, repeated: false })
}
