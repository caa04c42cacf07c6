//! What builds and cases find around them: folders, variables, and how cargo is called.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// Variables for cases alone.
    pub(crate) variables: Vec<(String, String)>,
}

impl Environment {
    /// Makes the folders.
    ///
    /// # Errors
    /// When a folder cannot be made.
    pub(crate) fn prepare() -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned();
        env::set_current_dir(&root)?;
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder));
        let notes = target.join("suite");
        let logs = notes.join("logs");
        if logs.exists() {
            fs::remove_dir_all(&logs)?;
        }
        fs::create_dir_all(&logs)?;
        // Short, because sockets lie in it whose paths have 108 bytes at the most.
        let temporary = env::temp_dir().join(format!("suite-{}", std::process::id()));
        fs::create_dir_all(&temporary)?;
        let built = notes.join("built.jsonl");
        let sysroot = Command::new("rustc").args(["--print", "target-libdir"]).output()?;
        let libraries = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
        let variables = toolchain().map(|toolchain| ("RUSTUP_TOOLCHAIN".to_owned(), toolchain)).into_iter().collect();
        Ok(Self { root, notes, logs, temporary, built, libraries, variables })
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

    /// A command of cargo that compiles the workspace. The compiler is clippy's, which compiles as rustc does and tells its
    /// lints on the way, so that lints cost no second pass over the code.
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
