//! The rules of the database itself, each attacked with a statement of its own.

mod alike;
mod both;
mod checks;
mod on_file;
mod on_server;
mod rules_of_file;
mod rules_of_server;
mod written;

use super::*;

/// Attacks on a file, and the messages of the database. `A` is an account with 1 USD of which 0.4 is held by hold 1; hold 2 was
/// settled for 0.25; `B` is another account. The words in capitals are told of in `written`.
const ATTACKS: &[(&str, &str)] = &[
    // Overdraft and impossible balances
    ("COPY {\"amount\": 600000001}", "available_not_negative"),
    ("COPY {\"amount\": -1}", "CHECK"),
    ("COPY {\"account_id\": 1}", "a hold is reserved"),
    ("UPDATE balances SET posted = -1 WHERE account_id = A", "available_not_negative"),
    ("UPDATE balances SET held = -1 WHERE account_id = A", "held_not_negative"),
    ("UPDATE balances SET posted = 1000000000000000001 WHERE account_id = A", "posted_in_range"),
    ("UPDATE balances SET posted = 0.5 WHERE account_id = A", "cannot store REAL"),
    ("UPDATE balances SET account_id = 3 WHERE account_id = A", "balances keep their owner"),
    ("UPDATE balances SET rowid = 3 WHERE account_id = B", "balances keep their owner"),
    ("DELETE FROM balances WHERE account_id = A", "balances stay"),
    ("INSERT OR REPLACE INTO balances (account_id, posted) VALUES (A, 0)", "balances stay"),
    ("INSERT INTO balances (account_id, posted) VALUES (1, 5)", "balances start empty"),
    ("INSERT INTO balances VALUES (1, 0, 1, 0)", "balances start empty"),
    // Holds
    ("AGAIN holds {\"id\": 99}", "UNIQUE constraint failed: holds.request_id"),
    ("AGAIN holds {\"request_id\": \"r99\"}", "UNIQUE constraint failed: holds.id"),
    ("AGAIN OR REPLACE holds {\"amount\": 1}", "holds stay until they are resolved"),
    ("AGAIN OR REPLACE holds {\"id\": 99}", "holds stay until they are resolved"),
    ("COPY OR REPLACE {\"id\": 2000000}", "holds stay until they are resolved"),
    ("COPY {\"price_id\": 77}", "FOREIGN KEY"),
    ("COPY {\"stream\": 2}", "CHECK"),
    ("COPY {\"ratio_ppm\": 0}", "CHECK"),
    ("COPY {\"expires_at\": 1}", "hold_expires_later"),
    ("COPY {\"tokens\": 1}", "counts_when_counted"),
    ("COPY {\"in_flight\": 1}", "counts_when_counted"),
    ("COPY {\"counted\": 1}", "limits are those of a key"),
    ("COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 1}", "CHECK"),
    // What has its receipt is not held again, by its number nor by its request.
    ("COPY {\"id\": 2}", "what has its receipt is not held again"),
    ("COPY OR IGNORE {\"id\": 2}", "what has its receipt is not held again"),
    ("COPY OR REPLACE {\"id\": 2}", "what has its receipt is not held again"),
    (
        "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at) SELECT 99, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, 1, created_at, expires_at FROM receipts",
        "what has its receipt is not held again",
    ),
    (
        "INSERT OR FAIL INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at) SELECT 99, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, 1, created_at, expires_at FROM receipts",
        "what has its receipt is not held again",
    ),
    ("UPDATE holds SET amount = 1 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET account_id = B WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET price_id = 77 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET ratio_ppm = 1 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET epoch = 0 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET expires_at = expires_at + 1 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET counted = 1 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET kept = 1 WHERE id = 1", "keep their terms"),
    ("UPDATE holds SET kept = 0 WHERE id = 2000000", "keep their terms"),
    (
        "UPDATE holds SET counted = 0, day_at = NULL, week_at = NULL, month_at = NULL, life_at = NULL, in_flight = 0 WHERE id = 2000001",
        "keep their terms",
    ),
    ("UPDATE holds SET id = 9 WHERE id = 1", "keep their number"),
    ("UPDATE holds SET rowid = 9 WHERE id = 1", "keep their number"),
    ("UPDATE OR REPLACE holds SET id = 2000000 WHERE id = 1", "keep their number"),
    ("INSERT INTO holds SELECT * FROM holds WHERE id = 1 ON CONFLICT DO UPDATE SET amount = 0", "keep their terms"),
    ("DELETE FROM holds WHERE id = 1", "holds stay until they are resolved"),
    // Budgets: of a day, of a week, of a month, and of all together
    (
        "BEGIN; UPDATE api_keys SET budget_day = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_day = 5 WHERE id = 9; COPY OR IGNORE {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_week = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_week = 5 WHERE id = 9; COPY OR IGNORE {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_month = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_month = 5 WHERE id = 9; COPY OR IGNORE {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_life = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_life = 5 WHERE id = 9; COPY OR IGNORE {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_holds: a hold fits into the budgets of its key",
    ),
    (
        "BEGIN; UPDATE api_keys SET budget_month = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 2678400000, \"life_at\": 0, \"amount\": 6}",
        "cap_holds",
    ),
    (
        "COPY OR FAIL {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 1000}",
        "cap_holds",
    ),
    (
        "COPY OR REPLACE {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 1000}",
        "cap_holds",
    ),
    // Receipts
    ("AGAIN receipts {\"id\": 99}", "UNIQUE constraint failed: receipts."),
    ("AGAIN receipts {\"hold_id\": 1, \"request_id\": \"r99\"}", "UNIQUE constraint failed: receipts."),
    ("AGAIN OR REPLACE receipts {\"id\": 99}", "append-only"),
    ("RELEASE OR REPLACE 1 {\"id\": 1}", "append-only"),
    ("RELEASE 1 {\"hold_id\": 77}", "a receipt resolves an open hold"),
    ("RELEASE 1 {\"cost\": 5}", "released_is_free"),
    ("RELEASE 1 {\"shortfall\": 5}", "released_is_free"),
    ("RELEASE 1 {\"state\": \"held\"}", "CHECK"),
    ("SETTLE 1 {\"prompt\": null}", "settled_has_usage"),
    ("SETTLE 1 {\"cost\": 1000000001}", "available_not_negative"),
    ("SETTLE 1 {\"tools\": \"{}\"}", "json_type"),
    ("SETTLE 1 {\"cost\": 1000000000000000001}", "CHECK"),
    ("SETTLE 1 {\"cost\": -1}", "CHECK"),
    ("SETTLE 1 {\"cached\": 6}", "CHECK"),
    ("SETTLE 1 {\"cache_write\": 2, \"cache_write_long\": 2}", "writes_are_prompt"),
    ("SETTLE 1 {\"cache_write\": -1, \"cache_write_long\": 1}", "CHECK"),
    ("RELEASE 1 {\"cache_write\": 1}", "writes_are_prompt"),
    (
        "SETTLE 1 {\"cache_write\": 1, \"cache_write_long\": 1, \"audio_prompt\": 1, \"image_prompt\": 1}",
        "media_are_prompt",
    ),
    ("SETTLE 1 {\"audio_completion\": 3, \"image_completion\": 3}", "media_are_completion"),
    ("SETTLE 1 {\"prompt\": 9223372036854775807, \"cached\": 0}", "cannot store REAL"),
    ("INSERT INTO receipts SELECT * FROM receipts WHERE true ON CONFLICT DO UPDATE SET cost = 0", "append-only"),
    ("UPDATE receipts SET cost = 0 WHERE hold_id = 2", "append-only"),
    ("UPDATE receipts SET rowid = 99 WHERE hold_id = 2", "append-only"),
    ("DELETE FROM receipts WHERE hold_id = 2", "append-only"),
    // What answered, and what is charged beside the usual prices
    ("SETTLE 1 {\"fallback\": \"another\"}", "fallback_is_priced"),
    ("SETTLE 1 {\"fallback\": \"another\", \"fallback_price_id\": 77}", "FOREIGN KEY"),
    ("SETTLE 1 {\"tier_above\": 4}", "tier_is_priced"),
    ("SETTLE 1 {\"tier_above\": 4, \"tier_price_id\": 77}", "FOREIGN KEY"),
    ("SETTLE 1 {\"tier_above\": 5, \"tier_price_id\": 77}", "tier_is_for_longer"),
    ("RELEASE 1 {\"tier_above\": 0, \"tier_price_id\": 77}", "tier_is_for_longer"),
    ("SETTLE 1 {\"class\": \"service_tier: flex\"}", "class_is_priced"),
    ("SETTLE 1 {\"class\": \"service_tier: flex\", \"class_price_id\": 77}", "FOREIGN KEY"),
    ("SETTLE 1 {\"class_price_id\": 77}", "class_is_priced"),
    ("SETTLE 1 {\"tools\": \"web_search\"}", "json_valid"),
    // Prices, and months that were put away
    ("UPDATE prices SET rowid = 77", "append-only"),
    ("INSERT INTO prices SELECT * FROM prices WHERE true ON CONFLICT DO UPDATE SET completion = 0", "append-only"),
    ("AGAIN OR REPLACE prices {\"completion\": 0}", "append-only"),
    ("AGAIN OR REPLACE archived_months {\"receipts\": 0}", "append-only"),
    ("AGAIN OR REPLACE carried {\"cost\": 1}", "append-only"),
    ("AGAIN carried {\"starts_at\": 0}", "FOREIGN KEY"),
    // Transfers
    ("UPDATE transfers SET amount = 1", "append-only"),
    ("DELETE FROM transfers", "append-only"),
    ("INSERT OR REPLACE INTO transfers SELECT * FROM transfers WHERE id = 1", "append-only"),
    // A charge is its receipt, and no transfer.
    ("MOVE usage, A, 1, 250000000, 'x', NULL", "CHECK"),
    ("MOVE promo, 2, A, 1, 'grant:open 1', NULL", "transfers.idem"),
    ("MOVE promo, 2, A, 1, NULL, NULL", "NOT NULL constraint failed: transfers.idem"),
    ("MOVE promo, 2, A, 1, '', NULL", "CHECK"),
    ("MOVE promo, B, A, 1, 'x', NULL", "promo_is_ours"),
    ("MOVE promo, 2, 2, 1, 'x', NULL", "two_sides"),
    ("MOVE promo, 2, A, 0, 'x', NULL", "CHECK"),
    ("MOVE promo, 2, A, 1000000000000000000, 'x', NULL", "posted_in_range"),
    ("MOVE promo, 2, 77, 1, 'x', NULL", "FOREIGN KEY"),
    ("MOVE gift, 2, A, 1, 'x', NULL", "CHECK"),
    ("MOVE topup, 5, A, 1, 'x', 3", "successful order"),
    ("MOVE topup, 5, A, 1, 'x', NULL", "successful order"),
    ("MOVE adjust, 5, A, 1, 'x', 1", "topup_has_order"),
    ("MOVE adjust, A, 3, 600000001, 'x', NULL", "available_not_negative"),
    // The same with words that reach into triggers: OR IGNORE would pass over what a trigger cannot do, OR FAIL would
    // keep the row that it was to be done for.
    ("MOVE OR IGNORE adjust, A, B, 600000001, 'x', NULL", "available_not_negative"),
    ("MOVE OR FAIL adjust, A, B, 600000001, 'x', NULL", "available_not_negative"),
    ("MOVE OR REPLACE adjust, A, B, 600000001, 'x', NULL", "available_not_negative"),
    ("MOVE OR REPLACE promo, 2, A, 1, 'grant:open 1', NULL", "append-only"),
    ("MOVE OR IGNORE promo, 2, A, 1000000000000000000, 'x', NULL", "posted_in_range"),
    ("MOVE OR FAIL adjust, B, A, 999999999999999999, 'x', NULL", "available_not_negative"),
    ("MOVE OR FAIL promo, 2, A, 1000000000000000000, 'x', NULL", "posted_in_range"),
    ("COPY OR IGNORE {\"amount\": 600000001}", "available_not_negative"),
    ("COPY OR FAIL {\"amount\": 600000001}", "available_not_negative"),
    ("COPY OR REPLACE {\"amount\": 600000001}", "available_not_negative"),
    ("COPY OR IGNORE {\"account_id\": 1}", "a hold is reserved"),
    ("SETTLE OR IGNORE 1 {\"cost\": 1000000001}", "available_not_negative"),
    ("SETTLE OR FAIL 1 {\"cost\": 1000000001}", "available_not_negative"),
    ("SETTLE OR REPLACE 1 {\"cost\": 1000000001}", "available_not_negative"),
    ("SETTLE OR FAIL 1 {\"cost\": 1000000000000000001}", "CHECK"),
    ("RELEASE OR IGNORE 1 {\"hold_id\": 77}", "a receipt resolves an open hold"),
    ("RELEASE OR FAIL 1 {\"hold_id\": 77}", "a receipt resolves an open hold"),
    ("RELEASE OR REPLACE 1 {\"hold_id\": 77}", "a receipt resolves an open hold"),
    ("RELEASE OR IGNORE 1 {\"held\": 0}", "by its terms"),
    ("RELEASE OR IGNORE 2000000", "a kept hold ends with what it is kept for"),
    ("BEGIN; UPDATE balances SET held = 0 WHERE account_id = A; RELEASE OR IGNORE 1", "held_not_negative"),
    ("BEGIN; UPDATE key_rates SET in_flight = 0; RELEASE OR IGNORE 2000001", "a request is under way no more"),
    (
        "BEGIN; UPDATE spend_windows SET held = 0 WHERE period = 'day'; RELEASE OR IGNORE 2000001",
        "a hold is counted no more",
    ),
    (
        "BEGIN; UPDATE spend_windows SET held = 0 WHERE period = 'week'; RELEASE OR IGNORE 2000001",
        "a hold is counted no more",
    ),
    (
        "BEGIN; UPDATE spend_windows SET held = 0 WHERE period = 'month'; RELEASE OR IGNORE 2000001",
        "a hold is counted no more",
    ),
    (
        "BEGIN; UPDATE spend_windows SET held = 0 WHERE period = 'life'; RELEASE OR IGNORE 2000001",
        "a hold is counted no more",
    ),
    ("UPDATE OR IGNORE holds SET amount = 0 WHERE id = 1", "keep their terms"),
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
    house: TestLedger,
    account: AccountId,
    other: AccountId,
    /// Hold 1.
    held: Hold,
}

impl Attacked {
    async fn open(on: On) -> Self {
        let house = TestLedger::open_on(on).await;
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
    let house = TestLedger::open().await;
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
