//! A PostgreSQL server of the tests' own, in a temporary folder, stopped at the end of the process.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

/// A running server. One serves all tests of a process; each asks for a database of its own.
#[derive(Debug)]
pub struct Postgres {
    folder: TempDir,
    server: Child,
}

impl Postgres {
    /// The server of this process, started at the first call.
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Postgres> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    /// A fresh database: the address to connect to.
    ///
    /// # Panics
    /// When the server has gone.
    #[must_use]
    pub fn database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let made = tool("createdb").arg("-h").arg(self.folder.path()).args(["-U", "test", &name]).status();
        assert!(made.expect("createdb runs").success(), "createdb failed");
        let socket = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://test@{socket}/{name}")
    }

    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = folder.path().join("data");
        hand_over(folder.path());
        let made = as_server_user("initdb")
            .arg("-D")
            .arg(&data)
            .args(["-U", "test", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"])
            .stdout(Stdio::null())
            .status();
        assert!(made.expect("initdb runs").success(), "initdb failed");
        let mut server = as_server_user("postgres");
        server.arg("-D").arg(&data).arg("-k").arg(folder.path());
        server
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "log_min_messages=panic"])
            .stderr(Stdio::null());
        let server = spawn_for_good(server);
        let started = Self { folder, server };
        started.wait_until_ready();
        started
    }

    fn wait_until_ready(&self) {
        // pg_isready waits by itself, up to the time it is given.
        let ready = |_| {
            let asked = tool("pg_isready").arg("-q").arg("-t").arg("1").arg("-h").arg(self.folder.path()).status();
            asked.is_ok_and(|status| status.success())
        };
        assert!((0..3000).any(|turn| ready(turn) || pause()), "PostgreSQL did not start");
    }
}

/// Starts a program from a thread that never ends: the death signal comes with the end of the thread that started it.
fn spawn_for_good(mut command: Command) -> Child {
    let (started, child) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // The receiver is gone only when the process is ending.
        let _ = started.send(command.spawn());
        loop {
            std::thread::park();
        }
    });
    child.recv().expect("the thread goes on").expect("postgres starts")
}

/// Between two questions; always false.
fn pause() -> bool {
    std::thread::sleep(std::time::Duration::from_millis(10));
    false
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A shared server outlives `main` and is not dropped; its folder and process go with the process group.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The server refuses to run as root, so root hands it to the account that Debian made for it.
fn as_server_user(program: &str) -> Command {
    let path = binary(program);
    if !is_root() {
        return Command::new(path);
    }
    let mut command = Command::new("setpriv");
    // The death signal ends the server with the test process, however that ends.
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=QUIT"]).arg(path);
    command
}

fn tool(program: &str) -> Command {
    Command::new(binary(program))
}

fn hand_over(folder: &Path) {
    if is_root() {
        let given = Command::new("chown").arg("postgres:").arg(folder).status();
        assert!(given.expect("chown runs").success(), "the folder could not be given to the user postgres");
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Debian keeps the server's programs off the path, one folder a version.
fn binary(program: &str) -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        folders.map(|folder| folder.path().join("bin").join(program)).filter(|path| path.exists()).collect();
    found.sort();
    found.pop().unwrap_or_else(|| PathBuf::from(program))
}
