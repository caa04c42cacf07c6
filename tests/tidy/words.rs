//! Words and constructs that stay out of the tree.

use crate::source::files;

#[test]
fn nothing_is_left_open() {
    let mut found = Vec::new();
    for folder in ["server/src", "codegen/src", "macros/src", "tests/src", "tests/it"] {
        for file in files(folder, ".rs") {
            for (number, line) in file.text.lines().enumerate() {
                let open = ["todo!(", "unimplemented!(", "#[ignore", "FIXME", "XXX:"];
                if open.iter().any(|word| line.contains(word)) {
                    found.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_module_says_what_it_holds() {
    for folder in ["server/src", "codegen/src", "macros/src", "tests/src", "tests/it", "tests/tidy"] {
        for file in files(folder, ".rs") {
            let marked = file.text.starts_with("//!") || file.text.starts_with("// Made by");
            assert!(marked, "{} opens without saying what it holds", file.path);
        }
    }
}

#[test]
fn no_machine_paths_and_no_download_hosts() {
    let home = ["/ro", "ot/"].concat();
    for (folder, ending) in
        [("server", ".rs"), ("spec", ".yaml"), ("codegen/src", ".rs"), ("macros/src", ".rs"), ("tests", ".rs")]
    {
        for file in files(folder, ending) {
            assert!(!file.text.contains(&home), "{} names a path of somebody's machine", file.path);
        }
    }
}
