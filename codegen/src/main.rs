//! `codegen`: the commands, see [`tollgate_codegen::cli`].

use std::process::ExitCode;

/// Trees of tokens and of JSON are many small allocations; glibc's takes a third longer for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tollgate_codegen::cli::run()
}
