//! Reads of the budgets of a key.

use super::{BudgetPeriod, KeyBudgets, LedgerStore, LedgerStoreError, sql};
use tollgate_base::KeyId;

impl LedgerStore {
    /// The budgets of a key, with what is spent or held of them now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn budgets(&self, key: KeyId) -> Result<KeyBudgets, LedgerStoreError> {
        let now_ms = self.clock.now_ms();
        let starts_at_ms = BudgetPeriod::ALL.map(|period| period.starts_at_ms(now_ms));
        Ok(sql::budgets(self.store.readers(), key, starts_at_ms).await?)
    }
}
