//! Clients as a team downstream makes them: outside the workspace, of the resolved spec alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::binary;
use crate::script::{alone_in, done, sdk_folder, target_folder};

/// A folder of such a team.
#[derive(Debug)]
pub struct Downstream {
    folder: PathBuf,
    _temporary: Option<tempfile::TempDir>,
}

impl Downstream {
    /// A client in `client/`, made there, and the program that uses it in `suite/`.
    ///
    /// # Panics
    /// When there is no client.
    #[must_use]
    pub fn with_client(language: &str, suite: &str) -> Self {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        Self { folder: temporary.path().to_owned(), _temporary: Some(temporary) }.made(language, suite)
    }

    /// The same in a folder that stays, so that a client that is the same as the last time need not be built again.
    ///
    /// # Panics
    /// When there is no client.
    #[must_use]
    pub fn kept(name: &str, language: &str, suite: &str) -> Self {
        let folder = target_folder().join("clients-kept").join(name);
        std::fs::create_dir_all(&folder).expect("the target folder is ours");
        Self { folder, _temporary: None }.made(language, suite)
    }

    /// The client in Rust in `client/`, in a folder that stays: it takes long to build, and is built once for all programs over it.
    /// Cases that use it have the mark `builds`.
    ///
    /// # Panics
    /// If the client cannot be made.
    #[must_use]
    pub fn in_rust() -> Self {
        let folder = target_folder().join("clients-kept/rust");
        let downstream = Self { folder: folder.clone(), _temporary: None };
        alone_in(&folder, || {
            // Also where a run was ended while it wrote.
            downstream.client("rust", &["--force"]);
            // The rules of this project, in whose tree it lies, are not its own.
            downstream.write("clippy.toml", "");
            downstream.lock("client");
        });
        downstream
    }

    /// A client in `client/` and nothing beside it, made with these arguments of `codegen client` more.
    ///
    /// # Panics
    /// When there is no client.
    #[must_use]
    pub fn listed(language: &str, more: &[&str]) -> Self {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let downstream = Self { folder: temporary.path().to_owned(), _temporary: Some(temporary) };
        downstream.client(language, more);
        downstream
    }

    /// A client in `client/` and nothing beside it, of another service: of the resolved spec with this text.
    ///
    /// # Panics
    /// When there is no client.
    #[must_use]
    pub fn of(resolved: &str, language: &str) -> Self {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let downstream = Self { folder: temporary.path().to_owned(), _temporary: Some(temporary) };
        downstream.write("resolved.json", resolved);
        downstream.generate(language, &[]);
        downstream
    }

    fn made(self, language: &str, suite: &str) -> Self {
        self.client(language, &[]);
        let program = std::fs::read_to_string(sdk_folder().join("clients").join(suite)).expect("it is committed");
        self.write(&format!("suite/{suite}"), &program);
        self
    }

    fn client(&self, language: &str, more: &[&str]) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        std::fs::copy(root.join("spec/dist/resolved.json"), self.path("resolved.json")).expect("it is committed");
        self.generate(language, more);
    }

    fn generate(&self, language: &str, more: &[&str]) {
        let mut codegen = Command::new(binary::path().with_file_name("codegen"));
        codegen.args(["client", "--lang", language, "--resolved", "resolved.json", "--out", "client"]);
        done(codegen.args(more).current_dir(&self.folder), "codegen client");
    }

    /// Makes a program in Rust a package over the client, in a folder of its name.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn program_in_rust(&self, name: &str) {
        let program =
            std::fs::read_to_string(sdk_folder().join(format!("clients/{name}.rs"))).expect("it is committed");
        self.write(&format!("{name}/{name}.rs"), &program);
        self.package_over(name, "tollgate-client", "client");
    }

    /// That the client in Rust is built without a complaint: below a program that needs what the others need, so that what it stands
    /// on is built once.
    ///
    /// # Panics
    /// If the build fails or complains.
    pub fn clean_in_rust(&self) {
        let manifest = std::fs::read_to_string(self.path("client/Cargo.toml")).expect("a client has a manifest");
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).expect("it has a name");
        self.write("nothing/nothing.rs", "fn main() {}\n");
        self.package_over("nothing", name.trim_matches('"'), "client");
        clean(&mut cargo(&self.path("nothing"), &["build", "--quiet"]));
    }

    /// Makes what is in the folder of this name a package over the client that is called so, in this folder.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn package_over(&self, name: &str, client: &str, client_folder: &str) {
        self.lock("client");
        self.lock(name);
        self.write(
            &format!("{name}/Cargo.toml"),
            &format!(
                "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[[bin]]\nname = {name:?}\npath = \
                 \"{name}.rs\"\n\n[dependencies]\nserde = \"1\"\nserde_json = \"1\"\ntokio = {{ version = \"1\", features = \
                 [\"io-util\", \"macros\", \"net\", \"rt\", \"time\"] }}\n\
                 {client} = {{ path = \"../{client_folder}\", default-features = false }}\n\n[workspace]\n",
            ),
        );
    }

    /// Gives a package the versions that are here already; what it does not need falls out of them.
    ///
    /// # Panics
    /// When they cannot be written.
    pub fn lock(&self, folder: &str) {
        let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock");
        let lock = std::fs::read_to_string(lock).expect("it is committed");
        self.write_once(&format!("{folder}/Cargo.lock"), &lock);
    }

    /// A path in it.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Writes a file, where it is not so already.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        if std::fs::read_to_string(&path).is_ok_and(|found| found == text) {
            return;
        }
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("the folder is ours");
        std::fs::write(path, text).expect("the folder is ours");
    }

    /// Writes a file that another program goes on with, when what it is made of has changed.
    fn write_once(&self, path: &str, text: &str) {
        let from = format!("{path}.from");
        if std::fs::read_to_string(self.path(&from)).is_ok_and(|found| found == text) && self.path(path).exists() {
            return;
        }
        self.write(path, text);
        self.write(&from, text);
    }
}

/// A command of cargo for packages that are not of this workspace. Whatever it compiles it lints as well, and fails with what is
/// found; what comes from elsewhere is not looked at.
#[must_use]
pub fn cargo(folder: &Path, args: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(args)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target_folder().join("clients"))
        // Nobody steps through them, and nobody changes a line of one and builds it again.
        .envs([("CARGO_PROFILE_DEV_DEBUG", "none"), ("CARGO_INCREMENTAL", "0")])
        .envs([("RUSTC_WRAPPER", "clippy-driver"), ("RUSTFLAGS", "--deny warnings")]);
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
