//! The same on PostgreSQL, rule by rule: what the database says that its rules are is what is attacked, so that a rule that
//! is new has no rest until somebody has tried to break it.
//!
//! A constraint is attacked alone: in one transaction, that its refusal rolls back, the triggers of its table are turned off
//! and the other constraints dropped. A trigger is attacked with everything else as it is, or, where another rule would be
//! before it, with that one away.

use std::collections::BTreeSet;

use super::both::{self, CHECKS, SETUP};
use super::*;

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
    ("agents.agents_stay", "DELETE FROM agents", "agents stay"),
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
    ("api_keys.api_keys_guard", "UPDATE api_keys SET account_id = B WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_guard", "UPDATE api_keys SET hash = decode(repeat('22', 32), 'hex') WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_guard", "UPDATE api_keys SET expires_at = 9 WHERE id = 9", "keys keep"),
    ("api_keys.api_keys_stay", "DELETE FROM api_keys", "api_keys stay"),
    (
        "api_keys.machine_api_key_move",
        "UPDATE api_keys SET state = 'active', rev = rev + 1 WHERE id = 8",
        "no move leads",
    ),
    ("audit_log.audit_log_append_only", "UPDATE audit_log SET actor = 'nobody'", "append-only"),
    ("audit_log.audit_log_append_only", "DELETE FROM audit_log", "append-only"),
    ("audit_log.audit_log_append_only", "TRUNCATE audit_log", "append-only"),
    ("balances.balances_start", "INSERT INTO balances (account_id, posted) VALUES (1, 5)", "balances start empty"),
    ("balances.balances_guard", "UPDATE balances SET account_id = 3 WHERE account_id = A", "balances keep their owner"),
    ("balances.balances_stay", "DELETE FROM balances WHERE account_id = B", "balances stay"),
    ("chain_payments.chain_payments_stay", "TRUNCATE chain_payments CASCADE", "stay"),
    ("chain_sends.chain_sends_stay", "TRUNCATE chain_sends", "chain_sends stay"),
    ("checkouts.checkouts_stay", "TRUNCATE checkouts", "checkouts stay"),
    ("debt_payments.debt_payments_append_only", "TRUNCATE debt_payments", "append-only"),
    ("debt_payments.debt_payments_by_credit", "AGAIN debt_payments {\"id\": 9}", "debt_payments_by_credit"),
    (
        "payments.payments_resolve",
        "MOVE adjust, 3, B, 1, 'payment:1', NULL, NULL; UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1; UPDATE payments SET resolution = 'credit', resolved_amount = 1, resolved_at = 1",
        "transfers_once",
    ),
    ("reversals.reversals_stay", "TRUNCATE reversals CASCADE", "stay"),
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
    (
        "ledger_accounts.ledger_accounts_append_only",
        "UPDATE ledger_accounts SET code = 'x' WHERE id = 1",
        "append-only",
    ),
    ("nodes.nodes_guard", "UPDATE nodes SET name = 'x'", "keeps its name"),
    ("nodes.nodes_guard", "UPDATE nodes SET state = 'gone'; UPDATE nodes SET state = 'up'", "goes once"),
    (
        "nodes.nodes_guard",
        "UPDATE nodes SET state = 'gone'; UPDATE nodes SET released_at = 1",
        "when nothing of it is held",
    ),
    ("nodes.nodes_once", "INSERT INTO nodes SELECT epoch + 1, name, 1, 1, 'up' FROM nodes", "nodes_once"),
    ("nodes.nodes_stay", "DELETE FROM nodes", "nodes stay"),
    ("notices.notices_fixed", "UPDATE notices SET body = 'x'", "notices are kept as they came"),
    ("notices.notices_stay", "TRUNCATE notices", "notices stay"),
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
    ("payments.payments_stay", "DELETE FROM payments", "payments stay"),
    ("payments.payments_stay", "TRUNCATE payments CASCADE", "payments stay"),
    ("receipts.receipts_append_only", "UPDATE receipts SET cost = 0", "append-only"),
    ("receipts.receipts_append_only", "DELETE FROM receipts", "append-only"),
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
    (
        "stored_responses.stored_responses_items",
        "CREATE TABLE kept (account_id BIGINT, id TEXT, FOREIGN KEY (account_id, id) REFERENCES stored_items); INSERT INTO kept SELECT account_id, id FROM stored_items; DELETE FROM stored_responses",
        "kept_account_id_id_fkey",
    ),
    ("stored_responses.stored_responses_stay", "TRUNCATE stored_responses", "one by one"),
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
    ("video_task.video_task_stays", "TRUNCATE video_task", "videos stay"),
    ("server_keys.server_keys_stay", "DELETE FROM server_keys", "made once"),
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

    /// What rows are changed to that break this rule, each by itself, where it is a constraint.
    fn attacks(&self) -> Vec<String> {
        let table = self.table;
        let least =
            self.definition.strip_prefix("CHECK ((LEAST(").and_then(|rest| rest.strip_suffix(") >= 0)) NOT VALID"));
        if let Some(columns) = least {
            return columns.split(", ").map(|column| format!("UPDATE {table} SET {column} = -1")).collect();
        }
        vec![match self.kind {
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
        }]
    }

    /// The same, with nothing else in their way.
    fn attacks_alone(&self, rules: &[Self]) -> Vec<String> {
        let constraint =
            |rule: &&Self| rule.table == self.table && !["t", "i"].contains(&rule.kind) && rule.name != self.name;
        let drops = rules.iter().filter(constraint).map(|rule| format!("DROP CONSTRAINT {} CASCADE", rule.name));
        let changes: Vec<String> = std::iter::once("DISABLE TRIGGER USER".to_owned()).chain(drops).collect();
        let alone = format!("ALTER TABLE {} {}; SET CONSTRAINTS ALL IMMEDIATE", self.table, changes.join(", "));
        self.attacks().into_iter().map(|attack| format!("{alone}; {attack}")).collect()
    }
}

/// Puts accounts in, and writes out: a copy of hold 1 with changes, one of a table's row, the release of a hold, and a transfer.
fn written_out(sql: &str, account: AccountId, other: AccountId) -> String {
    let statement = |sql: &str| match sql.trim().split_once(' ') {
        Some(("COPY", changes)) => format!(
            "INSERT INTO holds SELECT (jsonb_populate_record(h, '{{\"id\": 99, \"request_id\": \"r99\", \"amount\": 1}}'::jsonb || '{changes}')).* \
                FROM holds h WHERE id = 1"
        ),
        Some(("RELEASE", hold)) => format!(
            "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES ({hold}, 'released', 0, 0, 'x', 1)"
        ),
        Some(("AGAIN", row)) => {
            let (table, changes) = row.split_once(' ').unwrap();
            format!("INSERT INTO {table} SELECT (jsonb_populate_record(row, '{changes}')).* FROM {table} row")
        }
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
    let Attacked { house, account, other, held } = Attacked::open(On::Server).await;
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
        for attack in rule.attacks_alone(&rules) {
            refused(&rule.full_name(), &attack, &format!("constraint \"{}\"", rule.name)).await;
        }
    }
    let here = OTHERS.iter().map(|(rule, attack, expected)| ((*rule).to_owned(), *attack, *expected));
    let shared = both::OTHERS.iter().map(|(table, _, rule, attack, said)| (format!("{table}.{rule}"), *attack, *said));
    let attacks: Vec<_> = here.chain(shared).collect();
    for (rule, attack, expected) in &attacks {
        refused(rule, &written_out(attack, account, other), expected).await;
    }
    let others = rules.iter().filter(|rule| ["t", "i"].contains(&rule.kind)).map(Rule::full_name);
    let attacked: BTreeSet<String> = attacks.into_iter().map(|(rule, ..)| rule).collect();
    assert_eq!(others.collect::<BTreeSet<_>>(), attacked, "each trigger and index is attacked, and is there");
    for (rule, _) in CHECKS {
        assert!(rules.iter().any(|found| found.full_name() == *rule), "{rule} is gone");
    }

    assert_eq!((house.money(account).await, house.money(other).await), before);
    house.assert_clean().await;
    assert_eq!(house.credit.settle(held, settlement("0.4")).await.unwrap().charged, usd("0.4"));
}
