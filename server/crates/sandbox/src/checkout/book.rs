//! The payments that the provider knows, by the merchant's name for them.

use indexmap::IndexMap;

/// A payment, from the opening of its page on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Payment {
    /// The order, as the merchant sent it.
    pub(super) asked: Asked,
    /// Names its page.
    pub(super) session_id: String,
    /// The provider's name of it.
    pub(super) payment_id: String,
    pub(super) state: State,
    pub(super) created_at_ms: i64,
    /// Unix time in milliseconds of the last change of state.
    pub(super) changed_at_ms: i64,
    /// Cents by the merchant's names of the refunds.
    pub(super) refunds: IndexMap<String, u64>,
}

/// The order that a merchant asks a checkout page for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) request_id: String,
    pub(super) reference: String,
    pub(super) cents: u64,
    pub(super) wallet: String,
    pub(super) expires_at_ms: i64,
    pub(super) notify_url: String,
    pub(super) redirect_url: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Open,
    Paid,
    Failed,
    Cancelled,
}

/// A reason for refusing a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRefund {
    Unknown,
    NotPaid,
    TooMuch,
    OtherAmount,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    payments: IndexMap<String, Payment>,
}

impl Book {
    /// The payment for this request: the one that is there, or a new one. `Err` where the same name asks for something else.
    pub(super) fn open(&mut self, asked: &Asked, now_ms: i64, payment_id: Option<String>) -> Result<Payment, ()> {
        let number = self.payments.len() + 1;
        let payment = self.payments.entry(asked.request_id.clone()).or_insert_with(|| Payment {
            session_id: format!("S{now_ms}{number:06}"),
            payment_id: payment_id.unwrap_or_else(|| format!("P{now_ms}{number:06}")),
            state: State::Open,
            created_at_ms: now_ms,
            changed_at_ms: now_ms,
            refunds: IndexMap::new(),
            asked: asked.clone(),
        });
        if payment.asked == *asked { Ok(payment.clone()) } else { Err(()) }
    }

    pub(super) fn find(&self, request_id: &str) -> Option<&Payment> {
        self.payments.get(request_id)
    }

    pub(super) fn of_session(&self, session_id: &str) -> Option<&Payment> {
        self.payments.values().find(|payment| payment.session_id == session_id)
    }

    /// Ends an open payment. `None` where there is none or it is over, so that a page acts once.
    pub(super) fn end(&mut self, request_id: &str, state: State, now_ms: i64) -> Option<Payment> {
        let payment = self.payments.get_mut(request_id).filter(|payment| payment.state == State::Open)?;
        (payment.state, payment.changed_at_ms) = (state, now_ms);
        Some(payment.clone())
    }

    /// Cancels a payment for its merchant; money that was paid goes back. `None` where there is none.
    pub(super) fn cancel(&mut self, request_id: &str, now_ms: i64) -> Option<State> {
        let payment = self.payments.get_mut(request_id)?;
        if payment.state != State::Failed {
            (payment.state, payment.changed_at_ms) = (State::Cancelled, now_ms);
        }
        Some(payment.state)
    }

    /// Gives money back, once for each name of a refund.
    pub(super) fn refund(&mut self, payment_id: &str, name: &str, cents: u64) -> Result<(), NoRefund> {
        let payment = self.payments.values_mut().find(|payment| payment.payment_id == payment_id);
        let payment = payment.ok_or(NoRefund::Unknown)?;
        if let Some(before) = payment.refunds.get(name) {
            return if *before == cents { Ok(()) } else { Err(NoRefund::OtherAmount) };
        }
        if payment.state != State::Paid {
            return Err(NoRefund::NotPaid);
        }
        if payment.refunds.values().sum::<u64>().saturating_add(cents) > payment.asked.cents {
            return Err(NoRefund::TooMuch);
        }
        payment.refunds.insert(name.to_owned(), cents);
        Ok(())
    }
}
