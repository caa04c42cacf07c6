//! `codegen`: the commands, see [`tollgate_codegen::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    tollgate_codegen::cli::run()
}
