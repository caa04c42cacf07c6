//! Fields without a `doc` and groups without a text, where the service requires one of all.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, DiagnosticLabel, codes::types},
    map::HashSet,
    model::{
        DeclaredFields, DeclaredShape, DeclaredType, DeclaredVariant, DocsPolicy, EntryMap, OperationStage, SourceSpan,
    },
};

/// The most fields without a `doc` that get a complaint each; with more, a file gets one.
const SILENT_MAX: usize = 3;

impl CheckContext<'_> {
    /// Every field and parameter of a routed operation has a `doc`, and its group a text, where the spec requires that.
    pub(super) fn missing_docs(&mut self) {
        let spec = self.spec;
        if spec.service.as_ref().is_none_or(|service| service.docs != DocsPolicy::Required) {
            return;
        }
        self.silent_groups();
        let mut silent = Vec::new();
        for (name, operation) in
            spec.operations.iter().filter(|(_, operation)| operation.stage == OperationStage::Routed)
        {
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
                    complaint.secondary = others
                        .map(|(place, _)| DiagnosticLabel { place: *place, text: "nor this".to_owned() })
                        .collect();
                }
                self.complain(complaint.label("what does it mean, in which unit, and when is it absent?"));
            }
        }
    }

    /// Every group of routed operations is described; its first operation is where it is missed.
    fn silent_groups(&mut self) {
        let spec = self.spec;
        let tags = spec.service.as_ref().map(|service| &service.tags);
        let mut seen: HashSet<&str> = HashSet::default();
        for (name, operation) in
            spec.operations.iter().filter(|(_, operation)| operation.stage == OperationStage::Routed)
        {
            let Some((group, _)) = name.split_once('.').filter(|(group, _)| seen.insert(*group)) else { continue };
            let is_told = tags.is_some_and(|tags| tags.contains_key(group));
            if !is_told && !self.damage.lost_name(group) && !self.damage.lost_name("tags") {
                let message = format!("the group `{group}` has no text in `tags` of the service");
                let complaint = Diagnostic::error(types::UNDOCUMENTED, operation.place, message);
                self.complain(complaint.label(format!("add `{group}: …` there: what are its operations about?")));
            }
        }
    }
}

/// The fields without a `doc`; a constant needs none.
fn collect(fields: &DeclaredFields, owner: &str, silent: &mut Vec<(SourceSpan, String)>) {
    let without = fields.iter().filter(|(_, field)| field.doc.is_none() && !field.ty.value.starts_with("const "));
    silent.extend(without.map(|(name, field)| (field.place, format!("the field `{name}` of {owner}"))));
}

fn each_fields(named: &DeclaredType, mut see: impl FnMut(&DeclaredFields)) {
    match named.shape() {
        Some(DeclaredShape::Struct { fields, .. }) => see(fields),
        Some(DeclaredShape::Union { of, .. }) => {
            for variant in EntryMap::values(of) {
                if let DeclaredVariant::Inline(fields) = &variant.value {
                    see(fields);
                }
            }
        }
        Some(DeclaredShape::Enum { .. } | DeclaredShape::Newtype { .. }) | None => {}
    }
}
