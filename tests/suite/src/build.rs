//! Building and linting the workspace, once, and what came of it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::Value;

use crate::case::{Binary, Case};
use crate::environment::Environment;
use crate::machine::Machine;
use crate::marks::SourceMarks;

/// The libraries that the generator is.
const GENERATOR: [&str; 2] = ["tollgate_spec_generator", "tollgate_spec_language"];

/// What a build came to.
#[derive(Debug, Default)]
pub(crate) struct Build {
    pub(crate) succeeded: bool,
    /// Warnings of the compiler and of clippy.
    pub(crate) warnings: usize,
    pub(crate) binaries: Vec<Arc<Binary>>,
    /// Libraries of the generator: its features must not differ between the server's build and the commands.
    generators: BTreeSet<String>,
}

/// Builds everything, test binaries and benches included.
///
/// # Errors
/// When cargo cannot be run, or the notes cannot be written.
pub(crate) fn build(environment: &Environment, timings: bool, machine: &mut Machine) -> io::Result<Build> {
    let mut cargo = environment.cargo("build");
    cargo.args(["--workspace", "--all-targets", "--message-format=json"]);
    if timings {
        cargo.arg("--timings");
    }
    let mut process = cargo.stdout(Stdio::piped()).spawn()?;
    let mut notes = File::create(&environment.built)?;
    let mut build = Build::default();
    let mut shown = BTreeSet::new();
    let lines = process.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
    for line in lines {
        let line = line?;
        writeln!(notes, "{line}")?;
        // As each crate is done: compilers take more memory than anything else here.
        machine.sample();
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        match message["reason"].as_str() {
            Some("compiler-message") => build.report(&message["message"], &mut shown),
            Some("compiler-artifact") => {
                build.binaries.extend(binary(&message).map(Arc::new));
                build.generators.extend(generator(&message));
            }
            _ => {}
        }
    }
    build.succeeded = process.wait()?.success();
    if build.generators.len() > GENERATOR.len() {
        eprintln!("warning: the generator was compiled twice, see codegen/generator/Cargo.toml");
        build.warnings += 1;
    }
    Ok(build)
}

impl Build {
    /// Shows a complaint, once: a library and its tests are compiled both.
    fn report(&mut self, message: &Value, shown: &mut BTreeSet<String>) {
        let rendered = message["rendered"].as_str().unwrap_or_default();
        // The last message of a crate only counts those before it.
        let text = message["message"].as_str().unwrap_or_default();
        let is_count = text.ends_with(" emitted") || text.starts_with("aborting due to");
        if !is_count && shown.insert(rendered.to_owned()) {
            eprint!("{rendered}");
            self.warnings += usize::from(message["level"] == "warning");
        }
    }
}

/// The test binary that a message of cargo is about, if it is one.
fn binary(message: &Value) -> Option<Binary> {
    if message["profile"]["test"] != true {
        return None;
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = package(message["package_id"].as_str()?);
    let target = &message["target"];
    let kind = target["kind"][0].as_str()?;
    if kind == "bench" || kind == "example" {
        return None;
    }
    let name = target["name"].as_str()?;
    Some(Binary {
        prefix: prefix(&package, kind, name, is_room(&folder)),
        is_unit: kind != "test",
        source: PathBuf::from(target["src_path"].as_str()?),
        executable: PathBuf::from(text(&message["executable"])?),
        package,
        folder,
    })
}

/// The file of the generator's library, where the message is about one.
fn generator(message: &Value) -> Option<String> {
    let is_generator =
        GENERATOR.iter().any(|name| message["target"]["name"] == *name) && message["profile"]["test"] == false;
    message["filenames"][0].as_str().filter(|_| is_generator).map(str::to_owned)
}

/// The name in a package id: `path+file:///…/server#tollgate-server@0.1.0`.
fn package(id: &str) -> String {
    let end = id.rsplit('#').next().unwrap_or(id);
    end.split('@').next().unwrap_or(end).to_owned()
}

/// True for the folder of a crate that is a room of the server.
fn is_room(folder: &Path) -> bool {
    folder.parent().is_some_and(|above| above.ends_with("server/crates"))
}

/// What the names of a binary's cases begin with.
fn prefix(package: &str, kind: &str, target: &str, is_room: bool) -> String {
    let package = package.strip_prefix("tollgate-").unwrap_or(package);
    match (package, kind) {
        (room, _) if is_room => format!("server::{room}"),
        ("spec-generator", _) => "codegen::generator".to_owned(),
        ("spec-language", _) => "codegen::language".to_owned(),
        ("tests", "test") => target.to_owned(),
        ("tests", _) => "harness".to_owned(),
        (_, "test") => format!("{package}::{target}"),
        (_, "bin") if package != "suite" => format!("{package}::{target}"),
        _ => package.to_owned(),
    }
}

/// The cases of all binaries.
///
/// # Errors
/// When a binary cannot tell its cases, or a mark in the sources is wrong.
pub(crate) fn cases(build: &Build, environment: &Environment) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    // A library and its program lie in one folder, and the marks of either are read there.
    let mut folders: BTreeMap<&Path, (SourceMarks, Vec<String>)> = BTreeMap::new();
    for binary in &build.binaries {
        let names = listed(binary, environment).map_err(|error| format!("{}: {error}", binary.executable.display()))?;
        let folder = binary.source.parent().unwrap_or(&environment.root);
        let (marks, known) = match folders.entry(folder) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(new) => new.insert((SourceMarks::read(folder)?, Vec::new())),
        };
        cases.extend(names.iter().map(|name| Case::test(binary, name, marks.of(name))));
        known.extend(names);
    }
    for (folder, (marks, known)) in &folders {
        let strays = marks.stray(known);
        if !strays.is_empty() {
            return Err(format!("marks in {} belong to no test: {}", folder.display(), strays.join(", ")));
        }
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(cases)
}

fn listed(binary: &Binary, environment: &Environment) -> io::Result<Vec<String>> {
    let mut command = Command::new(&binary.executable);
    command.args(["--list", "--format", "terse"]).current_dir(&binary.folder);
    environment.configure_test(&mut command);
    let output = command.output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let out = String::from_utf8_lossy(&output.stdout);
    Ok(out.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_named_after_packages_and_targets() {
        for (id, kind, target, expected) in [
            ("path+file:///somewhere/server#tollgate-server@0.1.0", "lib", "tollgate_server", "server"),
            ("path+file:///somewhere/codegen#tollgate-codegen@0.1.0", "test", "mistakes", "codegen::mistakes"),
            ("path+file:///somewhere/generator#tollgate-spec-generator@0.1.0", "lib", "x", "codegen::generator"),
            ("path+file:///somewhere/tests#tollgate-tests@0.1.0", "test", "it", "it"),
            ("path+file:///somewhere/tests#tollgate-tests@0.1.0", "lib", "tollgate_tests", "harness"),
            ("path+file:///somewhere/tests/suite#tollgate-suite@0.1.0", "bin", "suite", "suite"),
        ] {
            assert_eq!(prefix(&package(id), kind, target, false), expected);
        }
        assert!(is_room(Path::new("/somewhere/server/crates/credit")) && !is_room(Path::new("/somewhere/server")));
        assert_eq!(prefix("tollgate-credit", "lib", "tollgate_credit", true), "server::credit");
    }
}
