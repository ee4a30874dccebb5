//! Why a text is no patch.

use thiserror::Error;

use super::marker::PatchLine;
use crate::document::bullet_start;
use crate::text::{Content, excerpt, visible};

/// How long a line may be that is shown in the forms in which it could have been sent, in characters.
const SHOWN: usize = 200;

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
}

impl PatchError {
    pub(super) fn new(line: usize, expected: impl Into<Content>, found: &str) -> Self {
        Self { line, expected: expected.into(), found: format!("`{}`", visible(&excerpt(found, 60))).into() }
    }

    /// The error for a patch that ends where more must follow, behind this line.
    pub(super) fn at_end(line: usize, expected: impl Into<Content>) -> Self {
        Self { line, expected: expected.into(), found: "the end of the patch".into() }
    }
}

/// The error for a line that lacks an operator, with the forms that it could have had; `line` is as the patch has it, or what
/// follows the `-` of a bullet's marker that was read as an operator.
pub(super) fn unprefixed(line: PatchLine<'_>) -> PatchError {
    let bullet = if line.text.starts_with(' ') { format!("-{}", line.text) } else { line.text.to_owned() };
    // Behind an operator and a space stands the whole line of a bullet.
    let whole = line.text.strip_prefix(' ').filter(|whole| bullet_start(whole).is_some()).unwrap_or(&bullet);
    let is_literal = whole.chars().count() <= SHOWN && visible(whole) == whole;
    let forms = if is_literal { format!(": ` {whole}`, `-{whole}` or `+{whole}`") } else { String::new() };
    let expected = format!("a line that begins with ` ` (keep), `-` (delete) or `+` (add){forms}");
    PatchError::new(line.number, expected, &bullet)
}

/// The error for a line without a number that joins an ordered list.
pub(super) fn numberless(number: usize, line: &str) -> PatchError {
    let expected = "the number of the item, which a line brings that joins an ordered list, such as `2.`";
    PatchError::new(number, expected, line)
}
