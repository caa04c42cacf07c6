//! The lists of what requests may hold know every member and kind of the request types of the official SDKs.

use std::path::Path;

use serde_json::Value;
use tollgate_tests::python::{self, Generation};
use tollgate_tests::script::held;

/// Request types that the lists name.
const TYPES: usize = 15;

/// What the script says of these lists.
fn checked(resolved: &Path) -> Result<usize, String> {
    let path = resolved.display().to_string();
    let env = [("RESOLVED", path.as_str())];
    held(&match std::env::var_os("TOLLGATE_NEWEST_SDKS") {
        Some(_) => python::run_newest("members.py", &env),
        None => python::run(Generation::Current, "members.py", &env),
    })
}

fn resolved() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/dist/resolved.json");
    serde_json::from_slice(&std::fs::read(path).expect("the resolved spec")).expect("JSON")
}

#[test]
fn everything_that_the_sdks_can_say_is_classed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("resolved.json");
    let mut spec = resolved();
    std::fs::write(&path, spec.to_string()).expect("a file");
    assert_eq!(checked(&path), Ok(TYPES));
    // Without a member and a kind, it says which.
    let objects = &mut spec["request_objects"];
    objects["messages.request"]["members"].as_object_mut().expect("members").remove("thread");
    objects["responses.item"]["kinds"].as_object_mut().expect("kinds").remove("program");
    std::fs::write(&path, spec.to_string()).expect("a file");
    let missing = checked(&path).expect_err("two are not classed");
    for name in ["messages.request: member thread of", "responses.item: kind program"] {
        assert!(missing.contains(name), "{missing}");
    }
}
