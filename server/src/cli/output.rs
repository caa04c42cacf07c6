//! The output of a command: lines for people, or one JSON object for programs.

use std::error::Error;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use tollgate_base::with_causes;

pub(super) use tollgate_base::text_table as table;

/// The error of a command, which can be any, told with its causes.
pub(super) type CommandError = Box<dyn Error + Send + Sync>;

/// The result of a command.
pub(super) type CommandResult = Result<ExitCode, CommandError>;

/// Prints results and failures.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommandOutput {
    pub(super) json: bool,
}

impl CommandOutput {
    /// A result.
    pub(super) fn result(self, text: &str, value: &Value) {
        self.last_result(text, value, "");
    }

    /// A result of something that was done, with the words that must not be lost with it.
    pub(super) fn last_result(self, text: &str, value: &Value, lost: &str) {
        if self.json { print(std::io::stdout(), value, lost) } else { print(std::io::stdout(), text, lost) }
    }

    /// A line on what is under way, for people who wait. Programs are told the result alone.
    pub(super) fn progress(self, text: &str) {
        if !self.json {
            print(std::io::stderr(), text, "");
        }
    }

    /// A failure, with its causes.
    pub(super) fn error(self, error: &(dyn Error + 'static)) {
        let message = with_causes(error);
        if self.json {
            print(std::io::stdout(), json!({"error": message}), &message);
        } else {
            print(std::io::stderr(), format_args!("error: {message}"), "");
        }
    }
}

/// A line. A reader that went away early (`tollgate account list | head -1`) has heard enough, and the command ends as
/// it would have. A result that is lost otherwise, on a full disk say, may be a key that is shown only once: that ends
/// the command as a failure, and `lost` says what was done all the same.
fn print(mut to: impl Write, line: impl Display, lost: &str) {
    match writeln!(to, "{line}").and_then(|()| to.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            // Nobody is left to tell if this fails too.
            let comma = if lost.is_empty() { "" } else { "; " };
            let _ = writeln!(std::io::stderr(), "error: writing the result: {error}{comma}{lost}");
            std::process::exit(1);
        }
        _ => {}
    }
}
