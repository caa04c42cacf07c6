//! Paths of fields into a reply: the pages of a list, and its rows as CSV.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, closest, codes::operations, codes::references},
    model::{
        BaseType, DeclaredCsv, DeclaredField, DeclaredOperation, DeclaredPages, Primitive, SpannedText, SpecEntry,
        SpecSection, TypeExpr,
    },
};

/// The end of a path.
enum PathEnd {
    /// Something of a type.
    Type(BaseType),
    /// Nothing; the path that was probably meant.
    Nothing(Option<String>),
    /// Nobody knows: a type on the way could not be read.
    Unknown,
}

impl<'a> CheckContext<'a> {
    /// Checks where the paths of an operation lead.
    pub(super) fn reply_paths(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        if self.damage.is_hurt(SpecSection::Operations, name) {
            return;
        }
        if let Some(pages) = &operation.pages {
            self.pages(operation, pages);
        }
        if let Some(csv) = &operation.csv {
            self.csv(operation, csv);
        }
    }

    fn pages(&mut self, operation: &'a DeclaredOperation, pages: &'a DeclaredPages) {
        let is_list = |base: &BaseType| matches!(base, BaseType::List(_));
        self.leads_to(operation, &pages.items, "a list", is_list);
        self.leads_to(operation, &pages.next, "a text", is_text);
        if let Some(more) = &pages.more {
            let is_bool = |base: &BaseType| *base == BaseType::Primitive(Primitive::Bool);
            self.leads_to(operation, more, "a `bool`", is_bool);
        }
        let asks = |field: &DeclaredField| {
            TypeExpr::parse(&field.ty.value).map_or(true, |expr| expr.optional && is_text(&expr.base))
        };
        if !operation.query.get(&pages.by.value).is_some_and(|field| asks(field)) {
            let others = operation.query.iter().filter(|(_, field)| asks(field)).map(|(name, _)| name.as_str());
            let message = format!("`{}` is no `optional string` of `query`", pages.by.value);
            let complaint = Diagnostic::error(operations::WRONG_PATH, pages.by.place, message);
            self.complain(complaint.suggest(closest(&pages.by.value, others)));
        }
    }

    fn csv(&mut self, operation: &'a DeclaredOperation, csv: &'a DeclaredCsv) {
        self.leads_to(operation, &csv.rows, "a list", |base| matches!(base, BaseType::List(_)));
        if let Some(next) = &csv.next {
            self.leads_to(operation, next, "a text", is_text);
        }
        if let Some(header) = &csv.header
            && !operation.reply_headers.iter().any(|told| told.value == header.value)
        {
            let is_header = |name: &str| !name.starts_with('/');
            if self.resolve_among(SpecSection::WireNames, header, references::UNKNOWN_WIRE_NAME, "header", is_header) {
                let message = format!("`{}` is none of the operation's `reply_headers`", header.value);
                self.complain(Diagnostic::error(operations::WRONG_PATH, header.place, message));
            }
        }
    }

    /// Complains about a path that leads to nothing of the reply, or to something else than it should.
    fn leads_to(
        &mut self,
        operation: &'a DeclaredOperation,
        path: &'a SpannedText,
        what: &str,
        fits: impl Fn(&BaseType) -> bool,
    ) {
        let wrong = |message: String| Diagnostic::error(operations::WRONG_PATH, path.place, message);
        match self.end_of(operation, &path.value) {
            PathEnd::Type(base) if !fits(&base) => {
                self.complain(wrong(format!("`{}` does not lead to {what}", path.value)));
            }
            PathEnd::Nothing(meant) => {
                self.complain(wrong(format!("`{}` leads to nothing of the reply", path.value)).suggest(meant));
            }
            PathEnd::Type(_) | PathEnd::Unknown => {}
        }
    }

    fn end_of(&self, operation: &'a DeclaredOperation, path: &str) -> PathEnd {
        let Some(Ok(reply)) = operation.ok.as_ref().map(|ok| TypeExpr::parse(&ok.value)) else {
            return PathEnd::Unknown;
        };
        let mut base = reply.base;
        let steps: Vec<&str> = path.split('.').collect();
        for (index, step) in steps.iter().enumerate() {
            let fields = match &base {
                BaseType::Named(name) if !self.exists(SpecSection::Types, name) => return PathEnd::Unknown,
                BaseType::Named(name) if self.damage.is_hurt(SpecSection::Types, name) => return PathEnd::Unknown,
                BaseType::Named(name) => self.fields_of_type(name),
                _ => None,
            };
            let Some(field) = fields.and_then(|fields| fields.get(*step)) else {
                let meant = closest(step, fields.into_iter().flat_map(|fields| fields.keys()).map(String::as_str));
                let meant = meant.map(|meant| [&steps[..index], &[meant], &steps[index + 1..]].concat().join("."));
                return PathEnd::Nothing(meant);
            };
            let Ok(expr) = TypeExpr::parse(&field.ty.value) else { return PathEnd::Unknown };
            base = expr.base;
        }
        PathEnd::Type(base)
    }
}

fn is_text(base: &BaseType) -> bool {
    *base == BaseType::Primitive(Primitive::String)
}
