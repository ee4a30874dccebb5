//! Requests that are made again while what they came to is pending.

use super::layout::Written;
use super::staging::planned_on;
use super::{Letter, Session};
use crate::locate::Matches;
use crate::memory::DocName;
use crate::request::Request;
use crate::text::Timestamp;

impl Session {
    /// Reports whether a request of which these changes have come asks for nothing but them: what it finds in the draft they have
    /// written, and no later change, or it finds nothing.
    pub(crate) fn has_made(
        &self,
        document: &DocName,
        request: &dyn Request,
        letters: &[Letter],
        now: Timestamp,
    ) -> bool {
        let Ok(known) = self.known_draft(document) else { return false };
        let written = Written::by(self, document, letters);
        match planned_on(&known, request, now) {
            Ok(edit) => edit.splices().iter().all(|splice| written.holds(splice.span)),
            Err(error) => {
                let found = error.failures().iter().filter_map(|failure| failure.refusal.matches());
                found.flat_map(Matches::spans).all(|span| written.holds(*span))
            }
        }
    }
}
