//! Tree to typed model, with all complaints.
//!
//! Three steps: `structure` walks each tree beside the schema and takes out what does not fit; `assemble` reads what
//! is left, entry by entry; then each matter has a file that looks at the whole model. Nothing here stops at a
//! mistake, and nothing complains about what follows from one that was named already (`damage`).
//!
//! Pure; never panics, whatever the text.

mod assemble;
mod body;
mod bounds;
mod callers;
mod changes;
mod context;
mod damage;
mod defaults;
mod documented;
mod endless;
mod envelopes;
mod errors;
mod examples;
mod expressions;
mod facts;
mod forms;
mod limits;
mod machines;
mod movers;
mod names;
mod operations;
mod origin;
mod rehome;
mod repair;
mod route_table;
mod routes;
pub(crate) mod schema_line;
mod select;
mod shape;
mod strays;
mod stream;
mod structure;
mod types;
mod unused;
mod views;

use std::sync::LazyLock;

pub(crate) use self::forms::is_operation_name;

use self::{context::Context, damage::Damage, shape::Shapes, structure::Walk};
use crate::{
    diagnostics::{Diagnostic, Severity, codes::syntax},
    model::Spec,
    parse::{self, Kind, Sources},
};

/// A spec, as far as it could be read, and everything that is wrong with it.
#[derive(Debug, Default)]
pub struct Loaded {
    /// All files together.
    pub spec: Spec,
    /// Complaints, by file and place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Whether nothing can be generated from it.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Reads and checks a spec.
#[must_use]
pub fn load(sources: &Sources) -> Loaded {
    static SHAPES: LazyLock<Shapes> = LazyLock::new(|| Shapes::new(&crate::schema::language()));
    let mut diagnostics = Vec::new();
    let mut damage = Damage::default();
    let mut trees = parse::parse(sources, &mut diagnostics);
    diagnostics.extend(sources.files().filter_map(|(id, file)| schema_line::schema_line(id, file)));
    for tree in &mut trees {
        if let (Some(from), Some(file)) = (tree.lost_from, sources.file(tree.file)) {
            damage.lose_rest(file, from);
        }
        let Some(root) = &mut tree.root else { continue };
        match root.kind {
            Kind::Null => tree.root = None,
            Kind::Mapping(_) => {
                let place = root.place;
                let mut walk = Walk { shapes: &SHAPES, diagnostics: &mut diagnostics, damage: &mut damage };
                walk.value(root, SHAPES.root, place);
            }
            _ => {
                let message = format!("a file is a mapping of sections, and this is {}", root.kind.name());
                diagnostics.push(Diagnostic::error(syntax::FILE_NOT_A_MAPPING, root.place, message));
                damage.lose(root);
            }
        }
    }
    let files = sources.files().map(|(_, file)| file.path.clone()).collect();
    let spec = assemble::assemble(&trees, files, &mut damage, &mut diagnostics);
    diagnostics.extend(check(&spec, &damage));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.place, diagnostic.code.as_str()));
    Loaded { spec, diagnostics }
}

/// The checks of the whole model, one after the other; what marks names as used comes before what asks for it.
fn check(spec: &Spec, damage: &Damage) -> Vec<Diagnostic> {
    let mut context = Context::new(spec, damage);
    context.name_forms();
    context.rust_names();
    context.callers_and_names();
    context.limits();
    context.errors();
    context.envelopes();
    context.operations();
    context.routes();
    context.types();
    context.documented();
    context.machines();
    context.movers();
    context.origins();
    context.facts();
    context.changes();
    context.examples();
    context.unused();
    context.finish()
}
