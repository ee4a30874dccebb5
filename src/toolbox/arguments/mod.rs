//! Reading arguments as models write them, by the schema of the tool: other names, other letter case, numbers as text, nulls for
//! what is left out, calls wrapped once more.

mod read;
mod shape;
mod values;

pub(super) use read::{ArgumentError, read};
pub(super) use shape::shape;
pub(super) use values::required;
