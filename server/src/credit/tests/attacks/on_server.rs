//! The same on PostgreSQL, rule by rule: what the database says that its rules are is what is attacked, so that a rule that
//! is new has no rest until somebody has tried to break it.
//!
//! A constraint is attacked alone: in one transaction, that its refusal rolls back, the triggers of its table are turned off
//! and the other constraints dropped. A trigger is attacked with everything else as it is, or, where another rule would be
//! before it, with that one away.

use std::collections::BTreeSet;

use super::*;

/// How a row breaks a CHECK: the rule, and what its column is set to. One that says `>= 0` of a column is broken without a word.
const CHECKS: &[(&str, &str)] = &[
    ("accounts.accounts_id_check", "id = 5"),
    ("accounts.accounts_name_check", "name = ''"),
    ("accounts.accounts_password_check", "password = 'secret'"),
    ("accounts.accounts_price_group_check", "price_group = ''"),
    ("accounts.accounts_state_check", "state = 'gone'"),
    ("agent_windows.agent_cap_has_a_reason", "cap = cap + 1"),
    ("agent_windows.agent_cap_holds", "held = cap + 1"),
    ("agent_windows.agent_windows_check", "period = 'life', starts_at = 1"),
    ("agent_windows.agent_windows_period_check", "period = 'week'"),
    ("agents.agents_cap_day_check", "cap_day = -1"),
    ("agents.agents_cap_life_check", "cap_life = -1"),
    ("agents.agents_cap_order_check", "cap_order = -1"),
    ("agents.agents_chain_check", "chain = 'other'"),
    ("agents.agents_id_check", "id = 0"),
    ("agents.agents_label_check", "label = ''"),
    ("agents.agents_nonce_check", "nonce = 'short'"),
    ("agents.agents_slot_check", "slot = 51"),
    ("agents.agents_state_check", "state = 'gone'"),
    ("agents.one_way_to_write_it", "addr = upper(addr)"),
    ("api_keys.agents_key_lasts", "expires_at = 9"),
    ("api_keys.api_keys_budget_day_check", "budget_day = -1"),
    ("api_keys.api_keys_budget_life_check", "budget_life = -1"),
    ("api_keys.api_keys_budget_month_check", "budget_month = -1"),
    ("api_keys.api_keys_hash_check", "hash = 'x'"),
    ("api_keys.api_keys_id_check", "id = 0"),
    ("api_keys.api_keys_in_flight_max_check", "in_flight_max = 0"),
    ("api_keys.api_keys_label_check", "label = repeat('x', 65)"),
    ("api_keys.api_keys_requests_per_minute_check", "requests_per_minute = 0"),
    ("api_keys.api_keys_state_check", "state = 'gone'"),
    ("api_keys.api_keys_tokens_per_minute_check", "tokens_per_minute = 0"),
    ("api_keys.expires_later", "expires_at = created_at"),
    ("balances.available_not_negative", "posted = held - 1"),
    ("balances.posted_in_range", "posted = 1000000000000000001"),
    ("chain_order_blocks.chain_order_blocks_network_check", "network = ''"),
    ("chain_orders.chain_orders_network_check", "network = ''"),
    ("chain_orders.chain_orders_symbol_check", "symbol = ''"),
    ("chain_payments.chain_payments_closed_check", "closed = 2"),
    ("chain_payments.chain_payments_network_check", "network = ''"),
    ("chain_relayers.chain_relayers_network_check", "network = ''"),
    ("chain_relayers.chain_relayers_next_nonce_check", "next_nonce = 0"),
    ("chain_relayers.chain_relayers_relayer_check", "relayer = ''"),
    ("chain_sends.chain_sends_done_check", "done = 2"),
    ("chain_sends.chain_sends_hash_check", "hash = ''"),
    ("chain_sends.chain_sends_turn_check", "turn = 0"),
    ("checkouts.checkouts_gives_up_check", "gives_up = 2"),
    ("checkouts.checkouts_provider_check", "provider = ''"),
    ("checkouts.checkouts_request_id_check", "request_id = ''"),
    ("checkouts.checkouts_session_check", "session = '', url = 'x'"),
    ("checkouts.checkouts_wallet_check", "wallet = ''"),
    ("checkouts.page_is_whole", "session = 's', url = NULL"),
    ("fallbacks.fallbacks_model_check", "model = ''"),
    ("hold_limits.hold_limits_in_flight_check", "in_flight = 2"),
    ("hold_limits.hold_limits_life_at_check", "life_at = 1"),
    ("holds.hold_expires_later", "expires_at = created_at"),
    ("holds.holds_id_check", "id = 0"),
    ("holds.holds_kept_check", "kept = 2"),
    ("holds.holds_ratio_ppm_check", "ratio_ppm = 0"),
    ("holds.holds_state_check", "state = 'gone'"),
    ("holds.holds_stream_check", "stream = 2"),
    ("holds.its_own_limits", "limits_id = id + 1"),
    ("idempotency.answer_is_whole", "state = 'done', status = 200"),
    ("idempotency.answer_when_done", "status = 200, headers = '[]', answer = 'x'"),
    ("idempotency.idempotency_idem_key_check", "idem_key = ''"),
    ("idempotency.idempotency_request_sha256_check", "request_sha256 = 'x'"),
    ("idempotency.idempotency_state_check", "state = 'gone'"),
    ("idempotency.idempotency_status_check", "status = 500"),
    ("key_epoch.key_epoch_one_check", "one = 2"),
    ("ledger_accounts.ledger_accounts_kind_check", "kind = 'gift'"),
    ("ledger_accounts.one_number", "account_id = id + 1"),
    ("ledger_accounts.user_has_account", "kind = 'user', account_id = NULL"),
    ("login_tries.login_tries_subject_check", "subject = 'x'"),
    ("login_tries.login_tries_tries_check", "tries = 0"),
    ("nodes.nodes_state_check", "state = 'asleep'"),
    ("notices.notice_ends_once", "acted_at = 1, parked = 'x'"),
    ("notices.notices_id_check", "id = 0"),
    ("notices.notices_parked_check", "parked = ''"),
    ("notices.notices_provider_check", "provider = ''"),
    ("notices.notices_sha256_check", "sha256 = 'x'"),
    ("payments.decided_when_over", "state = 'paid', decided_at = NULL"),
    ("payments.payments_amount_check", "amount = ''"),
    ("payments.payments_id_check", "id = 0"),
    ("payments.payments_reference_check", "reference = ''"),
    ("payments.payments_source_check", "source = ''"),
    ("payments.payments_state_check", "state = 'gone'"),
    ("receipts.media_are_completion", "audio_completion = completion + 1"),
    ("receipts.media_are_prompt", "audio_prompt = prompt + 1"),
    ("receipts.receipts_check", "cached = prompt + 1"),
    ("receipts.receipts_check1", "reasoning = completion + 1"),
    ("receipts.receipts_estimated_check", "estimated = 2"),
    ("receipts.receipts_rule_check", "rule = ''"),
    ("receipts.receipts_state_check", "state = 'held'"),
    ("receipts.released_is_free", "state = 'released', cost = 1"),
    ("receipts.settled_has_usage", "state = 'settled', prompt = NULL"),
    ("receipts.usage_is_whole", "prompt = 1, cached = NULL"),
    ("receipts.writes_are_prompt", "cache_write = prompt + 1"),
    ("seals.seals_hash_check", "hash = 'x'"),
    ("seals.seals_number_check", "number = 0"),
    ("seals.seals_row_count_check", "row_count = 0"),
    ("server_keys.server_keys_secret_check", "secret = 'x'"),
    ("sessions.sessions_check", "seen_at = created_at - 1"),
    ("sessions.sessions_check1", "ends_at = created_at"),
    ("sessions.sessions_hash_check", "hash = 'x'"),
    ("spend_windows.cap_has_a_reason", "cap = cap + 1"),
    ("spend_windows.cap_holds", "held = cap + 1"),
    ("spend_windows.spend_windows_check", "period = 'life', starts_at = 1"),
    ("spend_windows.spend_windows_period_check", "period = 'week'"),
    ("stored_responses.expires_later", "expires_at = created_at"),
    ("stored_responses.stored_responses_id_check", "id = ''"),
    ("topup_order.agents_sign", "rail = 'ewallet', agent_id = 5"),
    ("topup_order.counts_while_paid", "counted_day = 0"),
    ("topup_order.failure_is_told", "failure_code = 'x', failure_detail = NULL"),
    ("topup_order.failure_says_why", "status = 'failed', failure_code = NULL"),
    ("topup_order.success_has_its_time", "status = 'success', settled_at = NULL"),
    ("topup_order.topup_order_amount_check", "amount = 0"),
    ("topup_order.topup_order_failure_code_check", "failure_code = ''"),
    ("topup_order.topup_order_id_check", "id = 0"),
    ("topup_order.topup_order_place_check", "place = 0"),
    ("topup_order.topup_order_rail_check", "rail = 'cash'"),
    ("topup_order.topup_order_status_check", "status = 'gone'"),
    ("topup_order.waiting_has_a_place", "place = NULL"),
    ("transfers.others_have_key", "kind = 'promo', idem = NULL"),
    ("transfers.promo_is_ours", "kind = 'promo', debit = 3"),
    ("transfers.topup_has_order", "kind = 'topup', order_id = NULL"),
    ("transfers.transfers_amount_check", "amount = 0"),
    ("transfers.transfers_idem_check", "idem = ''"),
    ("transfers.transfers_kind_check", "kind = 'gift'"),
    ("transfers.two_sides", "debit = credit"),
    ("transfers.usage_has_hold", "kind = 'usage', hold_id = NULL"),
    ("transfers.usage_is_revenue", "kind = 'usage', credit = 2"),
    ("video_task.deleted_when_over", "status = 'queued', deleted_at = 1"),
    ("video_task.failure_says_why", "status = 'failed', error_code = NULL"),
    ("video_task.its_own_receipt", "receipt_id = hold_id + 1"),
    ("video_task.named_by_somebody", "upstream_id = 'x', upstream = NULL"),
    ("video_task.video_task_progress_check", "progress = 101"),
    ("video_task.video_task_seconds_check", "seconds = 0"),
    ("video_task.video_task_status_check", "status = 'gone'"),
    ("video_task.video_task_task_id_check", "task_id = 'short'"),
    ("video_task.video_task_upstream_id_check", "upstream_id = ''"),
];

/// A trigger or an index, what is tried, and what the database has to say to it. Where a trigger refuses nothing but does
/// something, what it does is made to fail.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "accounts.accounts_end_sessions",
        "CREATE TABLE kept (hash BYTEA REFERENCES sessions (hash)); INSERT INTO kept SELECT hash FROM sessions; UPDATE accounts SET state = 'frozen' WHERE id = B",
        "kept_hash_fkey",
    ),
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
    ("accounts.accounts_stay", "DELETE FROM accounts", "accounts stay"),
    (
        "agent_windows.agent_windows_guard",
        "INSERT INTO agent_windows VALUES (5, 'day', 86400000, 7, 7, 0, 0)",
        "begins unspent",
    ),
    ("agent_windows.agent_windows_guard", "UPDATE agent_windows SET starts_at = 86400000", "keep their agent and time"),
    ("agent_windows.agent_windows_stay", "DELETE FROM agent_windows", "agent_windows stay"),
    (
        "agents.agents_addr_key",
        "INSERT INTO agents SELECT (jsonb_populate_record(a, '{\"id\": 6, \"slot\": 2, \"nonce\": \"nonce-06\"}')).* FROM agents a",
        "agents_addr_key",
    ),
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
        "agents.agents_of_active",
        "UPDATE accounts SET state = 'frozen' WHERE id = A; INSERT INTO agents SELECT (jsonb_populate_record(a, '{\"id\": 6}')).* FROM agents a",
        "only an active account",
    ),
    (
        "agents.agents_revoke_key",
        "ALTER TABLE api_keys ADD CHECK (agent_id IS NULL OR state = 'active'); UPDATE agents SET state = 'revoked', rev = 1",
        "api_keys_check",
    ),
    (
        "agents.agents_slot_key",
        "INSERT INTO agents SELECT (jsonb_populate_record(a, '{\"id\": 6, \"addr\": \"0x00000000000000000000000000000000000000bb\", \"nonce\": \"nonce-06\"}')).* FROM agents a",
        "agents_slot_key",
    ),
    ("agents.agents_stay", "DELETE FROM agents", "agents stay"),
    ("agents.machine_agent_move", "UPDATE agents SET state = 'revoked'", "counts rev up"),
    (
        "agents.machine_agent_start",
        "INSERT INTO agents SELECT (jsonb_populate_record(a, '{\"id\": 6, \"state\": \"revoked\"}')).* FROM agents a",
        "a row starts in active",
    ),
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
    ("api_keys.api_keys_guard", "UPDATE api_keys SET account_id = B WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_guard", "UPDATE api_keys SET hash = decode(repeat('22', 32), 'hex') WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_guard", "UPDATE api_keys SET expires_at = 9 WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_stay", "DELETE FROM api_keys", "api_keys stay"),
    (
        "api_keys.machine_api_key_move",
        "UPDATE api_keys SET state = 'active', rev = rev + 1 WHERE id = 8",
        "no move leads",
    ),
    ("api_keys.machine_api_key_move", "UPDATE api_keys SET state = 'revoked' WHERE id = 9", "counts rev up"),
    (
        "api_keys.machine_api_key_start",
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at) VALUES (7, A, decode(repeat('22', 32), 'hex'), 's', '', 'revoked', 1)",
        "a row starts in active",
    ),
    ("audit_log.audit_log_append_only", "UPDATE audit_log SET actor = 'nobody'", "append-only"),
    ("audit_log.audit_log_append_only", "DELETE FROM audit_log", "append-only"),
    ("audit_log.audit_log_append_only", "TRUNCATE audit_log", "append-only"),
    ("balances.balances_guard", "INSERT INTO balances (account_id, posted) VALUES (1, 5)", "balances start empty"),
    ("balances.balances_guard", "UPDATE balances SET account_id = 3 WHERE account_id = A", "balances keep their owner"),
    ("balances.balances_stay", "DELETE FROM balances WHERE account_id = B", "balances stay"),
    ("chain_payments.chain_payments_fixed", "UPDATE chain_payments SET terms = '[]'", "keep their terms"),
    (
        "chain_payments.chain_payments_fixed",
        "UPDATE chain_payments SET closed = 1; UPDATE chain_payments SET closed = 0",
        "keep their terms",
    ),
    ("chain_payments.chain_payments_stay", "DELETE FROM chain_payments", "chain_payments stay"),
    ("chain_payments.chain_payments_stay", "TRUNCATE chain_payments CASCADE", "stay"),
    ("chain_relayers.chain_relayers_forward", "UPDATE chain_relayers SET next_nonce = 1", "numbers are given once"),
    ("chain_sends.chain_sends_fixed", "UPDATE chain_sends SET raw = decode('01', 'hex')", "kept as it was"),
    ("chain_sends.chain_sends_stay", "DELETE FROM chain_sends", "chain_sends stay"),
    ("chain_sends.chain_sends_stay", "TRUNCATE chain_sends", "chain_sends stay"),
    ("checkouts.checkouts_fixed", "UPDATE checkouts SET wallet = 'DANA'", "checkouts keep their terms"),
    (
        "checkouts.checkouts_fixed",
        "UPDATE checkouts SET gives_up = 1; UPDATE checkouts SET gives_up = 0",
        "checkouts keep their terms",
    ),
    (
        "checkouts.checkouts_fixed",
        "UPDATE checkouts SET session = 's', url = 'u'; UPDATE checkouts SET url = 'v'",
        "checkouts keep their terms",
    ),
    ("checkouts.checkouts_stay", "DELETE FROM checkouts", "checkouts stay"),
    ("checkouts.checkouts_stay", "TRUNCATE checkouts", "checkouts stay"),
    ("fallbacks.fallbacks_append_only", "DELETE FROM fallbacks", "append-only"),
    ("fallbacks.fallbacks_append_only", "UPDATE fallbacks SET price_prompt = 0", "append-only"),
    (
        "fallbacks.fallbacks_first",
        "INSERT INTO fallbacks SELECT (jsonb_populate_record(f, '{\"hold_id\": 2}')).* FROM fallbacks f",
        "before its receipt",
    ),
    ("hold_limits.hold_limits_append_only", "UPDATE hold_limits SET tokens = 1", "append-only"),
    (
        "hold_limits.hold_limits_count",
        "INSERT INTO hold_limits VALUES (1, 9, 0, NULL, NULL, 0, 0)",
        "limits are of an open hold",
    ),
    ("holds.holds_by_live_key", "COPY {\"key_id\": 8}", "a live key"),
    (
        "holds.holds_give_back",
        "ALTER TABLE holds DISABLE TRIGGER holds_reserve; COPY {\"amount\": 500000000}; RELEASE 99",
        "held_not_negative",
    ),
    (
        "holds.holds_give_back",
        "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, resolved_at) VALUES (1, 'settled', 1000000001, 0, 'x', 0, 0, 0, 0, 0, 1)",
        "available_not_negative",
    ),
    (
        "holds.holds_give_back_limits",
        "ALTER TABLE hold_limits DISABLE TRIGGER hold_limits_count; COPY {\"key_id\": 9, \"limits_id\": 99, \"amount\": 5}; INSERT INTO hold_limits VALUES (99, 9, 0, NULL, NULL, 0, 0); RELEASE 99",
        "window_held_not_negative",
    ),
    ("holds.holds_end_once", "UPDATE holds SET state = 'settled' WHERE id = 1", "resolved by their receipt"),
    ("holds.holds_end_once", "UPDATE holds SET state = 'settled' WHERE id = 2", "resolve once"),
    ("holds.holds_end_once", "UPDATE holds SET expires_at = expires_at + 1 WHERE id = 2", "resolve once"),
    ("holds.holds_terms_fixed", "UPDATE holds SET id = 98 WHERE id = 1", "keep their number"),
    ("holds.holds_terms_fixed", "UPDATE holds SET amount = 1 WHERE id = 1", "keep their terms"),
    ("holds.holds_terms_fixed", "UPDATE holds SET account_id = B WHERE id = 1", "keep their terms"),
    ("holds.holds_terms_fixed", "UPDATE holds SET price_completion = 0 WHERE id = 1", "keep their terms"),
    ("holds.holds_terms_fixed", "UPDATE holds SET price_audio_prompt = NULL WHERE id = 1", "keep their terms"),
    ("holds.holds_terms_fixed", "UPDATE holds SET epoch = 0 WHERE id = 1", "keep their terms"),
    ("holds.holds_terms_fixed", "UPDATE holds SET kept = 0 WHERE id = 2000000", "keep their terms"),
    ("holds.holds_end_once", "RELEASE 2000000", "ends with what it is kept for"),
    ("holds.holds_terms_fixed", "UPDATE holds SET limits_id = 1 WHERE id = 1", "keep their terms"),
    ("holds.holds_terms_fixed", "UPDATE holds SET ratio_ppm = 1 WHERE id = 1", "keep their terms"),
    ("holds.holds_terms_fixed", "UPDATE holds SET price_request = 0 WHERE id = 1", "keep their terms"),
    ("holds.holds_reserve", "COPY {\"amount\": 600000001}", "available_not_negative"),
    ("holds.holds_reserve", "COPY {\"account_id\": 77, \"key_id\": 77}", "of an account with a balance"),
    ("holds.holds_stay", "DELETE FROM holds WHERE id = 2", "holds stay"),
    ("holds.machine_hold_move", "UPDATE holds SET state = 'held' WHERE id = 2", "no move leads"),
    ("holds.machine_hold_start", "COPY {\"state\": \"settled\"}", "a row starts in held"),
    ("key_epoch.key_epoch_forward", "UPDATE key_epoch SET epoch = 0", "forward"),
    ("key_epoch.key_epoch_stay", "DELETE FROM key_epoch", "key_epoch stay"),
    ("key_rates.key_rates_guard", "UPDATE key_rates SET key_id = 8", "rates keep"),
    ("key_rates.key_rates_stay", "DELETE FROM key_rates", "key_rates stay"),
    (
        "ledger_accounts.ledger_accounts_append_only",
        "UPDATE ledger_accounts SET code = 'x' WHERE id = 1",
        "append-only",
    ),
    ("nodes.nodes_guard", "UPDATE nodes SET name = 'x'", "keeps its name"),
    ("nodes.nodes_guard", "UPDATE nodes SET state = 'gone'; UPDATE nodes SET state = 'up'", "goes once"),
    ("nodes.nodes_once", "INSERT INTO nodes SELECT epoch + 1, name, 1, 1, 'up' FROM nodes", "nodes_once"),
    ("nodes.nodes_stay", "DELETE FROM nodes", "nodes stay"),
    ("notices.notices_fixed", "UPDATE notices SET body = 'x'", "notices are kept as they came"),
    (
        "notices.notices_fixed",
        "UPDATE notices SET acted_at = 1; UPDATE notices SET acted_at = NULL",
        "notices are kept as they came",
    ),
    ("notices.notices_stay", "DELETE FROM notices", "notices stay"),
    ("notices.notices_stay", "TRUNCATE notices", "notices stay"),
    ("payments.machine_payment_move", "UPDATE payments SET state = 'void'", "counts rev up"),
    (
        "payments.machine_payment_start",
        "INSERT INTO payments VALUES (2, 'x', 'x', 1, 'paid', 0, 'x', '1', NULL, NULL, 1, 1)",
        "a row starts in claimed",
    ),
    ("payments.payments_fixed", "UPDATE payments SET amount = '2'", "payments keep their terms"),
    (
        "payments.payments_one_paid",
        "INSERT INTO payments VALUES (2, 'x', 'x', 1, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL); \
            UPDATE payments SET state = 'paid', rev = 1, decided_at = 1",
        "payments_one_paid",
    ),
    ("payments.payments_stay", "DELETE FROM payments", "payments stay"),
    ("payments.payments_stay", "TRUNCATE payments CASCADE", "payments stay"),
    ("receipts.receipts_append_only", "UPDATE receipts SET cost = 0", "append-only"),
    ("receipts.receipts_append_only", "DELETE FROM receipts", "append-only"),
    ("receipts.receipts_in_tier", "RELEASE 2000001", "a tier is for a longer prompt"),
    (
        "receipts.receipts_resolve",
        "ALTER TABLE holds DISABLE TRIGGER USER; UPDATE holds SET state = 'released' WHERE id = 1; RELEASE 1",
        "resolves an open hold",
    ),
    ("receipts.receipts_resolve", "RELEASE 77", "resolves an open hold"),
    (
        "receipts.receipts_usage",
        "ALTER TABLE usage_days ADD CHECK (released < 1); RELEASE 1",
        "usage_days_released_check",
    ),
    ("seals.seals_append_only", "UPDATE seals SET row_count = 2", "append-only"),
    ("seals.seals_append_only", "DELETE FROM seals", "append-only"),
    (
        "seals.seals_in_order",
        "INSERT INTO seals SELECT (jsonb_populate_record(s, '{\"number\": 3}')).* FROM seals s",
        "a seal follows the one before",
    ),
    (
        "seals.seals_in_order",
        "INSERT INTO seals SELECT (jsonb_populate_record(s, '{\"number\": 2, \"transfers_upto\": 1}')).* FROM seals s",
        "a seal follows the one before",
    ),
    ("server_keys.server_keys_stay", "UPDATE server_keys SET created_at = 2", "made once"),
    ("server_keys.server_keys_stay", "DELETE FROM server_keys", "made once"),
    ("sessions.sessions_fixed", "UPDATE sessions SET ends_at = 99", "keep their owner and their end"),
    (
        "sessions.sessions_of_active",
        "INSERT INTO sessions VALUES (decode(repeat('22', 32), 'hex'), A, 1, 1, 2)",
        "only an active account with a password",
    ),
    (
        "spend_windows.spend_windows_guard",
        "INSERT INTO spend_windows VALUES (9, 'day', 86400000, 5, 5, 0, 0)",
        "begins unspent",
    ),
    ("spend_windows.spend_windows_guard", "UPDATE spend_windows SET starts_at = 86400000", "keep their key and time"),
    ("spend_windows.spend_windows_stay", "DELETE FROM spend_windows", "spend_windows stay"),
    (
        "stored_responses.stored_responses_count",
        "UPDATE stored_bytes SET bytes = 0; DELETE FROM stored_responses",
        "stored_not_negative",
    ),
    ("stored_responses.stored_responses_stay", "TRUNCATE stored_responses", "one by one"),
    ("tiers.tiers_append_only", "UPDATE tiers SET above = 0", "append-only"),
    ("tiers.tiers_append_only", "DELETE FROM tiers", "append-only"),
    (
        "tiers.tiers_first",
        "INSERT INTO tiers SELECT (jsonb_populate_record(t, '{\"hold_id\": 2}')).* FROM tiers t",
        "before its receipt",
    ),
    ("topup_order.machine_topup_order_move", "UPDATE topup_order SET status = 'success', rev = 1", "no move leads"),
    (
        "topup_order.machine_topup_order_start",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, place) VALUES (2, 't2', A, 'x402', 1, 'settling', 0, 1, 2, 2)",
        "a row starts in pending",
    ),
    ("topup_order.topup_order_agent_fixed", "UPDATE topup_order SET agent_id = 5", "orders keep their agent"),
    (
        "topup_order.topup_order_count",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', A, 'crypto', 1001, 'pending', 0, 1, 2, 5); \
            UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; UPDATE topup_order SET counted_day = 0 WHERE id = 2",
        "agent_cap_has_a_reason",
    ),
    (
        "topup_order.topup_order_of_agent",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', B, 'crypto', 1, 'pending', 0, 1, 2, 5)",
        "a live agent of its account",
    ),
    (
        "topup_order.topup_order_spend",
        "ALTER TABLE agent_windows ADD CHECK (spent <> 1); \
            INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', A, 'crypto', 1, 'pending', 0, 1, 2, 5); \
            INSERT INTO payments VALUES (2, 'x', 'x', 2, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL); \
            UPDATE payments SET state = 'paid', rev = 1, decided_at = 1 WHERE id = 2; \
            UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; \
            UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2 WHERE id = 2",
        "agent_windows_spent_check",
    ),
    (
        "topup_order.topup_order_credit",
        "ALTER TABLE transfers ADD CHECK (idem <> 'order:1'); UPDATE payments SET state = 'paid', rev = 1, decided_at = 1; \
            UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "transfers_idem_check1",
    ),
    ("topup_order.topup_order_fixed", "UPDATE topup_order SET amount = 2", "terms are fixed"),
    (
        "topup_order.topup_order_fixed",
        "UPDATE topup_order SET status = 'settling', rev = 1; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2",
        "an order succeeds by a payment",
    ),
    (
        "topup_order.topup_order_places",
        "INSERT INTO topup_order SELECT (jsonb_populate_record(o, '{\"id\": 2, \"trade_no\": \"t2\"}')).* FROM topup_order o",
        "topup_order_places",
    ),
    (
        "topup_order.topup_order_places_few",
        "INSERT INTO topup_order SELECT (jsonb_populate_record(o, '{\"id\": 2, \"trade_no\": \"t2\", \"place\": 4}')).* FROM topup_order o",
        "three orders wait at most",
    ),
    ("topup_order.topup_order_stay", "DELETE FROM topup_order", "topup_order stay"),
    ("topup_order.topup_order_stay", "TRUNCATE topup_order CASCADE", "stay"),
    ("transfers.transfers_append_only", "UPDATE transfers SET amount = 1", "append-only"),
    ("transfers.transfers_append_only", "DELETE FROM transfers", "append-only"),
    ("transfers.transfers_append_only", "TRUNCATE transfers", "append-only"),
    ("transfers.transfers_guard", "MOVE usage, A, 1, 1, NULL, 1, NULL", "usage must match"),
    (
        "transfers.transfers_guard",
        "DROP INDEX transfers_one_per_hold; MOVE usage, B, 1, 250000000, NULL, 2, NULL",
        "usage must match",
    ),
    ("transfers.transfers_guard", "MOVE topup, 5, A, 1, 'x', NULL, 1", "successful order"),
    ("transfers.transfers_guard", "MOVE adjust, A, 77, 1, 'x', NULL, NULL", "between two accounts"),
    ("transfers.transfers_guard", "MOVE adjust, 77, A, 1, 'x', NULL, NULL", "between two accounts"),
    ("transfers.transfers_once", "MOVE promo, 2, A, 1, 'grant:open 1', NULL, NULL", "transfers_once"),
    ("transfers.transfers_one_per_hold", "MOVE usage, A, 1, 250000000, NULL, 2, NULL", "transfers_one_per_hold"),
    (
        "transfers.transfers_one_per_order",
        "ALTER TABLE transfers DISABLE TRIGGER USER; MOVE topup, 5, A, 1, 'x', NULL, 3; MOVE topup, 5, A, 1, 'y', NULL, 3",
        "transfers_one_per_order",
    ),
    ("transfers.transfers_post", "MOVE adjust, A, 3, 600000001, 'x', NULL, NULL", "available_not_negative"),
    ("transfers.transfers_post", "MOVE promo, 2, A, 1000000000000000000, 'x', NULL, NULL", "posted_in_range"),
    ("usage_days.usage_days_stay", "DELETE FROM usage_days", "usage_days stay"),
    ("video_task.machine_video_task_move", "UPDATE video_task SET status = 'in_progress'", "counts rev up"),
    (
        "video_task.machine_video_task_start",
        "INSERT INTO video_task SELECT (jsonb_populate_record(v, '{\"status\": \"in_progress\"}')).* FROM video_task v",
        "a row starts in queued",
    ),
    ("video_task.video_task_guard", "UPDATE video_task SET prompt = 'a dog'", "keeps its terms"),
    (
        "video_task.video_task_guard",
        "UPDATE video_task SET status = 'failed', rev = 1, error_code = 'x', error_message = 'x'",
        "ends with its receipt",
    ),
    ("video_task.video_task_guard", "DELETE FROM video_task", "videos stay"),
    ("video_task.video_task_stays", "TRUNCATE video_task", "videos stay"),
];

/// Each rule as `table|kind|name|columns|definition`.
const RULES: &str = "SELECT string_agg(line, chr(10) ORDER BY line) FROM (\
    SELECT concat_ws('|', conrelid::regclass, contype, conname, \
        (SELECT string_agg(attname, ', ') FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)), \
        pg_get_constraintdef(oid)) AS line \
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype IN ('c', 'u', 'p', 'f') AND conrelid <> 'schema_steps'::regclass \
    UNION ALL SELECT concat_ws('|', tgrelid::regclass, 't', tgname, '', '') FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid \
    WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace \
    UNION ALL SELECT concat_ws('|', indrelid::regclass, 'i', c.relname, '', '') FROM pg_index JOIN pg_class c ON c.oid = indexrelid \
    WHERE indisunique AND c.relnamespace = current_schema()::regnamespace \
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)) rules";

/// What the attacks need to be there, beside the two accounts and holds of the attacks on a file: a key that is revoked and
/// one with a budget, a video, and a row of each other table.
const SETUP: &str = "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, budget_day) VALUES \
        (8, A, decode(repeat('00', 32), 'hex'), 's', '', 'active', 1, NULL), (9, A, decode(repeat('11', 32), 'hex'), 's', '', 'active', 1, 1000); \
    UPDATE api_keys SET state = 'revoked', rev = 1 WHERE id = 8; \
    INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, place) \
        VALUES (1, 't1', A, 'x402', 1, 'pending', 0, 1, 2, 1); \
    INSERT INTO payments VALUES (1, 'eip155:8453', '0xab', 1, 'claimed', 0, '0xa', '1', NULL, NULL, 1, NULL); \
    INSERT INTO chain_orders VALUES (1, NULL, NULL); \
    INSERT INTO chain_order_blocks VALUES (1, 'eip155:8453', 7); \
    INSERT INTO chain_payments VALUES (1, 'eip155:8453', 7, '{}', decode('00', 'hex'), NULL, 0); \
    INSERT INTO chain_relayers VALUES ('eip155:8453', '0xc', 4); \
    INSERT INTO chain_sends VALUES ('0xd', 'eip155:8453', '0xc', 3, 1, 1, decode('00', 'hex'), 9, 9, 9, 1, 0); \
    INSERT INTO checkouts VALUES (1, 'antom', 't1', 'GCASH', NULL, NULL, 2); \
    INSERT INTO notices VALUES (1, 'antom', decode(repeat('00', 32), 'hex'), decode('00', 'hex'), 1, NULL, NULL); \
    INSERT INTO ledger_accounts VALUES (4999999999, 'promo', 'second promo', NULL); \
    COPY {\"id\": 2000000, \"request_id\": \"rv\", \"account_id\": B, \"kept\": 1}; \
    INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, prompt, created_at, deadline_at) \
        VALUES ('video_0123456789abcdef', B, 2000000, 'queued', 'films', 4, 5, 'a cat', 1, 2); \
    INSERT INTO fallbacks (hold_id, model, price_prompt, price_cached, price_cache_write, price_cache_write_long, price_completion, price_version) \
        VALUES (1, 'm', 1, 1, 1, 1, 1, 'v'); \
    INSERT INTO stored_responses (account_id, id, created_at, expires_at, model, input, response, bytes) VALUES (A, 'r', 1, 2, 'm', '', '', 10); \
    UPDATE accounts SET password = '$argon2id$x' WHERE id = B; \
    INSERT INTO sessions VALUES (decode(repeat('00', 32), 'hex'), B, 1, 1, 2); \
    INSERT INTO login_tries VALUES (decode(repeat('00', 32), 'hex'), 1, 1); \
    INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, created_at) \
        VALUES (A, 'k', decode(repeat('00', 32), 'hex'), 'r', 1, 'running', 1); \
    INSERT INTO seals VALUES (1, 2, 0, 2, decode(repeat('00', 32), 'hex'), 1); \
    INSERT INTO server_keys VALUES ('k', decode(repeat('00', 32), 'hex'), 1); \
    COPY {\"id\": 2000001, \"request_id\": \"rl\", \"key_id\": 9, \"limits_id\": 2000001}; \
    INSERT INTO hold_limits VALUES (2000001, 9, 0, NULL, NULL, 0, 1); \
    INSERT INTO tiers VALUES (2000001, 200000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1); \
    INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, cap_day, created_at) \
        VALUES (5, A, 1, 'evm', '0x00000000000000000000000000000000000000aa', 'bot', 'nonce-05', 'active', 1000, 1); \
    INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, agent_id) \
        VALUES (10, A, decode(repeat('33', 32), 'hex'), 's', '', 'active', 1, 5); \
    INSERT INTO agent_windows VALUES (5, 'day', 0, 1000, 1000, 0, 0)";

/// A rule of the catalog.
struct Rule<'a> {
    table: &'a str,
    kind: &'a str,
    name: &'a str,
    columns: &'a str,
    definition: &'a str,
}

impl<'a> Rule<'a> {
    fn read(line: &'a str) -> Self {
        let fields: Vec<&str> = line.splitn(5, '|').collect();
        let [table, kind, name, columns, definition] = fields[..] else { panic!("{line}") };
        Self { table, kind, name, columns, definition }
    }

    fn full_name(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }

    /// What a row is changed to that breaks this rule, where it is a constraint.
    fn attack(&self) -> String {
        let table = self.table;
        match self.kind {
            "p" | "u" => format!("INSERT INTO {table} SELECT * FROM {table} LIMIT 1"),
            // In one row: in several it might be a unique index that refuses.
            "f" => {
                format!("UPDATE {table} SET {} = 77 WHERE ctid IN (SELECT ctid FROM {table} LIMIT 1)", self.columns)
            }
            "c" if self.definition == format!("CHECK (({} >= 0))", self.columns) => {
                format!("UPDATE {table} SET {} = -1", self.columns)
            }
            _ => {
                let by_hand = CHECKS.iter().find(|(rule, _)| *rule == self.full_name());
                let (_, set) =
                    by_hand.unwrap_or_else(|| panic!("nobody attacks {}: {}", self.full_name(), self.definition));
                format!("UPDATE {table} SET {set}")
            }
        }
    }

    /// The same, with nothing else in its way.
    fn attack_alone(&self, rules: &[Self]) -> String {
        let constraint =
            |rule: &&Self| rule.table == self.table && !["t", "i"].contains(&rule.kind) && rule.name != self.name;
        let drops = rules.iter().filter(constraint).map(|rule| format!("DROP CONSTRAINT {} CASCADE", rule.name));
        let changes: Vec<String> = std::iter::once("DISABLE TRIGGER USER".to_owned()).chain(drops).collect();
        format!("ALTER TABLE {} {}; SET CONSTRAINTS ALL IMMEDIATE; {}", self.table, changes.join(", "), self.attack())
    }
}

/// Puts accounts in, and writes out: a copy of hold 1 with changes, the release of a hold, and a transfer.
fn written_out(sql: &str, account: AccountId, other: AccountId) -> String {
    let statement = |sql: &str| match sql.trim().split_once(' ') {
        Some(("COPY", changes)) => format!(
            "INSERT INTO holds SELECT (jsonb_populate_record(h, '{{\"id\": 99, \"request_id\": \"r99\", \"amount\": 1}}'::jsonb || '{changes}')).* \
                FROM holds h WHERE id = 1"
        ),
        Some(("RELEASE", hold)) => format!(
            "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES ({hold}, 'released', 0, 0, 'x', 1)"
        ),
        Some(("MOVE", columns)) => {
            let (kind, rest) = columns.split_once(',').unwrap();
            format!(
                "INSERT INTO transfers (kind, debit, credit, amount, idem, hold_id, order_id, actor, created_at) VALUES ('{kind}', {rest}, 'x', 1)"
            )
        }
        _ => sql.to_owned(),
    };
    let written: Vec<String> = sql.split(';').map(statement).collect();
    let named = |sql: String, letter: &str, account: AccountId| {
        ["= {}", " {},", "({},", ": {},"].iter().fold(sql, |sql, place| {
            sql.replace(&place.replace("{}", letter), &place.replace("{}", &account.to_string()))
        })
    };
    named(named(written.join("; "), "A", account), "B", other)
}

#[tokio::test]
async fn every_rule_of_the_catalog_refuses_its_attack_and_nothing_changes() {
    let house = House::open_on(On::Server).await;
    let (account, other) = (house.account(1, "1.25").await, house.account(2, "5").await);
    let held = house.hold(account, "0.4").await;
    let paid = house.hold(account, "0.5").await;
    assert_eq!((held.id().0, paid.id().0), (1, 2));
    house.credit.settle(paid, settlement("0.25")).await.unwrap();
    raw::run(&house.store, &written_out(SETUP, account, other)).await.unwrap();
    let before = (house.money(account).await, house.money(other).await);

    let listed = raw::text(&house.store, RULES).await;
    let rules: Vec<Rule> = listed.lines().map(Rule::read).collect();
    let refused = async |rule: &str, attack: &str, expected: &str| {
        let told = raw::run(&house.store, attack).await;
        let refusal = told.expect_err(&format!("{rule}: succeeded: {attack}"));
        assert!(refusal.contains(expected), "{rule}: {attack}\n  said {refusal}, not {expected}");
    };
    for rule in rules.iter().filter(|rule| !["t", "i"].contains(&rule.kind)) {
        refused(&rule.full_name(), &rule.attack_alone(&rules), &format!("constraint \"{}\"", rule.name)).await;
    }
    for (rule, attack, expected) in OTHERS {
        refused(rule, &written_out(attack, account, other), expected).await;
    }
    let others = rules.iter().filter(|rule| ["t", "i"].contains(&rule.kind)).map(Rule::full_name);
    let attacked: BTreeSet<String> = OTHERS.iter().map(|(rule, ..)| (*rule).to_owned()).collect();
    assert_eq!(others.collect::<BTreeSet<_>>(), attacked, "each trigger and index is attacked, and is there");
    for (rule, _) in CHECKS {
        assert!(rules.iter().any(|found| found.full_name() == *rule), "{rule} is gone");
    }

    assert_eq!((house.money(account).await, house.money(other).await), before);
    house.assert_clean().await;
    assert_eq!(house.credit.settle(held, settlement("0.4")).await.unwrap().charged, usd("0.4"));
}
