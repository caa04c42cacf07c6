//! The same on a file, rule by rule: what its catalog says that its rules are is what is attacked.
//!
//! An attack is refused by a trigger when without that trigger it is not refused so.

use std::collections::{BTreeMap, BTreeSet};

use super::both::{self, SETUP, Tried};
use super::checks::CHECKS;
use super::rules_of_file::{CHECKS_HERE, Table, Trigger};
use super::written::{self, NewRow};
use super::*;

/// A trigger, what is tried, and what the database has to say to it, beside [`ATTACKS`] and what is tried on both. Where a trigger
/// refuses nothing but does something, that is trapped.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "accounts.accounts_end_sessions",
        "TRAP DELETE ON sessions; UPDATE accounts SET state = 'frozen' WHERE id = B",
        "trapped",
    ),
    (
        "accounts.accounts_epoch",
        "TRAP UPDATE ON key_epoch; UPDATE accounts SET state = 'frozen' WHERE id = A",
        "trapped",
    ),
    (
        "accounts.accounts_epoch_group",
        "TRAP UPDATE ON key_epoch; UPDATE accounts SET price_group = 'x' WHERE id = A",
        "trapped",
    ),
    ("agents.agents_caps", "TRAP UPDATE ON agent_windows; UPDATE agents SET cap_day = 77 WHERE id = 5", "trapped"),
    ("agents.agents_revoke_key", "TRAP UPDATE ON api_keys; UPDATE agents SET state = 'revoked', rev = 1", "trapped"),
    (
        "agents.machine_agent_move",
        "UPDATE agents SET state = 'revoked', rev = 1; UPDATE agents SET state = 'active', rev = 2",
        "no move leads",
    ),
    (
        "api_keys.api_keys_budgets",
        "TRAP UPDATE ON spend_windows; UPDATE api_keys SET budget_day = 77 WHERE id = 9",
        "trapped",
    ),
    (
        "api_keys.api_keys_epoch_insert",
        "TRAP UPDATE ON key_epoch; INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at) VALUES (7, A, decode(repeat('22', 32), 'hex'), 's', '', 'active', 1)",
        "trapped",
    ),
    (
        "api_keys.api_keys_epoch_update",
        "TRAP UPDATE ON key_epoch; UPDATE api_keys SET models = '[]' WHERE id = 9",
        "trapped",
    ),
    (
        "api_keys.api_keys_revoke_agent",
        "TRAP UPDATE ON agents; UPDATE api_keys SET state = 'revoked', rev = 1 WHERE agent_id = 5",
        "trapped",
    ),
    ("ledger_accounts.ledger_accounts_no_delete", "DELETE FROM ledger_accounts WHERE id = 4999999999", "append-only"),
    (
        "operators.operators_end_sessions",
        "TRAP DELETE ON operator_sessions; UPDATE operators SET state = 'disabled' WHERE id = 2",
        "trapped",
    ),
    (
        "members.members_end_sessions",
        "UPDATE accounts SET password = '$argon2id$y' WHERE id = A; UPDATE sessions SET member_id = 5; UPDATE budget_pools SET state = 'closed' WHERE id = 5; TRAP DELETE ON sessions; UPDATE members SET state = 'left', left_at = 2 WHERE id = 5",
        "trapped",
    ),
    (
        "api_keys.api_keys_of_member",
        "TRAP UPDATE ON api_keys; INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, member_id) VALUES (20, A, decode(repeat('66', 32), 'hex'), 's', '', 'active', 1, 5)",
        "trapped",
    ),
    (
        "api_keys.api_keys_of_member_change",
        "CREATE TRIGGER t AFTER UPDATE OF manages ON api_keys BEGIN SELECT RAISE(ABORT, 'trapped'); END; UPDATE api_keys SET member_id = 5 WHERE id = 10",
        "trapped",
    ),
    (
        "api_keys.api_keys_limited",
        "CREATE TRIGGER t AFTER UPDATE OF manages ON api_keys BEGIN SELECT RAISE(ABORT, 'trapped'); END; INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, budget_day) VALUES (20, A, decode(repeat('66', 32), 'hex'), 's', '', 'active', 1, 5)",
        "trapped",
    ),
    (
        "api_keys.api_keys_limited_change",
        "CREATE TRIGGER t AFTER UPDATE OF manages ON api_keys BEGIN SELECT RAISE(ABORT, 'trapped'); END; UPDATE api_keys SET budget_day = 5 WHERE id = 10",
        "trapped",
    ),
    (
        "members.members_end_keys",
        "UPDATE accounts SET password = '$argon2id$y' WHERE id = A; INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, made_by) VALUES (20, A, decode(repeat('66', 32), 'hex'), 's', '', 'active', 1, 5); TRAP UPDATE ON api_keys; UPDATE members SET role = 'admin' WHERE id = 5",
        "trapped",
    ),
    ("identities.identities_end_sessions", "TRAP DELETE ON sessions; DELETE FROM identities WHERE id = 1", "trapped"),
    (
        "video_task.video_task_of_key",
        "CREATE TRIGGER t AFTER UPDATE OF key_id ON video_task BEGIN SELECT RAISE(ABORT, 'trapped'); END; COPY {\"kept\": 1}; \
            AGAIN video_task {\"task_id\": \"video_1123456789abcdef\", \"account_id\": A, \"hold_id\": 99}",
        "trapped",
    ),
    ("video_task.video_task_keeps_key", "UPDATE video_task SET key_id = key_id + 1", "a video keeps its terms"),
    ("alarms.alarms_stay", "DELETE FROM alarms", "alarms stay"),
    ("catalog_state.catalog_state_stays", "DELETE FROM catalog_state", "catalog_state stay"),
    ("ledger_jobs.ledger_jobs_stay", "DELETE FROM ledger_jobs", "ledger_jobs stay"),
    ("operators.operators_stay", "DELETE FROM operators", "operators stay"),
    (
        "payments.payments_resolve",
        "MOVE adjust, 3, B, 1, 'payment:1', NULL; UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1; UPDATE payments SET resolution = 'credit', resolved_amount = 1, resolved_at = 1",
        "transfers.idem",
    ),
    (
        "reversals.reversals_owe",
        "MOVE adjust, 3, 2, 1, 'debt:2', NULL; INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) VALUES (2, 'take', B, 2, 1, 0, 1, 'x2', 'x', '', 1)",
        "transfers.idem",
    ),
    (
        "nodes.nodes_released",
        "UPDATE nodes SET state = 'gone'; UPDATE nodes SET released_at = 1",
        "when nothing of it is held",
    ),
    (
        "nodes.nodes_released",
        "INSERT INTO nodes VALUES (9, 'n9', 1, 1, 'gone', 1); UPDATE nodes SET released_at = 2 WHERE epoch = 9",
        "a start is done with once",
    ),
    ("notices.notices_fixed", "UPDATE notices SET body = decode('01', 'hex')", "notices are kept as they came"),
    (
        "receipts.receipts_resolve",
        "DROP TRIGGER holds_reserve; COPY {\"amount\": 500000000}; RELEASE 99",
        "held_not_negative",
    ),
    ("holds.holds_in_flight", "UPDATE key_rates SET in_flight = 0; RELEASE 2000001", "in_flight_not_negative"),
    ("holds.holds_in_flight", "UPDATE key_rates SET in_flight = 0; RELEASE OR FAIL 2000001", "in_flight_not_negative"),
    (
        "holds.holds_in_flight",
        "DROP TRIGGER key_rates_stay; DELETE FROM key_rates; RELEASE OR IGNORE 2000001",
        "a request is under way no more",
    ),
    ("key_rates.key_rates_fixed", "UPDATE key_rates SET rowid = 8", "rates keep"),
    ("key_rates.key_rates_fixed", "UPDATE key_rates SET oid = 8", "rates keep"),
    ("key_rates.key_rates_fixed", "UPDATE key_rates SET _rowid_ = 8", "rates keep"),
    ("balances.balances_keep_owner", "UPDATE balances SET oid = 3 WHERE account_id = B", "balances keep their owner"),
    (
        "balances.balances_keep_owner",
        "UPDATE balances SET _rowid_ = 3 WHERE account_id = B",
        "balances keep their owner",
    ),
    ("receipts.receipts_resolve", "TRAP DELETE ON holds; RELEASE 1", "trapped"),
    (
        "holds.holds_pooled",
        "COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\", \"amount\": 1001}",
        "pool_cap_holds: a hold fits into the budgets of its pools",
    ),
    (
        "holds.holds_pooled",
        "COPY OR IGNORE {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\", \"amount\": 1001}",
        "pool_cap_holds: a hold fits into the budgets of its pools",
    ),
    ("receipts.receipts_pooled", "TRAP UPDATE ON pool_windows; SETTLE 2000003", "trapped"),
    ("receipts.receipts_pooled", "DELETE FROM pool_sets; TRAP UPDATE ON pool_windows; SETTLE 2000003", "trapped"),
    (
        "pool_sets.pool_sets_made",
        "TRAP INSERT ON pool_windows; COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1800057600000]]\", \"created_at\": 1800057600000, \"expires_at\": 1800057600001}",
        "trapped",
    ),
    (
        "pool_sets.pool_sets_made",
        "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at, begins_at) SELECT account_id, team_id, member_id, pools, made_at, begins_at - 1 FROM pool_sets",
        "a set of budgets is made whole",
    ),
    (
        "pool_sets.pool_sets_made",
        "INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at, ends_at) SELECT account_id, team_id, member_id, pools, made_at, ends_at + 1 FROM pool_sets",
        "a set of budgets is made whole",
    ),
    ("pool_sets.pool_sets_gone", "TRAP DELETE ON pool_set_windows; DELETE FROM pool_sets", "trapped"),
    ("pool_sets.pool_sets_fixed", "UPDATE pool_sets SET rowid = rowid + 7", "sets of budgets are as they were made"),
    (
        "pool_windows.pool_windows_fixed",
        "UPDATE pool_windows SET rowid = rowid + 7",
        "budgets keep their pool and time",
    ),
    ("pool_windows.pool_windows_fixed", "UPDATE pool_windows SET oid = oid + 7", "budgets keep their pool and time"),
    (
        "pool_windows.pool_windows_fixed",
        "UPDATE pool_windows SET _rowid_ = _rowid_ + 7",
        "budgets keep their pool and time",
    ),
    (
        "pool_windows.pool_windows_changed",
        "UPDATE budget_pools SET raised_by = 5, raised_until = 9 WHERE id = 2; COPY {\"key_id\": 12, \"pools\": \"[[2,\\\"day\\\",1799971200000]]\"}; \
            TRAP DELETE ON pool_sets; UPDATE pool_windows SET budget = 1005, cap = 1005",
        "trapped",
    ),
    (
        "budget_pools.budget_pools_new",
        "TRAP DELETE ON pool_sets; INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES (9, A, 'team', 'x', 'active', 1)",
        "trapped",
    ),
    (
        "budget_pools.budget_pools_changed",
        "TRAP DELETE ON pool_sets; UPDATE budget_pools SET budget_day = 7 WHERE id = 2",
        "trapped",
    ),
    (
        "budget_pools.budget_pools_changed",
        "TRAP DELETE ON pool_sets; UPDATE budget_pools SET budget_week = 7 WHERE id = 1",
        "trapped",
    ),
    (
        "budget_pools.budget_pools_changed",
        "TRAP DELETE ON pool_sets; UPDATE budget_pools SET raised_by = 7, raised_until = 9 WHERE id = 2",
        "trapped",
    ),
    (
        "receipts.receipts_spend",
        "DROP TRIGGER holds_count; COPY {\"key_id\": 9, \"counted\": 1, \"day_at\": 0, \"amount\": 5}; RELEASE 99",
        "window_held_not_negative",
    ),
    (
        "receipts.receipts_spend",
        "DROP TRIGGER holds_count; COPY {\"key_id\": 9, \"counted\": 1, \"month_at\": 0, \"amount\": 5}; RELEASE 99",
        "window_held_not_negative",
    ),
    (
        "receipts.receipts_spend",
        "DROP TRIGGER holds_count; COPY {\"key_id\": 9, \"counted\": 1, \"life_at\": 0, \"amount\": 5}; RELEASE 99",
        "window_held_not_negative",
    ),
    ("receipts.receipts_usage", "TRAP INSERT ON usage_days; RELEASE 1", "trapped"),
    ("topup_order.machine_topup_order_revision", "UPDATE topup_order SET status = 'settling'", "counts rev up"),
    (
        "topup_order.machine_topup_order_start",
        "AGAIN topup_order {\"id\": 2, \"trade_no\": \"t2\", \"status\": \"settling\"}",
        "a row starts in pending",
    ),
    (
        "topup_order.topup_order_spend",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', A, 'crypto', 1, 'pending', 0, 1, 2, 5); INSERT INTO payments VALUES (2, 'x', 'x', 2, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); UPDATE payments SET state = 'paid', rev = 1, decided_at = 1 WHERE id = 2; UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; UPDATE topup_order SET counted_day = 0 WHERE id = 2; TRAP UPDATE ON agent_windows; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2 WHERE id = 2",
        "trapped",
    ),
    (
        "topup_order.topup_order_spend_late",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', A, 'crypto', 1, 'pending', 0, 1, 2, 5); INSERT INTO payments VALUES (2, 'x', 'x', 2, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); UPDATE payments SET state = 'paid', rev = 1, decided_at = 1 WHERE id = 2; UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; TRAP UPDATE ON agent_windows; UPDATE topup_order SET status = 'success', settled_at = 1, rev = 2 WHERE id = 2",
        "trapped",
    ),
    (
        "topup_order.topup_order_uncount",
        "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, agent_id) VALUES (2, 't2', A, 'crypto', 1, 'pending', 0, 1, 2, 5); UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 2; UPDATE topup_order SET counted_day = 0 WHERE id = 2; TRAP UPDATE ON agent_windows; UPDATE topup_order SET counted_day = NULL WHERE id = 2",
        "trapped",
    ),
    (
        "video_task.machine_video_task_move",
        "UPDATE video_task SET status = 'in_progress', rev = 1; UPDATE video_task SET status = 'queued', rev = 2",
        "no move leads",
    ),
    ("server_keys.server_keys_stay", "DELETE FROM server_keys", "server keys stay"),
];

/// Unique indexes of rows that there are none of, and what is tried.
const ONE_OF: &[(&str, &str)] = &[
    (
        "payments.payments_one_paid",
        "INSERT INTO payments VALUES (2, 'x', 'x', 1, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); UPDATE payments SET state = 'paid', decided_at = 1",
    ),
    ("transfers.transfers_one_per_order", "MOVE topup, 5, A, 1, 'x', 1; MOVE topup, 5, A, 1, 'y', 1"),
];

/// Attacks that are refused when the transaction ends, and not before: a video has a receipt by then.
const AT_THE_END: &[&str] = &[
    "UPDATE video_task SET receipt_id = hold_id",
    "FINISH completed",
    "FINISH failed",
    "COPY {\"kept\": 1}; AGAIN video_task {\"task_id\": \"video_1123456789abcdef\", \"account_id\": A, \"hold_id\": 99, \"receipt_id\": 99}",
];

/// Writes out what is shortened; and what is trapped, which is said on a file alone.
struct Writer {
    columns: BTreeMap<String, Vec<String>>,
    account: AccountId,
    other: AccountId,
}

impl Writer {
    fn of(tables: &[Table], account: AccountId, other: AccountId) -> Self {
        let columns = |table: &Table| table.columns.iter().map(|(name, _)| name.clone()).collect();
        let columns = tables.iter().map(|table| (table.name.clone(), columns(table))).collect();
        Self { columns, account, other }
    }

    fn written(&self, sql: &str) -> String {
        let order = "(id, trade_no, account_id, rail, amount, status, rev, created_at, expires_at, LAST)";
        let sql = sql
            .replace("OF_AGENT", &order.replace("LAST", "agent_id"))
            .replace("ORDERED", &order.replace("LAST", "place"));
        let sql = written::written(&sql, [self.account, self.other], |sql| self.statement(sql));
        ["00", "01", "11", "22", "33", "44", "55", "66", "77"].into_iter().fold(sql, |sql, byte| {
            sql.replace(&format!("decode(repeat('{byte}', 32), 'hex')"), &format!("x'{}'", byte.repeat(32)))
                .replace(&format!("decode('{byte}', 'hex')"), &format!("x'{byte}'"))
        })
    }

    fn statement(&self, sql: &str) -> String {
        match sql.split_once(' ') {
            Some(("AGAIN", rest)) => {
                let (insert, rest) = written::on_conflict(rest);
                let (table, changes) = rest.split_once(' ').unwrap();
                self.again(&insert, table, &written::values(changes))
            }
            Some(("TRAP", what)) => {
                format!("CREATE TRIGGER trap BEFORE {what} BEGIN SELECT RAISE(ABORT, 'trapped'); END")
            }
            _ => sql.to_owned(),
        }
    }

    /// The rows of a table with changes.
    fn again(&self, insert: &str, table: &str, changes: &NewRow) -> String {
        let value = |column: &String| changes.get(column).unwrap_or(column).clone();
        let values: Vec<String> = self.columns[table].iter().map(value).collect();
        format!("{insert} INTO {table} SELECT {} FROM {table}", values.join(", "))
    }
}

/// The message of the database itself in an error.
fn said(error: &str) -> &str {
    error.split_once("(code: ").and_then(|(_, rest)| rest.split_once(") ")).map_or(error, |(_, said)| said)
}

/// A ledger on a file that is attacked.
struct Field {
    attacked: Attacked,
    tables: Vec<Table>,
    writer: Writer,
}

impl Field {
    async fn open() -> Self {
        let attacked = Attacked::open(On::File).await;
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
            AND name <> 'schema_steps' ORDER BY name";
        let mut tables = Vec::new();
        for name in raw::texts(&attacked.house.store, names).await {
            tables.push(Table::read(&attacked.house.store, name).await);
        }
        let writer = Writer::of(&tables, attacked.account, attacked.other);
        let field = Self { attacked, tables, writer };
        let setup = format!("BEGIN; {}; COMMIT", field.writer.written(SETUP));
        raw::run(&field.attacked.house.store, &setup).await.unwrap();
        field
    }

    /// The message about `script`, or nothing where it is carried out.
    async fn told(&self, script: &str) -> Option<String> {
        let told = raw::run(&self.attacked.house.store, script).await;
        told.err().map(|error| said(&error).to_owned())
    }

    async fn is_refused(&self, rule: &str, script: &str, expected: &str) {
        assert_eq!(self.told(script).await.as_deref(), Some(expected), "{rule}: {script}");
    }

    fn triggers(&self) -> impl Iterator<Item = (&Table, &Trigger)> {
        self.tables.iter().flat_map(|table| table.triggers.iter().map(move |trigger| (table, trigger)))
    }

    /// The triggers by which an attack is refused: `rule`, or whichever of those that say so are needed for it.
    async fn refused_by(&self, rule: Option<&str>, attack: &str, expected: &str) -> Vec<String> {
        let attack = self.writer.written(attack);
        let attack = attack.strip_prefix("BEGIN; ").unwrap_or(&attack);
        let told = self.told(&format!("BEGIN; {attack}")).await;
        let told = told.unwrap_or_else(|| panic!("succeeded: {attack}"));
        assert!(told.contains(expected), "{attack}\n  said {told}, not {expected}");
        let says = |(table, trigger): &(&Table, &Trigger)| match rule {
            Some(rule) => table.full(&trigger.name) == rule,
            None => trigger.text.contains(&format!("'{told}'")),
        };
        let asked: Vec<_> = self.triggers().filter(says).collect();
        let mut by = Vec::new();
        for (table, trigger) in &asked {
            let without = format!("BEGIN; DROP TRIGGER {}; {attack}", trigger.name);
            if self.told(&without).await.as_ref() != Some(&told) {
                by.push(table.full(&trigger.name));
            }
        }
        assert!(!by.is_empty() || (rule.is_none() && asked.is_empty()), "{attack}: {told}, whatever rule is away");
        by
    }

    /// Attacks what the tables say of their rows.
    async fn each_table_refuses(&self) {
        let mut found = BTreeSet::new();
        for table in &self.tables {
            for check in &table.checks {
                let full = table.full(&check.name);
                let expected = format!("CHECK constraint failed: {}", check.told);
                for attack in table.attacks_of_check(check) {
                    self.is_refused(&full, &attack, &expected).await;
                }
                found.insert(full);
            }
            for column in &table.needed {
                let full = table.full(column);
                let expected = format!("NOT NULL constraint failed: {full}");
                self.is_refused(&full, &table.attack_of_need(column), &expected).await;
            }
            for unique in &table.uniques {
                let name = table.full(unique.name.as_deref().unwrap_or("key"));
                let by_hand = ONE_OF.iter().find(|(rule, _)| *rule == name);
                let by_hand =
                    by_hand.map(|(_, attack)| format!("BEGIN; {}{}", table.bare(), self.writer.written(attack)));
                let attack = by_hand.unwrap_or_else(|| table.attack_of_unique(unique));
                self.is_refused(&name, &attack, &table.told_of(unique)).await;
            }
            for column in &table.references {
                let attack = table.attack_of_reference(column);
                self.is_refused(&table.full(column), &attack, "FOREIGN KEY constraint failed").await;
            }
        }
        for (rule, _) in CHECKS_HERE.iter().chain(CHECKS) {
            let elsewhere = *rule == "api_keys.agents_key_lasts";
            assert!(found.contains(*rule) || elsewhere, "{rule} is gone");
        }
    }

    /// Attacks each trigger.
    async fn each_trigger_refuses(&self) {
        let mut by = BTreeSet::new();
        for (attack, expected) in ATTACKS {
            by.extend(self.refused_by(None, attack, expected).await);
        }
        for (rule, attack, expected) in OTHERS {
            by.extend(self.refused_by(Some(rule), attack, expected).await);
        }
        for Tried { table, on_file, attack, said, .. } in both::all() {
            by.extend(self.refused_by(Some(&format!("{table}.{on_file}")), &attack, said).await);
        }
        let all: BTreeSet<String> = self.triggers().map(|(table, trigger)| table.full(&trigger.name)).collect();
        assert_eq!(by, all, "each trigger is attacked, and is there");
        for (table, trigger) in self.triggers() {
            if let Some(said) = trigger.keeps_rows() {
                self.is_refused(&table.full(&trigger.name), &table.attack_by_replacement(trigger), said).await;
            }
        }
        for attack in AT_THE_END {
            let attack = format!("BEGIN; {}", self.writer.written(attack));
            assert_eq!(self.told(&attack).await, None, "{attack}");
            self.is_refused("video_task.receipt_id", &format!("{attack}; COMMIT"), "FOREIGN KEY constraint failed")
                .await;
        }
    }
}

#[tokio::test]
async fn every_rule_of_the_file_refuses_its_attack_and_nothing_changes() {
    let field = Field::open().await;
    field.each_table_refuses().await;
    field.each_trigger_refuses().await;

    // As a careless hand would send them: whatever goes before what is refused is there to stay, but that nothing does.
    let Attacked { house, account, other, held: _ } = &field.attacked;
    for (attack, _) in ATTACKS {
        let attack = field.writer.written(attack);
        assert!(field.told(&attack).await.is_some(), "succeeded: {attack}");
    }
    assert_eq!(house.money(*account).await, (usd("1"), Usd::from_nanos(400_000_001)));
    assert_eq!(house.money(*other).await, (usd("5"), Usd::from_nanos(1)));
    house.assert_clean().await;
    let Field { attacked: Attacked { house, held, .. }, .. } = field;
    assert_eq!(house.credit.settle(held, settlement("0.4")).await.unwrap().charged, usd("0.4"));
}
