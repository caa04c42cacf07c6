//! The rules of a server as its catalog has them, and how each is attacked by itself.
//!
//! A constraint is attacked alone: in one transaction, that its refusal rolls back, the triggers of its table are turned off
//! and the other constraints dropped.

use super::checks::CHECKS;

/// The messages about constraints that do not name them.
const SAID: &[(&str, &str)] = &[
    // Of the month that the row is in.
    ("receipts.receipts_pkey", "constraint \"receipts_2027_01_pkey\""),
    ("receipts.receipts_tools_check", "invalid input syntax for type json"),
];

/// Each rule as `table|kind|name|columns|definition`: that a column is never absent is one of the kind `n`. What a month of
/// receipts has of its table is broken through that.
pub(super) const RULES: &str = "SELECT string_agg(line, chr(10) ORDER BY line) FROM (\
    SELECT concat_ws('|', conrelid::regclass, contype, conname, \
        (SELECT string_agg(attname, ', ') FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)), \
        pg_get_constraintdef(oid)) AS line \
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype IN ('c', 'u', 'p', 'f') \
        AND coninhcount = 0 AND conrelid <> 'schema_steps'::regclass \
    UNION ALL SELECT concat_ws('|', tgrelid::regclass, 't', tgname, \
        (SELECT attname FROM pg_attribute WHERE attrelid = tgrelid AND attnum = 1), pg_get_triggerdef(t.oid)) \
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid \
    WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace \
    UNION ALL SELECT concat_ws('|', indrelid::regclass, 'i', c.relname, '', '') FROM pg_index JOIN pg_class c ON c.oid = indexrelid \
    WHERE indisunique AND c.relnamespace = current_schema()::regnamespace \
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid) \
    UNION ALL SELECT concat_ws('|', attrelid::regclass, 'n', attname, attname, '') FROM pg_attribute JOIN pg_class c ON c.oid = attrelid \
    WHERE attnotnull AND attnum > 0 AND NOT attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
        AND c.relnamespace = current_schema()::regnamespace AND c.oid <> 'schema_steps'::regclass) rules";
pub(super) const MONTHS: &str =
    "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'receipts'::regclass";
/// The functions that keep rows of many tables as they are. Each has the ways to change a table that it is there against, and
/// its message.
const GUARDS: &[(&str, &str, &str)] = &[
    ("append_only()", "DELETE OR UPDATE OR TRUNCATE", "TABLE is append-only"),
    ("rows_stay()", "DELETE OR TRUNCATE", "TABLE stay"),
    (
        "receipts_through_table()",
        "INSERT OR DELETE OR UPDATE OR TRUNCATE",
        "receipts is append-only, and a month of it is written through it",
    ),
];

/// A rule of the catalog.
pub(super) struct Rule<'a> {
    pub(super) table: &'a str,
    pub(super) kind: &'a str,
    pub(super) name: &'a str,
    pub(super) columns: &'a str,
    pub(super) definition: &'a str,
}

impl<'a> Rule<'a> {
    pub(super) fn read(line: &'a str) -> Self {
        let fields: Vec<&str> = line.splitn(5, '|').collect();
        let [table, kind, name, columns, definition] = fields[..] else { panic!("{line}") };
        Self { table, kind, name, columns, definition }
    }

    pub(super) fn full_name(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }

    /// True if the text of a table has it, so that others of its kind can be taken away.
    pub(super) fn is_constraint(&self) -> bool {
        ["c", "u", "p", "f"].contains(&self.kind)
    }

    /// The changes of rows that break this rule, each by itself, where it is one of rows.
    fn attacks(&self) -> Vec<String> {
        let (table, columns) = (self.table, self.columns);
        match self.kind {
            "p" | "u" => vec![format!("INSERT INTO {table} SELECT * FROM {table} LIMIT 1")],
            // In one row: in several it might be a unique index that refuses.
            "f" => vec![format!("UPDATE {table} SET {columns} = 77 WHERE ctid IN (SELECT ctid FROM {table} LIMIT 1)")],
            "n" => vec![format!("UPDATE {table} SET {columns} = NULL")],
            "c" if self.definition == format!("CHECK (({columns} >= 0))") => {
                vec![format!("UPDATE {table} SET {columns} = -1")]
            }
            _ => {
                let by_hand = CHECKS.iter().filter(|(rule, _)| *rule == self.full_name());
                let attacks: Vec<String> = by_hand.map(|(_, set)| format!("UPDATE {table} SET {set}")).collect();
                assert!(!attacks.is_empty(), "nobody attacks {}: {}", self.full_name(), self.definition);
                attacks
            }
        }
    }

    /// The attacks with nothing else in their way.
    pub(super) fn attacks_alone(&self, rules: &[Self]) -> Vec<String> {
        // A reference to its own table stands on the key of it.
        let refers_to_itself = self.definition.contains(&format!("REFERENCES {}(", self.table));
        let others = rules.iter().filter(|rule| {
            rule.table == self.table
                && rule.is_constraint()
                && rule.name != self.name
                && !(refers_to_itself && rule.kind == "p")
        });
        let drops = others.map(|rule| format!("DROP CONSTRAINT {} CASCADE", rule.name));
        let changes: Vec<String> = std::iter::once("DISABLE TRIGGER USER".to_owned()).chain(drops).collect();
        let alone = format!("ALTER TABLE {} {}; SET CONSTRAINTS ALL IMMEDIATE", self.table, changes.join(", "));
        self.attacks().into_iter().map(|attack| format!("{alone}; {attack}")).collect()
    }

    /// The message of the database about those attacks.
    pub(super) fn said(&self) -> String {
        let by_hand = SAID.iter().find(|(rule, _)| *rule == self.full_name());
        match (by_hand, self.kind) {
            (Some((_, said)), _) => (*said).to_owned(),
            (None, "n") => format!("null value in column \"{}\"", self.name),
            (None, _) => format!("constraint \"{}\"", self.name),
        }
    }

    /// Each way to change its table and the message to all of them, where it is one of the [`GUARDS`].
    pub(super) fn guarded(&self) -> Option<(Vec<String>, String)> {
        let Self { table, columns: first, definition, .. } = self;
        let (_, ways, said) =
            GUARDS.iter().find(|(function, ..)| definition.ends_with(&format!("EXECUTE FUNCTION {function}")))?;
        assert!(definition.contains(&format!(" BEFORE {ways} ON ")), "{definition} leaves a way to change it");
        let attack = |way| match way {
            "INSERT" => format!("INSERT INTO {table} SELECT * FROM {table}"),
            "DELETE" => format!("DELETE FROM {table}"),
            "UPDATE" => format!("UPDATE {table} SET {first} = {first}"),
            _ => format!("TRUNCATE {table} CASCADE"),
        };
        Some((ways.split(" OR ").map(attack).collect(), said.replace("TABLE", table)))
    }
}
