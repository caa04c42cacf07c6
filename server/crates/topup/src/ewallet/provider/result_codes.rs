//! The provider's result codes that are certain.
//!
//! This is a list of the certain ones, not of the others: an unknown code may come of a fault, and an order must not fail because
//! of one.

/// Codes with which a checkout page is refused, after which nothing can have been paid.
const REFUSES: [&str; 22] = [
    "ACCESS_DENIED",
    "CURRENCY_NOT_SUPPORT",
    "INVALID_API",
    "INVALID_CLIENT",
    "INVALID_CONTRACT",
    "INVALID_MERCHANT_STATUS",
    "INVALID_SIGNATURE",
    "KEY_NOT_FOUND",
    "MEDIA_TYPE_NOT_ACCEPTABLE",
    "MERCHANT_NOT_REGISTERED",
    "METHOD_NOT_SUPPORTED",
    "NO_INTERFACE_DEF",
    "NO_PAY_OPTIONS",
    "OAUTH_FAIL",
    "ORDER_IS_CANCELED",
    "ORDER_IS_CLOSED",
    "PARAM_ILLEGAL",
    "PAYMENT_AMOUNT_EXCEED_LIMIT",
    "PAYMENT_METHOD_NOT_SUPPORT",
    "REPEAT_REQ_INCONSISTENT",
    "RISK_REJECT",
    "SETTLE_CONTRACT_NOT_MATCH",
];

/// There is no payment of that name.
pub(super) const NOT_FOUND: &str = "ORDER_NOT_EXIST";

/// True if a provider that refused a page with this code has certainly opened none.
pub(super) fn refuses(code: &str) -> bool {
    REFUSES.binary_search(&code).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_the_last_word() {
        assert!(REFUSES.is_sorted(), "searched by halves");
        assert!(refuses("PARAM_ILLEGAL") && refuses("RISK_REJECT"));
        for open in
            ["", "PROCESS_FAIL", "SYSTEM_ERROR", "UNKNOWN_EXCEPTION", "REQUEST_TRAFFIC_EXCEED_LIMIT", "NEW_CODE"]
        {
            assert!(!refuses(open), "{open}");
        }
    }
}
