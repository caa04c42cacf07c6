//! Fields without a `doc`, where the service requires one of all.

use super::context::Context;
use crate::{
    diagnostics::{Diagnostic, Label, codes::types},
    model::{Docs, Entries, Fields, Place, Shape, Stage, Type, Variant},
};

/// The most fields without a `doc` that get a complaint each; with more, a file gets one.
const SILENT_MAX: usize = 3;

impl Context<'_> {
    /// Every field and parameter of a routed operation has a `doc`, where the spec requires that.
    pub(super) fn documented(&mut self) {
        let spec = self.spec;
        if spec.service.as_ref().is_none_or(|service| service.docs != Docs::Required) {
            return;
        }
        let mut silent = Vec::new();
        for (name, operation) in spec.operations.iter().filter(|(_, operation)| operation.stage == Stage::Routed) {
            for fields in [&operation.path, &operation.query, &operation.headers] {
                collect(fields, &format!("the operation `{name}`"), &mut silent);
            }
        }
        let reached = self.types_of_routed();
        for (name, named) in spec.types.iter().filter(|(name, _)| reached.contains(name.as_str())) {
            each_fields(named, |fields| collect(fields, &format!("the type `{name}`"), &mut silent));
        }
        silent.sort_by_key(|(place, _)| *place);
        for of_file in silent.chunk_by(|(one, _), (other, _)| one.file == other.file) {
            let singly = of_file.len() <= SILENT_MAX;
            for (place, field) in of_file.iter().take(if singly { SILENT_MAX } else { 1 }) {
                let mut complaint = Diagnostic::error(types::UNDOCUMENTED, *place, format!("{field} has no `doc`"));
                if !singly {
                    complaint.message = format!("{} fields of this file have no `doc`", of_file.len());
                    let others = of_file.iter().skip(1).take(SILENT_MAX);
                    complaint.secondary =
                        others.map(|(place, _)| Label { place: *place, text: "nor this".to_owned() }).collect();
                }
                self.complain(complaint.label("what does it mean, in which unit, and when is it absent?"));
            }
        }
    }
}

/// The fields without a `doc`; a constant needs none.
fn collect(fields: &Fields, owner: &str, silent: &mut Vec<(Place, String)>) {
    let without = fields.iter().filter(|(_, field)| field.doc.is_none() && !field.ty.value.starts_with("const "));
    silent.extend(without.map(|(name, field)| (field.place, format!("the field `{name}` of {owner}"))));
}

fn each_fields(named: &Type, mut see: impl FnMut(&Fields)) {
    match named.shape() {
        Some(Shape::Struct { fields, .. }) => see(fields),
        Some(Shape::Union { of, .. }) => {
            for variant in Entries::values(of) {
                if let Variant::Inline(fields) = &variant.value {
                    see(fields);
                }
            }
        }
        Some(Shape::Enum { .. } | Shape::Newtype { .. }) | None => {}
    }
}
