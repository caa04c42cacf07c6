//! `delegate!`: hands each operation of a service to the room that answers it.

use askama::Template;
use proc_macro2::TokenStream;

use super::{ops, ty};
use crate::lower::{Lowered, Operation, Ty};
use crate::model::SessionEffect;
use crate::naming;

#[derive(Template)]
#[template(path = "delegate.rs", escape = "none")]
struct Delegate<'l> {
    arms: Vec<Arm<'l>>,
}

struct Arm<'l> {
    name: &'l str,
    module: &'l str,
    method: String,
    reply: String,
    error: String,
}

pub(super) fn table(lowered: &Lowered<'_>) -> String {
    let arms = ops::routed(lowered).map(|(_, operation)| Arm {
        name: &operation.rust,
        module: &operation.module,
        method: naming::snake(&operation.rust),
        reply: reply(operation, lowered),
        error: headed(operation, format!("$crate::generated::ops::{}::{}Error", operation.module, operation.rust)),
    });
    Delegate { arms: arms.collect() }.render().expect("writing to a string cannot fail")
}

/// The type that a handler gives back, as it is named from anywhere.
fn reply(operation: &Operation<'_>, lowered: &Lowered<'_>) -> String {
    match (&operation.select, &operation.ok) {
        (Some(_), _) => format!("$crate::generated::ops::{}::{}Reply", operation.module, operation.rust),
        (None, Some(ok)) if operation.session == Some(SessionEffect::Begins) => {
            format!("$crate::api::BeginsSession<{}>", named(&ok.ty, lowered))
        }
        (None, Some(ok)) if !ops::is_raw(operation) => headed(operation, named(&ok.ty, lowered)),
        _ => "$crate::api::ProxyReply".to_owned(),
    }
}

/// With the operation's headers, where it has any.
fn headed(operation: &Operation<'_>, inner: String) -> String {
    if !operation.is_headed() {
        return inner;
    }
    format!("$crate::api::Headed<{inner}, $crate::generated::ops::{}::{}Headers>", operation.module, operation.rust)
}

fn named(ty: &Ty, lowered: &Lowered<'_>) -> String {
    match ty {
        Ty::List(item) => format!("Vec<{}>", named(item, lowered)),
        Ty::Map(item) => format!("$crate::api::Map<{}>", named(item, lowered)),
        Ty::Ref(name) => {
            let name = lowered.types.get(name.as_str()).map_or(name, |def| &def.rust);
            format!("$crate::generated::types::{name}")
        }
        Ty::Const(_) | Ty::Primitive(_) => {
            ty::ty(ty, &|_| TokenStream::new()).to_string().replace(' ', "").replace("crate::", "$crate::")
        }
    }
}
