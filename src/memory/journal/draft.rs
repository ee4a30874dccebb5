//! [`Draft`]s: entries that have no number yet.

use thiserror::Error;

use super::super::DocName;
use super::commitment::Role;
use super::written::Written;
use super::{
    Commitment, DocumentLink, DocumentState, EntryContent, Header, Member, Part, Previous, Salt, Side, Splice, States,
    is_keyframe_due, recorded_size,
};
use crate::text::{Content, Digest, Revision};

/// An entry to be made. The texts of documents are not needed to seal it, nor the number that it will get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What stays. Its group, documents and commitments are set by [`prepare`].
    pub header: Header,
    /// What it says. Its splices are set by [`prepare`].
    pub content: EntryContent,
    /// What follows from whole documents. Their revisions and keyframes are set by [`prepare`].
    pub states: States,
    /// What it changes.
    pub documents: Vec<DocumentDraft>,
}

impl Draft {
    /// Creates the draft of an entry that changes no document and says nothing yet.
    pub const fn new(header: Header, salts: Salts) -> Self {
        Self {
            header,
            content: EntryContent::new(salts.content),
            states: States::new(salts.states),
            documents: Vec::new(),
        }
    }
}

/// The salts of an entry: two, so that erasing the one part leaves nothing by which to guess it in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salts {
    /// That of the content.
    pub content: Salt,
    /// That of the states.
    pub states: Salt,
}

/// The change of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentDraft {
    /// The document.
    pub name: DocName,
    /// The entry before that changed it; `None` if there is none.
    pub previous: Option<Previous>,
    /// What it is before.
    pub base: Before,
    /// Its revision after; `None` deletes it.
    pub new: Option<Revision>,
    /// What changes; `None` where that must not be told, as of a redaction. Then there is a keyframe, or no text.
    pub splices: Option<Vec<Splice>>,
    /// The whole text after, where it is due.
    pub keyframe: Option<Content>,
    /// How much has been recorded of changes since the text was last recorded whole, with these; 0 at a keyframe.
    pub since_keyframe: u64,
}

impl DocumentDraft {
    /// Measures the change, of which the text after is `new`, and records that whole if it is due. `since_keyframe` is what the
    /// document's entry before says.
    #[must_use]
    pub fn measured(mut self, since_keyframe: u64, new: Option<&str>) -> Self {
        let changes = recorded_size(self.splices.as_deref().unwrap_or_default());
        // What is made is replayed from nothing: its splices are its first keyframe.
        let since = if self.base == Before::Absent { 0 } else { since_keyframe.saturating_add(changes) };
        self.keyframe = new.filter(|text| is_keyframe_due(since, text.len())).map(Content::from);
        self.since_keyframe = if self.keyframe.is_some() { 0 } else { since };
        self
    }
}

/// What a document is before an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It does not exist.
    Absent,
    /// It has a revision that must not be told: that of a text which holds what is erased.
    Withheld,
    /// It has this revision.
    At(Revision),
}

/// A draft of which everything is known but number, time and predecessor: what a store seals under its lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    pub(super) header: Written<Header>,
    pub(super) digest: Digest,
    pub(super) content: Option<Written<EntryContent>>,
    pub(super) states: Option<Written<States>>,
}

impl Prepared {
    /// Returns the header, with its commitments.
    pub fn header(&self) -> &Header {
        self.header.value()
    }
}

/// A draft that cannot be written as JSON.
#[derive(Debug, Error)]
#[error("an entry cannot be written")]
pub struct PrepareError(#[from] serde_json::Error);

/// Writes and commits to everything but number, time and predecessor of the entries of one group, in order.
///
/// # Errors
///
/// A part cannot be written as JSON.
pub fn prepare(drafts: Vec<Draft>) -> Result<Vec<Prepared>, PrepareError> {
    let count = u32::try_from(drafts.len()).unwrap_or(u32::MAX);
    let numbered = drafts.into_iter().zip(0_u32..);
    numbered
        .map(|(mut draft, index)| {
            draft.header.group = (count > 1).then_some(Member { index, count });
            Ok(prepare_one(draft)?)
        })
        .collect()
}

fn prepare_one(draft: Draft) -> Result<Prepared, serde_json::Error> {
    let Draft { mut header, mut content, mut states, documents } = draft;
    header.documents = documents.iter().map(|document| link(document, states.salt)).collect();
    states.documents = documents.iter().map(state).collect();
    content.splices = documents.into_iter().map(|document| document.splices).collect();
    let mut buffer = Vec::with_capacity(1024);
    let (content, states) = (Written::new(content, &mut buffer)?, Written::new(states, &mut buffer)?);
    header.content = Some(Commitment::to_part(Part::Content, content.text()));
    header.states = Some(Commitment::to_part(Part::States, states.text()));
    let header = Written::new(header, &mut buffer)?;
    let digest = Digest::of(header.text().as_bytes());
    Ok(Prepared { header, digest, content: Some(content), states: Some(states) })
}

fn link(document: &DocumentDraft, salt: Salt) -> DocumentLink {
    let side = |role, revision: &Revision| Side::To(Commitment::to_revision(salt, &document.name, role, revision));
    DocumentLink {
        name: document.name.clone(),
        base: match &document.base {
            Before::Absent => Side::Absent,
            Before::Withheld => Side::Withheld,
            Before::At(revision) => side(Role::Base, revision),
        },
        new: document.new.as_ref().map_or(Side::Absent, |revision| side(Role::New, revision)),
        previous: document.previous,
        since_keyframe: document.since_keyframe,
    }
}

fn state(document: &DocumentDraft) -> DocumentState {
    let base = match document.base {
        Before::At(revision) => Some(revision),
        Before::Absent | Before::Withheld => None,
    };
    DocumentState { base, new: document.new, keyframe: document.keyframe.clone() }
}
