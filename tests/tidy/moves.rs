//! State moves in one place: the statement of a move is run by the sql of the room that owns the machine, and nowhere
//! else, so that a move and what it owes are one transaction of that room.

use std::collections::BTreeSet;

use crate::source::{File, files};

/// The machines that have rows, and the rooms that own them.
const OWNERS: [(&str, &str); 5] = [
    ("agent", "agents"),
    ("api_key", "accounts"),
    ("payment", "topup"),
    ("topup_order", "topup"),
    ("video_task", "video"),
];

/// Lines of code that run a move's statement, counted from 1.
fn runs(file: &File) -> impl Iterator<Item = usize> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines.filter(|(_, line)| line.contains(".cas(") || line.contains("::cas(")).map(|(number, _)| number + 1)
}

/// The machines that a file names behind `machines::`, one by one or in braces.
fn named(file: &File) -> BTreeSet<&str> {
    let paths = file.text.split("machines::").skip(1).filter_map(|rest| rest.split([';', '(']).next());
    paths.flat_map(|path| path.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')).collect()
}

/// True for the sql of a room: a `sql.rs` in its folder or in one below, and all that is below a `sql/`.
fn is_sql_of(file: &File, room: &str) -> bool {
    let inside = file.path.strip_prefix(&format!("server/crates/{room}/src")).filter(|inside| inside.starts_with('/'));
    inside.is_some_and(|inside| inside.ends_with("/sql.rs") || inside.contains("/sql/"))
}

#[test]
fn every_machine_with_rows_has_an_owner() {
    let with_rows: BTreeSet<String> = files("server/crates/api/src/generated/machines", ".rs")
        .into_iter()
        .filter(|file| file.text.contains("    row: { table: "))
        .filter_map(|file| Some(file.path.rsplit_once('/')?.1.strip_suffix(".rs")?.to_owned()))
        .collect();
    assert_eq!(with_rows, OWNERS.iter().map(|(machine, _)| (*machine).to_owned()).collect(), "see OWNERS");
}

#[test]
fn moves_are_made_by_the_sql_of_their_room() {
    let mut wrong = Vec::new();
    for file in files("server", ".rs").iter().filter(|file| !file.path.contains("/generated/")) {
        for line in runs(file) {
            let named = named(file);
            let owners: Vec<_> = OWNERS.iter().filter(|(machine, _)| named.contains(machine)).collect();
            if owners.is_empty() || !owners.iter().all(|(_, room)| is_sql_of(file, room)) {
                wrong.push(format!("{}:{line}: runs a move's statement", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "only the sql of the room that owns a machine may do that:\n{}", wrong.join("\n"));
}
