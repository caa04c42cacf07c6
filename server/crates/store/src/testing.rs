//! Stores for the tests of any room, with the feature `testing` alone.

use tempfile::TempDir;
use tollgate_base::Clock;

#[allow(dead_code, reason = "the tests from outside use more of it")]
#[path = "../../../../tests/src/postgres.rs"]
mod server;

#[path = "../../../../tests/src/ledger_file.rs"]
mod ledger_file;

use super::{Store, StoreConfig};

pub use super::archive::unpacked;
pub use super::steps::ENDS_AT;

/// A store in a folder of its own, for the tests of any room. The folder goes with the guard.
pub async fn temporary(clock: &Clock) -> (TempDir, StoreConfig, Store) {
    let folder = TempDir::new().expect("a store for tests");
    let path = folder.path().join("data/tollgate.db");
    ledger_file::place(&path);
    let config = StoreConfig::Sqlite { path };
    let store = Store::open(&config, clock).await.expect("a store for tests");
    (folder, config, store)
}

/// The database that a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// An SQLite file.
    File,
    /// A PostgreSQL server.
    Server,
}

/// Runs the same tests on a file and on a server.
#[macro_export]
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {
        $crate::on_both!(#[tokio::test] $($test),+);
    };
    (#[$kind:meta] $($test:ident),+ $(,)?) => {
        mod on_file {
            $(#[$kind]
            async fn $test() {
                super::$test($crate::testing::On::File).await;
            })+
        }

        mod on_server {
            $(#[$kind]
            async fn $test() {
                super::$test($crate::testing::On::Server).await;
            })+
        }
    };
}
pub use crate::on_both;

/// A store on whichever it is.
pub async fn temporary_on(on: On, clock: &Clock) -> (TempDir, StoreConfig, Store) {
    match on {
        On::File => temporary(clock).await,
        On::Server => temporary_on_server(clock).await,
    }
}

/// A store in a database of its own on a PostgreSQL server that is made for the tests.
pub async fn temporary_on_server(clock: &Clock) -> (TempDir, StoreConfig, Store) {
    let folder = TempDir::new().expect("a store for tests");
    let url = tokio::task::spawn_blocking(|| server::Postgres::shared().database()).await.expect("a store for tests");
    let address = Box::new(url.parse().expect("a store for tests"));
    let config = StoreConfig::Postgres { address, schema: "tollgate", folder: folder.path().join("data") };
    let store = Store::open(&config, clock).await.expect("a store for tests");
    (folder, config, store)
}
