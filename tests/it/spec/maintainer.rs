//! The story of a maintainer, as the compiler tells it: from the spec with an operation more, which `codegen/tests/commands`
//! writes step by step, to a handler that compiles. What rustc says in between is held here, as far as it is ours.
//!
//! The small service of the golden spec is compiled anew, against what the tests are built of: seconds, and nothing is built.

mod added;
mod stages;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use tollgate_tests::{binary, rustc};

use added::{CODES, FACT, MOVE, OPERATION};
use stages::{STAGES, Stage};

/// The handler that the story ends with.
const HANDLER: &str = include_str!("maintainer/handler.rs");
/// Crates that the small service imports.
const LIBRARIES: [&str; 6] = ["axum", "bytes", "http", "tollgate_api", "tollgate_base", "tollgate_macros"];
/// More would be more than one handler.
const HANDLER_LINES_MAX: usize = 20;

/// The small service with the operation in its spec, and what is generated of that.
struct House(TempDir);

impl House {
    fn build() -> Self {
        let house = Self(tempfile::tempdir().expect("a folder"));
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        house.write("spec/mini.yaml", &read(&tests.join("golden/mini/spec/mini.yaml")));
        house.codegen(&["new", "operation", "things.mend"]);
        let stub = house.read("spec/operations/things.yaml");
        let at = stub.find("  things.mend:\n").expect("the stub");
        house.write("spec/operations/things.yaml", &format!("{}{OPERATION}", &stub[..at]));
        for (was, now) in FACT {
            house.edit("spec/operations/things.yaml", was, now);
        }
        house.edit("spec/mini.yaml", "\ngroups:\n", &format!("{CODES}\ngroups:\n"));
        house.edit("spec/mini.yaml", "      close: {doc", &format!("{MOVE}      close: {{doc"));
        house.codegen(&[]);
        house.write("src/mini_service.rs", &read(&tests.join("src/mini_service.rs")));
        house
    }

    fn codegen(&self, arguments: &[&str]) {
        let mut codegen = Command::new(binary::path().with_file_name("codegen"));
        let output = codegen.args(arguments).current_dir(self.0.path()).output().expect("the generator runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn read(&self, path: &str) -> String {
        read(&self.0.path().join(path))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("the folder is ours");
        fs::write(path, text).expect("the folder is ours");
    }

    fn edit(&self, path: &str, was: &str, now: &str) {
        self.write(path, &edited(&self.read(path), was, now));
    }

    /// What rustc says of a stage of the handler.
    fn told(&self, stage: &Stage) -> Vec<String> {
        let small = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mini_service.rs"));
        let listed =
            if stage.listed { edited(&small, "TellThing, Relay", "TellThing, MendThing, Relay") } else { small };
        self.write("src/mini_service.rs", &listed);
        let handler = stage.edits.iter().fold(HANDLER.to_owned(), |text, (was, now)| edited(&text, was, now));
        self.write("src/handler.rs", if stage.written { &handler } else { "" });
        self.write(
            "src/lib.rs",
            "#![deny(warnings)]\npub use {tollgate_api as api, tollgate_base as base};\n\
             #[path = \"../server/crates/api/src/generated/mod.rs\"]\npub mod generated;\npub mod handler;\npub mod mini_service;\n",
        );
        let root = self.0.path();
        let output = rustc::check("lib", Path::new("src/lib.rs"), root, &LIBRARIES, root, &[]);
        let ours: Vec<String> = rustc::messages(&output).iter().flat_map(ours).collect();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), ours.is_empty(), "{}: {told}", stage.name);
        ours
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn edited(text: &str, was: &str, now: &str) -> String {
    assert_eq!(text.matches(was).count(), 1, "{was}");
    text.replacen(was, now, 1)
}

/// A complaint without the places and the suggestions that rustc makes of it: its message, what stands at the place, its notes.
fn ours(told: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if told["level"] != "error" || told["spans"].as_array().is_none_or(Vec::is_empty) {
        return Vec::new();
    }
    let primary = told["spans"].as_array().into_iter().flatten().find(|span| span["is_primary"] == true);
    let label = primary.map(|span| text(&span["label"])).filter(|label| !label.is_empty());
    let placeless = |child: &&Value| child["spans"].as_array().is_none_or(Vec::is_empty) && child["level"] == "note";
    let notes = told["children"].as_array().into_iter().flatten().filter(placeless);
    let notes = notes.map(|note| format!("  = {}", text(&note["message"])));
    [format!("error: {}", text(&told["message"]))]
        .into_iter()
        .chain(label.map(|label| format!("  ^ {label}")))
        .chain(notes)
        .collect()
}

// suite: processor 30s
#[test]
fn the_compiler_leads_to_the_handler() {
    let house = House::build();
    let mut wrong = String::new();
    for stage in STAGES {
        let told = house.told(stage);
        if told != stage.told {
            wrong.push_str(&format!("=== {}\n{}\n", stage.name, told.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "rustc says:\n{wrong}");
    let handler = HANDLER.split_once("impl MendThing").and_then(|(_, rest)| rest.split_once("\n}\n"));
    let lines = handler.expect("the handler").0.lines().count();
    assert!(lines <= HANDLER_LINES_MAX, "{lines} lines");
}
