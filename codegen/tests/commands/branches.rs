//! What git holds of a change: as much as the change is about, and nothing that two branches could both want to change.

use std::{fs, path::Path, process::Command};

use super::Project;

/// Files that are not marked as generated.
const WRITTEN_FILES_MAX: usize = 8;
/// Lines of the spec, beside examples.
const WRITTEN_LINES_MAX: usize = 20;
/// All files, with what is generated.
const FILES_MAX: usize = 17;
/// Lines that come in all files.
const ADDED_MAX: usize = 330;
/// Lines that go in all files.
const REMOVED_MAX: usize = 10;

const OPERATION: &str = "  things.mend:
    doc: A broken thing is made whole.
    route: POST /v1/things/{thing}:mend
    envelope: o
    auth: [bearer]
    path: {thing: {type: string, doc: Its name.}}
    ok: Thing
    errors: [$auth, NOT_BROKEN]
    moves: [thing.smash, thing.mend]
    fact: things-mend
";
const FACT: &str = "
facts:
  things-mend: {about: [operations.things.mend], choice: It may be mended., because: It breaks., status: decided, when: 2026-11-26}
";
/// A decision more, so that the list of them has an end that no branch changes.
const OTHER_FACT: &str = "
facts:
  tools: {about: [limits.things], choice: There are few., because: It is small., status: decided, when: 2026-11-21}
";
const CODE: &str =
    "  NOT_BROKEN: {kind: bad, http: 409, say: \"'{thing}' is whole\", do: leave it, with: {thing: string}}\n";
const MOVES: &str = "      smash: {doc: It breaks., from: open, to: broken, by: things.mend}
      mend: {doc: It is mended., from: broken, to: fresh, by: things.mend}
";

/// The small golden spec in files, as a large one is, in a repository with all that follows from it.
fn repository() -> Project {
    let project = Project(tempfile::tempdir().expect("a folder"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mini = fs::read_to_string(root.join("tests/golden/mini/spec/mini.yaml")).expect("a text");
    let (head, rest) = mini.split_once("\noperations:\n").expect("operations");
    let (operations, tail) = rest.split_once("\ntypes:\n").expect("types");
    let (things, rest) = operations.split_once("  pictures.draw:\n").expect("operations of two groups");
    let (pictures, later) = rest.split_once("  things.later:\n").expect("operations of two groups");
    let file = |entries: &str| {
        format!("# yaml-language-server: $schema=../dist/spec.schema.json\nfact: small\n\noperations:\n{entries}")
    };
    for (path, text) in [
        ("spec/mini.yaml", format!("{head}\n\ntypes:\n{tail}").replacen("\nfacts:\n", OTHER_FACT, 1)),
        ("spec/operations/things.yaml", file(&format!("{things}  things.later:\n{later}"))),
        ("spec/operations/pictures.yaml", file(&format!("  pictures.draw:\n{}\n", pictures.trim_end()))),
        (".gitattributes", fs::read_to_string(root.join(".gitattributes")).expect("a text")),
    ] {
        let path = project.0.path().join(path);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, text).expect("it can be written");
    }
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    generate(&project);
    commit(&project);
    project
}

fn git(project: &Project, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").current_dir(project.0.path());
    let output = git.args(arguments).output().expect("git runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{arguments:?}: {told}{}", String::from_utf8_lossy(&output.stderr));
    told
}

fn commit(project: &Project) {
    git(project, &["add", "--all"]);
    git(project, &["commit", "--quiet", "--message=a change"]);
}

fn generate(project: &Project) {
    let generated = project.run(&[]);
    assert!(generated.good, "{}", generated.err);
}

/// Lines that came and that went, by path, in what is staged.
fn changed(project: &Project, paths: &[&str]) -> Vec<(usize, usize, String)> {
    let told = git(project, &[&["diff", "--cached", "--numstat", "--no-renames", "--"], paths].concat());
    let lines = told.lines().map(|line| {
        let [added, removed, path] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (added.parse().expect("a number"), removed.parse().expect("a number"), path.to_owned())
    });
    lines.collect()
}

#[test]
fn a_change_is_as_large_as_what_it_is_about() {
    let project = repository();
    let things = "spec/operations/things.yaml";
    project.edit(things, "  things.later:\n", &format!("{OPERATION}\n  things.later:\n"));
    let path = project.0.path().join(things);
    fs::write(&path, project.read(things) + FACT).expect("it can be written");
    project.edit("spec/mini.yaml", "\ngroups:\n", &format!("{CODE}\ngroups:\n"));
    project.edit("spec/mini.yaml", "states: [fresh, open, closed]", "states: [fresh, open, broken, closed]");
    project.edit("spec/mini.yaml", "      close: {doc", &format!("{MOVES}      close: {{doc"));
    generate(&project);
    git(&project, &["add", "--all"]);

    let written = changed(&project, &[".", ":(exclude,attr:linguist-generated=true)"]);
    assert!((1..=WRITTEN_FILES_MAX).contains(&written.len()), "{written:?}");
    let lines: usize = written.iter().map(|(added, _, _)| added).sum();
    assert!((1..=WRITTEN_LINES_MAX).contains(&lines), "{written:?}");
    let all = changed(&project, &["."]);
    assert!(all.len() <= FILES_MAX, "{} files: {all:?}", all.len());
    let added: usize = all.iter().map(|(added, _, _)| added).sum();
    let removed: usize = all.iter().map(|(_, removed, _)| removed).sum();
    assert!(added <= ADDED_MAX && removed <= REMOVED_MAX, "+{added} -{removed}: {all:?}");
}

/// A line more at the head of a file is of nobody's concern.
#[test]
fn lines_that_say_nothing_change_nothing() {
    let project = repository();
    for path in ["spec/mini.yaml", "spec/operations/things.yaml", "spec/operations/pictures.yaml"] {
        let text = project.read(path).replacen("fact: small\n", "# A remark.\n\nfact: small\n", 1);
        fs::write(project.0.path().join(path), text).expect("it can be written");
    }
    let fresh = project.run(&["--check"]);
    assert!(fresh.good, "{}", fresh.out);
}

/// Merges two branches, each with a change of its own. What was generated on them together is what follows from both.
fn merged(one: impl FnOnce(&Project), other: impl FnOnce(&Project)) {
    let project = repository();
    git(&project, &["checkout", "--quiet", "-b", "one"]);
    one(&project);
    generate(&project);
    commit(&project);
    git(&project, &["checkout", "--quiet", "-b", "other", "main"]);
    other(&project);
    generate(&project);
    commit(&project);
    git(&project, &["merge", "--quiet", "--no-edit", "one"]);
    let fresh = project.run(&["--check"]);
    assert!(fresh.good, "{}{}", fresh.out, fresh.err);
}

/// Adds an operation as its author would, with the command.
fn add(project: &Project, name: &str) {
    let file = format!("spec/operations/{}.yaml", name.split('.').next().expect("a group"));
    let added = project.run(&["new", "operation", name]);
    assert!(added.good, "{}", added.err);
    let routed = format!("  {name}:\n");
    project.edit(&file, &format!("{routed}    stage: planned\n"), &routed);
}

#[test]
fn branches_that_add_operations_to_different_files_do_not_conflict() {
    merged(|project| add(project, "things.zap"), |project| add(project, "pictures.frame"));
}

#[test]
fn branches_that_add_operations_to_one_file_do_not_conflict() {
    let insert = |project: &Project, name: &str, before: &str| {
        let verb = name.split('.').nth(1).expect("a verb");
        let entry = format!(
            "  {name}:\n    doc: Something.\n    route: POST /v1/{verb}\n    auth: [bearer]\n    envelope: o\n    ok: Thing\n    \
             errors: [$auth]\n\n"
        );
        project.edit("spec/operations/things.yaml", before, &format!("{entry}{before}"));
    };
    merged(
        |project| insert(project, "things.ask", "  things.get:\n"),
        |project| insert(project, "things.zip", "  things.relay:\n"),
    );
}
