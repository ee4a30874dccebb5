//! [`Policy`]: limits, reserved sections, and how strict edits are.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::naming::PATH_SEPARATOR;
use super::reserved::ReservedNames;
use super::syntax::heading;

/// The settings of a document. In JSON, a missing member has its default, and an unknown member is refused. Values are
/// checked by [`Rules::new`](super::Rules::new), which refuses one out of range.
///
/// # Examples
///
/// ```
/// use memdoc::Policy;
///
/// let policy = Policy::default().with_max_bytes(4096).with_required_sections(["Facts"]);
/// assert_eq!(policy.reserved_sections, ["System/Policy"]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
#[must_use]
pub struct Policy {
    /// Titles of sections that no tool call may change. Look-alikes of these titles are refused, too. A title has at
    /// least one letter or digit, and is not a path. Default: `System/Policy`.
    pub reserved_sections: Vec<String>,
    /// Titles of sections that no edit may remove. A title is not a path. Default: none.
    pub required_sections: Vec<String>,
    /// The hard limit of a document in bytes, 1 or more; no document grows beyond 4 GiB. Default:
    /// 64 KiB.
    pub max_bytes: usize,
    /// The hard limit of a document in tokens, 1 or more, by the host's counter. Default: none.
    pub max_tokens: Option<usize>,
    /// The soft limit, as a share of the hard limits, 0 to 1. An edit whose result is larger gets a warning. Default:
    /// 0.9.
    pub soft_limit: f64,
    /// Whether small differences between the text that a request names and the document are overlooked. Default:
    /// [`Healing::Narrow`].
    pub healing: Healing,
    /// How much text a replacement must name. Default: [`ContextGuard::Off`]; three lines if `strict`.
    pub context_guard: Option<ContextGuard>,
    /// The index of the first bullet of a list, 0 or 1. Default: 1.
    pub index_base: usize,
    /// Bullets with one of these tags count as pinned. Default: `pinned`, `critical`.
    pub protected_tags: Vec<String>,
    /// Who may change pinned bullets. Default: [`Pins::Agent`].
    pub pins: Pins,
    /// Which one counts if the index and the text of a sub-memory operation name different bullets. Default:
    /// [`SubMemoryIndex::Text`].
    pub sub_memory_index: SubMemoryIndex,
    /// What happens to an edit made against an older revision. Default: [`OnStale::Refuse`].
    pub on_stale: OnStale,
    /// When the result of an edit is compacted because it is too large. Default: [`AutoCompact::Over`].
    pub auto_compact: AutoCompact,
    /// The share of unpinned bullets that a compaction may lose, 0 to 1. Default: 0.5.
    pub max_loss: f64,
    /// Titles of sections in the order in which compaction drops their bullets, lowest priority first.
    pub section_priority: Vec<String>,
    /// Whether tools may create documents other than the built-in ones. Default: no.
    pub allow_new_documents: bool,
    /// Whether documents may be created in folders. Default: no.
    pub allow_folders: bool,
    /// Whether every edit must name its base revision, and every update of an item the text that it expects. Default:
    /// no.
    pub strict: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            reserved_sections: vec!["System/Policy".to_owned()],
            required_sections: Vec::new(),
            max_bytes: 64 * 1024,
            max_tokens: None,
            soft_limit: 0.9,
            healing: Healing::default(),
            context_guard: None,
            index_base: 1,
            protected_tags: vec!["pinned".to_owned(), "critical".to_owned()],
            pins: Pins::default(),
            sub_memory_index: SubMemoryIndex::default(),
            on_stale: OnStale::default(),
            auto_compact: AutoCompact::default(),
            max_loss: 0.5,
            section_priority: Vec::new(),
            allow_new_documents: false,
            allow_folders: false,
            strict: false,
        }
    }
}

impl Policy {
    /// Checks that every value is in its range.
    ///
    /// # Errors
    ///
    /// The first setting that is out of range.
    pub fn check(&self) -> Result<(), InvalidSetting> {
        let is_path = |name: &str| name.contains(PATH_SEPARATOR);
        for name in &self.reserved_sections {
            // Look-alikes are recognized by their letters and digits.
            check("reserved_sections", "titles with letters or digits", name, ReservedNames::can_protect(name))?;
            check("reserved_sections", "titles, not paths", name, !is_path(name))?;
        }
        for name in &self.required_sections {
            check("required_sections", "titles, not paths", name, !is_path(name))?;
            check("required_sections", "titles without the `#`s of headings", name, heading(name).is_none())?;
        }
        for (setting, share) in [("soft_limit", self.soft_limit), ("max_loss", self.max_loss)] {
            check(setting, "a share from 0 to 1", share, (0.0..=1.0).contains(&share))?;
        }
        check("index_base", "0 or 1", self.index_base, self.index_base <= 1)?;
        check_count("max_bytes", self.max_bytes)?;
        check_count("max_tokens", self.max_tokens.unwrap_or(1))?;
        match self.context_guard {
            Some(ContextGuard::Lines(lines)) => check_count("context_guard.lines", lines),
            _ => Ok(()),
        }
    }

    /// Creates the strictest policy: every edit must name its base revision, a replacement three lines, and an update
    /// or deletion of an item the text that is expected there.
    pub fn strict() -> Self {
        Self { strict: true, ..Self::default() }
    }

    /// Creates the policy for a memory that a model uses as a directory of files. The model may create documents, also
    /// in folders. Its changes are merged with changes that others have made since it read a file.
    pub fn files() -> Self {
        Self { allow_new_documents: true, allow_folders: true, on_stale: OnStale::Rebase, ..Self::default() }
    }

    /// Sets the reserved sections.
    pub fn with_reserved_sections<T: Into<String>>(mut self, titles: impl IntoIterator<Item = T>) -> Self {
        self.reserved_sections = titles.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the required sections.
    pub fn with_required_sections<T: Into<String>>(mut self, titles: impl IntoIterator<Item = T>) -> Self {
        self.required_sections = titles.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the order in which compaction drops bullets from sections, lowest priority first.
    pub fn with_section_priority<T: Into<String>>(mut self, titles: impl IntoIterator<Item = T>) -> Self {
        self.section_priority = titles.into_iter().map(Into::into).collect();
        self
    }

    /// Lets tools create documents of any valid name.
    pub fn with_new_documents(mut self) -> Self {
        self.allow_new_documents = true;
        self
    }

    /// Lets documents be created in folders.
    pub fn with_folders(mut self) -> Self {
        self.allow_folders = true;
        self
    }

    /// Returns the soft limit in bytes.
    pub fn soft_bytes(&self) -> usize {
        share_of(self.max_bytes, self.soft_limit)
    }

    /// Returns the soft limit in tokens; `None` if there is no hard limit in tokens.
    pub fn soft_tokens(&self) -> Option<usize> {
        self.max_tokens.map(|limit| share_of(limit, self.soft_limit))
    }

    /// Returns the context guard in force.
    pub fn context_guard(&self) -> ContextGuard {
        self.context_guard.unwrap_or(if self.strict { ContextGuard::Lines(3) } else { ContextGuard::Off })
    }

    /// Reports whether a bullet with the tag `tag`, in any letter case, counts as pinned.
    pub fn protects(&self, tag: &str) -> bool {
        self.protected_tags.iter().any(|protected| protected.eq_ignore_ascii_case(tag))
    }
}

/// Defines a builder's method for each of these fields. The method stores its argument.
macro_rules! setters {
    ($($(#[$doc:meta])+ $name:ident($field:ident: $value:ty);)+) => {
        impl Policy {$(
            $(#[$doc])+
            pub fn $name(mut self, $field: $value) -> Self {
                self.$field = $field.into();
                self
            }
        )+}
    };
}

setters! {
    /// Sets the hard limit in bytes.
    with_max_bytes(max_bytes: usize);
    /// Sets the hard limit in tokens.
    with_max_tokens(max_tokens: usize);
    /// Sets how much text a replacement must name.
    with_context_guard(context_guard: ContextGuard);
    /// Sets the soft limit, as a share of the hard limits, 0 to 1.
    with_soft_limit(soft_limit: f64);
    /// Sets when the result of an edit is compacted because it is too large.
    with_auto_compact(auto_compact: AutoCompact);
    /// Sets the share of unpinned bullets, 0 to 1, that a compaction may lose.
    with_max_loss(max_loss: f64);
    /// Sets who may change pinned bullets.
    with_pins(pins: Pins);
    /// Sets whether small differences between the text that a request names and the document are overlooked.
    with_healing(healing: Healing);
    /// Sets what happens to an edit made against an older revision.
    with_on_stale(on_stale: OnStale);
    /// Sets the index of the first bullet of a list.
    with_index_base(index_base: usize);
}

/// Who may unpin, change or delete a pinned bullet, or one that is nested in it, or move it out of its list. Anybody may
/// move it within its list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Pins {
    /// An agent may, and gets a warning that the bullet was pinned.
    #[default]
    Agent,
    /// Only the host may, with [`Authority::Host`](crate::Authority::Host).
    Host,
}

/// Which one counts if the index and the text of a sub-memory operation name different bullets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SubMemoryIndex {
    /// The text. The index only selects among several bullets with this text.
    #[default]
    Text,
    /// The index, unless somebody else has changed the block.
    Index,
}

/// Whether small differences between the text that a request names and the document are overlooked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Healing {
    /// Exact matches only.
    Off,
    /// A text that is not found exactly is sought in normal form: differences in quotes, dashes and spaces are
    /// overlooked, and reported.
    #[default]
    Narrow,
}

/// How much text a replacement must name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextGuard {
    /// Any text.
    #[default]
    Off,
    /// At least this many lines, 1 or more, or a heading and two neighbors, or a whole line in a
    /// named section.
    Lines(usize),
}

/// What happens to an edit made against an older revision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnStale {
    /// It is refused.
    #[default]
    Refuse,
    /// It is merged, line by line, with what others have changed since. A line that both changed is a conflict.
    Rebase,
}

/// When the result of an edit is compacted. The host's compactor does it; without one, the built-in steps that drop no
/// current fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutoCompact {
    /// Never.
    Off,
    /// When it would cross the hard limit.
    #[default]
    Over,
    /// When it would cross the soft limit. If the host's compactor cannot make the text shorter, it is called again for
    /// each edit.
    Near,
}

/// A setting whose value is out of its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected} for `{setting}`, found `{found}`")]
#[non_exhaustive]
pub struct InvalidSetting {
    /// The name of the setting in JSON, after the name of its group if it has one: `soft_limit`,
    /// `editing.preview_max_length`.
    pub setting: &'static str,
    /// The valid values.
    pub expected: &'static str,
    /// The value.
    pub found: String,
}

/// Checks that a count is at least 1.
pub(crate) fn check_count(setting: &'static str, count: usize) -> Result<(), InvalidSetting> {
    check(setting, "1 or more", count, count > 0)
}

/// Returns the error for a setting if its value is not valid.
fn check(
    setting: &'static str,
    expected: &'static str,
    found: impl ToString,
    is_valid: bool,
) -> Result<(), InvalidSetting> {
    if is_valid { Ok(()) } else { Err(InvalidSetting { setting, expected, found: found.to_string() }) }
}

/// Returns the largest count that does not exceed the share `share`, 0 to 1, of `limit`.
pub(crate) fn share_of(limit: usize, share: f64) -> usize {
    // Sizes of documents are far below 2^52, where the conversion is exact.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let size = (limit as f64 * share).floor() as usize;
    size.min(limit)
}
