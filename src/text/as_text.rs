//! Macros for types that are written as text (serde, `Display` and `FromStr` of newtypes, enums with named values),
//! and [`Unreadable`], the error of parsing one.

use thiserror::Error;

use super::{Content, excerpt};

/// Implements `Serialize` by `Display` and `Deserialize` by `FromStr`: in JSON, a value is a string.
macro_rules! as_text {
    ($($name:ty),+) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

/// Implements `Display` for newtypes: writes the value inside.
macro_rules! display_inner {
    ($($name:ty),+) => {$(
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }
    )+};
}

/// Implements `FromStr` for newtypes: parses the value inside.
macro_rules! parse_inner {
    ($($name:ty),+) => {$(
        impl std::str::FromStr for $name {
            type Err = $crate::text::Unreadable;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )+};
}

pub(crate) use {as_text, display_inner, parse_inner};

/// Defines an enum with a name for each value, which `Display` and `Serialize` write. With `read as "…"`, the enum
/// has `FromStr` too; the text in quotes says in an error what was expected.
macro_rules! names {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $type:ident $(, read as $expected:literal)? {
            $($(#[$documentation:meta])* $value:ident = $name:literal,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $type {
            $($(#[$documentation])* $value,)+
        }

        impl $type {
            /// All values, in the order of their definition.
            $visibility const ALL: &'static [Self] = &[$(Self::$value,)+];

            /// Returns the name of the value.
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        $(impl std::str::FromStr for $type {
            type Err = $crate::text::Unreadable;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let named = Self::ALL.iter().find(|value| value.as_str() == name);
                named.copied().ok_or_else(|| $crate::text::Unreadable::new($expected, name))
            }
        })?
    };
}

pub(crate) use names;

/// The error for a text that cannot be parsed, for example as a revision, a time or a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found `{found}`")]
#[non_exhaustive]
pub struct Unreadable {
    /// What the parser accepts.
    pub expected: &'static str,
    /// The text that could not be parsed, cut to 80 characters.
    pub found: Content,
}

impl Unreadable {
    pub(crate) fn new(expected: &'static str, found: &str) -> Self {
        Self { expected, found: excerpt(found, 80).into() }
    }
}
