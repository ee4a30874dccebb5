//! The integration tests, as one binary: a module for each subject.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::missing_errors_doc,
    missing_docs,
    reason = "a test that meets what it did not expect stops and says so"
)]

#[path = "../support/matcher.rs"]
pub mod matcher;
#[path = "../support/patch_checks.rs"]
pub mod patch_checks;

mod between;
mod corpus;
mod git_apply;
mod patch;
mod patch_data;
