//! The compiler by itself, over what the tests are built of: seconds where cargo would build everything anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

use crate::binary;

/// Checks a crate of this kind, `lib` or `bin`, without linking it. It finds the libraries of these names; what it would link
/// goes into `out`.
///
/// # Panics
/// When the compiler does not run.
#[must_use]
pub fn check(kind: &str, source: &Path, folder: &Path, libraries: &[&str], out: &Path, more: &[&str]) -> Output {
    let mut rustc = Command::new(Path::new(env!("CARGO")).with_file_name("rustc"));
    rustc.args(["--edition=2024", "--emit=metadata", "--error-format=json", "--crate-type", kind, "--out-dir"]);
    rustc.arg(out).arg(source).args(more).current_dir(folder);
    for name in libraries {
        let library = &built()[*name];
        rustc.arg("--extern").arg(format!("{name}={}", library.display()));
        rustc.arg("-L").arg(format!("dependency={}", dependencies(library).display()));
    }
    rustc.output().expect("rustc runs")
}

/// Libraries lie beside what they are built of, or are linked into the folder above.
fn dependencies(library: &Path) -> PathBuf {
    let folder = library.parent().expect("a library lies in a folder");
    if folder.ends_with("deps") { folder.to_owned() } else { folder.join("deps") }
}

/// The compiler's messages, in its JSON.
pub fn messages(output: &Output) -> Vec<Value> {
    let lines = String::from_utf8_lossy(&output.stderr);
    lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The libraries that the tests are built of, by name; built first where they are not fresh.
fn built() -> &'static BTreeMap<String, PathBuf> {
    static LIBRARIES: OnceLock<BTreeMap<String, PathBuf>> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        let messages = match std::env::var_os(binary::BUILT) {
            Some(built) => std::fs::read_to_string(built).expect("tests/run has written it"),
            None => {
                let mut cargo = binary::cargo("build");
                cargo.args(["--quiet", "--workspace", "--lib", "--message-format=json"]);
                let output = cargo.output().expect("cargo runs");
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                String::from_utf8_lossy(&output.stdout).into_owned()
            }
        };
        messages.lines().filter_map(|line| library(&serde_json::from_str(line).ok()?)).collect()
    })
}

/// The name of a library, and where it is.
fn library(message: &Value) -> Option<(String, PathBuf)> {
    let name = message["target"]["name"].as_str()?;
    let id = message["package_id"].as_str()?;
    // Others of its generations may be in the tree.
    let wanted = name != "http" || id.contains("#http@1") || id.contains("#1.");
    let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
    let is_library = |file: &&str| [".rlib", ".so", ".dylib"].iter().any(|end| file.ends_with(end));
    let library = files.into_iter().find(is_library)?;
    wanted.then(|| (name.to_owned(), PathBuf::from(library)))
}
