//! The commands of the binary, on copies of the small sound spec in `tests/golden/mistakes/base`.

mod branches;
mod package;
mod story;
mod stubs;

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use tempfile::TempDir;
use tollgate_spec_language::{diagnostics::DiagnosticCode, diff::classes, load, parse::SpecSources};

/// A project with the base spec.
struct Project(TempDir);

/// What a command answered.
struct Answer {
    good: bool,
    out: String,
    err: String,
}

impl Project {
    fn new() -> Self {
        Self::of("base")
    }

    /// A project with a spec of `tests/golden/mistakes/`.
    fn of(spec: &str) -> Self {
        let project = Self(tempfile::tempdir().expect("a folder"));
        let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/mistakes").join(spec);
        copy(&spec, &project.0.path().join("spec"));
        project
    }

    fn run(&self, arguments: &[&str]) -> Answer {
        self.run_with_ci("", arguments)
    }

    /// Runs a command where `CI` is set to this.
    fn run_with_ci(&self, ci: &str, arguments: &[&str]) -> Answer {
        let mut command = Command::new(env!("CARGO_BIN_EXE_codegen"));
        let output = command.args(arguments).env("CI", ci).current_dir(self.0.path()).output();
        let Output { status, stdout, stderr } = output.expect("the binary runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Answer { good: status.success(), out: text(stdout), err: text(stderr) }
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).expect("a text")
    }

    /// Replaces a text in a file.
    fn edit(&self, path: &str, was: &str, now: &str) {
        let text = self.read(path);
        assert!(text.contains(was), "{path} has {was}");
        fs::write(self.0.path().join(path), text.replace(was, now)).expect("it can be written");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("it can be copied");
        }
    }
}

#[test]
fn check_tells_how_many_and_where() {
    let project = Project::new();
    let sound = project.run(&["check"]);
    assert!(sound.good, "{}", sound.err);
    assert_eq!(sound.err, "0 errors, 0 warnings in 5 files\n");
    project.edit("spec/facts.yaml", "choice: Newest", "chioce: Newest");
    let broken = project.run(&["check"]);
    assert!(!broken.good);
    assert!(broken.err.contains("error[K001]: unknown key `chioce`\n  --> spec/facts.yaml:14:5"), "{}", broken.err);
    assert!(broken.err.contains("help: did you mean `choice`?"), "{}", broken.err);
    assert!(broken.err.ends_with("1 error, 0 warnings in 5 files\n"), "{}", broken.err);
}

/// A handler compiles and runs before its examples are written; a change is whole with them.
#[test]
fn a_missing_example_waits_until_the_change_is_whole() {
    let project = Project::new();
    project.edit("spec/service.yaml", "one of everything.}", "one of everything., examples: required}");
    let working = project.run(&["check"]);
    assert!(working.good && working.err.contains("warning[X005]: the operation `orders.get`"), "{}", working.err);
    let made = project.run(&[]);
    assert!(made.good && made.err.contains("wrote spec/dist/openapi.json"), "{}", made.err);
    for whole in [project.run(&["check", "--strict"]), project.run(&["--strict"]), project.run_with_ci("true", &[])] {
        assert!(!whole.good && whole.err.contains("error[X005]: the operation `orders.get`"), "{}", whole.err);
    }
    assert!(project.run_with_ci("false", &["check"]).good);
}

#[test]
fn complaints_can_be_read_by_programs() {
    let project = Project::new();
    project.edit("spec/facts.yaml", "choice: Newest", "chioce: Newest");
    let broken = project.run(&["check", "--json"]);
    let complaint: serde_json::Value = serde_json::from_str(broken.out.trim()).expect("one object in one line");
    assert_eq!(complaint["code"], "K001");
    assert_eq!(complaint["primary"]["place"]["line"], 14);
    assert_eq!(complaint["suggestion"]["text"], "choice");
}

#[test]
fn colour_only_where_it_is_asked_for() {
    let project = Project::new();
    project.edit("spec/facts.yaml", "choice: Newest", "chioce: Newest");
    assert!(!project.run(&["check"]).err.contains('\u{1b}'));
    assert!(project.run(&["check", "--color", "always"]).err.contains('\u{1b}'));
}

#[test]
fn facts_fail_while_a_gap_is_open() {
    let project = Project::new();
    let decided = project.run(&["facts"]);
    assert!(decided.good && decided.out.contains("§2    list-order    decided  sorting"), "{}", decided.out);
    project.edit(
        "spec/facts.yaml",
        "because: It is read most.\n    status: decided",
        "because: Nobody knows.\n    status: open",
    );
    let open = project.run(&["facts"]);
    assert!(!open.good && open.out.contains("1 gap"), "{}{}", open.out, open.err);
}

#[test]
fn codes_are_explained() {
    let project = Project::new();
    let known = project.run(&["explain", "o008"]);
    assert!(known.good && known.out.starts_with("O008: a branch that is never taken"), "{}", known.out);
    let unknown = project.run(&["explain", "O0008"]);
    assert!(!unknown.good && unknown.err.contains("did you mean `O008`?"), "{}", unknown.err);
    assert!(project.run(&["explain"]).out.contains("K001  "));
    let elsewhere = Project(tempfile::tempdir().expect("a folder"));
    assert!(elsewhere.run(&["explain", "K001"]).good, "complaints can be explained anywhere");
}

/// Every complaint, every error code of the service itself and every class of change, in one run.
#[test]
fn every_code_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let loaded = load(&SpecSources::read(&root).expect("the spec"));
    let mut codes: Vec<&str> = DiagnosticCode::all().map(DiagnosticCode::as_str).collect();
    codes.extend(loaded.spec.errors.keys().map(String::as_str));
    codes.extend(classes().map(|class| class.id));
    assert!(loaded.spec.errors.len() > 60, "the codes of the service are there");
    let root = root.to_str().expect("a path");
    let arguments: Vec<&str> = ["--root", root, "explain"].into_iter().chain(codes.iter().copied()).collect();
    let told = Project::new().run(&arguments);
    assert!(told.good, "{}", told.err);
    for code in &codes {
        let head = format!("{code}: ");
        let mut lines = told.out.lines().skip_while(|line| !line.starts_with(&head));
        let title = lines.next().unwrap_or_else(|| panic!("{code} is not explained"));
        assert!(title.len() > head.len(), "{title}");
        // A blank line, and then more than the title said.
        assert!(lines.next() == Some("") && lines.next().is_some_and(|line| !line.is_empty()), "{code}");
    }
    let one = &told.out[told.out.find("\nORDER_NOT_FOUND: ").expect("an error code")..];
    assert!(one.contains("  to do:") && one.contains("  status:") && one.contains("  declared:   spec/"), "{one}");
}

/// What clients see is a name of one format, which several codes may have.
#[test]
fn names_on_the_wire_are_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let loaded = load(&SpecSources::read(&root).expect("the spec"));
    let root = root.to_str().expect("a path");
    let mut names = 0;
    for (code, error) in &loaded.spec.errors {
        for name in [&error.names.o, &error.names.a, &error.names.g].into_iter().flatten() {
            let told = Project::new().run(&["--root", root, "explain", &name.value]);
            assert!(told.good && told.out.contains(&format!("{code}: ")), "{}: {}{}", name.value, told.out, told.err);
            names += 1;
        }
    }
    assert!(names > 6, "{names}");
    let all = Project::new().run(&["--root", root, "explain", "INVALID_API_KEY"]).out;
    let heads = ["KEY_MISSING: ", "KEY_INVALID: ", "KEY_DISABLED: ", "KEY_EXPIRED: "];
    assert!(heads.iter().all(|head| all.lines().any(|line| line.starts_with(head))), "{all}");
    let unknown = Project::new().run(&["--root", root, "explain", "invalid_api_kex"]);
    assert!(!unknown.good && unknown.err.contains("did you mean `invalid_api_key`?"), "{}", unknown.err);
}

/// Ctrl-C is a signal; the process says what it has done line by line.
#[test]
fn what_changes_is_generated_again_until_it_is_ended() {
    let project = Project::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_codegen"))
        .arg("watch")
        .current_dir(project.0.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let (lines, heard) = mpsc::channel();
    let stderr = BufReader::new(child.stderr.take().expect("its standard error"));
    let listener = thread::spawn(move || stderr.lines().map_while(Result::ok).for_each(|line| drop(lines.send(line))));
    let until = |end: &str| {
        let mut told = Vec::new();
        loop {
            let line =
                heard.recv_timeout(Duration::from_secs(120)).unwrap_or_else(|_| panic!("no `{end}` in {told:?}"));
            told.push(line);
            if told.last().is_some_and(|line| line.starts_with(end)) {
                return told.join("\n");
            }
        }
    };
    assert!(until("fresh after ").contains("wrote spec/dist/resolved.json"));
    project.edit("spec/facts.yaml", "choice: Newest", "chioce: Newest");
    let broken = until("not generated after ");
    assert!(broken.contains("error[K001]: unknown key `chioce`"), "{broken}");
    project.edit("spec/facts.yaml", "chioce: Newest", "choice: The newest");
    let mended = until("fresh after ");
    assert!(mended.contains("wrote spec/dist/decisions.md") && !mended.contains("machines.sql"), "{mended}");
    let pid = child.id().to_string();
    // Not SIGINT: who starts the tests in the background has that one ignored, and children inherit it.
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    let ended = child.wait().expect("it ends");
    assert_eq!(ended.signal(), Some(15), "{ended}");
    listener.join().expect("the listener ends with it");
}

#[test]
fn outputs_are_written_and_then_fresh() {
    let project = Project::new();
    assert!(!project.run(&["--check"]).good, "nothing is there yet");
    let written = project.run(&[]);
    assert!(written.good, "{}", written.err);
    for fresh in [&["--check"][..], &["gen", "--check"], &["gen"]] {
        let answer = project.run(fresh);
        assert!(answer.good && answer.err.contains("up to date"), "{fresh:?}: {}", answer.err);
    }
    project.edit("spec/dist/states.md", "order", "odrer");
    let stale = project.run(&["--check"]);
    assert!(!stale.good && stale.out.contains("cargo codegen"), "{}", stale.out);
}

/// As in `codegen schema | head`: what is not read is dropped, and nothing else changes.
#[test]
fn a_reader_that_went_away_changes_nothing() {
    let project = Project::new();
    project.edit("spec/facts.yaml", "choice: Newest", "chioce: Newest");
    for (arguments, good) in [
        (&["schema"][..], true),
        (&["explain"], true),
        (&["explain", "O0008"], false),
        (&["check"], false),
        (&["check", "--json"], false),
        (&["facts"], false),
        (&["new", "operation", "orders.refund"], false),
    ] {
        let closed = || {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            writer
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_codegen"));
        let status = command.args(arguments).current_dir(project.0.path()).stdout(closed()).stderr(closed()).status();
        assert_eq!(status.expect("the binary runs").code(), Some(i32::from(!good)), "{arguments:?}");
    }
}

#[test]
fn the_schema_is_printed() {
    let schema: serde_json::Value = serde_json::from_str(&Project::new().run(&["schema"]).out).expect("JSON");
    assert_eq!(schema["additionalProperties"], false);
}

/// An editor completes names, and takes one that is not there yet: that one is for `check`, which says where and suggests.
#[test]
fn names_are_offered_and_none_is_forbidden() {
    let project = Project::new();
    assert!(project.run(&[]).good);
    let schema: serde_json::Value = serde_json::from_str(&project.read("spec/dist/spec.schema.json")).expect("JSON");
    let offered = |list: &str| {
        let names = schema["$defs"][list]["anyOf"][0]["enum"].as_array().expect("names").clone();
        names.into_iter().map(|name| name.as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    for (list, name) in [
        ("CodeName", "ORDER_EXPIRED"),
        ("CodeOrGroupName", "$order"),
        ("TypeName", "OrderRequest"),
        ("TypeName", "unix_seconds"),
        ("LimitName", "pending_orders"),
        ("FactName", "sorting"),
        ("HeaderName", "a-version"),
        ("MoveName", "card_order.settle"),
    ] {
        let names = offered(list);
        assert!(names.iter().any(|offered| offered == name) && names.is_sorted(), "{name} in {names:?}");
    }
    let errors = &schema["$defs"]["Operation"]["properties"]["errors"]["items"]["$ref"];
    assert_eq!(errors, "#/$defs/CodeOrGroupName");
    project.edit("spec/operations/orders.yaml", "errors: [$order]\n    idempotent", "errors: [$odrer]\n    idempotent");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let sources = SpecSources::read(project.0.path()).expect("the spec");
    for (id, file) in sources.files() {
        let tree = tollgate_spec_language::parse::parse(id, file, &mut Vec::new());
        let json = tree.root.expect("a mapping").to_json();
        assert!(validator.is_valid(&json), "{}", file.path);
    }
    let checked = project.run(&["check"]);
    assert!(!checked.good && checked.err.contains("did you mean `$order`?"), "{}", checked.err);
}

#[test]
fn a_folder_without_a_spec_is_said_to_be_one() {
    let empty = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_codegen")).arg("check").current_dir(empty.path()).output();
    let output = output.expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no folder `spec`"));
}
