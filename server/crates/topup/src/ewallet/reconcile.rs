//! The provider's status of an order, for its comparison with the ledger: nothing is acted on.

use super::Checkouts;
use super::provider::{CheckoutProvider, OrderRef, ProviderError, ProviderStatus};

impl Checkouts {
    /// The name of the provider in the configuration. None where the rail is off.
    pub(crate) fn provider(&self) -> Option<&str> {
        self.desk().map(super::ProviderConnection::name)
    }

    /// The provider's status of a payment, by the name under which it knows the order. None where the rail is off.
    ///
    /// # Errors
    /// When the provider says nothing certain.
    pub(crate) async fn inquire(&self, request_id: &str) -> Option<Result<ProviderStatus, ProviderError>> {
        let desk = self.desk()?;
        Some(desk.provider.inquire(OrderRef { trade_no: request_id }).await)
    }
}
