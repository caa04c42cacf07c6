//! The index for the search of the pages: kind, title, link, words.

use serde_json::{Value, json};

use super::errors::sentence;
use super::guide_headings;
use super::site::{DocsSite, ERRORS, LIMITS, STATES, title};

pub(super) fn index(site: &DocsSite<'_>) -> String {
    let mut lines: Vec<Value> = Vec::new();
    for (name, page_title) in site.pages() {
        lines.push(json!(["Page", page_title, name, ""]));
    }
    for guide in site.lowered.guides {
        for (anchor, text) in guide_headings::headings(guide) {
            let place = format!("{}#{anchor}", guide_headings::page_name(guide));
            lines.push(json!([guide_headings::title(guide), text, place, ""]));
        }
    }
    for (id, operation) in &site.document.operations {
        let page = site.home_of_operation(id).unwrap_or_default();
        let route = &operation.routes[0];
        let way = format!("{} {}{}", route.method, route.path.replace("{*", "{"), route.suffix);
        let about = first_sentence(operation.doc.as_deref());
        lines.push(json!([
            title(id.split('.').next().unwrap_or_default()),
            id,
            format!("{page}#{id}"),
            format!("{way} · {about}")
        ]));
    }
    for (name, code) in &site.document.errors {
        lines.push(json!(["Error", name, format!("{ERRORS}#{name}"), sentence(&code.say)]));
    }
    for (name, def) in &site.document.types {
        let page = site.place(name).map(|(page, _)| page).unwrap_or_default();
        lines.push(json!(["Type", name, format!("{page}#{name}"), first_sentence(def.doc.as_deref())]));
    }
    for (name, machine) in &site.lowered.machines {
        lines.push(json!(["States", name, format!("{STATES}#{name}"), first_sentence(machine.doc)]));
    }
    for (name, limit) in &site.lowered.limits {
        lines.push(json!(["Limit", name, format!("{LIMITS}#{name}"), first_sentence(limit.doc)]));
    }
    // A line each, so that a change of one entry is a change of one line.
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn first_sentence(doc: Option<&str>) -> String {
    let doc = doc.unwrap_or_default();
    let first = doc.split_inclusive(". ").next().unwrap_or(doc);
    first.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "")
}
