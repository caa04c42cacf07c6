//! The names of the spec are not the generator's: whoever writes another spec finds no error code, limit, type, group or name on
//! the wire of this one in `codegen/`. Nor are its codes and headers written a second time in `server/` and `macros/`: what is
//! generated has constants of them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use tollgate_spec_language::model::{Spec, SpecSection};
use tollgate_spec_language::parse::SpecSources;

use crate::source::{File, files, root};

/// Names that the spec and the generator both have from elsewhere, each with where from.
const SHARED: [(&str, &str); 9] = [
    ("authorization", "HTTP: the header of bearer tokens, which OpenAPI has a scheme of its own for"),
    ("cache-control", "HTTP: any answer may have it"),
    ("content-range", "HTTP: stands in answers with 206 alone"),
    ("etag", "HTTP: what `conditional` promises 304 for"),
    ("idempotency-key", "HTTP: the header by which a request is carried out once, which clients send by themselves"),
    ("range", "HTTP: what an answer with 206 follows from"),
    ("Member", "the runtime: a piece of an envelope"),
    ("Rail", "the spec language: an entry of its section `rails`, in the schema that editors read"),
    ("key", "the spec language: `row: {key: …}` of a machine"),
];

/// Codes and headers that hand-written Rust of the server has as texts, each with the reason.
const OF_SERVER: [(&str, &str); 10] = [
    ("authorization", "the protocol x402: a member of a signed payment"),
    ("idempotency-key", "HTTP: the header by which a request is carried out once"),
    ("key", "a word of the configuration and of commands"),
    ("payment-signature", "the protocol x402: the header of a payment"),
    ("range", "a word of price lists"),
    ("anthropic-beta", "a header of providers of format A"),
    ("anthropic-version", "a header of providers of format A"),
    ("x-api-key", "a header of providers of format A"),
    ("x-goog-api-key", "a header of providers of format G"),
    ("KEY_NOT_FOUND", "a result code of a payment provider"),
];
/// The texts of the console by code, for people. Each is a code of the spec, or a word that a format has for one.
const CODE_TEXTS: &str = "server/crates/console/src/account/texts/of.rs";

/// The endings of templates, which hold programs and pages.
const TEMPLATES: [&str; 6] = [".rs", ".ts", ".py", ".html", ".js", ".md"];

/// The codes, limits, types, groups and names on the wire.
fn names(spec: &Spec) -> BTreeMap<String, &'static str> {
    let sections =
        [SpecSection::Errors, SpecSection::Limits, SpecSection::Types, SpecSection::Groups, SpecSection::WireNames];
    let declared =
        sections.into_iter().flat_map(|section| spec.names(section).map(move |(name, _)| (name, section.entry())));
    let accepted = spec.wire_names.values().flat_map(|wire| &wire.accepts).map(|name| name.value.as_str());
    let headers = spec.operations.values().flat_map(|operation| operation.headers.keys().map(String::as_str));
    let schemes = spec.auth.values().flat_map(|scheme| [&scheme.header, &scheme.query]).flatten();
    let wire = accepted.chain(headers).chain(schemes.map(|name| name.value.as_str()));
    wire.map(|name| (name, "name on the wire")).chain(declared).map(|(name, what)| (name.to_owned(), what)).collect()
}

/// The texts in a file of Rust, tests aside, with their lines.
fn texts(file: &File) -> Vec<(usize, String)> {
    fn read(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                // The module behind it is a test's.
                TokenTree::Punct(mark) if mark.as_char() == '#' && is_test(tokens.peek()) => {
                    let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(body) if body.delimiter() == Delimiter::Brace);
                    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(end) if end.as_char() == ';');
                    let _ = tokens.find(|token| is_body(token) || is_end(token));
                }
                TokenTree::Group(group) => read(group.stream(), found),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let text = text.trim_start_matches('r').trim_matches('#');
                    if let Some(text) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                        found.push((literal.span().start().line, text.to_owned()));
                    }
                }
                TokenTree::Punct(_) | TokenTree::Ident(_) => {}
            }
        }
    }
    let tokens: TokenStream = file.text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut found = Vec::new();
    read(tokens, &mut found);
    found
}

fn is_test(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(attribute)) if attribute.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// The texts in quotes of a template, with their lines.
fn quoted(file: &File) -> Vec<(usize, String)> {
    let of_line = |(number, line): (usize, &str)| {
        let pieces = ['"', '\'', '`'].map(|quote| line.split(quote).map(str::to_owned).collect::<Vec<_>>()).concat();
        pieces.into_iter().map(move |piece| (number + 1, piece)).collect::<Vec<_>>()
    };
    file.text.lines().enumerate().filter(|(_, line)| line.contains(['"', '\'', '`'])).flat_map(of_line).collect()
}

/// What the generator's hand-written sources say in quotes: file, line and text.
fn said() -> Vec<(String, usize, String)> {
    let is_test =
        |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs") || path.starts_with("codegen/examples/");
    let is_template = |path: &str| path.contains("/templates/");
    let sources = files("codegen", ".rs").into_iter().filter(|file| !is_test(&file.path) && !is_template(&file.path));
    let sources: Vec<_> = sources.map(|file| (texts(&file), file.path)).collect();
    let templates = TEMPLATES.iter().flat_map(|ending| files("codegen/generator/templates", ending));
    let templates: Vec<_> = templates.map(|file| (quoted(&file), file.path)).collect();
    let all = sources.into_iter().chain(templates);
    all.flat_map(|(texts, path)| texts.into_iter().map(move |(line, text)| (path.clone(), line, text))).collect()
}

#[test]
fn the_generator_holds_no_name_of_the_spec() {
    let spec = tollgate_spec_language::load(&SpecSources::read(&root()).expect("the spec")).spec;
    let names = names(&spec);
    let mut met = BTreeSet::new();
    let mut wrong = Vec::new();
    for (path, line, text) in said() {
        let Some((name, what)) = names.get_key_value(&text) else { continue };
        if SHARED.iter().any(|(shared, _)| shared == name) {
            met.insert(name.clone());
        } else {
            wrong.push(format!("{path}:{line}: `{name}` is a {what} of the spec"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nread it from the spec: a key of `framework` or `runtime_limits`, say",
        wrong.join("\n")
    );
    let idle: Vec<_> = SHARED.iter().filter(|(shared, _)| !met.contains(*shared)).collect();
    assert!(idle.is_empty(), "no name that both have: {idle:?}");
}

/// The Rust of a folder that is written by hand, tests aside.
fn hand_written(folder: &str) -> impl Iterator<Item = File> {
    let is_hand_written = |path: &str| {
        !["/generated/", "/tests/", "/examples/"].iter().any(|part| path.contains(part)) && !path.ends_with("/tests.rs")
    };
    files(folder, ".rs").into_iter().filter(move |file| is_hand_written(&file.path))
}

fn is_code(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    text.contains('_') && text.bytes().all(is_part)
}

#[test]
fn the_server_holds_no_code_or_header_of_the_spec() {
    let spec = tollgate_spec_language::load(&SpecSources::read(&root()).expect("the spec")).spec;
    let is_ours =
        |what: &str| [SpecSection::Errors.entry(), SpecSection::WireNames.entry(), "name on the wire"].contains(&what);
    let names = names(&spec);
    let (mut met, mut wrong) = (BTreeSet::new(), Vec::new());
    for file in hand_written("server").chain(hand_written("macros")) {
        for (line, text) in texts(&file) {
            let found = names.get(&text).filter(|what| is_ours(what));
            if file.path == CODE_TEXTS {
                if is_code(&text) && found.is_none() {
                    wrong.push(format!("{CODE_TEXTS}:{line}: `{text}` is no code of the spec"));
                }
            } else if OF_SERVER.iter().any(|(name, _)| *name == text) {
                met.insert(text);
            } else if let Some(what) = found {
                wrong.push(format!("{}:{line}: `{text}` is a {what} of the spec", file.path));
            }
        }
    }
    for file in files("server", ".js") {
        let headers = quoted(&file).into_iter().filter(|(_, text)| text.starts_with("x-") && !text.contains(' '));
        wrong.extend(
            headers
                .filter(|(_, text)| !names.contains_key(text))
                .map(|(line, text)| format!("{}:{line}: `{text}` is no header of the spec", file.path)),
        );
    }
    assert!(
        wrong.is_empty(),
        "{}\ntake the constant: `code::…::INFO.code`, `names::…`, `runtime_headers::…`",
        wrong.join("\n")
    );
    let idle: Vec<_> = OF_SERVER.iter().filter(|(name, _)| !met.contains(*name)).collect();
    assert!(idle.is_empty(), "no text of the server: {idle:?}");
}

#[test]
fn texts_are_found_where_they_are() {
    let text = "fn a() { b(\"ONE\", [r#\"TWO\"#]); }\n#[cfg(test)]\nmod tests { const C: &str = \"THREE\"; }\n// \"FOUR\"\nconst D: &str = \"FIVE\";\n";
    let file = File { path: "a.rs".to_owned(), text: text.to_owned() };
    let found: Vec<String> = texts(&file).into_iter().map(|(line, text)| format!("{line} {text}")).collect();
    assert_eq!(found, ["1 ONE", "1 TWO", "5 FIVE"]);
    let template = File { path: "a.ts".to_owned(), text: "x = 'ONE';\ny = {z: \"TWO\"}".to_owned() };
    assert!(quoted(&template).contains(&(1, "ONE".to_owned())) && quoted(&template).contains(&(2, "TWO".to_owned())));
}
