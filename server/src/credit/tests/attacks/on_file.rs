//! The same on a file, rule by rule: what its catalog says that its rules are is what is attacked.
//!
//! An attack is refused by a rule when without that rule it is not refused so. Of a CHECK and a unique index the database says
//! which it was; they are attacked without the triggers of their table.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::both::{self, CHECKS, SETUP};
use super::*;

/// How a row breaks a CHECK that has another name or another place on a server.
const CHECKS_HERE: &[(&str, &str)] = &[
    ("api_keys.api_keys_check", "expires_at = 9"),
    ("holds.holds_check", "limits_id = id + 1"),
    ("ledger_accounts.one_number", "account_id = id + 1 WHERE kind = 'user'"),
    ("receipts.receipts_check2", "cache_write_long = prompt + 1"),
    ("receipts.receipts_check3", "image_prompt = prompt + 1"),
    ("receipts.receipts_check4", "image_completion = completion + 1"),
    // Nor what is written of parts of it, which would be refused before.
    (
        "receipts.settled_has_usage",
        "state = 'settled', prompt = NULL, cache_write = 0, cache_write_long = 0, audio_prompt = 0, image_prompt = 0",
    ),
    (
        "receipts.usage_is_whole",
        "prompt = 1, cached = NULL, cache_write = 0, cache_write_long = 0, audio_prompt = 0, image_prompt = 0",
    ),
    ("transfers.usage_is_revenue", "credit = 2 WHERE kind = 'usage'"),
];

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
    ("hold_limits.hold_limits_no_delete", "DELETE FROM hold_limits", "append-only"),
    (
        "holds.holds_give_back",
        "DROP TRIGGER holds_reserve; COPY {\"amount\": 500000000}; RELEASE 99",
        "held_not_negative",
    ),
    (
        "holds.holds_give_back_limits",
        "DROP TRIGGER hold_limits_count; COPY {\"key_id\": 9, \"limits_id\": 99, \"amount\": 5}; INSERT INTO hold_limits VALUES (99, 9, 0, NULL, NULL, 0, 0); RELEASE 99",
        "window_held_not_negative",
    ),
    ("ledger_accounts.ledger_accounts_no_delete", "DELETE FROM ledger_accounts WHERE id = 4999999999", "append-only"),
    (
        "payments.payments_resolve",
        "MOVE adjust, 3, B, 1, 'payment:1', NULL, NULL; UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1; UPDATE payments SET resolution = 'credit', resolved_amount = 1, resolved_at = 1",
        "transfers.idem",
    ),
    (
        "reversals.reversals_owe",
        "MOVE adjust, 3, 2, 1, 'debt:2', NULL, NULL; INSERT INTO reversals (id, kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) VALUES (2, 'take', B, 2, 1, 0, 1, 'x2', 'x', '', 1)",
        "transfers.idem",
    ),
    (
        "nodes.nodes_released",
        "UPDATE nodes SET state = 'gone'; UPDATE nodes SET released_at = 1",
        "when nothing of it is held",
    ),
    ("notices.notices_fixed", "UPDATE notices SET body = decode('01', 'hex')", "notices are kept as they came"),
    ("receipts.receipts_usage", "TRAP INSERT ON usage_days; RELEASE 1", "trapped"),
    (
        "stored_responses.stored_responses_added",
        "TRAP INSERT ON stored_bytes; AGAIN stored_responses {\"id\": \"r2\"}",
        "trapped",
    ),
    ("stored_responses.stored_responses_items", "TRAP DELETE ON stored_items; DELETE FROM stored_responses", "trapped"),
    ("stored_responses.stored_responses_keep_owner", "UPDATE stored_responses SET account_id = B", "keep their owner"),
    (
        "stored_responses.stored_responses_replaced",
        "TRAP UPDATE ON stored_bytes; UPDATE stored_responses SET bytes = 11",
        "trapped",
    ),
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
    (
        "video_task.video_task_is_held",
        "AGAIN video_task {\"task_id\": \"video_1123456789abcdef\", \"hold_id\": 1}",
        "a video is held for",
    ),
    ("server_keys.server_keys_stay", "DELETE FROM server_keys", "server keys stay"),
];

/// Unique indexes of rows that there are none of, and what is tried.
const ONE_OF: &[(&str, &str)] = &[
    (
        "payments.payments_one_paid",
        "INSERT INTO payments VALUES (2, 'x', 'x', 1, 'claimed', 0, 'x', '1', NULL, NULL, 1, NULL, NULL, NULL, NULL); UPDATE payments SET state = 'paid', decided_at = 1",
    ),
    ("transfers.transfers_one_per_order", "MOVE topup, 5, A, 1, 'x', NULL, 1; MOVE topup, 5, A, 1, 'y', NULL, 1"),
];

/// A table, as the catalog has it.
struct Table {
    name: String,
    /// With their kinds.
    columns: Vec<(String, String)>,
    primary: Vec<String>,
    checks: Vec<Check>,
    uniques: Vec<Unique>,
    references: Vec<String>,
    triggers: Vec<Trigger>,
}

struct Trigger {
    name: String,
    text: String,
}

struct Check {
    /// As PostgreSQL would name it, where it has no name.
    name: String,
    /// What is said of it where it is broken.
    told: String,
    rule: String,
}

struct Unique {
    /// Of one that is no part of the table.
    name: Option<String>,
    columns: Vec<String>,
    /// Of which rows.
    of: Option<String>,
}

impl Table {
    async fn read(store: &Store, name: String) -> Self {
        let asked = async |sql: &str| raw::texts(store, &sql.replace("TABLE", &name)).await;
        let pair = |line: String| line.split_once('|').map(|(one, two)| (one.to_owned(), two.to_owned())).unwrap();
        let columns = asked("SELECT name || '|' || type FROM pragma_table_info('TABLE') ORDER BY cid").await;
        let columns: Vec<(String, String)> = columns.into_iter().map(pair).collect();
        let primary = asked("SELECT name FROM pragma_table_info('TABLE') WHERE pk > 0 ORDER BY pk").await;
        let triggers =
            asked("SELECT name || '|' || sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'TABLE'").await;
        let triggers = triggers.into_iter().map(pair).map(|(name, text)| Trigger { name, text }).collect();
        let text = asked("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'TABLE'").await.remove(0);
        assert!(text.contains("STRICT"), "{name} takes any value in any column");
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        let checks = checks(&name, &names, &text);
        let references = asked("SELECT \"from\" FROM pragma_foreign_key_list('TABLE')").await;
        let mut uniques = Vec::new();
        for index in asked("SELECT name FROM pragma_index_list('TABLE') WHERE \"unique\" = 1").await {
            let columns =
                raw::texts(store, &format!("SELECT name FROM pragma_index_info('{index}') ORDER BY seqno")).await;
            let made = format!("SELECT sql FROM sqlite_schema WHERE name = '{index}' AND sql IS NOT NULL");
            let made = raw::texts(store, &made).await.pop();
            let of = made.as_ref().and_then(|sql| sql.split_once(" WHERE ")).map(|(_, rows)| rows.to_owned());
            uniques.push(Unique { name: made.map(|_| index), columns, of });
        }
        let is_primary = |unique: &Unique| unique.name.is_none() && unique.columns == primary;
        if !primary.is_empty() && !uniques.iter().any(is_primary) {
            uniques.push(Unique { name: None, columns: primary.clone(), of: None });
        }
        Self { name, columns, primary, checks, uniques, references, triggers }
    }

    fn full(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }

    /// Takes the triggers of the table away.
    fn bare(&self) -> String {
        self.triggers.iter().map(|trigger| format!("DROP TRIGGER {}; ", trigger.name)).collect()
    }

    fn attack_of_check(&self, check: &Check) -> String {
        let Self { name, .. } = self;
        let set = match check.rule.strip_suffix(" >= 0") {
            Some(column) if self.columns.iter().any(|(name, _)| name == column) => format!("{column} = -1"),
            _ => {
                let full = self.full(&check.name);
                let by_hand = CHECKS_HERE.iter().chain(CHECKS).find(|(rule, _)| *rule == full);
                by_hand.unwrap_or_else(|| panic!("nobody attacks {full}: {}", check.rule)).1.to_owned()
            }
        };
        let blobs = self.columns.iter().filter(|(_, kind)| kind == "BLOB");
        let set =
            blobs.fold(set, |set, (column, _)| set.replace(&format!("{column} = 'x'"), &format!("{column} = x'78'")));
        format!("BEGIN; {}UPDATE {name} SET {set}", self.bare())
    }

    /// A row again, and other values in what else is to be unique.
    fn attack_of_unique(&self, unique: &Unique) -> String {
        let others = || self.uniques.iter().filter(|other| !std::ptr::eq(*other, unique));
        let drops = others().filter_map(|other| other.name.as_ref()).map(|index| format!("DROP INDEX {index}; "));
        let other = |column: &str| {
            !unique.columns.iter().any(|own| own == column)
                && others().any(|other| other.name.is_none() && other.columns.iter().any(|name| name == column))
        };
        let values = self.columns.iter().map(|(column, kind)| match (other(column), kind.as_str()) {
            (false, _) => column.clone(),
            (true, "INTEGER") => format!("{column} + 1000003"),
            (true, "BLOB") => "randomblob(32)".to_owned(),
            (true, _) => format!("{column} || 'x'"),
        });
        let (values, drops) = (values.collect::<Vec<_>>().join(", "), drops.collect::<String>());
        let rows = unique.of.as_ref().map(|rows| format!(" WHERE {rows}")).unwrap_or_default();
        let Self { name, .. } = self;
        let bare = self.bare();
        format!(
            "PRAGMA ignore_check_constraints = 1; BEGIN; {bare}{drops}INSERT INTO {name} SELECT {values} FROM {name}{rows} LIMIT 1"
        )
    }

    /// What is said where one is broken.
    fn told_of(&self, unique: &Unique) -> String {
        let columns = unique.columns.iter().map(|column| self.full(column)).collect::<Vec<_>>();
        format!("UNIQUE constraint failed: {}", columns.join(", "))
    }

    fn attack_of_reference(&self, column: &str) -> String {
        let (bare, name, primary) = (self.bare(), &self.name, self.primary.join(", "));
        format!(
            "PRAGMA ignore_check_constraints = 1; BEGIN; {bare}\
                UPDATE {name} SET {column} = 77 WHERE ({primary}) IN (SELECT {primary} FROM {name} LIMIT 1); COMMIT"
        )
    }
}

/// The CHECKs in the text of a table, named as PostgreSQL would.
fn checks(table: &str, columns: &[&str], text: &str) -> Vec<Check> {
    let lines = text.lines().map(|line| line.split("--").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let (mut found, mut taken) = (Vec::new(), BTreeSet::new());
    for (at, word) in text.match_indices("CHECK (") {
        let rule = within(&text[at + word.len()..]).trim().to_owned();
        let mut before = text[..at].split_whitespace().rev();
        let (last, constraint) = (before.next(), before.next());
        let own = last.filter(|_| constraint == Some("CONSTRAINT")).map(str::to_owned);
        let told = own.clone().unwrap_or_else(|| rule.clone());
        let name = own.unwrap_or_else(|| {
            let outside = rule.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
            let words: BTreeSet<&str> = outside.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            let named: Vec<&&str> = columns.iter().filter(|column| words.contains(**column)).collect();
            let base = match named[..] {
                [column] => format!("{table}_{column}_check"),
                _ => format!("{table}_check"),
            };
            let numbered = (1..).map(|number| format!("{base}{number}"));
            std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap()
        });
        taken.insert(name.clone());
        found.push(Check { name, told, rule });
    }
    found
}

/// What stands before the bracket that closes.
fn within(text: &str) -> &str {
    let (mut open, mut quoted) = (1, false);
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            '(' if !quoted => open += 1,
            ')' if !quoted => open -= 1,
            _ => {}
        }
        if open == 0 {
            return &text[..at];
        }
    }
    panic!("a bracket that nobody closes: {text}")
}

/// Puts accounts in, and writes out as on a server; and what is trapped.
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
        let named = |sql: String, letter: &str, account: AccountId| {
            ["= {}", " {},", "({},", ": {},"].iter().fold(sql, |sql, place| {
                sql.replace(&place.replace("{}", letter), &place.replace("{}", &account.to_string()))
            })
        };
        let sql = named(named(sql, "A", self.account), "B", self.other);
        let statements: Vec<String> = sql.split(';').map(|statement| self.statement(statement.trim())).collect();
        ["00", "01", "11", "22", "33"].into_iter().fold(statements.join("; "), |sql, byte| {
            sql.replace(&format!("decode(repeat('{byte}', 32), 'hex')"), &format!("x'{}'", byte.repeat(32)))
                .replace(&format!("decode('{byte}', 'hex')"), &format!("x'{byte}'"))
        })
    }

    fn statement(&self, sql: &str) -> String {
        match sql.split_once(' ') {
            Some(("COPY", changes)) => {
                let mut row: Map<String, Json> =
                    serde_json::from_str("{\"id\": 99, \"request_id\": \"r99\", \"amount\": 1}").unwrap();
                row.extend(serde_json::from_str::<Map<String, Json>>(changes).unwrap());
                format!("{} WHERE id = 1", self.again("holds", &row))
            }
            Some(("AGAIN", row)) => {
                let (table, changes) = row.split_once(' ').unwrap();
                self.again(table, &serde_json::from_str(changes).unwrap())
            }
            Some(("RELEASE", hold)) => format!(
                "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES ({hold}, 'released', 0, 0, 'x', 1)"
            ),
            Some(("MOVE", columns)) => {
                let (kind, rest) = columns.split_once(',').unwrap();
                format!(
                    "INSERT INTO transfers (kind, debit, credit, amount, idem, hold_id, order_id, actor, created_at) VALUES ('{kind}', {rest}, 'x', 1)"
                )
            }
            Some(("TRAP", what)) => {
                format!("CREATE TRIGGER trap BEFORE {what} BEGIN SELECT RAISE(ABORT, 'trapped'); END")
            }
            _ => sql.to_owned(),
        }
    }

    /// A row of a table with changes.
    fn again(&self, table: &str, changes: &Map<String, Json>) -> String {
        let value = |column: &String| match changes.get(column) {
            None => column.clone(),
            Some(Json::String(text)) => format!("'{text}'"),
            Some(other) => other.to_string(),
        };
        let values: Vec<String> = self.columns[table].iter().map(value).collect();
        format!("INSERT INTO {table} SELECT {} FROM {table}", values.join(", "))
    }
}

/// What the database itself says in an error.
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

    /// What is said to `script`, or nothing where it is carried out.
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
}

#[tokio::test]
async fn every_rule_of_the_file_refuses_its_attack_and_nothing_changes() {
    let field = Field::open().await;
    let mut found = BTreeSet::new();
    for table in &field.tables {
        for check in &table.checks {
            let full = table.full(&check.name);
            let expected = format!("CHECK constraint failed: {}", check.told);
            field.is_refused(&full, &table.attack_of_check(check), &expected).await;
            found.insert(full);
        }
        for unique in &table.uniques {
            let name = table.full(unique.name.as_deref().unwrap_or("key"));
            let by_hand = ONE_OF.iter().find(|(rule, _)| *rule == name).map(|(_, attack)| field.writer.written(attack));
            let by_hand = by_hand.map(|attack| format!("BEGIN; {}{attack}", table.bare()));
            let attack = by_hand.unwrap_or_else(|| table.attack_of_unique(unique));
            field.is_refused(&name, &attack, &table.told_of(unique)).await;
        }
        for column in &table.references {
            field
                .is_refused(&table.full(column), &table.attack_of_reference(column), "FOREIGN KEY constraint failed")
                .await;
        }
    }
    for (rule, _) in CHECKS_HERE {
        assert!(found.contains(*rule), "{rule} is gone");
    }
    let mut by = BTreeSet::new();
    for (attack, expected) in ATTACKS {
        by.extend(field.refused_by(None, attack, expected).await);
    }
    for (rule, attack, expected) in OTHERS {
        by.extend(field.refused_by(Some(rule), attack, expected).await);
    }
    for (table, rule, _, attack, expected) in both::OTHERS {
        by.extend(field.refused_by(Some(&format!("{table}.{rule}")), attack, expected).await);
    }
    let all: BTreeSet<String> = field.triggers().map(|(table, trigger)| table.full(&trigger.name)).collect();
    assert_eq!(by, all, "each trigger is attacked, and is there");

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
