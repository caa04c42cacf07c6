//! Single calls as programs write them, for readers: with the names that the packages have, and values from examples or,
//! where there are none, the least that the shapes ask for.

use serde_json::{Map, Value};

use super::arguments::{CallArguments, cookie, placed};
use super::listing::PackageListing;
use super::model::{ClientPackage, StreamTrigger, body_type, takes_form, when};
use super::{first_call, python, typescript};
use crate::client_model::{ApiCall, ApiDocument, ApiShape, CallGroup, ParameterPlace};
use crate::model::Primitive;

/// A call in the languages of the packages.
#[derive(Debug, Clone)]
pub(in crate::emit) struct CallSample {
    pub(in crate::emit) typescript: String,
    pub(in crate::emit) python: String,
}

/// A package that calls are shown of.
pub(in crate::emit) struct CallSamples<'d>(ClientPackage<'d>);

impl<'d> CallSamples<'d> {
    pub(in crate::emit) fn new(document: &'d ApiDocument) -> Self {
        Self(ClientPackage::new(document, PackageListing::of(""), typescript::names::NAMES))
    }

    /// All calls by group.
    pub(in crate::emit) fn groups(&self) -> &[CallGroup<'d>] {
        &self.0.groups
    }

    /// The first call that a reader should see.
    pub(in crate::emit) fn first(&self) -> Option<&ApiCall<'d>> {
        let first = first_call::first(&self.0)?;
        self.0.groups.iter().flat_map(|group| &group.calls).find(|call| call.name() == first.name)
    }

    /// The name of a package.
    pub(in crate::emit) fn package(&self) -> String {
        self.0.name()
    }

    /// The cookie of a call that is opened by nothing else.
    pub(in crate::emit) fn cookie(&self, call: &ApiCall<'d>) -> Option<&'d str> {
        cookie(&self.0, call)
    }

    /// The call with these values.
    pub(in crate::emit) fn show(&self, call: &ApiCall<'d>, given: &CallArguments) -> CallSample {
        CallSample {
            typescript: typescript::sample::call(&self.0, call, given),
            python: python::sample::call(&self.0, call, given),
        }
    }

    /// The least that a call takes.
    pub(in crate::emit) fn least(&self, call: &ApiCall<'d>) -> CallArguments {
        let document = self.0.document;
        let switch = call.stream().map(when);
        let parameter = |parameter: &crate::client_model::CallParameter<'d>| match switch {
            Some(StreamTrigger::Query(name, word))
                if parameter.place == ParameterPlace::Query && parameter.name == name =>
            {
                Some(word.into())
            }
            _ if parameter.required || parameter.place == ParameterPlace::Path => {
                Some(first_call::least(document, &parameter.field.ty))
            }
            _ => None,
        };
        let body = body_type(call).map(|ty| first_call::least(document, &ty));
        CallArguments {
            parameters: call.parameters.iter().map(parameter).collect(),
            body,
            form: if takes_form(call) { form(document, call) } else { Vec::new() },
        }
    }

    /// The least that an operation takes, by the parts of a request.
    pub(super) fn least_request(&self, operation: &str) -> Map<String, Value> {
        let mut request = Map::new();
        let mut calls = self.groups().iter().flat_map(|group| &group.calls);
        let Some(call) = calls.find(|call| call.id == operation) else { return request };
        let given = self.least(call);
        for (place, part) in
            [(ParameterPlace::Path, "path"), (ParameterPlace::Query, "query"), (ParameterPlace::Header, "headers")]
        {
            let values: Map<String, Value> = placed(call, &given, place)
                .map(|(parameter, value)| (parameter.name.to_owned(), value.clone()))
                .collect();
            if !values.is_empty() {
                request.insert(part.to_owned(), values.into());
            }
        }
        request.extend(given.body.map(|body| ("body".to_owned(), body)));
        request
    }

    /// The least that a type may be, as a reader sees it in an answer: with what may be missing left out.
    pub(in crate::emit) fn value(&self, ty: &crate::client_model::ApiType) -> Value {
        first_call::least(self.0.document, ty)
    }
}

/// The parts that a form must have.
fn form(document: &ApiDocument, call: &ApiCall<'_>) -> Vec<(String, bool)> {
    let body = call.operation.body.as_ref();
    let name = body.and_then(|body| body.passed_parts.as_ref().map(|of| of.ty.as_str()).or(body.multipart.as_deref()));
    let Some(ApiShape::Struct { fields, .. }) = name.and_then(|name| document.types.get(name)).map(|def| &def.shape)
    else {
        return Vec::new();
    };
    let needed = fields.iter().filter(|(_, field)| !field.optional);
    needed
        .map(|(name, field)| (name.clone(), field.ty == crate::client_model::ApiType::Primitive(Primitive::Bytes)))
        .collect()
}
