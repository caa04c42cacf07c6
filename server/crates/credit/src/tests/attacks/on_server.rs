//! The same on PostgreSQL, rule by rule: what the database says that its rules are is what is attacked, so that a rule that
//! is new has no rest until somebody has tried to break it.
//!
//! A trigger is attacked with everything else as it is, or, where another rule would be before it, with that one away.

use std::collections::BTreeSet;

use super::both::{self, SETUP, Tried};
use super::checks::CHECKS;
use super::rules_of_server::{MONTHS, RULES, Rule};
use super::written;
use super::*;

/// Makes the place of the month in which hold 2 got its receipt, which moves there.
const A_MONTH: &str = "SELECT receipts_month(1798761600000)";

/// A trigger or an index, what is tried, and what the database has to say to it. Where a trigger refuses nothing but does
/// something, what it does is made to fail.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "accounts.accounts_end_sessions",
        "CREATE TABLE kept (hash BYTEA REFERENCES sessions (hash)); INSERT INTO kept SELECT hash FROM sessions; UPDATE accounts SET state = 'frozen' WHERE id = B",
        "kept_hash_fkey",
    ),
    (
        "alarms.alarms_open",
        "INSERT INTO alarms (alarm, subject, message, fields, node, occurrences, first_at, last_at) VALUES ('x', '', 'm', '{}', 'n', 1, 1, 1)",
        "alarms_open",
    ),
    (
        "operators.operators_invitation_key",
        "UPDATE operators SET invitation = decode(repeat('22', 32), 'hex'), invitation_ends_at = 9 WHERE id = 2",
        "operators_invitation_key",
    ),
    (
        "operators.operators_end_sessions",
        "CREATE TABLE kept (hash BYTEA REFERENCES operator_sessions (hash)); INSERT INTO kept SELECT hash FROM operator_sessions; UPDATE operators SET state = 'disabled' WHERE id = 2",
        "kept_hash_fkey",
    ),
    (
        "identities.identities_end_sessions",
        "CREATE TABLE kept (hash BYTEA REFERENCES sessions (hash)); INSERT INTO kept SELECT hash FROM sessions; DELETE FROM identities WHERE id = 1",
        "kept_hash_fkey",
    ),
    (
        "members.members_person_id_key",
        "INSERT INTO members (id, account_id, person_id, role, state, created_at) VALUES (7, A, B, 'viewer', 'active', 1)",
        "members_person_id_key",
    ),
    ("members.members_stay", "TRUNCATE members CASCADE", "stay"),
    ("invitations.invitations_stay", "TRUNCATE invitations", "invitations stay"),
    ("identities.identities_truncated", "TRUNCATE identities", "identities are taken away one by one"),
    (
        "accounts.accounts_epoch",
        "UPDATE key_epoch SET epoch = 9223372036854775807; UPDATE accounts SET state = 'frozen' WHERE id = A",
        "out of range",
    ),
    (
        "accounts.accounts_epoch_group",
        "UPDATE key_epoch SET epoch = 9223372036854775807; UPDATE accounts SET price_group = 'x' WHERE id = A",
        "out of range",
    ),
    ("accounts.accounts_fixed", "UPDATE accounts SET id = 4294967296 WHERE id = A", "accounts keep"),
    (
        "accounts.accounts_open",
        "INSERT INTO accounts VALUES (4999999999, 'taken', 'active', 1)",
        "ledger_accounts_pkey",
    ),
    (
        "agent_windows.agent_windows_guard",
        "INSERT INTO agent_windows VALUES (5, 'day', 86400000, 7, 7, 0, 0)",
        "begins unspent",
    ),
    ("agent_windows.agent_windows_guard", "UPDATE agent_windows SET starts_at = 86400000", "keep their agent and time"),
    ("agents.agents_addr_key", "AGAIN agents {\"id\": 6, \"slot\": 2, \"nonce\": \"nonce-06\"}", "agents_addr_key"),
    (
        "agents.agents_caps",
        "ALTER TABLE agent_windows ADD CHECK (budget <> 77); UPDATE agents SET cap_day = 77 WHERE id = 5",
        "agent_windows_budget_check",
    ),
    ("agents.agents_fixed", "UPDATE agents SET account_id = B", "keep their account and wallet"),
    ("agents.agents_fixed", "UPDATE agents SET slot = 2", "keep their account and wallet"),
    ("agents.agents_fixed", "UPDATE agents SET addr = replace(addr, 'a', 'b')", "keep their account and wallet"),
    ("agents.agents_fixed", "UPDATE agents SET nonce = 'nonce-06'", "keep their account and wallet"),
    (
        "agents.agents_revoke_key",
        "ALTER TABLE api_keys ADD CHECK (agent_id IS NULL OR state = 'active'); UPDATE agents SET state = 'revoked', rev = 1",
        "api_keys_check",
    ),
    (
        "agents.agents_slot_key",
        "AGAIN agents {\"id\": 6, \"addr\": \"0x00000000000000000000000000000000000000bb\", \"nonce\": \"nonce-06\"}",
        "agents_slot_key",
    ),
    ("agents.machine_agent_move", "UPDATE agents SET state = 'revoked'", "counts rev up"),
    (
        "api_keys.api_keys_agent_id_key",
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, agent_id) VALUES (7, A, decode(repeat('22', 32), 'hex'), 's', '', 'active', 1, 5)",
        "api_keys_agent_id_key",
    ),
    (
        "api_keys.api_keys_of_agent",
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, agent_id) VALUES (7, B, decode(repeat('22', 32), 'hex'), 's', '', 'active', 1, 5)",
        "is of a live one of its account",
    ),
    ("api_keys.api_keys_of_agent", "UPDATE api_keys SET agent_id = NULL", "keep their agent"),
    (
        "api_keys.api_keys_revoke_agent",
        "ALTER TABLE agents ADD CHECK (state = 'active'); UPDATE api_keys SET state = 'revoked', rev = 1 WHERE agent_id = 5",
        "agents_state_check1",
    ),
    (
        "api_keys.api_keys_budgets",
        "ALTER TABLE spend_windows ADD CHECK (budget <> 77); UPDATE api_keys SET budget_day = 77 WHERE id = 9",
        "spend_windows_budget_check",
    ),
    (
        "api_keys.api_keys_epoch",
        "UPDATE key_epoch SET epoch = 9223372036854775807; UPDATE api_keys SET models = '[]' WHERE id = 9",
        "out of range",
    ),
    (
        "api_keys.api_keys_limited",
        "ALTER TABLE api_keys ADD CONSTRAINT kept CHECK (id <> 10 OR manages = 1); UPDATE api_keys SET budget_day = 5 WHERE id = 10",
        "kept",
    ),
    ("api_keys.api_keys_guard", "UPDATE api_keys SET account_id = B WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_guard", "UPDATE api_keys SET hash = decode(repeat('22', 32), 'hex') WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_guard", "UPDATE api_keys SET expires_at = 9 WHERE id = 9", "keys keep"),
    (
        "api_keys.machine_api_key_move",
        "UPDATE api_keys SET state = 'active', rev = rev + 1 WHERE id = 8",
        "no move leads",
    ),
    ("balances.balances_start", "INSERT INTO balances (account_id, posted) VALUES (1, 5)", "balances start empty"),
    ("balances.balances_start", "INSERT INTO balances VALUES (1, 5, 5, 0)", "balances start empty"),
    ("balances.balances_start", "INSERT INTO balances VALUES (1, 0, 1, 0)", "balances start empty"),
    ("balances.balances_guard", "UPDATE balances SET account_id = 3 WHERE account_id = A", "balances keep their owner"),
    ("debt_payments.debt_payments_by_credit", "AGAIN debt_payments {\"id\": 9}", "debt_payments_by_credit"),
    (
        "payments.payments_resolve",
        "MOVE adjust, 3, B, 1, 'payment:1', NULL; UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1; UPDATE payments SET resolution = 'credit', resolved_amount = 1, resolved_at = 1",
        "transfers_once",
    ),
    ("holds.holds_by_receipt", "DELETE FROM holds WHERE false", "holds stay until they are resolved"),
    ("holds.holds_by_receipt", "TRUNCATE holds", "holds stay until they are resolved"),
    (
        "receipts_other.receipts_through_table",
        "SELECT receipts_month(1800000000000)",
        "a month begins at its first moment",
    ),
    (
        "receipts_other.receipts_through_table",
        "SELECT receipts_month(1798761600001)",
        "a month begins at its first moment",
    ),
    (
        "holds.holds_by_receipt",
        "WITH gone AS (DELETE FROM holds WHERE id = 1 RETURNING *) SELECT * FROM gone",
        "holds stay until they are resolved",
    ),
    (
        "holds.holds_by_receipt",
        "MERGE INTO holds h USING receipts r ON h.id = 1 WHEN MATCHED THEN DELETE",
        "holds stay until they are resolved",
    ),
    (
        "holds.holds_pooled",
        "COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\", \"amount\": 1001}",
        "pool_cap_has_a_reason",
    ),
    (
        "holds.holds_pooled",
        "ALTER TABLE pool_windows DROP CONSTRAINT pool_cap_has_a_reason; COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\", \"amount\": 1001}",
        "pool_cap_holds",
    ),
    (
        "budget_pools.budget_pools_organisation",
        "AGAIN budget_pools {\"id\": 9, \"name\": \"x\"}",
        "budget_pools_organisation",
    ),
    (
        "budget_pools.budget_pools_name_key",
        "INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES (9, A, 'team', 't', 'active', 1)",
        "budget_pools_name_key",
    ),
    (
        "receipts.receipts_resolve",
        "ALTER TABLE pool_windows ADD CHECK (spent <> 1); SETTLE 2000003",
        "pool_windows_spent_check",
    ),
    (
        "receipts.receipts_resolve",
        "DELETE FROM pool_sets; ALTER TABLE pool_windows ADD CHECK (spent <> 1); SETTLE 2000003",
        "pool_windows_spent_check",
    ),
    (
        "pool_sets.pool_sets_made",
        "CREATE TRIGGER trap BEFORE INSERT ON pool_set_windows FOR EACH STATEMENT EXECUTE FUNCTION rows_stay(); DELETE FROM pool_sets; \
            COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\"}",
        "pool_set_windows stay",
    ),
    (
        "pool_windows.pool_windows_changed",
        "UPDATE budget_pools SET raised_by = 5, raised_until = 9 WHERE id = 2; COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\"}; \
            CREATE TRIGGER trap BEFORE DELETE ON pool_sets FOR EACH STATEMENT EXECUTE FUNCTION rows_stay(); UPDATE pool_windows SET budget = 1005, cap = 1005",
        "pool_sets stay",
    ),
    (
        "budget_pools.budget_pools_changed",
        "CREATE TRIGGER trap BEFORE DELETE ON pool_sets FOR EACH STATEMENT EXECUTE FUNCTION rows_stay(); UPDATE budget_pools SET budget_day = 7 WHERE id = 2",
        "pool_sets stay",
    ),
    (
        "budget_pools.budget_pools_changed",
        "CREATE TRIGGER trap BEFORE DELETE ON pool_sets FOR EACH STATEMENT EXECUTE FUNCTION rows_stay(); \
            INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES (9, A, 'team', 'x', 'active', 1)",
        "pool_sets stay",
    ),
    ("pool_sets.pool_sets_fixed", "TRUNCATE pool_sets CASCADE", "sets of budgets are as they were made"),
    ("pool_set_windows.pool_set_windows_guard", "TRUNCATE pool_set_windows", "as they were made"),
    (
        "holds.holds_count",
        "UPDATE api_keys SET budget_day = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_has_a_reason",
    ),
    (
        "holds.holds_count",
        "UPDATE api_keys SET budget_week = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_has_a_reason",
    ),
    (
        "holds.holds_count",
        "UPDATE api_keys SET budget_month = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_has_a_reason",
    ),
    (
        "holds.holds_count",
        "UPDATE api_keys SET budget_life = 5 WHERE id = 9; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 5}",
        "cap_has_a_reason",
    ),
    (
        "holds.holds_count",
        "ALTER TABLE spend_windows DROP CONSTRAINT cap_has_a_reason; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"amount\": 1000}",
        "cap_holds",
    ),
    ("holds.holds_count", "COPY {\"counted\": 1}", "a hold counts against each budget of its key"),
    (
        "holds.holds_count",
        "UPDATE api_keys SET in_flight_max = 2 WHERE id = 9; INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at, counted, day_at, week_at, month_at, life_at, in_flight) SELECT 90 + n, account_id, 9, 'r9' || n, 1, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at, 1, 0, 0, 0, 0, 1 FROM holds, generate_series(1, 2) n WHERE id = 1",
        "too many requests of the key are under way",
    ),
    (
        "holds.holds_fixed",
        "INSERT INTO holds SELECT * FROM holds WHERE id = 1 ON CONFLICT (id) DO UPDATE SET amount = 0",
        "keep their terms",
    ),
    (
        "holds.holds_fixed",
        "MERGE INTO holds h USING receipts r ON h.id = 1 WHEN MATCHED THEN UPDATE SET amount = 0",
        "keep their terms",
    ),
    ("holds.holds_reserve", "COPY {\"amount\": 600000001}", "available_not_negative"),
    (
        "holds.holds_reserve",
        "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at) SELECT 90 + n, account_id, key_id, 'r9' || n, 300000001, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at FROM holds, generate_series(1, 2) n WHERE id = 1",
        "available_not_negative",
    ),
    ("holds.holds_reserve", "COPY {\"account_id\": 77, \"key_id\": 77}", "of an account with a balance"),
    ("holds.holds_reserve", "COPY {\"price_id\": 77}", "a hold has its prices"),
    ("key_epoch.key_epoch_forward", "UPDATE key_epoch SET epoch = 0", "forward"),
    ("nodes.nodes_guard", "UPDATE nodes SET name = 'x'", "keeps its name"),
    ("nodes.nodes_guard", "UPDATE nodes SET state = 'gone'; UPDATE nodes SET state = 'up'", "goes once"),
    (
        "nodes.nodes_guard",
        "UPDATE nodes SET state = 'gone'; UPDATE nodes SET released_at = 1",
        "when nothing of it is held",
    ),
    (
        "nodes.nodes_guard",
        "INSERT INTO nodes VALUES (9, 'n9', 1, 1, 'gone', 1); UPDATE nodes SET released_at = 2 WHERE epoch = 9",
        "goes once",
    ),
    ("nodes.nodes_once", "INSERT INTO nodes SELECT epoch + 1, name, 1, 1, 'up' FROM nodes", "nodes_once"),
    ("notices.notices_fixed", "UPDATE notices SET body = 'x'", "notices are kept as they came"),
    (
        "payments.machine_payment_start",
        "INSERT INTO payments VALUES (2, 'x', 'x', 1, 'paid', 0, 'x', '1', NULL, NULL, 1, 1, NULL, NULL, NULL)",
        "a row starts in claimed",
    ),
    ("payments.payments_fixed", "UPDATE payments SET amount = '2'", "payments keep their terms"),
    (
        "payments.payments_one_paid",
        "INSERT INTO payments VALUES (2, 'x', 'x', 1, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); UPDATE payments SET state = 'paid', rev = 1, decided_at = 1",
        "payments_one_paid",
    ),
    (
        "prices.prices_append_only",
        "INSERT INTO prices SELECT * FROM prices ON CONFLICT (id) DO UPDATE SET completion = 0",
        "append-only",
    ),
    (
        "receipts.receipts_append_only",
        "INSERT INTO receipts SELECT * FROM receipts ON CONFLICT (id, resolved_at) DO UPDATE SET cost = 0",
        "append-only",
    ),
    (
        "receipts.receipts_append_only",
        "MERGE INTO receipts r USING prices p ON r.hold_id = 2 WHEN MATCHED THEN UPDATE SET cost = 0",
        "append-only",
    ),
    (
        "receipts.receipts_append_only",
        "MERGE INTO receipts r USING prices p ON r.hold_id = 2 WHEN MATCHED THEN DELETE",
        "append-only",
    ),
    ("receipts.receipts_resolve", "AGAIN receipts {\"id\": 99}", "a receipt resolves an open hold, by its terms"),
    (
        "receipts.receipts_resolve",
        "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, created_at, expires_at, state, cost, shortfall, rule, resolved_at) SELECT id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, created_at, expires_at, 'released', 0, 0, 'x', n FROM holds, generate_series(1, 2) n WHERE id = 1",
        "a receipt resolves an open hold, by its terms",
    ),
    ("receipts.receipts_resolve", "SETTLE 1 {\"cost\": 1000000001}", "available_not_negative"),
    ("receipts.receipts_resolve", "SETTLE 1 {\"tools\": \"{}\"}", "receipts_tools_check"),
    ("receipts.receipts_resolve", "SETTLE 1 {\"tools\": \"5\"}", "receipts_tools_check"),
    (
        "receipts.receipts_resolve",
        "ALTER TABLE holds DISABLE TRIGGER holds_reserve; COPY {\"amount\": 500000000}; RELEASE 99",
        "held_not_negative",
    ),
    ("receipts.receipts_resolve", "UPDATE key_rates SET in_flight = 0; RELEASE 2000001", "in_flight_not_negative"),
    (
        "receipts.receipts_resolve",
        "ALTER TABLE holds DISABLE TRIGGER holds_count; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"amount\": 5}; RELEASE 99",
        "window_held_not_negative",
    ),
    (
        "receipts.receipts_resolve",
        "ALTER TABLE holds DISABLE TRIGGER holds_count; COPY {\"key_id\": 9, \"counted\": 1, \"month_at\": 0, \"amount\": 5}; RELEASE 99",
        "window_held_not_negative",
    ),
    (
        "receipts.receipts_resolve",
        "ALTER TABLE holds DISABLE TRIGGER holds_count; COPY {\"key_id\": 9, \"counted\": 1, \"life_at\": 0, \"amount\": 5}; RELEASE 99",
        "window_held_not_negative",
    ),
    (
        "receipts.receipts_resolve",
        "SETTLE 1 {\"fallback\": \"another\", \"fallback_price_id\": 77}",
        "a receipt has its prices",
    ),
    ("receipts.receipts_resolve", "SETTLE 1 {\"tier_above\": 4, \"tier_price_id\": 77}", "a receipt has its prices"),
    (
        "receipts.receipts_resolve",
        "SETTLE 1 {\"class\": \"service_tier: flex\", \"class_price_id\": 77}",
        "a receipt has its prices",
    ),
    (
        "receipts.receipts_usage",
        "ALTER TABLE usage_days ADD CHECK (released < 2); RELEASE 1",
        "usage_days_released_check",
    ),
    ("receipts.receipts_usage", "SETTLE 1 {\"prompt\": 9223372036854775807, \"cached\": 0}", "out of range"),
    (
        "receipts_other.receipts_through_table",
        "WITH taken AS (DELETE FROM receipts_other RETURNING *) INSERT INTO receipts SELECT * FROM taken",
        "a month of it is written through it",
    ),
    (
        "receipts_other.receipts_through_table",
        "MERGE INTO receipts_other r USING prices p ON r.hold_id = 2 WHEN MATCHED THEN DELETE",
        "a month of it is written through it",
    ),
    (
        "receipts_other.receipts_through_table",
        "MERGE INTO receipts_other r USING receipts o ON false WHEN NOT MATCHED THEN INSERT (id) VALUES (1)",
        "a month of it is written through it",
    ),
    (
        "receipts_other.receipts_through_table",
        "CREATE VIEW seen AS SELECT * FROM receipts_other; DELETE FROM seen",
        "a month of it is written through it",
    ),
    (
        "receipts_2027_01.receipts_through_table",
        "WITH taken AS (DELETE FROM receipts_2027_01 RETURNING *) INSERT INTO receipts SELECT * FROM taken",
        "a month of it is written through it",
    ),
    (
        "receipts_2027_01.receipts_through_table",
        "MERGE INTO receipts_2027_01 r USING prices p ON r.hold_id = 2 WHEN MATCHED THEN DELETE",
        "a month of it is written through it",
    ),
    (
        "receipts_2027_01.receipts_through_table",
        "MERGE INTO receipts_2027_01 r USING receipts o ON false WHEN NOT MATCHED THEN INSERT (id) VALUES (1)",
        "a month of it is written through it",
    ),
    (
        "receipts_2027_01.receipts_through_table",
        "CREATE VIEW seen AS SELECT * FROM receipts_2027_01; DELETE FROM seen",
        "a month of it is written through it",
    ),
    (
        "receipts_2027_01.receipts_through_table",
        "ALTER TABLE receipts DETACH PARTITION receipts_2027_01; UPDATE receipts_2027_01 SET cost = 0",
        "a month of it is written through it",
    ),
    ("stored_responses.stored_responses_id", A_RESPONSE, "stored_responses_id"),
    (
        "topup_order.machine_topup_order_start",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, place) VALUES (2, 't2', A, 'x402', 1, 'settling', 0, 1, 2, 2)",
        "a row starts in pending",
    ),
    ("topup_order.topup_order_agent_fixed", "UPDATE topup_order SET agent_id = 5", "orders keep their agent"),
    (
        "topup_order.topup_order_count",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', A, 'crypto', 1001, 'pending', 0, 1, 2, 5); UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; UPDATE topup_order SET counted_day = 0 WHERE id = 2",
        "agent_cap_has_a_reason",
    ),
    (
        "topup_order.topup_order_of_agent",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', B, 'crypto', 1, 'pending', 0, 1, 2, 5)",
        "a live agent of its account",
    ),
    (
        "topup_order.topup_order_spend",
        "ALTER TABLE agent_windows ADD CHECK (spent <> 1); INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', A, 'crypto', 1, 'pending', 0, 1, 2, 5); INSERT INTO payments VALUES (2, 'x', 'x', 2, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); UPDATE payments SET state = 'paid', rev = 1, decided_at = 1 WHERE id = 2; UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2 WHERE id = 2",
        "agent_windows_spent_check",
    ),
    (
        "topup_order.topup_order_credit",
        "ALTER TABLE transfers ADD CHECK (idem <> 'order:1'); UPDATE payments SET state = 'paid', rev = 1, decided_at = 1; UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "transfers_idem_check1",
    ),
    ("topup_order.topup_order_fixed", "UPDATE topup_order SET amount = 2", "terms are fixed"),
    (
        "topup_order.topup_order_fixed",
        "UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "an order succeeds by a payment",
    ),
    ("topup_order.topup_order_places", "AGAIN topup_order {\"id\": 2, \"trade_no\": \"t2\"}", "topup_order_places"),
    (
        "topup_order.topup_order_places_few",
        "AGAIN topup_order {\"id\": 2, \"trade_no\": \"t2\", \"place\": 4}",
        "three orders wait at most",
    ),
    ("transfers.transfers_guard", "MOVE topup, 5, A, 1, 'x', 1", "successful order"),
    ("transfers.transfers_once", "MOVE promo, 2, A, 1, 'grant:open 1', NULL", "transfers_once"),
    (
        "transfers.transfers_one_per_order",
        "ALTER TABLE transfers DISABLE TRIGGER USER; MOVE topup, 5, A, 1, 'x', 3; MOVE topup, 5, A, 1, 'y', 3",
        "transfers_one_per_order",
    ),
    (
        "transfers.transfers_post",
        "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) SELECT 'adjust', account_id, 3, 300000001, 'x' || n, 'x', 1 FROM balances, generate_series(1, 2) n WHERE account_id = A",
        "available_not_negative",
    ),
    ("transfers.transfers_post", "MOVE adjust, A, 3, 600000001, 'x', NULL", "available_not_negative"),
    ("transfers.transfers_post", "MOVE promo, 2, A, 1000000000000000000, 'x', NULL", "posted_in_range"),
    (
        "video_task.video_task_has_receipt",
        "UPDATE video_task SET receipt_id = hold_id",
        "a video that is over has its receipt",
    ),
    ("video_task.video_task_has_receipt", "FINISH completed", "a video that is over has its receipt"),
    ("video_task.video_task_has_receipt", "FINISH failed", "a video that is over has its receipt"),
    (
        "video_task.video_task_has_receipt",
        "SET CONSTRAINTS ALL IMMEDIATE; FINISH failed; RELEASE 2000000",
        "a video that is over has its receipt",
    ),
    (
        "video_task.video_task_has_receipt",
        "COPY {\"kept\": 1}; AGAIN video_task {\"task_id\": \"video_1123456789abcdef\", \"account_id\": A, \"hold_id\": 99, \"receipt_id\": 99}",
        "a video that is over has its receipt",
    ),
    ("video_task.video_task_stays", "TRUNCATE video_task", "videos stay"),
    ("server_keys.server_keys_stay", "DELETE FROM server_keys", "made once"),
];

/// Stored responses, which are in a file of their own on a file.
const A_RESPONSE: &str = "INSERT INTO stored_responses (account_id, id, parent, created_at, expires_at, bytes, conversation_bytes, model, \
    items, hidden, input, response) SELECT A, 'r', max(seq), 1, 2, 3, 4, 'm', '[]', '', '[]', '{}' FROM stored_responses";
const THEIR_ITEMS: &str = "INSERT INTO stored_items SELECT account_id, 'i', seq FROM stored_responses; \
    INSERT INTO stored_bytes SELECT account_id, bytes FROM stored_responses";

/// Writes out what is shortened; and the rows of a table with changes.
fn written_out(sql: &str, account: AccountId, other: AccountId) -> String {
    written::written(sql, [account, other], |sql| match sql.split_once(' ') {
        Some(("AGAIN", row)) => {
            let (table, changes) = row.split_once(' ').unwrap();
            format!("INSERT INTO {table} SELECT (jsonb_populate_record(row, '{changes}')).* FROM {table} row")
        }
        _ => sql.to_owned(),
    })
}

#[tokio::test]
async fn every_rule_of_the_catalog_refuses_its_attack_and_nothing_changes() {
    let Attacked { house, account, other, held } = Attacked::open(On::Server).await;
    raw::run(&house.store, &written_out(SETUP, account, other)).await.unwrap();
    raw::run(&house.store, A_MONTH).await.unwrap();
    for rows in [A_RESPONSE, THEIR_ITEMS] {
        raw::run(&house.store, &written_out(rows, account, other)).await.unwrap();
    }
    let before = (house.money(account).await, house.money(other).await);

    let listed = raw::text(&house.store, RULES).await;
    let rules: Vec<Rule> = listed.lines().map(Rule::read).collect();
    let mut hand = raw::RawSession::open(&house.store).await;
    let mut refused = async |rule: &str, attack: &str, expected: &str| {
        let told = hand.run(attack).await;
        let refusal = told.expect_err(&format!("{rule}: succeeded: {attack}"));
        assert!(refusal.contains(expected), "{rule}: {attack}\n  said {refusal}, not {expected}");
    };
    for rule in rules.iter().filter(|rule| rule.is_constraint() || rule.kind == "n") {
        for attack in rule.attacks_alone(&rules) {
            refused(&rule.full_name(), &attack, &rule.said()).await;
        }
    }
    let mut attacked = BTreeSet::new();
    for (rule, attack, expected) in OTHERS {
        refused(rule, &written_out(attack, account, other), expected).await;
        attacked.insert((*rule).to_owned());
    }
    for Tried { table, on_server, attack, said, .. } in both::all() {
        let rule = format!("{table}.{on_server}");
        refused(&rule, &written_out(&attack, account, other), said).await;
        attacked.insert(rule);
    }
    for rule in &rules {
        let Some((attacks, said)) = rule.guarded() else { continue };
        for attack in attacks {
            refused(&rule.full_name(), &attack, &said).await;
        }
        attacked.insert(rule.full_name());
    }
    let others = rules.iter().filter(|rule| ["t", "i"].contains(&rule.kind)).map(Rule::full_name);
    assert_eq!(others.collect::<BTreeSet<_>>(), attacked, "each trigger and index is attacked, and is there");
    for month in raw::texts(&house.store, MONTHS).await {
        assert!(attacked.contains(&format!("{month}.receipts_through_table")), "{month} is written past its table");
    }
    for (rule, _) in CHECKS {
        assert!(rules.iter().any(|found| found.full_name() == *rule), "{rule} is gone");
    }

    assert_eq!((house.money(account).await, house.money(other).await), before);
    house.assert_clean().await;
    assert_eq!(house.credit.settle(held, settlement("0.4")).await.unwrap().charged, usd("0.4"));
}
