//! Files and parts of the check side by side say what they say one after the other.

use std::path::Path;

use super::{
    CheckIssues, assemble, context::CheckContext, fitting, in_order, inherited, load, on_its_line, replies, roles,
    states_of,
};
use crate::{diagnostics::Diagnostic, parse::SpecSources};

/// The complaints about a spec, with nothing side by side.
fn one_by_one(sources: &SpecSources) -> Vec<Diagnostic> {
    let mut wrong = CheckIssues::default();
    let mut trees = Vec::new();
    for (id, file) in sources.files() {
        let (tree, wrong_here) = fitting(id, file);
        trees.push(tree);
        wrong.add(wrong_here);
    }
    let (mut spec, unread) = assemble::assemble(&trees, &wrong);
    wrong.add(unread);
    inherited::fill(&mut spec, &mut wrong);
    replies::write(&mut spec, &mut wrong);
    spec.files = sources.files().map(|(_, file)| file.path.clone()).collect();
    states_of::take_states(&mut spec);
    roles::take_roles(&mut spec);
    let mut diagnostics = wrong.diagnostics;
    diagnostics.extend(in_order(CheckContext::new(&spec, &wrong.damage)));
    diagnostics.iter_mut().for_each(|diagnostic| on_its_line(diagnostic, sources));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.place, diagnostic.code.as_str()));
    diagnostics
}

/// The number of complaints about some texts, which is the same either way.
fn complaints(texts: &[(String, String)]) -> usize {
    let sources = SpecSources::new(texts.iter().cloned());
    let (together, apart) = (load(&sources).diagnostics, one_by_one(&sources));
    assert_eq!(format!("{together:#?}"), format!("{apart:#?}"));
    together.len()
}

/// The spec of the service.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the project");
    let sources = SpecSources::read(root).expect("the spec");
    sources.files().map(|(_, file)| (file.path.clone(), file.text.clone())).collect()
}

#[test]
fn what_two_files_say_is_told_the_same_way() {
    let spec = texts();
    assert_eq!(complaints(&spec), 0);
    let others = [
        // The second is sound, is not complete, or cannot be read.
        "errors:\n  KEY_INVALID: {kind: bad_request, http: 400, say: x, do: y}\n",
        "errors:\n  KEY_INVALID: {kind: bad_request, http: 400, say: x}\n",
        "errors:\n  KEY_INVALID: 5\n",
        "operations:\n  keys.create: {ok: [}\n",
        "operations:\n  keys.create: {route: GET /x}\n",
        "service: 5\n",
        "service: {name: x, title: y}\n",
        "changes: {since: []}\n",
        "changes: {since: v1}\n",
        "- a list\n",
        "types:\n  Nobody: {fields: {a: string}}\n",
        "",
    ];
    for other in others {
        for path in ["spec/0.yaml", "spec/zz.yaml"] {
            let mut texts = spec.clone();
            texts.push((path.to_owned(), format!("# yaml-language-server: $schema=dist/spec.schema.json\n{other}")));
            assert_eq!(complaints(&texts) == 0, other.is_empty(), "{path}: {other}");
        }
    }
}

#[test]
fn lines_that_stand_in_two_files_are_told_the_same_way() {
    let spec = texts();
    for (index, (_, text)) in spec.iter().enumerate() {
        let lines: Vec<&str> = text.lines().collect();
        let half = lines[lines.len() / 2..].join("\n");
        let mut texts = spec.clone();
        let next = (index + 1) % spec.len();
        texts[next].1.push_str(&half);
        complaints(&texts);
        // Whole, under another name.
        let mut texts = spec.clone();
        texts.push(("spec/zz.yaml".to_owned(), text.clone()));
        complaints(&texts);
    }
}

/// Files are read in threads of the pool, whose stacks are smaller than that of a program.
#[test]
fn as_deep_as_yaml_may_be() {
    for (open, close) in [("[", "]"), ("{a: ", "}")] {
        for depth in [100, 250, 300] {
            let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let text = format!("examples:\n  deep: {{doc: x, of: keys.create, send: {{body: {nested}}}}}\n");
            let mut texts = texts();
            texts.push(("spec/zz.yaml".to_owned(), text));
            assert!(complaints(&texts) > 0, "{depth}");
        }
    }
}
