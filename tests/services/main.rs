//! The programs that all cases of a run share, started by `tests/run`. Prints a variable for each, `NAME=value`, then an empty
//! line, and ends when its input does.

use std::io::{Read, stdin};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use tollgate_tests::postgres::{Postgres, SERVER_OF_THE_RUN};

/// Between two looks for databases whose tests have ended: each is some megabytes.
const SWEEP_EVERY: Duration = Duration::from_secs(3);

fn main() {
    let postgres = Postgres::hasty();
    println!("{SERVER_OF_THE_RUN}={}\n", postgres.folder().display());
    let (ends, end) = channel::<()>();
    thread::spawn(move || {
        // Whatever happens to the input, this is its end.
        let _ = stdin().read_to_end(&mut Vec::new());
        drop(ends);
    });
    while end.recv_timeout(SWEEP_EVERY) == Err(RecvTimeoutError::Timeout) {
        postgres.drop_orphans();
    }
}
