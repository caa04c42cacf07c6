//! The rows that a seal covers, and their hash.
//!
//! A busy ledger writes ten thousand such rows a second, and each is read once more here. On a file that is done over a
//! connection of its own, on a thread that may block: the driver that passes rows to a task copies each value on the way.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

use crate::ledger_seal::SealHash;
use tollgate_store::{DatabaseRow, ReadPool, Store, StoreError, WriterPlace, query};

const TRANSFERS: &str = "SELECT id, debit, credit, amount, order_id, created_at, kind, idem, actor, note FROM transfers \
    WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3";
/// Receipts with the columns that are sealed: the terms of each, and its charge.
const RECEIPTS: &str = "SELECT id, hold_id, account_id, key_id, held, price_id, ratio_ppm, created_at, cost, shortfall, prompt, cached, \
        cache_write, cache_write_long, completion, reasoning, audio_prompt, image_prompt, audio_completion, image_completion, \
        fallback_price_id, tier_price_id, class_price_id, resolved_at, \
        request_id, model, state, rule, upstream, upstream_model, fallback, class, tools \
    FROM receipts WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3";
const AUDIT: &str =
    "SELECT id, at, actor, action, subject, detail FROM audit_log WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3";

/// Rows that were hashed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct HashedRows {
    pub(crate) rows: i64,
    /// The number of the last.
    pub(crate) last: i64,
}

/// The rows of one table that a seal covers, in the order of their numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SealedRows {
    Transfers,
    Receipts,
    Audit,
}

impl SealedRows {
    /// The statement for the rows, the letter that begins each, and its counts of numbers and texts.
    const fn shape(self) -> (&'static str, u8, usize, usize) {
        match self {
            Self::Transfers => (TRANSFERS, b't', 6, 4),
            Self::Receipts => (RECEIPTS, b'r', 24, 9),
            Self::Audit => (AUDIT, b'a', 2, 4),
        }
    }
}

/// The way to rows that are sealed.
#[derive(Debug, Clone)]
pub(crate) enum SealedRowReader {
    /// In a file.
    File(Arc<Mutex<Connection>>),
    /// On a server.
    Server(ReadPool),
}

impl SealedRowReader {
    /// Opens a way, for as long as one seal or one chain takes.
    pub(crate) fn open(store: &Store) -> Result<Self, StoreError> {
        match store.writer() {
            WriterPlace::File(file, _) => {
                let connection = file.connect()?;
                connection.pragma_update(None, "query_only", "ON").map_err(reading_file)?;
                Ok(Self::File(Arc::new(Mutex::new(connection))))
            }
            WriterPlace::Server(_) => Ok(Self::Server(store.readers().clone())),
        }
    }

    /// Hashes rows behind `after` and up to `upto`, so many at the most.
    pub(crate) async fn hash(
        &self,
        of: SealedRows,
        (after, upto): (i64, i64),
        most: i64,
    ) -> Result<(HashedRows, SealHash), StoreError> {
        match self {
            Self::File(connection) => {
                let connection = connection.clone();
                let hashing = tokio::task::spawn_blocking(move || {
                    // A panic leaves no statement open.
                    let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                    hash_in_file(&connection, of, [after, upto, most]).map_err(reading_file)
                });
                hashing.await.expect("it does not panic")
            }
            Self::Server(readers) => {
                let text = of.shape().0;
                let rows = query(text).bind(after).bind(upto).bind(most).fetch_all(readers).await;
                hash_of_server(of, &rows.map_err(reading)?).map_err(reading)
            }
        }
    }
}

/// A hash of rows: each row by its kind, and each value by its length, so that no two rows are one text.
struct RowHash {
    hash: Sha256,
    kind: u8,
    hashed: HashedRows,
    /// The row under way. A hash takes one large piece in less time than many small ones.
    row: Vec<u8>,
}

impl RowHash {
    fn of(rows: SealedRows) -> Self {
        Self { hash: Sha256::new(), kind: rows.shape().1, hashed: HashedRows::default(), row: Vec::new() }
    }

    fn begin(&mut self) {
        self.row.clear();
        self.row.push(self.kind);
    }

    fn number(&mut self, number: Option<i64>) {
        match number {
            Some(number) => {
                self.row.push(b'n');
                self.row.extend_from_slice(&number.to_le_bytes());
            }
            None => self.row.push(b'-'),
        }
    }

    fn text(&mut self, text: Option<&[u8]>) {
        match text {
            Some(text) => {
                self.row.push(b's');
                self.row.extend_from_slice(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
                self.row.extend_from_slice(text);
            }
            None => self.row.push(b'-'),
        }
    }

    fn end(&mut self, number: i64) {
        self.hash.update(&self.row);
        self.hashed = HashedRows { rows: self.hashed.rows + 1, last: number };
    }

    fn finish(self) -> (HashedRows, SealHash) {
        (self.hashed, self.hash.finalize().into())
    }
}

fn hash_in_file(
    connection: &Connection,
    of: SealedRows,
    bounds: [i64; 3],
) -> Result<(HashedRows, SealHash), rusqlite::Error> {
    let (text, _, numbers, texts) = of.shape();
    let mut statement = connection.prepare_cached(text)?;
    let mut rows = statement.query(bounds)?;
    let mut hash = RowHash::of(of);
    while let Some(row) = rows.next()? {
        hash.begin();
        for index in 0..numbers {
            hash.number(row.get(index)?);
        }
        for index in numbers..numbers + texts {
            match row.get_ref(index)? {
                ValueRef::Null => hash.text(None),
                value => hash.text(Some(value.as_bytes()?)),
            }
        }
        hash.end(row.get(0)?);
    }
    Ok(hash.finish())
}

fn hash_of_server(of: SealedRows, rows: &[DatabaseRow]) -> Result<(HashedRows, SealHash), sqlx::Error> {
    let (_, _, numbers, texts) = of.shape();
    let mut hash = RowHash::of(of);
    for row in rows {
        hash.begin();
        for index in 0..numbers {
            hash.number(row.try_get(index)?);
        }
        for index in numbers..numbers + texts {
            hash.text(row.try_get::<Option<&str>>(index)?.map(str::as_bytes));
        }
        hash.end(row.try_get(0)?);
    }
    Ok(hash.finish())
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "sealed rows", source: source.into() }
}

fn reading_file(source: rusqlite::Error) -> StoreError {
    StoreError::Read { what: "sealed rows", source: source.into() }
}
