//! Enums whose values have names.

/// Defines an enum whose values are displayed, and stand in JSON, by the names behind them. One that
/// is `read as` something is also parsed from them.
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
            /// All of them, in the order of their definition.
            $visibility const ALL: &'static [Self] = &[$(Self::$value,)+];

            /// Returns its name.
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
