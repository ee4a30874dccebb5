//! What commits have displaced, kept for a while and looked at again before it goes.
//!
//! An editor may have opened a document before a commit displaced it, and write into that file later: the text would be
//! in a file that has no place any more. Displaced files therefore wait in a directory of the store's own, under names
//! that tell when they were displaced, what they said then, and of which document:
//! `MILLISECONDS-DIGITS-NAME`, with `%` for `/`. One that says something else later is handed to the caller, who merges or
//! records its text; the others go when their time is over. Nothing here is synced: the journal has all committed texts.

use std::time::{Duration, SystemTime};

use super::super::{DocName, StoreError};
use super::disk::{Disk, Found, Moved, look};
use super::layout::DISPLACED;
use super::placement::Site;
use crate::text::{Revision, RevisionPrefix};

/// How long an editor is waited for.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(10);
/// How many files are kept at most; of more, the oldest go earlier.
const MOST_KEPT: usize = 256;
const DIGITS: usize = 32;

/// A file that was written after it had been displaced.
#[derive(Debug)]
pub(super) struct Late {
    pub(super) name: DocName,
    /// What the text was made of: the beginning of the revision that was displaced.
    pub(super) base: RevisionPrefix,
    pub(super) found: Found,
    /// What stands here now, until [`watch_on`].
    pub(super) path: String,
}

struct Kept {
    file: String,
    since: Duration,
    base: RevisionPrefix,
    name: DocName,
}

/// Keeps the file at `path`, which said `revision` when it was displaced from the place of `name`.
///
/// # Errors
///
/// The system refuses: the file is where it was.
pub(super) fn retire<D: Disk, P>(site: &Site<'_, D, P>, path: &str, of: Displaced<'_>) -> Result<(), StoreError> {
    let since = of.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
    let mut digits = of.revision.to_string();
    digits.truncate(DIGITS);
    let kept = format!("{DISPLACED}/{since:015}-{digits}-{}", of.name.as_str().replace('/', "%"));
    match site.disk.rename_new(path, &kept)? {
        // The same text of the same document in the same moment: nobody but this store can have been so fast.
        Moved::Taken => site.disk.remove(path),
        _ => Ok(()),
    }
}

/// What is known of a displaced file.
#[derive(Clone, Copy)]
pub(super) struct Displaced<'a> {
    pub(super) name: &'a DocName,
    pub(super) revision: Revision,
    pub(super) now: SystemTime,
}

/// Looks at what is kept: removes what nobody has written to for long enough, and returns what somebody has.
///
/// # Errors
///
/// The system refuses: what was not looked at is kept.
pub(super) fn review<D: Disk, P>(site: &Site<'_, D, P>, now: SystemTime) -> Result<Vec<Late>, StoreError> {
    let now = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut kept: Vec<_> = site.disk.list(DISPLACED)?.iter().filter_map(|listed| parse(&listed.name)).collect();
    kept.sort_by(|one, other| one.file.cmp(&other.file));
    let surplus = kept.len().saturating_sub(MOST_KEPT);
    let mut late = Vec::new();
    for (index, kept) in kept.into_iter().enumerate() {
        let path = format!("{DISPLACED}/{}", kept.file);
        let is_due = index < surplus || now.saturating_sub(kept.since) >= KEPT_FOR;
        if !is_due && !is_written_since(site.disk, &path, kept.since)? {
            continue;
        }
        let found = look(site.disk, &path, site.limits.document)?;
        match found.revision() {
            Some(revision) if kept.base.matches(&revision) => {
                if is_due {
                    site.disk.remove(&path)?;
                }
            }
            None if found == Found::Missing => {}
            _ => late.push(Late { name: kept.name, base: kept.base, found, path }),
        }
    }
    Ok(late)
}

/// Goes on watching a file whose late text, of this revision, is recorded: whoever writes to it may not have finished.
///
/// # Errors
///
/// The system refuses: the text will be found again.
pub(super) fn watch_on<D: Disk, P>(
    site: &Site<'_, D, P>,
    late: &Late,
    revision: Revision,
    now: SystemTime,
) -> Result<(), StoreError> {
    retire(site, &late.path, Displaced { name: &late.name, revision, now })
}

/// Reports whether the displaced file of this name says still what it said then, which is `revision` now.
pub(super) fn is_unchanged(file: &str, revision: &Revision) -> bool {
    parse(file).is_some_and(|kept| kept.base.matches(revision))
}

fn is_written_since<D: Disk>(disk: &D, path: &str, since: Duration) -> Result<bool, StoreError> {
    let file = match disk.open(path, super::disk::Access::Read) {
        Ok(Some(file)) => file,
        Ok(None) | Err(StoreError::Unusable { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    let modified = disk.stat(&file)?.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Ok(modified >= since)
}

fn parse(file: &str) -> Option<Kept> {
    let mut parts = file.splitn(3, '-');
    let [since, digits, name] = [parts.next()?, parts.next()?, parts.next()?];
    Some(Kept {
        file: file.to_owned(),
        since: Duration::from_millis(since.parse().ok()?),
        base: digits.parse().ok()?,
        name: name.replace('%', "/").parse::<DocName>().ok()?,
    })
}
