//! Clients as a team downstream makes them: outside the workspace, of the resolved spec alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::binary;
use crate::script::{done, sdk_folder, target_folder};

/// A folder of such a team.
#[derive(Debug)]
pub struct Downstream(tempfile::TempDir);

impl Downstream {
    /// A client in `client/`, made there, and the program that uses it in `suite/`.
    ///
    /// # Panics
    /// When there is no client.
    #[must_use]
    pub fn with_client(language: &str, suite: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        std::fs::copy(root.join("spec/dist/resolved.json"), folder.path().join("resolved.json"))
            .expect("it is committed");
        let mut codegen = Command::new(binary::path().with_file_name("codegen"));
        codegen.args(["client", "--lang", language, "--resolved", "resolved.json", "--out", "client"]);
        done(codegen.current_dir(folder.path()), "codegen client");
        std::fs::create_dir(folder.path().join("suite")).expect("the folder is ours");
        std::fs::copy(sdk_folder().join("clients").join(suite), folder.path().join("suite").join(suite))
            .expect("the folder is ours");
        Self(folder)
    }

    /// A path in it.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("the folder is ours");
        std::fs::write(path, text).expect("the folder is ours");
    }
}

/// A command of cargo for packages that are not of this workspace.
#[must_use]
pub fn cargo(folder: &Path, args: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(args)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target_folder().join("clients"))
        .env_remove("RUSTFLAGS");
    cargo
}

/// That a command succeeds, and says nothing against what it looked at.
///
/// # Panics
/// When it does.
pub fn clean(command: &mut Command) {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let told = [String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)].concat();
    assert!(status.success(), "{command:?}:\n{told}");
}
