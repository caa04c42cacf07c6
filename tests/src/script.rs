//! Scripts of the outside world: where they lie, and what one has printed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The cases of a script that held, when all did.
///
/// # Errors
/// What it printed, when one did not hold or it did not come to its end.
pub fn held(output: &Output) -> Result<usize, String> {
    let out = String::from_utf8_lossy(&output.stdout);
    let held = out.lines().filter(|line| line.starts_with("ok ")).count();
    if output.status.success() && !out.lines().any(|line| line.starts_with("not ok ")) {
        return Ok(held);
    }
    let told: String = out.lines().filter(|line| !line.starts_with("ok ")).map(|line| format!("{line}\n")).collect();
    Err(format!("{told}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Runs a command that has to succeed.
pub(crate) fn done(command: &mut Command, what: &str) {
    let output = command.output().unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(output.status.success(), "{what} failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Where the scripts lie, a folder for each language.
pub(crate) fn sdk_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk")
}

/// Cargo puts test binaries into `<target>/<profile>/deps`.
pub(crate) fn target_folder() -> PathBuf {
    let binary = std::env::current_exe().expect("a running program has a path");
    binary.ancestors().nth(3).expect("a test binary lies three folders deep").to_owned()
}
