//! The clients as packages: packed by the tools of their registries, installed from what these made, and called as the first
//! page of each tells.

use std::path::{Path, PathBuf};
use std::process::Command;

use tollgate_tests::clients::{Downstream, cargo, clean};
use tollgate_tests::{node, python};

/// A package of the language, with what its registry asks for.
fn package(language: &str) -> Downstream {
    let suite = ["typescript", "python", "rust"].iter().zip(["suite.ts", "suite.py", "suite.rs"]);
    let suite = suite.filter(|(of, _)| **of == language).map(|(_, suite)| suite).next().expect("a suite");
    let downstream = Downstream::with_client(language, suite);
    std::fs::remove_dir_all(downstream.path("suite")).expect("it was put there");
    downstream
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
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}:\n{told}{}", String::from_utf8_lossy(&output.stderr));
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
    let downstream = package("typescript");
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
    assert_eq!(packages, ["tollgate-client"]);
    clean(node::tool("tsc").arg("-p").arg(downstream.path("user")));
    downstream
        .write("user/loaded.mjs", "import { Tollgate } from \"tollgate-client\"; new Tollgate({ baseUrl: \"\" });");
    clean(Command::new("node").arg(downstream.path("user/loaded.mjs")));
}

#[test]
fn in_python() {
    let downstream = package("python");
    let out = downstream.path("dist");
    // The wheel is made of what is in the archive of sources.
    clean(python::tool("python").args(["-m", "build", "--outdir"]).arg(&out).arg(downstream.path("client")));
    let (wheel, sources) = (made(&out, ".whl"), made(&out, ".tar.gz"));
    let in_wheel = told(python::tool("python").args(["-m", "zipfile", "-l"]).arg(&wheel));
    let in_sources = told(Command::new("tar").arg("-tzf").arg(&sources));
    for file in ["tollgate_client/__init__.py", "tollgate_client/py.typed", "tollgate_client/calls/chat.py"] {
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
    clean(Command::new(&program).args(["-c", "import tollgate_client; tollgate_client.AsyncTollgate('')"]));
}

#[test]
fn in_rust() {
    let downstream = package("rust");
    let program = first_call(&downstream);
    let (uses, call) = program.split_once("\n\n").expect("what it uses, and the call");
    let call = format!(
        "{uses}\n\n/// As the first page tells.\n///\n/// # Errors\n/// When it fails.\n\
         pub async fn first() -> Result<(), Box<dyn std::error::Error>> {{\n{call}\nprintln!(\"{{reply:?}}\");\nOk(())\n}}\n\
         fn main() {{\n    drop(first());\n}}\n"
    );
    downstream.write("suite/suite.rs", &call);
    downstream.package("suite");
    let list = told(&mut cargo(&downstream.path("client"), &["package", "--list", "--allow-dirty"]));
    for file in ["Cargo.toml", "README.md", "src/lib.rs", "src/runtime/events.rs", "src/calls/chat.rs"] {
        assert!(list.lines().any(|line| line == file), "{file} is not in\n{list}");
    }
    clean(&mut cargo(&downstream.path("client"), &["package", "--quiet", "--no-verify", "--allow-dirty"]));
    clean(&mut cargo(&downstream.path("suite"), &["check", "--quiet"]));
}
