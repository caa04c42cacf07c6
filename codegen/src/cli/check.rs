//! `codegen check`

use std::io;

use super::project::Project;

impl Project {
    pub(super) fn check(&self) -> io::Result<bool> {
        let mut loaded = self.load();
        if self.lowered(&mut loaded)?.is_none() {
            return Ok(false);
        }
        self.tell(&self.sources, &loaded.diagnostics)?;
        Ok(true)
    }
}
