//! Debts of accounts that have money available again. It was held when it was to be taken, and was given back since. Credits
//! pay debts by themselves, in their own transaction; this is for money that comes by no credit.

use super::commit::{Step, commit};
use super::{LedgerStore, sql};
use tollgate_base::{AccountId, OrderId, Usd};
use tollgate_store::{ReadPool, StoreError, StoreTransaction};

/// Accounts that are looked at in one go.
const ACCOUNTS_MAX: i64 = 100;

/// A credit as it stands in the books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostedCredit {
    /// The transfer's number.
    pub transfer: i64,
    /// The amount of the credit.
    pub amount: Usd,
    /// The part of it that paid debts of the account.
    pub debt_paid: Usd,
}

/// The credit that was posted under an idempotency key.
///
/// # Errors
/// When the store fails.
pub async fn posted_credit(transaction: &mut StoreTransaction, idem: &str) -> Result<Option<PostedCredit>, StoreError> {
    let Some(posted) = sql::find_transfer(transaction, idem).await? else { return Ok(None) };
    let debt_paid = sql::paid_by_credit(transaction, posted.transfer).await?;
    Ok(Some(PostedCredit { transfer: posted.transfer, amount: posted.amount, debt_paid }))
}

/// Debts of an account that were paid out of the credit of one of its orders.
///
/// # Errors
/// When the store fails.
pub async fn debt_paid_by_order(readers: &ReadPool, order: OrderId) -> Result<Usd, StoreError> {
    sql::paid_by_order(readers, order).await
}

/// Debts of an account that were paid out of what operators have credited of an order's payments.
///
/// These are payments that were set aside or given up; each was credited by itself, under its own number and not the order's.
///
/// # Errors
/// When the store fails.
pub async fn debt_paid_by_resolution(readers: &ReadPool, order: OrderId) -> Result<Usd, StoreError> {
    sql::paid_by_resolution(readers, order).await
}

impl LedgerStore {
    /// Pays debts of a few accounts out of what they have available, the oldest debt first. An account has a transaction of its
    /// own, and one that fails keeps no other from its turn. Answers the sum that was paid.
    ///
    /// # Errors
    /// When accounts with debts cannot be looked for.
    pub async fn collect_debts(&self) -> Result<Usd, StoreError> {
        let mut paid = Usd::ZERO;
        for account in sql::payable(self.store.readers(), ACCOUNTS_MAX).await? {
            match self.collect_debts_of(account).await {
                Ok(of_account) => paid = Usd::from_nanos(paid.nanos().saturating_add(of_account.nanos())),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(%account, error, "the debts of an account cannot be collected at the moment");
                }
            }
        }
        Ok(paid)
    }

    async fn collect_debts_of(&self, account: AccountId) -> Result<Usd, StoreError> {
        let mut transaction = self.store.begin().await?;
        let Some(balance) = sql::balance_locked(&mut transaction, account).await? else { return Ok(Usd::ZERO) };
        let available = balance.available();
        let mut left = available;
        for (reversal, owed) in sql::open_debts(&mut transaction, account).await? {
            let amount = owed.min(left);
            if amount <= Usd::ZERO {
                break;
            }
            sql::pay_debt(&mut transaction, reversal, amount, self.clock.now_ms()).await?;
            left = Usd::from_nanos(left.nanos() - amount.nanos());
        }
        if left == available {
            // Paid, held or spent since it was looked for.
            return Ok(Usd::ZERO);
        }
        commit(transaction, Step::CollectDebts, "the payment of debts").await?;
        let paid = Usd::from_nanos(available.nanos() - left.nanos());
        tracing::info!(%account, paid_usd = %paid, "an account paid debts out of what it has available again");
        Ok(paid)
    }
}
