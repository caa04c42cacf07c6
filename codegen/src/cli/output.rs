//! Output of commands: lines on the standard output and on the standard error.
//!
//! Where the reader closes the pipe early, as in `codegen schema | head`, the rest is dropped, and the command ends as it would
//! have. Anything else that keeps a line from being written is an error of the command.

use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
};

/// A line of the result.
///
/// # Errors
/// When it cannot be written although somebody still listens.
pub(super) fn out(line: impl Display) -> io::Result<()> {
    ignore_closed_pipe(writeln!(io::stdout(), "{line}"))
}

/// A line about the work, which is not its result.
///
/// # Errors
/// When it cannot be written although somebody still listens.
pub(super) fn err(line: impl Display) -> io::Result<()> {
    ignore_closed_pipe(writeln!(io::stderr(), "{line}"))
}

fn ignore_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
