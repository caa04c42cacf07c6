//! Python with the official SDKs, in an environment of the tests' own under the target folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Runs a script of `tests/sdk` and gives back what it printed.
///
/// # Panics
/// When Python or the package index is not there.
pub fn run(script: &str, env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(environment().join("bin/python"));
    command.arg(sdk_folder().join(script)).envs(env.iter().copied()).env("PYTHONDONTWRITEBYTECODE", "1");
    command.output().expect("the script runs")
}

/// The environment, made at the first call and kept between runs while `requirements.txt` stays the same.
fn environment() -> &'static Path {
    static ENVIRONMENT: OnceLock<PathBuf> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let wanted = std::fs::read_to_string(sdk_folder().join("requirements.txt")).expect("the list of packages");
        let folder = target_folder().join("sdk-python");
        let marker = folder.join("installed.txt");
        if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
            return folder;
        }
        done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), "python3 -m venv");
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(sdk_folder().join("requirements.txt"));
        done(&mut pip, "pip install");
        std::fs::write(&marker, wanted).expect("the environment is ours");
        folder
    })
}

fn done(command: &mut Command, what: &str) {
    let output = command.output().unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(output.status.success(), "{what} failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn sdk_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk")
}

/// Cargo puts test binaries into `<target>/<profile>/deps`.
fn target_folder() -> PathBuf {
    let binary = std::env::current_exe().expect("a running program has a path");
    binary.ancestors().nth(3).expect("a test binary lies three folders deep").to_owned()
}
