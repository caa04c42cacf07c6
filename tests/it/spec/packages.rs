//! The clients as packages: told what registries ask for, packed by the tools of their languages, and taken from what these
//! made. The call that the first page of each tells has to fit that by its types; nothing is sent.

// suite of this file: processor 15s

use std::path::{Path, PathBuf};
use std::process::Command;

use tollgate_tests::clients::{Downstream, cargo, clean};
use tollgate_tests::{node, python};

const REPOSITORY: &str = "https://git.example/acme/gate";

/// A package of the language that is called so, with what its registry asks for.
fn package(language: &str, name: &str) -> Downstream {
    Downstream::listed(language, &["--name", name, "--license", "MIT", "--repository", REPOSITORY])
}

/// The first call of a package, as its `README.md` tells.
fn first_call(downstream: &Downstream) -> String {
    let readme = std::fs::read_to_string(downstream.path("client/README.md")).expect("a first page");
    let code = readme.split("\n```").nth(1).and_then(|code| code.split_once('\n')).expect("a call").1;
    code.to_owned()
}

/// The one file of a folder whose name ends so.
fn made(folder: &Path, end: &str) -> PathBuf {
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let files: Vec<PathBuf> = files.filter(|path| path.display().to_string().ends_with(end)).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    file.clone()
}

/// What a command prints, where it succeeds.
fn told(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let told = [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat();
    assert!(output.status.success(), "{command:?}:\n{told}");
    told
}

const TSCONFIG: &str = r#"{
  "compilerOptions": {
    "target": "ES2022", "module": "NodeNext", "moduleResolution": "NodeNext", "lib": ["ES2022", "DOM", "DOM.Iterable"],
    "types": [], "noEmit": true, "strict": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true
  },
  "files": ["first.ts"]
}"#;

#[test]
fn in_typescript() {
    let downstream = package("typescript", "@acme/gate");
    let tools = Path::new(node::tool("tsc").get_program()).parent().expect("a folder").display().to_string();
    let path = format!("{tools}:{}", std::env::var("PATH").unwrap_or_default());
    let mut pack = Command::new("npm");
    // It builds what it packs.
    pack.args(["pack", "--pack-destination", ".."]).current_dir(downstream.path("client")).env("PATH", path);
    clean(&mut pack);
    let packed = made(&downstream.path("."), ".tgz");
    let files = told(Command::new("tar").arg("-tzf").arg(&packed));
    for file in ["package.json", "README.md", "dist/index.js", "dist/index.d.ts", "dist/calls/chat.js", "src/index.ts"]
    {
        assert!(files.lines().any(|line| line == format!("package/{file}")), "{file} is not in\n{files}");
    }
    downstream.write("user/package.json", r#"{"type": "module", "private": true}"#);
    downstream.write("user/tsconfig.json", TSCONFIG);
    downstream.write("user/first.ts", &first_call(&downstream));
    let mut install = Command::new("npm");
    install.args(["install", "--offline", "--no-audit", "--no-fund", "--silent"]).arg(packed);
    clean(install.current_dir(downstream.path("user")));
    // The package depends on nothing.
    let installed = std::fs::read_dir(downstream.path("user/node_modules")).expect("packages");
    let installed: Vec<_> = installed.map(|entry| entry.expect("a package").file_name()).collect();
    let packages: Vec<_> = installed.iter().filter(|name| !name.to_string_lossy().starts_with('.')).collect();
    assert_eq!(packages, ["@acme"]);
    let manifest = std::fs::read_to_string(downstream.path("user/node_modules/@acme/gate/package.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest.expect("a manifest")).expect("JSON");
    assert_eq!(manifest["license"], "MIT");
    assert_eq!(manifest["repository"]["url"], REPOSITORY);
    clean(node::tool("tsc").arg("-p").arg(downstream.path("user")));
    downstream.write("user/loaded.mjs", "import { Tollgate } from \"@acme/gate\"; new Tollgate({ baseUrl: \"\" });");
    clean(Command::new("node").arg(downstream.path("user/loaded.mjs")));
}

#[test]
fn in_python() {
    let downstream = package("python", "acme-gate");
    let out = downstream.path("dist");
    // The wheel is made of what is in the archive of sources. Isolated, both would be by whatever setuptools is the newest.
    let mut build = python::tool("python");
    clean(build.args(["-m", "build", "--no-isolation", "--outdir"]).arg(&out).arg(downstream.path("client")));
    let (wheel, sources) = (made(&out, ".whl"), made(&out, ".tar.gz"));
    let in_wheel = told(python::tool("python").args(["-m", "zipfile", "-l"]).arg(&wheel));
    let in_sources = told(Command::new("tar").arg("-tzf").arg(&sources));
    for file in ["acme_gate/__init__.py", "acme_gate/py.typed", "acme_gate/calls/chat.py"] {
        assert!(in_wheel.contains(file) && in_sources.contains(file), "{file} is not in\n{in_wheel}\n{in_sources}");
    }
    clean(Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(downstream.path("user")));
    let program = downstream.path("user/bin/python");
    let mut install = python::tool("python");
    install.args(["-m", "pip", "--python"]).arg(&program);
    clean(install.args(["install", "--quiet", "--no-index", "--no-deps"]).arg(&wheel));
    downstream.write("first.py", &first_call(&downstream));
    let mut check = python::tool("mypy");
    // It finds the types in the package as it is installed.
    check.arg("--strict").arg("--python-executable").arg(&program).arg("--cache-dir").arg(downstream.path("cache"));
    clean(check.arg(downstream.path("first.py")).env_remove("MYPYPATH"));
    clean(Command::new(&program).args(["-c", "import acme_gate; acme_gate.AsyncTollgate('')"]));
    let ask = "from importlib.metadata import metadata; said = metadata('acme-gate'); \
               print(said['License-Expression'], said['Project-URL'])";
    let said = told(Command::new(&program).args(["-c", ask]));
    assert_eq!(said.trim_end(), format!("MIT Repository, {REPOSITORY}"));
}

// suite: builds 30s
#[test]
fn in_rust() {
    let downstream = package("rust", "acme-gate");
    let program = first_call(&downstream);
    let (uses, call) = program.split_once("\n\n").expect("what it uses, and the call");
    let call = format!(
        "{uses}\n\n/// As the first page tells.\n///\n/// # Errors\n/// When it fails.\n\
         pub async fn first() -> Result<(), Box<dyn std::error::Error>> {{\n{call}\nprintln!(\"{{reply:?}}\");\nOk(())\n}}\n\
         fn main() {{\n    drop(first());\n}}\n"
    );
    downstream.write("suite/suite.rs", &call);
    downstream.package_over("suite", "acme-gate", "acme-gate-0.1.0");
    let list = told(&mut cargo(&downstream.path("client"), &["package", "--list", "--allow-dirty"]));
    for file in ["Cargo.toml", "README.md", "src/lib.rs", "src/runtime/events.rs", "src/calls/chat.rs"] {
        assert!(list.lines().any(|line| line == file), "{file} is not in\n{list}");
    }
    // What it packs is built below, without TLS; cargo itself would build it with.
    let pack = ["package", "--no-verify", "--allow-dirty", "--target-dir", "../packed"];
    let packing = told(&mut cargo(&downstream.path("client"), &pack));
    assert!(!packing.contains("manifest has no"), "{packing}");
    let packed = made(&downstream.path("packed/package"), ".crate");
    clean(Command::new("tar").arg("-xzf").arg(packed).arg("-C").arg(downstream.path(".")));
    let manifest = std::fs::read_to_string(downstream.path("acme-gate-0.1.0/Cargo.toml")).expect("a manifest");
    for line in ["license = \"MIT\"".to_owned(), format!("repository = {REPOSITORY:?}")] {
        assert!(manifest.lines().any(|found| found == line), "{line} is not in\n{manifest}");
    }
    clean(&mut cargo(&downstream.path("suite"), &["build", "--quiet"]));
}
