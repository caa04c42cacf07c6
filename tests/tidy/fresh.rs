//! What is generated is what the spec says, and is marked.

use crate::source::{files, root};

#[test]
fn generated_files_are_marked() {
    for file in files("server/crates/api/src/generated", ".rs") {
        assert!(file.text.starts_with("// Made by `cargo codegen` from spec/."), "{} is not marked", file.path);
    }
}

#[test]
fn everything_generated_is_fresh() {
    let checked = tollgate_spec_generator::check_outputs(&root()).expect("the spec is sound");
    assert!(checked.is_empty(), "run `cargo codegen`; these differ from spec/:\n{}", checked.join("\n"));
}
