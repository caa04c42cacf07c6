//! The document as the emitters of all languages use it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::listing::PackageListing;
use crate::client_model::{
    ApiCall, ApiDocument, ApiField, ApiReply, ApiShape, ApiStream, ApiTargetNames, ApiType, ApiTypeDef, CallGroup,
    ErrorAnswer, ErrorMarker, ErrorMemberPaths, UnionVariantNames, asked, calls, marker, named_in, reached, received,
    slots,
};
use crate::emit::text;
use crate::map::{HashSet, IndexMap};
use crate::model::Primitive;
use crate::naming;

/// The names that a language takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct LanguageNames {
    /// Of a type of the document.
    pub(super) type_name: fn(&ApiDocument, &str) -> String,
    /// Of the file of a module.
    pub(super) module: fn(&str) -> String,
}

/// A document with its calls.
pub(super) struct ClientPackage<'d> {
    pub(super) document: &'d ApiDocument,
    pub(super) listing: PackageListing,
    pub(super) groups: Vec<CallGroup<'d>>,
    /// The names of the variants of unions.
    pub(super) names: UnionVariantNames,
    language: LanguageNames,
    /// Types that programs make.
    asked: BTreeSet<String>,
    /// Types that programs are given.
    received: BTreeSet<String>,
}

/// The form of parts that a call may take.
pub(super) struct CallForm<'d> {
    pub(super) open: bool,
    pub(super) fields: Vec<(&'d str, &'d ApiField, FormPartKind)>,
}

/// The kind of part that a field of a form is sent as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormPartKind {
    File,
    Files,
    /// A file or a text.
    Any,
    Value,
}

/// The part of a request that asks for a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamTrigger<'d> {
    Always,
    /// A bool field of the body.
    Body(&'d str),
    /// A parameter of the query that has a certain value.
    Query(&'d str, &'d str),
}

/// An envelope as clients read it.
pub(super) struct EnvelopeReading {
    pub(super) slots: ErrorMemberPaths,
    pub(super) marker: Option<ErrorMarker>,
}

/// Codes that carry the same values.
pub(super) struct CodesByValues<'d> {
    pub(super) wires: Vec<&'d str>,
    pub(super) with: &'d IndexMap<String, String>,
}

impl<'d> ClientPackage<'d> {
    /// A package in a language that calls the types of the spec so.
    pub(super) fn new(document: &'d ApiDocument, listing: PackageListing, language: LanguageNames) -> Self {
        let operations = || document.operations.values();
        Self {
            document,
            listing,
            groups: calls(document),
            names: UnionVariantNames::of(document, |name| (language.type_name)(document, name)),
            language,
            asked: reached(document, operations().flat_map(asked)),
            received: reached(document, operations().flat_map(received)),
        }
    }

    /// True if programs make values of a type.
    pub(super) fn is_asked(&self, name: &str) -> bool {
        self.asked.contains(name)
    }

    /// True if programs are given values of a type.
    pub(super) fn is_received(&self, name: &str) -> bool {
        self.received.contains(name)
    }

    /// The bodies that a call can be given, each by a method of its own; `None` is JSON, or nothing.
    pub(super) fn bodies(&self, call: &ApiCall<'d>) -> Vec<Option<CallForm<'d>>> {
        let plain = (!takes_form(call)).then_some(None);
        plain.into_iter().chain(self.form(call).map(Some)).collect()
    }

    /// The form that a call takes, instead of JSON or because there is nothing else. What asks for a stream is no part of it:
    /// what is sent as a form is answered whole.
    fn form(&self, call: &ApiCall<'d>) -> Option<CallForm<'d>> {
        let body = call.operation.body.as_ref()?;
        let name = body.passed_parts.as_ref().map(|passed| passed.ty.as_str()).or(body.multipart.as_deref())?;
        let ApiShape::Struct { open, fields } = &self.document.types.get(name)?.shape else { return None };
        let switch = call.stream().map(when);
        let part = |field: &'d ApiField| match &field.ty {
            ApiType::Primitive(Primitive::Bytes) => FormPartKind::File,
            ApiType::List(item) if **item == ApiType::Primitive(Primitive::Bytes) => FormPartKind::Files,
            ApiType::Primitive(Primitive::Json) | ApiType::TextOrList(_) => FormPartKind::Any,
            ApiType::Const(_) | ApiType::List(_) | ApiType::Map(_) | ApiType::Primitive(_) | ApiType::Ref(_) => {
                FormPartKind::Value
            }
        };
        let said = fields.iter().filter(|(name, _)| switch != Some(StreamTrigger::Body(name)));
        Some(CallForm { open: *open, fields: said.map(|(name, field)| (name.as_str(), field, part(field))).collect() })
    }

    /// The name of the package.
    pub(super) fn name(&self) -> String {
        let own = || format!("{}-client", naming::words(&self.document.service.name).join("-"));
        self.listing.name.clone().unwrap_or_else(own)
    }

    /// The name of the client type.
    pub(super) fn client(&self) -> String {
        naming::upper_camel(&self.document.service.name)
    }

    /// Types by the file of the spec that they are written in.
    pub(super) fn modules(&self) -> IndexMap<String, Vec<(&'d str, &'d ApiTypeDef)>> {
        let mut modules: IndexMap<String, Vec<(&str, &ApiTypeDef)>> = IndexMap::default();
        for (name, def) in &self.document.types {
            modules.entry(self.module(def)).or_default().push((name, def));
        }
        modules.sort_unstable_keys();
        modules
    }

    /// The module of a type.
    pub(super) fn module_of(&self, name: &str) -> String {
        self.document.types.get(name).map(|def| self.module(def)).unwrap_or_default()
    }

    fn module(&self, def: &ApiTypeDef) -> String {
        let file = def.at.rsplit('/').next().unwrap_or_default();
        (self.language.module)(file.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("common"))
    }

    pub(super) fn readings(&self) -> impl Iterator<Item = (&'d str, EnvelopeReading)> {
        self.document.envelopes.iter().map(|(name, envelope)| {
            (name.as_str(), EnvelopeReading { slots: slots(&envelope.body), marker: marker(&envelope.body) })
        })
    }

    /// The codes of a call, by the values that they carry.
    pub(super) fn codes(&self, call: &ApiCall<'d>) -> Vec<CodesByValues<'d>> {
        let mut all: Vec<CodesByValues<'d>> = Vec::new();
        let mut seen = HashSet::default();
        for ErrorAnswer { code, wire, .. } in &call.errors {
            if !seen.insert(*wire) {
                continue;
            }
            match all.iter_mut().find(|codes| *codes.with == code.with) {
                Some(codes) => codes.wires.push(wire),
                None => all.push(CodesByValues { wires: vec![wire], with: &code.with }),
            }
        }
        all
    }

    /// True if a failure of a call may come with the status of success.
    pub(super) fn fails_with_success(&self, call: &ApiCall<'_>) -> bool {
        call.operation.always_http.is_some_and(|http| http < 400) || call.errors.iter().any(|answer| answer.http < 400)
    }

    /// The field that members lead to.
    fn led_to(&self, from: &'d ApiType, path: &[String]) -> Option<&'d ApiType> {
        let mut ty = from;
        for name in path {
            let ApiType::Ref(of) = ty else { return None };
            let ApiShape::Struct { fields, .. } = &self.document.types.get(of)?.shape else { return None };
            ty = &fields.get(name)?.ty;
        }
        Some(ty)
    }

    /// The type of the items of a call's pages.
    pub(super) fn item(&self, call: &ApiCall<'d>) -> Option<&'d ApiType> {
        let ApiReply::Json(ok) = call.reply else { return None };
        match self.led_to(&ok.ty, &call.pages()?.items)? {
            ApiType::List(item) => Some(item),
            ApiType::Const(_) | ApiType::TextOrList(_) | ApiType::Map(_) | ApiType::Primitive(_) | ApiType::Ref(_) => {
                None
            }
        }
    }
}

/// The types that a type speaks of itself, where variants have the fields of their types.
pub(super) fn named<'d>(package: &ClientPackage<'d>, def: &'d ApiTypeDef) -> Vec<&'d str> {
    let ApiShape::Union { of, .. } = &def.shape else { return named_in(&def.shape) };
    let inside = |variant: &'d crate::client_model::ApiVariant| {
        let of = variant.named.as_ref().and_then(|named| package.document.types.get(named));
        of.map_or_else(
            || variant.fields.values().filter_map(|field| field.ty.named()).collect(),
            |def| named_in(&def.shape),
        )
    };
    of.values().flat_map(inside).collect()
}

/// The part of a request that asks for a stream.
pub(super) fn when(stream: &ApiStream) -> StreamTrigger<'_> {
    let Some(when) = &stream.when else { return StreamTrigger::Always };
    if let Some(field) = when.strip_prefix("body.") {
        return StreamTrigger::Body(field);
    }
    when.strip_prefix("query.")
        .and_then(|rest| rest.split_once('='))
        .map_or(StreamTrigger::Always, |(name, word)| StreamTrigger::Query(name, word))
}

/// The type of a body in JSON; `None` for one that is a form alone.
pub(super) fn body_type(call: &ApiCall<'_>) -> Option<ApiType> {
    let body = call.operation.body.as_ref()?;
    let json = [&body.json, &body.raw].into_iter().flatten().next().cloned();
    json.or_else(|| body.passed.as_ref().map(|passed| ApiType::Ref(passed.ty.clone())))
}

/// True if a call takes a form and nothing else.
pub(super) fn takes_form(call: &ApiCall<'_>) -> bool {
    call.operation.body.is_some() && body_type(call).is_none()
}

/// True if a form is the second body that a call takes, so that its method has another name.
pub(super) fn is_second(call: &ApiCall<'_>, form: Option<&CallForm<'_>>) -> bool {
    form.is_some() && !takes_form(call)
}

/// The stream that a call may answer with, given that body.
pub(super) fn streams<'d>(call: &ApiCall<'d>, form: Option<&CallForm<'_>>) -> Option<&'d ApiStream> {
    call.stream().filter(|stream| form.is_none() || !matches!(when(stream), StreamTrigger::Body(_)))
}

/// True if a field may be left out.
pub(super) fn may_be_absent(field: &ApiField) -> bool {
    field.optional || field.default.is_some()
}

/// `orderNotFound` → `orderNotFound`, `count_tokens` → `countTokens`.
pub(super) fn lower_camel(name: &str) -> String {
    let camel = naming::upper_camel(name);
    let mut letters = camel.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// A name of the language instead of the derived one, where the spec has it.
pub(super) fn or_own(
    own: impl Fn(&ApiTargetNames) -> Option<&String>,
    named: &ApiTargetNames,
    derived: String,
) -> String {
    own(named).cloned().unwrap_or(derived)
}

/// A path of members as JSON.
pub(super) fn path(steps: &[Value]) -> String {
    Value::from(steps.to_vec()).to_string()
}

/// The documentation of a call: its purpose, and the codes that it may answer with.
pub(super) fn call_doc(call: &ApiCall<'_>) -> String {
    let route = &call.operation.routes[0];
    let path = format!("{}{}", route.path.replace("{*", "{"), route.suffix);
    let doc = call.operation.doc.as_deref().unwrap_or_default();
    format!("{doc}\n\n`{} {path}`", route.method)
}

/// The deprecation of a call in words, behind `Deprecated`.
pub(super) fn deprecation(call: &ApiCall<'_>) -> Option<String> {
    let deprecated = call.operation.deprecated.as_ref()?;
    let successor = deprecated.successor.as_ref().map(|successor| format!("`{successor}`"));
    let because = deprecated.because.as_ref().map(|because| format!(" {}", because.trim_end())).unwrap_or_default();
    Some(format!("{}.{because}", text::deprecation(&deprecated.since, deprecated.until.as_deref(), successor)))
}

/// A field's words, with its default.
pub(super) fn field_doc(field: &ApiField) -> String {
    let default = field.default.as_ref().map(|default| format!(" Default: `{default}`.")).unwrap_or_default();
    format!("{}{default}", field.doc.as_deref().unwrap_or_default()).trim().to_owned()
}
