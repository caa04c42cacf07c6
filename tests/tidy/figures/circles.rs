//! Files that import each other in circles.

use std::collections::{BTreeMap, VecDeque};

use super::figure::{Figure, Measurement, Offender, Unit};
use super::imports::{Import, imports};
use super::sources::{Group, SourceFile};

const FILES_IN_CIRCLES: Figure = Figure {
    key: "files_in_import_circles",
    unit: Unit::Count,
    goal: 0,
    advice: "move what both ends of a circle need into a file of its own",
};

/// A file that is in a circle.
pub(super) struct CircleFile {
    group: Group,
    /// The import by which it is, and its shortest circle.
    offender: Offender,
}

/// The files of a crate that are in circles, in order.
pub(super) fn files_in_circles(sources: &[SourceFile]) -> Vec<CircleFile> {
    let imports = imports(sources);
    let circle_file = |(at, source): (usize, &SourceFile)| {
        let circle = shortest_circle(&imports, at)?;
        let Import { line, path } = &imports[at][&circle[0]];
        let way: Vec<&str> = circle.iter().map(|file| &*sources[*file].file.path).collect();
        let what = format!("`{path}` closes the circle → {}", way.join(" → "));
        Some(CircleFile {
            group: source.group,
            offender: Offender { path: source.file.path.clone(), line: *line, what },
        })
    };
    sources.iter().enumerate().filter_map(circle_file).collect()
}

/// The number of files of a group in circles, of those of all crates.
pub(super) fn measure(group: Group, files: &[CircleFile]) -> Measurement {
    let own = files.iter().filter(|file| file.group == group);
    let offenders: Vec<Offender> = own.map(|file| file.offender.clone()).collect();
    Measurement { group: group.key(), figure: &FILES_IN_CIRCLES, value: offenders.len() as u64, offenders }
}

/// The files of a shortest way from a file back to itself, which is the last of them.
fn shortest_circle(imports: &[BTreeMap<usize, Import>], start: usize) -> Option<Vec<usize>> {
    let mut before: BTreeMap<usize, usize> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for next in imports[file].keys() {
            if !before.contains_key(next) {
                before.insert(*next, file);
                queue.push_back(*next);
            }
        }
        if before.contains_key(&start) {
            break;
        }
    }
    let mut way = vec![start];
    let mut file = *before.get(&start)?;
    while file != start {
        way.push(file);
        file = before[&file];
    }
    way.reverse();
    Some(way)
}

#[test]
fn files_in_circles_are_counted() {
    let sources = super::sources::sample(&[
        ("generated/mod.rs", "pub struct G; use crate::leaf::L;"),
        ("leaf.rs", "pub struct L;"),
        ("lib.rs", "mod generated; mod leaf; mod room;"),
        ("room/a.rs", "use super::B; pub struct A;"),
        ("room/b.rs", "use super::c::C; pub struct B; fn f() -> crate::leaf::L {}"),
        ("room/c.rs", "pub struct C;\nuse super::A;\nuse crate::generated::G;"),
        ("room/d.rs", "use super::A;"),
        ("room/mod.rs", "mod a; mod b; mod c; mod d; pub use a::A; pub use b::B;"),
    ]);
    let found = files_in_circles(&sources);
    let server = measure(Group::Server, &found);
    let seen: Vec<String> =
        server.offenders.iter().map(|offender| offender.to_string().replace("server/src/", "")).collect();
    let expected = [
        "room/a.rs:1: `crate::room::B` closes the circle → room/b.rs → room/c.rs → room/a.rs",
        "room/b.rs:1: `crate::room::c::C` closes the circle → room/c.rs → room/a.rs → room/b.rs",
        "room/c.rs:2: `crate::room::A` closes the circle → room/a.rs → room/b.rs → room/c.rs",
    ];
    assert_eq!((server.value, seen), (3, expected.map(str::to_owned).to_vec()));
    assert_eq!(measure(Group::Generated, &found).value, 0);
}
