//! A second opinion on unified previews: `git apply` accepts them and gives the same text.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use memdoc::request::patch::Patch;
use memdoc::{
    Authority, Edit, InMemoryStore, Memory, MemoryDoc, Policy, Request as _, Status, Timestamp, Toolbox, View,
    document::Rules, edit::Preview, edit::PreviewFormat,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use crate::support::draws::usually;
use crate::support::outside::skipped;
use crate::support::patch_checks::between;

const LINES: &[&str] = &[
    "",
    "a",
    "a",
    "b",
    "c",
    "- a",
    "- b",
    "  - c",
    "## S",
    "-",
    "+",
    "-- a",
    "++ b",
    "@@ -1 +1 @@",
    "\\ x",
    "trailing  ",
    "\t",
    "é",
];

fn git() -> Command {
    let mut git = Command::new("git");
    let nothing = if cfg!(windows) { "NUL" } else { "/dev/null" };
    git.env("GIT_CONFIG_GLOBAL", nothing).env("GIT_CONFIG_NOSYSTEM", "1");
    git.args(["-c", "core.autocrlf=false", "-c", "core.safecrlf=false"]);
    git
}

fn is_installed() -> bool {
    static IS_INSTALLED: LazyLock<bool> = LazyLock::new(|| {
        let is_there = git().arg("--version").output().is_ok_and(|output| output.status.success());
        if !is_there {
            skipped("git");
        }
        is_there
    });
    *IS_INSTALLED
}

/// Returns the text of `notes.md` after `git apply`, or what git says.
fn applied(directory: &Path, old: &str, diff: &str) -> Result<String, String> {
    let _ = fs::remove_dir_all(directory);
    fs::create_dir_all(directory).unwrap();
    fs::write(directory.join("notes.md"), old).unwrap();
    fs::write(directory.join("preview.diff"), diff).unwrap();
    let output = git()
        .args(["apply", "--whitespace=nowarn", "-p1", "preview.diff"])
        .current_dir(directory)
        // The directory may lie in a repository, which is not meant.
        .env("GIT_CEILING_DIRECTORIES", directory.parent().unwrap())
        .output()
        .unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    // A file that would be empty is removed.
    Ok(fs::read_to_string(directory.join("notes.md")).unwrap_or_default())
}

fn check(name: &str, old: &str, edit: &Edit, expected: &str) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("git-apply-{name}-{}", std::process::id()));
    let doc = MemoryDoc::parse(old);
    let draft = doc.draft(edit, Authority::Host).unwrap();
    assert_eq!(draft.doc().text(), expected);
    for format in [PreviewFormat::Compact, PreviewFormat::Full] {
        let mut preview = Preview::new(format, "notes");
        preview.max_chars = 1 << 20;
        let diff = draft.preview(&preview);
        if old == expected {
            assert_eq!(diff, "");
            continue;
        }
        assert_eq!(applied(&directory, old, &diff), Ok(expected.to_owned()), "{old:?} → {expected:?}:\n{diff}");
    }
    let _ = fs::remove_dir_all(&directory);
}

fn planned(patch: &str, old: &str) -> Option<(Edit, String)> {
    let patch: Patch = patch.parse().unwrap();
    let doc = MemoryDoc::with_rules(old, std::sync::Arc::new(Rules::new(Policy::default()).unwrap()));
    let edit = patch.documents[0].plan(&View::current(&doc, Timestamp::default())).ok()?;
    let new = doc.commit(&edit, Authority::Host).ok()?.doc.text().to_owned();
    Some((edit, new))
}

fn document() -> impl Strategy<Value = String> {
    let ending = prop_oneof![Just("\n"), Just("\r\n")];
    let ending = prop_oneof![3 => ending.prop_map(Some), 1 => Just(None)];
    (vec((select(LINES), prop::bool::ANY), 0..24), ending, prop::bool::ANY).prop_map(|(lines, ending, is_ended)| {
        let text: String = lines
            .iter()
            .map(|(line, is_crlf)| format!("{line}{}", ending.unwrap_or(if *is_crlf { "\r\n" } else { "\n" })))
            .collect();
        let bare = text.strip_suffix("\r\n").or(text.strip_suffix('\n')).unwrap_or(&text);
        if is_ended { text } else { bare.to_owned() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, ..usually(150) })]

    #[test]
    fn git_applies_the_preview_of_an_edit(old in document(), line in select(LINES), cuts in vec((0..24_usize, 0..4_usize), 1..4)) {
        if !is_installed() {
            return Ok(());
        }
        // The old text with some lines taken out and others put in, as far as a patch can say it.
        let mut lines: Vec<&str> = old.split_inclusive('\n').collect();
        for (at, count) in cuts {
            let at = at.min(lines.len());
            let end = (at + count).min(lines.len());
            lines.splice(at..end, vec![line; 3 - count.min(3)]);
        }
        let new: String = lines.iter().map(|line| if line.ends_with('\n') { (*line).to_owned() } else { format!("{line}\n") }).collect();
        let bare = new.strip_suffix('\n').filter(|_| !old.is_empty() && !old.ends_with('\n'));
        let new = bare.map(str::to_owned).unwrap_or(new);
        let Some(patch) = between(&old, &new) else { return Ok(()) };
        if let Some((edit, reached)) = planned(&patch, &old) {
            check("random", &old, &edit, &reached);
        }
    }
}

#[test]
fn git_applies_the_preview_of_section_operations() {
    if !is_installed() {
        return;
    }
    let old = "# T\r\n\r\n## A\r\n- a\r\n\r\n## B\r\n- b\n\n## C\n- c";
    for part in [
        "*** Move Section: C\n*** First\n",
        "*** Move Section: A\n*** Last\n",
        "*** Delete Section: B\n",
        "*** Delete Section: C\n",
        "*** Rename Section: A\n*** To: Z\n",
        "*** Add Section: N\n+- n\n",
        "*** Add Section: N\n+- n\n*** Before: A\n",
        "@@ section: C\n+- d\n",
        "@@\n-- c\n",
        "@@\n-- c\n+- d\n+- e\n",
        "*** Delete Section: T\n",
    ] {
        let (edit, new) = planned(&format!("*** Begin Patch\n*** Update Memory\n{part}*** End Patch\n"), old).unwrap();
        check("sections", old, &edit, &new);
    }
}

#[test]
fn git_applies_the_diff_that_a_session_exports() {
    if !is_installed() {
        return;
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("git-apply-session-{}", std::process::id()));
    let old = "# Log\r\n- a\r\n- b\n-- c\n--- a/core.md\n- last";
    let store = InMemoryStore::new().with("notes".parse().unwrap(), old);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&"notes".parse().unwrap()).unwrap();
    let calls = [
        ("memo_replace", json!({"document": "notes", "old_text": "- b", "new_text": "- b\n- --- a/core.md"})),
        ("memo_replace", json!({"document": "notes", "old_text": "-- c\n", "new_text": ""})),
        ("memo_append", json!({"document": "notes", "text": "## End\n- x"})),
        ("memo_append", json!({"document": "core", "text": "- new"})),
    ];
    for (tool, arguments) in calls {
        let reply = toolbox.call(tool, &arguments);
        assert_eq!(reply.status(), Status::Editing, "{reply}");
    }
    let exported = toolbox.call("memo_export_diff", &json!({}));
    let diff = exported.get("text").and_then(|text| text.as_str()).unwrap();
    let made = applied(&directory, old, diff);
    let core = fs::read_to_string(directory.join("core.md"));
    let _ = fs::remove_dir_all(&directory);
    let expected = "# Log\r\n- a\r\n- b\n- --- a/core.md\n--- a/core.md\n- last\n\n## End\n- x\n";
    assert_eq!(made.as_deref(), Ok(expected), "{diff}");
    assert_eq!(core.unwrap(), "- new\n");
}
