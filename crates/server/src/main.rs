//! The binary `stoa`.

use std::process::ExitCode;

use clap::Parser;
use stoa_server::cli::{self, Cli};

#[tokio::main]
async fn main() -> ExitCode {
    match cli::run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stoa: {error}");
            ExitCode::FAILURE
        }
    }
}
