//! Keeps `api/src/generated` and the machine migrations of `store` what `spec/` says, so that a stale tree cannot be built; makes
//! the pages of `/docs` and OpenAPI 3.0.3, which no tree holds.
//!
//! An edit of the spec is written through; a generated file that was edited or deleted is made again. With `CI` set
//! nothing is written: the build fails with the difference instead. What is wrong with the spec fails the build with
//! file, line and column.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io};

use tollgate_spec_generator::diagnostics::DiagnosticPrinter;
use tollgate_spec_generator::emit::{
    OPENAPI_30, OutputPart, WriteMode, apply, digest, generate_beside, openapi_30, pages,
};
use tollgate_spec_generator::is_ci;
use tollgate_spec_generator::parse::SpecSources;
use tollgate_spec_generator::resolve::resolve;

/// Digits of a digest that tell two versions of a file apart.
const TAG_DIGITS: usize = 32;

fn main() {
    println!("cargo::rerun-if-changed=../../../spec");
    println!("cargo::rerun-if-changed=../../guides");
    println!("cargo::rerun-if-env-changed=CI");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the package is in the workspace");
    let complaints =
        keep(root).unwrap_or_else(|error| format!("spec/ or what is made from it cannot be read or written: {error}"));
    // An error line fails the build by itself; a failing exit would show everything a second time.
    complaints.lines().for_each(|line| println!("cargo::error={line}"));
}

/// Makes the tree what the spec says. Gives what stands against that, empty when nothing does.
fn keep(root: &Path) -> io::Result<String> {
    let sources = SpecSources::read(root)?;
    let mut loaded = tollgate_spec_generator::load(&sources);
    if is_ci() {
        loaded.require_examples();
    }
    if loaded.has_errors() {
        let printer = DiagnosticPrinter::new(&sources, false);
        return Ok(loaded.diagnostics.iter().map(|diagnostic| printer.render(diagnostic) + "\n").collect());
    }
    let lowered = match resolve(&loaded.spec) {
        Ok(lowered) => lowered,
        Err(refusals) => {
            let line = |place, message| format!("{}: {message}\n", loaded.spec.at(place));
            return Ok(refusals.into_iter().map(|refusal| line(refusal.place, refusal.message)).collect());
        }
    };
    let beside = |interface: &_| (pages(&lowered, interface), openapi_30(interface));
    let (outputs, (pages, openapi)) = generate_beside(&lowered, OutputPart::Server, beside);
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    fs::write(out.join(OPENAPI_30), openapi)?;
    write_pages(&out, &pages)?;
    // Each file by itself: a folder counts as changed when a file in it is written.
    outputs.keys().for_each(|path| println!("cargo::rerun-if-changed=../../../{path}"));
    if is_ci() {
        return apply(root, &outputs, WriteMode::Check).map(|report| report.diff);
    }
    let report = apply(root, &outputs, WriteMode::Write)?;
    let written = newest(&root.join("spec"))?;
    for path in &report.changed {
        // As old as the spec: newer than this run, they would have it run again next time.
        fs::File::options().write(true).open(root.join(path))?.set_modified(written)?;
    }
    Ok(String::new())
}

/// Writes the pages, and the Rust that the library takes them by.
fn write_pages(out: &Path, pages: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    let folder = out.join("docs");
    fs::create_dir_all(&folder)?;
    let mut list = "&[\n".to_owned();
    for (file, bytes) in pages {
        fs::write(folder.join(file), bytes)?;
        let name = file.strip_suffix(".html").unwrap_or(file);
        let (kind, tag) = (media_type(file), format!("\"{}\"", &digest(bytes)[..TAG_DIGITS]));
        // Writing to a text cannot fail.
        let _ = writeln!(
            list,
            "    DocsFile {{ name: {name:?}, kind: {kind:?}, tag: {tag:?}, bytes: include_bytes!(\"docs/{file}\") }},"
        );
    }
    list.push_str("]\n");
    fs::write(out.join("docs.rs"), list)
}

fn media_type(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        _ => "text/html; charset=utf-8",
    }
}

/// The time of the last change of a file under a folder.
fn newest(folder: &Path) -> io::Result<SystemTime> {
    let mut last = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let changed =
            if entry.file_type()?.is_dir() { newest(&entry.path())? } else { entry.metadata()?.modified()? };
        last = last.max(changed);
    }
    Ok(last)
}
