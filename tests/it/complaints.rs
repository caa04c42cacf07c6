//! What the compiler says when an item is declared or used wrongly: the text is part of the product. A changed text is
//! accepted by running this with `TRYBUILD=overwrite`.

#[test]
fn misuse_is_told_at_the_place_at_fault() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/macros/*.rs");
    cases.compile_fail("ui/service/*.rs");
}

/// Every complaint about a generated item names its place in the spec, but where rustc alone speaks.
#[test]
fn complaints_name_the_spec() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let mut named = 0;
    for kind in ["macros", "service"] {
        for entry in std::fs::read_dir(folder.join(kind)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "stderr") {
                let text = std::fs::read_to_string(&path).expect("text");
                named += usize::from(text.contains("declared at spec/"));
            }
        }
    }
    assert!(named >= 24, "only {named} complaints name the spec");
}
