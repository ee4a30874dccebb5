//! Tests of the journal as a whole: what a history is, what happens to it, and what is noticed.
//!
//! It is a module of the journal's, so that it can make entries that the library never writes.

#![allow(clippy::unwrap_used, clippy::string_slice, reason = "a test that panics has failed")]

mod attacks;
mod fixture;
mod flips;
mod format;
mod format_1;
mod redaction;
mod replay;
#[cfg(feature = "signing")]
mod signing;
mod supersession;
mod unknown;
