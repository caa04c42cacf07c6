//! Ledgers in files that begin as copies of one on which nothing has happened yet, where `tests/run` has made it for all cases of
//! a run: to make the schema takes longer than many a case does.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Names the file that others are copies of.
pub const LEDGER_OF_THE_RUN: &str = "TOLLGATE_TEST_LEDGER";

/// Puts a copy at `path`, in a folder that is made where it is not there. Without a run there is none, and whoever opens the
/// ledger makes it.
///
/// # Panics
/// If the copy cannot be made.
pub fn place(path: &Path) {
    if let Some(template) = std::env::var_os(LEDGER_OF_THE_RUN) {
        let folder = path.parent().expect("a file lies in a folder");
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.expect("the folder of the ledger, as a server makes it");
        std::fs::copy(template, path).expect("a copy of the ledger of the run");
    }
}
