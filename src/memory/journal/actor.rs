//! [`Actor`]: who did it, as the host says.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::text::{Irregular, Irregularities, Span, irregularities};

/// Who made an entry: 1 to 128 characters on one line, none of them invisible. The host names it, never a tool's arguments.
///
/// One that is read from a journal is taken as it stands: rules of today do not make old entries unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Actor(Box<str>);

impl Actor {
    /// The greatest length, in characters.
    pub const MAX_CHARACTERS: usize = 128;

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidActor {
    /// It is empty or too long.
    #[error("expected an actor of 1 to {} characters, found {characters}", Actor::MAX_CHARACTERS)]
    Length {
        /// How many characters it has.
        characters: usize,
    },
    /// It holds a character that cannot be seen or ends a line.
    #[error("expected an actor on one line, of characters that can be seen, found {0}")]
    Character(Irregular),
}

impl FromStr for Actor {
    type Err = InvalidActor;

    fn from_str(name: &str) -> Result<Self, InvalidActor> {
        let characters = name.chars().count();
        if characters == 0 || characters > Self::MAX_CHARACTERS {
            return Err(InvalidActor::Length { characters });
        }
        let mut found = Irregularities::default();
        irregularities(name, Span::new(0, name.len()), &mut found);
        let control = name.char_indices().find(|(_, c)| c.is_control());
        let control = control.map(|(offset, character)| Irregular { offset, character });
        match found.iter().map(|(irregular, _)| irregular).chain(control).min_by_key(|irregular| irregular.offset) {
            Some(irregular) => Err(InvalidActor::Character(irregular)),
            None => Ok(Self(name.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_is_a_short_name_of_visible_characters() {
        for name in ["a", "Jürgen's phone", "agent:新しい", &"x".repeat(128)] {
            assert_eq!(name.parse::<Actor>().map(|actor| actor.to_string()), Ok(name.to_owned()));
        }
        for name in ["", "two\nlines", "a\tb", "zero\u{200b}width", "\u{202e}over", "\u{2028}", &"x".repeat(129)] {
            assert!(name.parse::<Actor>().is_err(), "{name:?}");
        }
    }
}
