//! What the compiler says when an item is declared or used wrongly: the text is part of the product. A changed text is
//! accepted by running this with `TRYBUILD=overwrite`.

#[test]
fn macros_complain_at_the_place_at_fault() {
    trybuild::TestCases::new().compile_fail("ui/macros/*.rs");
}
