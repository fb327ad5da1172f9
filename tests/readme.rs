//! The README and the manual of reports show real output: each `$ ferz …` of its console blocks is run, and must print what stands below it.
//!
//! `UPDATE_README=1 cargo test --test readme` writes the present output into the files.
#![cfg(feature = "cli")]

use std::process::Command;

/// The output of a command line, both streams together as a terminal shows them.
fn output(line: &str) -> String {
    let program = env!("CARGO_BIN_EXE_ferz");
    let folder = std::path::Path::new(program).parent().expect("a program is in a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    // The first command of the README builds the program; here it is built already.
    let line = match line.split_once(" -- ") {
        Some((build, rest)) if build.starts_with("cargo run") => format!("ferz {rest}"),
        _ => line.to_owned(),
    };
    let shell = Command::new("sh").arg("-c").arg(format!("{line} 2>&1")).env("PATH", path).output();
    let output = shell.expect("a shell runs");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

#[test]
fn console_blocks_show_real_output() {
    for (file, least) in [("README.md", 8), ("formats/REPORT.md", 1)] {
        let text = std::fs::read_to_string(file).expect(file);
        let (fresh, commands) = renewed(&text);
        assert!(commands >= least, "only {commands} commands were found in {file}");
        if std::env::var_os("UPDATE_README").is_some() {
            std::fs::write(file, &fresh).expect(file);
        } else {
            assert!(fresh == text, "{file} is out of date; UPDATE_README=1 renews it:\n{fresh}");
        }
    }
}

/// A text with the present output of its commands, and how many these are.
fn renewed(text: &str) -> (String, usize) {
    let mut fresh = String::new();
    let mut lines = text.lines().peekable();
    let (mut inside, mut commands) = (false, 0);
    while let Some(line) = lines.next() {
        fresh.push_str(line);
        fresh.push('\n');
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
        let is_test = command.starts_with("cargo test");
        while let Some(shown) = lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")) {
            if is_test {
                fresh.push_str(shown);
                fresh.push('\n');
            }
        }
        if !is_test {
            commands += 1;
            for line in output(command).trim_end().lines() {
                fresh.push_str(line.trim_end());
                fresh.push('\n');
            }
        }
    }
    (fresh, commands)
}
