//! The generated clients: checked as strictly as their languages can be, and used against the binary as it is.

use std::fs;
use std::path::Path;
use std::process::Command;

use tollgate_tests::binary::Served;
use tollgate_tests::clients::{Downstream, cargo, clean};
use tollgate_tests::python::Generation::Tools;
use tollgate_tests::{client, node, python, script};

use super::openapi_tools::OPENAPI;

/// The binary with its sandbox.
struct Sandbox {
    served: Served,
    key: String,
    _folder: tempfile::TempDir,
}

impl Sandbox {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let served = Served::start(&["--data", &folder.path().display().to_string()]);
        let key = served.greeting["demo_key"].as_str().expect("the greeting names a key").to_owned();
        Self { served, key, _folder: folder }
    }

    /// Runs a program that uses it, and holds it to so many cases.
    fn check(&self, program: &mut Command, cases: usize) {
        program.env("GATEWAY_URL", self.served.url()).env("GATEWAY_KEY", &self.key);
        match script::held(&program.output().expect("the program runs")) {
            Ok(held) => assert_eq!(held, cases),
            Err(told) => panic!("{told}"),
        }
    }
}

const TSCONFIG: &str = r#"{
  "extends": "../client/tsconfig.json",
  "compilerOptions": {"rootDir": ".", "outDir": ".", "declaration": false},
  "files": ["suite.ts"],
  "include": []
}"#;

// suite: processor 10s
#[test]
fn the_client_in_typescript_is_strict_and_works() {
    let downstream = Downstream::with_client("typescript", "suite.ts");
    clean(node::tool("tsc").arg("-p").arg(downstream.path("client")));
    downstream.write("suite/tsconfig.json", TSCONFIG);
    downstream.write("suite/package.json", r#"{"type": "module"}"#);
    clean(node::tool("tsc").arg("-p").arg(downstream.path("suite")));
    let manifest = fs::read_to_string(downstream.path("client/package.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    assert!(manifest.get("dependencies").is_none(), "{manifest}");
    Sandbox::start().check(Command::new("node").arg(downstream.path("suite/suite.js")), 22);
}

// suite: processor 25s
#[test]
fn the_client_in_python_is_strict_and_works() {
    let downstream = Downstream::with_client("python", "suite.py");
    let (source, suite) = (downstream.path("client/src"), downstream.path("suite/suite.py"));
    clean(
        python::tool("mypy")
            .args(["--strict", "--cache-dir"])
            .arg(downstream.path("cache"))
            .arg(source.join("tollgate_client"))
            .arg(&suite)
            .env("MYPYPATH", &source),
    );
    let config = r#"{"include": ["client/src", "suite"], "extraPaths": ["client/src"], "typeCheckingMode": "strict"}"#;
    downstream.write("pyrightconfig.json", config);
    clean(python::tool("pyright").arg("--project").arg(downstream.path("pyrightconfig.json")));
    Sandbox::start().check(python::tool("python").arg(&suite).env("PYTHONPATH", &source), 28);
}

// suite: builds 120s
#[test]
fn the_client_in_rust_is_clean_and_works() {
    // Without TLS, which no line of it depends on and which builds for a minute.
    let downstream = Downstream::in_rust();
    downstream.program_in_rust("suite");
    Sandbox::start().check(&mut cargo(&downstream.path("suite"), &["run", "--quiet"]), 14);
}

/// The example that stands in the server's folder, over a client that is made for it.
// suite: builds 30s
#[test]
fn the_example_in_rust_tells_what_an_answer_cost() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/examples/rust-client");
    let read = |path: &str| fs::read_to_string(example.join(path)).expect("an example");
    let downstream = Downstream::in_rust();
    // Without TLS, as above.
    let (here, there) = ("{ path = \"client\" }", "{ path = \"../client\", default-features = false }");
    let manifest = read("Cargo.toml");
    assert!(manifest.contains(here), "{manifest}");
    downstream.write("example/Cargo.toml", &manifest.replace(here, there));
    downstream.write("example/src/main.rs", &read("src/main.rs"));
    downstream.lock("example");
    let sandbox = Sandbox::start();
    let mut program = cargo(&downstream.path("example"), &["run", "--quiet"]);
    program.env("GATEWAY", sandbox.served.url()).env("KEY", &sandbox.key);
    let output = program.output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = told.lines().collect();
    let [answer @ .., cost] = &lines[..] else { panic!("{told}") };
    assert!(!answer.concat().is_empty(), "{told}");
    assert!(cost.starts_with("0.0") && cost.contains(" USD of 10 USD, by price list "), "{told}");
}

/// Names that a spec may have, and that mean something else in a client: words of the language, of its runtime, and of a
/// function's other arguments.
const AWKWARD: [(&str, &str); 9] = [
    ("\"things.", "\"input."),
    ("input.list\"", "input.match\""),
    ("\"pictures.", "\"new."),
    ("\"thing\"", "\"options\""),
    ("{thing}", "{options}"),
    ("\"loud\"", "\"gen\""),
    ("\"labels\"", "\"move\""),
    ("\"small\"", "\"other\""),
    ("\"picture\"", "\"body\""),
];

/// A service that has a little of everything, without pages and streams of each kind; with the names above too.
// suite: builds 50s
#[test]
fn the_client_in_rust_of_another_service_is_clean() {
    let resolved = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/mini/spec/dist/resolved.json"));
    let plain = resolved.expect("it is committed");
    let awkward = AWKWARD.iter().fold(plain.replace("{picture}", "{body}"), |text, (name, other)| {
        assert!(text.contains(name), "{name}");
        text.replace(name, other)
    });
    for resolved in [plain, awkward] {
        let downstream = Downstream::of(&resolved, "rust");
        clean(Command::new("rustfmt").args(["--check", "src/lib.rs"]).current_dir(downstream.path("client")));
        downstream.clean_in_rust();
    }
}

// suite: processor 20s
#[test]
fn openapi_is_valid_by_two_who_know() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, told) in OPENAPI {
        let document = folder.path().join(name).display().to_string();
        fs::write(&document, told).expect("the folder is ours");
        clean(python::tool("python").args(["-m", "openapi_spec_validator", &document]));
        let told = node::run(Tools, "openapi_valid.js", &[("DOCUMENT", &document)]);
        assert_eq!(script::held(&told), Ok(1), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn openapi_is_told_to_whoever_asks() {
    let sandbox = Sandbox::start();
    for (name, document) in OPENAPI {
        let reply = client().get(format!("{}/{name}", sandbox.served.url())).send().await.expect("an answer");
        assert_eq!(reply.headers()["content-type"], "application/json");
        assert_eq!(reply.bytes().await.expect("a document"), document, "{name}");
    }
}
