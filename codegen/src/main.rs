//! `codegen`: the commands, see [`tollgate_codegen::cli`].

use std::process::ExitCode;

/// What is made of a spec is many small allocations; glibc's takes longer for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tollgate_codegen::cli::run()
}
