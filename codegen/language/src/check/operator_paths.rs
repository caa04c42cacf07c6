//! Path prefixes of operators: their operations are below one of them, so that a deployment can leave them out.

use super::auth::{is_below, is_prefix};
use super::context::CheckContext;
use super::structure::listed;
use crate::{
    diagnostics::{Diagnostic, codes::errors, codes::types},
    model::SpannedText,
};

impl<'a> CheckContext<'a> {
    pub(super) fn operator_paths(&mut self) {
        let spec = self.spec;
        let prefixes: &'a [SpannedText] = spec.service.as_ref().map_or(&[], |service| &service.operator_paths);
        self.no_repeats(types::WORD_TWICE, prefixes);
        let routes = || spec.operations.values().flat_map(|operation| operation.all_routes());
        for prefix in prefixes {
            let shape = |message: String| Diagnostic::error(errors::OPERATOR_PATH, prefix.place, message);
            if !is_prefix(&prefix.value) {
                self.complain(shape(format!("`{}` is not a path prefix", prefix.value)));
            } else if !routes().any(|route| is_below(route, &prefix.value)) && !self.damage.is_any() {
                self.complain(shape(format!("no operation is below `{}`", prefix.value)));
            }
        }
        if ["operator_paths", "service"].into_iter().any(|lost| self.damage.lost_name(lost)) {
            return;
        }
        for (name, operation) in spec.operations.iter().filter(|(_, operation)| !operation.roles.is_empty()) {
            let outside = |route: &&SpannedText| !prefixes.iter().any(|prefix| is_below(route, &prefix.value));
            for route in operation.all_routes().filter(outside) {
                let message = format!("`{name}` is of operators, and outside `operator_paths` of the service");
                let complaint = Diagnostic::error(errors::OPERATOR_PATH, route.place, message);
                // Without any prefix, it is the one line of the service that is missing.
                match prefixes {
                    [] => self.complain_once("operator_paths", complaint),
                    _ => self.complain(complaint.note(format!("these are {}", listed(names(prefixes))))),
                }
            }
        }
    }
}

fn names(prefixes: &[SpannedText]) -> impl Iterator<Item = &str> {
    prefixes.iter().map(|prefix| prefix.value.as_str())
}
