//! The house rules that a compiler does not check: floors, sizes, words that must not stand in the sources.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::imports::{circles, imports};

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

/// Returns the floors that a source names behind `crate::`, in imports and in paths, groups of imports included.
fn named_floors(source: &str) -> Vec<String> {
    let text: String = code(source).map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for rest in text.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => names.extend(first_name(rest)),
            Some(group) => {
                // The names at the start of the group and behind each comma of its own level.
                let mut depth = 0_usize;
                let mut at_start = true;
                for (at, c) in group.char_indices() {
                    if at_start && !c.is_whitespace() {
                        names.extend(first_name(&group[at..]));
                        at_start = false;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => at_start = true,
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

fn first_name(path: &str) -> Option<String> {
    let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(path.len());
    Some(path[..end].to_owned()).filter(|name| !name.is_empty())
}

#[test]
fn imports_point_down_the_floors() {
    let mut wrong = Vec::new();
    for (name, source) in sources("src") {
        let Some(floor) = FLOORS.iter().position(|floor| name.starts_with(&format!("src/{floor}/"))) else { continue };
        for named in named_floors(&source) {
            match FLOORS.iter().position(|floor| *floor == named) {
                Some(other) if other <= floor => {}
                _ => wrong.push(format!("{name} names crate::{named}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn groups_of_imports_are_understood() {
    assert_eq!(
        named_floors("use crate::text::{Span, a::B};\nuse crate::{edit::X, memory::{Y, Z}};"),
        ["text", "edit", "memory"]
    );
    assert_eq!(named_floors("let a = crate::locate::f(); // crate::toolbox\n"), ["locate"]);
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let imports = imports(&sources("src"));
    let circles = circles(&imports);
    let within = |circle: &Vec<String>| -> Vec<String> {
        let of =
            |file: &String| imports[file].iter().filter(|other| circle.contains(other)).cloned().collect::<Vec<_>>();
        circle.iter().map(|file| format!("{file} imports {}", of(file).join(", "))).collect()
    };
    let told: Vec<_> = circles.iter().map(within).collect();
    assert!(circles.is_empty(), "these files import each other in a circle: {told:#?}");
}

#[test]
fn imports_are_followed_to_the_file_that_defines_the_name() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\npub use a::One;\n"),
        ("src/a/mod.rs", "mod one;\nmod two;\npub use one::One;\npub(crate) use two::{Two as Second, inner};\n"),
        ("src/a/one.rs", "use super::{self as all, Second};\nstruct One(all::Second);\n"),
        (
            "src/a/two.rs",
            "// use super::One;\nconst A: &str = \"super::One\";\npub(in super::super) mod inner {\n    use super::super::One;\n}\n",
        ),
        (
            "src/b.rs",
            "use crate::a;\nmod deep {\n    fn f() {\n        super::g(a::inner::h());\n    }\n}\nuse std::fmt;\n",
        ),
    ];
    let found = imports(&files.map(|(file, text)| (file.to_owned(), text.to_owned())));
    let of = |file: &str| found[file].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("src/lib.rs"), [""; 0]);
    assert_eq!(of("src/a/mod.rs"), [""; 0]);
    assert_eq!(of("src/a/one.rs"), ["src/a/mod.rs", "src/a/two.rs"]);
    assert_eq!(of("src/a/two.rs"), ["src/a/one.rs"]);
    assert_eq!(of("src/b.rs"), ["src/a/mod.rs", "src/a/two.rs"]);
    assert_eq!(circles(&found).into_iter().collect::<Vec<_>>(), [["src/a/one.rs", "src/a/two.rs"]]);
}

#[test]
fn no_floor_reaches_a_neighbor_by_super() {
    for (name, source) in sources("src") {
        let depth = name.split('/').count() - 2;
        let climbed =
            code(&source).filter_map(|(_, line)| line.find("super::").map(|at| line[at..].matches("super::").count()));
        // `mod.rs` stands one step above the files beside it.
        let steps = if name.ends_with("/mod.rs") { depth.saturating_sub(1) } else { depth };
        let inner = usize::from(source.contains("mod tests"));
        assert!(climbed.max().unwrap_or(0) <= steps + inner, "{name} leaves its floor");
    }
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
