//! What a user reads after a wrong command line; always exit code 2.

use crate::program::Desk;

#[test]
fn wrong_command_lines_are_explained() {
    let desk = Desk::new();
    let mut text = String::new();
    for line in [
        "",
        "metods",
        "methods --progess json",
        "methods --progress loud",
        "methods --jobs 0",
        "methods seqanno",
        "methods datafly",
        "completions",
        "completions fsh",
        "man --output",
        "generate",
        "generate citty -o city",
        "generate city",
        "generate city -o city --subjects many",
        "generate city -o city --subjects 0",
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "throng {line}");
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let desk = Desk::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    for line in ["methods --json", "methods", "completions bash", "man", "--help"] {
        let output = desk.command(line).stdout(writer.try_clone().unwrap()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "throng {line}");
    }
}
