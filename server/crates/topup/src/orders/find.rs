//! Orders by their names and numbers.

use crate::{CreditOrder, Topups};
use tollgate_api::generated::machines::topup_order;
use tollgate_base::{AccountId, OrderId, Usd};
use tollgate_credit::{debt_paid_by_order, debt_paid_by_resolution};
use tollgate_store::StoreError;

use super::sql;

impl Topups {
    /// The account's order of that name or number. Another account's is not found.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn find(&self, account: AccountId, named: &str) -> Result<Option<CreditOrder>, StoreError> {
        // No name is a number: each begins with letters.
        match named.parse() {
            Ok(id) => self.own(account, OrderId(id)).await,
            Err(_) => sql::find_by_name(self.store.readers(), account, named).await,
        }
    }

    /// Orders of all accounts, the newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn orders(&self, filter: &sql::OrderFilter) -> Result<Vec<CreditOrder>, StoreError> {
        sql::list(self.store.readers(), filter).await
    }

    /// The account's order of that number. Another account's is not found.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn own(&self, account: AccountId, id: OrderId) -> Result<Option<CreditOrder>, StoreError> {
        sql::find_own(self.store.readers(), account, id).await
    }

    /// The part of the [credit](CreditOrder::credited) of an order that paid debts of its account.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn debt_paid(&self, order: &CreditOrder) -> Result<Usd, StoreError> {
        if order.state != topup_order::State::Success && order.resolved.is_some() {
            return debt_paid_by_resolution(self.store.readers(), order.id).await;
        }
        debt_paid_by_order(self.store.readers(), order.id).await
    }

    /// The order of that number, of any account.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn order(&self, id: OrderId) -> Result<Option<CreditOrder>, StoreError> {
        sql::find(self.store.readers(), id).await
    }
}
