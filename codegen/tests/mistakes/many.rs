//! Many mistakes at once: all are told in one run, and next to nothing that only follows from them.

use std::{collections::BTreeSet, fs};

use tollgate_spec_language::load;

use crate::base;

/// How many complaints may follow from others.
const FOLLOW_UPS_MAX: usize = 2;

/// The whole output, as it was looked over by a person. `UPDATE_GOLDENS=1` writes it anew.
fn golden(rendered: &str) {
    let path = base::folder().join("forty.txt");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&path, rendered).expect("the golden can be written");
    }
    let golden = fs::read_to_string(&path).expect("the golden");
    assert!(golden == rendered, "{} differs; UPDATE_GOLDENS=1 writes it anew:\n{rendered}", path.display());
}

#[test]
fn forty_mistakes_in_one_file_are_told_in_one_run() {
    let marked = fs::read_to_string(base::folder().join("forty.yaml")).expect("the file");
    let mut expected = BTreeSet::new();
    let mut text = String::new();
    for (index, line) in marked.lines().enumerate() {
        let (line, code) = line.split_once("#! ").map_or((line, None), |(line, code)| (line, Some(code.trim())));
        let start = line.find('«').map(|at| line[..at].chars().count() + 1);
        let clean = line.replace(['«', '»'], "");
        // A place that cannot be marked in YAML is that of the anchor.
        let column = start.or_else(|| clean.find('&').map(|at| at + 1));
        expected.extend(code.zip(column).map(|(code, column)| (index + 1, column, code.to_owned())));
        text.push_str(clean.trim_end());
        text.push('\n');
    }
    let mut files = base::files();
    files.insert("forty.yaml".to_owned(), text);
    let sources = base::sources(&files);
    let loaded = load(&sources);
    let found: BTreeSet<_> = loaded
        .diagnostics
        .iter()
        .map(|found| {
            let place = found.primary.place;
            (place.line as usize, place.column as usize, found.code.as_str().to_owned())
        })
        .collect();
    golden(&base::rendered(&sources));
    let missed: Vec<_> = expected.difference(&found).collect();
    let follow_ups: Vec<_> = found.difference(&expected).collect();
    println!("{} mistakes, {} told, {} follow-ups", expected.len(), expected.len() - missed.len(), follow_ups.len());
    assert!(expected.len() >= 40, "{} mistakes are not forty", expected.len());
    assert!(
        missed.is_empty() && follow_ups.len() <= FOLLOW_UPS_MAX,
        "{missed:?} {follow_ups:?}\n{}",
        base::rendered(&sources)
    );
}
