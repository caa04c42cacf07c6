//! How long everything takes when the spec is 1, 10 and 100 times as large.
//!
//! `cargo run --release -p tollgate-codegen --example scale -- . 10` multiplies the operations and types of `./spec` by
//! ten, under other names and paths, and generates everything in memory. One factor per process, so that it is cold.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use tollgate_codegen::diagnostics::Printer;
use tollgate_codegen::emit::client::{self, Language};
use tollgate_codegen::emit::{Part, generate};
use tollgate_codegen::interface;
use tollgate_codegen::lower::lower;
use tollgate_codegen::parse::Sources;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let factor = arguments.next().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    let all_routed = arguments.next().is_some_and(|word| word == "routed");
    let read = Sources::read(Path::new(&root)).expect("a folder with spec/");
    let sources = multiplied(&read, factor, all_routed);
    let started = Instant::now();
    let loaded = tollgate_codegen::load(&sources);
    let load = started.elapsed();
    if loaded.has_errors() {
        let printer = Printer::new(&sources, false);
        loaded.diagnostics.iter().take(3).for_each(|diagnostic| println!("{}", printer.render(diagnostic)));
        return;
    }
    let lowered = match lower(&loaded.spec) {
        Ok(lowered) => lowered,
        Err(refusals) => {
            return refusals
                .iter()
                .take(3)
                .for_each(|refusal| println!("{}: {}", loaded.spec.at(refusal.place), refusal.message));
        }
    };
    let lower = started.elapsed() - load;
    // As `cargo codegen` and then `codegen client --resolved` do.
    let outputs = generate(&lowered, Part::All);
    let outputs_done = started.elapsed() - load - lower;
    let interface = interface::read(&outputs["spec/dist/resolved.json"]).expect("what was lowered is whole");
    let languages = [Language::Typescript, Language::Python, Language::Rust];
    let clients: usize = languages.iter().map(|of| client::generate(&interface, *of, "1.0.0").len()).sum();
    let total = started.elapsed();
    let lines = |path: &str| {
        let files = outputs.iter().filter(|(name, _)| name.starts_with(path) && name.ends_with(".rs"));
        files.map(|(_, bytes)| bytes.iter().filter(|byte| **byte == b'\n').count()).sum::<usize>()
    };
    println!(
        "{} operations: load and check {load:?}, lower {lower:?}, server, pages and documents {outputs_done:?}, clients {:?}, \
         total {total:?}; {} files, {} lines of Rust",
        lowered.operations.len(),
        total - load - lower - outputs_done,
        outputs.len() + clients,
        lines("server/src/generated"),
    );
}

/// The spec with `factor - 1` copies of its operations and types.
fn multiplied(read: &Sources, factor: usize, all_routed: bool) -> Sources {
    let mut files: Vec<(String, String)> =
        read.files().map(|(_, file)| (file.path.clone(), file.text.clone())).collect();
    if all_routed {
        // Forms of parts can be planned alone.
        let files = files.iter_mut().filter(|(_, text)| !text.contains("multipart"));
        files.for_each(|(_, text)| *text = text.replace("    stage: planned\n", ""));
    }
    let own: Vec<(String, String)> = files.iter().filter(|(_, text)| has_entries(text)).cloned().collect();
    let types: BTreeSet<&str> = own.iter().flat_map(|(_, text)| type_names(text)).collect();
    let copies = (1..factor).flat_map(|copy| own.iter().map(move |file| (copy, file)));
    let copies: Vec<_> = copies.map(|(copy, (path, text))| renamed(copy, path, text, &types)).collect();
    files.extend(copies);
    Sources::new(files)
}

/// Whether a file holds operations or types and nothing that must stay alone.
fn has_entries(text: &str) -> bool {
    let section = |name: &str| text.lines().any(|line| line == name);
    (section("operations:") || section("types:")) && !section("machines:") && !section("errors:")
}

/// The names of the types that a file declares.
fn type_names(text: &str) -> impl Iterator<Item = &str> {
    let types = text.lines().skip_while(|line| *line != "types:").skip(1);
    types.filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(':').next()?;
        name.starts_with(|first: char| first.is_ascii_uppercase()).then_some(name)
    })
}

fn renamed(copy: usize, path: &str, text: &str, types: &BTreeSet<&str>) -> (String, String) {
    let mut out = String::with_capacity(text.len() * 2);
    let mut in_operations = false;
    for line in text.lines().filter(|line| !line.trim_start().starts_with("moves:")) {
        if !line.is_empty() && !line.starts_with([' ', '#']) {
            in_operations = line == "operations:";
        }
        let entry = in_operations && line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(':');
        let line = match line.split_once('.') {
            Some((group, verb)) if entry => format!("{group}_c{copy}.{verb}"),
            _ if ["route:", "also:"].iter().any(|key| line.trim_start().starts_with(key)) => {
                line.replace(" /", &format!(" /c{copy}/"))
            }
            _ if line.trim_start().starts_with("name: {rust:") => line.replace('}', &format!("C{copy}}}")),
            _ => with_types(line, copy, types),
        };
        out.push_str(&line);
        out.push('\n');
    }
    (path.replace(".yaml", &format!("_c{copy}.yaml")), out)
}

/// The line with every type under the name that it has in the copy; headings of the source stay as they are.
fn with_types(line: &str, copy: usize, types: &BTreeSet<&str>) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut word = String::new();
    let mut in_heading = false;
    for letter in line.chars().chain(['\n']) {
        in_heading = letter == '§' || in_heading && letter != '"';
        if letter.is_ascii_alphanumeric() && !in_heading {
            word.push(letter);
            continue;
        }
        out.push_str(&word);
        if types.contains(word.as_str()) {
            out.push_str(&format!("C{copy}"));
        }
        word.clear();
        if letter != '\n' {
            out.push(letter);
        }
    }
    out
}
