//! PgBouncer before a PostgreSQL server of the tests, in a folder of its own; it ends when it is dropped.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Stdio};

use tempfile::TempDir;

use crate::postgres::{as_server_user, hand_over, pause};

/// As Debian installs it.
const PROGRAM: &str = "/usr/sbin/pgbouncer";
const PORT: u16 = 6432;

/// A running pooler.
#[derive(Debug)]
pub struct PgBouncer {
    process: Child,
    folder: TempDir,
}

impl PgBouncer {
    /// Starts one before the server whose socket is in a folder, with lines of its own in the configuration.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(postgres: &Path, settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (here, postgres) = (folder.path().display(), postgres.display());
        let config = folder.path().join("pgbouncer.ini");
        let text = format!(
            "[databases]\n* = host={postgres} port=5432 user=test\n[pgbouncer]\nunix_socket_dir = {here}\nlisten_port = {PORT}\n\
             auth_type = any\n{}\n",
            settings.join("\n")
        );
        std::fs::write(&config, text).expect("a file of ours");
        hand_over(folder.path());
        let mut command = as_server_user(PROGRAM);
        let process = command.arg("--quiet").arg(&config).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let started = Self { process: process.expect("pgbouncer starts"), folder };
        let socket = started.folder.path().join(format!(".s.PGSQL.{PORT}"));
        let answers = |_| UnixStream::connect(&socket).is_ok() || pause();
        assert!((0..3000).any(answers), "PgBouncer does not listen");
        started
    }

    /// The address of a database behind it.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://test@{folder}:{PORT}/{database}")
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
