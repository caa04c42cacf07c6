tollgate_macros::machine! {
    machine topup_order,
    spec: "spec/machines/topup.yaml: topup_order",
    row: { table: "topup_order", key: "id", state: "status", revision: "rev" },
    states: { Pending = "pending", Settling = "settling", Success = "success", Expired = "expired" },
    start: Pending,
    final: [Success, Expired],
    actors: { Settlement = "settlement", Clock = "clock" },
    guards: { SettledOnChain = "settled_on_chain": proof SettlementReceipt },
    effects: { CreditBalance = "credit_balance": "in the transaction, once per order" },
    moves: {
        BeginSettlement = "begin_settlement" { from: [Pending], to: Settling, by: [Settlement] },
        Succeed = "succeed" { from: [Settling], to: Success, by: [Settlement], when: [SettledOnChain], does: [CreditBalance] },
        Expire = "expire" { from: [Pending], to: Expired, by: [Clock], spec: "spec/machines/topup.yaml: topup_order.expire" },
    },
}

pub struct Receipt;

impl proof::SettlementReceipt for Receipt {}
