//! [`ArgumentError`]: what is wrong with arguments.

use crate::text::excerpt;

/// Arguments that are not those of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentError {
    /// They are no JSON object.
    NotAnObject(&'static str),
    /// Some are missing, some unknown, or given twice under two names.
    Names { missing: Vec<String>, unknown: Vec<String>, twice: Vec<String> },
    /// One has a type or value that does not fit.
    Value(String),
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAnObject(found) => write!(f, "expected a JSON object of arguments, found {found}"),
            Self::Value(message) => f.write_str(message),
            Self::Names { missing, unknown, twice } => {
                let lists = [("missing", missing), ("unknown", unknown), ("given twice", twice)];
                let list = |names: &[String]| {
                    names.iter().take(8).map(|name| format!("`{}`", excerpt(name, 40))).collect::<Vec<_>>().join(", ")
                };
                let parts: Vec<_> = lists
                    .iter()
                    .filter(|(_, names)| !names.is_empty())
                    .map(|(what, names)| format!("{what}: {}", list(names)))
                    .collect();
                write!(f, "arguments {}", parts.join("; "))
            }
        }
    }
}
