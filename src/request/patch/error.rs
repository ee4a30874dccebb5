//! Why a text is no patch, and what to send in its place.

use thiserror::Error;

use crate::document::bullet_start;
use crate::text::{Content, excerpt, visible};

/// A text that is no patch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the patch: expected {expected}, found {found}")]
pub struct PatchError {
    /// The number of the patch's line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: Content,
    /// What was found.
    pub found: Content,
    /// What to do about it, where that can be said of the line.
    pub fix: Option<Content>,
}

impl PatchError {
    pub(super) fn new(line: usize, expected: impl Into<Content>, found: &str) -> Self {
        Self { line, expected: expected.into(), found: format!("`{}`", visible(&excerpt(found, 60))).into(), fix: None }
    }

    /// The error for a patch that ends where more must follow, behind this line.
    pub(super) fn at_end(line: usize, expected: impl Into<Content>) -> Self {
        Self { line, expected: expected.into(), found: "the end of the patch".into(), fix: None }
    }
}

/// Returns what a line names behind its colon, as it may be shown.
fn name_in(line: &str) -> Option<String> {
    let (_, name) = line.split_once(':')?;
    let name = name.trim().trim_end_matches('*').trim_end();
    (!name.is_empty()).then(|| visible(&excerpt(name, 80)))
}

/// The error for a line behind `*** Rename Section` that says the new title in another way.
pub(super) fn untitled(number: usize, line: &str) -> PatchError {
    let fix = name_in(line).map(|name| format!("send the whole patch again with line {number} as `*** To: {name}`"));
    PatchError { fix: fix.map(Into::into), ..PatchError::new(number, "`*** To: NEW TITLE`", line) }
}

/// The error for a line behind `*** Move Section` that says the place in another way.
pub(super) fn unplaced(number: usize, expected: &str, line: &str) -> PatchError {
    let fix = name_in(line).map(|name| {
        format!(
            "send the whole patch again with line {number} as `*** Under: {name}` to move it into that section, or as \
             `*** After: {name}` to move it behind that section"
        )
    });
    PatchError { fix: fix.map(Into::into), ..PatchError::new(number, expected, line) }
}

/// The error for a line that begins a part of a patch behind white space, which other lines of the patch do not have.
pub(super) fn indented(number: usize, line: &str) -> PatchError {
    let fix = "send the whole patch again without white space before `*** ` and `@@`, and with the operator of each other line as its \
               first character";
    PatchError {
        fix: Some(fix.into()),
        ..PatchError::new(
            number,
            format!("`{}` at the beginning of the line", visible(&excerpt(line.trim(), 60))),
            line,
        )
    }
}

/// The error for a line that begins a part beyond the most that a patch may have.
pub(super) fn too_many(number: usize, most: usize) -> PatchError {
    let fix = format!("send at most {most} of them in one call, and the others in further calls");
    let expected = format!("at most {most} hunks and operations in one patch");
    PatchError { line: number, expected: expected.into(), found: "more".into(), fix: Some(fix.into()) }
}

/// The error for a line of a new section that lacks its operator.
pub(super) fn unprefixed_of_section(number: usize, line: &str) -> PatchError {
    let is_literal = line.chars().count() <= 200 && visible(line) == line;
    let shown = if is_literal { line } else { "the line as it is to stand" };
    let fix =
        format!("send the whole patch again, with line {number} as `+{shown}`; likewise all lines of the new section");
    PatchError {
        fix: Some(fix.into()),
        ..PatchError::new(number, "a line of the new section, with `+` before it", line)
    }
}

/// The error for a line that lacks an operator; `line` is as the patch has it, or what follows the `-` of a bullet's marker that
/// was read as one.
pub(super) fn unprefixed(number: usize, line: &str) -> PatchError {
    let prefixes = "a line that begins with ` ` (keep), `-` (delete) or `+` (add)";
    let bullet = if line.starts_with(' ') { format!("-{line}") } else { line.to_owned() };
    // Behind an operator and a space stands the whole line of a bullet.
    let spaced = line.strip_prefix(' ').filter(|whole| bullet_start(whole).is_some());
    let expected = match (spaced, bullet_start(&bullet)) {
        (Some(_), _) => "the whole line right behind its operator, without a space between".to_owned(),
        (None, Some(_)) => format!("{prefixes}; for a bullet ` - item` keeps, `-- item` deletes, `+- item` adds"),
        (None, None) => prefixes.to_owned(),
    };
    // Only what can be copied is shown as what to send.
    let shown = spaced.unwrap_or(&bullet);
    let is_literal = shown.chars().count() <= 200 && visible(shown) == shown;
    let shown = if is_literal { shown } else { "the line as it stands" };
    let fix = format!(
        "send the whole patch again, with line {number} as ` {shown}` to keep it, `-{shown}` to delete it, or `+{shown}` to add it; \
         likewise all lines below `@@` that are written so"
    );
    PatchError { fix: Some(fix.into()), ..PatchError::new(number, expected, &bullet) }
}

/// The error for a line without a number that joins an ordered list.
pub(super) fn numberless(number: usize, line: &str) -> PatchError {
    let shown = visible(&excerpt(line, 120));
    let fix = format!("send the whole patch again, with the number of the item before its text, such as `+2. {shown}`");
    let expected = "the number of the item, which a line brings that joins an ordered list";
    PatchError { fix: Some(fix.into()), ..PatchError::new(number, expected, line) }
}
