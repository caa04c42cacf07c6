//! The mode of a ledger: written into it once, so that no configuration of the other mode is served from it.
//!
//! In mode "sandbox" payments on test networks and of a provider's sandbox are credited as any other. A ledger that may have such
//! credit is none of production, whatever file or schema it lies in, and no later configuration changes that.

use super::query::{DatabaseRow, ReadPool, SqlText, StatementTarget, StoreTransaction, query};
use super::{LedgerMode, StoreConfig, StoreError};

const HAS_MODE: SqlText = SqlText::of(
    "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'ledger_mode')",
    "SELECT to_regclass('ledger_mode') IS NOT NULL",
);
const MODE: &str = "SELECT mode FROM ledger_mode";
const WRITE: &str = "INSERT INTO ledger_mode (one, mode, written_at) VALUES (1, $1, $2) ON CONFLICT (one) DO NOTHING";
const WHAT: &str = "the mode of the ledger";

/// The mode that a ledger is opened in, and the place of the ledger.
#[derive(Debug, Clone)]
pub(super) struct ModeClaim {
    mode: LedgerMode,
    place: String,
}

impl ModeClaim {
    pub(super) fn new(mode: LedgerMode, config: &StoreConfig) -> Self {
        Self { mode, place: config.to_string() }
    }

    /// Refuses a ledger that is of the other mode. One of an earlier version, or of nobody yet, is of either.
    pub(super) async fn check(&self, target: StatementTarget<'_>) -> Result<(), StoreError> {
        self.is_written(target).await.map(drop)
    }

    /// True if the mode is written there; refused where the other one is. One read tells both: another server may write
    /// meanwhile.
    pub(super) async fn is_written(&self, mut target: StatementTarget<'_>) -> Result<bool, StoreError> {
        let row = query(HAS_MODE).fetch_one(target.again()).await;
        if !row.and_then(|row| row.try_get(0)).map_err(StoreError::read(WHAT))? {
            return Ok(false);
        }
        match read(target).await? {
            Some(found) if found != self.mode => {
                Err(StoreError::OtherMode { place: self.place.clone(), found, asked: self.mode })
            }
            found => Ok(found.is_some()),
        }
    }

    /// Writes the mode into a ledger that has none, in its caller's transaction. Of two that come together the first one has it.
    pub(super) async fn write(&self, transaction: &mut StoreTransaction, now_ms: i64) -> Result<(), StoreError> {
        let written = query(WRITE).bind(self.mode.as_str()).bind(now_ms).execute(&mut *transaction).await;
        written.map_err(StoreError::write(WHAT))?;
        self.check(transaction.into()).await
    }
}

/// The mode that is written into a ledger of this version; `None` where nobody has opened it with a configuration yet.
async fn read(target: StatementTarget<'_>) -> Result<Option<LedgerMode>, StoreError> {
    let row = query(MODE).fetch_optional(target).await.map_err(StoreError::read(WHAT))?;
    row.as_ref().map(parse).transpose()
}

fn parse(row: &DatabaseRow) -> Result<LedgerMode, StoreError> {
    let word: String = row.try_get(0).map_err(StoreError::read(WHAT))?;
    let mode = [LedgerMode::Sandbox, LedgerMode::Production].into_iter().find(|mode| mode.as_str() == word);
    mode.ok_or(StoreError::Unreadable { what: WHAT, found: word })
}

/// Refuses a ledger that is of the other mode, and writes nothing.
///
/// # Errors
/// [`StoreError::OtherMode`], or when it cannot be read.
pub async fn check_mode(readers: &ReadPool, mode: LedgerMode, config: &StoreConfig) -> Result<(), StoreError> {
    ModeClaim::new(mode, config).check(readers.into()).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::testing::{On, temporary_on};
    use tollgate_base::Clock;

    #[tokio::test]
    async fn a_ledger_is_of_the_mode_that_it_was_first_opened_in() {
        use LedgerMode::{Production, Sandbox};
        let (mode, other) = (Sandbox, Production);
        for on in [On::File, On::Server] {
            let (clock, _hand) = Clock::manual(1);
            let (_folder, config, store) = temporary_on(on, &clock).await;
            store.close().await;
            for _ in 0..2 {
                Store::open_to_serve(&config, mode, &clock).await.unwrap().close().await;
                let refused = Store::open_to_serve(&config, other, &clock).await.unwrap_err();
                assert!(
                    matches!(refused, StoreError::OtherMode { found, asked, .. } if (found, asked) == (mode, other))
                );
                let told = refused.to_string();
                for word in ["mode = \"sandbox\"", "mode = \"production\"", "data_dir", &config.to_string()] {
                    assert!(told.contains(word), "{told}");
                }
                let readers = Store::peek(&config).await.unwrap().expect("it is of this version");
                assert!(check_mode(&readers, mode, &config).await.is_ok());
                assert!(matches!(check_mode(&readers, other, &config).await, Err(StoreError::OtherMode { .. })));
            }
            // What is to be upgraded is left as it is by a server of the other mode.
            let store = Store::open(&config, &clock).await.unwrap();
            let mut transaction = store.begin().await.unwrap();
            let steps = "SELECT count(*) FROM schema_steps";
            query("DELETE FROM schema_steps WHERE name = 'machines'").execute(&mut transaction).await.unwrap();
            transaction.commit().await.unwrap();
            let count = async || query(steps).fetch_one(store.readers()).await.unwrap().try_get::<i64>(0).unwrap();
            let before = count().await;
            assert!(matches!(
                Store::open_to_serve(&config, Production, &clock).await,
                Err(StoreError::OtherMode { found: Sandbox, .. })
            ));
            assert_eq!(count().await, before);
            Store::open_to_serve(&config, Sandbox, &clock).await.unwrap();
            assert_eq!(count().await, before + 1);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_two_modes_that_come_together_one_has_the_ledger() {
        for on in [On::File, On::Server] {
            let (clock, _hand) = Clock::manual(1);
            let (_folder, config, store) = temporary_on(on, &clock).await;
            store.close().await;
            let open = async |number: usize| {
                let mode = [LedgerMode::Sandbox, LedgerMode::Production][number % 2];
                Store::open_to_serve(&config, mode, &clock).await.map(|_| mode)
            };
            let opened = futures_util::future::join_all((0..8).map(open)).await;
            let modes: Vec<_> = opened.iter().filter_map(|opened| opened.as_ref().ok()).collect();
            assert!(modes.len() == 4 && modes.iter().all(|mode| *mode == modes[0]), "{opened:?}");
            let others = opened.iter().filter(|opened| matches!(opened, Err(StoreError::OtherMode { .. })));
            assert_eq!(others.count(), 4, "{opened:?}");
        }
    }
}
