//! The house rules that a compiler does not check: floors, sizes, words that must not stand in the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up, those to come included. A floor knows only those before it.
const FLOORS: [&str; 10] =
    ["text", "document", "locate", "edit", "request", "memory", "testing", "recall", "session", "toolbox"];

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // A package of its own below builds there.
            found.extend(if path.ends_with("target") { Vec::new() } else { files(&path) });
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the sources under `part` of the repository, each with its path there.
fn sources(part: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(path).unwrap())
    };
    files(&root.join(part)).into_iter().map(source).collect()
}

/// Returns a source without its unit tests, which stand last.
fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default()
}

/// Returns the lines of code: no comments, no documentation.
fn code(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = source.split('\n').enumerate().map(|(index, line)| (index + 1, line.trim()));
    numbered
        .map(|(number, line)| (number, line.split(" // ").next().unwrap_or_default()))
        .filter(|(_, line)| !line.starts_with("//"))
}

#[test]
fn imports_point_down_the_floors() {
    let mut wrong = Vec::new();
    for (name, source) in sources("src") {
        let Some(floor) = FLOORS.iter().position(|floor| name.starts_with(&format!("src/{floor}/"))) else { continue };
        let lines = code(without_tests(&source)).map(|(_, line)| line);
        let named = lines.flat_map(|line| line.split("crate::").skip(1).filter_map(|path| path.split("::").next()));
        let is_above = |named: &&str| FLOORS.iter().position(|floor| floor == named).is_none_or(|named| named > floor);
        wrong.extend(named.filter(is_above).map(|named| format!("{name} names crate::{named}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_about_and_stays_short() {
    for (name, source) in sources("src").into_iter().chain(sources("tests")).chain(sources("examples")) {
        let lines = source.split('\n').count() - 1;
        assert!(source.starts_with("//! "), "{name} does not open with its subject");
        assert!(lines <= 500, "{name} has {lines} lines and therefore two subjects");
    }
}

#[test]
fn sources_hold_no_shortcuts() {
    let words =
        [".unwrap()", ".expect(", "panic!(", "todo!(", "dbg!(", "println!(", "str::lines", "env::var", "unsafe {"];
    // The table of lines of a document; `clippy.toml` forbids that of a string by its type.
    let tables = ["doc.lines()", "self.lines()", "old.lines()", "new.lines()", "now.lines()", "result.lines()"];
    let mut wrong = Vec::new();
    for (name, source) in sources("src") {
        for (number, line) in code(without_tests(&source)) {
            let word = words.into_iter().find(|word| line.contains(word));
            wrong.extend(word.map(|word| format!("{name}:{number} has `{word}`")));
            let of_documents: usize = tables.iter().map(|table| line.matches(table).count()).sum();
            if line.matches(".lines()").count() > of_documents {
                wrong.push(format!("{name}:{number} has `.lines()` of a text"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_source_points_to_a_specification_that_is_not_here() {
    let word = ["SP", "EC"].concat();
    for (name, source) in sources("src").into_iter().chain(sources("tests")).chain(sources("examples")) {
        assert!(!source.contains(&word), "{name} names {word} where it should state the rule");
    }
}

#[test]
fn no_test_is_skipped_or_sleeps() {
    let (ignored, sleeps) = (["#[ig", "nore"].concat(), ["thread::", "sleep"].concat());
    for (name, source) in sources("src").into_iter().chain(sources("tests")) {
        assert!(!source.contains(&ignored), "{name} skips a test");
        assert!(!name.starts_with("tests/") || !source.contains(&sleeps), "{name} sleeps");
    }
}
