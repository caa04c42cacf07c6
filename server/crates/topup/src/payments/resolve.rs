//! An operator's decision on money that was set aside: it is credited to the account of its order, out of the clearing account of
//! its rail, or was given back. Either closes the payment, once.

use crate::commit::{Step, commit};
use crate::orders::sql as orders;
use crate::{CreditOrder, NewPayment, OrderFailure, OrderPayment, QuarantinedPayment, Resolution, Topups};
use tollgate_api::generated::machines::payment::State as PaymentState;
use tollgate_api::generated::machines::topup_order::AnyRow;
use tollgate_base::{AccountId, Actor, OrderId, Usd};
use tollgate_credit::{NOTE_CHARS_MAX, PostedCredit, posted_credit};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

use super::quarantine::SET_ASIDE;
use super::sql::{self, PaymentDecision, moves, resolutions};

/// The detail of the failure of an order whose payment an operator had to decide on.
const UNSHOWN: &str = "the chain did not show in time what became of the payment, and the operator has decided on it";

/// The age, in milliseconds, from which a payment on its way to a chain can be decided on. What its payer signed is valid for a day
/// at most, so it has been over for a day: no block takes it any more, whatever its nodes show.
pub(crate) const ON_ITS_WAY_MS: i64 = 2 * 86_400_000;

/// A request to decide on a payment.
#[derive(Debug, Clone, Copy)]
pub struct ResolveRequest<'a> {
    /// The number of the payment.
    pub payment: i64,
    /// None: it was returned. Else it is credited, with what its order is for where no amount is named.
    pub credit: Option<CreditAmount>,
    /// The operator who decides.
    pub actor: Actor<'a>,
    /// The reason: at most 500 characters.
    pub reason: &'a str,
}

/// The amount with which a payment is credited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreditAmount {
    /// The amount of its order.
    OfOrder,
    /// This amount, at most that of its order.
    Exactly(Usd),
}

/// A payment on which an operator has decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedPayment {
    /// The number of the payment.
    pub payment: i64,
    /// The order of the payment.
    pub order: OrderId,
    /// The account that is credited, or would have been.
    pub account: AccountId,
    /// The decision.
    pub resolution: Resolution,
    /// The credit, where it is one.
    pub credit: Option<PostedCredit>,
    /// True if the same had been decided before.
    pub repeated: bool,
}

/// The reason for which nothing was decided.
#[derive(Debug, thiserror::Error)]
pub enum PaymentResolveRefused {
    /// There is no such payment.
    #[error("there is no payment {0}: `tollgate payment list` tells those that wait for a decision")]
    NoSuchPayment(i64),
    /// The payment is still on its way, and may be credited by itself.
    #[error(
        "the payment is still on its way: it is credited by itself when it comes. One on a chain can be decided on two days after \
        it was claimed"
    )]
    OnItsWay,
    /// The payment was credited when it came.
    #[error("the payment was credited when it came, with its order {0}")]
    Credited(OrderId),
    /// The payment was decided on otherwise before.
    #[error("the payment was resolved before: {}", told(.0))]
    Otherwise(Resolution),
    /// The amount is zero, negative, or more than that of the order.
    #[error("a payment is credited with more than zero and at most what its order is for, {max} USD")]
    AmountOutOfRange {
        /// The amount of its order.
        max: Usd,
    },
    /// The reason is too long.
    #[error("the reason has at most {NOTE_CHARS_MAX} characters")]
    ReasonTooLong,
    /// The store failed. A repeated call shows whether the decision was written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn told(resolution: &Resolution) -> String {
    match resolution {
        Resolution::Credit(amount) => format!("{amount} USD of it were credited"),
        Resolution::Returned => "it was returned".to_owned(),
    }
}

impl Topups {
    /// Payments that were set aside and that nobody has decided on, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn unresolved(&self) -> Result<Vec<QuarantinedPayment>, StoreError> {
        resolutions::unresolved(self.store.readers()).await
    }

    /// Decides on a payment that was set aside, or given up though an operator sees that it came, or of which a chain has not shown
    /// for two days what became of it. The same decision again returns the first one.
    ///
    /// # Errors
    /// When the payment is not there or none to decide on, was decided otherwise, or the store fails.
    pub async fn resolve(&self, ask: ResolveRequest<'_>) -> Result<ResolvedPayment, PaymentResolveRefused> {
        if ask.reason.chars().count() > NOTE_CHARS_MAX {
            return Err(PaymentResolveRefused::ReasonTooLong);
        }
        let mut transaction = self.store.begin().await?;
        let missing = PaymentResolveRefused::NoSuchPayment(ask.payment);
        let Some(payment) = sql::find_by_id(&mut transaction, ask.payment).await? else { return Err(missing) };
        let Some(order) = orders::find(&mut transaction, payment.order).await? else { return Err(missing) };
        let resolution = resolution(ask.credit, &order)?;
        if let Some(before) = resolutions::find(&mut transaction, payment.id).await? {
            if before != resolution {
                return Err(PaymentResolveRefused::Otherwise(before));
            }
            return resolved(&mut transaction, &payment, &order, resolution, true).await;
        }
        let now_ms = self.now_ms();
        match payment.state {
            PaymentState::Surplus => {}
            PaymentState::Void => {
                let (rights, decided) = (&self.rights.payments, PaymentDecision::Surplus);
                sql::decide(&mut transaction, rights, &payment, decided, None, now_ms).await?;
            }
            PaymentState::Claimed => self.end_waiting(&mut transaction, &payment, &order, now_ms).await?,
            PaymentState::Paid => return Err(PaymentResolveRefused::Credited(order.id)),
        }
        resolutions::resolve(&mut transaction, payment.id, resolution, now_ms).await?;
        let told = resolved(&mut transaction, &payment, &order, resolution, false).await?;
        note(&mut transaction, &ask, &payment, resolution, now_ms).await?;
        commit(transaction, Step::Resolve, "what becomes of a payment").await?;
        Ok(told)
    }
}

impl Topups {
    /// Sets a payment aside that nobody has to wait for any more, for the decision of this transaction. Its order has failed then, if
    /// it waited for this payment alone.
    async fn end_waiting(
        &self,
        transaction: &mut StoreTransaction,
        payment: &OrderPayment,
        order: &CreditOrder,
        now_ms: i64,
    ) -> Result<(), PaymentResolveRefused> {
        if !order.rail.is_on_chain() || now_ms < payment.claimed_at_ms.saturating_add(ON_ITS_WAY_MS) {
            return Err(PaymentResolveRefused::OnItsWay);
        }
        let (rights, decided) = (&self.rights, PaymentDecision::Surplus);
        if !sql::decide(transaction, &rights.payments, payment, decided, None, now_ms).await? {
            return Err(PaymentResolveRefused::OnItsWay);
        }
        let others = sql::open_of(transaction, order.id).await?;
        if let AnyRow::Settling(row) = AnyRow::read(order.state, order.clone())
            && others.is_empty()
        {
            let why = OrderFailure { code: SET_ASIDE.to_owned(), detail: UNSHOWN.to_owned() };
            moves::fail(transaction, rights, row, &why, now_ms).await?;
        }
        Ok(())
    }
}

fn resolution(credit: Option<CreditAmount>, order: &CreditOrder) -> Result<Resolution, PaymentResolveRefused> {
    match credit {
        None => Ok(Resolution::Returned),
        Some(CreditAmount::OfOrder) => Ok(Resolution::Credit(order.amount)),
        Some(CreditAmount::Exactly(amount)) if amount > Usd::ZERO && amount <= order.amount => {
            Ok(Resolution::Credit(amount))
        }
        Some(CreditAmount::Exactly(_)) => Err(PaymentResolveRefused::AmountOutOfRange { max: order.amount }),
    }
}

async fn resolved(
    transaction: &mut StoreTransaction,
    payment: &OrderPayment,
    order: &CreditOrder,
    resolution: Resolution,
    repeated: bool,
) -> Result<ResolvedPayment, PaymentResolveRefused> {
    let credit = match resolution {
        Resolution::Credit(_) => posted_credit(transaction, &format!("payment:{}", payment.id)).await?,
        Resolution::Returned => None,
    };
    Ok(ResolvedPayment { payment: payment.id, order: order.id, account: order.account, resolution, credit, repeated })
}

async fn note(
    transaction: &mut StoreTransaction,
    ask: &ResolveRequest<'_>,
    payment: &OrderPayment,
    resolution: Resolution,
    now_ms: i64,
) -> Result<(), StoreError> {
    let NewPayment { source, reference, asset, amount, .. } = &payment.new;
    let words = told(&resolution);
    let detail =
        format!("{words}; order {}: {amount} of {asset} from {source}, {reference}: {}", payment.order, ask.reason);
    let subject = payment.id.to_string();
    let entry = AuditEntry::new(now_ms, ask.actor, "payment.resolve", &subject).detail(&detail);
    record(transaction, &entry).await
}
