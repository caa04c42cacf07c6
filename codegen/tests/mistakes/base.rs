//! The two sound specs that mistakes are planted in: a small one, and one that has every construct of the language.

use std::{collections::BTreeMap, fs, path::Path, path::PathBuf};

use tollgate_spec_language::{diagnostics::DiagnosticPrinter, load, parse::SpecSources};

/// Where the cases and the base spec are.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/mistakes")
}

/// The files of the small spec, by their path below `spec/`.
pub(crate) fn files() -> BTreeMap<String, String> {
    files_of("base")
}

/// The files of the spec that has every construct of the language, by their path below `spec/`.
pub(crate) fn whole() -> BTreeMap<String, String> {
    files_of("whole")
}

fn files_of(spec: &str) -> BTreeMap<String, String> {
    fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).expect("the base spec is a folder") {
            let path = entry.expect("an entry of it").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            if path.is_dir() {
                collect(&path, &format!("{prefix}{name}/"), files);
            } else {
                files.insert(format!("{prefix}{name}"), fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    let mut files = BTreeMap::new();
    collect(&folder().join(spec), "", &mut files);
    files
}

/// Sources from files by their path below `spec/`.
pub(crate) fn sources(files: &BTreeMap<String, String>) -> SpecSources {
    SpecSources::new(files.iter().map(|(path, text)| (format!("spec/{path}"), text)))
}

/// Every complaint about a spec, as people read them.
pub(crate) fn rendered(sources: &SpecSources) -> String {
    let printer = DiagnosticPrinter::new(sources, false);
    load(sources).diagnostics.iter().map(|diagnostic| printer.render(diagnostic) + "\n\n").collect()
}

#[test]
fn the_bases_are_sound() {
    assert_eq!(rendered(&sources(&files())), "");
    assert_eq!(rendered(&sources(&whole())), "");
}

#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    let mut windows = files();
    for text in windows.values_mut() {
        *text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    }
    let broken = |files: &BTreeMap<String, String>| {
        let broken =
            files.iter().map(|(path, text)| (path.clone(), text.replace("envelope: account", "envelope: acount")));
        rendered(&sources(&broken.collect()))
    };
    assert_eq!(rendered(&sources(&windows)), "");
    assert_eq!(broken(&windows), broken(&files()));
}
