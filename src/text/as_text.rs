//! Values that are written as texts: what follows from how they are parsed and displayed.

/// Converts texts to values of these types, as they are parsed. `json:` has the values also stand
/// in JSON as the texts that display them.
macro_rules! as_text {
    (json: $($name:ty),+) => {$(
        as_text!($name);

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
    ($($name:ty),+) => {$(
        impl TryFrom<&str> for $name {
            type Error = <Self as std::str::FromStr>::Err;

            fn try_from(text: &str) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    )+};
}

pub(crate) use as_text;
