//! Whoever moves money makes it durable by a commit that a test can end the process beside: each such room names its own in
//! `commit.rs`, and nobody in it commits past them.

use crate::source::{File, files};

/// The rooms that move money.
const ROOMS: [&str; 2] = ["credit", "topup"];
/// The commits of batches, each in the words of its database, and how many stand there.
const BATCHES: [(&str, usize); 2] =
    [("server/crates/credit/src/sql.rs", 1), ("server/crates/credit/src/sql/postgres.rs", 1)];

/// Lines of code that commit, counted from 1.
fn commits(file: &File) -> Vec<usize> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let commits = |line: &str| {
        line.contains(".commit()") || line.contains("prepare_cached(COMMIT)") || line.contains("execute(\"COMMIT\")")
    };
    lines.filter(|(_, line)| commits(line)).map(|(number, _)| number + 1).collect()
}

#[test]
fn nobody_moves_money_past_the_named_steps() {
    let mut wrong = Vec::new();
    for room in ROOMS {
        for file in files(&format!("server/crates/{room}/src"), ".rs") {
            let own = BATCHES.iter().find(|(path, _)| *path == file.path).map_or(0, |(_, count)| *count);
            let exempt = file.path.contains("/tests/");
            let found = commits(&file);
            if !exempt && found.len() != own {
                wrong.push(format!("{}: commits in lines {found:?}, and may so {own} times", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "name the step in the room's commit.rs and commit by it:\n{}", wrong.join("\n"));
}

#[test]
fn each_batch_has_a_place_on_both_sides_of_its_commit() {
    let sources = files("server/crates/credit/src", ".rs");
    for (path, count) in BATCHES {
        let file = sources.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} is gone"));
        for side in ["CommitSide::Before", "CommitSide::After"] {
            assert_eq!(file.text.matches(&format!("batch_reached(plan, {side})")).count(), count, "{path}: {side}");
        }
    }
}
