//! How long everything takes, and how much memory, when the spec is 1, 10 and 100 times as large.
//!
//! `cargo run --release -p tollgate-codegen --example scale -- . 10 DIR` writes the operations, types and examples of
//! `./spec` ten times over, under other names and paths, as the `spec` of a folder; with names of operations after it, these
//! alone, and all others are `stage: planned` in it. `… --example scale -- DIR` reads what is there and generates everything of
//! it in memory, and `… -- DIR INTO` writes it too. One spec per process, so that it is cold. Whatever is wrong with a spec ends
//! it with a failure: a refusal takes no time.

mod multiply;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use rayon::prelude::*;
use tollgate_spec_generator::client_model::ApiDocument;
use tollgate_spec_generator::emit::client::{self, ClientLanguage, PackageListing};
use tollgate_spec_generator::emit::{OutputFiles, OutputPart, WriteMode, apply, generate_beside};
use tollgate_spec_generator::resolve::resolve;
use tollgate_spec_language::diagnostics::DiagnosticPrinter;
use tollgate_spec_language::parse::SpecSources;

/// As `codegen` does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let told = match words[..] {
        [root] => {
            let sources = SpecSources::read(Path::new(root))?;
            take(&sources, None)
        }
        [root, into] => {
            let sources = SpecSources::read(Path::new(root))?;
            take(&sources, Some(Path::new(into)))
        }
        [root, factor, into, ref only @ ..] => {
            let read = SpecSources::read(Path::new(root))?;
            let files = read.files().map(|(_, file)| (file.path.clone(), file.text.clone())).collect();
            return write(&multiply::multiplied(files, factor.parse()?, only)?, Path::new(into));
        }
        _ => Err("the folder that holds `spec`, and the folder to write to; to multiply it, the factor between them, and the \
                  operations after them where it is not all of them"
            .to_owned()),
    };
    match told {
        Ok(told) => println!("{told}"),
        Err(complaints) => {
            eprintln!("{complaints}");
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write(files: &[multiply::File], into: &Path) -> Result<ExitCode, Box<dyn Error>> {
    for (path, text) in files {
        let path = into.join(path);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Generates everything, and tells how long it took and how much memory, or the first few complaints.
fn take(sources: &SpecSources, into: Option<&Path>) -> Result<String, String> {
    let started = Instant::now();
    let loaded = tollgate_spec_language::load(sources);
    let load = started.elapsed();
    if !loaded.diagnostics.is_empty() {
        let printer = DiagnosticPrinter::new(sources, false);
        return Err(loaded.diagnostics.iter().take(3).map(|diagnostic| printer.render(diagnostic)).collect());
    }
    let lowered = resolve(&loaded.spec).map_err(|refusals| {
        let told = refusals.iter().take(3).map(|refusal| (loaded.spec.at(refusal.place), &refusal.message));
        told.map(|(at, message)| format!("{at}: {message}\n")).collect::<String>()
    })?;
    let resolved = started.elapsed() - load;
    // As `cargo codegen` and then `codegen client` do, in one process.
    let listing = PackageListing::of("1.0.0");
    let languages = [ClientLanguage::Typescript, ClientLanguage::Python, ClientLanguage::Rust];
    let (outputs, clients): (_, OutputFiles) = generate_beside(&lowered, OutputPart::All, |interface| {
        languages.into_par_iter().flat_map_iter(|of| package(interface, of, &listing)).collect()
    });
    let made = started.elapsed() - load - resolved;
    let operations = lowered.operations.values().filter(|operation| !operation.planned).count();
    let write = |made| into.map_or(Ok(()), |into| apply(into, made, WriteMode::Write).map(drop));
    // The models go while files are written.
    let written = rayon::join(|| write(&clients), || drop(lowered)).0;
    let written = written.and(rayon::join(|| write(&outputs), || drop(loaded)).0);
    written.map_err(|error| error.to_string())?;
    let total = started.elapsed();
    let lines = |path: &str| {
        let files = outputs.iter().filter(|(name, _)| name.starts_with(path) && name.ends_with(".rs"));
        files.map(|(_, bytes)| bytes.iter().filter(|byte| **byte == b'\n').count()).sum::<usize>()
    };
    Ok(format!(
        "{operations} operations: load and check {load:?}, resolve {resolved:?}, make {made:?}, write {:?}, total {total:?}; \
         {} files, {} lines of Rust{}",
        total - load - resolved - made,
        outputs.len() + clients.len(),
        lines("server/crates/api/src/generated"),
        peak_memory().map_or(String::new(), |peak| format!("; peak memory {peak}")),
    ))
}

/// The most physical memory that the process had at once since it began, with the system's unit, where the system tells.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|peak| peak.trim().to_owned())
}

/// The files of a client, in a folder of its own.
fn package(
    interface: &ApiDocument,
    language: ClientLanguage,
    listing: &PackageListing,
) -> impl Iterator<Item = (String, Vec<u8>)> {
    let files = client::generate(interface, language, listing);
    files.into_iter().map(move |(path, bytes)| (format!("clients/{language:?}/{path}"), bytes))
}
