//! Both OpenAPI documents and the schema of the types as tools of others read them: without an error, with few warnings, and
//! what they make of them compiles.

// suite of this file: long processor 60s

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tollgate_spec_build::OPENAPI_30;
use tollgate_tests::clients::{cargo, clean};
use tollgate_tests::{node, python};

/// The most warnings of a tool about a document.
const WARNINGS_MAX: usize = 20;
/// The service in OpenAPI, by the names that it is served under.
pub(super) const OPENAPI: [(&str, &[u8]); 2] =
    [("openapi.json", include_bytes!("../../../spec/dist/openapi.json")), ("openapi-3.0.json", OPENAPI_30)];

/// The types of the service as a JSON Schema.
const TYPES: &[u8] = include_bytes!("../../../spec/dist/types.schema.json");

/// Runs a tool on each document, in a folder of its own.
fn for_each_version(run: impl Fn(&Path, &Path)) {
    for (version, document) in OPENAPI {
        println!("{version}");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (read, made) = (folder.path().join(version), folder.path().join("made"));
        fs::write(&read, document).expect("the folder is ours");
        fs::create_dir(&made).expect("the folder is ours");
        run(&read, &made);
    }
}

/// What a tool printed, with success.
fn printed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let told = [String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)].concat();
    assert!(status.success(), "{command:?}:\n{told}");
    told
}

/// The findings that a linter wrote, as JSON.
fn findings(command: &mut Command) -> Value {
    let Output { stdout, stderr, .. } = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    serde_json::from_slice(&stdout).unwrap_or_else(|error| {
        panic!("{command:?}: {error}\n{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr))
    })
}

fn few(warnings: usize, told: &impl std::fmt::Debug) {
    println!("{warnings} warnings");
    assert!(warnings <= WARNINGS_MAX, "{warnings} warnings: {told:#?}");
}

/// Compiles TypeScript as strictly as the compiler can.
fn compiles(file: &Path) {
    let mut tsc = node::openapi_tool("tsc");
    tsc.args(["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"]);
    clean(tsc.args(["--module", "esnext", "--moduleResolution", "bundler"]).arg(file));
}

#[test]
fn linters_find_little() {
    for_each_version(|document, folder| {
        let mut redocly = node::openapi_tool("redocly");
        redocly.args(["lint", "--format=json", "--max-problems=9999"]).arg(document).env("CI", "true");
        let found = findings(redocly.current_dir(folder));
        assert_eq!(found["totals"]["errors"], 0, "{found:#}");
        few(found["problems"].as_array().expect("a list").len(), &found["problems"]);

        fs::write(folder.join(".spectral.yaml"), "extends: [\"spectral:oas\"]\n").expect("the folder is ours");
        let mut spectral = node::openapi_tool("spectral");
        spectral.args(["lint", "--format=json", "--quiet", "--ruleset=.spectral.yaml"]).arg(document);
        let found = findings(spectral.current_dir(folder));
        let found = found.as_array().expect("a list");
        assert!(found.iter().all(|finding| finding["severity"] != 0), "{found:#?}");
        few(found.len(), found);

        clean(python::openapi_tool("python").args(["-m", "openapi_spec_validator"]).arg(document));
    });
}

#[test]
fn generators_in_typescript_make_what_compiles() {
    for_each_version(|document, folder| {
        let types = folder.join("types.ts");
        clean(node::openapi_tool("openapi-typescript").arg(document).arg("--output").arg(&types));
        compiles(&types);

        let mut hey_api = node::openapi_tool("openapi-ts");
        let made = printed(
            hey_api.arg("--input").arg(document).args(["--output", "hey", "--no-log-file"]).current_dir(folder),
        );
        few(made.to_lowercase().matches("warn").count(), &made);
        compiles(&folder.join("hey/index.ts"));

        let mut orval = node::openapi_tool("orval");
        let orval = orval.arg("--input").arg(document).args(["--output", "orval/api.ts", "--client", "fetch"]);
        let made = printed(orval.current_dir(folder));
        few(made.to_lowercase().matches("warn").count(), &made);
        compiles(&folder.join("orval/api.ts"));

        let mut swagger = node::openapi_tool("swagger-typescript-api");
        swagger.args(["generate", "--path"]).arg(document).arg("--output").arg(folder.join("swagger"));
        clean(swagger.current_dir(folder));
        compiles(&folder.join("swagger/Api.ts"));
    });
}

/// Lines of the type checker in files of the tool that are the same for every document.
const OWN_FILE: &str = "client.py:";
/// Files of models for a hundred schemas that have a name, at the most. Of what has none the tool makes one wherever it stands.
const FILES_PER_HUNDRED: usize = 125;

#[test]
fn generators_in_python_make_what_checks() {
    for_each_version(|document, folder| {
        let mut client = python::openapi_tool("openapi-python-client");
        client.args(["generate", "--meta", "none", "--output-path", "client", "--path"]).arg(document);
        let made = printed(client.current_dir(folder));
        few(made.lines().filter(|line| line.contains("WARNING")).count(), &made);
        let models = fs::read_dir(folder.join("client/models")).expect("there are models").count();
        let read: Value = serde_json::from_slice(&fs::read(document).expect("it was written")).expect("JSON");
        let schemas = read["components"]["schemas"].as_object().expect("schemas").len();
        assert!((100..=FILES_PER_HUNDRED * schemas / 100).contains(&models), "{models} models of {schemas} schemas");
        let checked = python::openapi_tool("mypy").args(["--strict", "client"]).current_dir(folder).output();
        let checked = String::from_utf8(checked.expect("mypy runs").stdout).expect("UTF-8");
        let errors: Vec<&str> =
            checked.lines().filter(|line| line.contains(": error:") && !line.contains(OWN_FILE)).collect();
        assert!(errors.is_empty() && checked.contains("source files"), "{checked}");

        models_check("openapi", document, folder);
    });
}

#[test]
fn the_schema_of_the_types_is_one_for_generators() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let schema = folder.path().join("types.schema.json");
    fs::write(&schema, TYPES).expect("the folder is ours");
    models_check("jsonschema", &schema, folder.path());
}

/// Makes models of pydantic of a document and checks them.
fn models_check(kind: &str, document: &Path, folder: &Path) {
    let mut models = python::openapi_tool("datamodel-codegen");
    models.args(["--input-file-type", kind, "--output-model-type", "pydantic_v2.BaseModel"]);
    models.args(["--use-annotated", "--formatters", "builtin", "--output", "models.py", "--input"]).arg(document);
    let made = printed(models.current_dir(folder));
    few(made.matches("Warning:").count(), &made);
    clean(python::openapi_tool("python").arg("models.py").current_dir(folder));
    clean(python::openapi_tool("mypy").args(["--strict", "models.py"]).current_dir(folder));
}

#[test]
fn the_generator_of_many_languages_takes_both() {
    for_each_version(|document, folder| {
        let generate = |language: &str| {
            let mut generator = python::openapi_tool("openapi-generator-cli");
            generator.args(["generate", "-g", language, "-o", language, "-i"]).arg(document);
            // By itself it leaves out types that are forms alone, and still imports them.
            let made = printed(generator.args(["--global-property", "skipFormModel=false"]).current_dir(folder));
            assert!(!made.contains("ERROR"), "{made}");
            let warnings: BTreeSet<&str> =
                made.lines().filter_map(|line| line.split_once("WARN").map(|(_, said)| said)).collect();
            println!("{language}: {} warnings", made.matches("WARN").count());
            few(warnings.len(), &warnings);
        };
        for language in ["go", "java", "python", "rust", "typescript-fetch"] {
            generate(language);
        }
        compiles(&folder.join("typescript-fetch/index.ts"));
        clean(python::openapi_tool("python").args(["-m", "compileall", "-q", "python"]).current_dir(folder));
        parses(&folder.join("rust/src"));
    });
}

/// Reads every file of Rust in a folder.
fn parses(folder: &Path) {
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("a folder that was made").map(|entry| entry.expect("a file").path()) {
        if entry.is_dir() {
            parses(&entry);
        } else if entry.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&entry).expect("text");
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", entry.display()));
            count += 1;
        }
    }
    assert!(count > 0, "no Rust in {}", folder.display());
}

const MANIFEST: &str = r#"[package]
name = "progenitor-client-of-tollgate"
version = "0.0.0"
edition = "2024"

[dependencies]
bytes = "1"
chrono = { version = "0.4", default-features = false, features = ["serde"] }
futures = "0.3"
progenitor = "=0.15.1"
progenitor-client = "=0.15.1"
regress = "0.12"
reqwest = { version = "0.13", default-features = false, features = ["json", "query", "stream"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"

[workspace]
"#;

// suite: long builds 120s
#[test]
fn progenitor_makes_a_client_of_3_0_that_compiles() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("src")).expect("the folder is ours");
    fs::write(path("Cargo.toml"), MANIFEST).expect("the folder is ours");
    fs::write(path("src/lib.rs"), "progenitor::generate_api!(spec = \"openapi-3.0.json\");\n")
        .expect("the folder is ours");
    fs::write(path("openapi-3.0.json"), OPENAPI_30).expect("the folder is ours");
    // What another generator writes is not ours to lint.
    let mut check = cargo(folder.path(), &["check", "--quiet"]);
    clean(check.env_remove("RUSTC_WRAPPER").env_remove("RUSTFLAGS"));
}
