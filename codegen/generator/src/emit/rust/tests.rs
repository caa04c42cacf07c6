//! What is written by templates is Rust, whatever words a spec has.

use crate::emit::{OutputPart, generate};
use crate::parse::SpecSources;
use crate::resolve::resolve;

const SMALL: &str = include_str!("../../../../../tests/golden/mini/spec/mini.yaml");

/// Words that are Rust's own, or that no Rust takes, in the place of others.
const AWKWARD: [(&str, &str); 13] = [
    ("things.", "type."),
    ("tags: {things: ", "tags: {type: "),
    ("    route: GET /v1/things\n", "    name: {rust: Move}\n    route: GET /v1/things\n"),
    ("    route: GET /v1/things/{thing}\n", "    name: {rust: try}\n    route: GET /v1/things/{thing}\n"),
    ("{thing}", "{loop}"),
    ("{thing: ", "{loop: "),
    ("words:", "self:"),
    ("loud:", "type:"),
    ("{small: ", "{self: "),
    ("large: It is large.", "other: It is large., other_than_listed: It is vast."),
    ("      thing: PartThing\n", "      other: PartThing\n"),
    ("default: small", "default: self"),
    ("doc: The words.", r#"doc: "a \"b\" \\n \\ */ // {c} \u0007 /// d""#),
];

fn files(text: &str) -> Vec<(String, String)> {
    let sources = SpecSources::new([("spec/mini.yaml", text)]);
    let loaded = crate::load(&sources);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let lowered = resolve(&loaded.spec).expect("it lowers");
    let made = generate(&lowered, OutputPart::Server).into_iter().filter(|(path, _)| path.ends_with(".rs"));
    made.map(|(path, bytes)| (path, String::from_utf8(bytes).expect("a text"))).collect()
}

#[test]
fn awkward_words_are_rust_too() {
    let awkward = AWKWARD.iter().fold(SMALL.to_owned(), |text, (word, other)| {
        assert!(text.contains(word), "{word}");
        text.replace(word, other)
    });
    let files = files(&awkward);
    for (path, text) in &files {
        if let Err(error) = syn::parse_file(text) {
            panic!("{path}: {error} at {:?}\n{text}", error.span().start());
        }
    }
    let text = |name: &str| &files.iter().find(|(path, _)| path.ends_with(name)).expect(name).1;
    for (name, has) in [
        ("ops/mod.rs", "pub mod r#type;"),
        ("ops/type.rs", "pub trait Move: Send"),
        ("ops/type.rs", "    fn r#move(\n"),
        ("ops/type.rs", "types::ThingKind::Self_)"),
        ("ops/type.rs", "pub trait r#try: Send"),
        ("ops/type.rs", "input: tryInput"),
        ("ops/type.rs", "pub r#loop: String,"),
        ("ops/type.rs", "NoThing { r#loop: String },"),
        ("types/mini.rs", "#[wire(name = \"self\", max_len = 10)]\n    pub self_: String,"),
        ("types/mini.rs", "pub r#type: bool,"),
        ("types/mini.rs", "#[wire(name = \"other\")]\n    Other,"),
        ("types/mini.rs", "#[wire(other)]\n    OtherThanListedThanListed(String),"),
        ("types/mini.rs", "#[wire(name = \"other\")]\n    Other(PartThing),"),
        ("types/mini.rs", "#[wire(other)]\n    OtherThanListed(api::Unknown),"),
        ("generated/mod.rs", "r#type Move r#move MoveInput"),
        ("generated/routes.rs", "routes.add(&ops::r#type::MOVE, ops::r#type::r#move);"),
    ] {
        assert!(text(name).contains(has), "{name} has no {has}:\n{}", text(name));
    }
}

/// A group of the least there can be names the runtime, its envelope and its reply, and imports that and no more.
#[test]
fn the_least_operation_imports_what_it_names() {
    let least = "operations:\n  health.get: {doc: Whether it lives., route: GET /health, auth: public, envelope: o, ok: Thing}\n";
    let files = files(&SMALL.replacen("operations:\n", least, 1));
    let (_, text) = files.iter().find(|(path, _)| path.ends_with("ops/health.rs")).expect("a group of its own");
    let imports: Vec<&str> = text.lines().filter(|line| line.starts_with("use ")).collect();
    let expected = [
        "use tollgate_macros::OpError;",
        "use super::super::errors::envelopes;",
        "use super::super::types;",
        "use crate::api;",
    ];
    assert_eq!(imports, expected, "{text}");
}
