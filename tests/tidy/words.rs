//! Words and constructs that stay out of the tree.

use crate::source::{File, files, kept};

/// This file, which has to spell what it looks for.
const HERE: &str = "tests/tidy/words.rs";

/// What says that something is unfinished, or switched off.
const OPEN: [&str; 6] = ["TODO", "FIXME", "XXX", "todo!", "unimplemented!", "#[ignore"];

/// Where people and programs keep what is theirs. What every Debian has (`/usr/bin/env`) is nobody's own.
const MACHINE_PATHS: [&str; 7] = ["/root/", "/home/", "/Users/", "/tmp/", "/var/folders/", "/mnt/", "C:\\Users"];

/// Where packages and programs are fetched from: a machine may have a mirror of its own, and the clients of the
/// registries know where it is. Parts of names, so that every host of a registry is meant.
const DOWNLOAD_HOSTS: [&str; 14] = [
    "crates.io",
    "rust-lang.org",
    "rustup.rs",
    "npmjs",
    "nodejs.org",
    "pypi.org",
    "pythonhosted",
    "golang.org",
    "github",
    "gitlab.com",
    "debian.org",
    "docker.io",
    "ghcr.io",
    "huggingface",
];

/// How cargo names the one registry, whatever mirror it takes the packages from.
const REGISTRY: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

/// Lines with one of `words`, as `path:line: text`.
fn lines_with(file: &File, words: &[&str]) -> Vec<String> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| words.iter().any(|word| has(line, word)));
    lines.map(|(number, line)| format!("{}:{}: {}", file.path, number + 1, line.trim())).collect()
}

/// Whether a line has this word, as a word of its own where it begins or ends with a letter.
fn has(line: &str, word: &str) -> bool {
    let letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (line[..at].chars().next_back(), line[at + word.len()..].chars().next());
        let within_a_word = letter(before) && letter(word.chars().next());
        let goes_on = letter(after) && letter(word.chars().next_back());
        !within_a_word && !goes_on
    })
}

#[test]
fn nothing_is_left_open() {
    let kept = kept();
    // The compiler's own advice, in the compile-fail texts, is to write one.
    let ours = kept.iter().filter(|file| file.path != HERE && !file.path.ends_with(".stderr"));
    let found: Vec<String> = ours.flat_map(|file| lines_with(file, &OPEN)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_module_says_what_it_holds() {
    let folders = [
        "server/crates",
        "server/src",
        "codegen/src",
        "codegen/generator/src",
        "codegen/language/src",
        "codegen/tests",
        "macros/src",
        "tests/src",
        "tests/it",
        "tests/tidy",
        "tests/suite/src",
        "tests/services",
    ];
    for folder in folders {
        for file in files(folder, ".rs") {
            let marked = file.text.starts_with("//!") || file.text.starts_with("// Made by");
            assert!(marked, "{} opens without saying what it holds", file.path);
        }
    }
}

#[test]
fn no_machine_paths_and_no_download_hosts() {
    let kept = kept();
    let words = [&MACHINE_PATHS[..], &DOWNLOAD_HOSTS].concat();
    let found: Vec<String> = kept
        .iter()
        .filter(|file| file.path != HERE)
        .flat_map(|file| lines_with(file, &words))
        .filter(|line| !(line.starts_with("Cargo.lock:") && line.ends_with(REGISTRY)))
        .collect();
    assert!(found.is_empty(), "these hold on one machine only:\n{}", found.join("\n"));
}

#[test]
fn words_are_found_where_they_stand_alone() {
    let text = "// TODO: this\nTODOS\n    todo!()\nlet xxx = \"XXX\";\n#[ignore = \"slow\"]\nautodo!()\n";
    let file = File { path: "a.rs".to_owned(), text: text.to_owned() };
    let lines: Vec<String> = lines_with(&file, &OPEN);
    let numbers: Vec<&str> = lines.iter().filter_map(|line| line.split(':').nth(1)).collect();
    assert_eq!(numbers, ["1", "3", "4", "5"]);
    let file = File { path: "b".to_owned(), text: "see https://static.crates.io/x\n/home/me/x\n/homely/\n".to_owned() };
    assert_eq!(lines_with(&file, &[&MACHINE_PATHS[..], &DOWNLOAD_HOSTS].concat()).len(), 2);
}
