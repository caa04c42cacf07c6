//! `delegate!`: hands each operation of a service to the room that answers it.

use askama::Template;

use super::ops;
use crate::lower::{Lowered, Operation};
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
    /// The path of the reply's type, without `$crate::`.
    reply: String,
}

pub(super) fn table(lowered: &Lowered<'_>) -> String {
    let arms = ops::routed(lowered).map(|(_, operation)| Arm {
        name: &operation.rust,
        module: &operation.module,
        method: naming::snake(&operation.rust),
        reply: reply(operation, lowered),
    });
    Delegate { arms: arms.collect() }.render().expect("writing to a string cannot fail")
}

fn reply(operation: &Operation<'_>, lowered: &Lowered<'_>) -> String {
    match (&operation.select, operation.ok.as_ref().and_then(|ok| ok.ty.named())) {
        (Some(_), _) => format!("generated::ops::{}::{}Reply", operation.module, operation.rust),
        (None, Some(name)) if !operation.proxy => {
            let name = lowered.types.get(name).map_or(name, |def| &def.rust);
            format!("generated::types::{name}")
        }
        _ => "api::ProxyReply".to_owned(),
    }
}
