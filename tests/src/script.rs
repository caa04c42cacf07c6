//! Scripts of the outside world: where they lie, and what one has printed.

use std::io::ErrorKind;
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

/// A folder of scripts under the target folder, with the packages that its `package.json` names; both stay while that list and
/// what `more` files hold do. `finish` makes what else belongs to it.
pub(crate) fn installed(name: &str, more: &[&str], finish: impl FnOnce(&Path)) -> PathBuf {
    let place = target_folder().join(format!("sdk-{name}"));
    std::fs::create_dir_all(&place).expect("the target folder is ours");
    for entry in std::fs::read_dir(sdk_folder().join(name)).expect("the scripts") {
        let entry = entry.expect("a file");
        std::fs::copy(entry.path(), place.join(entry.file_name())).expect("the environment is ours");
    }
    let read = |name: &&str| std::fs::read_to_string(place.join(name)).expect("a file of ours");
    let wanted: String = ["package.json"].iter().chain(more).map(read).collect();
    let marker = place.join("installed");
    if !std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
        // What an install that was broken off has left would be taken for whole.
        if let Err(error) = std::fs::remove_dir_all(place.join("node_modules")) {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        }
        // No lock file: it would name the registry of the machine that wrote it.
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-package-lock", "--no-audit", "--no-fund", "--silent"]);
        done(npm.current_dir(&place), "npm install");
        finish(&place);
        std::fs::write(&marker, wanted).expect("the environment is ours");
    }
    place
}
