//! Backups: copies of the ledger's file that have their names once they are audited, so many of them.

use std::io;
use std::path::{Path, PathBuf};

use tokio::task::spawn_blocking;

use super::job::JobOutcome;
use super::work::Failure;
use super::{JobInner, sql};
use tollgate_base::rfc3339;
use tollgate_credit::LedgerStore;
use tollgate_store::{Store, StoreConfig, back_up, move_backup, remove_backup};

impl JobInner {
    /// Copies the file and audits the copy, as a server would open it.
    pub(super) async fn back_up(&self) -> Result<JobOutcome, Failure> {
        let stamp: String = rfc3339(self.clock.now_ms()).chars().filter(char::is_ascii_alphanumeric).collect();
        let name = format!("tollgate-{stamp}.db");
        let (path, unfinished) = (self.places.backups.join(&name), self.unfinished());
        let (ledger, folder, copy) = (self.places.ledger.clone(), unfinished.clone(), unfinished.join(name));
        let part = copy.clone();
        spawn_blocking(move || {
            remove_folder(&folder)?;
            std::fs::create_dir_all(&folder)?;
            Ok::<_, Failure>(back_up(&ledger, &part)?)
        })
        .await??;
        let store = Store::open(&StoreConfig::Sqlite { path: copy.clone() }, &self.clock).await?;
        let report = LedgerStore::new(store.clone(), self.clock.clone()).audit().await;
        // The last one to close a file takes what SQLite keeps beside it into it.
        store.close().await;
        let report = report?;
        let file = path.display().to_string();
        spawn_blocking(move || move_backup(&copy, &path).and_then(|()| remove_folder(&unfinished))).await??;
        let mut told = format!("the audit of the copy:\n{report}");
        // A ledger that is not right has its last copies that are.
        if report.is_clean() {
            let removed = self.remove_oldest().await?;
            if removed > 0 {
                told.push_str(&format!("\nolder backups that were removed: {removed}"));
            }
        }
        Ok(JobOutcome { file: Some(file), ..JobOutcome::found(report.is_clean(), told) })
    }

    /// The folder of what is being copied by this server. A stop may leave something there, which the next backup removes.
    fn unfinished(&self) -> PathBuf {
        self.places.backups.join(format!(".unfinished-{}", self.node))
    }

    /// Removes the oldest copies that jobs have made in this folder, all but so many with the one that is whole now; answers how many
    /// they were.
    async fn remove_oldest(&self) -> Result<usize, Failure> {
        let files = sql::backups_behind(self.store.readers(), self.places.backups_kept.get() - 1).await?;
        let folder = self.places.backups.clone();
        let removed = spawn_blocking(move || {
            let here = files.iter().map(Path::new).filter(|file| file.parent() == Some(&*folder) && file.exists());
            let removed = here.map(|file| {
                // The backup is made all the same.
                remove_backup(file).inspect_err(|error| {
                    let file = file.display();
                    tracing::warn!(%file, error = error as &dyn std::error::Error, "an old backup could not be removed");
                })
            });
            removed.filter(Result::is_ok).count()
        });
        Ok(removed.await?)
    }
}

/// Removes a folder, where there is one.
fn remove_folder(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
