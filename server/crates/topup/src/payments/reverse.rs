//! Money that went back to its payer: the account gives what it has available, and owes the rest.

use crate::Topups;
use crate::commit::{Step, commit};
use tollgate_base::{Actor, OrderId, Usd};
use tollgate_credit::{Reversal, ReversalKind, ReversalRefused, ReversalRequest, check_texts, find_reversal, reverse};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

use super::payment::CreditedPayment;
use super::sql::reversals;

/// The party that gave the money back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReversalParty {
    /// The operator, to the payer.
    Operator,
    /// The payment provider or the chain, on anybody's request.
    Provider,
}

impl ReversalParty {
    const fn kind(self) -> ReversalKind {
        match self {
            Self::Operator => ReversalKind::Refund,
            Self::Provider => ReversalKind::Chargeback,
        }
    }

    const fn action(self) -> &'static str {
        match self {
            Self::Operator => "payment.refund",
            Self::Provider => "payment.chargeback",
        }
    }
}

/// A request to book money that went back.
#[derive(Debug, Clone, Copy)]
pub struct PaymentReversalRequest<'a> {
    /// The payment by its number, or its order by number or name.
    pub of: &'a str,
    /// The party that gave it back.
    pub by: ReversalParty,
    /// The amount; none: all that has not gone back before.
    pub amount: Option<Usd>,
    /// The idempotency key: 1 to 128 bytes.
    pub idem: &'a str,
    /// The operator who reports it.
    pub actor: Actor<'a>,
    /// The reason: 1 to 500 characters.
    pub reason: &'a str,
}

/// A payment of which money went back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentReversal {
    /// The number of the payment.
    pub payment: i64,
    /// Its order.
    pub order: OrderId,
    /// The credit of the payment.
    pub credited: Usd,
    /// The part of the credit that has gone back by now, this included.
    pub reversed: Usd,
    /// The ledger's reversal: what was taken from the account, and what it owes.
    pub reversal: Reversal,
}

/// The reason for which nothing was taken.
#[derive(Debug, thiserror::Error)]
pub enum PaymentReversalRefused {
    /// Neither a payment nor an order has that name.
    #[error("there is no payment and no order `{0}`")]
    NoSuchPayment(String),
    /// There is nothing to take back.
    #[error("nothing was credited by the payment or the order `{0}`: there is nothing to take back")]
    NotCredited(String),
    /// Several payments of the order were credited.
    #[error("several payments of the order were credited: name one of them, {}", list(.0))]
    Several(Vec<i64>),
    /// The amount is zero, negative, or more than is left.
    #[error(
        "of the {credited} USD that the payment was credited with, {reversed} have gone back: at most the rest can, and more than zero"
    )]
    AmountOutOfRange {
        /// The credit of the payment.
        credited: Usd,
        /// The part of it that has gone back.
        reversed: Usd,
    },
    /// The ledger refused it.
    #[error(transparent)]
    Refused(#[from] ReversalRefused),
    /// The store failed. A repeated call with the same key shows whether it was taken.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn list(payments: &[i64]) -> String {
    payments.iter().map(i64::to_string).collect::<Vec<_>>().join(" or ")
}

impl Topups {
    /// Books money that went back to its payer, once per key. It is taken out of what the account has available, never what is
    /// held, to the clearing account of its rail; what is not there, the account owes.
    ///
    /// # Errors
    /// When there is no such payment, nothing or not so much of it is left, the key was used for something else, or the store
    /// fails.
    pub async fn reverse(&self, ask: PaymentReversalRequest<'_>) -> Result<PaymentReversal, PaymentReversalRefused> {
        check_texts(ask.idem, ask.reason)?;
        let (kind, now_ms) = (ask.by.kind(), self.now_ms());
        let key = format!("{}:{}", kind.as_str(), ask.idem);
        let mut transaction = self.store.begin().await?;
        let of = credited(&mut transaction, ask.of).await?;
        // A request for all that is left, repeated, finds what was left the first time.
        let before = find_reversal(&mut transaction, &key).await?;
        let amount = ask.amount.or(before.map(|before| before.amount)).unwrap_or(of.left());
        if before.is_none() && (amount <= Usd::ZERO || amount > of.left()) {
            let CreditedPayment { credited, reversed, .. } = of;
            return Err(PaymentReversalRefused::AmountOutOfRange { credited, reversed });
        }
        let counter = format!("clearing:{}", of.rail);
        let asked = ReversalRequest {
            kind,
            account: of.account,
            payment: Some(of.payment),
            counter: &counter,
            amount,
            debt: true,
            idem: &key,
            actor: ask.actor,
            note: ask.reason,
            at_ms: now_ms,
        };
        let reversal = reverse(&mut transaction, &asked).await?;
        if reversal.repeated {
            return Ok(payment_reversal(of, Usd::ZERO, reversal));
        }
        note(&mut transaction, &ask, &of, &reversal).await?;
        commit(transaction, Step::Reverse, "money that went back").await?;
        Ok(payment_reversal(of, reversal.amount, reversal))
    }
}

const fn payment_reversal(of: CreditedPayment, more: Usd, reversal: Reversal) -> PaymentReversal {
    let CreditedPayment { payment, order, credited, reversed, .. } = of;
    let reversed = Usd::from_nanos(reversed.nanos() + more.nanos());
    PaymentReversal { payment, order, credited, reversed, reversal }
}

/// The one credited payment that is named, by itself or by its order.
async fn credited(transaction: &mut StoreTransaction, of: &str) -> Result<CreditedPayment, PaymentReversalRefused> {
    let found = reversals::credited(transaction, of).await?;
    match found.as_slice() {
        [one] => Ok(*one),
        [] if reversals::is_known(transaction, of).await? => Err(PaymentReversalRefused::NotCredited(of.to_owned())),
        [] => Err(PaymentReversalRefused::NoSuchPayment(of.to_owned())),
        several => Err(PaymentReversalRefused::Several(several.iter().map(|of| of.payment).collect())),
    }
}

async fn note(
    transaction: &mut StoreTransaction,
    ask: &PaymentReversalRequest<'_>,
    of: &CreditedPayment,
    reversal: &Reversal,
) -> Result<(), StoreError> {
    let Reversal { id, amount, taken, debt, at_ms, .. } = reversal;
    let detail = format!(
        "{amount} of {} USD, {taken} taken, {debt} owed, order {}, reversal {id}, key {}: {}",
        of.credited, of.order, ask.idem, ask.reason
    );
    let subject = of.payment.to_string();
    let entry = AuditEntry::new(*at_ms, ask.actor, ask.by.action(), &subject).detail(&detail);
    record(transaction, &entry).await
}
