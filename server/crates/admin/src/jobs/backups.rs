//! Backups: copies of the ledger's file that have their names once they are audited, so many of them.

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::task::spawn_blocking;

use super::job::JobOutcome;
use super::work::Failure;
use super::{JobInner, sql};
use tollgate_base::{draw_id, rfc3339};
use tollgate_credit::LedgerStore;
use tollgate_store::{Store, StoreConfig, back_up, move_backup, remove_backup};

/// The beginning of the names of folders for copies that are not audited yet.
const UNFINISHED: &str = ".unfinished-";
/// After which nobody is at work on such a copy any more.
const LEFT_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

impl JobInner {
    /// Copies the file and audits the copy, as a server would open it.
    pub(super) async fn back_up(&self) -> Result<JobOutcome, Failure> {
        let stamp: String = rfc3339(self.clock.now_ms()).chars().filter(char::is_ascii_alphanumeric).collect();
        let name = format!("tollgate-{stamp}.db");
        // Of its own: a server of another ledger may copy into the same folder.
        let unfinished = self.places.backups.join(format!("{UNFINISHED}{}", draw_id(1)));
        let (path, backups) = (self.places.backups.join(&name), self.places.backups.clone());
        let (ledger, folder, copy) = (self.places.ledger.clone(), unfinished.clone(), unfinished.join(name));
        let part = copy.clone();
        spawn_blocking(move || {
            remove_left_behind(&backups)?;
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
            match self.remove_oldest().await {
                Ok(0) => {}
                Ok(removed) => told.push_str(&format!("\nolder backups that were removed: {removed}")),
                // The backup is made all the same.
                Err(error) => told.push_str(&format!("\nolder backups could not be looked for: {error}")),
            }
        }
        Ok(JobOutcome { file: Some(file), ..JobOutcome::found(report.is_clean(), told) })
    }

    /// Removes the oldest right copies that jobs have made in this folder, all but so many with the one that is whole now; answers how
    /// many they were. One that is not right is nobody's to remove.
    async fn remove_oldest(&self) -> Result<usize, Failure> {
        let files = sql::right_backups(self.store.readers()).await?;
        let (folder, kept) = (self.places.backups.clone(), self.places.backups_kept.get());
        let kept = usize::try_from(kept - 1).unwrap_or(usize::MAX);
        let removed = spawn_blocking(move || {
            let here = files.iter().map(Path::new).filter(|file| file.parent() == Some(&*folder) && file.exists());
            let removed = here.skip(kept).map(|file| {
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

/// Removes the folders of copies that a stop has cut off, a day later: until then somebody may be at work in them.
fn remove_left_behind(backups: &Path) -> io::Result<()> {
    let folders = match std::fs::read_dir(backups) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        folders => folders?,
    };
    for folder in folders {
        let folder = folder?;
        let age = folder.metadata().and_then(|found| found.modified()).map(|at| at.elapsed().unwrap_or_default());
        let is_left =
            folder.file_name().to_string_lossy().starts_with(UNFINISHED) && age.is_ok_and(|age| age > LEFT_AFTER);
        if is_left {
            remove_folder(&folder.path())?;
        }
    }
    Ok(())
}

/// Removes a folder, where there is one.
fn remove_folder(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
