//! The rules of the database itself, each attacked with a statement of its own.

mod both;
mod on_file;
mod on_server;

use super::*;

/// What is tried on a file, and what the database has to say to it. `A` is an account with 1 USD of which 0.4 is held by hold 1;
/// hold 2 was settled for 0.25; `B` is another account.
const ATTACKS: &[(&str, &str)] = &[
    // Overdraft and impossible balances
    (
        "INSERT INTO holds SELECT 9, account_id, key_id, 'r9', 600000001, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "available_not_negative",
    ),
    (
        "INSERT INTO holds SELECT 9, account_id, key_id, 'r9', -1, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "CHECK",
    ),
    (
        "INSERT INTO holds SELECT 9, 1, key_id, 'r9', 1, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "a hold is reserved",
    ),
    ("UPDATE balances SET posted = -1 WHERE account_id = A", "available_not_negative"),
    ("UPDATE balances SET held = -1 WHERE account_id = A", "held_not_negative"),
    ("UPDATE balances SET posted = 1000000000000000001 WHERE account_id = A", "posted_in_range"),
    ("UPDATE balances SET posted = 0.5 WHERE account_id = A", "cannot store REAL"),
    ("UPDATE balances SET account_id = 3 WHERE account_id = A", "balances keep their owner"),
    ("UPDATE balances SET rowid = 3 WHERE account_id = B", "balances keep their owner"),
    ("DELETE FROM balances WHERE account_id = A", "balances stay"),
    ("INSERT OR REPLACE INTO balances (account_id, posted) VALUES (A, 0)", "balances stay"),
    ("INSERT INTO balances (account_id, posted) VALUES (1, 5)", "balances start empty"),
    // Holds
    (
        "INSERT INTO holds SELECT 9, account_id, key_id, 'r9', 1, 'settled', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "a row starts in held",
    ),
    (
        "INSERT INTO holds SELECT 9, account_id, key_id, request_id, 1, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "holds.request_id",
    ),
    (
        "INSERT OR REPLACE INTO holds SELECT id, account_id, key_id, request_id, 1, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "holds stay",
    ),
    ("UPDATE holds SET state = 'settled' WHERE id = 1", "resolved by their receipt"),
    ("UPDATE holds SET state = 'released' WHERE id = 1", "resolved by their receipt"),
    ("UPDATE holds SET state = 'held' WHERE id = 2", "hold"),
    ("UPDATE holds SET state = 'gone' WHERE id = 1", "hold"),
    ("UPDATE holds SET amount = 1 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET account_id = B WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_prompt = 0 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_cache_write = NULL WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_cache_write_long = 0 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_audio_prompt = NULL WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_image_completion = 0 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_request = NULL WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_reasoning = 0 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET ratio_ppm = 1 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET epoch = 0 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET id = 9 WHERE id = 1", "keep their number"),
    ("UPDATE holds SET rowid = 9 WHERE id = 1", "keep their number"),
    ("UPDATE holds SET expires_at = expires_at + 1 WHERE id = 2", "resolve once"),
    ("DELETE FROM holds WHERE id = 1", "holds stay"),
    ("DELETE FROM holds WHERE id = 2", "holds stay"),
    // Receipts
    (
        "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (2, 'released', 0, 0, 'x', 1)",
        "UNIQUE",
    ),
    (
        "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (77, 'released', 0, 0, 'x', 1)",
        "a receipt resolves an open hold",
    ),
    (
        "INSERT OR REPLACE INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (2, 'released', 0, 0, 'x', 1)",
        "append-only",
    ),
    (
        "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (1, 'released', 5, 0, 'x', 1)",
        "released_is_free",
    ),
    (
        "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (1, 'settled', 5, 0, 'x', 1)",
        "settled_has_usage",
    ),
    (
        "INSERT INTO receipts SELECT 1, 'settled', 1000000001, 0, rule, prompt, cached, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "available_not_negative",
    ),
    (
        "INSERT INTO receipts SELECT 1, 'settled', -1, 0, rule, prompt, cached, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "CHECK",
    ),
    (
        "INSERT INTO receipts SELECT 1, 'settled', 1, 0, rule, 5, 6, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "CHECK",
    ),
    (
        "INSERT INTO receipts SELECT 1, 'settled', 1, 0, rule, 5, 2, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 2, 2, 0, 0, 0, 0 FROM receipts",
        "CHECK",
    ),
    (
        "INSERT INTO receipts SELECT 1, 'settled', 1, 0, rule, 5, 2, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, -1, 1, 0, 0, 0, 0 FROM receipts",
        "CHECK",
    ),
    (
        "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at, cache_write) VALUES (1, 'released', 0, 0, 'x', 1, 1)",
        "CHECK",
    ),
    (
        "INSERT INTO receipts SELECT 1, 'settled', 1, 0, rule, 5, 2, 0, 0, estimated, NULL, NULL, NULL, NULL, 1, 1, 1, 1, 1, 0, 0 FROM receipts",
        "CHECK",
    ),
    (
        "INSERT INTO receipts SELECT 1, 'settled', 1, 0, rule, 5, 2, 5, 0, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 3, 3 FROM receipts",
        "CHECK",
    ),
    ("UPDATE receipts SET cost = 0 WHERE hold_id = 2", "append-only"),
    ("DELETE FROM receipts WHERE hold_id = 2", "append-only"),
    // Transfers
    ("UPDATE transfers SET amount = 1", "append-only"),
    ("DELETE FROM transfers", "append-only"),
    ("INSERT OR REPLACE INTO transfers SELECT * FROM transfers WHERE id = 1", "append-only"),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, hold_id, actor, created_at) VALUES ('usage', A, 1, 250000000, 2, 'x', 1)",
        "UNIQUE",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, hold_id, actor, created_at) VALUES ('usage', A, 1, 1, 1, 'x', 1)",
        "usage must match",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, hold_id, actor, created_at) VALUES ('usage', B, 1, 250000000, 2, 'x', 1)",
        "usage must match",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('usage', A, 1, 1, 'x', 'x', 1)",
        "usage",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, A, 1, 'grant:open 1', 'x', 1)",
        "transfers.idem",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, actor, created_at) VALUES ('promo', 2, A, 1, 'x', 1)",
        "others_have_key",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', B, A, 1, 'x', 'x', 1)",
        "promo_is_ours",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, 2, 1, 'x', 'x', 1)",
        "two_sides",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, A, 0, 'x', 'x', 1)",
        "CHECK",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, A, 1000000000000000000, 'x', 'x', 1)",
        "posted_in_range",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, 77, 1, 'x', 'x', 1)",
        "FOREIGN KEY",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('gift', 2, A, 1, 'x', 'x', 1)",
        "CHECK",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at) VALUES ('topup', 5, A, 1, 'x', 3, 'x', 1)",
        "successful order",
    ),
    (
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('adjust', A, 3, 600000001, 'x', 'x', 1)",
        "available_not_negative",
    ),
    // The same with words that reach into triggers: OR IGNORE would pass over what a trigger cannot do, OR FAIL would
    // keep the row that it was to be done for.
    (
        "INSERT OR IGNORE INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('adjust', A, B, 600000001, 'x', 'x', 1)",
        "available_not_negative",
    ),
    (
        "INSERT OR FAIL INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('adjust', A, B, 600000001, 'x', 'x', 1)",
        "available_not_negative",
    ),
    (
        "INSERT OR REPLACE INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('adjust', A, B, 600000001, 'x', 'x', 1)",
        "available_not_negative",
    ),
    (
        "INSERT OR REPLACE INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, A, 1, 'grant:open 1', 'x', 1)",
        "append-only",
    ),
    (
        "INSERT OR IGNORE INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, A, 1000000000000000000, 'x', 'x', 1)",
        "posted_in_range",
    ),
    (
        "INSERT OR FAIL INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('adjust', B, A, 999999999999999999, 'x', 'x', 1)",
        "available_not_negative",
    ),
    (
        "INSERT OR FAIL INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, A, 1000000000000000000, 'x', 'x', 1)",
        "posted_in_range",
    ),
    (
        "INSERT OR IGNORE INTO holds SELECT 9, account_id, key_id, 'r9', 600000001, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "available_not_negative",
    ),
    (
        "INSERT OR FAIL INTO holds SELECT 9, account_id, key_id, 'r9', 600000001, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "available_not_negative",
    ),
    (
        "INSERT OR REPLACE INTO holds SELECT 9, account_id, key_id, 'r9', 600000001, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "available_not_negative",
    ),
    (
        "INSERT OR IGNORE INTO holds SELECT 9, 1, key_id, 'r9', 1, 'held', model, stream, 1, 1, 1, 'v', epoch, 1, 2, 1, 1, 0, 1, 1, 1, 1, NULL, 1, 1, 1 FROM holds WHERE id = 1",
        "a hold is reserved",
    ),
    (
        "INSERT OR IGNORE INTO receipts SELECT 1, 'settled', 1000000001, 0, rule, prompt, cached, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "available_not_negative",
    ),
    (
        "INSERT OR FAIL INTO receipts SELECT 1, 'settled', 1000000001, 0, rule, prompt, cached, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "available_not_negative",
    ),
    (
        "INSERT OR REPLACE INTO receipts SELECT 1, 'settled', 1000000001, 0, rule, prompt, cached, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "available_not_negative",
    ),
    (
        "INSERT OR IGNORE INTO receipts SELECT 1, 'settled', 1000000000000000001, 0, rule, prompt, cached, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "a charge is money that there can be",
    ),
    (
        "INSERT OR FAIL INTO receipts SELECT 1, 'settled', 1000000000000000001, 0, rule, prompt, cached, completion, reasoning, estimated, NULL, NULL, NULL, NULL, 1, 0, 0, 0, 0, 0, 0 FROM receipts",
        "a charge is money that there can be",
    ),
    (
        "INSERT OR FAIL INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (77, 'released', 0, 0, 'x', 1)",
        "a receipt resolves an open hold",
    ),
    ("UPDATE OR IGNORE holds SET state = 'released' WHERE id = 1", "resolved by their receipt"),
    ("UPDATE OR REPLACE balances SET posted = -1 WHERE account_id = A", "available_not_negative"),
    (
        "INSERT OR IGNORE INTO accounts (id, name, state, created_at) VALUES (4999999999, 'taken', 'active', 1)",
        "is taken",
    ),
    (
        "INSERT OR FAIL INTO accounts (id, name, state, created_at) VALUES (4999999999, 'taken', 'active', 1)",
        "is taken",
    ),
    // Accounts, keys and logs
    ("INSERT INTO accounts (id, name, state, created_at) VALUES (5, 'low', 'active', 1)", "CHECK"),
    ("INSERT INTO ledger_accounts VALUES (9, 'user', 'user:9', NULL)", "user_has_account"),
    ("UPDATE ledger_accounts SET kind = 'promo' WHERE id = A", "append-only"),
    ("DELETE FROM accounts WHERE id = A", "accounts stay"),
    ("UPDATE accounts SET id = 4294967296 WHERE id = A", "accounts keep"),
    (
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, rev, created_at, expires_at) VALUES (2, A, x'00', 's', '', 'active', 0, 1, NULL)",
        "CHECK",
    ),
    ("UPDATE api_keys SET state = 'active', rev = rev + 1 WHERE id = 8", "no move leads there"),
    ("UPDATE accounts SET rowid = 4294967296 WHERE id = B", "accounts keep"),
    ("UPDATE api_keys SET rowid = 9 WHERE id = 8", "keys keep"),
    ("UPDATE api_keys SET account_id = B WHERE id = 8", "keys keep"),
    ("UPDATE api_keys SET expires_at = 9 WHERE id = 8", "keys keep"),
    ("DELETE FROM api_keys", "keys stay"),
    // Agents
    (
        "INSERT INTO agents SELECT 6, account_id, 2, chain, addr, label, 'nonce-06', state, 0, NULL, NULL, NULL, 1 FROM agents",
        "agents.addr",
    ),
    (
        "INSERT INTO agents SELECT 6, account_id, slot, chain, replace(addr, 'a', 'b'), label, 'nonce-06', state, 0, NULL, NULL, NULL, 1 FROM agents",
        "agents.slot",
    ),
    (
        "INSERT INTO agents SELECT 6, account_id, 51, chain, replace(addr, 'a', 'b'), label, 'nonce-06', state, 0, NULL, NULL, NULL, 1 FROM agents",
        "CHECK",
    ),
    (
        "INSERT INTO agents SELECT 6, account_id, 2, chain, upper(addr), label, 'nonce-06', state, 0, NULL, NULL, NULL, 1 FROM agents",
        "one_way_to_write_it",
    ),
    (
        "INSERT INTO agents SELECT 6, account_id, 2, chain, replace(addr, 'a', 'b'), label, nonce, state, 0, NULL, NULL, NULL, 1 FROM agents",
        "agents.nonce",
    ),
    ("UPDATE agents SET nonce = 'nonce-06'", "keep their account and wallet"),
    ("UPDATE agents SET account_id = B WHERE id = 5", "keep their account and wallet"),
    ("UPDATE agents SET rowid = 6", "keep their account and wallet"),
    ("UPDATE agents SET state = 'revoked'", "counts rev up"),
    ("INSERT OR REPLACE INTO agents SELECT * FROM agents", "agents stay"),
    ("DELETE FROM agents", "agents stay"),
    ("UPDATE api_keys SET agent_id = NULL", "keep their agent"),
    (
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, agent_id) VALUES (2, B, randomblob(32), 's', '', 'active', 1, 5)",
        "is of a live one of its account",
    ),
    (
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, agent_id) VALUES (2, A, randomblob(32), 's', '', 'active', 1, 5)",
        "api_keys.agent_id",
    ),
    ("INSERT INTO agent_windows VALUES (5, 'day', 86400000, 7, 7, 0, 0)", "begins unspent"),
    ("INSERT INTO agent_windows VALUES (5, 'life', 0, 1000, 1000, 0, 0)", "begins unspent"),
    ("UPDATE agent_windows SET held = 1001", "agent_cap_holds"),
    ("UPDATE agent_windows SET spent = -1", "agent_spent_not_negative"),
    ("UPDATE agent_windows SET held = -1", "agent_held_not_negative"),
    ("UPDATE agent_windows SET cap = 2000", "agent_cap_has_a_reason"),
    ("UPDATE agent_windows SET starts_at = 86400000", "keep their agent and time"),
    ("DELETE FROM agent_windows", "caps stay"),
    ("UPDATE key_epoch SET epoch = 0", "forward"),
    ("DELETE FROM key_epoch", "stays"),
    ("UPDATE audit_log SET actor = 'nobody'", "append-only"),
    ("DELETE FROM audit_log", "append-only"),
    // Orders and payments
    ("UPDATE topup_order SET amount = 2 WHERE id = 1", "terms are fixed"),
    ("UPDATE topup_order SET expires_at = 9 WHERE id = 1", "terms are fixed"),
    ("DELETE FROM topup_order", "orders stay"),
    ("INSERT OR REPLACE INTO topup_order SELECT * FROM topup_order", "orders stay"),
    ("UPDATE topup_order SET place = NULL", "waiting_has_a_place"),
    ("UPDATE topup_order SET place = 0", "CHECK"),
    ("UPDATE topup_order SET failure_code = '', failure_detail = ''", "CHECK"),
    ("UPDATE topup_order SET failure_code = 'x'", "failure_is_told"),
    (
        "BEGIN; UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'failed', rev = 2",
        "failure_says_why",
    ),
    (
        "BEGIN; UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "an order succeeds by a payment",
    ),
    (
        "BEGIN; UPDATE payments SET state = 'paid', rev = 1, decided_at = 1; UPDATE topup_order SET status = 'settling', rev = 1; \
            UPDATE topup_order SET status = 'success', rev = 2",
        "success_has_its_time",
    ),
    // Its credit is there already, under another's name.
    (
        "BEGIN; INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, A, 1, 'order:1', 'x', 1); \
            UPDATE payments SET state = 'paid', rev = 1, decided_at = 1; UPDATE topup_order SET status = 'settling', rev = 1; \
            UPDATE OR IGNORE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "an order that succeeds is credited",
    ),
    (
        "INSERT INTO topup_order ORDERED VALUES (2, 't2', A, 'x402', 1, 'pending', 0, 1, 2, 1)",
        "topup_order.account_id, topup_order.place",
    ),
    (
        "INSERT INTO topup_order ORDERED VALUES (2, 't2', A, 'x402', 1, 'pending', 0, 1, 2, 4)",
        "three orders wait at most",
    ),
    (
        "INSERT INTO payments SELECT 2, source, reference, order_id, state, rev, asset, amount, payer, receipt, 1, NULL, NULL, NULL, NULL FROM payments",
        "UNIQUE",
    ),
    (
        "INSERT INTO payments SELECT 2, source, 'x', 77, state, rev, asset, amount, payer, receipt, 1, NULL, NULL, NULL, NULL FROM payments",
        "FOREIGN KEY",
    ),
    (
        "INSERT INTO payments SELECT 2, source, 'x', 1, 'paid', rev, asset, amount, payer, receipt, 1, 1, NULL, NULL, NULL FROM payments",
        "a row starts in claimed",
    ),
    (
        "BEGIN; INSERT INTO payments SELECT 2, source, 'x', 1, state, rev, asset, amount, payer, receipt, 1, NULL, NULL, NULL, NULL FROM payments; \
            UPDATE payments SET state = 'paid', rev = 1, decided_at = 1",
        "payments.order_id",
    ),
    ("UPDATE payments SET order_id = 77", "payments keep their terms"),
    ("UPDATE payments SET amount = '2'", "payments keep their terms"),
    ("UPDATE payments SET state = 'paid', rev = 1", "decided_when_over"),
    (
        "BEGIN; UPDATE payments SET state = 'void', rev = 1, decided_at = 1; UPDATE payments SET state = 'claimed', rev = 2, decided_at = NULL",
        "no move leads",
    ),
    ("DELETE FROM payments", "payments stay"),
    // Agents and their orders
    ("UPDATE topup_order SET agent_id = 5", "orders keep their agent"),
    ("UPDATE topup_order SET counted_day = 0", "counts_while_paid"),
    (
        "INSERT INTO topup_order OF_AGENT VALUES (2, 't2', B, 'crypto', 1, 'pending', 0, 1, 2, 5)",
        "a live agent of its account",
    ),
    ("INSERT INTO topup_order OF_AGENT VALUES (2, 't2', A, 'ewallet', 1, 'pending', 0, 1, 2, 5)", "agents_sign"),
    (
        "BEGIN; INSERT INTO topup_order OF_AGENT VALUES (2, 't2', A, 'crypto', 1001, 'pending', 0, 1, 2, 5); \
            UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; UPDATE topup_order SET counted_day = 0 WHERE id = 2",
        "agent_cap_holds",
    ),
];

/// A ledger that is attacked.
struct Attacked {
    house: House,
    account: AccountId,
    other: AccountId,
    /// Hold 1.
    held: Hold,
}

impl Attacked {
    async fn open(on: On) -> Self {
        let house = House::open_on(on).await;
        let (account, other) = (house.account(1, "1.25").await, house.account(2, "5").await);
        let held = house.hold(account, "0.4").await;
        let paid = house.hold(account, "0.5").await;
        assert_eq!((held.id().0, paid.id().0), (1, 2));
        house.credit.settle(paid, settlement("0.25")).await.unwrap();
        Self { house, account, other, held }
    }
}

#[tokio::test]
async fn a_change_of_keys_or_of_an_accounts_state_moves_the_key_epoch() {
    let house = House::open().await;
    let account = house.account(1, "0").await;
    let epoch = async || raw::number(&house.store, "SELECT epoch FROM key_epoch").await;
    let acts = [
        format!(
            "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, rev, created_at, expires_at) VALUES (1, {account}, zeroblob(32), 's', '', 'active', 0, 1, NULL)"
        ),
        "UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE id = 1 AND state = 'active'".to_owned(),
        format!("UPDATE accounts SET state = 'frozen' WHERE id = {account}"),
    ];
    for act in acts {
        let before = epoch().await;
        raw::run(&house.store, &act).await.unwrap();
        assert_eq!(epoch().await, before + 1, "{act}");
    }
}
