//! What tools answer, as values: the value is the reply's JSON, and [`render`](super::render) makes the text of that.

mod edited;
mod refused;
mod session;

pub(super) use edited::{DocumentRow, Edited, Lines, PartRow, Report, Sizes};
pub(super) use refused::{
    BadRow, CandidateRow, ClosestRow, FailureRow, HINT, OpRow, PartName, Places, Refused, SENTENCE, bounded,
};
pub(super) use session::{ChangeRow, HistoryDelta, InSession, SessionState, State};
