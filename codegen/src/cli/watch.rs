//! `codegen watch`

use std::{
    io, thread,
    time::{Duration, Instant},
};

use tollgate_spec_language::parse::SpecSources;

use super::{output, project::SpecProject};

/// The pause between two looks at the texts. They are some dozens of small files: reading and comparing them takes a millisecond or
/// two, needs no crate, and works on shares and in containers, where the events of the system get lost.
const PAUSE: Duration = Duration::from_millis(200);

impl SpecProject {
    /// Generates, and again whenever a text has changed; ends with the process.
    pub(super) fn watch(mut self) -> io::Result<bool> {
        loop {
            let started = Instant::now();
            let sound = self.generate(false)?;
            let (what, took) = (if sound { "fresh" } else { "not generated" }, started.elapsed().as_millis());
            output::err(format_args!("{what} after {took} ms; waiting for changes under spec/, Ctrl-C ends it"))?;
            self.sources = self.changed();
        }
    }

    /// The texts once they are others, and are no longer being written.
    fn changed(&self) -> SpecSources {
        let mut before: Option<SpecSources> = None;
        loop {
            thread::sleep(PAUSE);
            // What cannot be read now is between two steps of an editor.
            let Ok(now) = SpecSources::read(&self.root) else { continue };
            if now != self.sources && before.as_ref() == Some(&now) {
                return now;
            }
            before = Some(now);
        }
    }
}
