//! A PostgreSQL server of the tests' own, in a temporary folder, stopped at the end of the process; or the one that `tests/run`
//! has started for all cases of a run.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// A running server. One serves all tests of a process; each asks for a database of its own.
#[derive(Debug)]
pub struct Postgres {
    folder: PathBuf,
    settings: &'static [&'static str],
    own: Option<Own>,
}

/// The processes of a server that this process has started.
#[derive(Debug)]
struct Own {
    server: Mutex<Child>,
    /// Its input ends with this process, however that comes to its end. The server of all tests is not dropped, and what
    /// hundreds of databases leave behind fills a disk in a few runs.
    sweeper: Child,
}

/// Names the folder of the server that serves a whole run.
pub const SERVER_OF_THE_RUN: &str = "TOLLGATE_TEST_POSTGRES";
/// Names the database that others of that server are copies of: a ledger on which nothing has happened yet.
pub const TEMPLATE_OF_THE_RUN: &str = "TOLLGATE_TEST_TEMPLATE";

/// Waits for the end of its input, stops the server over the folder, and removes the folder. What is typed at a terminal
/// to end the tests is not meant for it.
const SWEEP: &str = r#"
trap '' HUP INT TERM
cat > /dev/null
kill -QUIT "$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)" 2> /dev/null
for _ in $(seq 100); do rm -rf -- "$1" 2> /dev/null && exit; sleep 0.1; done
"#;

/// The settings of the server of all tests: nobody pulls the plug or follows it.
const HASTY: &[&str] = &["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"];

impl Postgres {
    /// The server of the run; where nobody has started one, the server of this process, started at the first call.
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Postgres> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var_os(SERVER_OF_THE_RUN) {
            Some(folder) => Self { folder: folder.into(), settings: HASTY, own: None },
            None => Self::hasty(),
        })
    }

    /// A server for many tests: nothing that it has acknowledged outlives a power cut.
    #[must_use]
    pub fn hasty() -> Self {
        Self::with(HASTY)
    }

    /// The folder of its socket and its data.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A fresh database, with the schema of this version where the run has a template: the address to connect to.
    ///
    /// # Panics
    /// When the server has gone.
    #[must_use]
    pub fn database(&self) -> String {
        let template = self.own.is_none().then(|| std::env::var(TEMPLATE_OF_THE_RUN).ok()).flatten();
        self.copy_of(template.as_deref().unwrap_or("template1"))
    }

    /// A database with all that another one has, to which nobody is connected: its address.
    ///
    /// # Panics
    /// When somebody is, or the server has gone.
    #[must_use]
    pub fn copy(&self, url: &str) -> String {
        self.copy_of(url.rsplit('/').next().unwrap_or_default())
    }

    /// A fresh database with nothing in it.
    ///
    /// # Panics
    /// When the server has gone.
    #[must_use]
    pub fn empty_database(&self) -> String {
        self.copy_of("template1")
    }

    /// A database into which a dump of another one was restored, as the guide for operators does: its address.
    ///
    /// # Panics
    /// When the tools fail.
    #[must_use]
    pub fn restored(&self, url: &str) -> String {
        let (restored, folder) = (self.empty_database(), tempfile::tempdir().expect("a temporary folder"));
        let dump = folder.path().join("tollgate.dump");
        let dumped =
            tool("pg_dump").args(["--format=custom", "--schema=tollgate", "--file"]).arg(&dump).arg(url).status();
        assert!(dumped.expect("pg_dump runs").success(), "pg_dump failed");
        let mut restore = tool("pg_restore");
        restore.args(["--no-owner", "--exit-on-error", "--single-transaction", "--dbname", &restored]).arg(&dump);
        assert!(restore.status().expect("pg_restore runs").success(), "pg_restore failed");
        restored
    }

    fn copy_of(&self, template: &str) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let random = RandomState::new().hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
        // Whose it is, so that it can be dropped when that process has ended.
        let name = format!("test_{}_{random:x}", std::process::id());
        let made = tool("createdb").arg("-h").arg(&self.folder).args(["-U", "test", "-T", template, &name]).status();
        assert!(made.expect("createdb runs").success(), "createdb failed");
        let socket = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://test@{socket}/{name}")
    }

    /// Drops the databases of processes that have ended.
    ///
    /// # Errors
    /// What the server said to it; what is left can be dropped later.
    pub fn drop_orphans(&self) -> Result<(), String> {
        let listed = self.sql("SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'")?;
        for name in listed.lines() {
            let owner = name.split('_').nth(1).unwrap_or_default();
            if !Path::new("/proc").join(owner).exists() {
                self.sql(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
            }
        }
        Ok(())
    }

    fn sql(&self, statement: &str) -> Result<String, String> {
        let mut psql = tool("psql");
        psql.arg("-h").arg(&self.folder).args(["-U", "test", "-d", "postgres", "-Atqc", statement]);
        let output = psql.output().map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// A server with settings of its own, each as `name=value`, which ends when it is dropped.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn with(settings: &'static [&'static str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder").keep();
        let sweeper = sweeper(SWEEP, &folder);
        let data = folder.join("data");
        hand_over(&folder);
        let made = as_server_user("initdb")
            .arg("-D")
            .arg(&data)
            .args(["-U", "test", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"])
            .stdout(Stdio::null())
            .status();
        assert!(made.expect("initdb runs").success(), "initdb failed");
        let server = Mutex::new(serve(&folder, settings));
        let started = Self { folder, settings, own: Some(Own { server, sweeper }) };
        started.wait_until_ready();
        started
    }

    /// The process that is the parent of all its others.
    ///
    /// # Panics
    /// When a caller panicked, or it is the server of the run.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.own().server.lock().expect("nobody panics with it").id()
    }

    /// Where it listens: a file of the system's.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// Ends it at once, as `pg_ctl stop -m immediate` does: nobody is waited for, and what is written is not tidied up.
    ///
    /// # Panics
    /// When it has ended before.
    pub fn stop_at_once(&self) {
        let mut server = self.own().server.lock().expect("nobody panics with it");
        let told = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
        assert!(told.expect("kill runs").success(), "it still runs");
        server.wait().expect("it can be waited for");
    }

    /// Starts it again over what it has written.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&self) {
        *self.own().server.lock().expect("nobody panics with it") = serve(&self.folder, self.settings);
        self.wait_until_ready();
    }

    fn own(&self) -> &Own {
        self.own.as_ref().expect("nobody ends the server of the run")
    }

    fn wait_until_ready(&self) {
        // pg_isready waits by itself, up to the time it is given.
        let ready = |_| {
            let asked = tool("pg_isready").arg("-q").arg("-t").arg("1").arg("-h").arg(&self.folder).status();
            asked.is_ok_and(|status| status.success())
        };
        assert!((0..3000).any(|turn| ready(turn) || pause()), "PostgreSQL did not start");
    }
}

/// Starts a server over the data in a folder.
fn serve(folder: &Path, settings: &[&str]) -> Child {
    let mut server = as_server_user("postgres");
    server.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
    // Some tests start as many gateways at once as there are commits to end beside, each with connections of its own.
    let connections = std::thread::available_parallelism().map_or(1, NonZero::get) * 200;
    server.args(["-c", "listen_addresses=", "-c", "log_min_messages=panic"]);
    server.args(["-c", &format!("max_connections={}", connections.max(400))]);
    server.args(settings.iter().flat_map(|setting| ["-c", setting])).stderr(Stdio::null());
    spawn_for_good(server)
}

/// Starts a program from a thread that never ends: the death signal comes with the end of the thread that started it.
pub(crate) fn spawn_for_good(mut command: Command) -> Child {
    let (started, child) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // The receiver is gone only when the process is ending.
        let _ = started.send(command.spawn());
        loop {
            std::thread::park();
        }
    });
    child.recv().expect("the thread goes on").expect("the program starts")
}

/// Between two questions; always false.
pub(crate) fn pause() -> bool {
    std::thread::sleep(std::time::Duration::from_millis(10));
    false
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let Some(Own { server, sweeper }) = &mut self.own else { return };
        let Ok(server) = server.get_mut() else { return };
        // Its other processes notice and end by themselves.
        let _ = server.kill();
        let _ = server.wait();
        drop(sweeper.stdin.take());
        let _ = sweeper.wait();
    }
}

/// Starts a script that waits for the end of its input and then sweeps the folder.
pub(crate) fn sweeper(script: &str, folder: &Path) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(folder).stdin(Stdio::piped()).stdout(Stdio::null());
    command.spawn().expect("a shell starts")
}

/// Neither the server nor what stands around it runs as root, so root hands them to the account that Debian made for it.
#[must_use]
pub fn as_server_user(program: &str) -> Command {
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

/// Gives a folder to the account that the server runs as.
///
/// # Panics
/// When it cannot be given.
pub fn hand_over(folder: &Path) {
    if is_root() {
        let given = Command::new("chown").arg("postgres:").arg(folder).status();
        assert!(given.expect("chown runs").success(), "the folder could not be given to the user postgres");
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Debian keeps the server's programs off the path, one folder a version.
pub(crate) fn binary(program: &str) -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        folders.map(|folder| folder.path().join("bin").join(program)).filter(|path| path.exists()).collect();
    found.sort();
    found.pop().unwrap_or_else(|| PathBuf::from(program))
}
