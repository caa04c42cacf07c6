//! The real `tollgate` binary, as its own process.

use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::disk::Disk;
use crate::set_clock::SetClock;

/// In which a process has to greet.
const GREETS_WITHIN: Duration = Duration::from_secs(30);

/// Names the file with what cargo said of all that `tests/run` has built before it started any test.
pub const BUILT: &str = "TOLLGATE_BUILT";

/// Path of the binary that belongs to the running tests; built first where it is not fresh.
///
/// # Panics
/// When it does not build.
pub fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let test = std::env::current_exe().expect("a running program has a path");
        let profile = test.ancestors().nth(2).expect("a test binary lies two folders deep");
        if std::env::var_os(BUILT).is_some() {
            return profile.join("tollgate");
        }
        // The whole workspace, so that features are those of the tests and nothing is compiled twice.
        let mut cargo = cargo("build");
        cargo.args(["--quiet", "--workspace", "--bins"]);
        assert!(cargo.status().expect("cargo runs").success(), "the binary does not build");
        profile.join("tollgate")
    })
}

/// A command of cargo on this workspace, in the profile of the running tests.
///
/// # Panics
/// When nobody can say which that is.
#[must_use]
pub fn cargo(command: &str) -> Command {
    let test = std::env::current_exe().expect("a running program has a path");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.arg(command).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    // What cargo tells a test of itself. Some build scripts look at it: with it, they and all that stands on them would be
    // built again, and once more by the next cargo outside.
    let told = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars().filter(|(name, _)| told(name)) {
        cargo.env_remove(name);
    }
    if test.ancestors().nth(2).expect("a test binary lies two folders deep").ends_with("release") {
        cargo.arg("--release");
    }
    cargo
}

/// Runs a command to its end.
///
/// # Panics
/// When it does not start.
#[must_use]
pub fn run(args: &[&str]) -> Output {
    Command::new(path()).args(args).output().expect("the binary runs")
}

/// Runs a command with `--json` and reads what it prints.
///
/// # Panics
/// When it prints no JSON.
#[must_use]
pub fn run_json(args: &[&str]) -> (bool, Value) {
    run_json_of(path(), args)
}

/// Runs a command of another build with `--json` and reads what it prints.
///
/// # Panics
/// When it does not start, or prints no JSON.
#[must_use]
pub fn run_json_of(binary: &Path, args: &[&str]) -> (bool, Value) {
    printed(&mut Command::new(binary), args)
}

/// Runs a command by that clock with `--json` and reads what it prints.
///
/// # Panics
/// When it does not start, or prints no JSON.
#[must_use]
pub fn run_json_by(clock: &SetClock, args: &[&str]) -> (bool, Value) {
    printed(Command::new(path()).envs(clock.environment()), args)
}

fn printed(command: &mut Command, args: &[&str]) -> (bool, Value) {
    let output = command.args(args).arg("--json").output().expect("the binary runs");
    let printed = serde_json::from_slice(&output.stdout);
    let printed = printed.unwrap_or_else(|error| panic!("{args:?}: {error}: {output:?}"));
    (output.status.success(), printed)
}

/// Runs a command to its end, in an environment with one variable more.
///
/// # Panics
/// When it does not start.
#[must_use]
pub fn run_in(env: (&str, &str), args: &[&str]) -> Output {
    Command::new(path()).env(env.0, env.1).args(args).output().expect("the binary runs")
}

/// Starts a server that may end before it greets, and waits for its end.
///
/// # Panics
/// When it does not start, or still runs after half a minute.
#[must_use]
pub fn serve_in(env: (&str, &str), args: &[&str]) -> ExitStatus {
    let mut command = serve(args);
    command.env(env.0, env.1).stdout(Stdio::null()).stderr(Stdio::null());
    Served { process: command.spawn().expect("the binary runs"), greeting: Value::Null }.ended()
}

fn serve(args: &[&str]) -> Command {
    let mut command = Command::new(path());
    command.args(["serve", "--json", "--listen", "127.0.0.1:0"]).args(args);
    command
}

/// Waits for an alarm in the log of a server that writes it as JSON: the fields of its line.
///
/// # Panics
/// When it does not ring, or a line is no JSON.
#[must_use]
pub fn alarm_in(log: &mpsc::Receiver<String>, alarm: &str) -> Value {
    let lines = std::iter::from_fn(|| log.recv_timeout(GREETS_WITHIN).ok());
    let fields = lines.map(|line| serde_json::from_str::<Value>(&line).expect("a line of JSON")["fields"].clone());
    let rung = fields.into_iter().find(|fields| fields["alarm"] == alarm);
    rung.unwrap_or_else(|| panic!("`{alarm}` does not ring"))
}

/// A serving process, killed when it is dropped.
#[derive(Debug)]
pub struct Served {
    process: Child,
    /// What it printed at its start.
    pub greeting: Value,
}

impl Served {
    /// Starts `tollgate serve --json` with further arguments and waits for its greeting.
    ///
    /// # Panics
    /// When it does not greet.
    #[must_use]
    pub fn start(args: &[&str]) -> Self {
        Self::of(&mut serve(args))
    }

    /// The same, and what it writes to its log from then on, line by line.
    ///
    /// # Panics
    /// When it does not greet.
    #[must_use]
    pub fn start_logged(args: &[&str]) -> (Self, mpsc::Receiver<String>) {
        Self::logged(&mut serve(args))
    }

    /// The same in an environment with one variable more.
    ///
    /// # Panics
    /// When it does not greet.
    #[must_use]
    pub fn start_logged_in(env: (&str, &str), args: &[&str]) -> (Self, mpsc::Receiver<String>) {
        Self::logged(serve(args).env(env.0, env.1))
    }

    fn logged(command: &mut Command) -> (Self, mpsc::Receiver<String>) {
        let mut served = Self::greeted(command, Stdio::piped(), String::new);
        let log = served.process.stderr.take().expect("piped above");
        let (told, lines) = mpsc::channel();
        // It ends with the process, or when nobody listens any more.
        thread::spawn(move || BufReader::new(log).lines().map_while(Result::ok).try_for_each(|line| told.send(line)));
        (served, lines)
    }

    /// The same in an environment with one variable more.
    ///
    /// # Panics
    /// When it does not greet.
    #[must_use]
    pub fn start_in(env: (&str, &str), args: &[&str]) -> Self {
        Self::of(serve(args).env(env.0, env.1))
    }

    /// The same, which may make no file larger than that: a write beyond it fails.
    ///
    /// # Panics
    /// When it does not greet.
    #[must_use]
    pub fn start_short_of_room(kib: u32, args: &[&str]) -> Self {
        // The signal that comes with such a write would end it before it could say anything.
        let script = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$@\"");
        let mut command = Command::new("bash");
        command.args(["-c", &script, "bash"]).arg(path()).args(serve(args).get_args());
        Self::greeted(&mut command, Stdio::null(), String::new)
    }

    /// The same, whose ledger is on that disk.
    ///
    /// # Panics
    /// When it does not greet.
    #[must_use]
    pub fn start_on(disk: &Disk, args: &[&str]) -> Self {
        Self::of(serve(args).envs(disk.environment()))
    }

    /// The same, by that clock.
    ///
    /// # Panics
    /// When it does not greet.
    #[must_use]
    pub fn start_by(clock: &SetClock, args: &[&str]) -> Self {
        Self::of(serve(args).envs(clock.environment()))
    }

    /// Starts it with a log that is shown where it does not greet.
    fn of(command: &mut Command) -> Self {
        let mut log = tempfile::tempfile().expect("a temporary file");
        let written = log.try_clone().expect("a file can be opened twice");
        Self::greeted(command, written.into(), || {
            let mut told = String::new();
            log.rewind().and_then(|()| log.read_to_string(&mut told)).expect("a log can be read");
            told
        })
    }

    fn greeted(command: &mut Command, log: Stdio, told: impl FnOnce() -> String) -> Self {
        let mut process = command.stdout(Stdio::piped()).stderr(log).spawn().expect("the binary runs");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("piped above");
        BufReader::new(stdout).read_line(&mut line).expect("a pipe can be read");
        let Ok(greeting) = serde_json::from_str(&line) else {
            process.kill().and_then(|()| process.wait()).map_or_else(
                |error| panic!("no greeting but {line:?}, and no end: {error}"),
                |status| panic!("no greeting but {line:?}, then {status}\n{}", told()),
            )
        };
        Self { process, greeting }
    }

    /// Starts `tollgate serve` as a person does, and gives the first lines for people that begin with `word`.
    ///
    /// # Panics
    /// When it does not print so many of them.
    #[must_use]
    pub fn start_for_people(args: &[&str], word: &str, count: usize) -> (Self, Vec<String>) {
        let mut command = Command::new(path());
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(args);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary runs");
        let stdout = process.stdout.take().expect("piped above");
        let served = Self { process, greeting: Value::Null };
        let (told, lines) = mpsc::channel();
        // It ends with the process, or when nobody listens any more.
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| told.send(line))
        });
        let mut found = Vec::new();
        while found.len() < count {
            let line = lines.recv_timeout(GREETS_WITHIN).unwrap_or_else(|_| panic!("no more lines than {found:?}"));
            found.extend(Some(line.trim().to_owned()).filter(|line| line.starts_with(word)));
        }
        (served, found)
    }

    /// Its address.
    ///
    /// # Panics
    /// When the greeting names none.
    #[must_use]
    pub fn url(&self) -> &str {
        self.greeting["listening"].as_str().unwrap_or_else(|| panic!("no address: {}", self.greeting))
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends it at once, by a signal that it cannot handle.
    ///
    /// # Panics
    /// When it has ended before.
    pub fn kill(mut self) {
        self.process.kill().expect("it still runs");
        self.process.wait().expect("it can be waited for");
    }

    /// Waits for it to end by itself, and kills it where it does not.
    ///
    /// # Panics
    /// When it still runs after half a minute.
    #[must_use]
    pub fn ended(self) -> ExitStatus {
        self.ended_within(GREETS_WITHIN)
    }

    /// The same for what takes its time.
    ///
    /// # Panics
    /// When it still runs after so long.
    #[must_use]
    pub fn ended_within(mut self, patience: Duration) -> ExitStatus {
        let patience = Instant::now() + patience;
        while Instant::now() < patience {
            if let Some(status) = self.process.try_wait().expect("it can be waited for") {
                return status;
            }
            // Between two looks.
            thread::sleep(Duration::from_millis(5));
        }
        panic!("it runs on");
    }

    /// Sends it a signal.
    ///
    /// # Panics
    /// When it cannot be signalled.
    pub fn signal(&self, name: &str) {
        let (signal, id) = (format!("-{name}"), self.process.id().to_string());
        assert!(Command::new("kill").args([&signal, &id]).status().expect("kill runs").success());
    }

    /// Asks it to stop and waits for its end; whether it said that all was well.
    ///
    /// # Panics
    /// When it cannot be signalled.
    #[must_use]
    pub fn terminate(mut self) -> bool {
        self.signal("TERM");
        self.process.wait().expect("it can be waited for").success()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Fails when it has ended already, which is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
