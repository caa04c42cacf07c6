//! What is tried on a file and on a server alike: the rows that it is tried on, and the statements that are the same in both.

use super::alike::ALIKE;
use super::written::HOLD;

/// Of a table the trigger or index of a file and that of a server, what is tried, and what either has to say to it.
const OTHERS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "agents",
        "agents_of_active",
        "agents_of_active",
        "UPDATE accounts SET state = 'frozen' WHERE id = A; AGAIN agents {\"id\": 6}",
        "only an active account",
    ),
    (
        "agents",
        "machine_agent_start",
        "machine_agent_start",
        "AGAIN agents {\"id\": 6, \"state\": \"revoked\"}",
        "a row starts in active",
    ),
    (
        "api_keys",
        "machine_api_key_revision",
        "machine_api_key_move",
        "UPDATE api_keys SET state = 'revoked' WHERE id = 9",
        "counts rev up",
    ),
    (
        "api_keys",
        "machine_api_key_start",
        "machine_api_key_start",
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at) VALUES (7, A, decode(repeat('22', 32), 'hex'), 's', '', 'revoked', 1)",
        "a row starts in active",
    ),
    (
        "archived_months",
        "archived_months_no_update",
        "archived_months_append_only",
        "UPDATE archived_months SET receipts = 9",
        "append-only",
    ),
    (
        "archived_months",
        "archived_months_no_delete",
        "archived_months_append_only",
        "DELETE FROM archived_months",
        "append-only",
    ),
    ("carried", "carried_no_update", "carried_append_only", "UPDATE carried SET cost = 9", "append-only"),
    ("carried", "carried_no_delete", "carried_append_only", "DELETE FROM carried", "append-only"),
    (
        "catalog_state",
        "catalog_state_counts",
        "catalog_state_counts",
        "UPDATE catalog_state SET revision = 5; UPDATE catalog_state SET revision = 5",
        "only grows",
    ),
    (
        "catalog_versions",
        "catalog_versions_no_update",
        "catalog_versions_append_only",
        "UPDATE catalog_versions SET body = '{\"prompt\": 0}'",
        "append-only",
    ),
    (
        "catalog_versions",
        "catalog_versions_follow",
        "catalog_versions_follow",
        "AGAIN catalog_versions {\"version\": 3}",
        "a version follows the one before it",
    ),
    (
        "catalog_versions",
        "catalog_versions_follow",
        "catalog_versions_follow",
        "AGAIN catalog_versions {\"name\": \"large\", \"version\": 2}",
        "a version follows the one before it",
    ),
    (
        "catalog_versions",
        "catalog_versions_no_delete",
        "catalog_versions_append_only",
        "DELETE FROM catalog_versions",
        "append-only",
    ),
    (
        "chain_payments",
        "chain_payments_fixed",
        "chain_payments_fixed",
        "UPDATE chain_payments SET terms = '[]'",
        "keep their terms",
    ),
    (
        "chain_payments",
        "chain_payments_fixed",
        "chain_payments_fixed",
        "UPDATE chain_payments SET closed = 1; UPDATE chain_payments SET closed = 0",
        "keep their terms",
    ),
    (
        "chain_payments",
        "chain_payments_stay",
        "chain_payments_stay",
        "DELETE FROM chain_payments",
        "chain_payments stay",
    ),
    (
        "chain_relayers",
        "chain_relayers_forward",
        "chain_relayers_forward",
        "UPDATE chain_relayers SET next_nonce = 1",
        "numbers are given once",
    ),
    (
        "chain_sends",
        "chain_sends_fixed",
        "chain_sends_fixed",
        "UPDATE chain_sends SET raw = decode('01', 'hex')",
        "kept as it was",
    ),
    ("chain_sends", "chain_sends_stay", "chain_sends_stay", "DELETE FROM chain_sends", "chain_sends stay"),
    (
        "checkouts",
        "checkouts_fixed",
        "checkouts_fixed",
        "UPDATE checkouts SET wallet = 'DANA'",
        "checkouts keep their terms",
    ),
    (
        "checkouts",
        "checkouts_fixed",
        "checkouts_fixed",
        "UPDATE checkouts SET gives_up = 1; UPDATE checkouts SET gives_up = 0",
        "checkouts keep their terms",
    ),
    (
        "checkouts",
        "checkouts_fixed",
        "checkouts_fixed",
        "UPDATE checkouts SET session = 's', url = 'u'; UPDATE checkouts SET url = 'v'",
        "checkouts keep their terms",
    ),
    ("checkouts", "checkouts_stay", "checkouts_stay", "DELETE FROM checkouts", "checkouts stay"),
    (
        "checkouts",
        "checkouts_token_fixed",
        "checkouts_token_fixed",
        "UPDATE checkouts SET token_sha256 = NULL",
        "checkouts keep their tokens",
    ),
    (
        "debt_payments",
        "debt_payments_first",
        "debt_payments_first",
        "INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) VALUES (2, 'take', B, 2, 1, 0, 1, 'x2', 'x', '', 1), (3, 'take', B, 2, 1, 0, 1, 'x3', 'x', '', 1); INSERT INTO debt_payments (id, reversal_id, amount, created_at) VALUES (9, 3, 1, 1)",
        "the oldest debt of an account is paid first",
    ),
    (
        "debt_payments",
        "debt_payments_first",
        "debt_payments_first",
        "INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) VALUES (2, 'take', B, 2, 1, 0, 1, 'x2', 'x', '', 1); INSERT INTO debt_payments (id, reversal_id, credit_id, amount, created_at) VALUES (9, 2, 77, 1, 1)",
        "by a credit of its account",
    ),
    (
        "debt_payments",
        "debt_payments_no_delete",
        "debt_payments_append_only",
        "DELETE FROM debt_payments",
        "append-only",
    ),
    (
        "debt_payments",
        "debt_payments_no_update",
        "debt_payments_append_only",
        "UPDATE debt_payments SET amount = 1",
        "append-only",
    ),
    (
        "debt_payments",
        "debt_payments_post",
        "debt_payments_post",
        "INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) VALUES (2, 'take', B, 2, 1, 0, 1, 'x2', 'x', '', 1); INSERT INTO debt_payments (id, reversal_id, amount, created_at) VALUES (9, 2, 2, 1)",
        "collected_of_debt",
    ),
    ("key_rates", "key_rates_fixed", "key_rates_guard", "UPDATE key_rates SET key_id = 8", "rates keep"),
    ("key_rates", "key_rates_stay", "key_rates_stay", "DELETE FROM key_rates", "rates stay"),
    (
        "notices",
        "notices_fixed",
        "notices_fixed",
        "UPDATE notices SET acted_at = 1; UPDATE notices SET acted_at = NULL",
        "notices are kept as they came",
    ),
    ("notices", "notices_stay", "notices_stay", "DELETE FROM notices", "notices stay"),
    (
        "operator_sessions",
        "operator_sessions_fixed",
        "operator_sessions_fixed",
        "UPDATE operator_sessions SET ends_at = 99",
        "keep their owner and their end",
    ),
    (
        "operator_sessions",
        "operator_sessions_of_active",
        "operator_sessions_of_active",
        "INSERT INTO operator_sessions (hash, operator_id, created_at, seen_at, ends_at) VALUES (decode(repeat('22', 32), 'hex'), 3, 1, 1, 2)",
        "only an active operator with a password signs in",
    ),
    (
        "operators",
        "operators_fixed",
        "operators_fixed",
        "UPDATE operators SET name = 'other' WHERE id = 1",
        "operators keep their name, kind and key",
    ),
    (
        "operators",
        "operators_fixed",
        "operators_fixed",
        "UPDATE operators SET totp_step = 4 WHERE id = 2",
        "operators keep their name, kind and key",
    ),
    (
        "operators",
        "operators_keys_end",
        "operators_fixed",
        "UPDATE operators SET state = 'disabled' WHERE id = 1; UPDATE operators SET state = 'active' WHERE id = 1",
        "a disabled key of an operator stays disabled",
    ),
    (
        "payments",
        "machine_payment_revision",
        "machine_payment_move",
        "UPDATE payments SET state = 'void'",
        "counts rev up",
    ),
    (
        "payments",
        "payments_fixed",
        "payments_fixed",
        "UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1; UPDATE payments SET resolution = 'returned', resolved_at = 1; UPDATE payments SET resolution = NULL, resolved_at = NULL",
        "payments keep their terms",
    ),
    (
        "payments",
        "payments_fixed",
        "payments_fixed",
        "UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1; UPDATE payments SET resolution = 'credit', resolved_amount = 2, resolved_at = 1",
        "with what its order is for, or less",
    ),
    ("prices", "prices_no_update", "prices_append_only", "UPDATE prices SET prompt = 0", "append-only"),
    ("prices", "prices_no_delete", "prices_append_only", "DELETE FROM prices", "append-only"),
    (
        "ledger_mode",
        "ledger_mode_no_update",
        "ledger_mode_append_only",
        "UPDATE ledger_mode SET mode = 'production'",
        "append-only",
    ),
    ("ledger_mode", "ledger_mode_no_delete", "ledger_mode_append_only", "DELETE FROM ledger_mode", "append-only"),
    (
        "reversals",
        "reversals_fixed",
        "reversals_fixed",
        "UPDATE reversals SET amount = 6",
        "reversals keep their terms",
    ),
    (
        "reversals",
        "reversals_fixed",
        "reversals_fixed",
        "UPDATE reversals SET collected = 4",
        "a debt is paid by its payments",
    ),
    (
        "reversals",
        "reversals_of_payment",
        "reversals_of_payment",
        "INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at, payment_id) VALUES (2, 'refund', B, 6, 1, 0, 1, 'x2', 'x', '', 1, 1)",
        "of the account and the rail of its payment",
    ),
    (
        "reversals",
        "reversals_of_payment",
        "reversals_of_payment",
        "INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at, payment_id) VALUES (2, 'refund', A, 6, 1, 0, 1, 'x2', 'x', '', 1, 1)",
        "reversed_in_range",
    ),
    (
        "reversals",
        "reversals_start",
        "reversals_start",
        "AGAIN reversals {\"id\": 2, \"idem\": \"x2\"}",
        "a debt starts unpaid",
    ),
    (
        "reversals",
        "reversals_start",
        "reversals_start",
        "INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) VALUES (2, 'take', B, 2, 1000000000000000000, 0, 1000000000000000000, 'x2', 'x', '', 1), (3, 'take', B, 2, 1, 0, 1, 'x3', 'x', '', 1)",
        "debts_in_range",
    ),
    ("reversals", "reversals_stay", "reversals_stay", "DELETE FROM reversals", "reversals stay"),
    (
        "reversals",
        "reversals_take",
        "reversals_post",
        "INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) VALUES (2, 'take', B, 2, 6000000000, 6000000000, 0, 'x2', 'x', '', 1)",
        "available_not_negative",
    ),
    ("seals", "seals_no_update", "seals_append_only", "UPDATE seals SET row_count = 2", "append-only"),
    ("seals", "seals_no_delete", "seals_append_only", "DELETE FROM seals", "append-only"),
    ("seals", "seals_in_order", "seals_in_order", "AGAIN seals {\"number\": 3}", "a seal follows the one before"),
    (
        "seals",
        "seals_in_order",
        "seals_in_order",
        "AGAIN seals {\"number\": 2, \"transfers_upto\": 1}",
        "a seal follows the one before",
    ),
    (
        "seals",
        "seals_in_order",
        "seals_in_order",
        "AGAIN seals {\"number\": 2, \"receipts_upto\": 1}",
        "a seal follows the one before",
    ),
    (
        "seals",
        "seals_in_order",
        "seals_in_order",
        "AGAIN seals {\"number\": 2, \"audit_upto\": -1}",
        "a seal follows the one before",
    ),
    ("server_keys", "server_keys_fixed", "server_keys_stay", "UPDATE server_keys SET created_at = 2", "made once"),
    (
        "sessions",
        "sessions_fixed",
        "sessions_fixed",
        "UPDATE sessions SET ends_at = 99",
        "keep their owner and their end",
    ),
    (
        "sessions",
        "sessions_of_active",
        "sessions_of_active",
        "INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at) VALUES (decode(repeat('22', 32), 'hex'), A, 1, 1, 2)",
        "only an active account with a password",
    ),
    (
        "spend_windows",
        "spend_windows_born_empty",
        "spend_windows_guard",
        "INSERT INTO spend_windows VALUES (9, 'day', 86400000, 5, 5, 0, 0)",
        "begins unspent",
    ),
    (
        "spend_windows",
        "spend_windows_born_empty",
        "spend_windows_guard",
        "INSERT INTO spend_windows VALUES (9, 'day', 86400000, 1000, 1000, 1, 0)",
        "begins unspent",
    ),
    (
        "spend_windows",
        "spend_windows_born_empty",
        "spend_windows_guard",
        "INSERT INTO spend_windows VALUES (9, 'day', 86400000, 1000, 1000, 0, 1)",
        "begins unspent",
    ),
    (
        "spend_windows",
        "spend_windows_fixed",
        "spend_windows_guard",
        "UPDATE spend_windows SET starts_at = 86400000",
        "keep their key and time",
    ),
    (
        "spend_windows",
        "spend_windows_fixed",
        "spend_windows_guard",
        "UPDATE spend_windows SET key_id = 10",
        "keep their key and time",
    ),
    (
        "spend_windows",
        "spend_windows_fixed",
        "spend_windows_guard",
        "UPDATE spend_windows SET period = 'life' WHERE period = 'day'",
        "keep their key and time",
    ),
    (
        "holds",
        "holds_pooled",
        "holds_pooled",
        "COPY {\"key_id\": 12}",
        "a hold counts against the budgets of its pools",
    ),
    (
        "holds",
        "holds_pooled",
        "holds_pooled",
        "COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1800057600000]]\"}",
        "a hold counts against the budgets of its pools",
    ),
    (
        "holds",
        "holds_pooled",
        "holds_pooled",
        "COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"week\\\",1799625600000]]\"}",
        "a hold counts against the budgets of its pools",
    ),
    (
        "holds",
        "holds_pooled",
        "holds_pooled",
        "COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000],[1,\\\"day\\\",1799971200000]]\"}",
        "a hold counts against the budgets of its pools",
    ),
    (
        "holds",
        "holds_pooled",
        "holds_pooled",
        "COPY {\"key_id\": 10, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\"}",
        "a hold counts against the budgets of its pools",
    ),
    (
        "api_keys",
        "api_keys_pools",
        "api_keys_pools",
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, team_id) VALUES (7, A, decode(repeat('22', 32), 'hex'), 's', '', 'active', 1, 1)",
        "a key is of an open team",
    ),
    (
        "api_keys",
        "api_keys_pools",
        "api_keys_pools",
        "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, member_id) VALUES (7, A, decode(repeat('22', 32), 'hex'), 's', '', 'active', 1, 2)",
        "a key is of an open team",
    ),
    (
        "api_keys",
        "api_keys_pools_change",
        "api_keys_pools",
        "UPDATE api_keys SET team_id = 4 WHERE id = 9",
        "a key is of an open team",
    ),
    (
        "api_keys",
        "api_keys_pools_change",
        "api_keys_pools",
        "UPDATE api_keys SET team_id = 3 WHERE id = 9",
        "a key is of an open team",
    ),
    (
        "api_keys",
        "api_keys_pools_change",
        "api_keys_pools",
        "UPDATE api_keys SET member_id = 2 WHERE id = 9",
        "a key is of an open team",
    ),
    (
        "budget_pools",
        "budget_pools_fixed",
        "budget_pools_guard",
        "UPDATE budget_pools SET id = 9 WHERE id = 1",
        "pools keep their account and kind, and stay closed",
    ),
    (
        "budget_pools",
        "budget_pools_fixed",
        "budget_pools_guard",
        "UPDATE budget_pools SET account_id = B WHERE id = 1",
        "pools keep their account and kind, and stay closed",
    ),
    (
        "budget_pools",
        "budget_pools_fixed",
        "budget_pools_guard",
        "UPDATE budget_pools SET kind = 'member' WHERE id = 2",
        "pools keep their account and kind, and stay closed",
    ),
    (
        "budget_pools",
        "budget_pools_fixed",
        "budget_pools_guard",
        "UPDATE budget_pools SET created_at = 2 WHERE id = 2",
        "pools keep their account and kind, and stay closed",
    ),
    (
        "budget_pools",
        "budget_pools_fixed",
        "budget_pools_guard",
        "UPDATE budget_pools SET name = 'z' WHERE id = 3",
        "pools keep their account and kind, and stay closed",
    ),
    (
        "budget_pools",
        "budget_pools_fixed",
        "budget_pools_guard",
        "UPDATE budget_pools SET state = 'active' WHERE id = 3",
        "pools keep their account and kind, and stay closed",
    ),
    (
        "budget_pools",
        "budget_pools_without_keys",
        "budget_pools_guard",
        "UPDATE budget_pools SET state = 'closed' WHERE id = 2",
        "a pool is closed when no key spends from it",
    ),
    (
        "budget_pools",
        "budget_pools_without_keys",
        "budget_pools_guard",
        "UPDATE budget_pools SET state = 'closed' WHERE id = 1",
        "a pool is closed when no key spends from it",
    ),
    (
        "pool_windows",
        "pool_windows_born_empty",
        "pool_windows_guard",
        "INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap, spent, held) VALUES (2, 'day', 86400000, 1000, 1000, 1, 0)",
        "a budget begins unspent, as its pool has it",
    ),
    (
        "pool_windows",
        "pool_windows_born_empty",
        "pool_windows_guard",
        "INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap, spent, held) VALUES (2, 'day', 86400000, 1000, 1000, 0, 1)",
        "a budget begins unspent, as its pool has it",
    ),
    (
        "pool_windows",
        "pool_windows_born_empty",
        "pool_windows_guard",
        "INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap, spent, held) VALUES (2, 'day', 86400000, 7, 7, 0, 0)",
        "a budget begins unspent, as its pool has it",
    ),
    (
        "pool_windows",
        "pool_windows_born_empty",
        "pool_windows_guard",
        "INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap, spent, held) VALUES (2, 'week', 86400000, 1000, 1000, 0, 0)",
        "a budget begins unspent, as its pool has it",
    ),
    (
        "pool_windows",
        "pool_windows_fixed",
        "pool_windows_guard",
        "UPDATE pool_windows SET starts_at = 86400000",
        "budgets keep their pool and time, and are as their pool has them",
    ),
    (
        "pool_windows",
        "pool_windows_fixed",
        "pool_windows_guard",
        "UPDATE pool_windows SET pool_id = 4",
        "budgets keep their pool and time, and are as their pool has them",
    ),
    (
        "pool_windows",
        "pool_windows_fixed",
        "pool_windows_guard",
        "UPDATE pool_windows SET period = 'week'",
        "budgets keep their pool and time, and are as their pool has them",
    ),
    (
        "pool_windows",
        "pool_windows_fixed",
        "pool_windows_guard",
        "UPDATE pool_windows SET budget = 7",
        "budgets keep their pool and time, and are as their pool has them",
    ),
    (
        "pool_windows",
        "pool_windows_fixed",
        "pool_windows_guard",
        "UPDATE pool_windows SET id = id + 7",
        "budgets keep their pool and time, and are as their pool has them",
    ),
    // A set says what is so, or nothing.
    (
        "pool_sets",
        "pool_sets_made",
        "pool_sets_make",
        "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at) VALUES (A, 2, 0, '', 1800000000000)",
        "a hold counts against the budgets of its pools",
    ),
    (
        "pool_sets",
        "pool_sets_made",
        "pool_sets_make",
        "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at) VALUES (A, 0, 0, '[[2,\"day\",1799971200000]]', 1800000000000)",
        "a hold counts against the budgets of its pools",
    ),
    (
        "pool_sets",
        "pool_sets_made",
        "pool_sets_make",
        "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at) VALUES (B, 2, 0, '[[2,\"day\",1799971200000]]', 1800000000000)",
        "a hold counts against the budgets of its pools",
    ),
    (
        "pool_sets",
        "pool_sets_made",
        "pool_sets_make",
        "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at) VALUES (A, 0, 2, '[[2,\"day\",1799971200000]]', 1800000000000)",
        "a hold counts against the budgets of its pools",
    ),
    (
        "pool_sets",
        "pool_sets_made",
        "pool_sets_make",
        "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at) VALUES (A, 2, 0, '[[2,\"day\",1799971200000]]', 1800100000000)",
        "a hold counts against the budgets of its pools",
    ),
    (
        "pool_sets",
        "pool_sets_fixed",
        "pool_sets_fixed",
        "UPDATE pool_sets SET pools = ''",
        "sets of budgets are as they were made",
    ),
    (
        "pool_sets",
        "pool_sets_fixed",
        "pool_sets_fixed",
        "UPDATE pool_sets SET team_id = 0",
        "sets of budgets are as they were made",
    ),
    (
        "pool_sets",
        "pool_sets_fixed",
        "pool_sets_fixed",
        "UPDATE pool_sets SET ends_at = ends_at + 1",
        "sets of budgets are as they were made",
    ),
    (
        "pool_set_windows",
        "pool_set_windows_with_set",
        "pool_set_windows_guard",
        "INSERT INTO pool_set_windows SELECT set_id, place + 1, window_id, budget FROM pool_set_windows",
        "the budgets of a set",
    ),
    (
        "pool_set_windows",
        "pool_set_windows_with_set",
        "pool_set_windows_guard",
        "INSERT INTO pool_set_windows SELECT 77, place, window_id, budget FROM pool_set_windows",
        "the budgets of a set",
    ),
    (
        "pool_set_windows",
        "pool_set_windows_fixed",
        "pool_set_windows_guard",
        "UPDATE pool_set_windows SET window_id = window_id",
        "as they were made",
    ),
    (
        "pool_set_windows",
        "pool_set_windows_go_with_set",
        "pool_set_windows_guard",
        "DELETE FROM pool_set_windows",
        "the budgets of a set",
    ),
    ("budget_pools", "budget_pools_stay", "budget_pools_stay", "DELETE FROM budget_pools", "stay"),
    ("pool_windows", "pool_windows_stay", "pool_windows_stay", "DELETE FROM pool_windows", "stay"),
    (
        "carried_pools",
        "carried_pools_no_update",
        "carried_pools_append_only",
        "UPDATE carried_pools SET cost = 9",
        "append-only",
    ),
    (
        "carried_pools",
        "carried_pools_no_delete",
        "carried_pools_append_only",
        "DELETE FROM carried_pools",
        "append-only",
    ),
    ("spend_windows", "spend_windows_stay", "spend_windows_stay", "DELETE FROM spend_windows", "stay"),
    (
        "topup_order",
        "machine_topup_order_move",
        "machine_topup_order_move",
        "UPDATE topup_order SET status = 'success', rev = 1",
        "no move leads",
    ),
    ("usage_days", "usage_days_stay", "usage_days_stay", "DELETE FROM usage_days", "usage_days stay"),
    (
        "video_task",
        "machine_video_task_revision",
        "machine_video_task_move",
        "UPDATE video_task SET status = 'in_progress'",
        "counts rev up",
    ),
    (
        "video_task",
        "machine_video_task_start",
        "machine_video_task_start",
        "AGAIN video_task {\"status\": \"in_progress\"}",
        "a row starts in queued",
    ),
    (
        "identities",
        "identities_of_active",
        "identities_of_active",
        "UPDATE accounts SET state = 'frozen' WHERE id = A; INSERT INTO identities VALUES (3, A, 'oidc', 'i', 's', 1, 1)",
        "only an active account takes another way to sign in",
    ),
    (
        "identities",
        "identities_fixed",
        "identities_fixed",
        "UPDATE identities SET account_id = A WHERE id = 1",
        "identities keep their account and subject",
    ),
    (
        "identities",
        "identities_fixed",
        "identities_fixed",
        "UPDATE identities SET subject = 'other' WHERE id = 2",
        "identities keep their account and subject",
    ),
    (
        "identities",
        "identities_fixed",
        "identities_fixed",
        "UPDATE identities SET used_at = 2; UPDATE identities SET used_at = 1",
        "identities keep their account and subject",
    ),
    (
        "identities",
        "identities_last",
        "identities_last",
        "UPDATE accounts SET password = NULL WHERE id = B; DELETE FROM identities WHERE id = 1; DELETE FROM identities WHERE id = 2",
        "the last way to sign in stays",
    ),
    (
        "members",
        "members_of_open_pool",
        "members_guard",
        "INSERT INTO members (id, account_id, person_id, role, state, created_at) VALUES (2, A, B, 'viewer', 'active', 1)",
        "a member has the open budgets of its organisation",
    ),
    (
        "members",
        "members_of_open_pool",
        "members_guard",
        "INSERT INTO members (id, account_id, person_id, role, state, created_at) VALUES (7, B, A, 'viewer', 'active', 1)",
        "a member has the open budgets of its organisation",
    ),
    (
        "members",
        "members_fixed",
        "members_guard",
        "UPDATE members SET person_id = 4294990000 WHERE id = 5",
        "members keep their organisation and person",
    ),
    (
        "members",
        "members_fixed",
        "members_guard",
        "UPDATE members SET account_id = B WHERE id = 6",
        "members keep their organisation and person",
    ),
    (
        "members",
        "members_fixed",
        "members_guard",
        "UPDATE members SET created_at = 0 WHERE id = 6",
        "members keep their organisation and person",
    ),
    (
        "members",
        "members_fixed",
        "members_guard",
        "UPDATE budget_pools SET state = 'closed' WHERE id = 6; UPDATE members SET state = 'left', left_at = 2 WHERE id = 6; UPDATE members SET state = 'active', left_at = NULL WHERE id = 6",
        "who has left stays away",
    ),
    (
        "members",
        "members_fixed",
        "members_guard",
        "UPDATE budget_pools SET state = 'closed' WHERE id = 6; UPDATE members SET state = 'left', left_at = 2 WHERE id = 6; UPDATE members SET role = 'admin' WHERE id = 6",
        "who has left stays away",
    ),
    (
        "members",
        "members_fixed",
        "members_guard",
        "UPDATE budget_pools SET state = 'closed' WHERE id = 6; UPDATE members SET state = 'left', left_at = 2 WHERE id = 6; UPDATE members SET left_at = 3 WHERE id = 6",
        "who has left stays away",
    ),
    (
        "members",
        "members_fixed",
        "members_guard",
        "UPDATE budget_pools SET state = 'closed' WHERE id = 6; UPDATE members SET state = 'left', left_at = 2 WHERE id = 6; UPDATE members SET lapsed = 1 WHERE id = 6",
        "who has left stays away",
    ),
    (
        "members",
        "members_return_to_open_pool",
        "members_guard",
        "INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES (81, B, 'member', 'r', 'active', 1); INSERT INTO members (id, account_id, person_id, role, state, created_at, issuer, subject) VALUES (81, B, A, 'viewer', 'active', 1, 'https://i', 's'); UPDATE budget_pools SET state = 'closed' WHERE id = 81; UPDATE members SET state = 'left', left_at = 2, lapsed = 1 WHERE id = 81; UPDATE members SET state = 'active', left_at = NULL, lapsed = 0 WHERE id = 81",
        "a member has the open budgets of its organisation",
    ),
    (
        "members",
        "members_leave_no_keys",
        "members_guard",
        "UPDATE members SET state = 'left', left_at = 2 WHERE id = 6",
        "a member leaves when its budgets are closed",
    ),
    (
        "members",
        "members_keep_an_owner",
        "members_guard",
        "UPDATE members SET role = 'admin' WHERE id = 5",
        "an organisation keeps an owner",
    ),
    (
        "budget_pools",
        "budget_pools_of_members",
        "budget_pools_of_members",
        "UPDATE budget_pools SET state = 'closed' WHERE id = 5",
        "an organisation keeps an owner",
    ),
    ("members", "members_stay", "members_stay", "DELETE FROM members", "members stay"),
    (
        "api_keys",
        "api_keys_made_by",
        "api_keys_made_by",
        "UPDATE api_keys SET made_by = 6 WHERE id = 10",
        "a key keeps its maker",
    ),
    (
        "api_keys",
        "api_keys_manage_no_more",
        "api_keys_manage",
        "UPDATE api_keys SET manages = 0 WHERE id = 10; UPDATE api_keys SET manages = 1 WHERE id = 10",
        "a key that does not manage never will",
    ),
    (
        "sessions",
        "sessions_of_member",
        "sessions_of_member",
        "INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at, member_id) VALUES (decode(repeat('55', 32), 'hex'), B, 1, 1, 2, 6)",
        "a person acts for organisations of which it is a member",
    ),
    (
        "sessions",
        "sessions_of_member",
        "sessions_of_member",
        "INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at, issuer, member_id) VALUES (decode(repeat('55', 32), 'hex'), B, 1, 1, 2, 'https://i', 6)",
        "a person acts for organisations of which it is a member",
    ),
    (
        "sessions",
        "sessions_keep_issuer",
        "sessions_keep_issuer",
        "UPDATE sessions SET issuer = 'https://i'",
        "a session keeps the provider that it began by",
    ),
    (
        "members",
        "members_keep_issuer",
        "members_keep_issuer",
        "UPDATE members SET issuer = 'https://i' WHERE id = 6",
        "members keep their organisation and person",
    ),
    (
        "sessions",
        "sessions_of_member_change",
        "sessions_of_member",
        "UPDATE sessions SET member_id = 6",
        "a person acts for organisations of which it is a member",
    ),
    (
        "invitations",
        "invitations_begin_open",
        "invitations_guard",
        "INSERT INTO invitations (id, account_id, hash, invited, role, state, created_at, ends_at) VALUES (2, A, decode(repeat('66', 32), 'hex'), 'x', 'owner', 'withdrawn', 1, 2)",
        "an invitation begins open",
    ),
    (
        "invitations",
        "invitations_fixed",
        "invitations_guard",
        "UPDATE invitations SET role = 'owner'",
        "invitations keep their terms",
    ),
    (
        "invitations",
        "invitations_fixed",
        "invitations_guard",
        "UPDATE invitations SET invited_by = 6",
        "invitations keep their terms",
    ),
    (
        "invitations",
        "invitations_fixed",
        "invitations_guard",
        "UPDATE invitations SET registered_id = A; UPDATE invitations SET registered_id = B",
        "invitations keep their terms",
    ),
    (
        "invitations",
        "invitations_fixed",
        "invitations_guard",
        "UPDATE invitations SET state = 'withdrawn'; UPDATE invitations SET state = 'open'",
        "are answered once",
    ),
    (
        "invitations",
        "invitations_by_member",
        "invitations_guard",
        "UPDATE invitations SET state = 'accepted', member_id = 6",
        "an invitation makes a member of its organisation, in its role",
    ),
    ("invitations", "invitations_stay", "invitations_stay", "DELETE FROM invitations", "invitations stay"),
    (
        "wallet_challenges",
        "wallet_challenges_fixed",
        "wallet_challenges_fixed",
        "UPDATE wallet_challenges SET ends_at = 9",
        "challenges stay as they were made",
    ),
    ("video_task", "video_task_stays", "video_task_guard", "DELETE FROM video_task", "videos stay"),
];

/// Attacks on a table.
pub(super) struct Tried {
    pub(super) table: &'static str,
    /// The trigger or index that refuses it on a file, and on a server.
    pub(super) on_file: &'static str,
    pub(super) on_server: &'static str,
    pub(super) attack: String,
    pub(super) said: &'static str,
}

/// All that is tried on both.
pub(super) fn all() -> Vec<Tried> {
    let mut all = Vec::new();
    for &(table, on_file, on_server, attack, said) in OTHERS {
        all.push(Tried { table, on_file, on_server, attack: attack.to_owned(), said });
    }
    for &(table, on_file, on_server, said, attacks) in ALIKE {
        for &attack in attacks {
            all.push(Tried { table, on_file, on_server, attack: attack.to_owned(), said });
        }
    }
    for column in HOLD {
        let attack = format!("UPDATE holds SET {column} = {column} WHERE id = 1");
        let said = "holds keep their terms and keep their number";
        all.push(Tried { table: "holds", on_file: "holds_fixed", on_server: "holds_fixed", attack, said });
    }
    all
}

/// The rows that the attacks need, beside the two accounts and holds of the attacks on a file. There are a key that is revoked
/// and one with budgets, a video, a hold that was released, and a row of each other table.
pub(super) const SETUP: &str = "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, budget_day, budget_week, budget_month, budget_life) VALUES \
        (8, A, decode(repeat('00', 32), 'hex'), 's', '', 'active', 1, NULL, NULL, NULL, NULL), \
        (9, A, decode(repeat('11', 32), 'hex'), 's', '', 'active', 1, 1000, 1000, 1000, 1000); \
    UPDATE api_keys SET state = 'revoked', rev = 1 WHERE id = 8; \
    INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, place) \
        VALUES (1, 't1', A, 'x402', 1, 'pending', 0, 1, 2, 1); \
    INSERT INTO payments VALUES (1, 'eip155:8453', '0xab', 1, 'claimed', 0, '0xa', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); \
    INSERT INTO chain_orders VALUES (1, NULL, NULL); \
    INSERT INTO chain_order_blocks VALUES (1, 'eip155:8453', 7); \
    INSERT INTO chain_payments VALUES (1, 'eip155:8453', 7, '{}', decode('00', 'hex'), NULL, 0, NULL); \
    INSERT INTO one_node_credits VALUES (1, 'eip155:8453', 1, 1); \
    INSERT INTO chain_relayers VALUES ('eip155:8453', '0xc', 4); \
    INSERT INTO chain_sends VALUES ('0xd', 'eip155:8453', '0xc', 3, 1, 1, decode('00', 'hex'), 9, 9, 9, 1, 0); \
    INSERT INTO checkouts (order_id, provider, request_id, wallet, ask_at, token_sha256) \
        VALUES (1, 'antom', 't1', 'GCASH', 2, decode(repeat('00', 32), 'hex')); \
    INSERT INTO notices VALUES (1, 'antom', decode(repeat('00', 32), 'hex'), decode('00', 'hex'), 1, NULL, NULL); \
    INSERT INTO ledger_accounts VALUES (4999999999, 'promo', 'second promo', NULL); \
    INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) \
        VALUES (1, 'take', B, 2, 5, 0, 5, 'take:k', 'x', '', 1); \
    MOVE adjust, 3, B, 5, 'k', NULL; \
    COPY {\"id\": 2000000, \"request_id\": \"rv\", \"account_id\": B, \"kept\": 1}; \
    INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, price_request, ratio_ppm, prompt, created_at, deadline_at) \
        VALUES ('video_0123456789abcdef', B, 2000000, 'queued', 'films', 4, 5, 0, 1000000, 'a cat', 1, 2); \
    UPDATE accounts SET password = '$argon2id$x' WHERE id = B; \
    INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at) VALUES (decode(repeat('00', 32), 'hex'), B, 1, 1, 2); \
    INSERT INTO identities VALUES (1, B, 'evm', '', '0x00000000000000000000000000000000000000aa', 1, 1), \
        (2, B, 'oidc', 'https://issuer.example', 'subject', 1, 1); \
    INSERT INTO wallet_challenges VALUES ('0123456789abcdef0123456789abcdef', 'evm', '0x00000000000000000000000000000000000000aa', \
        B, 'https://gateway.example', '1', 1, 2); \
    INSERT INTO operators (id, name, kind, role, state, created_at, hash, shown_prefix) \
        VALUES (1, 'k', 'key', 'owner', 'active', 1, decode(repeat('33', 32), 'hex'), 'op'); \
    INSERT INTO operators (id, name, kind, role, state, created_at, password, totp, totp_step) \
        VALUES (2, 'p', 'person', 'owner', 'active', 1, 'x', decode('00', 'hex'), 5); \
    INSERT INTO operators (id, name, kind, role, state, created_at, invitation, invitation_ends_at) \
        VALUES (3, 'i', 'person', 'reader', 'active', 1, decode(repeat('22', 32), 'hex'), 9); \
    INSERT INTO operator_sessions (hash, operator_id, created_at, seen_at, ends_at) \
        VALUES (decode(repeat('00', 32), 'hex'), 2, 1, 1, 2); \
    INSERT INTO catalog_versions VALUES ('price', 'small', 1, '{}', 1, 'x'); \
    INSERT INTO alarms (alarm, subject, message, fields, node, occurrences, first_at, last_at) \
        VALUES ('x', '', 'm', '{}', 'n', 2, 5, 9); \
    INSERT INTO alarms (alarm, subject, message, fields, node, occurrences, first_at, last_at, acknowledged_at, acknowledged_by) \
        VALUES ('x', '', 'm', '{}', 'n', 2, 5, 9, 10, 'x'); \
    INSERT INTO ledger_jobs (kind, state, epoch, started_at, started_by) VALUES ('audit', 'running', (SELECT max(epoch) FROM nodes), 1, 'x'); \
    INSERT INTO ledger_jobs (kind, state, epoch, started_at, started_by) VALUES ('backup', 'running', (SELECT max(epoch) FROM nodes), 1, 'x'); \
    UPDATE ledger_jobs SET state = 'done', ended_at = 2, clean = 1, report = 'r', file = 'f', sha256 = '0000000000000000000000000000000000000000000000000000000000000000' \
        WHERE kind = 'backup'; \
    INSERT INTO provider_secrets VALUES ('alpha', '0123456789abcdef', decode('00', 'hex'), 1); \
    INSERT INTO login_tries VALUES (decode(repeat('00', 32), 'hex'), 1, 1); \
    INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, created_at) \
        VALUES (A, 'k', decode(repeat('00', 32), 'hex'), 'r', 1, 'running', 1); \
    INSERT INTO seals VALUES (1, 2, 2, 0, 4, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), 1); \
    INSERT INTO ledger_mode VALUES (1, 'sandbox', 1); \
    INSERT INTO server_keys VALUES ('k', decode(repeat('00', 32), 'hex'), 1); \
    COPY {\"id\": 2000001, \"request_id\": \"rl\", \"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"week_at\": 0, \"month_at\": 0, \"life_at\": 0, \"in_flight\": 1}; \
    COPY {\"id\": 2000002, \"request_id\": \"rr\"}; \
    RELEASE 2000002; \
    INSERT INTO archived_months VALUES (-2678400000, 0, 1, 0, decode(repeat('00', 32), 'hex'), 1); \
    INSERT INTO carried VALUES (-2678400000, A, 7, 1, 0, 0, 0, 0); \
    INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, cap_day, created_at) \
        VALUES (5, A, 1, 'evm', '0x00000000000000000000000000000000000000aa', 'bot', 'nonce-05', 'active', 1000, 1); \
    INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, agent_id) \
        VALUES (10, A, decode(repeat('33', 32), 'hex'), 's', '', 'active', 1, 5); \
    INSERT INTO agent_windows VALUES (5, 'day', 0, 1000, 1000, 0, 0); \
    INSERT INTO budget_pools (id, account_id, kind, name, state, created_at, budget_day) VALUES (1, A, 'organisation', 'o', 'active', 1, NULL), \
        (2, A, 'team', 't', 'active', 1, 1000), (3, A, 'team', 'u', 'closed', 1, NULL), (4, B, 'team', 't', 'active', 1, NULL), \
        (5, A, 'member', 'b', 'active', 1, NULL), (6, A, 'member', 'c', 'active', 1, NULL), (7, A, 'member', 'd', 'active', 1, NULL); \
    INSERT INTO accounts (id, name, state, created_at) VALUES (4294990000, 'c', 'active', 1); \
    INSERT INTO members (id, account_id, person_id, role, state, created_at) VALUES (5, A, B, 'owner', 'active', 1), \
        (6, A, 4294990000, 'viewer', 'active', 1); \
    INSERT INTO invitations (id, account_id, hash, invited, role, state, created_at, ends_at) \
        VALUES (1, A, decode(repeat('77', 32), 'hex'), 'x', 'admin', 'open', 1, 2); \
    INSERT INTO carried_pools VALUES (-2678400000, 2, 0); \
    INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, team_id) \
        VALUES (12, A, decode(repeat('44', 32), 'hex'), 's', '', 'active', 1, 2); \
    COPY {\"id\": 2000003, \"amount\": 0, \"request_id\": \"rp\", \"key_id\": 12, \"tags\": \"a,b\", \"pools\": \"[[2,\\\"day\\\",1799971200000]]\"}";
