//! What is pending on the texts that its agent has been shown last, which is what an edit of it is planned on.

use super::opening::seen;
use crate::memory::DocName;
use crate::session::{Letter, Session};
use crate::toolbox::desk::Desk;

/// A session on the texts that its agent has been shown last.
pub(crate) struct OnSeen {
    pub(crate) session: Session,
    /// The documents that others have changed.
    changed: Vec<DocName>,
    /// The changes that are in conflict with that.
    left_out: Vec<Letter>,
}

/// Carries a session over to these texts, without keeping it.
pub(crate) fn on_seen(desk: &Desk, session: &Session) -> OnSeen {
    let mut on = OnSeen { session: session.clone(), changed: Vec::new(), left_out: Vec::new() };
    for (name, base) in session.documents() {
        if let Some(seen) = seen(desk, name).filter(|seen| seen.revision() != base.revision()) {
            let (next, mut letters) = on.session.on(name, seen);
            on.session = next;
            on.changed.push(name.clone());
            on.left_out.append(&mut letters);
        }
    }
    on
}

impl OnSeen {
    /// Says that others have changed one of the documents, if they have.
    pub(crate) fn message(&self, is_shown: impl Fn(&DocName) -> bool) -> Option<String> {
        let on = "this is how it stands on the text that you were shown last, which is not the one it began with";
        let letters: Vec<_> = self.left_out.iter().map(ToString::to_string).collect();
        self.changed.iter().any(is_shown).then(|| match letters.as_slice() {
            [] => on.to_owned(),
            letters => format!("{on}, without what is in conflict: {}", letters.join(", ")),
        })
    }
}
