//! `GET /admin/payments` and `GET /admin/orders/{order_id}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::link;
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{
    ShowOrder, ShowOrderError, ShowOrderInput, ShowPayments, ShowPaymentsError, ShowPaymentsInput,
};
use tollgate_api::generated::ops::admin_payments::{
    GetOrderHistory, GetOrderHistoryError, GetOrderHistoryInput, ListOrders, ListOrdersInput, ListSetAsidePayments,
    ListSetAsidePaymentsInput,
};
use tollgate_api::generated::types::{
    AccountOrder, LoggedChange, OrderPayment, OrderPaymentState, Rail, ReversalKind, SetAsidePayment, TopupStatus,
};
use tollgate_api::{Cx, ProxyReply};

const RAILS: [Rail; 3] = [Rail::Crypto, Rail::X402, Rail::Ewallet];
const STATUSES: [TopupStatus; 5] =
    [TopupStatus::Pending, TopupStatus::Settling, TopupStatus::Success, TopupStatus::Failed, TopupStatus::Expired];
const KINDS: [ReversalKind; 2] = [ReversalKind::Refund, ReversalKind::Chargeback];
/// The lines of the log that the page shows of the order and of each payment.
const CHANGES: i64 = 20;

#[derive(Template)]
#[template(path = "payments.html")]
struct PaymentsPage {
    t: &'static Texts,
    frame: Frame,
    set_aside: Vec<SetAsidePayment>,
    account: String,
    rail: Option<Rail>,
    status: Option<TopupStatus>,
    orders: Vec<AccountOrder>,
    /// The next page; empty on the last one.
    next: String,
    /// The same list as CSV.
    csv: String,
}

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage {
    t: &'static Texts,
    frame: Frame,
    order: AccountOrder,
    payments: Vec<OrderPayment>,
    changes: Vec<LoggedChange>,
}

impl OrderPage {
    /// True if the caller may decide on a payment, which came or is said to have come.
    fn is_open(&self, payment: &OrderPayment) -> bool {
        self.frame.powers.payments
            && matches!(payment.state, OrderPaymentState::SetAside | OrderPaymentState::NotReceived)
    }

    /// True if the caller may book that more of a payment went back.
    fn is_reversible(&self, payment: &OrderPayment) -> bool {
        self.frame.powers.payments && payment.credited_usd.is_some_and(|credited| credited > payment.reversed_usd)
    }
}

impl ShowPayments for Admin {
    async fn show_payments(&self, cx: &Cx, input: ShowPaymentsInput) -> Result<ProxyReply, ShowPaymentsError> {
        let ShowPaymentsInput { caller, after, account, rail, status } = input;
        let frame = self.frame(&caller, Section::Payments);
        let list = ListSetAsidePaymentsInput { caller: caller.clone() };
        let set_aside = self.topups.list_set_aside_payments(cx, list).await;
        let set_aside = set_aside.map_err(|_| ShowPaymentsError::LedgerUnavailable)?.data;
        // A word that is none leaves all through.
        let rail: Option<Rail> = rail.and_then(|word| word.parse().ok());
        let status: Option<TopupStatus> = status.and_then(|word| word.parse().ok());
        let account_id = account.and_then(|number| number.parse::<i64>().ok()).filter(|number| *number > 0);
        let after = after.filter(|after| !after.is_empty());
        let list = ListOrdersInput { caller, csv: false, limit: None, after, account_id, rail, status };
        let found = self.topups.list_orders(cx, list).await.map_err(|_| ShowPaymentsError::LedgerUnavailable)?.data;
        let account = account_id.map(|number| number.to_string()).unwrap_or_default();
        let words = [
            ("rail", rail.map(|rail| rail.as_str()).unwrap_or_default()),
            ("status", status.map(|status| status.as_str()).unwrap_or_default()),
        ];
        let with = |path: &str, more: &[(&str, &str)]| link(path, &[&words[..], more].concat());
        let next = |after: String| with("/admin/payments", &[("account", &account), ("after", &after)]);
        let next = found.next.map(next).unwrap_or_default();
        let csv = with("/api/admin/orders", &[("account_id", &account), ("format", "csv")]);
        let (t, orders) = (frame.t, found.orders);
        Ok(reply::page(&PaymentsPage { t, frame, set_aside, account, rail, status, orders, next, csv }))
    }
}

impl ShowOrder for Admin {
    async fn show_order(&self, cx: &Cx, input: ShowOrderInput) -> Result<ProxyReply, ShowOrderError> {
        let ShowOrderInput { caller, order_id } = input;
        let frame = self.frame(&caller, Section::Payments);
        let found = self.topups.get_order_history(cx, GetOrderHistoryInput { caller: caller.clone(), order_id }).await;
        let found = found.map_err(|error| match error {
            GetOrderHistoryError::OrderNotFound { order } => ShowOrderError::OrderNotFound { order },
            // It is logged.
            _ => ShowOrderError::LedgerUnavailable,
        })?;
        let (order, payments) = (found.data.order, found.data.payments);
        let mut changes = Vec::new();
        for number in payments.iter().map(|payment| payment.payment_id).chain([order_id]) {
            let of = self.last_changes(cx, caller.clone(), Some(number.to_string()), CHANGES).await;
            changes.extend(of.ok_or(ShowOrderError::LedgerUnavailable)?);
        }
        changes.sort_by_key(|change: &LoggedChange| -change.change_id);
        Ok(reply::page(&OrderPage { t: frame.t, frame, order, payments, changes }))
    }
}
