//! Scripts of the outside world: where they lie, and what one has printed.

use std::fs::File;
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

/// The target folder: cargo puts test binaries into `<target>/<profile>/deps`.
#[must_use]
pub fn target_folder() -> PathBuf {
    let binary = std::env::current_exe().expect("a running program has a path");
    binary.ancestors().nth(3).expect("a test binary lies three folders deep").to_owned()
}

/// A folder of scripts under the target folder, with the packages that its `package.json` names; both stay while that list and
/// what `more` files hold do. `finish` makes what else belongs to it.
pub(crate) fn installed(name: &str, more: &[&str], finish: impl FnOnce(&Path)) -> PathBuf {
    let place = target_folder().join(format!("sdk-{name}"));
    alone_in(&place, || {
        copy_scripts(&sdk_folder().join(name), &place, "package.json");
        let read = |name: &&str| std::fs::read_to_string(place.join(name)).expect("a file of ours");
        npm_install(&place, &["package.json"].iter().chain(more).map(read).collect::<String>(), finish);
    });
    place
}

/// Does something to a folder under the target folder while no other process does; the folder is there then.
pub(crate) fn alone_in(folder: &Path, act: impl FnOnce()) {
    std::fs::create_dir_all(folder).expect("the target folder is ours");
    let lock = File::create(folder.with_extension("lock")).expect("the target folder is ours");
    lock.lock().expect("a file can be locked");
    act();
}

/// Copies what is in a folder of scripts, where it is not the same already; `list` is called `package.json` there.
pub(crate) fn copy_scripts(from: &Path, to: &Path, list: &str) {
    for entry in std::fs::read_dir(from).expect("the scripts") {
        let entry = entry.expect("a file");
        let name = if entry.file_name() == list { "package.json".into() } else { entry.file_name() };
        write_whole(&to.join(name), &std::fs::read(entry.path()).expect("a file of ours"));
    }
}

/// Writes a file, where it is not so already, so that another process reads the old bytes or the new ones.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) {
    if std::fs::read(path).is_ok_and(|found| found == bytes) {
        return;
    }
    let beside = path.with_added_extension(std::process::id().to_string());
    std::fs::write(&beside, bytes).expect("the folder is ours");
    std::fs::rename(beside, path).expect("the folder is ours");
}

/// Installs what `package.json` in a folder lists, unless `wanted` is what was installed there the last time.
pub(crate) fn npm_install(place: &Path, wanted: &str, finish: impl FnOnce(&Path)) {
    let marker = place.join("installed");
    if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
        return;
    }
    // What an install that was broken off has left would be taken for whole.
    if let Err(error) = std::fs::remove_dir_all(place.join("node_modules")) {
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
    // No lock file: it would name the registry of the machine that wrote it.
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-package-lock", "--no-audit", "--no-fund", "--silent"]);
    done(npm.current_dir(place), "npm install");
    finish(place);
    std::fs::write(&marker, wanted).expect("the environment is ours");
}
