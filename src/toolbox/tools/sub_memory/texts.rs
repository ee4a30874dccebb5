//! [`Intent`] and [`Texts`]: which of an operation's texts is which, and what to send where one says something else.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::locate::brought_marker;
use crate::request::SubMemoryIntent;
use crate::text::{Content, fold_signs, fold_white_space, is_blank};
use crate::toolbox::definition::CallError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Intent {
    #[serde(alias = "insert", alias = "append", alias = "create")]
    Add,
    #[serde(alias = "modify", alias = "replace", alias = "edit", alias = "change")]
    Update,
    #[serde(alias = "remove")]
    Delete,
}

/// The texts of an operation, under the names that it gives them.
#[derive(Clone, Copy)]
pub(super) struct Texts<'t> {
    pub(super) own: Option<&'t str>,
    pub(super) old: Option<&'t str>,
    pub(super) new: Option<&'t str>,
}

/// Texts as an intent takes them.
#[derive(Clone, Copy)]
struct Taken<'t> {
    /// The text that is added, updated or deleted.
    text: Option<&'t str>,
    /// The text that an update writes.
    new: Option<&'t str>,
}

impl<'t> Texts<'t> {
    /// Reads them for the operation of this number.
    ///
    /// # Errors
    ///
    /// The new text of an update is missing, or one that is not needed says something else than those that are.
    pub(super) fn read(self, intent: Intent, number: usize) -> Result<(Option<Content>, SubMemoryIntent), CallError> {
        let taken = self.taken(intent);
        if taken.text.is_some() && !self.left_over(intent).is_empty() {
            return Err(self.contradiction(intent, number));
        }
        let intent = match intent {
            Intent::Add => SubMemoryIntent::Add,
            Intent::Delete => SubMemoryIntent::Delete,
            Intent::Update => {
                let missing = || format!("`ops[{number}].new_sub_memory`: expected with `update`, found nothing");
                let new = taken.new.ok_or_else(|| CallError::invalid(missing()))?;
                SubMemoryIntent::Update { new: new.into() }
            }
        };
        Ok((taken.text.map(Into::into), intent))
    }

    /// Returns those that an intent takes. An empty one stands for none, if there is another in its place.
    fn taken(self, intent: Intent) -> Taken<'t> {
        let Self { own, old, new } = self;
        let filled = |text: Option<&'t str>| text.filter(|text| !is_blank(text));
        match intent {
            Intent::Add => Taken { text: filled(own).or(new).or(own), new: None },
            Intent::Delete => Taken { text: filled(own).or(old).or(own), new: None },
            // Where one of the two is missing, the third is that one.
            Intent::Update => match (filled(old), filled(new)) {
                (None, Some(_)) => Taken { text: filled(own).or(old), new },
                (Some(old), None) => {
                    let own = filled(own).filter(|own| new.is_none() || !reads_alike(own, old));
                    Taken { text: Some(old), new: own.or(new) }
                }
                _ => Taken { text: old, new },
            },
        }
    }

    /// Returns the names of those that say something else than those that an intent takes.
    fn left_over(self, intent: Intent) -> Vec<&'static str> {
        let Taken { text, new } = self.taken(intent);
        let named = [("sub_memory", self.own), ("old_sub_memory", self.old), ("new_sub_memory", self.new)];
        let is_taken = |sent: &str| [text, new].into_iter().flatten().any(|taken| reads_alike(sent, taken));
        let is_left = |(_, sent): &(&str, Option<&str>)| sent.is_some_and(|sent| !is_blank(sent) && !is_taken(sent));
        named.into_iter().filter(is_left).map(|(name, _)| name).collect()
    }

    /// The error for one that says something else than those that the intent takes.
    fn contradiction(self, intent: Intent, number: usize) -> CallError {
        let named = self.left_over(intent).join("` and `");
        let object = match intent {
            Intent::Add => "the text to add",
            Intent::Delete => "the text to delete",
            Intent::Update => "the old and the new text",
        };
        CallError::invalid(format!("`ops[{number}]`: `{named}` says something else than {object}"))
    }
}

/// Reports whether two texts are one for a bullet of `-`: the marker, white space and Unicode punctuation apart.
fn reads_alike(one: &str, other: &str) -> bool {
    let read = |text: &str| {
        let plain: String = fold_signs(text).collect();
        let folded = fold_white_space(&plain).into_owned();
        brought_marker(&folded, "-").map_or(folded.clone(), |(_, rest)| rest.to_owned())
    };
    read(one) == read(other)
}
