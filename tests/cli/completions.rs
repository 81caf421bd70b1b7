//! Completions and manual, made from the command line's own definition.

use std::path::Path;
use std::process::Command;

use crate::support::command::{catalogue, run};

/// The commands that the program itself lists.
fn commands() -> Vec<String> {
    let help = run(catalogue(Path::new("nowhere")).arg("--help")).out;
    let listed = help.split_once("Commands:").expect("a list").1.split_once("\n\n").expect("an end").0;
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    assert!(names.len() > 8, "{names:?}");
    names
}

#[test]
fn bash_completes_what_was_begun() {
    let script = run(catalogue(Path::new("nowhere")).args(["completions", "bash"]));
    assert_eq!((script.status, script.err.as_str()), (0, ""));
    for (words, expected) in [
        (vec!["catalogue", ""], commands()),
        (vec!["catalogue", "generation", "r"], vec!["rollback".to_owned()]),
        (vec!["catalogue", "serve", "--dai"], vec!["--daily-limit".to_owned()]),
        (vec!["catalogue", "completions", "f"], vec!["fish".to_owned()]),
    ] {
        let last = words.len() - 1;
        let ask = format!(
            "{}\nCOMP_WORDS=({}); COMP_CWORD={last}; _catalogue catalogue '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.out,
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
            words[last],
            words[last - 1],
        );
        let said = run(Command::new("bash").args(["--norc", "-c", &ask]));
        assert_eq!((said.status, said.err.as_str()), (0, ""));
        for word in &expected {
            assert!(said.out.lines().any(|line| line == word), "{word} is not among {:?} for {words:?}", said.out);
        }
    }
}

#[test]
fn zsh_and_fish_are_told_every_command() {
    for (shell, first) in [("zsh", "#compdef catalogue"), ("fish", "# Print an optspec")] {
        let script = run(catalogue(Path::new("nowhere")).args(["completions", shell]));
        assert_eq!((script.status, script.err.as_str()), (0, ""));
        assert!(script.out.starts_with(first), "{shell}: {}", &script.out[..60]);
        for command in commands() {
            assert!(script.out.contains(&command), "{command} is not in {shell}'s");
        }
    }
    let unknown = run(catalogue(Path::new("nowhere")).args(["completions", "tcsh"]));
    assert_eq!((unknown.status, unknown.out.as_str()), (2, ""));
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let page = run(catalogue(Path::new("nowhere")).arg("man"));
    assert_eq!((page.status, page.err.as_str()), (0, ""));
    assert!(page.out.contains(".TH catalogue 1"), "{}", page.out);
    for command in commands() {
        assert!(page.out.contains(&format!("catalogue\\-{command}(1)")), "{command} is not in the manual");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    let written = run(catalogue(Path::new("nowhere")).arg("man").arg(&pages));
    assert_eq!((written.status, written.out.as_str(), written.err.as_str()), (0, "", ""));
    // What explains the others needs no page of its own.
    for command in commands().into_iter().filter(|command| command != "help") {
        let text = std::fs::read_to_string(pages.join(format!("catalogue-{command}.1"))).expect(&command);
        assert!(text.contains(".SH NAME"), "{command}");
    }
    let rollback = std::fs::read_to_string(pages.join("catalogue-generation-rollback.1")).expect("a page");
    assert!(rollback.contains("The generation to go back to"), "{rollback}");
}
