//! Fixtures and goldens: files beside the tests of this crate.

use std::fs;
use std::path::{Path, PathBuf};

/// The fixtures in `data/{folder}` whose names end in `ending`, in order: their names without it, and their bytes.
pub fn fixtures(folder: &str, ending: &str) -> Vec<(String, Vec<u8>)> {
    let folder = data().join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix(ending)?.to_owned();
            (!name.ends_with(".golden")).then(|| (name, fs::read(&path).expect("a readable fixture")))
        })
        .collect();
    found.sort();
    assert!(!found.is_empty(), "no fixtures in {}", folder.display());
    found
}

/// Holds `made` against the golden at `data/{path}`.
pub fn check(path: &str, made: &str) {
    let file = data().join(path);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&file, made).expect("a folder that can be written");
        return;
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    assert!(golden == made, "{path} differs; UPDATE_GOLDENS=1 writes it anew:\n{made}");
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/data")
}
