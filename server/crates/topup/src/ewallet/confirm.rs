//! Comparing a provider's report of a payment with the order that it names.

use super::super::{ConfirmedPayment, CreditOrder, NewPayment, PaymentRail};
use super::provider::{Cents, PaymentId, USD};

/// The reason for which a payment is not the one that an order asks for. It is credited to nobody, and an operator has to look at
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OrderMismatch {
    /// The order is paid on another rail.
    #[error("the order is of the rail {0}")]
    Rail(PaymentRail),
    /// More or less was paid than was asked for.
    #[error("the payment is of {paid} cents, and the order of another amount")]
    Amount {
        /// The amount that was paid, in cents.
        paid: i64,
    },
}

/// The confirmed payment of `order` at the provider of that name. The caller has found the order by the name that the provider
/// gave.
///
/// # Errors
/// When it is not exactly what was asked for.
pub fn confirm_payment(
    order: &CreditOrder,
    provider: &str,
    payment: &PaymentId,
    amount: Cents,
) -> Result<ConfirmedPayment, OrderMismatch> {
    if order.rail != PaymentRail::Ewallet {
        return Err(OrderMismatch::Rail(order.rail));
    }
    if amount.usd() != Some(order.amount) {
        return Err(OrderMismatch::Amount { paid: amount.number() });
    }
    let payment = NewPayment {
        source: provider.to_owned(),
        reference: payment.as_str().to_owned(),
        asset: USD.to_owned(),
        amount: amount.number().to_string(),
        payer: None,
        receipt: Some(payment.as_str().to_owned()),
    };
    Ok(ConfirmedPayment { order: order.id, payment })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_api::generated::machines::topup_order::State;
    use tollgate_base::{AccountId, OrderId, Usd};

    fn order(rail: PaymentRail) -> CreditOrder {
        CreditOrder {
            id: OrderId(7),
            trade_no: "tg-7".to_owned(),
            account: AccountId(1),
            agent: None,
            rail,
            amount: Usd::from_nanos(12_340_000_000),
            state: State::Pending,
            created_at_ms: 0,
            expires_at_ms: 600_000,
            settled_at_ms: None,
            failed: None,
            receipt: None,
            resolved: None,
        }
    }

    #[test]
    fn only_what_was_asked_for_is_money_for_an_order() {
        let payment = PaymentId::read("P1".to_owned()).unwrap();
        let came = |rail, cents| confirm_payment(&order(rail), "antom", &payment, Cents::new(cents).unwrap());
        let ConfirmedPayment { order, payment } = came(PaymentRail::Ewallet, 1234).unwrap();
        assert_eq!((order, payment.source.as_str(), payment.reference.as_str()), (OrderId(7), "antom", "P1"));
        assert_eq!((payment.asset.as_str(), payment.amount.as_str()), ("USD", "1234"));
        for (rail, cents, expected) in [
            (PaymentRail::Ewallet, 1233, OrderMismatch::Amount { paid: 1233 }),
            (PaymentRail::Ewallet, 12_340, OrderMismatch::Amount { paid: 12_340 }),
            (PaymentRail::Ewallet, i64::MAX, OrderMismatch::Amount { paid: i64::MAX }),
            (PaymentRail::X402, 1234, OrderMismatch::Rail(PaymentRail::X402)),
            (PaymentRail::Crypto, 1234, OrderMismatch::Rail(PaymentRail::Crypto)),
        ] {
            assert_eq!(came(rail, cents).unwrap_err(), expected);
        }
    }
}
