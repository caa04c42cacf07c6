//! Calls: what a client offers. An operation whose reply depends on the request is one call for each of its forms.

use super::api_type::ApiField;
use super::document::{ApiDocument, ApiOperation, ApiPages, ApiScheme, ApiStream};
use super::errors::{ErrorAnswer, faces};
use super::reply::{ApiReply, reply};
use crate::map::IndexMap;

/// Calls of operations of one group.
#[derive(Debug)]
pub struct CallGroup<'d> {
    /// `chat`
    pub name: &'d str,
    /// Its calls.
    pub calls: Vec<ApiCall<'d>>,
}

/// One call.
#[derive(Debug)]
pub struct ApiCall<'d> {
    /// The operation's name.
    pub id: &'d str,
    /// The operation.
    pub operation: &'d ApiOperation,
    /// The verb, and the form of the reply where there are several: `list`, `list_a`.
    pub verb: String,
    /// The reply.
    pub reply: ApiReply<'d>,
    /// The envelope of its errors.
    pub envelope: &'d str,
    /// The header that says who calls; `None` for public operations, and where only a cookie does.
    pub credential: Option<CallCredential<'d>>,
    /// Parameters of path, query and headers that the caller gives, in this order; each place's required ones first.
    pub parameters: Vec<CallParameter<'d>>,
    /// The codes that it may answer with.
    pub errors: Vec<ErrorAnswer<'d>>,
}

/// A header that carries the key.
#[derive(Debug, Clone, Copy)]
pub struct CallCredential<'d> {
    /// Its name on the wire.
    pub header: &'d str,
    /// The text before the key.
    pub prefix: &'d str,
}

/// The place of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterPlace {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
}

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub struct CallParameter<'d> {
    /// Its place.
    pub place: ParameterPlace,
    /// Its name in the spec.
    pub name: &'d str,
    /// Its name on the wire.
    pub wire: &'d str,
    /// Its declaration.
    pub field: &'d ApiField,
    /// True if it must be given.
    pub required: bool,
}

impl<'d> ApiCall<'d> {
    /// The stream that it may answer with.
    #[must_use]
    pub fn stream(&self) -> Option<&'d ApiStream> {
        self.operation.stream.as_ref()
    }

    /// The pagination of its list.
    #[must_use]
    pub fn pages(&self) -> Option<&'d ApiPages> {
        self.operation.pages.as_ref()
    }

    /// The parameters in one place.
    pub fn placed(&self, place: ParameterPlace) -> impl Iterator<Item = &CallParameter<'d>> {
        self.parameters.iter().filter(move |parameter| parameter.place == place)
    }

    /// Group and verb with an underscore between.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}_{}", self.id.split('.').next().unwrap_or_default(), self.verb)
    }
}

/// All calls by group.
#[must_use]
pub fn calls(document: &ApiDocument) -> Vec<CallGroup<'_>> {
    let mut groups: IndexMap<&str, Vec<ApiCall<'_>>> = IndexMap::default();
    for (id, operation) in &document.operations {
        let group = id.split('.').next().unwrap_or(id);
        groups.entry(group).or_default().extend(of(document, id, operation));
    }
    groups.into_iter().map(|(name, calls)| CallGroup { name, calls }).collect()
}

fn of<'d>(document: &'d ApiDocument, id: &'d str, operation: &'d ApiOperation) -> Vec<ApiCall<'d>> {
    let verb = id.split_once('.').map_or(id, |(_, verb)| verb);
    let Some(select) = &operation.select else {
        let reply = reply(document, operation.ok.as_ref());
        return vec![call(document, id, operation, (verb.to_owned(), &operation.envelope, reply, &[]))];
    };
    // Where several branches choose the same form, the one that asks for least is how a client asks for it.
    let mut forms: IndexMap<(&str, &str), Vec<&str>> = IndexMap::default();
    for branch in &select.branches {
        let asked = branch.has.iter().chain(branch.has_any.first()).map(String::as_str).collect::<Vec<_>>();
        let least = forms.entry((&branch.envelope, &branch.ok)).or_insert_with(|| asked.clone());
        if asked.len() < least.len() {
            *least = asked;
        }
    }
    let form = |((envelope, ok), asked): (&(&'d str, &'d str), &Vec<&'d str>)| {
        let verb = if asked.is_empty() { verb.to_owned() } else { format!("{verb}_{envelope}") };
        let reply = document.types.get_key_value(*ok).map_or(ApiReply::Nothing, |(name, _)| ApiReply::Named(name));
        call(document, id, operation, (verb, *envelope, reply, asked))
    };
    let mut calls: Vec<ApiCall<'_>> = forms.iter().map(form).collect();
    // What needs nothing said comes first.
    calls.sort_by_key(|call| call.verb.len());
    calls
}

fn call<'d>(
    document: &'d ApiDocument,
    id: &'d str,
    operation: &'d ApiOperation,
    (verb, envelope, reply, asked): (String, &'d str, ApiReply<'d>, &[&'d str]),
) -> ApiCall<'d> {
    let schemes: Vec<&ApiScheme> = operation.auth.iter().filter_map(|name| document.auth.get(name)).collect();
    let by_header = |scheme: &&&'d ApiScheme| {
        asked.is_empty() || scheme.header.as_deref().is_some_and(|header| asked.contains(&header))
    };
    let with_header = || schemes.iter().filter(|scheme| scheme.header.is_some());
    let chosen = with_header().find(by_header).or_else(|| with_header().next());
    let credential = chosen.map(|scheme| {
        let header = scheme.header.as_deref().unwrap_or_default();
        CallCredential { header: document.wire_name(header), prefix: scheme.prefix.as_deref().unwrap_or_default() }
    });
    let secret = |place: ParameterPlace, name: &str| {
        schemes.iter().any(|scheme| match place {
            ParameterPlace::Path => false,
            ParameterPlace::Query => scheme.query.as_deref() == Some(name),
            ParameterPlace::Header => scheme.header.as_deref() == Some(name),
        })
    };
    let all = [
        (ParameterPlace::Path, &operation.path),
        (ParameterPlace::Query, &operation.query),
        (ParameterPlace::Header, &operation.headers),
    ];
    let mut parameters = Vec::new();
    for (place, fields) in all {
        let given = fields.iter().filter(|(name, _)| !secret(place, name));
        let mut here: Vec<CallParameter<'_>> = given
            .map(|(name, field)| {
                let in_query = format!("query.{name}");
                let required = !field.optional || asked.contains(&name.as_str()) || asked.contains(&in_query.as_str());
                let wire = if place == ParameterPlace::Header { document.wire_name(name) } else { name };
                CallParameter { place, name, wire, field, required }
            })
            .collect();
        here.sort_by_key(|parameter| !parameter.required);
        parameters.extend(here);
    }
    let errors = faces(document, operation, envelope);
    ApiCall { id, operation, verb, reply, envelope, credential, parameters, errors }
}
