//! The payments for an order with all that became of them.

use super::PaymentRecord;
use super::sql::history;
use crate::Topups;
use tollgate_base::OrderId;
use tollgate_store::StoreError;

impl Topups {
    /// All payments for an order, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn payments_of(&self, order: OrderId) -> Result<Vec<PaymentRecord>, StoreError> {
        history::of_order(self.store.readers(), order).await
    }
}
