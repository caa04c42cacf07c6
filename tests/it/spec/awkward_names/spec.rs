//! A spec in which each awkward word is the name of everything that may be called so, over the small one of `golden/mini`.

use std::fmt::Write;

use tollgate_spec_language::naming::{snake, upper_camel};

use super::words::words;

/// What writes the text of a file.
type PartText = fn() -> String;

/// The files, with their paths: the small spec, and the awkward ones beside it.
pub(super) fn files() -> Vec<(String, String)> {
    let mut files = vec![("spec/mini.yaml".to_owned(), BASE.to_owned())];
    // Modules are named after files. Each of these has types, and fields of types of the next.
    let names = type_names();
    for (index, module) in MODULES.iter().enumerate() {
        let own: Vec<&(String, &str)> = names.iter().skip(index).step_by(MODULES.len()).collect();
        files.push((format!("spec/{module}.yaml"), types(&own, &names)));
    }
    let parts: [(&str, PartText); 6] = [
        ("wire", || WIRE.to_owned()),
        ("values", values),
        ("groups", groups),
        ("parameters", parameters),
        ("codes", codes),
        ("machines", machines),
    ];
    files.extend(parts.map(|(name, text)| (format!("spec/awkward/{name}.yaml"), format!("{HEAD}{}", text()))));
    files
}

const BASE: &str = include_str!("../../../golden/mini/spec/mini.yaml");
const HEAD: &str = "fact: small\n";
/// Names of files with types.
const MODULES: [&str; 6] = ["mod", "index", "self", "class", "lambda", "string"];

/// The words as some form of name, each once, with the word that it is of.
fn distinct(form: impl Fn(&str) -> String) -> Vec<(String, &'static str)> {
    let mut all: Vec<(String, &str)> = Vec::new();
    for word in words() {
        let name = form(word);
        if !name.is_empty() && all.iter().all(|(other, _)| *other != name) {
            all.push((name, word));
        }
    }
    all
}

/// Names of types, those aside that the small spec has.
fn type_names() -> Vec<(String, &'static str)> {
    let mut names = distinct(upper_camel);
    names.retain(|(name, _)| !BASE.contains(&format!("\n  {name}:")));
    names
}

/// An operation whose request shows the names on the wire.
const WIRE: &str = "operations:
  import.wire:
    doc: Names on the wire.
    route: GET /v1/wire/{class}/{arguments}
    auth: public
    envelope: o
    ok: list of string
    path: {class: {type: string, doc: So.}, arguments: {type: string, doc: So.}}
    query:
      __proto__: {type: string, doc: So.}
      constructor: {type: string, doc: So.}
      self: {type: string, doc: So.}
      None: {type: string, doc: So.}
      list: {type: optional list of string, doc: So.}
      toString: {type: optional string, doc: So.}
      valueOf: {type: optional string, doc: So.}
    headers:
      await: {type: string, doc: So.}
      body: {type: string, doc: So.}
      lambda: {type: optional string, doc: So.}
";

/// Types of fields.
const OF_FIELDS: [&str; 8] = [
    "string",
    "optional list of string",
    "optional map of string",
    "optional int or null",
    "optional bool",
    "optional number",
    "optional AwkwardWord",
    "optional list of AwkwardUnion0",
];
/// Types of parameters.
const OF_PARAMETERS: [&str; 4] = ["optional string", "string", "optional list of string", "optional AwkwardClosedWord"];
/// The most words in a row: no struct of the server has more fields.
const ROW: usize = 120;

/// The words as they are, in rows in which no two are one name in Rust.
fn rows() -> Vec<Vec<&'static str>> {
    let mut rows: Vec<Vec<&str>> = Vec::new();
    for word in words() {
        let fits = |row: &&mut Vec<&str>| row.len() < ROW && row.iter().all(|other| snake(other) != snake(word));
        match rows.iter_mut().find(fits) {
            Some(row) => row.push(word),
            None => rows.push(vec![word]),
        }
    }
    rows
}

/// Types called by the words, each with fields of all kinds and one called by the word.
fn types(own: &[&(String, &str)], all: &[(String, &str)]) -> String {
    let mut text = format!("{HEAD}types:\n");
    for (name, word) in own {
        let at = all.iter().position(|(other, _)| other == name).expect("it is one of them");
        let next = if at % 6 == 5 || at + 1 == all.len() { "json" } else { &all[at + 1].0 };
        let _ = write!(
            text,
            "  {name:?}:\n    doc: A type called so.\n    open: {}\n    fields:\n      {word:?}: {{type: \"optional {next}\", \
             doc: So.}}\n",
            at % 2 == 0,
        );
        for (field, ty) in [
            ("a_text", "string"),
            ("many", "optional list of string"),
            ("of_all", "optional map of list of int"),
            ("amount", "optional usd or null"),
            ("anything", "optional json"),
        ] {
            let _ = writeln!(text, "      {field}: {{type: {ty}, doc: One.}}");
        }
    }
    text
}

/// Fields of each type, words of enums open and closed, tags of unions, words that never differ; a call that takes all of it, and
/// calls that take it as a form, and as what is passed on.
fn values() -> String {
    let mut text = "types:\n".to_owned();
    let mut all = Vec::new();
    for (index, row) in rows().iter().enumerate() {
        for open in [true, false] {
            let name = format!("AwkwardFields{index}{}", if open { "Open" } else { "" });
            let _ = writeln!(text, "  {name}:\n    doc: Fields.\n    open: {open}\n    fields:");
            for (at, word) in row.iter().enumerate() {
                let _ = writeln!(text, "      {word:?}: {{type: {}, doc: So.}}", OF_FIELDS[at % OF_FIELDS.len()]);
            }
            all.push(name);
        }
        let name = format!("AwkwardConst{index}");
        let _ = writeln!(text, "  {name}:\n    doc: Words.\n    fields:");
        row.iter().for_each(|word| {
            let _ = writeln!(text, "      {word:?}: \"const {word}\"");
        });
        all.push(name);
    }
    let camels = type_names();
    let words: Vec<String> = camels.iter().map(|(_, word)| format!("{word:?}: So.")).collect();
    for (name, open) in [("AwkwardWord", true), ("AwkwardClosedWord", false)] {
        let _ = writeln!(text, "  {name}: {{doc: A word., enum: {{{}}}, open: {open}}}", words.join(", "));
    }
    all.extend(unions(&camels, &mut text));
    let _ = writeln!(text, "  AwkwardAll:\n    doc: All.\n    fields:");
    let first = &camels[0].0;
    all.extend(["AwkwardWord", "AwkwardClosedWord", first].map(str::to_owned));
    all.iter().for_each(|name| {
        let _ = writeln!(text, "      of_{}: {{type: optional {name}, doc: It.}}", snake(name));
    });
    let form = &rows()[0];
    let reads: Vec<String> = form.iter().map(|word| format!("{word:?}")).collect();
    let _ = writeln!(text, "  AwkwardForm:\n    doc: A form.\n    open: true\n    fields:");
    for (at, word) in form.iter().enumerate() {
        let ty =
            ["string", "optional bytes", "optional list of bytes", "optional json", "optional AwkwardWord"][at % 5];
        let _ = writeln!(text, "      {word:?}: {{type: {ty}, doc: So.}}");
    }
    text.push_str("operations:\n  awkward.all: {doc: All., route: POST /v1/all, auth: [bearer], envelope: o, ");
    text.push_str("body: {type: AwkwardAll, limit: body}, ok: AwkwardAll, errors: [$auth]}\n");
    let texts: Vec<String> = reads.iter().step_by(5).cloned().collect();
    for (kind, body, reads) in [("relay", "type: AwkwardFields0Open", reads), ("form", "multipart: AwkwardForm", texts)]
    {
        // An operation reads at most 16.
        for (index, reads) in reads.chunks(16).enumerate() {
            let _ = writeln!(
                text,
                "  awkward.{kind}_{index}: {{doc: It., route: POST /v1/{kind}/{index}, auth: public, envelope: o, proxy: true, \
                 body: {{{body}, reads: [{}], limit: body}}, ok: AwkwardAll}}",
                reads.join(", "),
            );
        }
    }
    text
}

/// Unions whose tags are the words: types called so, fields in place, or nothing.
fn unions(names: &[(String, &str)], text: &mut String) -> Vec<String> {
    let mut all = Vec::new();
    // Checkers of types take no union of hundreds.
    for (part, names) in names.chunks(60).enumerate() {
        let open = part % 2 == 0;
        let (name, by) = (format!("AwkwardUnion{part}"), if open { "class" } else { "__proto__" });
        let _ = writeln!(text, "  {name}:\n    doc: A union.\n    union: {{by: {by}, open: {open}}}\n    of:");
        all.push(name);
        for (index, (camel, word)) in names.iter().enumerate() {
            let _ = match index % 3 {
                _ if *word == by => writeln!(text, "      {word:?}: {{}}"),
                0 => writeln!(text, "      {word:?}: {camel:?}"),
                1 => writeln!(
                    text,
                    "      {word:?}: {{{word:?}: {{type: string, doc: So.}}, a: {{type: optional string, doc: A.}}}}"
                ),
                _ => writeln!(text, "      {word:?}: {{}}"),
            };
        }
    }
    all
}

/// Groups and verbs called by the words.
fn groups() -> String {
    let mut text = "operations:\n".to_owned();
    let (names, all) = (distinct(snake), type_names());
    for (index, (name, _)) in names.iter().enumerate() {
        let (_, next) = (name, &names[(index + 1) % names.len()].0);
        let _ = writeln!(
            text,
            "  {:?}: {{doc: A group called so., route: GET /v1/groups/{index}, auth: public, envelope: o, ok: {:?}}}",
            format!("{name}.{next}"),
            all[index % all.len()].0
        );
        let _ = writeln!(
            text,
            "  {:?}: {{doc: A verb called so., route: GET /v1/verbs/{index}, auth: public, envelope: o, ok: list of AwkwardWord}}",
            format!("verbs.{name}")
        );
    }
    text
}

/// Parameters called by the words, in paths, queries and headers.
fn parameters() -> String {
    let mut text = "operations:\n".to_owned();
    let rows = rows();
    // A call with more of them in its path has more arguments than anybody wants.
    let four =
        rows.iter().flat_map(|row| row.chunks(4)).map(|words| words.iter().map(|word| (*word).to_owned()).collect());
    let headers = distinct(|word| snake(&word.to_ascii_lowercase()));
    let headers: Vec<String> = headers.iter().map(|(_, word)| word.to_ascii_lowercase()).collect();
    let plain: Vec<Vec<String>> = four.collect();
    let places: [(&str, Vec<Vec<String>>); 3] =
        [("path", plain.clone()), ("query", plain), ("headers", headers.chunks(4).map(<[String]>::to_vec).collect())];
    for (place, rows) in places {
        for (index, words) in rows.iter().enumerate() {
            let path: String = words.iter().filter(|_| place == "path").map(|word| format!("/{{{word}}}")).collect();
            let _ = writeln!(
                text,
                "  awkward.{place}_{index}:\n    doc: In the {place}.\n    route: GET /v1/{place}/{index}{path}\n    \
                 auth: public\n    envelope: o\n    ok: list of string\n    {place}:",
            );
            for (at, word) in words.iter().enumerate() {
                let ty = if place == "path" { "string" } else { OF_PARAMETERS[at % 4] };
                let _ = writeln!(text, "      {word:?}: {{type: {ty}, doc: So.}}");
            }
        }
    }
    text
}

/// Codes of errors called by the words, with a value called so; limits.
fn codes() -> String {
    let mut text = "errors:\n".to_owned();
    let names = distinct(snake);
    let code = |name: &str| name.to_ascii_uppercase();
    for (name, _) in &names {
        let _ = writeln!(
            text,
            "  {:?}: {{kind: bad, http: 400, say: \"so: '{{{name}}}'\", do: mend it, \
             with: {{{name:?}: string, a_text: string}}}}",
            code(name)
        );
    }
    text.push_str("limits:\n");
    for (index, (name, _)) in names.iter().enumerate().filter(|(_, (name, _))| name != "body") {
        let value = ["count: 3", "seconds: 5", "bytes: 1 KiB", "usd: [1, 2], live: true"][index % 4];
        let _ = writeln!(text, "  {name:?}: {{doc: A limit., {value}}}");
    }
    let codes: Vec<String> = names.iter().map(|(name, _)| format!("{:?}", code(name))).collect();
    let limits: Vec<String> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
    text.push_str("operations:\n");
    // In OpenAPI an answer is called as all of its codes, and readers of YAML take no longer names.
    for (index, (codes, limits)) in codes.chunks(40).zip(limits.chunks(40)).enumerate() {
        let (codes, limits) = (codes.join(", "), limits.join(", "));
        for (kind, more) in
            [("closed", format!("limits: [{limits}]")), ("open", "errors_open: others speak, proxy: true".to_owned())]
        {
            let _ = writeln!(
                text,
                "  awkward.{kind}_{index}: {{doc: Fails., route: GET /v1/{kind}/{index}, auth: public, envelope: o, \
                 ok: Option, {more}, errors: [{codes}]}}",
            );
        }
    }
    text
}

/// Machines called by the words, each with a state and a move called so.
fn machines() -> String {
    let mut text = "machines:\n".to_owned();
    let names = distinct(snake);
    for (name, _) in names.iter().filter(|(name, _)| name != "thing" && name != "door") {
        let _ = writeln!(
            text,
            "  {name:?}:\n    doc: A machine called so.\n    row: {{table: t_{name}, key: id, \
             state: {name}_state}}\n    states: [{name:?}, the_end]\n    start: {name:?}\n    final: [the_end]\n    \
             moves: {{{name:?}: {{doc: It moves., from: {name:?}, to: the_end, by: clock}}}}"
        );
    }
    text
}
