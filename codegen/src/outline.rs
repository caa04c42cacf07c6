//! The spec as other tools of this repository look at it: whether what is generated is fresh, what is served, and what
//! may be answered. For tests that hold the house to its spec.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diagnostics::Printer;
use crate::emit::{Mode, Part, apply, generate};
use crate::lower::{Lowered, lower};
use crate::parse::Sources;

/// Why there is no outline: the complaints about the spec, or what went wrong on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoOutline(pub String);

/// One operation that is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routed {
    /// `chat.create`.
    pub id: String,
    /// Its first path.
    pub path: String,
}

/// One code that an answer may carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answerable {
    /// The code.
    pub code: String,
    /// Every spelling of it on the wire.
    pub names: Vec<String>,
}

/// The generated files below `root` that are not what the spec says: changed, missing or left over.
///
/// # Errors
/// When the spec is not sound, or a file cannot be read.
pub fn check_outputs(root: &Path) -> Result<Vec<String>, NoOutline> {
    with_lowered(root, |lowered| {
        let outputs = generate(lowered, Part::All);
        let report = apply(root, &outputs, Mode::Check).map_err(|error| NoOutline(error.to_string()))?;
        Ok(report.changed.into_iter().chain(report.orphaned).collect())
    })
}

/// The operations that are served.
///
/// # Errors
/// When the spec is not sound, or a file cannot be read.
pub fn routed(root: &Path) -> Result<Vec<Routed>, NoOutline> {
    with_lowered(root, |lowered| {
        let served = lowered.operations.iter().filter(|(_, operation)| !operation.planned);
        let first = |operation: &crate::lower::Operation<'_>| operation.routes[0].path.clone();
        Ok(served.map(|(id, operation)| Routed { id: (*id).to_owned(), path: first(operation) }).collect())
    })
}

/// The codes that served operations and the runtime may answer.
///
/// # Errors
/// When the spec is not sound, or a file cannot be read.
pub fn answerable_codes(root: &Path) -> Result<Vec<Answerable>, NoOutline> {
    with_lowered(root, |lowered| {
        let served = lowered.operations.values().filter(|operation| !operation.planned);
        let declared = served.flat_map(|operation| operation.errors.iter().copied());
        let codes: BTreeSet<&str> = declared.chain(lowered.framework.values().copied()).collect();
        let names = |code: &str| {
            let faces = lowered.errors[code].faces.values().map(|face| face.code.clone());
            faces.chain([code.to_owned()]).collect::<BTreeSet<_>>().into_iter().collect()
        };
        Ok(codes.into_iter().map(|code| Answerable { code: code.to_owned(), names: names(code) }).collect())
    })
}

fn with_lowered<T>(root: &Path, look: impl FnOnce(&Lowered<'_>) -> Result<T, NoOutline>) -> Result<T, NoOutline> {
    let sources = Sources::read(root).map_err(|error| NoOutline(format!("reading spec/: {error}")))?;
    let loaded = crate::load(&sources);
    if loaded.has_errors() {
        let printer = Printer::new(&sources, false);
        let told: Vec<String> = loaded.diagnostics.iter().map(|diagnostic| printer.render(diagnostic)).collect();
        return Err(NoOutline(told.join("\n\n")));
    }
    let lowered = lower(&loaded.spec).map_err(|refusals| {
        let told = refusals.iter().map(|refusal| format!("{}: {}", loaded.spec.at(refusal.place), refusal.message));
        NoOutline(told.collect::<Vec<_>>().join("\n"))
    })?;
    look(&lowered)
}
