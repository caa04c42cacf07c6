//! Python with the official SDKs, in environments of the tests' own under the target folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::script::{alone_in, done, sdk_folder, target_folder};

/// Which SDKs are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// Today's.
    Current,
    /// Those before the last break of their interfaces, which most programs still use.
    Previous,
    /// None: what checks code and documents.
    Tools,
}

/// Runs a script of `tests/sdk/python` and gives back what it printed.
///
/// # Panics
/// When Python or the package index is not there.
#[must_use]
pub fn run(generation: Generation, script: &str, env: &[(&str, &str)]) -> Output {
    run_in(environment(generation), &folder().join(script), env)
}

/// Runs a script with the newest SDKs that the package index has, whatever is pinned, and gives back what it printed.
///
/// # Panics
/// When Python or the package index is not there.
#[must_use]
pub fn run_newest(script: &str, env: &[(&str, &str)]) -> Output {
    static NEWEST: OnceLock<PathBuf> = OnceLock::new();
    let environment = NEWEST.get_or_init(|| {
        // What was the newest once may not be now.
        drop(std::fs::remove_file(environment_folder("newest").join(MARKER)));
        install("newest")
    });
    run_in(environment, &folder().join(script), env)
}

/// Runs a script, wherever it lies, with the payment protocol's own client, and gives back what it printed.
///
/// # Panics
/// When Python or the package index is not there.
#[must_use]
pub fn pay(script: &Path, env: &[(&str, &str)]) -> Output {
    static PAYER: OnceLock<PathBuf> = OnceLock::new();
    run_in(PAYER.get_or_init(|| install("payer")), &folder().join(script), env)
}

/// Runs a script of `tests/sdk/python` with the tool that tries out what OpenAPI says, and gives back what it printed.
///
/// # Panics
/// When Python or the package index is not there.
#[must_use]
pub fn fuzz(script: &str, env: &[(&str, &str)]) -> Output {
    static FUZZER: OnceLock<PathBuf> = OnceLock::new();
    run_in(FUZZER.get_or_init(|| install("fuzzer")), &folder().join(script), env)
}

/// Runs a script of `tests/sdk/python` with the frameworks that programs are built on, and gives back what it printed.
///
/// # Panics
/// When Python or the package index is not there.
#[must_use]
pub fn framework(script: &str, env: &[(&str, &str)]) -> Output {
    static FRAMEWORKS: OnceLock<PathBuf> = OnceLock::new();
    run_in(FRAMEWORKS.get_or_init(|| install("frameworks")), &folder().join(script), env)
}

fn run_in(environment: &Path, script: &Path, env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(environment.join("bin/python"));
    // What it compiles is compiled once, and is not beside scripts that are committed.
    command.arg(script).envs(env.iter().copied()).env("PYTHONPYCACHEPREFIX", environment.join("pycache"));
    command.output().expect("the script runs")
}

/// A program of the environment of tools.
#[must_use]
pub fn tool(name: &str) -> Command {
    Command::new(environment(Generation::Tools).join("bin").join(name))
}

/// A program that reads OpenAPI: a generator, or the checker of what it makes.
///
/// # Panics
/// When Python or the package index is not there.
#[must_use]
pub fn openapi_tool(name: &str) -> Command {
    static TOOLS: OnceLock<PathBuf> = OnceLock::new();
    let programs = TOOLS.get_or_init(|| install("openapi_tools")).join("bin");
    let mut command = Command::new(programs.join(name));
    // Generators call formatters that lie beside them.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(programs).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(folders).expect("folders"));
    command
}

fn environment(generation: Generation) -> &'static Path {
    static CURRENT: OnceLock<PathBuf> = OnceLock::new();
    static PREVIOUS: OnceLock<PathBuf> = OnceLock::new();
    static TOOLS: OnceLock<PathBuf> = OnceLock::new();
    match generation {
        Generation::Tools => TOOLS.get_or_init(|| install("tools")),
        Generation::Current => CURRENT.get_or_init(|| install("current")),
        Generation::Previous => PREVIOUS.get_or_init(|| install("previous")),
    }
}

/// Holds what was installed, once that is done.
const MARKER: &str = "installed.txt";

fn environment_folder(generation: &str) -> PathBuf {
    target_folder().join(format!("sdk-python-{generation}"))
}

/// The environment, made at the first call and kept between runs while its list of packages stays the same.
fn install(generation: &str) -> PathBuf {
    kept(generation, |environment, list| {
        static INSTALLER: OnceLock<PathBuf> = OnceLock::new();
        let programs = INSTALLER.get_or_init(installer).join("bin");
        let uv = || {
            let mut uv = Command::new(programs.join("uv"));
            uv.env("UV_CACHE_DIR", target_folder().join("uv")).envs(package_index(&programs));
            uv
        };
        let mut venv = uv();
        venv.args(["venv", "--quiet", "--clear", "--python"]).arg(programs.join("python"));
        done(venv.arg(environment), "uv venv");
        let mut install = uv();
        install.args(["pip", "install", "--quiet", "--refresh", "--python"]).arg(environment.join("bin/python"));
        done(install.arg("--requirement").arg(list), "uv pip install");
    })
}

/// The package index of pip's configuration, as variables of uv, which reads no other.
fn package_index(programs: &Path) -> Vec<(&'static str, String)> {
    let told = Command::new(programs.join("python")).args(["-m", "pip", "config", "list"]).output();
    let told = String::from_utf8(told.expect("pip runs").stdout).expect("a configuration is text");
    let names = [("index-url", "UV_DEFAULT_INDEX"), ("extra-index-url", "UV_INDEX"), ("cert", "SSL_CERT_FILE")];
    let lines = told.lines().filter_map(|line| line.split_once('='));
    let named = lines.filter_map(|(key, value)| {
        let (_, name) = names.iter().find(|(of_pip, _)| key.rsplit('.').next() == Some(of_pip))?;
        Some((*name, value.trim_matches('\'').replace("\\n", " ")))
    });
    named.collect()
}

/// The environment of what makes the others: pip takes a minute for some of them, and this a few seconds.
fn installer() -> PathBuf {
    kept("installer", |environment, list| {
        done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(environment), "python3 -m venv");
        let mut pip = Command::new(environment.join("bin/python"));
        done(pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(list), "pip install");
    })
}

/// The folder of an environment, which `make` fills with what a list names where that is not what it was filled with.
fn kept(generation: &str, make: impl FnOnce(&Path, &Path)) -> PathBuf {
    let list = folder().join(format!("{generation}.txt"));
    let wanted = std::fs::read_to_string(&list).expect("the list of packages");
    let environment = environment_folder(generation);
    let marker = environment.join(MARKER);
    alone_in(&environment, || {
        if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
            return;
        }
        make(&environment, &list);
        std::fs::write(&marker, wanted).expect("the environment is ours");
    });
    environment
}

fn folder() -> PathBuf {
    sdk_folder().join("python")
}
