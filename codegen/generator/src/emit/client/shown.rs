//! Single calls as programs write them, for readers: with the names that the packages have, and values from examples or,
//! where there are none, the least that the shapes ask for.

use serde_json::{Map, Value};

use super::model::{Package, When, body_type, takes_form, when};
use super::{Listing, python, sample, typescript};
use crate::interface::{Call, Document, Group, Place, Shape};
use crate::model::Primitive;

/// The address of a service in samples, as long as nobody names another.
pub(in crate::emit) const BASE: &str = "http://localhost:8080";

/// The arguments of a call.
#[derive(Debug, Clone, Default)]
pub(in crate::emit) struct Given {
    /// The call's parameters in their order; `None` is not sent.
    pub(in crate::emit) parameters: Vec<Option<Value>>,
    /// A body in JSON.
    pub(in crate::emit) body: Option<Value>,
    /// A body as a form: parts, and whether they are files.
    pub(in crate::emit) form: Vec<(String, bool)>,
}

/// A call in the languages of the packages.
#[derive(Debug, Clone)]
pub(in crate::emit) struct Shown {
    pub(in crate::emit) typescript: String,
    pub(in crate::emit) python: String,
}

/// A package that calls are shown of.
pub(in crate::emit) struct Calls<'d>(Package<'d>);

impl<'d> Calls<'d> {
    pub(in crate::emit) fn new(document: &'d Document) -> Self {
        Self(Package::new(document, Listing::of(""), typescript::type_name))
    }

    /// All calls by group.
    pub(in crate::emit) fn groups(&self) -> &[Group<'d>] {
        &self.0.groups
    }

    /// The first call that a reader should see.
    pub(in crate::emit) fn first(&self) -> Option<&Call<'d>> {
        let first = sample::first(&self.0)?;
        self.0.groups.iter().flat_map(|group| &group.calls).find(|call| call.name() == first.name)
    }

    /// The name of a package.
    pub(in crate::emit) fn package(&self) -> String {
        self.0.name()
    }

    /// The cookie of a call that is opened by nothing else.
    pub(in crate::emit) fn cookie(&self, call: &Call<'d>) -> Option<&'d str> {
        cookie(&self.0, call)
    }

    /// The call with these values.
    pub(in crate::emit) fn show(&self, call: &Call<'d>, given: &Given) -> Shown {
        Shown {
            typescript: typescript::shown::call(&self.0, call, given),
            python: python::shown::call(&self.0, call, given),
        }
    }

    /// The least that a call takes.
    pub(in crate::emit) fn least(&self, call: &Call<'d>) -> Given {
        let document = self.0.document;
        let switch = call.stream().map(when);
        let parameter = |parameter: &crate::interface::Parameter<'d>| match switch {
            Some(When::Query(name, word)) if parameter.place == Place::Query && parameter.name == name => {
                Some(word.into())
            }
            _ if parameter.required || parameter.place == Place::Path => {
                Some(sample::least(document, &parameter.field.ty))
            }
            _ => None,
        };
        let body = body_type(call).map(|ty| sample::least(document, &ty));
        Given {
            parameters: call.parameters.iter().map(parameter).collect(),
            body,
            form: if takes_form(call) { form(document, call) } else { Vec::new() },
        }
    }

    /// The least that a type may be, as a reader sees it in an answer: with what may be missing left out.
    pub(in crate::emit) fn value(&self, ty: &crate::interface::Ty) -> Value {
        sample::least(self.0.document, ty)
    }
}

/// The parts that a form must have.
fn form(document: &Document, call: &Call<'_>) -> Vec<(String, bool)> {
    let body = call.operation.body.as_ref();
    let name = body.and_then(|body| body.passed_parts.as_ref().map(|of| of.ty.as_str()).or(body.multipart.as_deref()));
    let Some(Shape::Struct { fields, .. }) = name.and_then(|name| document.types.get(name)).map(|def| &def.shape)
    else {
        return Vec::new();
    };
    let needed = fields.iter().filter(|(_, field)| !field.optional);
    needed.map(|(name, field)| (name.clone(), field.ty == crate::interface::Ty::Primitive(Primitive::Bytes))).collect()
}

/// The parameters of a place that are given, by their names and as what they are sent.
pub(super) fn placed<'c, 'd>(
    call: &'c Call<'d>,
    given: &'c Given,
    place: Place,
) -> impl Iterator<Item = (&'c crate::interface::Parameter<'d>, &'c Value)> {
    let all = call.parameters.iter().zip(&given.parameters);
    all.filter(move |(parameter, _)| parameter.place == place)
        .filter_map(|(parameter, value)| Some((parameter, value.as_ref()?)))
}

/// An object with one more member.
pub(super) fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut members = body.as_object().cloned().unwrap_or_else(Map::new);
    members.insert(name.to_owned(), value);
    members.into()
}

/// The body without what asks for a stream, and whether it did.
pub(super) fn asks(body: Option<&Value>, switch: &str) -> (Option<Value>, bool) {
    let Some(Value::Object(members)) = body else { return (body.cloned(), false) };
    let mut members = members.clone();
    let asked = members.shift_remove(switch) == Some(Value::Bool(true));
    (Some(members.into()), asked)
}

/// True if a parameter that asks for a stream is given.
pub(super) fn asks_by(call: &Call<'_>, given: &Given, name: &str) -> bool {
    placed(call, given, Place::Query).any(|(parameter, _)| parameter.name == name)
}

/// The cookie of calls that are opened by nothing else.
pub(super) fn cookie<'d>(package: &Package<'d>, call: &Call<'d>) -> Option<&'d str> {
    if call.credential.is_some() {
        return None;
    }
    let schemes = call.operation.auth.iter().filter_map(|name| package.document.auth.get(name));
    schemes.filter_map(|scheme| scheme.cookie.as_deref()).next()
}
