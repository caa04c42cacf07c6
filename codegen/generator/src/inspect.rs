//! The spec as the tests of this repository inspect it: whether what is generated is fresh, what is served, and what may be
//! answered.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diagnostics::DiagnosticPrinter;
use crate::emit::{OutputPart, WriteMode, apply, generate};
use crate::parse::SpecSources;
use crate::resolve::{ResolvedOperation, ResolvedRoute, ResolvedSpec, resolve};

/// The reason why the spec cannot be inspected: complaints about it, or an error of the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectError(pub String);

/// One operation that is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutedOperation {
    /// `chat.create`.
    pub id: String,
    /// Every method and path that leads to it, with `{name}` for a parameter.
    pub routes: Vec<(String, String)>,
    /// The envelopes that its errors may come in.
    pub envelopes: BTreeSet<String>,
    /// The codes that it declares.
    pub codes: BTreeSet<String>,
}

/// True if the environment has `CI` set to anything but no: nothing is written then, and nothing may be unfinished.
#[must_use]
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| !matches!(ci.as_str(), "" | "0" | "false"))
}

/// The generated files below `root` that are not what the spec says: changed, missing or left over.
///
/// # Errors
/// When the spec is not sound, or a file cannot be read.
pub fn check_outputs(root: &Path) -> Result<Vec<String>, InspectError> {
    with_resolved(root, |lowered| {
        let outputs = generate(lowered, OutputPart::All);
        let report = apply(root, &outputs, WriteMode::Check).map_err(|error| InspectError(error.to_string()))?;
        Ok(report.changed.into_iter().chain(report.orphaned).collect())
    })
}

/// The operations that are served.
///
/// # Errors
/// When the spec is not sound, or a file cannot be read.
pub fn routed(root: &Path) -> Result<Vec<RoutedOperation>, InspectError> {
    with_resolved(root, |lowered| {
        let served = lowered.operations.iter().filter(|(_, operation)| !operation.planned);
        let envelopes = |operation: &ResolvedOperation<'_>| {
            let chosen = operation.select.iter().flat_map(|select| &select.variants).map(|variant| variant.envelope);
            chosen.chain([operation.envelope]).map(str::to_owned).collect()
        };
        let codes =
            |operation: &ResolvedOperation<'_>| operation.errors.iter().map(|code| (*code).to_owned()).collect();
        Ok(served
            .map(|(id, operation)| RoutedOperation {
                id: (*id).to_owned(),
                routes: operation.routes.iter().map(route).collect(),
                envelopes: envelopes(operation),
                codes: codes(operation),
            })
            .collect())
    })
}

/// A route's method, and its path with the verb that ends it.
fn route(route: &ResolvedRoute) -> (String, String) {
    let path = format!("{}{}", route.path, route.suffix.as_deref().unwrap_or_default());
    (route.method.to_owned(), path)
}

/// The codes that the runtime answers by itself, whatever the operation.
///
/// # Errors
/// When the spec is not sound, or a file cannot be read.
pub fn runtime_codes(root: &Path) -> Result<BTreeSet<String>, InspectError> {
    with_resolved(root, |lowered| Ok(lowered.framework.values().map(|code| (*code).to_owned()).collect()))
}

fn with_resolved<T>(
    root: &Path,
    look: impl FnOnce(&ResolvedSpec<'_>) -> Result<T, InspectError>,
) -> Result<T, InspectError> {
    let sources = SpecSources::read(root).map_err(|error| InspectError(format!("reading spec/: {error}")))?;
    let mut loaded = crate::load(&sources);
    loaded.require_examples();
    if loaded.has_errors() {
        let printer = DiagnosticPrinter::new(&sources, false);
        let told: Vec<String> = loaded.diagnostics.iter().map(|diagnostic| printer.render(diagnostic)).collect();
        return Err(InspectError(told.join("\n\n")));
    }
    let lowered = resolve(&loaded.spec).map_err(|refusals| {
        let told = refusals.iter().map(|refusal| format!("{}: {}", loaded.spec.at(refusal.place), refusal.message));
        InspectError(told.collect::<Vec<_>>().join("\n"))
    })?;
    look(&lowered)
}
