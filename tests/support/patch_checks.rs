//! What must hold of every patch: plain functions that panic where it does not.
//!
//! Shared by the integration tests and the fuzz targets.

use std::ops::Range;

use memdoc::request::patch::{DocumentPatch, Patch, PatchError};
use memdoc::{Authority, Edit, MemoryDoc, Request as _, Timestamp, View};

/// Parsing keeps every byte, and every node is a span of it.
pub fn check_parse(text: &str) {
    let doc = MemoryDoc::parse(text);
    assert_eq!(doc.text(), text);
    let outline = doc.outline();
    let is_line_start = |at: usize| at == 0 || text[..at].ends_with('\n') || (at == 3 && text.starts_with('\u{FEFF}'));
    let mut last = 0;
    for section in &outline.sections {
        assert!(section.line.start() >= last && is_line_start(section.line.start()), "{section:?}");
        assert!(section.extent.start() == section.line.start() && section.extent.covers(section.body));
        last = section.line.end();
    }
    let mut last = 0;
    for bullet in &outline.bullets {
        assert!(bullet.line.start() >= last && is_line_start(bullet.line.start()), "{bullet:?}");
        assert!(bullet.extent.covers(bullet.line) && bullet.extent.end() <= text.len());
        last = bullet.line.end();
    }
    for block in &outline.blocks {
        assert!(is_line_start(block.line.start()) && block.extent.covers(block.line), "{block:?}");
    }
}

/// Returns `text` with the splices made, without the crate's help.
pub fn spliced(text: &str, edit: &Edit) -> String {
    let mut result = text.to_owned();
    let mut next = text.len();
    for splice in edit.splices().iter().rev() {
        assert!(splice.span.end() <= next, "splices overlap: {:?}", edit.splices());
        next = splice.span.start();
        result.replace_range(splice.span.range(), &splice.text);
    }
    result
}

/// Returns what a patch of one document makes of `text`, or the code of its refusal.
pub fn planned(patch: &str, text: &str) -> Result<String, &'static str> {
    let patch: Patch = patch.parse().map_err(|_| "invalid_patch")?;
    let [one] = patch.documents.as_slice() else { panic!("{} documents", patch.documents.len()) };
    planned_parts(one, text)
}

/// Returns what a patch of one document, as data, makes of `text`, or the code of its refusal.
pub fn planned_parts(patch: &DocumentPatch, text: &str) -> Result<String, &'static str> {
    let doc = MemoryDoc::parse(text);
    patch
        .plan(&View::current(&doc, Timestamp::default()))
        .map(|edit| spliced(text, &edit))
        .map_err(|error| error.code().as_str())
}

/// Any text is a patch or is refused by its line; planning and committing it is refused or changes what it says, and never a
/// reserved section.
pub fn check_patch_text(patch: &str, text: &str) {
    let parsed: Result<Patch, PatchError> = patch.parse();
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // A patch on one line has its lines where its escapes say.
            let lines = patch.split('\n').count() + patch.matches("\\n").count();
            assert!(error.line >= 1 && error.line <= lines + 1, "{error}");
            assert!(!error.expected.is_empty() && !error.to_string().contains('\n'), "{error}");
            return;
        }
    };
    let doc = MemoryDoc::parse(text);
    for one in &parsed.documents {
        let view = View::current(&doc, Timestamp::default());
        let planned = one.plan(&view);
        assert_eq!(planned, one.plan(&view), "planning is deterministic");
        let Ok(edit) = planned else { continue };
        let expected = spliced(text, &edit);
        if let Ok(commit) = doc.commit(&edit, Authority::Agent) {
            assert_eq!(commit.doc.text(), expected);
            assert_eq!(reserved(&commit.doc), reserved(&doc), "a reserved section was changed");
            assert_eq!(spliced(&expected, &commit.inverse), text);
        }
    }
    assert_eq!(doc.text(), text);
}

/// Checks a patch and a document, between which stands a NUL.
pub fn check_patch_pair(pair: &str) {
    let (patch, text) = pair.split_once('\0').unwrap_or((pair, ""));
    check_patch_text(patch, text);
}

/// Checks two documents, between which stands a NUL.
pub fn check_between_pair(pair: &str) {
    let (old, new) = pair.split_once('\0').unwrap_or((pair, ""));
    check_between(old, new);
}

fn reserved(doc: &MemoryDoc) -> Vec<String> {
    let sections = doc.outline().sections.iter();
    let reserved = sections.filter(|section| section.title.of(doc.text()).trim() == "System/Policy");
    reserved.map(|section| section.extent.of(doc.text()).to_owned()).collect()
}

/// Returns a patch that turns `old` into `new`, with as few lines of context as make every hunk unique; `None` if the texts differ
/// in what no patch can say.
pub fn between(old: &str, new: &str) -> Option<String> {
    let lines = |text: &str| -> Vec<String> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        text.split_inclusive('\n').map(str::to_owned).collect()
    };
    let (old_lines, new_lines) = (lines(old), lines(new));
    let runs = differing(&old_lines, &new_lines);
    let contexts = [0, 1, 2, 4, 8, usize::MAX].map(|context| windows(&runs, context, old_lines.len()));
    let whole = vec![vec![(0..old_lines.len(), 0..new_lines.len())]];
    let patches = contexts.into_iter().zip([0, 1, 2, 4, 8, usize::MAX]).chain([(whole, 0)]);
    let mut patches = patches.map(|(windows, context)| {
        let hunks = windows.iter().map(|runs| hunk(&old_lines, &new_lines, runs, context));
        let patch = format!("*** Begin Patch\n*** Update Memory\n{}*** End Patch\n", hunks.collect::<String>());
        // A CR at the end of a line's text is told from that of its ending.
        if patch.contains("\r\n") { patch.replace('\n', "\r\n") } else { patch }
    });
    patches.find(|patch| planned(patch, old).as_deref() == Ok(new))
}

type Run = (Range<usize>, Range<usize>);

/// Joins the runs whose context would meet.
fn windows(runs: &[Run], context: usize, count: usize) -> Vec<Vec<Run>> {
    let reach = context.min(count);
    let mut windows: Vec<Vec<Run>> = Vec::new();
    for run in runs {
        match windows.last_mut().filter(|window| window.last().unwrap().0.end + 2 * reach >= run.0.start) {
            Some(window) => window.push(run.clone()),
            None => windows.push(vec![run.clone()]),
        }
    }
    windows
}

fn hunk(old: &[String], new: &[String], runs: &[Run], context: usize) -> String {
    let mut written = "@@\n".to_owned();
    let mut push = |sign: char, lines: &[String]| {
        for line in lines {
            let text = line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n')).unwrap_or(line);
            written.push_str(&format!("{sign}{text}\n"));
        }
    };
    let mut at = runs[0].0.start.saturating_sub(context);
    for (gone, come) in runs {
        push(' ', &old[at..gone.start]);
        push('-', &old[gone.clone()]);
        push('+', &new[come.clone()]);
        at = gone.end;
    }
    push(' ', &old[at..at.saturating_add(context).min(old.len())]);
    if old.is_empty() { format!("{written}*** End of File\n") } else { written }
}

/// Returns the runs in which two texts differ: by their longest common subsequence, or as a whole if they are long.
fn differing(old: &[String], new: &[String]) -> Vec<Run> {
    if old.len() * new.len() > 1 << 16 {
        return vec![(0..old.len(), 0..new.len())];
    }
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let longest = common[i + 1][j].max(common[i][j + 1]);
            common[i][j] = if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { longest };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut runs: Vec<Run> = Vec::new();
    while i < old.len() || j < new.len() {
        let start = (i, j);
        while (i < old.len() || j < new.len()) && !(i < old.len() && j < new.len() && old[i] == new[j]) {
            let is_gone = j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]);
            if is_gone { i += 1 } else { j += 1 }
        }
        if start != (i, j) {
            runs.push((start.0..i, start.1..j));
        }
        while i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        }
    }
    runs
}

/// A patch between two texts makes the one of the other; there is none only because of line endings.
pub fn check_between(old: &str, new: &str) {
    let Some(written) = between(old, new) else {
        assert!(!(is_plain(old) && is_plain(new)) || is_beyond_patches(old, new), "{old:?} → {new:?}");
        assert!(!new.is_empty() || is_marked(old), "everything can be deleted: {old:?}");
        return;
    };
    let parsed: Patch = written.parse().unwrap_or_else(|error| panic!("{error}:\n{written}"));
    // Written with CRLF where a line's text ends in CR.
    assert_eq!(parsed.documents[0].healed.is_empty(), !written.contains("\r\n"), "{written}");
    assert_eq!(planned(&written, old).as_deref(), Ok(new), "{written}");
}

/// A line begins with one space and no more, which a patch may read as one too many; or a byte order mark, which is no part of
/// a line, comes or goes; or blank lines stand before the first heading of a new text, where a patch writes none.
pub fn is_beyond_patches(old: &str, new: &str) -> bool {
    let is_set_in = |line: &str| {
        line.strip_prefix(' ').is_some_and(|rest| !rest.is_empty() && !rest.starts_with([' ', '\t', '\r']))
    };
    let is_heading = |line: &str| {
        let title = line.trim_start_matches('#');
        line.starts_with('#') && title.chars().next().is_none_or(|next| " \t\n".contains(next))
    };
    let begins_blank = old.is_empty() && new.starts_with('\n') && is_heading(new.trim_start_matches('\n'));
    new.split('\n').any(is_set_in) || is_marked(old) != is_marked(new) || begins_blank
}

fn is_marked(text: &str) -> bool {
    text.starts_with('\u{FEFF}')
}

/// Every line ends in a line feed alone.
fn is_plain(text: &str) -> bool {
    (text.is_empty() || text.ends_with('\n')) && !text.contains('\r')
}
