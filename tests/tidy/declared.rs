//! Each file of Rust is a module of something: one that nobody declares is not compiled, and its tests do not run.

use std::collections::BTreeSet;

use crate::source::{File, files};

const FOLDERS: [&str; 7] = [
    "codegen/generator/src",
    "codegen/language/src",
    "codegen/src",
    "macros/src",
    "server/src",
    "tests/it",
    "tests/src",
];
/// Files that cargo finds by their names.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// The name of a module in a file of this path, and the paths of the files that may declare it.
fn declarers(path: &str) -> (&str, Vec<String>) {
    let stem = path.trim_end_matches(".rs").trim_end_matches("/mod");
    let (folder, name) = stem.rsplit_once('/').expect("below a folder");
    let inside = ["mod.rs", "lib.rs", "main.rs"].map(|file| format!("{folder}/{file}"));
    (name, [inside.to_vec(), vec![format!("{folder}.rs")]].concat())
}

fn undeclared(files: &[File]) -> Vec<&str> {
    let declares = |file: &File, name: &str| file.text.contains(&format!("mod {name};"));
    let elsewhere: BTreeSet<&str> = files
        .iter()
        .flat_map(|file| file.text.split("#[path = \"").skip(1))
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let is_undeclared = |file: &&File| {
        let (name, declarers) = declarers(&file.path);
        let is_root = ROOTS.iter().any(|root| FOLDERS.iter().any(|folder| file.path == format!("{folder}/{root}")));
        let is_declared = files.iter().any(|other| declarers.contains(&other.path) && declares(other, name));
        !is_root && !is_declared && !elsewhere.iter().any(|path| path.ends_with(&format!("/{name}.rs")))
    };
    files.iter().filter(is_undeclared).map(|file| file.path.as_str()).collect()
}

#[test]
fn every_file_is_declared() {
    let files: Vec<File> = FOLDERS.iter().flat_map(|folder| files(folder, ".rs")).collect();
    assert_eq!(undeclared(&files), Vec::<&str>::new(), "no `mod` names these files, so that nothing compiles them");
}

#[test]
fn a_file_that_nobody_declares_is_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let tree = [
        file("tests/it/main.rs", "mod a;\npub(crate) mod b;"),
        file("tests/it/a.rs", ""),
        file("tests/it/b/mod.rs", "mod c;"),
        file("tests/it/b/c.rs", ""),
        file("tests/it/b/d.rs", ""),
        file("tests/it/c.rs", ""),
    ];
    assert_eq!(undeclared(&tree), ["tests/it/b/d.rs", "tests/it/c.rs"]);
}
