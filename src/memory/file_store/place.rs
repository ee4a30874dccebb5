//! Putting a text into its place, and looking at what it displaced.
//!
//! The next text stands beside the document, synced. The two files *change places*, so that what stood at the place is
//! still there, under the other name, and is looked at a second time: if it is not the text that was expected, somebody
//! wrote it between the first look and the exchange, and it goes back. What is displaced by going back must be our own
//! text; if it is not, somebody was faster again, and that is the latest text. An editor that writes into the file it has
//! open goes on writing into the same file wherever its name is.
//!
//! A new document takes a name that must be free; a deleted one gives its name up, and what is found under the other name
//! is looked at in the same way. Where the system cannot exchange files, the place is looked at again and replaced: what is
//! written between these two is lost to the second look.

use super::super::{DocName, IoAction, StoreError};
use super::disk::{Disk, Found, Moved, look};
use super::layout;
use super::placement::Site;
use crate::text::{Revision, SharedText};

/// How often a faster writer is given way to.
const MOST_TURNS: usize = 16;

/// A document's change, as its file goes through it.
#[derive(Clone)]
pub(super) struct Put {
    pub(super) name: DocName,
    /// The first entry of the group: part of the name of the file beside.
    pub(super) seq: u64,
    /// The revision that stands there; `None` if nothing does.
    pub(super) expected: Option<Revision>,
    /// What shall stand there; `None` if nothing shall.
    pub(super) next: Option<Text>,
}

/// A text and its revision.
#[derive(Clone, derive_more::Debug)]
#[debug("{} bytes of {revision:?}", text.len())]
pub(super) struct Text {
    pub(super) text: SharedText,
    pub(super) revision: Revision,
}

impl Text {
    pub(super) fn new(text: SharedText) -> Self {
        Self { revision: Revision::of(&text), text }
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// What was found at the place instead of what was expected, in the order in which it came. The last stands there.
    pub(super) outside: Vec<Found>,
    /// The revision of what stands beside the document now, displaced.
    pub(super) displaced: Option<Revision>,
}

impl Put {
    /// Returns the file of the document.
    pub(super) fn place(&self) -> String {
        layout::place(&self.name)
    }

    /// Returns the file beside it.
    pub(super) fn beside(&self) -> String {
        layout::next(&self.name, self.seq)
    }

    /// Returns the directory of both.
    pub(super) fn directory(&self) -> &str {
        self.name.folder()
    }
}

/// Writes the next text beside its place, and syncs it. What a crash has left there is gone.
///
/// # Errors
///
/// The system refuses: the document is as before, and a part of the text may stand beside it.
pub(super) fn stage<D: Disk, P>(site: &Site<'_, D, P>, put: &Put, mode: Option<u32>) -> Result<(), StoreError> {
    let beside = put.beside();
    site.disk.remove(&beside)?;
    let Some(next) = &put.next else { return Ok(()) };
    if put.expected.is_none() {
        layout::create_folder(site.disk, put.directory())?;
    }
    write_synced(site, &beside, next, mode)
}

/// Does the same for a group that is in the journal: at no time does a part of a text stand beside the place, so that
/// what does may be told from a text that somebody has written to.
///
/// # Errors
///
/// As for [`stage`].
pub(super) fn stage_anew<D: Disk, P>(site: &Site<'_, D, P>, put: &Put, mode: Option<u32>) -> Result<(), StoreError> {
    let Some(next) = &put.next else { return site.disk.remove(&put.beside()) };
    let redo = layout::redo(&put.name, put.seq);
    site.disk.remove(&redo)?;
    if put.expected.is_none() {
        layout::create_folder(site.disk, put.directory())?;
    }
    write_synced(site, &redo, next, mode)?;
    site.disk.replace(&redo, &put.beside()).map(drop)
}

fn write_synced<D: Disk, P>(
    site: &Site<'_, D, P>,
    path: &str,
    text: &Text,
    mode: Option<u32>,
) -> Result<(), StoreError> {
    let file = site.disk.create(path, mode)?;
    site.disk.write_at(&file, 0, text.text.as_bytes())?;
    site.disk.sync(&file)
}

/// Gives the staged text its place. What came from outside meanwhile stands there in its stead, and is told.
///
/// # Errors
///
/// The system refuses: the old text or the new one is in its place, and what was displaced stands beside it.
pub(super) fn place<D: Disk, P>(site: &Site<'_, D, P>, put: &Put) -> Result<Placed, StoreError> {
    match (&put.expected, &put.next) {
        (Some(_), Some(next)) => exchange(site, put, next),
        (None, Some(_)) => create(site, put),
        (Some(_), None) => delete(site, put),
        (None, None) => Ok(Placed::default()),
    }
}

fn exchange<D: Disk, P>(site: &Site<'_, D, P>, put: &Put, next: &Text) -> Result<Placed, StoreError> {
    let [place, beside] = [put.place(), put.beside()];
    let mut outside = Vec::new();
    // What this turn should displace, and what it puts there.
    let [mut expected, mut given] = [put.expected, Some(next.revision)];
    for _ in 0..MOST_TURNS {
        match site.disk.exchange(&beside, &place)? {
            Moved::Done => {}
            Moved::Unsupported => return replace(site, put),
            Moved::Missing | Moved::Taken => match site.disk.rename_new(&beside, &place)? {
                Moved::Done => return Ok(Placed { outside, displaced: None }),
                Moved::Missing => return Err(gone(site, &beside)),
                // It is back.
                Moved::Taken | Moved::Unsupported => continue,
            },
        }
        let displaced = look(site.disk, &beside, site.limits.document)?;
        if displaced.is(expected) {
            return Ok(Placed { outside, displaced: expected });
        }
        [expected, given] = [given, displaced.revision()];
        outside.push(displaced);
    }
    Err(StoreError::Busy { path: site.disk.full_path(&place) })
}

/// The error for a staged text that somebody has removed: recovery writes it anew.
fn gone<D: Disk, P>(site: &Site<'_, D, P>, beside: &str) -> StoreError {
    StoreError::Io {
        action: IoAction::Replace,
        path: site.disk.full_path(beside),
        source: std::io::ErrorKind::NotFound.into(),
    }
}

/// Replaces the file where the system cannot exchange two.
fn replace<D: Disk, P>(site: &Site<'_, D, P>, put: &Put) -> Result<Placed, StoreError> {
    let found = look(site.disk, &put.place(), site.limits.document)?;
    if !found.is(put.expected) && found != Found::Missing {
        site.disk.remove(&put.beside())?;
        return Ok(Placed { outside: vec![found], displaced: None });
    }
    match site.disk.replace(&put.beside(), &put.place())? {
        Moved::Done => Ok(Placed::default()),
        _ => Err(gone(site, &put.beside())),
    }
}

fn create<D: Disk, P>(site: &Site<'_, D, P>, put: &Put) -> Result<Placed, StoreError> {
    match site.disk.rename_new(&put.beside(), &put.place())? {
        Moved::Done => return Ok(Placed::default()),
        Moved::Missing => return Err(gone(site, &put.beside())),
        Moved::Taken | Moved::Unsupported => {}
    }
    let found = look(site.disk, &put.place(), site.limits.document)?;
    site.disk.remove(&put.beside())?;
    Ok(Placed { outside: vec![found], displaced: None })
}

fn delete<D: Disk, P>(site: &Site<'_, D, P>, put: &Put) -> Result<Placed, StoreError> {
    let [place, beside] = [put.place(), put.beside()];
    if site.disk.rename_new(&place, &beside)? != Moved::Done {
        return Ok(Placed::default());
    }
    let displaced = look(site.disk, &beside, site.limits.document)?;
    if displaced.is(put.expected) {
        return Ok(Placed { outside: Vec::new(), displaced: put.expected });
    }
    let revision = displaced.revision();
    let mut outside = vec![displaced];
    if site.disk.rename_new(&beside, &place)? == Moved::Done {
        return Ok(Placed { outside, displaced: None });
    }
    outside.push(look(site.disk, &place, site.limits.document)?);
    Ok(Placed { outside, displaced: revision })
}
