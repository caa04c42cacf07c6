//! The rules of a file as its catalog has them, and how each is attacked by itself.
//!
//! Of a CHECK and a unique index the database says which it was; they are attacked without the triggers of their table.

use std::collections::BTreeSet;

use super::checks::CHECKS;
use super::*;

/// Changes that break a CHECK that has another name or another place on a server.
pub(super) const CHECKS_HERE: &[(&str, &str)] = &[
    ("api_keys.api_keys_check", "expires_at = 9"),
    ("ledger_accounts.one_number", "account_id = id + 1 WHERE kind = 'user'"),
];

/// A table, as the catalog has it.
pub(super) struct Table {
    pub(super) name: String,
    /// With their kinds.
    pub(super) columns: Vec<(String, String)>,
    /// The columns that are never absent.
    pub(super) needed: Vec<String>,
    pub(super) primary: Vec<String>,
    pub(super) checks: Vec<Check>,
    pub(super) uniques: Vec<Unique>,
    pub(super) references: Vec<String>,
    pub(super) triggers: Vec<Trigger>,
}

pub(super) struct Trigger {
    pub(super) name: String,
    pub(super) text: String,
}

impl Trigger {
    /// The message for whoever deletes a row, where the trigger keeps rows.
    pub(super) fn keeps_rows(&self) -> Option<&str> {
        let says = self.text.split("RAISE(ABORT, '").nth(1).and_then(|said| said.split('\'').next());
        says.filter(|_| self.text.contains(" BEFORE DELETE ON "))
    }
}

pub(super) struct Check {
    /// The name that it has, or that PostgreSQL would give it.
    pub(super) name: String,
    /// The message where it is broken.
    pub(super) told: String,
    pub(super) rule: String,
}

pub(super) struct Unique {
    /// Of one that is no part of the table.
    pub(super) name: Option<String>,
    pub(super) columns: Vec<String>,
    /// Of which rows.
    pub(super) of: Option<String>,
}

impl Table {
    pub(super) async fn read(store: &Store, name: String) -> Self {
        let asked = async |sql: &str| raw::texts(store, &sql.replace("TABLE", &name)).await;
        let pair = |line: String| line.split_once('|').map(|(one, two)| (one.to_owned(), two.to_owned())).unwrap();
        let columns = asked("SELECT name || '|' || type FROM pragma_table_info('TABLE') ORDER BY cid").await;
        let columns: Vec<(String, String)> = columns.into_iter().map(pair).collect();
        let needed = asked("SELECT name FROM pragma_table_info('TABLE') WHERE \"notnull\" = 1").await;
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
        Self { name, columns, needed, primary, checks, uniques, references, triggers }
    }

    pub(super) fn full(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }

    /// Takes the triggers of the table away.
    pub(super) fn bare(&self) -> String {
        self.bare_but("")
    }

    fn bare_but(&self, kept: &str) -> String {
        let others = self.triggers.iter().filter(|trigger| trigger.name != kept);
        others.map(|trigger| format!("DROP TRIGGER {}; ", trigger.name)).collect()
    }

    pub(super) fn attacks_of_check(&self, check: &Check) -> Vec<String> {
        let full = self.full(&check.name);
        let of = |rules: &[(&str, &str)]| -> Vec<String> {
            rules.iter().filter(|(rule, _)| *rule == full).map(|(_, set)| (*set).to_owned()).collect()
        };
        let sets = match check.rule.strip_suffix(" >= 0") {
            Some(column) if self.columns.iter().any(|(name, _)| name == column) => vec![format!("{column} = -1")],
            _ => [of(CHECKS_HERE), of(CHECKS)].into_iter().find(|sets| !sets.is_empty()).unwrap_or_default(),
        };
        assert!(!sets.is_empty(), "nobody attacks {full}: {}", check.rule);
        let blobs = || self.columns.iter().filter(|(_, kind)| kind == "BLOB");
        let blob = |set: String, column: &String| set.replace(&format!("{column} = 'x'"), &format!("{column} = x'78'"));
        let attack = |set: String| {
            let set = blobs().fold(set, |set, (column, _)| blob(set, column));
            format!("BEGIN; {}UPDATE {} SET {set}", self.bare(), self.name)
        };
        sets.into_iter().map(attack).collect()
    }

    pub(super) fn attack_of_need(&self, column: &str) -> String {
        format!("BEGIN; {}UPDATE {} SET {column} = NULL", self.bare(), self.name)
    }

    /// Each row again in its own place: those that were there go, and no DELETE tells of it.
    pub(super) fn attack_by_replacement(&self, kept_by: &Trigger) -> String {
        let (bare, name) = (self.bare_but(&kept_by.name), &self.name);
        format!("BEGIN; {bare}INSERT OR REPLACE INTO {name} SELECT * FROM {name}")
    }

    /// A row again, and other values in what else is to be unique.
    pub(super) fn attack_of_unique(&self, unique: &Unique) -> String {
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

    /// The message where a unique rule is broken.
    pub(super) fn told_of(&self, unique: &Unique) -> String {
        let columns = unique.columns.iter().map(|column| self.full(column)).collect::<Vec<_>>();
        format!("UNIQUE constraint failed: {}", columns.join(", "))
    }

    pub(super) fn attack_of_reference(&self, column: &str) -> String {
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

/// The text before the bracket that closes.
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
