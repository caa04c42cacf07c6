//! `codegen client` in a folder that already has something in it.

use std::{fs, path::Path, process::Command};

use super::{Answer, Project};

/// The resolved spec of the project itself.
const RESOLVED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/dist/resolved.json");

/// That of a small service with a little of everything.
const MINI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/mini/spec/dist/resolved.json");

fn client(project: &Project, language: &str, resolved: &str) -> Answer {
    let answer = project.run(&["client", "--lang", language, "--out", "made", "--resolved", resolved]);
    assert!(answer.good, "{}", answer.err);
    answer
}

/// The files below a folder, without the list.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder).expect("below it").display().to_string());
            }
        }
    }
    found.retain(|path| path != ".codegen-client.json");
    found.sort_unstable();
    found
}

#[test]
fn what_a_client_has_no_more_is_removed_and_nothing_else() {
    let project = Project::new();
    let (made, path) = (project.0.path().join("made"), |name: &str| project.0.path().join("made").join(name));
    client(&project, "python", RESOLVED);
    let python = files(&made);
    // What is not listed, what lies beside it, what was changed, and what a list may say but not reach.
    fs::write(path("src/tollgate_client/calls/own.py"), "").expect("written");
    fs::write(path("notes.txt"), "").expect("written");
    fs::write(path("src/tollgate_client/_client.py"), "# Changed.\n").expect("written");
    let outside = project.0.path().join("outside.txt");
    fs::write(&outside, "").expect("written");
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let outside_path = outside.display().to_string();
    for elsewhere in ["../outside.txt", outside_path.as_str()] {
        let entry = format!("\"files\": {{\n    \"{elsewhere}\": \"{empty}\",");
        project.edit("made/.codegen-client.json", "\"files\": {", &entry);
    }
    let answer = client(&project, "typescript", RESOLVED);
    let left = files(&made);
    assert!(left.contains(&"src/client.ts".to_owned()), "{left:?}");
    let of_python: Vec<&String> = left.iter().filter(|path| path.starts_with("src/tollgate_client")).collect();
    assert_eq!(of_python, ["src/tollgate_client/_client.py", "src/tollgate_client/calls/own.py"], "{left:?}");
    assert!(left.contains(&"notes.txt".to_owned()) && outside.exists());
    // Both have a README.md; it was written over and not removed.
    let removed = python.iter().filter(|path| path.starts_with("src/") || *path == "pyproject.toml").count() - 1;
    assert!(answer.err.contains(&format!("removed {removed} that")), "{}", answer.err);
    assert!(answer.err.contains("left src/tollgate_client/_client.py"), "{}", answer.err);
    assert!(!path("src/tollgate_client/types").exists(), "folders that have become empty go too");
}

#[test]
fn a_group_that_is_gone_takes_its_file_with_it_and_the_rest_is_not_touched() {
    let project = Project::new();
    client(&project, "rust", RESOLVED);
    let modified =
        |path: &str| fs::metadata(project.0.path().join(path)).and_then(|found| found.modified()).expect("a time");
    let before = modified("made/src/runtime/mod.rs");
    let mut resolved: serde_json::Value =
        serde_json::from_slice(&fs::read(RESOLVED).expect("it is committed")).expect("JSON");
    resolved["operations"].as_object_mut().expect("an object").retain(|name, _| !name.starts_with("embeddings."));
    fs::write(project.0.path().join("fewer.json"), resolved.to_string()).expect("written");
    assert!(project.0.path().join("made/src/calls/embeddings.rs").exists());
    client(&project, "rust", "fewer.json");
    assert!(!project.0.path().join("made/src/calls/embeddings.rs").exists());
    assert_eq!(modified("made/src/runtime/mod.rs"), before);
}

#[test]
fn what_is_somebody_elses_or_was_changed_is_not_written_over() {
    let project = Project::new();
    let make = |more: &[&str]| {
        let arguments = ["client", "--lang", "typescript", "--out", "made", "--resolved", RESOLVED];
        project.run(&[&arguments, more].concat())
    };
    fs::create_dir(project.0.path().join("made")).expect("a folder");
    fs::write(project.0.path().join("made/package.json"), "{\"name\": \"own\"}").expect("written");
    let refused = make(&[]);
    assert!(!refused.good && refused.err.contains("never made: package.json\n"), "{}", refused.err);
    assert_eq!(files(&project.0.path().join("made")), ["package.json"]);
    assert!(make(&["--force"]).good);
    assert!(make(&[]).good && make(&["--package-version", "0.2.0"]).good, "they are as they were made");
    project.edit("made/package.json", "\"version\": \"0.2.0\"", "\"version\": \"7.0.0\"");
    assert!(!make(&[]).good);
    assert!(project.read("made/package.json").contains("7.0.0"));
}

#[test]
fn a_package_says_what_registries_ask_for() {
    let project = Project::new();
    for (language, manifest, name, told) in [
        (
            "typescript",
            "package.json",
            "@acme/gate",
            [r#""name": "@acme/gate""#, r#""license": "MIT""#, r#""url": "https://"#],
        ),
        (
            "python",
            "pyproject.toml",
            "acme-gate",
            ["name = \"acme-gate\"", "license = \"MIT\"", "Repository = \"https://"],
        ),
        ("rust", "Cargo.toml", "acme-gate", ["name = \"acme-gate\"", "license = \"MIT\"", "repository = \"https://"]),
    ] {
        let address = "https://git.example/gate";
        let said = ["--name", name, "--license", "MIT", "--repository", address, "--out", language];
        let made = project.run(&[&["client", "--lang", language, "--resolved", RESOLVED], &said[..]].concat());
        assert!(made.good, "{}", made.err);
        let manifest = project.read(&format!("{language}/{manifest}"));
        assert!(told.iter().all(|told| manifest.contains(told)), "{manifest}");
        let readme = project.read(&format!("{language}/README.md"));
        assert!(readme.starts_with(&format!("# {name}\n")), "{readme}");
    }
    assert!(project.0.path().join("python/src/acme_gate/py.typed").exists());
}

/// The emitter lays lines out by itself; rustfmt, by the configuration in the package, has nothing to say to it.
#[test]
fn a_package_in_rust_is_laid_out_as_rustfmt_would() {
    let project = Project::new();
    for resolved in [RESOLVED, MINI] {
        client(&project, "rust", resolved);
        let made = project.0.path().join("made");
        let told = Command::new("rustfmt").args(["--check", "src/lib.rs"]).current_dir(made).output();
        let told = told.expect("rustfmt, which the suite has checked its own files with");
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&[told.stdout, told.stderr].concat()));
    }
}

/// A variant of a union is often called like the type that it is made of; the small spec has such a one.
#[test]
fn each_type_of_a_package_has_a_name_of_its_own() {
    let project = Project::new();
    for (language, folder, words) in [
        ("typescript", "src/types", &["export interface ", "export type "][..]),
        ("python", "src/mini_client/types", &["class "]),
        ("rust", "src/types", &["pub struct ", "pub enum ", "pub type "]),
    ] {
        client(&project, language, MINI);
        let folder = project.0.path().join("made").join(folder);
        let texts = files(&folder).into_iter().map(|file| fs::read_to_string(folder.join(file)).expect("a text"));
        let text: String = texts.collect();
        let declared = text.lines().filter_map(|line| words.iter().find_map(|word| line.strip_prefix(word)));
        let mut names: Vec<&str> =
            declared.filter_map(|rest| rest.split(|letter: char| !letter.is_alphanumeric()).next()).collect();
        names.sort_unstable();
        assert!(names.contains(&"PartThing") && names.contains(&"PartThingVariant"), "{language}: {names:?}");
        assert!(names.is_sorted_by(|one, next| one < next), "{language}: {names:?}");
    }
}

/// The pages are in no commit; who wants files has them made, with the same care for what lies in the folder.
#[test]
fn the_pages_are_written_as_files() {
    let project = Project::new();
    assert!(project.run(&[]).good && !project.0.path().join("spec/dist/docs").exists());
    let written = project.run(&["docs", "--out", "pages"]);
    assert!(written.good && written.err.contains("wrote "), "{}", written.err);
    let index = project.read("pages/index.html");
    assert!(
        index.starts_with("<!doctype html>") && project.read("pages/search.json").contains("orders.get"),
        "{index}"
    );
    fs::write(project.0.path().join("pages/index.html"), "mine").expect("written");
    let refused = project.run(&["docs", "--out", "pages"]);
    assert!(!refused.good && refused.err.contains("index.html"), "{}", refused.err);
    assert!(project.run(&["docs", "--out", "pages", "--force"]).good);
    assert_eq!(project.read("pages/index.html"), index);
}

#[test]
fn a_package_is_called_what_its_registry_takes_and_a_program_can_import() {
    let project = Project::new();
    for (language, name) in [
        ("rust", "@acme/gate"),
        ("python", "7"),
        ("typescript", "@acme"),
        ("typescript", "@acme/gate-"),
        ("typescript", "gate-"),
        ("python", "gate_"),
        ("rust", "a--b"),
        ("python", "a-_b"),
        ("python", "class"),
        ("rust", "async"),
        ("rust", "gen"),
    ] {
        let refused =
            project.run(&["client", "--lang", language, "--name", name, "--out", "no", "--resolved", RESOLVED]);
        assert!(!refused.good && refused.err.contains("cannot be called"), "{name}: {}", refused.err);
    }
    assert!(!project.0.path().join("no").exists());
    // A keyword of another language, and digits after a sign.
    for (language, name) in [("rust", "lambda"), ("python", "gate-2_b"), ("typescript", "class")] {
        let made = project.run(&["client", "--lang", language, "--name", name, "--out", name, "--resolved", RESOLVED]);
        assert!(made.good, "{name}: {}", made.err);
    }
}
