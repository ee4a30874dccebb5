//! Values that are written as texts: what follows from how they are parsed and displayed.

/// Converts texts to values of these types, as they are parsed. `read:` has texts in JSON read as
/// such values; `json:` has the values also stand in JSON as the texts that display them.
macro_rules! as_text {
    (json: $($name:ty),+) => {$(
        as_text!(read: $name);

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+};
    (read: $($name:ty),+) => {$(
        as_text!($name);

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
    ($($name:ty),+) => {$(
        impl TryFrom<&str> for $name {
            type Error = <Self as std::str::FromStr>::Err;

            fn try_from(text: &str) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    )+};
}

/// Displays these types, which hold one value, as that value.
macro_rules! displayed_as_held {
    ($($name:ty),+) => {$(
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }
    )+};
}

/// Makes a type, which holds a text of one kind, of texts of several kinds.
macro_rules! from_texts {
    ($type:ident of $held:ty: $($text:ty),+) => {$(
        impl From<$text> for $type {
            fn from(text: $text) -> Self {
                Self(<$held>::from(text).into())
            }
        }
    )+};
}

pub(crate) use {as_text, displayed_as_held, from_texts};
