//! The calls of the wire, and their paths.

/// The prefix of client ids of a provider's sandbox, whose calls have paths of their own.
const SANDBOX: &str = "SANDBOX_";

/// A call of the provider's interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProviderCall {
    /// Opens a checkout page.
    Create,
    /// Asks for the status of a payment.
    Inquire,
    /// Gives a payment up.
    Cancel,
}

impl ProviderCall {
    /// The path that a client with this id calls.
    pub(super) fn path(self, client_id: &str) -> String {
        let sandbox = if client_id.starts_with(SANDBOX) { "/sandbox" } else { "" };
        let name = match self {
            Self::Create => "createPaymentSession",
            Self::Inquire => "inquiryPayment",
            Self::Cancel => "cancel",
        };
        format!("/ams{sandbox}/api/v1/payments/{name}")
    }
}
