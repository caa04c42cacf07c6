//! Names that mean something else in a language, in its library or in generated code, wherever a spec can have a name: what is made
//! of them compiles without a complaint, and on the wire they are what the spec says.

mod spec;
mod words;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;

use serde_json::{Value, json};
use tollgate_spec_generator::client_model::read;
use tollgate_spec_generator::emit::{OutputFiles, OutputPart, generate, openapi_30};
use tollgate_spec_generator::resolve::resolve;
use tollgate_spec_language::parse::SpecSources;
use tollgate_tests::clients::{Downstream, clean};
use tollgate_tests::python::Generation::Tools;
use tollgate_tests::{node, python, rustc, script};

const RESOLVED: &str = "spec/dist/resolved.json";

/// All that is made of the spec, by paths.
fn outputs() -> OutputFiles {
    let loaded = tollgate_spec_language::load(&SpecSources::new(spec::files()));
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let resolved = resolve(&loaded.spec).unwrap_or_else(|refusals| panic!("{refusals:?}"));
    generate(&resolved, OutputPart::All)
}

fn text<'o>(outputs: &'o OutputFiles, path: &str) -> &'o str {
    std::str::from_utf8(&outputs[path]).expect("UTF-8")
}

// suite: processor 25s
#[test]
fn the_server_compiles() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("the folder is ours");
        fs::write(path, bytes).expect("the folder is ours");
    };
    let outputs = outputs();
    outputs.iter().filter(|(path, _)| path.ends_with(".rs")).for_each(|(path, bytes)| write(path, bytes));
    let library = "#![deny(warnings)]\npub use {tollgate_api as api, tollgate_base as base};\n\
                   #[path = \"../server/crates/api/src/generated/mod.rs\"]\npub mod generated;\n";
    write("src/lib.rs", library.as_bytes());
    let (root, libraries) =
        (folder.path(), ["axum", "bytes", "http", "tollgate_api", "tollgate_base", "tollgate_macros"]);
    let output = rustc::check("lib", Path::new("src/lib.rs"), root, &libraries, root, &[]);
    let told: Vec<String> = rustc::messages(&output).iter().map(|message| message["rendered"].to_string()).collect();
    assert!(output.status.success() && told.is_empty(), "{}", told.join("\n"));
}

// suite: builds 60s
#[test]
fn the_client_in_rust_is_clean() {
    let downstream = Downstream::of(text(&outputs(), RESOLVED), "rust");
    downstream.clean_in_rust();
}

/// The request that programs send: optional parameters are left out that every object has as members.
fn request() -> Value {
    json!({
        "path": "/v1/wire/c/a",
        "query": {"__proto__": "p", "constructor": "k", "self": "s", "None": "n", "list": "1,2"},
        "headers": {"await": "w", "body": "b"},
    })
}

const CALL_TS: &str = "import { Mini } from \"./client/dist/index.js\";
const client = new Mini({ baseUrl: process.env.URL });
await client.import.wire(\"c\", \"a\", {
  __proto___: \"p\", constructor_: \"k\", self: \"s\", None: \"n\", list: [\"1\", \"2\"], await: \"w\", body: \"b\",
});
";

// suite: processor 20s
#[test]
fn the_client_in_typescript_is_strict_and_keeps_names_on_the_wire() {
    let downstream = Downstream::of(text(&outputs(), RESOLVED), "typescript");
    clean(node::tool("tsc").arg("-p").arg(downstream.path("client")));
    downstream.write("package.json", r#"{"type": "module"}"#);
    downstream.write("call.js", CALL_TS);
    assert_eq!(asked(Command::new("node").arg(downstream.path("call.js"))), request());
}

const CALL_PY: &str = "import os
from mini_client import Mini
client = Mini(os.environ[\"URL\"])
client.import_.wire(
    \"c\", \"a\", proto=\"p\", constructor=\"k\", self_=\"s\", none=\"n\", list_=[\"1\", \"2\"], await_=\"w\", body_=\"b\"
)
";

// suite: processor 60s
#[test]
fn the_client_in_python_is_strict_and_keeps_names_on_the_wire() {
    let downstream = Downstream::of(text(&outputs(), RESOLVED), "python");
    let source = downstream.path("client/src");
    downstream.write("call.py", CALL_PY);
    let mut mypy = python::tool("mypy");
    mypy.args(["--strict", "--cache-dir"]).arg(downstream.path("cache")).arg(source.join("mini_client"));
    clean(mypy.arg(downstream.path("call.py")).env("MYPYPATH", &source));
    let config =
        r#"{"include": ["client/src", "call.py"], "extraPaths": ["client/src"], "typeCheckingMode": "strict"}"#;
    downstream.write("pyrightconfig.json", config);
    clean(python::tool("pyright").arg("--project").arg(downstream.path("pyrightconfig.json")));
    let mut program = python::tool("python");
    assert_eq!(asked(program.arg(downstream.path("call.py")).env("PYTHONPATH", source)), request());
}

/// The request that a program sends to a server that gives it an empty list; of its headers, those that are the spec's.
fn asked(program: &mut Command) -> Value {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let lines = BufReader::new(stream.try_clone().expect("a socket")).lines().map(|line| line.expect("a line"));
        tell.send(lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>()).expect("somebody waits");
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]")
            .expect("it listens");
    });
    clean(program.env("URL", url));
    let lines: Vec<String> = told.recv().expect("a request");
    let target = lines[0].split(' ').nth(1).expect("a target");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs =
        query.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name, value.replace("%2C", ",")));
    let headers = lines[1..].iter().filter_map(|line| line.split_once(": "));
    let own = headers.filter(|(name, _)| ["await", "body", "lambda"].contains(name));
    json!({
        "path": path,
        "query": pairs.collect::<BTreeMap<_, _>>(),
        "headers": own.collect::<BTreeMap<_, _>>(),
    })
}

// suite: processor 30s
#[test]
fn openapi_is_valid() {
    let outputs = outputs();
    let plain = read(text(&outputs, RESOLVED).as_bytes()).expect("it is whole");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in
        [("openapi.json", &outputs["spec/dist/openapi.json"][..]), ("openapi-3.0.json", &openapi_30(&plain)[..])]
    {
        let document = folder.path().join(name).display().to_string();
        fs::write(&document, bytes).expect("the folder is ours");
        clean(python::tool("python").args(["-m", "openapi_spec_validator", &document]));
        assert_eq!(script::held(&node::run(Tools, "openapi_valid.js", &[("DOCUMENT", &document)])), Ok(1), "{name}");
    }
}

const LOAD: &str = "import re, sqlite3, sys
steps = open(sys.argv[1]).read()
database = sqlite3.connect(':memory:')
tables = set(re.findall(r'BEFORE UPDATE OF (\\w+) ON (\\w+)', steps))
for state, table in tables:
    database.execute(f'CREATE TABLE {table} ({state} TEXT, rev INTEGER)')
database.executescript(steps)
print(len(tables))
";

// suite: quick
#[test]
fn rules_of_machines_load() {
    let outputs = outputs();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("machines.sql");
    fs::write(&file, &outputs["server/crates/store/migrations/sqlite/machines.sql"]).expect("the folder is ours");
    let output = Command::new("python3").args(["-c", LOAD]).arg(file).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tables: usize = String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number");
    assert!(tables > 300, "{tables}");
}
