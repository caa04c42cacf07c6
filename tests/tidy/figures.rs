//! Figures of names, docs and layout with their limits in `figures.toml`: no change makes a figure worse, and a change that makes
//! one better lowers its limit.
//!
//! The server, the generator with the macros, and the generated code are measured apart, without their tests. What a macro
//! defines is not seen. Templates of what is emitted, and examples, belong to no group.

mod circles;
mod doc_openings;
mod figure;
mod imports;
mod lengths;
mod limits;
mod modules;
mod public_docs;
mod sources;
mod super_paths;
mod types;

use std::fmt::Write as _;

use figure::Measurement;
use limits::Limits;
use sources::{Group, SourceFile, crates};

/// All figures of the tree, group by group.
fn measurements() -> Vec<Measurement> {
    let crates = crates();
    let circle_files: Vec<_> = crates.iter().flat_map(|sources| circles::files_in_circles(sources)).collect();
    let mut all = Vec::new();
    for group in Group::ALL {
        let own: Vec<&SourceFile> = crates.iter().flatten().filter(|source| source.group == group).collect();
        assert!(!own.is_empty(), "`{}` has no files", group.key());
        all.extend(types::measure(group, &own));
        all.push(doc_openings::measure(group, &own));
        all.push(super_paths::measure(group, &own));
        all.push(circles::measure(group, &circle_files));
        all.push(public_docs::measure(group, &own));
        // A file of the generator's is as long as the part of the spec that it tells.
        if group != Group::Generated {
            all.extend(lengths::measure(group, &own));
        }
    }
    all.extend(lengths::readme());
    all
}

fn table(measurements: &[Measurement], limits: &Limits) -> String {
    let mut table = format!("{:<10} {:<34} {:>6} {:>6} {:>6}\n", "group", "figure", "today", "limit", "goal");
    for measurement in measurements {
        let Measurement { group, figure, value, .. } = measurement;
        let limit = limits.of(measurement).map_or("-".to_owned(), |limit| figure.unit.render(limit));
        let (today, goal) = (figure.unit.render(*value), figure.unit.render(figure.goal));
        let _ = writeln!(table, "{group:<10} {:<34} {today:>6} {limit:>6} {goal:>6}", figure.key);
    }
    table
}

// suite: processor 6s
#[test]
fn figures_keep_to_their_limits() {
    let measurements = measurements();
    let mut limits = Limits::read();
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        limits.write_lowered(&measurements);
        limits = Limits::read();
    }
    println!("{}", table(&measurements, &limits));
    let complaints = limits.complaints(&measurements);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
