//! What has become of the documents since a caller looked last, whoever changed them, and who is told of it: clients that began with
//! `initialize` by plain notifications, later ones by their streams.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memdoc::{DocName, Revision, Store, memory::StoreError};
use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionSink};

use super::resources;

/// How many documents are listed at once.
const PAGE: usize = 1000;

/// Remembers the revision of each document.
pub(super) struct Watch {
    store: Arc<dyn Store>,
    /// `None` before the first look.
    seen: Option<BTreeMap<DocName, Revision>>,
}

/// What has changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The documents that are new, deleted, or of another text.
    pub(super) documents: Vec<DocName>,
    /// Whether the list of documents is another.
    pub(super) is_list_changed: bool,
}

impl Watch {
    pub(super) const fn new(store: Arc<dyn Store>) -> Self {
        Self { store, seen: None }
    }

    /// Begins with what is there, unless it has begun.
    pub(super) fn begin(&mut self) {
        if self.seen.is_none() {
            self.seen = revisions(&*self.store).ok();
        }
    }

    /// Returns what has changed since the last look.
    pub(super) fn look(&mut self) -> Result<Changes, StoreError> {
        let current = revisions(&*self.store)?;
        let mut changes = Changes::default();
        if let Some(seen) = &self.seen {
            changes.is_list_changed = !seen.keys().eq(current.keys());
            let changed = current.iter().filter(|(name, revision)| seen.get(name) != Some(revision));
            let deleted = seen.iter().filter(|(name, _)| !current.contains_key(name));
            changes.documents = changed.chain(deleted).map(|(name, _)| name.clone()).collect();
        }
        self.seen = Some(current);
        Ok(changes)
    }
}

fn revisions(store: &dyn Store) -> Result<BTreeMap<DocName, Revision>, StoreError> {
    let mut revisions = BTreeMap::new();
    loop {
        let page = store.revisions(revisions.last_key_value().map(|(name, _)| name), PAGE)?;
        let is_last = page.len() < PAGE;
        revisions.extend(page);
        if is_last {
            return Ok(revisions);
        }
    }
}

/// The subscriptions of one caller.
#[derive(Debug, Default)]
pub(super) struct Subscribers {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What `resources/subscribe` has named.
    uris: BTreeSet<String>,
    /// Whether changes are looked for between calls on behalf of `uris`.
    is_watched: bool,
    /// What `subscriptions/listen` has opened.
    streams: Vec<(u64, SubscriptionSink)>,
    opened: u64,
}

/// Whether somebody looks for changes on behalf of what is subscribed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watched {
    /// Who asks has to begin.
    NotYet,
    /// There is nothing to do.
    Already,
}

impl Subscribers {
    /// Begins to tell of a resource.
    pub(super) fn subscribe(&self, uri: String) -> Watched {
        let mut state = self.state();
        state.uris.insert(uri);
        if std::mem::replace(&mut state.is_watched, true) { Watched::Already } else { Watched::NotYet }
    }

    /// Reports whether anything is subscribed to; if not, who looks for changes is to stop.
    pub(super) fn end_watch_unless_needed(&self) -> bool {
        let mut state = self.state();
        state.is_watched = !state.uris.is_empty();
        state.is_watched
    }

    /// No longer tells of a resource.
    pub(super) fn unsubscribe(&self, uri: &str) {
        self.state().uris.remove(uri);
    }

    /// Begins to tell by a stream, and returns its number.
    pub(super) fn open(&self, stream: SubscriptionSink) -> u64 {
        let mut state = self.state();
        state.opened += 1;
        let number = state.opened;
        state.streams.push((number, stream));
        number
    }

    /// No longer tells by a stream.
    pub(super) fn close(&self, number: u64) {
        self.state().streams.retain(|(open, _)| *open != number);
    }

    /// Tells a client that knows no streams: of the list always, of a document if it has subscribed to it.
    pub(super) async fn tell_peer(&self, peer: &Peer<RoleServer>, changes: &Changes) {
        // An error says that the client has left.
        if changes.is_list_changed {
            let _ = peer.notify_resource_list_changed().await;
        }
        let wanted = self.state().uris.clone();
        for uri in changes.documents.iter().map(resources::uri).filter(|uri| wanted.contains(uri)) {
            let _ = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
        }
    }

    /// Tells by the streams, each of which lets through what it was opened for.
    pub(super) async fn tell_streams(&self, changes: &Changes) {
        let streams = self.state().streams.clone();
        for (_, stream) in &streams {
            // An error says that this stream was not opened for it, or is closed by now.
            if changes.is_list_changed {
                let _ = stream.notify_resource_list_changed().await;
            }
            for document in &changes.documents {
                let _ = stream.notify_resource_updated(resources::uri(document)).await;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
