//! The image is built of what the Dockerfile copies, so each file that the sources take in is among it.

use std::path::{Component, Path, PathBuf};

use crate::source::{File, files, root};

/// The folders whose sources the image's build compiles.
const COMPILED: [&str; 3] = ["codegen", "macros", "server"];
/// The macros that take a file in while the source that names it is compiled.
const INCLUDES: [&str; 3] = ["include_str!(", "include_bytes!(", "include!("];
/// Paths that begin here are those of the build's outputs.
const OUTPUTS: &str = "env!(\"OUT_DIR\")";
/// Paths that begin here are those of the package.
const PACKAGE: &str = "env!(\"CARGO_MANIFEST_DIR\")";

/// The path without `..` in it.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
        plain
    })
}

/// The folder of the package that a file belongs to, from the root.
fn package(path: &Path) -> &Path {
    let is_package = |folder: &&Path| root().join(folder).join("Cargo.toml").is_file();
    path.ancestors().skip(1).find(is_package).expect("each source is in a package")
}

/// The arguments of a macro, up to the parenthesis that closes it.
fn arguments(rest: &str) -> &str {
    let mut depth = 1_usize;
    let end = rest.find(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    &rest[..end.unwrap_or(rest.len())]
}

/// The files that a source takes in, from the root. Of a path that a macro puts together, the part before what it is given.
fn included(file: &File) -> Vec<String> {
    let code = file.text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let path = Path::new(&file.path);
    let of = |given: &str| {
        let named = given.replace(PACKAGE, "");
        let named = named.split('"').nth(1)?.trim_start_matches('/').to_owned();
        let folder = if given.contains(PACKAGE) { package(path) } else { path.parent().unwrap_or(path) };
        Some(plain(&folder.join(named)).display().to_string())
    };
    let given = INCLUDES.iter().flat_map(|mark| code.split(mark).skip(1)).map(arguments);
    given.filter(|given| !given.contains(OUTPUTS)).filter_map(of).collect()
}

/// The paths that the Dockerfile copies into the build, from the root.
fn copied(dockerfile: &str) -> Vec<&str> {
    let lines = dockerfile.lines().filter_map(|line| line.strip_prefix("COPY "));
    let of_the_tree = lines.filter(|words| !words.starts_with("--from="));
    of_the_tree.flat_map(|words| words.rsplit_once(' ').map_or("", |(from, _)| from).split(' ')).collect()
}

/// The files that the sources take in and the Dockerfile leaves out, with who takes them in.
fn left_out(sources: &[File], dockerfile: &str) -> Vec<String> {
    let copied = copied(dockerfile);
    let taken = sources.iter().flat_map(|file| included(file).into_iter().map(move |taken| (&file.path, taken)));
    let left = taken.filter(|(_, taken)| !copied.iter().any(|from| Path::new(taken).starts_with(from)));
    left.map(|(path, taken)| format!("{path} takes in {taken}")).collect()
}

#[test]
fn the_image_has_every_file_that_its_build_takes_in() {
    let sources: Vec<File> = COMPILED.iter().flat_map(|folder| files(folder, ".rs")).collect();
    let dockerfile = std::fs::read_to_string(root().join("Dockerfile")).expect("the Dockerfile");
    let left = left_out(&sources, &dockerfile);
    assert!(left.is_empty(), "the Dockerfile does not copy what is compiled in:\n{}", left.join("\n"));
}

#[test]
fn a_file_that_is_left_out_is_found() {
    let text = "const A: &str = include_str!(\"../../../.rustfmt.toml\");\n\
        const B: &[u8] = include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../spec/a.json\"));\n\
        const C: &str = include_str!(concat!(\"data/\", $name, \".sql\"));\n\
        const D: &[u8] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/b\"));\n\
        // include_str!(\"../../../README.md\")\n";
    let file = File { path: "server/src/app/a.rs".to_owned(), text: text.to_owned() };
    assert_eq!(included(&file), [".rustfmt.toml", "server/src/app/data", "spec/a.json"]);
    let sources = [file];
    let copies = "FROM a\nCOPY Cargo.toml Cargo.lock ./\nCOPY server server\nCOPY spec spec\nCOPY --from=build /a /b\n";
    assert_eq!(left_out(&sources, copies), ["server/src/app/a.rs takes in .rustfmt.toml"]);
    assert!(left_out(&sources, &copies.replace("Cargo.lock", "Cargo.lock .rustfmt.toml")).is_empty());
}
