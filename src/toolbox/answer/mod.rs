//! What tools answer, as values: the value is the reply's JSON, and [`render`](super::render) makes the text of that.

mod edited;
mod refused;

pub(super) use edited::{document, lines, report, sizes};
pub(super) use refused::{
    BadRow, CandidateRow, ClosestRow, FailureRow, HINT, OpRow, PartName, Places, Refused, SENTENCE, bounded,
};
