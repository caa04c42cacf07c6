//! What is declared is tested: every routed operation, every code that a routed operation or the runtime may answer.

use crate::source::{File, files, root};

fn tests() -> Vec<File> {
    // What no routed operation can show yet is shown by the runtime's own tests.
    let places = [("tests/it", ".rs"), ("tests/sdk", ".py"), ("server/src/api/tests", ".rs")];
    places.into_iter().flat_map(|(folder, ending)| files(folder, ending)).collect()
}

#[test]
fn every_routed_operation_is_asked_for() {
    let tests = tests();
    for operation in tollgate_codegen::routed(&root()).expect("the spec is sound") {
        // The path up to its first parameter.
        let path = operation.path.split('{').next().expect("a path");
        assert!(tests.iter().any(|file| file.text.contains(path)), "no test asks for {} ({path})", operation.id);
    }
}

#[test]
fn every_code_that_can_be_answered_is_seen() {
    let tests = tests();
    let mut missing = Vec::new();
    for code in tollgate_codegen::answerable_codes(&root()).expect("the spec is sound") {
        if !code.names.iter().any(|name| tests.iter().any(|file| file.text.contains(&format!("\"{name}\"")))) {
            missing.push(code.code);
        }
    }
    assert!(missing.is_empty(), "no test sees these codes: {missing:?}");
}
