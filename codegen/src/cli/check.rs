//! `codegen check`

use std::io;

use super::project::SpecProject;

impl SpecProject {
    pub(super) fn check(&self) -> io::Result<bool> {
        let mut loaded = self.load();
        if self.resolved(&mut loaded)?.is_none() {
            return Ok(false);
        }
        self.report(&self.sources, &loaded.diagnostics)?;
        Ok(true)
    }
}
