//! The `ferz` program: hands the arguments to [`ferz::cli::run`] and maps its answer to the exit code.

fn main() -> std::process::ExitCode {
    ferz::cli::run()
}
