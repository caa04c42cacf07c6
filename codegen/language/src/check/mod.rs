//! Tree to typed model, with all complaints.
//!
//! Three steps: `structure` walks each tree beside the schema and takes out what does not fit; `assemble` reads what
//! is left, entry by entry; then each matter has a file that looks at the whole model. Nothing here stops at a
//! mistake, and nothing complains about what follows from one that was named already (`lost`).
//!
//! Pure; never panics, whatever the text.

mod assemble;
mod auth;
mod body;
mod bounds;
mod braces;
mod broken_bound;
mod changes;
mod coerce;
mod context;
mod credentials;
mod cut_text;
mod defaults;
mod deprecation;
mod envelopes;
mod errors;
mod examples;
mod expressions;
mod facts;
mod framework;
mod guard_sql;
mod inherited;
mod issues;
mod limits;
mod lost;
mod machines;
mod made_names;
mod misplaced;
mod missing_docs;
mod names;
mod naming_style;
mod not_read;
mod operations;
mod operator_paths;
mod origin;
mod paths;
mod recursive_types;
mod repeated_requests;
mod replies;
mod requests;
mod roles;
mod route_table;
mod routes;
pub mod schema_line;
mod secrets;
mod select;
mod shape;
mod states_of;
mod stray_entries;
mod stream;
mod structure;
#[cfg(test)]
mod tests;
mod transition_actors;
mod types;
mod unused;
mod views;

use std::sync::LazyLock;

use rayon::prelude::*;

use self::context::CheckContext;
use self::issues::CheckIssues;
use self::lost::LostParts;
pub use self::naming_style::is_operation_name;
use self::shape::SchemaShapes;
use self::structure::StructureWalk;
use crate::diagnostics::codes::{examples::NO_EXAMPLE, syntax};
use crate::diagnostics::{Diagnostic, Severity};
use crate::model::Spec;
use crate::parse::{self, FileId, SourceFile, SourceSpan, SpecSources, YamlKind, YamlNode, YamlTree};

/// A spec, as far as it could be read, and everything that is wrong with it.
#[derive(Debug, Default)]
pub struct CheckedSpec {
    /// All files together.
    pub spec: Spec,
    /// Complaints, by file and place.
    pub diagnostics: Vec<Diagnostic>,
}

impl CheckedSpec {
    /// True if nothing can be generated from it.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Takes a missing example for an error. It is a warning otherwise, so that a handler compiles and runs before its examples are
    /// written.
    pub fn require_examples(&mut self) {
        let missing = self.diagnostics.iter_mut().filter(|diagnostic| diagnostic.code == NO_EXAMPLE);
        missing.for_each(|diagnostic| diagnostic.severity = Severity::Error);
    }
}

/// Reads and checks a spec, files side by side.
#[must_use]
pub fn load(sources: &SpecSources) -> CheckedSpec {
    let files: Vec<_> = sources.files().collect();
    // A tree goes as soon as it is read: its memory is that of the next one.
    let read = files.par_iter().map(|(id, file)| {
        let (tree, wrong) = fitting(*id, file);
        let (spec, unread) = assemble::assemble(&[tree], &wrong);
        (wrong, spec, unread)
    });
    let read: Vec<_> = read.collect();
    let (mut spec, mut wrong, mut unread) = (Spec::default(), CheckIssues::default(), CheckIssues::default());
    spec.reserve(read.iter().map(|(_, spec, _)| spec));
    let mut apart = true;
    for (wrong_here, spec_here, unread_here) in read {
        wrong.add(wrong_here);
        apart = spec.add(spec_here) && apart;
        unread.add(unread_here);
    }
    if !apart || wrong.is_any() || unread.is_any() {
        // What two files define is what the first says, and is told with both places, whether or not the second can be read.
        let trees: Vec<_> = files.par_iter().map(|(id, file)| fitting(*id, file).0).collect();
        (spec, unread) = assemble::assemble(&trees, &wrong);
    }
    wrong.add(unread);
    inherited::fill(&mut spec, &mut wrong);
    replies::write(&mut spec, &mut wrong);
    let CheckIssues { mut diagnostics, damage } = wrong;
    spec.files = sources.files().map(|(_, file)| file.path.clone()).collect();
    spec.guides = sources.guides().to_vec();
    states_of::take_states(&mut spec);
    roles::take_roles(&mut spec);
    diagnostics.extend(check(&spec, &damage));
    diagnostics.extend(not_read::not_read(sources));
    diagnostics.iter_mut().for_each(|diagnostic| on_its_line(diagnostic, sources));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.place, diagnostic.code.as_str()));
    CheckedSpec { spec, diagnostics }
}

/// Counts the lines to the places of a complaint. A part of a word that goes on in the next line begins on a later line than the
/// word.
fn on_its_line(diagnostic: &mut Diagnostic, sources: &SpecSources) {
    let labels = diagnostic.secondary.iter_mut().chain([&mut diagnostic.primary]);
    for place in labels.map(|label| &mut label.place) {
        if let Some(file) = sources.file(place.file) {
            *place = SourceSpan { end: place.end, ..file.place_of(place.file, place.start as usize) };
        }
    }
}

/// One file as a tree, without what does not fit the language.
fn fitting(id: FileId, file: &SourceFile) -> (YamlTree<'_>, CheckIssues) {
    static SHAPES: LazyLock<SchemaShapes> = LazyLock::new(|| SchemaShapes::new(crate::schema::language()));
    let CheckIssues { mut diagnostics, mut damage } = CheckIssues::default();
    let mut tree = parse::parse(id, file, &mut diagnostics);
    diagnostics.extend(schema_line::schema_line(id, file));
    if let Some(from) = tree.lost_from {
        damage.lose_rest(file, from);
    }
    if let Some(root) = &tree.root {
        cut_text::cut_texts(file, root, &mut diagnostics);
    }
    match &mut tree.root {
        None => {}
        Some(YamlNode { kind: YamlKind::Null, .. }) => tree.root = None,
        Some(root @ YamlNode { kind: YamlKind::Mapping(_), .. }) => {
            let place = root.place;
            let mut walk = StructureWalk { shapes: &SHAPES, diagnostics: &mut diagnostics, damage: &mut damage };
            walk.value(root, SHAPES.root, place);
        }
        Some(root) => {
            let message = format!("a file is a mapping of sections, and this is {}", root.kind.name());
            diagnostics.push(Diagnostic::error(syntax::FILE_NOT_A_MAPPING, root.place, message));
            damage.lose(root);
        }
    }
    (tree, CheckIssues { diagnostics, damage })
}

/// Checks the whole model: in parts at once, and where anything is wrong, one after the other, so that each complaint knows of
/// those before it.
fn check(spec: &Spec, damage: &LostParts) -> Vec<Diagnostic> {
    let mut all = CheckContext::new(spec, damage);
    if !damage.is_any() {
        let (mut others, mut examples) = (all.beside(), all.beside());
        let beside = || {
            others.other_entries();
            // Which types are in use is seen from the model, and not from what others found.
            others.unused_types();
        };
        rayon::join(|| all.entries(), || rayon::join(beside, || examples.examples()));
        if [&all, &others, &examples].into_iter().all(CheckContext::is_sound) {
            all.add(others);
            all.add(examples);
            all.unused();
            all.drifting_enums();
            if all.is_sound() {
                return Vec::new();
            }
        }
    }
    in_order(all.beside())
}

fn in_order(mut context: CheckContext<'_>) -> Vec<Diagnostic> {
    context.entries();
    context.other_entries();
    context.examples();
    context.unused_types();
    context.unused();
    context.drifting_enums();
    context.finish()
}

impl CheckContext<'_> {
    /// The checks of operations, and of what they are made with.
    fn entries(&mut self) {
        self.name_forms();
        self.rust_names();
        self.made_names();
        self.callers_and_names();
        self.credentials();
        self.roles();
        self.operator_paths();
        self.limits();
        self.request_objects();
        self.errors();
        self.framework();
        self.runtime_limits();
        self.runtime_headers();
        self.envelopes();
        self.operations();
        self.routes();
    }

    /// The checks of all other entries. Examples come after them; what marks facts as used comes before what asks for it.
    fn other_entries(&mut self) {
        self.types();
        self.missing_docs();
        self.secrets();
        self.machines();
        self.transition_actors();
        self.origins();
        self.facts();
        self.changes();
    }
}
