//! `codegen watch`

use std::{
    io, thread,
    time::{Duration, Instant},
};

use tollgate_spec_language::parse::Sources;

use super::{project::Project, say};

/// The pause between two looks at the texts. They are some dozens of small files: reading and comparing them takes a millisecond or
/// two, needs no crate, and works on shares and in containers, where the events of the system get lost.
const PAUSE: Duration = Duration::from_millis(200);

impl Project {
    /// Generates, and again whenever a text has changed; ends with the process.
    pub(super) fn watch(mut self) -> io::Result<bool> {
        loop {
            let started = Instant::now();
            let sound = self.generate(false)?;
            let (what, took) = (if sound { "fresh" } else { "not generated" }, started.elapsed().as_millis());
            say::err(format_args!("{what} after {took} ms; waiting for changes under spec/, Ctrl-C ends it"))?;
            self.sources = self.changed();
        }
    }

    /// The texts once they are others, and are no longer being written.
    fn changed(&self) -> Sources {
        let mut before: Option<Sources> = None;
        loop {
            thread::sleep(PAUSE);
            // What cannot be read now is between two steps of an editor.
            let Ok(now) = Sources::read(&self.root) else { continue };
            if now != self.sources && before.as_ref() == Some(&now) {
                return now;
            }
            before = Some(now);
        }
    }
}
