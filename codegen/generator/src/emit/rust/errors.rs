//! `errors.rs`: codes, kinds, envelopes, and what the runtime needs to know about requests as such.

use std::borrow::Cow;

use askama::Template;
use proc_macro2::TokenStream;
use quote::quote;

use super::envelopes;
use super::source::RustSource;
use super::tokens::{capitals, constant, ident, joined, quoted, whole};
use crate::model::{FRAMEWORK_EVENTS, FrameworkEvent};
use crate::naming::{self, word};
use crate::resolve::{LimitValue, RequestCondition, ResolvedErrorCode, ResolvedErrorKind, ResolvedSpec};

#[derive(Template)]
#[template(path = "codes.rs", escape = "none")]
struct ErrorTables {
    kinds: Vec<KindRow>,
    codes: Vec<CodeRow>,
}

struct KindRow {
    constant: String,
    name: String,
    names: String,
}

struct CodeRow {
    marker: String,
    constant: String,
    fields: String,
    kind: String,
    http: u16,
    http_also: String,
    http_in: String,
    names: String,
    retry: String,
    say: String,
    remedy: String,
}

pub(super) fn file(lowered: &ResolvedSpec<'_>) -> RustSource {
    let envelopes = envelopes::module(lowered);
    let rules = rules(lowered);
    let tables = ErrorTables {
        kinds: lowered.kinds.iter().map(|(name, kind)| kind_row(name, kind)).collect(),
        codes: lowered.errors.iter().map(|(name, code)| code_row(name, code)).collect(),
    };
    let tokens = quote! {
        //! Error codes, the bodies they are shown in, and what is answered where no operation is to blame.

        use std::time::Duration;

        use crate::api;

        #rules
        #envelopes
    };
    RustSource::Printed { tokens, table: tables.render().expect("writing to a string cannot fail") }
}

fn kind_row(name: &str, kind: &ResolvedErrorKind<'_>) -> KindRow {
    let names = kind.0.iter().map(|(style, name)| format!("{} {}", quoted(style), quoted(name)));
    KindRow { constant: capitals(name), name: quoted(name), names: joined(names) }
}

fn code_row(name: &str, code: &ResolvedErrorCode<'_>) -> CodeRow {
    let fields = joined(code.with.iter().map(|(name, ty)| format!("{}: {}", code_field(name), with_type(ty))));
    CodeRow {
        marker: word(&code.rust).into_owned(),
        constant: name.to_owned(),
        fields: if fields.is_empty() { fields } else { format!(" {fields} ") },
        kind: capitals(code.kind),
        http: code.http,
        http_also: code.http_also.iter().map(|status| format!(" | {status}")).collect(),
        http_in: joined(code.http_in.iter().map(|(style, http)| format!("{} {http}", quoted(style)))),
        names: joined(code.names.iter().map(|(style, name)| format!("{} {}", quoted(style), quoted(name)))),
        retry: naming::upper_camel(code.retry),
        say: quoted(code.say),
        remedy: quoted(code.remedy),
    }
}

/// A value that a code carries: its field, and its name on the wire where Rust has another.
fn code_field(name: &str) -> String {
    let field = naming::snake(name);
    match word(&field) {
        Cow::Borrowed(plain) => plain.to_owned(),
        Cow::Owned(made) => format!("{made} as {}", quoted(&field)),
    }
}

/// The Rust of a `with:` type.
pub(super) fn with_type(word: &str) -> &'static str {
    match word {
        "int" => "i64",
        "usd" => "crate::api::Usd",
        "bool" => "bool",
        _ => "String",
    }
}

fn rules(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let events = FRAMEWORK_EVENTS.iter().filter_map(|FrameworkEvent { name, .. }| {
        // An event that no operation can meet need not have a code: were it raised, the service would be at fault.
        let code = lowered.framework.get(name).or_else(|| lowered.framework.get("panic"))?;
        let (event, code) = (ident(name), ident(code));
        Some(quote!(#event: &code::#code))
    });
    let families = lowered.families.iter().map(|family| {
        let (prefix, envelope) = (&family.prefix, constant(family.envelope));
        let new = ident(if family.verb { "of_verbs" } else { "new" });
        let with = family.with.map(|with| match RequestCondition::of(with) {
            RequestCondition::Header(header) => {
                let header = constant(header);
                quote!(.with(api::Probe::Header(&super::auth::names::#header)))
            }
            RequestCondition::Query(query) => quote!(.with(api::Probe::Query(#query))),
        });
        quote!(api::Family::#new(#prefix, &envelopes::#envelope) #with)
    });
    let any_origin = &lowered.service.any_origin;
    let operator_paths = &lowered.service.operator_paths;
    let schemes = lowered.auth.keys().map(|name| constant(name));
    let bound = |name| whole(runtime_limit(lowered, name));
    let (json_levels, multipart_parts) = (bound("json_levels"), bound("multipart_parts"));
    let (idle, total) = (bound("body_idle_seconds"), bound("body_total_seconds"));
    let proxy = bound("proxy_total_seconds");
    quote! {
        /// The answers where no operation is to blame, and the bounds that hold for every request.
        pub static RULES: api::Rules = api::Rules {
            framework: api::Framework { #(#events),* },
            families: &[#(#families),*],
            any_origin: &[#(#any_origin),*],
            operator_paths: &[#(#operator_paths),*],
            schemes: &[#(&super::auth::#schemes),*],
            json_levels: #json_levels,
            multipart_parts: #multipart_parts,
            body_idle: Duration::from_secs(#idle),
            body_total: Duration::from_secs(#total),
            proxy_total: Duration::from_secs(#proxy),
        };
    }
}

/// A bound of the runtime, in its unit. One that the spec names no limit for is none: no operation has it.
fn runtime_limit(lowered: &ResolvedSpec<'_>, bound: &str) -> u64 {
    match lowered.runtime_limits.get(bound).map(|name| &lowered.limits[name].value) {
        Some(LimitValue::Count(most) | LimitValue::Seconds(most) | LimitValue::Bytes(most)) => *most,
        Some(LimitValue::Usd(..)) | None => 0,
    }
}
