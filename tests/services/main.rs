//! The programs that all cases of a run share, started by `tests/run`. Prints a variable for each, `NAME=value`, then an empty
//! line, and ends when its input does.

use std::io::{Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use tollgate_base::Clock;
use tollgate_store::{Store, StoreConfig};
use tollgate_tests::ledger_file::LEDGER_OF_THE_RUN;
use tollgate_tests::postgres::{Postgres, SERVER_OF_THE_RUN, TEMPLATE_OF_THE_RUN};

/// Between two looks for databases whose tests have ended: each is some megabytes.
const SWEEP_EVERY: Duration = Duration::from_secs(3);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let postgres = Postgres::hasty();
    let template = ledger_in(&postgres.empty_database()).await;
    println!("{SERVER_OF_THE_RUN}={}\n{TEMPLATE_OF_THE_RUN}={template}", postgres.folder().display());
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("{LEDGER_OF_THE_RUN}={}\n", ledger_file_in(folder.path()).await.display());
    let (ends, end) = channel::<()>();
    thread::spawn(move || {
        // Whatever happens to the input, this is its end.
        let _ = stdin().read_to_end(&mut Vec::new());
        drop(ends);
    });
    while end.recv_timeout(SWEEP_EVERY) == Err(RecvTimeoutError::Timeout) {
        if let Err(error) = postgres.drop_orphans() {
            eprintln!("databases of ended cases were not dropped, and will be later: {error}");
        }
    }
}

/// Makes a file a ledger on which nothing has happened yet, and leaves it; its path.
async fn ledger_file_in(folder: &Path) -> PathBuf {
    let path = folder.join("tollgate.db");
    let config = StoreConfig::Sqlite { path: path.clone() };
    let store = Store::open(&config, &Clock::system()).await.expect("a folder takes a ledger");
    store.close().await;
    path
}

/// Makes a database a ledger on which nothing has happened yet, and leaves it; its name.
async fn ledger_in(url: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let address = Box::new(url.parse().expect("an address of ours"));
    let config = StoreConfig::Postgres { address, schema: "tollgate", folder: folder.path().join("data") };
    let store = Store::open(&config, &Clock::system()).await.expect("an empty database takes the schema");
    store.close().await;
    url.rsplit('/').next().expect("it ends with the name").to_owned()
}
