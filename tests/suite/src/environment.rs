//! What builds and cases find around them: folders, variables, and how cargo is called.

use std::env;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::end_all_of;

/// Folders and programs of a run.
#[derive(Debug)]
pub(crate) struct Environment {
    /// The root of the workspace.
    pub(crate) root: PathBuf,
    /// `target/suite`: what the run writes down.
    pub(crate) notes: PathBuf,
    /// What cases print, a file each; of this run alone.
    pub(crate) logs: PathBuf,
    /// Where cases have their temporary folders; removed at the end.
    pub(crate) temporary: PathBuf,
    /// What cargo said of each thing that it built, a JSON object a line.
    pub(crate) built: PathBuf,
    libraries: String,
    /// Locked as long as the run lasts: a second one would build over the programs of the first.
    #[allow(dead_code, reason = "the lock goes when it is dropped")]
    lock: File,
    /// Variables for cases alone.
    pub(crate) variables: Vec<(String, String)>,
}

impl Environment {
    /// Makes the folders, once no other run is under way in them.
    ///
    /// # Errors
    /// When a folder cannot be made.
    pub(crate) fn prepare() -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned();
        env::set_current_dir(&root)?;
        // This program lies two folders deep in it, wherever the settings of cargo have it.
        let program = env::current_exe()?;
        let target = program.ancestors().nth(2).unwrap_or(&root);
        let notes = target.join("suite");
        fs::create_dir_all(&notes)?;
        let lock = File::create(notes.join("lock"))?;
        if lock.try_lock().is_err() {
            eprintln!("another run is under way here; waiting for its end");
            lock.lock()?;
        }
        let logs = notes.join("logs");
        if logs.exists() {
            fs::remove_dir_all(&logs)?;
        }
        fs::create_dir_all(&logs)?;
        // Short, because sockets lie in it whose paths have 108 bytes at the most.
        let temporary = env::temp_dir().join(format!("{TEMPORARY}{}", std::process::id()));
        remove_left_over(&env::temp_dir());
        make_folder(&temporary)?;
        let built = notes.join("built.jsonl");
        let sysroot = Command::new("rustc").args(["--print", "target-libdir"]).output()?;
        let libraries = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
        let variables = toolchain().map(|toolchain| ("RUSTUP_TOOLCHAIN".to_owned(), toolchain)).into_iter().collect();
        Ok(Self { root, notes, logs, temporary, built, libraries, lock, variables })
    }

    /// What everything is built in.
    pub(crate) fn target(&self) -> PathBuf {
        self.notes.parent().unwrap_or(&self.root).to_owned()
    }

    /// A program of the workspace, once it is built.
    pub(crate) fn binary(&self, name: &str) -> PathBuf {
        self.target().join("debug").join(name)
    }

    /// What cases took, for the next run.
    pub(crate) fn times(&self) -> PathBuf {
        self.notes.join("times.tsv")
    }

    /// A command of cargo that compiles the workspace. The compiler is clippy's, which tells its lints on the way, so that
    /// lints cost no second pass over the code. It leaves out optimisations of the middle of the compiler, which the
    /// profile of tests hardly has.
    pub(crate) fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.arg(command).current_dir(&self.root).env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
        cargo
    }

    /// Sets the variables of a test.
    pub(crate) fn configure_test(&self, command: &mut Command) {
        // Tests of macros load the compiler's own libraries.
        command.env("LD_LIBRARY_PATH", &self.libraries);
        command.env("CARGO", env!("CARGO")).env("TOLLGATE_BUILT", &self.built);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

/// What names of the temporary folders of runs begin with; the process id of the run follows.
const TEMPORARY: &str = "suite-";

/// Makes a folder that servers of another user can reach what is theirs through, whatever the umask.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::set_permissions(folder, Permissions::from_mode(0o755))
}

/// Removes what runs left that were ended by force.
fn remove_left_over(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let of_run = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY)).and_then(|id| id.parse::<u32>().ok());
        if of_run.is_some_and(|id| !Path::new("/proc").join(id.to_string()).exists()) {
            end_all_of(&entry.path());
            // Of another user it stays, and hinders nobody.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The toolchain that rustup has chosen here, where there is rustup. It would choose again in the folder of each crate, and some
/// of them ask there for one that nobody has.
fn toolchain() -> Option<String> {
    let output = Command::new("rustup").args(["show", "active-toolchain"]).output().ok()?;
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    shown.split_whitespace().next().filter(|_| output.status.success()).map(str::to_owned)
}

impl Drop for Environment {
    fn drop(&mut self) {
        // A case that was broken off may have left what belongs to another user; the next run is not hindered by it.
        let _ = fs::remove_dir_all(&self.temporary);
    }
}
