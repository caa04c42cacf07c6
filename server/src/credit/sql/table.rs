//! Insertion of many rows.

use rusqlite::{Connection, Result, Statement, ToSql};

/// A table, and those of its columns that are written.
pub(super) struct Table {
    pub(super) name: &'static str,
    /// Their names, parted by commas.
    pub(super) columns: &'static str,
}

/// So many rows go into one statement, as long as there are as many. For each statement the database keeps a copy of
/// every page that it touches, in case that it fails half-way: ten times the rows are a tenth of the copies.
const ROWS: [usize; 3] = [32, 8, 1];

/// A row that is being filled, column by column.
pub(super) struct Values<'s, 'c> {
    statement: &'s mut Statement<'c>,
    column: usize,
}

impl Table {
    /// Inserts `rows` in their order; each is filled by `fill`.
    pub(super) fn insert<R>(
        &self,
        connection: &Connection,
        mut rows: &[R],
        fill: impl Fn(&mut Values<'_, '_>, &R) -> Result<()>,
    ) -> Result<()> {
        for count in ROWS {
            if rows.len() < count {
                continue;
            }
            let mut statement = connection.prepare_cached(&self.statement(count))?;
            while let Some((some, rest)) = rows.split_at_checked(count) {
                let mut values = Values { statement: &mut statement, column: 0 };
                some.iter().try_for_each(|row| fill(&mut values, row))?;
                statement.raw_execute()?;
                rows = rest;
            }
        }
        Ok(())
    }

    fn statement(&self, rows: usize) -> String {
        let (name, columns) = (self.name, self.columns);
        let row = format!("({})", vec!["?"; columns.split(',').count()].join(","));
        format!("INSERT INTO {name} ({columns}) VALUES {}", vec![row; rows].join(","))
    }
}

impl Values<'_, '_> {
    /// Fills the next column.
    pub(super) fn put(&mut self, value: impl ToSql) -> Result<()> {
        self.column += 1;
        self.statement.raw_bind_parameter(self.column, value)
    }
}
