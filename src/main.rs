//! The `ferz` program: hands the arguments to [`ferz_cli::cli::run`] and maps its answer to the exit code.

fn main() -> std::process::ExitCode {
    ferz_cli::cli::run()
}
