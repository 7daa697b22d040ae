//! The binary `stoa`.

use std::process::ExitCode;

use clap::Parser;
use stoa_server::cli::{self, Cli};
use stoa_server::files::check;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // The checker of uploaded files gives up the right to create threads, so it runs before any exist.
    if arguments.next().is_some_and(|first| first == check::COMMAND) {
        let rest: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
        return ExitCode::from(check::run_child(&rest, std::io::stdin()));
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
