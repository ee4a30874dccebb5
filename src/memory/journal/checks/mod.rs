//! Tests of the journal as a whole: what a history is, what happens to it, and what is noticed.

mod attacks;
mod fixture;
mod flips;
mod format;
mod redaction;
mod replay;
#[cfg(feature = "signing")]
mod signing;
mod supersession;
mod unknown;
