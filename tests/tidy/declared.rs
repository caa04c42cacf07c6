//! Each file of Rust is a module of something. One that nobody declares is not compiled, and its tests do not run.

use std::collections::BTreeSet;

use crate::source::{File, files};

const FOLDERS: [&str; 12] = [
    "codegen/generator/src",
    "codegen/language/src",
    "codegen/src",
    "codegen/tests/commands",
    "macros/src",
    "server/crates",
    "server/src",
    "tests/bench",
    "tests/it",
    "tests/src",
    "tests/suite/src",
    "tests/tidy",
];
/// Files that cargo finds by their names.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// True for a file that cargo finds by its name.
fn is_root(path: &str) -> bool {
    let of_crate = path.strip_prefix("server/crates/").and_then(|inside| inside.split_once('/'));
    of_crate.is_some_and(|(_, file)| matches!(file, "src/lib.rs" | "build.rs"))
        || ROOTS.iter().any(|root| FOLDERS.iter().any(|folder| path == format!("{folder}/{root}")))
}

/// The name of a module in a file of this path, and the paths of the files that may declare it.
fn declarers(path: &str) -> (&str, Vec<String>) {
    let stem = path.trim_end_matches(".rs").trim_end_matches("/mod");
    let (folder, name) = stem.rsplit_once('/').expect("below a folder");
    let inside = ["mod.rs", "lib.rs", "main.rs"].map(|file| format!("{folder}/{file}"));
    (name, [inside.to_vec(), vec![format!("{folder}.rs")]].concat())
}

/// The paths that a file names with `#[path = "…"]`, or takes as a text, from the root.
fn placed(file: &File) -> impl Iterator<Item = String> {
    let folder: Vec<&str> = file.path.rsplit_once('/').expect("below a folder").0.split('/').collect();
    let named = ["#[path = \"", "include_str!(\""].into_iter().flat_map(|mark| file.text.split(mark).skip(1));
    let paths = named.filter_map(|rest| rest.split('"').next());
    paths.map(move |path| {
        let up = path.split('/').take_while(|part| *part == "..").count();
        let above = folder.iter().take(folder.len().saturating_sub(up)).copied();
        above.chain(path.split('/').skip(up)).collect::<Vec<_>>().join("/")
    })
}

/// True if a line of a file declares the module.
fn declares(file: &File, name: &str) -> bool {
    let declaration = format!("mod {name};");
    file.text.lines().any(|line| line.trim_start().starts_with(['m', 'p']) && line.ends_with(&declaration))
}

fn undeclared(files: &[File]) -> Vec<&str> {
    let placed: BTreeSet<String> = files.iter().flat_map(placed).collect();
    let is_undeclared = |file: &&File| {
        let (name, declarers) = declarers(&file.path);
        let is_declared = files.iter().any(|other| declarers.contains(&other.path) && declares(other, name));
        !is_root(&file.path) && !is_declared && !placed.contains(&file.path)
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
        file("tests/it/c.rs", "// mod e;\n#[path = \"../src/x/f.rs\"]\nmod f;"),
        file("tests/it/e.rs", ""),
        file("tests/it/f.rs", ""),
        file("tests/src/x/f.rs", ""),
    ];
    assert_eq!(undeclared(&tree), ["tests/it/b/d.rs", "tests/it/c.rs", "tests/it/e.rs", "tests/it/f.rs"]);
}
