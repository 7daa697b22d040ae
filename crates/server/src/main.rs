//! The binary `stoa`.

use std::process::ExitCode;

use clap::Parser;
use stoa_server::cli::{self, Cli};
use stoa_server::files::check;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Before there are threads: whoever looks at a stranger's file gives up the right to make any.
    if let Some((check::COMMAND, rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return ExitCode::from(check::run_child(rest, std::io::stdin()));
    }
    run()
}

#[tokio::main]
async fn run() -> ExitCode {
    match cli::run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stoa: {error}");
            ExitCode::FAILURE
        }
    }
}
