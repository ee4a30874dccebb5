//! What tools answer, as values: the value is the reply's JSON, and [`render`](super::render) makes the text of that.

mod edited;
mod lines;
mod refused;
mod report;
mod session;

pub(super) use edited::{DocumentRow, Edited, PartRow, Sizes};
pub(super) use lines::Lines;
pub(super) use refused::{
    BadRow, CandidateRow, ClosestRow, FailureRow, HINT, OpRow, PartName, Places, Refused, SENTENCE, bounded,
};
pub(super) use report::Report;
pub(super) use session::{ChangeRow, HistoryDelta, InSession, SessionState, State};
