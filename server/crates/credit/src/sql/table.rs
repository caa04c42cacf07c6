//! Insertion of many rows.

use rusqlite::{Connection, Error, Result, Statement, ToSql};

use super::terms::{hold_terms, receipt_terms};

/// The target of rows: a table, and those of its columns that are written.
#[derive(Clone, Copy)]
pub(super) enum InsertTarget {
    /// Each column with a value.
    Plain {
        /// The start of the statement, up to the table.
        into: &'static str,
        /// Their names, parted by commas.
        columns: &'static str,
    },
    /// Receipts: the number of a hold, and what is not among its terms.
    Receipts {
        /// Their names, without that of the hold.
        columns: &'static str,
    },
}

/// The numbers of rows in one statement, as long as there are as many. For each statement the database keeps a copy of every
/// page that it touches, in case that it fails half-way: ten times the rows are a tenth of the copies.
const ROWS: [usize; 3] = [32, 8, 1];

/// The statements that insert rows into a target: for each number of rows in one, from the most on, its text.
pub(super) struct InsertStatements {
    texts: [(usize, String); ROWS.len()],
    /// True if each row resolves a hold, which has to be there.
    resolves: bool,
}

/// A row that is being filled, column by column.
pub(super) struct RowValues<'s, 'c> {
    statement: &'s mut Statement<'c>,
    column: usize,
}

impl InsertStatements {
    /// Inserts `rows` in their order; each is filled by `fill`.
    ///
    /// # Errors
    /// When the database refuses one, or one has no hold that is open.
    pub(super) fn insert<R>(
        &self,
        connection: &Connection,
        mut rows: &[R],
        fill: impl Fn(&mut RowValues<'_, '_>, &R) -> Result<()>,
    ) -> Result<()> {
        for (count, text) in &self.texts {
            if rows.len() < *count {
                continue;
            }
            let mut statement = connection.prepare_cached(text)?;
            while let Some((some, rest)) = rows.split_at_checked(*count) {
                let mut values = RowValues { statement: &mut statement, column: 0 };
                some.iter().try_for_each(|row| fill(&mut values, row))?;
                let inserted = statement.raw_execute()?;
                if inserted != *count && self.resolves {
                    return Err(Error::StatementChangedRows(inserted));
                }
                rows = rest;
            }
        }
        Ok(())
    }
}

impl InsertTarget {
    /// The statements that insert into it.
    pub(super) fn statements(self) -> InsertStatements {
        let texts = ROWS.map(|rows| (rows, self.statement(rows)));
        InsertStatements { texts, resolves: matches!(self, Self::Receipts { .. }) }
    }

    fn statement(self, rows: usize) -> String {
        let values = |columns: usize| vec![format!("({})", vec!["?"; columns].join(",")); rows].join(",");
        match self {
            Self::Plain { into, columns } => {
                format!("{into} ({columns}) VALUES {}", values(columns.split(',').count()))
            }
            Self::Receipts { columns } => {
                let count = columns.split(',').count() + 1;
                let told: Vec<String> = (2..=count).map(|column| format!("r.column{column}")).collect();
                // Whose order counts is on the left.
                format!(
                    concat!(
                        "INSERT INTO receipts (",
                        receipt_terms!(),
                        ", {}) SELECT ",
                        hold_terms!(),
                        ", {} FROM (VALUES {}) r CROSS JOIN holds h ON h.id = r.column1"
                    ),
                    columns,
                    told.join(","),
                    values(count)
                )
            }
        }
    }
}

impl RowValues<'_, '_> {
    /// Fills the next column.
    pub(super) fn put(&mut self, value: impl ToSql) -> Result<()> {
        self.column += 1;
        self.statement.raw_bind_parameter(self.column, value)
    }
}
