//! Whether a text from outside is finished: an editor that saves may have emptied the file and not yet written it.
//!
//! A text that the store has not written is taken only once it has been still: not modified for a moment, longer if it is
//! empty, or seen the same twice with that moment between. A file that is missing is deleted only once it has stayed
//! missing: for whom the store is opened anew at each call, the directory tells how long at least. Until then the committed text is read; and what goes on changing for too long is given up on. Nothing here
//! sleeps or reads: the caller does, without holding the lock.

use std::time::{Duration, SystemTime};

use super::disk::{Found, age};
use crate::text::Revision;

/// How long a text has not been modified that is taken for finished.
const STILL: Duration = Duration::from_millis(200);
/// The same for an empty one, which is what most editors leave while they save.
const STILL_EMPTY: Duration = Duration::from_secs(1);
/// How long a file has been missing that is taken for deleted.
pub(super) const MISSING: Duration = Duration::from_secs(2);
/// How long a text is waited for.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long is waited between two looks at most.
const NAP: Duration = Duration::from_millis(50);

/// What is to be done about what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is what it should be.
    Known,
    /// It came from outside, and is finished.
    Still,
    /// It may be half of a text: look again after this time.
    Wait(Duration),
    /// It goes on changing, or has not been missing for long enough: the committed text counts, with a warning, and a commit
    /// is busy.
    Unsettled,
}

/// Watches one document whose file is not what was committed.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    committed: Option<Revision>,
    began: SystemTime,
    /// What was seen last, and since when.
    seen: Option<Seen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    found: Found,
    since: SystemTime,
}

impl Watch {
    /// Begins to watch a document whose committed revision is this, or which does not exist.
    pub(super) const fn new(committed: Option<Revision>, now: SystemTime) -> Self {
        Self { committed, began: now, seen: None }
    }

    /// Returns the revision that it was begun for.
    pub(super) const fn committed(&self) -> Option<Revision> {
        self.committed
    }

    /// Says what to do about what stands at the place now.
    ///
    /// A document that is missing is not waited for: keep the watch, and ask again at the next access.
    pub(super) fn look(&mut self, found: &Found, now: SystemTime) -> Verdict {
        if found.is(self.committed) {
            self.seen = None;
            return Verdict::Known;
        }
        let since = match &self.seen {
            Some(seen) if seen.found == *found => seen.since,
            _ => {
                self.seen = Some(Seen { found: found.clone(), since: now });
                now
            }
        };
        let [still_for, needed] = match found {
            Found::Text { text, stat, .. } => [age(stat.modified, now).max(age(since, now)), needed(text)],
            Found::Missing => [age(since, now), MISSING],
            // A directory or a link is not being saved.
            Found::Unusable(_) => [age(since, now), STILL],
        };
        if still_for >= needed {
            Verdict::Still
        } else if *found == Found::Missing || age(self.began, now) >= PATIENCE {
            Verdict::Unsettled
        } else {
            Verdict::Wait(needed.saturating_sub(still_for).min(NAP))
        }
    }
}

/// Returns how long a text has not been modified that is taken for finished.
pub(super) const fn needed(text: &str) -> Duration {
    if text.is_empty() { STILL_EMPTY } else { STILL }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use super::super::disk::{Identity, Stat};
    use super::*;

    fn at(millis: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_000 + millis)
    }

    fn text(text: &str, modified: u64) -> Found {
        let stat = Stat { length: 0, identity: Identity { device: 1, inode: 1 }, modified: at(modified), mode: 0o644 };
        Found::Text { text: text.to_owned(), revision: Revision::of(text), stat }
    }

    #[test]
    fn a_text_in_the_middle_of_a_save_is_not_taken() {
        let mut watch = Watch::new(Some(Revision::of("committed")), at(0));
        assert_eq!(watch.look(&text("committed", 0), at(0)), Verdict::Known);
        assert!(matches!(watch.look(&text("", 10), at(20)), Verdict::Wait(_)));
        assert!(matches!(watch.look(&text("half", 40), at(60)), Verdict::Wait(_)));
        assert!(matches!(watch.look(&text("half and half", 80), at(100)), Verdict::Wait(_)));
        assert_eq!(watch.look(&text("half and half", 80), at(300)), Verdict::Still);
        assert_eq!(Watch::new(None, at(0)).look(&text("old", 0), at(5000)), Verdict::Still);
    }

    #[test]
    fn an_empty_text_is_waited_for_longer() {
        let mut watch = Watch::new(None, at(0));
        assert!(matches!(watch.look(&text("", 0), at(500)), Verdict::Wait(_)));
        assert_eq!(watch.look(&text("", 0), at(1000)), Verdict::Still);
    }

    #[test]
    fn what_goes_on_changing_is_given_up_on() {
        let mut watch = Watch::new(None, at(0));
        let verdicts: Vec<_> =
            (0..40).map(|turn| watch.look(&text(&turn.to_string(), turn * 100), at(turn * 100))).collect();
        assert!(verdicts[..30].iter().all(|verdict| matches!(verdict, Verdict::Wait(_))));
        assert!(verdicts[30..].iter().all(|verdict| *verdict == Verdict::Unsettled));
    }

    #[test]
    fn a_missing_file_is_deleted_once_it_has_stayed_missing() {
        let mut watch = Watch::new(Some(Revision::of("committed")), at(0));
        assert_eq!(watch.look(&Found::Missing, at(0)), Verdict::Unsettled);
        assert_eq!(watch.look(&text("committed", 900), at(1000)), Verdict::Known);
        assert_eq!(watch.look(&Found::Missing, at(2000)), Verdict::Unsettled);
        assert_eq!(watch.look(&Found::Missing, at(4000)), Verdict::Still);
    }

    #[test]
    fn a_clock_that_runs_behind_only_makes_it_wait() {
        let mut watch = Watch::new(None, at(0));
        assert!(matches!(watch.look(&text("new", 9000), at(0)), Verdict::Wait(_)));
        assert_eq!(watch.look(&text("new", 9000), at(200)), Verdict::Still);
    }
}
