//! Reading a document, and leaving out what is not served.

use std::collections::BTreeSet;
use std::fmt;

use super::api_type::{ApiShape, ApiType};
use super::document::{ApiDocument, ApiOperation};

/// The version of `resolved.json` that is written and read.
pub(crate) const VERSION: u32 = 1;

/// The reason why a document cannot be used.
#[derive(Debug)]
pub struct DocumentError(String);

impl fmt::Display for DocumentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for DocumentError {}

/// The interface that a `resolved.json` describes.
///
/// # Errors
/// When it is not JSON of that form, of another version, or names what it does not have.
pub fn read(bytes: &[u8]) -> Result<ApiDocument, DocumentError> {
    let document: ApiDocument =
        serde_json::from_slice(bytes).map_err(|error| DocumentError(format!("this is no resolved spec: {error}")))?;
    if document.version != VERSION {
        return Err(DocumentError(format!(
            "the version is {}, and {VERSION} is the one that is known",
            document.version
        )));
    }
    served(document)
}

/// The served part of a document, where all its names exist.
pub(crate) fn served(mut document: ApiDocument) -> Result<ApiDocument, DocumentError> {
    document.operations.retain(|_, operation| !operation.planned);
    check(&document)?;
    let reached = reached(&document, document.operations.values().flat_map(spoken));
    document.types.retain(|name, _| reached.contains(name));
    Ok(document)
}

/// The types that some types lead to, themselves included.
pub(crate) fn reached<'d>(document: &'d ApiDocument, from: impl Iterator<Item = &'d str>) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = from.collect();
    while let Some(name) = open.pop() {
        if let Some(def) = document.types.get(name).filter(|_| !reached.contains(name)) {
            reached.insert(name.to_owned());
            open.extend(named_in(&def.shape));
        }
    }
    reached
}

/// The types that a request is made of.
pub(crate) fn asked(operation: &ApiOperation) -> Vec<&str> {
    let body = operation.body.iter().flat_map(|body| {
        let json = [&body.json, &body.raw].into_iter().flatten().filter_map(ApiType::named);
        let passed = [&body.passed, &body.passed_parts].into_iter().flatten().map(|passed| passed.ty.as_str());
        json.chain(passed).chain(body.multipart.as_deref())
    });
    let parameters = [&operation.path, &operation.query, &operation.headers].into_iter().flat_map(|of| of.values());
    body.chain(parameters.filter_map(|field| field.ty.named())).collect()
}

/// The types that an operation speaks of.
fn spoken(operation: &ApiOperation) -> Vec<&str> {
    asked(operation).into_iter().chain(received(operation)).collect()
}

/// The types that an answer is made of.
pub(crate) fn received(operation: &ApiOperation) -> Vec<&str> {
    let chosen = operation.select.iter().flat_map(|select| &select.branches).map(|branch| branch.ok.as_str());
    let reply = operation.ok.iter().filter_map(|ok| ok.ty.named());
    let events = operation.stream.iter().map(|stream| stream.event.as_str());
    chosen.chain(reply).chain(events).collect()
}

pub(crate) fn named_in(shape: &ApiShape) -> Vec<&str> {
    match shape {
        ApiShape::Struct { fields, .. } => fields.values().filter_map(|field| field.ty.named()).collect(),
        ApiShape::Enum { .. } => Vec::new(),
        ApiShape::Union { of, .. } => of
            .values()
            .flat_map(|variant| {
                variant.named.as_deref().into_iter().chain(variant.fields.values().filter_map(|field| field.ty.named()))
            })
            .collect(),
        ApiShape::Newtype { is, .. } => is.named().into_iter().collect(),
    }
}

/// Checks that all names exist.
fn check(document: &ApiDocument) -> Result<(), DocumentError> {
    let missing = |what: &str, name: &str| Err(DocumentError(format!("there is no {what} `{name}`, which is named")));
    for (id, operation) in &document.operations {
        if operation.routes.is_empty() || !id.contains('.') {
            return Err(DocumentError(format!("the operation `{id}` has no route, or its name is not `group.verb`")));
        }
        let branches = operation.select.iter().flat_map(|select| &select.branches);
        let envelopes = branches.map(|branch| branch.envelope.as_str()).chain([operation.envelope.as_str()]);
        for envelope in envelopes {
            if !document.envelopes.contains_key(envelope) {
                return missing("envelope", envelope);
            }
        }
        if let Some(code) = operation.errors.iter().find(|code| !document.errors.contains_key(*code)) {
            return missing("error", code);
        }
        if let Some(scheme) = operation.auth.iter().find(|scheme| !document.auth.contains_key(*scheme)) {
            return missing("scheme of `auth`", scheme);
        }
        if let Some(name) = spoken(operation).into_iter().find(|name| !document.types.contains_key(*name)) {
            return missing("type", name);
        }
    }
    for def in document.types.values() {
        if let Some(name) = named_in(&def.shape).into_iter().find(|name| !document.types.contains_key(*name)) {
            return missing("type", name);
        }
    }
    match document.framework.values().find(|code| !document.errors.contains_key(*code)) {
        Some(code) => missing("error", code),
        None => Ok(()),
    }
}
