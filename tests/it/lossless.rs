//! Every text is a document that gives its bytes back.
//!
//! Beside random texts: the list of naughty strings, snippets of our own for every construct of CommonMark, which may be
//! copied freely as the examples of its specification may not, and, where cargo keeps the sources of crates, their READMEs and
//! the specification's examples in the tests of `pulldown-cmark`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use memdoc::{MemoryDoc, Revision};
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::{checks, strategies};

/// One or more for each construct, in the order of the specification's chapters.
const SNIPPETS: &[&str] = &[
    // Tabs.
    "\tcode\n",
    "  - a\n\n\tb\n",
    "-\t\tcode\n",
    ">\t\tcode\n",
    "#\tTitle\n",
    "*\t*\t*\t\n",
    "- a\n  - b\n\t - c\n",
    // Escapes and character references.
    "\\# no heading\n",
    "\\- no bullet\n",
    "&nbsp; &amp; &#35; &#X22;\n",
    "&#42; no bullet\n",
    "\\\n",
    "a\\\nb\n",
    // Precedence and thematic breaks.
    "- `a\n- b`\n",
    "***\n---\n___\n",
    "--\n**\n",
    " ***\n",
    "    ***\n",
    "- a\n***\n- b\n",
    "- - -\n",
    "- a\n- * * *\n",
    // ATX headings.
    "# a\n## b\n### c\n#### d\n##### e\n###### f\n",
    "####### g\n",
    "#5\n",
    "#\n",
    "## \n",
    "# a #\n",
    "# a \\#\n",
    "# a#\n",
    "   # a\n",
    "    # a\n",
    "a\n# b\nc\n",
    "#\ta\t#\t\n",
    "### ###\n",
    // Setext headings.
    "a\n=\n",
    "a\n---\n",
    "a\nb\n====\n",
    "- a\n-----\n",
    "> a\n---\n",
    "=\n",
    "a\n= =\n",
    "`a\n---\nb`\n",
    // Indented and fenced code.
    "    a\n    b\n",
    "a\n    b\n",
    "    a\n\n\n    b\n",
    "```\na\n```\n",
    "~~~\na\n~~~\n",
    "````\n```\n````\n",
    "```\n~~~\n```\n",
    "```\n",
    "```rust\nfn a() {}\n```\n",
    "~~~ a b ``` ~~~\nc\n~~~\n",
    "  ```\n a\n  ```\n",
    "    ```\n    a\n    ```\n",
    "> ```\na\n",
    "- ```\n  a\n  ```\n",
    "``` a`\nb\n",
    "```\n\n```\n",
    "```\na\n ````  \n",
    // HTML blocks.
    "<div>\n# a\n</div>\n",
    "<!-- a\n\n# b -->\n",
    "<?php\n# a\n?>\n",
    "<![CDATA[\n# a\n]]>\n",
    "<script>\n- a\n</script>\n",
    "<a>b</a>\n",
    // Link reference definitions, paragraphs, blank lines.
    "[a]: /b 'c'\n",
    "[a]:\n/b\n",
    "[a]: <>\n\n[a]\n",
    "a\n\n\n\nb\n",
    "  a\n b\n",
    "a  \nb\n",
    "  \n\na\n  \n",
    // Block quotes.
    "> # a\n> b\n",
    ">a\n>b\n",
    "> a\nb\n",
    "> - a\n- b\n",
    ">\n>\n",
    "> > > a\nb\n",
    ">     a\n\n>    b\n",
    // List items and lists.
    "- a\n\n  b\n",
    "- a\n\n b\n",
    "1.  a\n\n        b\n",
    "123456789. a\n",
    "1234567890. a\n",
    "0. a\n003) b\n",
    "-1. a\n",
    "-\n  a\n",
    "-   \n  a\n",
    "- a\n-\n- b\n",
    "a\n-\n\na\n1.\n",
    " - a\n  - b\n   - c\n    - d\n",
    "10) a\n    - b\n",
    "- - a\n",
    "1. - 2. a\n",
    "- # a\n- b\n  ---\n",
    "- a\n- b\n+ c\n",
    "1. a\n2) b\n",
    "- a\n\n- b\n\n\n- c\n",
    "- a\n\n\n  b\n",
    "- a\n<!-- -->\n- b\n",
    "* a\n  > b\n  ```\n  c\n  ```\n",
    "a 14. b\n14. c\n",
    "- a\n  b\nc\n",
    // Inlines: code, emphasis, links, images, autolinks, raw HTML, line breaks.
    "`` a ` b ``\n",
    "*a* **b** ***c*** _d_ __e__\n",
    "[a](b 'c') [d][e] [f][] [g]\n",
    "![a](b)\n",
    "<https://a.b> <a@b.c>\n",
    "a <b c='d'> e\n",
    "a  \nb\\\nc\n",
    // Line endings, and none.
    "a\r\n- b\r\n",
    "a\rb\n",
    "a\r\r\n",
    "\r\n\r\n",
    "\n",
    "",
    "a",
    "- a\n- b",
    "\u{FEFF}# a\n",
    "---\na: b\n---\n# c\n",
];

#[test]
fn snippets_of_every_construct_are_kept() {
    for snippet in SNIPPETS {
        checks::check_lossless(snippet);
        checks::check_lossless(&snippet.replace('\n', "\r\n"));
        checks::check_lossless(snippet.trim_end_matches('\n'));
        checks::check_lossless(&format!("\u{FEFF}{snippet}"));
    }
}

#[test]
fn pairs_of_snippets_are_kept() {
    for first in SNIPPETS {
        for second in SNIPPETS.iter().step_by(7) {
            checks::check_lossless(&format!("{first}{second}"));
        }
    }
}

#[test]
fn naughty_strings_are_kept() {
    for text in naughty_strings::BLNS {
        checks::check_lossless(text);
        checks::check_lossless(&format!("## {text}\n- {text}\n  {text}\n{text}: (ID: {text})\r\n"));
    }
    checks::check_lossless(&naughty_strings::BLNS.join("\n"));
}

#[test]
fn texts_that_cargo_keeps_are_kept() {
    let mut count = 0;
    for package in packages().into_iter().take(400) {
        let is_parser = package.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pulldown-cmark-"));
        let spec = is_parser.then(|| package.join("tests/suite/spec.rs"));
        for path in [Some(package.join("README.md")), spec].into_iter().flatten() {
            let Ok(text) = fs::read_to_string(path) else { continue };
            let end = (0..=text.len().min(100_000)).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let text = &text[..end];
            checks::check_lossless(text);
            if is_parser {
                examples(text).for_each(checks::check_lossless);
            }
            count += 1;
        }
    }
    eprintln!("{count} texts");
}

/// Returns the literals that hold the specification's examples.
fn examples(tests: &str) -> impl Iterator<Item = &str> {
    tests.split("r##\"").skip(1).filter_map(|rest| rest.split("\"##").next())
}

/// Returns the sources that cargo keeps, sorted; none where they are elsewhere.
fn packages() -> Vec<PathBuf> {
    let home =
        env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".cargo")));
    let Some(home) = home else { return Vec::new() };
    let list =
        |path: &Path| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    let mut packages: Vec<_> = list(&home.join("registry/src")).iter().flat_map(|registry| list(registry)).collect();
    packages.sort();
    packages
}

#[test]
fn the_revision_is_the_sha_256_of_the_text() {
    let digits = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(Revision::of("").to_string(), digits);
    assert_eq!(MemoryDoc::parse("abc").revision().short(), "ba7816bf8f01");
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn any_string_is_kept(text in any::<String>()) {
        checks::check_lossless(&text);
    }

    #[test]
    fn any_document_is_kept(text in strategies::document()) {
        checks::check_lossless(&text);
    }

    #[test]
    fn any_string_of_structural_characters_is_kept(text in "[-#*+ \t\r\n`~>=()\\[\\]:1.aI D]{0,60}") {
        checks::check_lossless(&text);
    }
}
