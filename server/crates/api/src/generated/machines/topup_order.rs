// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! One top-up, on any rail. Polled through the order operation.

tollgate_macros::machine! {
    machine topup_order,
    spec: "spec/machines/topup.yaml: topup_order",
    row: { table: "topup_order", key: "id", state: "status", revision: "rev" },
    states: { Pending = "pending", Settling = "settling", Success = "success", Failed = "failed", Expired = "expired" },
    start: Pending,
    final: [Success],
    actors: { Settlement = "settlement", Clock = "clock" },
    guards: {
        /// The order can still be paid.
        WithinValidity = "within_validity": sql "expires_at > :now",
        /// The order's time is over.
        PastValidity = "past_validity": sql "expires_at <= :now",
        /// The chain shows the exact transfer at the configured depth, or the provider says paid with equal amount and
        /// currency.
        PaidForCertain = "paid_for_certain": proof SettlementReceipt,
        /// It is certain that nothing was paid and nothing can be any more; a timeout is no certainty.
        UnpaidForCertain = "unpaid_for_certain": proof NonPayment,
        /// Verified money for an order that had been given up.
        MoneyArrivedLate = "money_arrived_late": proof LatePayment,
    },
    effects: {
        /// The order's amount is posted to the account, once.
        CreditBalance = "credit_balance": "in the transaction of the move, once per order",
        /// The audit log names the order and the payment.
        AuditLateMoney = "audit_late_money": "in the transaction of the move",
    },
    moves: {
        /// A payment was verified, or a notice accepted, in time. Money may be moving from here on.
        BeginSettlement = "begin_settlement" { from: [Pending], to: Settling, by: [Settlement], when: [WithinValidity], spec: "spec/machines/topup.yaml: topup_order.begin_settlement" },
        /// The payment is final.
        Succeed = "succeed" { from: [Settling], to: Success, by: [Settlement], when: [PaidForCertain], does: [CreditBalance], spec: "spec/machines/topup.yaml: topup_order.succeed" },
        /// The payment was rejected for good.
        Fail = "fail" { from: [Settling], to: Failed, by: [Settlement], when: [UnpaidForCertain], spec: "spec/machines/topup.yaml: topup_order.fail" },
        /// Nothing was paid and the order is still valid, so that it may be tried again.
        GiveBack = "give_back" { from: [Settling], to: Pending, by: [Settlement], when: [UnpaidForCertain, WithinValidity], spec: "spec/machines/topup.yaml: topup_order.give_back" },
        /// Nobody paid in time.
        Expire = "expire" { from: [Pending], to: Expired, by: [Clock], when: [PastValidity], spec: "spec/machines/topup.yaml: topup_order.expire" },
        /// Money arrived after all. It is credited, never kept.
        Revive = "revive" { from: [Expired, Failed], to: Settling, by: [Settlement], when: [MoneyArrivedLate], does: [AuditLateMoney], spec: "spec/machines/topup.yaml: topup_order.revive" },
    },
}
