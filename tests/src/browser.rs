//! A browser that people's pages are tried in: Chromium as the system has it, driven by scripts of `tests/sdk/browser` over
//! its own protocol. The driver comes by npm into a folder under the target folder, and downloads no browser.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::node::install;

/// Runs a script and gives back what it printed. It is told what `env` says, and in `BROWSER` what it starts.
///
/// # Panics
/// When Node, npm or the package index is not there, or no browser is installed: `tests/run` installs one.
#[must_use]
pub fn run(script: &str, env: &[(&str, &str)]) -> Output {
    static ENVIRONMENT: OnceLock<PathBuf> = OnceLock::new();
    let environment = ENVIRONMENT.get_or_init(|| install("browser", "current"));
    let mut command = Command::new("node");
    command.arg(environment.join(script)).env("BROWSER", browser()).envs(env.iter().copied());
    command.output().expect("node runs")
}

/// Where the system has it.
fn browser() -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join("chromium")).find(|path| path.is_file());
    found.expect("chromium is installed; tests/run does it")
}
