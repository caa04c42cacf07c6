//! Routes with their aliases, and the families of paths.

use serde::Serialize;

use super::context::ResolveContext;
use super::envelopes;
use crate::model::{self, PathSegment, Spec};

/// One way to an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResolvedRoute {
    /// The method.
    pub method: &'static str,
    /// The path, with `{name}` for one segment and a final `{*name}` for the rest.
    pub path: String,
    /// The end of the last segment: `:generateContent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
    /// True for another spelling of an earlier one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub alias: bool,
}

/// A path prefix and the envelope of what is answered under it where no operation matched.
#[derive(Debug, Serialize)]
pub struct ResolvedPathFamily<'s> {
    /// The prefix.
    pub prefix: String,
    /// True if only paths that end with a verb belong: a colon, and letters of which the first is small.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub verb: bool,
    /// A header, or `query.<name>`, that requests of the family have; absent where the path alone decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<&'s str>,
    /// The envelope.
    pub envelope: &'s str,
}

impl ResolvedRoute {
    /// `POST /v1beta/models/{*model}:generateContent`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{} {}{}", self.method, self.path, self.suffix.as_deref().unwrap_or_default())
    }

    pub(super) fn prefix(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(prefix, _)| prefix)
    }

    pub(super) fn takes_the_rest(&self) -> bool {
        self.suffix.is_some() || self.path.contains("{*")
    }
}

/// The routes of an operation: each as written, then under the other spellings of its path prefix.
pub(super) fn of(spec: &Spec, operation: &model::DeclaredOperation) -> Vec<ResolvedRoute> {
    let written = std::iter::once(&operation.route).chain(&operation.also);
    let mut routes = Vec::new();
    for route in written.filter_map(|route| model::DeclaredRoute::parse(&route.value).ok()) {
        let (path, suffix) = path_of(&route);
        let spellings = spellings(spec, &path);
        for (index, path) in spellings.into_iter().enumerate() {
            routes.push(ResolvedRoute { method: route.method.word(), path, suffix: suffix.clone(), alias: index > 0 });
        }
    }
    routes
}

/// The path in the runtime's words. Before a verb a parameter takes slashes too: model names have them.
fn path_of(route: &model::DeclaredRoute) -> (String, Option<String>) {
    let mut path = String::new();
    let mut suffix = None;
    for segment in &route.segments {
        path.push('/');
        match segment {
            PathSegment::Literal(literal) => path.push_str(literal),
            PathSegment::Parameter(parameter) => path.extend(["{", &parameter.name, "}"]),
            PathSegment::Rest(parameter) => path.extend(["{*", &parameter.name, "}"]),
            PathSegment::ParameterVerb(parameter, verb) => {
                path.extend(["{*", &parameter.name, "}"]);
                suffix = Some(format!(":{verb}"));
            }
        }
    }
    (if path.is_empty() { "/".to_owned() } else { path }, suffix)
}

/// A path under every spelling of its prefix, the canonical one first.
pub(super) fn spellings(spec: &Spec, path: &str) -> Vec<String> {
    let mut all = vec![path.to_owned()];
    for (prefix, entry) in spec.wire_names.iter().filter(|(name, _)| name.starts_with('/')) {
        let Some(rest) = path.strip_prefix(prefix.as_str()) else { continue };
        if rest.is_empty() || rest.starts_with('/') {
            let others = entry.accepts.iter().filter(|other| other.value != *prefix);
            all.extend(others.map(|other| format!("{}{rest}", other.value)));
        }
    }
    all
}

/// The families with every spelling of their prefixes, longest first and those that ask for more before those of the same
/// prefix that do not, so that the first that fits is the right one.
pub(super) fn families(spec: &Spec) -> Vec<ResolvedPathFamily<'_>> {
    let cx = ResolveContext { spec, refusals: Vec::new() };
    let mut families = Vec::new();
    for (key, entry) in &spec.families {
        let paths = model::FamilyPaths::parse(key).zip(envelopes::named(&cx, &entry.envelope));
        let Some((model::FamilyPaths { prefix, verb, with }, envelope)) = paths else { continue };
        families.extend(spellings(spec, prefix).into_iter().map(|prefix| ResolvedPathFamily {
            prefix,
            verb,
            with,
            envelope,
        }));
    }
    families.sort_by(|a: &ResolvedPathFamily<'_>, b| {
        let longer = b.prefix.len().cmp(&a.prefix.len());
        longer
            .then_with(|| a.prefix.cmp(&b.prefix))
            .then_with(|| (b.verb, b.with.is_some()).cmp(&(a.verb, a.with.is_some())))
    });
    families
}
