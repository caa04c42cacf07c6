//! Libraries in C that the dynamic linker puts before the C library (`LD_PRELOAD`), so that the system below a process is as a test
//! wants it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Compiles one, beside the tests; its source is named from the root of this crate.
///
/// # Panics
/// When it does not compile.
#[must_use]
pub(crate) fn built(name: &str, source: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running program has a path");
    let path = test.with_file_name(name);
    // Another run may compile it at the same time.
    let own = path.with_extension(std::process::id().to_string());
    let source = format!("{}{source}", env!("CARGO_MANIFEST_DIR"));
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(&own).arg(&source);
    assert!(compiler.status().expect("cc, which links Rust programs too").success(), "{source} does not compile");
    fs::rename(own, &path).expect("a file of ours");
    path
}
