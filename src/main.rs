//! `catalogue`: the command line of the catalogue gateway.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    catalogue_gateway::cli::run()
}
