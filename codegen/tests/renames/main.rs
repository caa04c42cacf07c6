//! The names of the spec are the spec's alone: what is renamed in all of it is renamed in all that follows from it, and what is
//! renamed where it is declared, and nowhere else, is an error that names it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tollgate_spec_generator::emit::client::{self, ClientLanguage, PackageListing};
use tollgate_spec_generator::emit::{OutputPart, generate_beside};
use tollgate_spec_generator::resolve::resolve;
use tollgate_spec_language::diagnostics::DiagnosticPrinter;
use tollgate_spec_language::load;
use tollgate_spec_language::model::{SourceSpan, Spec, SpecSection};
use tollgate_spec_language::parse::SpecSources;

/// The names that the generator knows because HTTP does, each with what it does with them.
const OF_HTTP: [(&str, &str); 3] = [
    ("etag", "`conditional: true` promises 304 for what it told"),
    ("content-range", "stands in answers with 206 alone"),
    ("cache-control", "any answer may have it"),
];

/// Types of the spec that are called as one of the runtime is, which generated Rust names.
const OF_RUNTIME: [&str; 1] = ["DocsFile"];

/// The short suite renames one name of each section in so many.
const SPREAD: usize = 29;

/// A name and the section that declares it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    section: SpecSection,
    name: String,
}

/// The spec of the project, by file.
struct Project(SpecSources);

impl Project {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        Self(SpecSources::read(&root).expect("the spec"))
    }

    /// The codes, limits, types and names on the wire: of each section every so many.
    fn names(&self, step: usize) -> Vec<Name> {
        let spec = load(&self.0).spec;
        let sections = [SpecSection::Errors, SpecSection::Limits, SpecSection::Types, SpecSection::WireNames];
        let of_http = |name: &str| OF_HTTP.iter().any(|(known, _)| *known == name);
        let named = sections.into_iter().flat_map(|section| {
            let declared = spec.names(section).filter(|(_, place)| self.is_key(*place));
            let names = declared.map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
            let own = names.into_iter().filter(|name| !of_http(name));
            own.step_by(step).map(move |name| Name { section, name })
        });
        named.collect()
    }

    /// True for the place of a key. The type of a reply of which an operation says the data has none of its own.
    fn is_key(&self, place: SourceSpan) -> bool {
        let file = self.0.file(place.file).expect("a file of the spec");
        file.text[place.end as usize..].trim_start_matches(['"', '\'']).starts_with(':')
    }

    /// The sources with each text changed.
    fn edited(&self, edit: impl Fn(&str, &str) -> String) -> SpecSources {
        let files = self.0.files().map(|(_, file)| (file.path.clone(), edit(&file.path, &file.text)));
        SpecSources::new(files.collect::<Vec<_>>()).with_guides(self.0.guides())
    }

    /// What is wrong with how a name is followed; nothing where all is well.
    fn wrong(&self, name: &Name) -> Vec<String> {
        let new = name.renamed();
        let everywhere = self.edited(|_, text| replaced(text, &name.name, &new));
        let mut wrong = match outputs(&everywhere) {
            Ok(_) if name.has_homonym(&everywhere) => Vec::new(),
            Ok(outputs) => outputs
                .iter()
                .filter(|(_, text)| name.spellings().iter().any(|spelling| words(text, spelling).next().is_some()))
                .map(|(path, _)| format!("`{}` is still in {path}", name.name))
                .collect(),
            Err(why) => vec![format!("`{}` renamed everywhere: {why}", name.name)],
        };
        wrong.extend(self.declared_elsewhere(name, &new));
        wrong
    }

    /// What is wrong where the declaration alone has another name.
    fn declared_elsewhere(&self, name: &Name, new: &str) -> Option<String> {
        let spec = load(&self.0).spec;
        let (_, place) = spec.names(name.section).find(|(other, _)| *other == name.name)?;
        if kept_by_the_server(&spec, name) {
            return None;
        }
        let path = spec.path(place).to_owned();
        let (start, end) = (place.start as usize, place.end as usize);
        let sources = self.edited(|file, text| {
            let here = file == path;
            if here { format!("{}{new}{}", &text[..start], &text[end..]) } else { text.to_owned() }
        });
        let found = load(&sources).diagnostics;
        let names_it = found.iter().any(|it| it.message.contains(&name.name) || it.message.contains(new));
        (!names_it).then(|| format!("`{}` may be renamed where it is declared alone: {found:?}", name.name))
    }
}

/// True for a limit or header that hand-written code of the server goes by: nothing of the spec refers to it.
fn kept_by_the_server(spec: &Spec, name: &Name) -> bool {
    match name.section {
        SpecSection::Limits => spec.limits[&name.name].kept_by.is_some(),
        SpecSection::WireNames => spec.wire_names[&name.name].read_by.is_some(),
        _ => false,
    }
}

impl Name {
    /// Another name of the same form.
    fn renamed(&self) -> String {
        match self.section {
            SpecSection::Errors => "QUITE_ANOTHER_CODE".to_owned(),
            SpecSection::Types => "QuiteAnotherType".to_owned(),
            SpecSection::WireNames if self.name.starts_with('/') => "/quite-another".to_owned(),
            SpecSection::WireNames => "quite-another-header".to_owned(),
            _ => "quite_another_limit".to_owned(),
        }
    }

    /// True if a spec that lacks the name has the same word in another spelling, or the runtime has it: the outputs may hold it
    /// then. The group `usage` is `Usage` in clients, the word `image` of an enum is `Image` in Rust.
    fn has_homonym(&self, sources: &SpecSources) -> bool {
        let plain = |word: &str| word.replace(['_', '-', '.'], "").to_lowercase();
        let own = plain(&self.name);
        let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        let is_same = |word: &str| plain(word) == own || word.split('.').any(|part| plain(part) == own);
        OF_RUNTIME.contains(&self.name.as_str())
            || sources.files().any(|(_, file)| file.text.split(|letter| !is_part(letter)).any(is_same))
    }

    /// The name as the spec and as Rust write it.
    fn spellings(&self) -> Vec<String> {
        let constant = self.name.to_uppercase().replace(['.', '-', '/'], "_");
        match self.section {
            SpecSection::Limits => vec![self.name.clone(), constant],
            _ => vec![self.name.clone()],
        }
    }
}

/// The Rust, the OpenAPI and the clients of a spec, by path.
fn outputs(sources: &SpecSources) -> Result<BTreeMap<String, String>, String> {
    let loaded = load(sources);
    if loaded.has_errors() {
        let printer = DiagnosticPrinter::new(sources, false);
        return Err(loaded.diagnostics.iter().map(|it| printer.render(it)).collect::<Vec<_>>().join("\n"));
    }
    let lowered = resolve(&loaded.spec).map_err(|refusals| format!("{refusals:?}"))?;
    let languages = [ClientLanguage::Typescript, ClientLanguage::Python, ClientLanguage::Rust];
    let listing = PackageListing { version: "0.1.0".to_owned(), name: None, license: None, repository: None };
    let (files, clients) = generate_beside(&lowered, OutputPart::Server, |document| {
        languages.map(|language| client::generate(document, language, &listing))
    });
    let programs = |path: &String| path.ends_with(".rs") || path.ends_with("openapi.json");
    let served = files.into_iter().filter(|(path, _)| programs(path));
    let all = served.chain(clients.into_iter().flatten());
    Ok(all.map(|(path, bytes)| (path, String::from_utf8(bytes).expect("text"))).collect())
}

/// The places of a name as a word of its own.
fn words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let inside = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || "_-".contains(letter));
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let (before, after) = (text[..*at].chars().next_back(), text[at + name.len()..].chars().next());
        (name.starts_with('/') || !inside(before)) && !inside(after)
    })
}

/// A text with a name replaced wherever it is a word of its own.
fn replaced(text: &str, name: &str, new: &str) -> String {
    let (mut made, mut from) = (String::with_capacity(text.len()), 0);
    for at in words(text, name) {
        made.push_str(&text[from..at]);
        made.push_str(new);
        from = at + name.len();
    }
    made + &text[from..]
}

fn follow(project: &Project, names: &[Name]) {
    let sections: BTreeSet<SpecSection> = names.iter().map(|name| name.section).collect();
    assert_eq!(sections.len(), 4, "codes, limits, types and names on the wire: {sections:?}");
    let wrong: Vec<String> = names.iter().flat_map(|name| project.wrong(name)).collect();
    assert!(wrong.is_empty(), "{} of {} names:\n{}", wrong.len(), names.len(), wrong.join("\n"));
}

#[test]
fn some_names_are_those_of_the_spec_alone() {
    let project = Project::read();
    let names: Vec<Name> = project.names(SPREAD);
    follow(&project, &names);
}

// suite: long processor 240s
#[test]
fn every_name_is_that_of_the_spec_alone() {
    let project = Project::read();
    follow(&project, &project.names(1));
}

#[test]
fn what_http_names_is_declared() {
    let spec = load(&Project::read().0).spec;
    for (name, why) in OF_HTTP {
        assert!(spec.wire_names.contains_key(name), "`{name}` is not declared any more; it is here because {why}");
    }
}
