//! What tools answer, as values: the value is the reply's JSON, its type is the schema, its `Display` the text.
//!
//! An answer is [`Done`] with what the tool adds, or [`Refused`].

mod delta;
mod done;
mod edited;
mod quote;
mod refused;
mod report;
mod session;
mod state;
mod written;

pub(super) use delta::HistoryDelta;
pub(super) use done::Done;
pub(super) use edited::{DocumentRow, Edited, OfEdit, Parts, Sizes, Tell};
pub(super) use quote::Quote;
pub(super) use refused::{
    BadRow, CandidateRow, ClosestRow, FailureRow, HINT, OpRow, PartName, Places, Refused, SENTENCE, bounded, fmt_ops,
    fmt_places,
};
pub(super) use report::Report;
pub(super) use session::{ChangeRow, Choice, InSession};
pub(super) use state::{SessionState, State};
pub(super) use written::Lines;
