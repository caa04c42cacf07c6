//! `codegen`: the commands, see [`cli`].

mod cli;

use std::process::ExitCode;

/// What is made of a spec is many small allocations; glibc's takes longer for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
