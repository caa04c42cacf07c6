//! The pages hold together: every link leads somewhere, every drawing is in order, and words are never markup.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::emit::{self, interface};
use crate::parse::SpecSources;
use crate::resolve::resolve;

/// The pages of the project's own spec, by their names.
fn pages() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = SpecSources::read(&root).expect("a spec");
    let loaded = crate::load(&sources);
    let lowered = resolve(&loaded.spec).expect("it lowers");
    let all = emit::pages(&lowered, &interface(&lowered)).into_iter();
    all.filter_map(|(file, bytes)| {
        let name = file.strip_suffix(".html")?.to_owned();
        Some((name, String::from_utf8(bytes).expect("text")))
    })
    .collect()
}

/// The values of an attribute.
fn attributes<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
    let mark = format!(" {name}=\"");
    page.split(mark.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let pages = pages();
    let headings: BTreeMap<&str, BTreeSet<&str>> =
        pages.iter().map(|(name, page)| (name.as_str(), attributes(page, "id").into_iter().collect())).collect();
    for (name, page) in &pages {
        let ids = attributes(page, "id");
        assert_eq!(ids.len(), headings[name.as_str()].len(), "{name} has a heading twice");
        for href in attributes(page, "href") {
            let (file, heading) = href.split_once('#').unwrap_or((href, ""));
            let file = match (name.as_str(), file) {
                (_, "") => name.as_str(),
                ("index", "docs") | (_, "../docs") => "index",
                ("index", file) => file.strip_prefix("docs/").unwrap_or(file),
                (_, file) => file,
            };
            if matches!(file, "data:," | "docs.css" | "openapi.json" | "openapi-3.0.json" | "../openapi.json") {
                continue;
            }
            let found = headings.get(file).unwrap_or_else(|| panic!("{name} links to {href}"));
            assert!(heading.is_empty() || found.contains(heading), "{name} links to {href}");
        }
    }
}

#[test]
fn every_operation_code_and_machine_has_a_heading() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = SpecSources::read(&root).expect("a spec");
    let loaded = crate::load(&sources);
    let lowered = resolve(&loaded.spec).expect("it lowers");
    let all: String = pages().into_values().collect();
    let names = lowered.operations.iter().filter(|(_, operation)| !operation.planned).map(|(name, _)| name);
    for name in names.chain(lowered.errors.keys()).chain(lowered.machines.keys()).chain(lowered.limits.keys()) {
        assert_eq!(all.matches(&format!(" id=\"{name}\"")).count(), 1, "{name}");
    }
}

/// The numbers of some attributes of the elements of a drawing.
fn numbers<const N: usize>(drawing: &str, element: &str, names: [&str; N]) -> Vec<[i32; N]> {
    let opening = format!("<{element}");
    let elements = drawing.split(&opening).skip(1).map(|rest| rest.split('>').next().unwrap_or_default());
    elements.map(|element| names.map(|name| attributes(element, name)[0].parse().expect("a number"))).collect()
}

#[test]
fn drawings_have_no_box_on_another_and_stay_within_bounds() {
    let pages = pages();
    let drawings: Vec<&str> = pages["states"].split("<svg class=\"machine\"").skip(1).collect();
    assert!(drawings.len() > 3);
    for drawing in drawings {
        let drawing = drawing.split("</svg>").next().unwrap_or_default();
        let [[width, height]] = numbers(&format!("<svg{drawing}"), "svg", ["width", "height"])[..] else {
            panic!("one")
        };
        let outer = drawing.replace("<rect class=\"inner\"", "<inner");
        let boxes = numbers(&outer, "rect", ["x", "y", "width", "height"]);
        assert!(!boxes.is_empty());
        for (index, [x, y, wide, high]) in boxes.iter().enumerate() {
            assert!(*x >= 0 && *y >= 0 && x + wide <= width && y + high <= height, "{drawing}");
            for [other_x, other_y, other_wide, other_high] in &boxes[index + 1..] {
                let apart = x + wide < *other_x
                    || other_x + other_wide < *x
                    || y + high < *other_y
                    || other_y + other_high < *y;
                assert!(apart, "{drawing}");
            }
        }
        let names = numbers(drawing, "text class=\"move\"", ["x", "y"]);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{drawing}");
    }
}

#[test]
fn pages_load_nothing_from_elsewhere_and_hold_no_script_or_style() {
    for (name, page) in pages() {
        assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("javascript:"), "{name}");
        assert_eq!(page.matches("<script").count(), 1, "{name}");
        for (attribute, value) in
            ["src", "href"].iter().flat_map(|of| attributes(&page, of).into_iter().map(move |value| (of, value)))
        {
            assert!(!value.contains("//"), "{name}: {attribute} {value}");
        }
    }
}
