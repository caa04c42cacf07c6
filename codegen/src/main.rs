//! `codegen`: the commands, see [`cli`].

mod cli;

use std::process::ExitCode;

/// mimalloc: what is made of a spec is many small allocations, for which glibc's allocator takes longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
