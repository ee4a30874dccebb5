//! Reading arguments as models write them, by the schema of the tool: other names, other letter case, numbers as text, nulls for
//! what is left out, calls wrapped once more.

mod error;
mod input;
mod names;
mod read;
mod shape;
mod values;

pub(super) use error::ArgumentError;
pub(super) use input::Input;
pub(super) use read::read;
pub(super) use shape::shape;
pub(super) use values::required;
