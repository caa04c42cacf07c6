//! The story of a maintainer: an operation with two error codes and a state move, from the first command to what the
//! compiler is told to say, on a copy of the small golden spec. What is said in between is held here word for word; what the
//! compiler then says, in `tests/it/spec/maintainer.rs`.

#[path = "../../../tests/it/spec/maintainer/added.rs"]
mod added;

use std::{fs, path::Path};

use super::Project;
use added::{CODES, FACT, MOVE, OPERATION};

/// What a maintainer may have to write, beside the lines that the command wrote.
const LINES_MAX: usize = 20;

fn small() -> Project {
    let project = Project(tempfile::tempdir().expect("a folder"));
    let spec = project.0.path().join("spec");
    fs::create_dir(&spec).expect("a folder");
    let mini = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/mini/spec/mini.yaml");
    fs::copy(mini, spec.join("mini.yaml")).expect("it can be copied");
    project
}

/// The first lines of complaints, and the lines that say where.
fn complaints(told: &str) -> Vec<String> {
    let lines = told.lines().filter(|line| line.starts_with("error") || line.trim_start().starts_with("-->"));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// The lines of the spec.
fn lines(project: &Project) -> Vec<String> {
    let texts = ["spec/mini.yaml", "spec/operations/things.yaml"];
    texts.into_iter().flat_map(|path| project.read(path).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn an_operation_is_added_with_two_codes_and_a_move() {
    let (before, project) = (small(), small());
    assert!(project.run(&[]).good);

    let stub = project.run(&["new", "operation", "things.mend"]);
    assert!(stub.good, "{}", stub.err);
    let given = lines(&project);
    let text = project.read("spec/operations/things.yaml");
    let at = text.find("  things.mend:\n").expect("the stub");
    fs::write(project.0.path().join("spec/operations/things.yaml"), format!("{}{OPERATION}", &text[..at]))
        .expect("it can be written");
    for (was, now) in FACT {
        project.edit("spec/operations/things.yaml", was, now);
    }
    assert_eq!(
        complaints(&project.run(&["check"]).err),
        [
            "error[R005]: unknown error code `NOT_BROKEN`",
            "--> spec/operations/things.yaml:19:21",
            "error[R005]: unknown error code `TOO_OLD`",
            "--> spec/operations/things.yaml:19:33",
            "error[R010]: unknown move of `thing` `mend`",
            "--> spec/operations/things.yaml:20:19",
        ]
    );

    project.edit("spec/mini.yaml", "\ngroups:\n", &format!("{CODES}\ngroups:\n"));
    assert_eq!(complaints(&project.run(&["check"]).err).len(), 2, "the move is left");
    project.edit("spec/mini.yaml", "      close: {doc", &format!("{MOVE}      close: {{doc"));
    let generated = project.run(&[]);
    assert!(generated.good, "{}", generated.err);
    let by_hand = lines(&project).into_iter().filter(|line| !given.contains(line)).count();
    assert!((1..=LINES_MAX).contains(&by_hand), "{by_hand}");

    what_the_compiler_says(&project);
    let changed = project.run(&["diff", before.0.path().to_str().expect("a path")]);
    assert!(changed.good, "nobody breaks by it: {}", changed.out);
    let classes: Vec<&str> = changed.out.lines().filter_map(|line| line.strip_prefix("compatible[")).collect();
    let classes: Vec<&str> = classes.iter().filter_map(|line| Some(line.split_once(']')?.0)).collect();
    assert_eq!(classes, ["operation-added", "code-added", "code-added", "move-added"]);
}

/// The words that rustc prints where the handler is missing, and the handler that they ask for.
fn what_the_compiler_says(project: &Project) {
    let operation = project.read("server/crates/api/src/generated/ops/things.rs");
    for words in [
        "message = \"operation `things.mend` (POST /v1/things/{{*thing}}:mend) has no handler on `{Self}`\"",
        "label = \"missing `impl MendThing for {Self}`\"",
        "note = \"declared at spec/operations/things.yaml: things.mend\"",
        "note = \"add: impl MendThing for {Self} {{ async fn mend_thing(&self, cx: &Cx, input: MendThingInput) -> \
         Result<Thing, MendThingError> {{ .. }} }}\"",
        "#[code(NOT_BROKEN)]\n    NotBroken { thing: String },",
        "#[code(TOO_OLD)]\n    TooOld,",
    ] {
        assert!(operation.contains(words), "{words} in {operation}");
    }
    let machine = project.read("server/crates/api/src/generated/machines/thing.rs");
    assert!(machine.contains("Mend = \"mend\" { from: [Open], to: Fresh, by: [ThingsMend], spec: "), "{machine}");
    let migration = project.read("server/crates/store/migrations/sqlite/machines.sql");
    assert!(migration.contains("(OLD.state IS 'open' AND NEW.state IS 'fresh')"), "{migration}");
}
