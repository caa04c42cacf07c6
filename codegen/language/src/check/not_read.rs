//! Files among those of the spec that are not read.

use crate::{
    diagnostics::{Diagnostic, codes::structure},
    parse::SpecSources,
};

/// A complaint for each file that was probably meant as one of the spec; a warning for what an editor left behind.
pub(super) fn not_read(sources: &SpecSources) -> impl Iterator<Item = Diagnostic> {
    sources.strays().map(|(id, file)| {
        let place = file.place_of(id, 0);
        let stem = file
            .path
            .rsplit_once('.')
            .filter(|(_, ending)| ["yml", "yaml"].iter().any(|yaml| ending.eq_ignore_ascii_case(yaml)));
        let message = format!("`{}` is not read", file.path);
        let Some((stem, _)) = stem else {
            let complaint = Diagnostic::warning(structure::NOT_READ, place, message);
            return complaint.label("a file of the spec ends in `.yaml`, a note in `.md`");
        };
        let complaint = Diagnostic::error(structure::NOT_READ, place, message);
        if file.path.starts_with("spec/dist/") {
            complaint.label("`spec/dist` holds what is made of the spec; move it out of there")
        } else {
            complaint.label(format!("name it `{stem}.yaml`"))
        }
    })
}
