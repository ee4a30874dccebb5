//! Why a request could not be planned: every failing part, with help as data.

use thiserror::Error;

use super::claims::Clash;
use super::new_bullet::Duplicate;
use super::patch::PatchError;
use super::rewrite::Rejection;
use crate::edit::{EditError, ItemFlaw, MergeFlaw, Overlap};
use crate::locate::{Diagnostic, Fix, LocateError, Matches, SelectError, Target};
use crate::text::{Size, Span, excerpt, visible};

/// A request that was refused. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", first_of(failures))]
pub struct RequestError {
    // Invariant: not empty.
    failures: Vec<Failure>,
    /// How many parts the request has, where each is to be accounted for.
    parts: Option<usize>,
}

fn first_of(failures: &[Failure]) -> String {
    failures.first().map(|failure| failure.refusal.to_string()).unwrap_or_default()
}

impl RequestError {
    /// Creates the error of one part.
    pub fn of(part: usize, refusal: impl Into<Refusal>) -> Self {
        Self { failures: vec![Failure { part, refusal: refusal.into() }], parts: None }
    }

    /// Creates the error of several parts; `None` if there are none.
    pub fn from_failures(failures: Vec<Failure>) -> Option<Self> {
        (!failures.is_empty()).then_some(Self { failures, parts: None })
    }

    /// Says how many parts the request has, for a reply that accounts for each.
    #[must_use]
    pub const fn among(mut self, parts: usize) -> Self {
        self.parts = Some(parts);
        self
    }

    /// Returns how many parts the request has, where each is to be accounted for.
    pub const fn parts(&self) -> Option<usize> {
        self.parts
    }

    /// Returns the failing parts, in the request's order.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Returns the stable code of the first failing part.
    pub fn code(&self) -> &'static str {
        self.failures.first().map_or("invalid_arguments", |failure| failure.refusal.code())
    }
}

/// One part of a request that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The index of the part, from 0.
    pub part: usize,
    /// Why it cannot be made.
    pub refusal: Refusal,
}

impl Failure {
    /// Creates the failure of a part.
    pub fn new(part: usize, refusal: impl Into<Refusal>) -> Self {
        Self { part, refusal: refusal.into() }
    }
}

/// Why a part of a request cannot be made.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Its place was not found exactly once.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// It was found another number of times than expected.
    #[error("{what} occurs {}, {expected} expected", times(matches.len()))]
    CountMismatch {
        /// What was looked for.
        what: Target,
        /// How many were expected.
        expected: usize,
        /// Where it was found.
        matches: Box<Matches>,
        /// The count that would be right.
        fix: Option<Box<Fix>>,
    },
    /// It names too little text to be sure of its place.
    #[error("what was sent is too little to be sure of the place: {expected}")]
    ContextTooThin {
        /// What would be enough.
        expected: String,
        /// The change that makes it enough.
        fix: Option<Fix>,
    },
    /// An argument has a value that no document could satisfy.
    #[error("`{argument}`: expected {expected}, found {found}")]
    InvalidArgument {
        /// The argument.
        argument: &'static str,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// A text is not the content of one bullet.
    #[error(transparent)]
    InvalidItem(#[from] ItemFlaw),
    /// A target names no bullet.
    #[error("`target` names no bullet{}", named_list(section.as_deref(), block.as_deref()))]
    NoBullet {
        /// The section that it names.
        section: Option<String>,
        /// The block that it names.
        block: Option<String>,
    },
    /// A new bullet is there already, but for its tags or its place.
    #[error("this bullet is there already, on line {}{}", .0.line, .0.difference())]
    DuplicateBullet(Box<Duplicate>),
    /// Two parts insert one bullet, with different tags or at different places.
    #[error("parts {} and {} insert the same bullet, with different tags or at different places", first + 1, second + 1)]
    InsertedTwice {
        /// The first part, from 0.
        first: usize,
        /// The other part, from 0.
        second: usize,
    },
    /// A new bullet has no number where the numbers of a list are no count.
    #[error("the numbers around `{beside}` are no count from 0 or 1, so that a bullet there has to bring its own")]
    NeedsNumber {
        /// The marker beside which it would stand.
        beside: String,
        /// How its text could begin, with that marker.
        text: String,
    },
    /// Two parts change one bullet, and cannot be one result.
    #[error("parts {} and {} cannot be made together: {}", first + 1, second + 1, clashing(clash, *line))]
    SameBullet {
        /// The bullet's line, from 1.
        line: usize,
        /// The part, from 0, that would have to be made first.
        first: usize,
        /// The part, from 0, that would have to be made after it.
        second: usize,
        /// Why.
        clash: Clash,
    },
    /// A bullet that is to be deleted has children.
    #[error("the bullet on line {line} has {count} nested {}", if *count == 1 { "bullet" } else { "bullets" })]
    HasChildren {
        /// The bullet's line, from 1.
        line: usize,
        /// How many bullets are nested in it.
        count: usize,
    },
    /// A block of this title has another ID.
    #[error("a block `{title}` stands on line {line} already, with the ID `{id}`")]
    DuplicateBlock {
        /// The title.
        title: String,
        /// Its ID.
        id: String,
        /// Its line, from 1.
        line: usize,
    },
    /// The header of a block would not be read back as it is written.
    #[error("`{}` with the ID `{}` cannot be the header of a block", visible(&excerpt(title, 80)), visible(&excerpt(id, 40)))]
    InvalidBlock {
        /// The title.
        title: String,
        /// The ID.
        id: String,
    },
    /// A text is no patch.
    #[error(transparent)]
    InvalidPatch(#[from] PatchError),
    /// Lines that are to be added have no place.
    #[error("a hunk of `+` lines alone has no place")]
    NeedsAnchor,
    /// The lines of the request repeat one another, and the document's, so often that looking for them takes too long.
    #[error("the lines repeat one another too often to be looked for")]
    TooCostly,
    /// The request has too many parts for a document of this size.
    #[error("{parts} operations at once are too many for a document of {bullets} bullets")]
    TooManyParts {
        /// How many parts it has.
        parts: usize,
        /// How many bullets the document has.
        bullets: usize,
    },
    /// A section of this title is there already.
    #[error("a section `{title}` stands on line {line} already")]
    DuplicateSection {
        /// The title.
        title: String,
        /// Its line, from 1.
        line: usize,
        /// Its shortest name.
        section: String,
    },
    /// Another part of the request gives a section beside it the same title.
    #[error("another part of the patch gives a section the title `{title}` too")]
    DuplicateTitle {
        /// The title.
        title: String,
    },
    /// A title would not be read back as it is written.
    #[error("`{}` cannot be the title of a section", visible(&excerpt(title, 80)))]
    InvalidTitle {
        /// The title.
        title: String,
    },
    /// Two sections that are to stand side by side belong to different sections.
    #[error("sections `{section}` and `{other}` are not of one level below the same heading")]
    NotASibling {
        /// The section to be moved.
        section: String,
        /// The other section.
        other: String,
        /// A place that can be given instead.
        fix: Option<Box<Fix>>,
    },
    /// Pinned bullets would be gone.
    #[error("pinned bullets would be gone: line {}", numbers(lines))]
    PinnedLost {
        /// Their lines, from 1.
        lines: Vec<usize>,
    },
    /// The text that a compaction would write does not pass the gate.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The ID of a section that is to be merged into another would be gone.
    #[error("the ID `{}` of the section on line {line} would be gone", visible(&excerpt(id, 80)))]
    LostId {
        /// The ID.
        id: String,
        /// The line of the heading, from 1.
        line: usize,
    },
    /// Two sections that are to be merged have a subsection of one title each.
    #[error("both sections have a subsection `{title}`: on line {line} and on line {other}")]
    SameSubsection {
        /// The title.
        title: String,
        /// The line, from 1, of the one that would move.
        line: usize,
        /// The line, from 1, of the other.
        other: usize,
    },
    /// What is to be merged would mean something else.
    #[error(transparent)]
    Unmergeable(#[from] MergeFlaw),
    /// A slot would not be read back as it is written.
    #[error("`{}` with the value `{}` cannot be a slot", visible(&excerpt(name, 60)), visible(&excerpt(value, 60)))]
    UnreadableSlot {
        /// The name.
        name: String,
        /// The value.
        value: String,
    },
    /// The front matter has a key of the name that is no slot.
    #[error("`{}` on line {line} of the front matter is no slot: it is nested, quoted, or not written `name: value`", visible(&excerpt(name, 60)))]
    NestedSlot {
        /// The name.
        name: String,
        /// The line of the key, from 1.
        line: usize,
    },
    /// Two parts change the same text.
    #[error(transparent)]
    Overlap(#[from] Overlap),
    /// Its place, or what surrounds it, is no longer what the editor saw.
    #[error("the text around this part has changed since it was seen{}", now_there(now))]
    Conflict {
        /// The bytes of the current document that are not what was seen.
        span: Option<Span>,
        /// The lines that now stand there, cut; empty if the place is gone.
        now: String,
    },
    /// The guard refuses the result.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl std::fmt::Debug for Refusal {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Refusal");
        shown.field("code", &self.code());
        match self {
            Self::Locate(error) => shown.field("error", error),
            Self::CountMismatch { what, expected, matches, .. } => {
                shown.field("what", what).field("expected", expected).field("matches", matches)
            }
            Self::ContextTooThin { fix, .. } => shown.field("fix", fix),
            Self::InvalidArgument { argument, expected, .. } => {
                shown.field("argument", argument).field("expected", expected)
            }
            Self::InvalidItem(flaw) => shown.field("flaw", flaw),
            Self::HasChildren { line, count } => shown.field("line", line).field("count", count),
            Self::DuplicateBullet(duplicate) => shown.field("line", &duplicate.line).field("to", &duplicate.to),
            Self::InsertedTwice { first, second } => shown.field("first", first).field("second", second),
            Self::NoBullet { .. } | Self::NeedsNumber { .. } => &mut shown,
            Self::SameBullet { line, first, second, clash } => {
                shown.field("line", line).field("first", first).field("second", second).field("clash", clash)
            }
            Self::InvalidPatch(error) => shown.field("error", error),
            Self::DuplicateSection { line, .. }
            | Self::DuplicateBlock { line, .. }
            | Self::LostId { line, .. }
            | Self::NestedSlot { line, .. } => shown.field("line", line),
            Self::SameSubsection { line, other, .. } => shown.field("line", line).field("other", other),
            Self::Unmergeable(flaw) => shown.field("flaw", flaw),
            Self::PinnedLost { lines } => shown.field("lines", lines),
            Self::Rejected(rejection) => shown.field("rejection", rejection),
            Self::Overlap(error) => shown.field("error", error),
            Self::Conflict { span, now } => shown.field("span", span).field("now", &Size(now)),
            Self::Edit(error) => shown.field("error", error),
            Self::InvalidBlock { .. }
            | Self::NeedsAnchor
            | Self::TooCostly
            | Self::DuplicateTitle { .. }
            | Self::InvalidTitle { .. }
            | Self::UnreadableSlot { .. } => &mut shown,
            Self::NotASibling { fix, .. } => shown.field("fix", fix),
            Self::TooManyParts { parts, bullets } => shown.field("parts", parts).field("bullets", bullets),
        };
        shown.finish()
    }
}

impl From<SelectError> for Refusal {
    fn from(error: SelectError) -> Self {
        let invalid = |argument, expected, found| Self::InvalidArgument { argument, expected, found };
        match error {
            SelectError::Locate(error) => error.into(),
            SelectError::BelowBase(index, 0) => invalid("index", "an index of 0 or more", index.to_string()),
            SelectError::BelowBase(index, _) => invalid("index", "an index of 1 or more", index.to_string()),
            SelectError::NoList => {
                invalid("index", "a section or block beside the index, which counts its bullets", "neither".to_owned())
            }
            SelectError::EmptyText(argument) => invalid(argument, "a text", "an empty text".to_owned()),
        }
    }
}

fn named_list(section: Option<&str>, block: Option<&str>) -> String {
    let names = [("section", section), ("block", block)];
    let names: Vec<_> = names
        .into_iter()
        .filter_map(|(kind, name)| Some(format!("{kind} `{}`", visible(&excerpt(name?, 80)))))
        .collect();
    if names.is_empty() { String::new() } else { format!(", only {}", names.join(" and ")) }
}

fn clashing(clash: &Clash, line: usize) -> String {
    match clash {
        Clash::Twice => format!("both say the same kind of thing of the bullet on line {line}"),
        Clash::Deleted => {
            format!("one changes the bullet on line {line}, the other deletes it or what it is nested in")
        }
        Clash::Moved => format!("one needs the place of the bullet on line {line}, the other moves what is there"),
        Clash::Tag => format!("one adds a tag to the bullet on line {line}, the other removes it"),
    }
}

fn now_there(now: &str) -> String {
    if now.is_empty() { String::new() } else { format!("; there is now `{}`", visible(now)) }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn numbers(lines: &[usize]) -> String {
    lines.iter().take(10).map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Refusal {
    /// Returns the stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Locate(error) => error.code(),
            Self::CountMismatch { .. } => "count_mismatch",
            Self::ContextTooThin { .. } => "context_too_thin",
            Self::InvalidArgument { .. } => "invalid_arguments",
            Self::TooManyParts { .. } => "invalid_arguments",
            Self::InvalidPatch(_) | Self::TooCostly => "invalid_patch",
            Self::InvalidItem(_) | Self::InvalidBlock { .. } => "invalid_text",
            Self::NoBullet { .. } | Self::NeedsNumber { .. } => "invalid_arguments",
            Self::DuplicateBullet(_) | Self::InsertedTwice { .. } => "duplicate_bullet",
            Self::SameBullet { .. } => "overlapping_edits",
            Self::HasChildren { .. } => "has_children",
            Self::NeedsAnchor => "needs_anchor",
            Self::DuplicateSection { .. }
            | Self::DuplicateTitle { .. }
            | Self::DuplicateBlock { .. }
            | Self::SameSubsection { .. } => "duplicate_section",
            Self::InvalidTitle { .. }
            | Self::Unmergeable(_)
            | Self::UnreadableSlot { .. }
            | Self::NestedSlot { .. } => "invalid_text",
            Self::LostId { .. } => "lost_ids",
            Self::NotASibling { .. } => "not_found",
            Self::PinnedLost { .. } => "pinned_lost",
            Self::Rejected(rejection) => rejection.code(),
            Self::Overlap(_) => "overlapping_edits",
            Self::Conflict { .. } => "conflict",
            Self::Edit(error) => error.code(),
        }
    }

    /// Returns what helps, where nothing was found.
    pub const fn help(&self) -> Option<&Diagnostic> {
        match self {
            Self::Locate(error) => error.help(),
            _ => None,
        }
    }

    /// Returns the places that match, where there are several.
    pub const fn matches(&self) -> Option<&Matches> {
        match self {
            Self::Locate(error) => error.matches(),
            Self::CountMismatch { matches, .. } => Some(matches),
            _ => None,
        }
    }

    /// Returns the change of the request that makes it work.
    pub fn fix(&self) -> Option<&Fix> {
        match self {
            Self::ContextTooThin { fix, .. } => fix.as_ref(),
            Self::NotASibling { fix, .. } | Self::CountMismatch { fix, .. } => fix.as_deref(),
            _ => self.help()?.fix.as_ref(),
        }
    }
}
