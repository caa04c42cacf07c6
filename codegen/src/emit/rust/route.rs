//! The route function of an operation, and what the runtime is told about it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::errors::constant;
use super::{ident, input, ops, whole};
use crate::lower::{Condition, LimitValue, Lowered, Operation};
use crate::model::SessionEffect;

/// The cap on a body that no limit bounds.
const BODY_BYTES: u64 = 1 << 20;

pub(super) fn tokens(
    id: &str,
    operation: &Operation<'_>,
    lowered: &Lowered<'_>,
    place: &impl Fn(&str) -> TokenStream,
) -> TokenStream {
    let facts = facts(id, operation, lowered);
    let table = table(operation);
    let function = function(operation, lowered, place);
    quote!(#facts #table #function)
}

fn facts(id: &str, operation: &Operation<'_>, lowered: &Lowered<'_>) -> TokenStream {
    let (name, spec, envelope) = (ops::constant(operation), &operation.origin.at, constant(operation.envelope));
    let routes = operation.routes.iter().map(|route| {
        let (method, path) = (ident(route.method), &route.path);
        match &route.suffix {
            Some(suffix) => quote!(Route::with_suffix(Method::#method, #path, #suffix)),
            None => quote!(Route::new(Method::#method, #path)),
        }
    });
    let mut set = Vec::new();
    if !operation.auth.is_empty() {
        let schemes = operation.auth.iter().map(|scheme| constant(scheme));
        set.push(quote!(schemes: &[#(&auth::#schemes),*]));
    }
    if let Some(select) = &operation.select {
        let format = format_ident!("{}Format", operation.rust);
        let probes = select.conditions.iter().map(|condition| match condition {
            Condition::Header(header) => {
                let header = constant(header);
                quote!(Probe::Header(&names::#header))
            }
            Condition::Query(query) => quote!(Probe::Query(#query)),
        });
        set.push(quote!(select: Some(|seen| #format::of(seen).envelope())));
        set.push(quote!(probes: &[#(#probes),*]));
    }
    if let Some(http) = operation.always_http {
        let http = whole(http.into());
        set.push(quote!(always_http: Some(#http)));
    }
    set.extend(body(operation, lowered));
    if operation.proxy {
        set.push(quote!(proxy: true));
    }
    if operation.idempotency_key {
        set.push(quote!(once: true));
    }
    quote! {
        pub(crate) static #name: Operation = Operation {
            routes: &[#(#routes),*],
            #(#set,)*
            ..Operation::new(#id, #spec, &envelopes::#envelope)
        };
    }
}

fn body(operation: &Operation<'_>, lowered: &Lowered<'_>) -> Option<TokenStream> {
    let body = operation.body.as_ref()?;
    let limit = body.limit.and_then(|name| Some((name, lowered.limits.get(name)?)));
    Some(match limit {
        Some((name, limit)) if matches!(limit.value, LimitValue::Bytes(_)) => {
            let constant = constant(name);
            // The framework's own code needs no naming.
            let other = limit.error.filter(|error| lowered.framework.get("body_too_large") != Some(error));
            match other.map(ident) {
                Some(code) => quote!(body: BodyLimit { bytes: limits::#constant, over: Some(&code::#code) }),
                None => quote!(body: BodyLimit { bytes: limits::#constant, over: None }),
            }
        }
        _ => {
            let bytes = whole(BODY_BYTES);
            quote!(body: BodyLimit { bytes: #bytes, over: None })
        }
    })
}

/// How the reply is told as CSV.
fn table(operation: &Operation<'_>) -> Option<TokenStream> {
    let csv = operation.csv.as_ref()?;
    let (name, file, columns, rows) = (table_name(operation), &operation.module, &csv.columns, &csv.rows);
    let next = csv.next.as_ref().map_or(quote!(None), |(header, path)| {
        let header = constant(header);
        quote!(Some((&names::#header, &[#(#path),*])))
    });
    Some(quote! {
        static #name: Table = Table { file: #file, rows: &[#(#rows),*], columns: &[#(#columns),*], next: #next };
    })
}

fn table_name(operation: &Operation<'_>) -> proc_macro2::Ident {
    format_ident!("{}_TABLE", ops::constant(operation))
}

fn function(operation: &Operation<'_>, lowered: &Lowered<'_>, place: &impl Fn(&str) -> TokenStream) -> TokenStream {
    let (name, function) = (ident(&operation.rust), ops::method(operation));
    let input = format_ident!("{name}Input");
    let parts = input::parts(operation, lowered, place);
    let reads = parts.iter().map(|part| {
        let (name, read) = (&part.name, &part.read);
        quote!(#name: #read)
    });
    let call = if operation.body.is_some() { quote!(mut call) } else { quote!(call) };
    let bound = (!operation.auth.is_empty()).then(|| quote!(+ Authenticate));
    let answer = answer(operation, lowered);
    let csv = operation.csv.as_ref().map(|_| quote!(let csv = input.csv;));
    let own_page = (operation.session == Some(SessionEffect::Begins)).then(|| quote!(call.from_own_page()?;));
    // A handler that says all of its answer says the wait before a retry as well.
    let failed = if ops::is_raw(operation) {
        quote!(OperationError::failure)
    } else if operation.is_headed() {
        quote!(|error| call.cx.failed_headed(error))
    } else {
        quote!(|error| call.cx.failed(error))
    };
    if operation.idempotency_key {
        return quote! {
            pub(crate) async fn #function<S: #name + Authenticate + Once>(service: Arc<S>, #call: Call) -> Answer {
                let input = #input { #(#reads),* };
                let asker = Asker::from(&input.caller);
                let run = |service: Arc<S>, call: Call| async move {
                    let reply = service.#function(&call.cx, input).await.map_err(#failed)?;
                    #answer
                };
                call.once(service, asker, run).await
            }
        };
    }
    quote! {
        pub(crate) async fn #function<S: #name #bound>(service: Arc<S>, #call: Call) -> Answer {
            #own_page
            let input = #input { #(#reads),* };
            #csv
            let reply = service.#function(&call.cx, input).await.map_err(#failed)?;
            #answer
        }
    }
}

fn answer(operation: &Operation<'_>, lowered: &Lowered<'_>) -> TokenStream {
    let cookie = lowered.auth.iter().find(|(_, scheme)| scheme.cookie.is_some()).map(|(name, _)| constant(name));
    match operation.session {
        Some(SessionEffect::Begins) => return quote!(call.answer_beginning(&auth::#cookie, &reply)),
        Some(SessionEffect::Ends) => return quote!(call.answer_ending(&auth::#cookie, &reply)),
        None => {}
    }
    if let Some(select) = &operation.select {
        let reply = format_ident!("{}Reply", operation.rust);
        let variants = select.variants.iter().map(|variant| ident(&variant.rust));
        return quote!(match reply { #(#reply::#variants(reply) => call.answer(&reply)),* });
    }
    if operation.csv.is_some() {
        let table = table_name(operation);
        return quote!(call.answer_as(csv, &reply, &#table));
    }
    if operation.is_headed() {
        return quote!(call.answer_headed(reply));
    }
    if ops::is_raw(operation) { quote!(Ok(reply.into_response())) } else { quote!(call.answer(&reply)) }
}
