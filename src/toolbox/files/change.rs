//! [`Shelf`]: a memory as both faces use it, and [`Change`], what becomes of one of its files: any number of them are one commit.

use crate::document::MemoryDoc;
use crate::edit::Authority;
use crate::locate::Code;
use crate::memory::{Applied, DocName, MemoryError, NameRule, Operation, RequestId};
use crate::request::patch::DocumentPatch;
use crate::request::{Basis, Known};
use crate::text::Content;
use crate::toolbox::definition::{Asked, Call, Requested};
use crate::toolbox::desk::Desk;
use crate::toolbox::files::path::Path;
use crate::toolbox::files::tree::Tree;
use crate::toolbox::refused::Refused;
use crate::toolbox::shown::KnownDocuments;
use crate::toolbox::{Reply, Status, apply, refusal};

/// How many documents a memory may have, so that it can be listed.
const MOST_DOCUMENTS: usize = 2_000;

/// What becomes of one file, on the basis of what the agent knows of it.
pub(super) struct Change {
    pub(super) name: DocName,
    pub(super) known: Option<Known>,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Create(Content),
    Delete,
    Edit(DocumentPatch),
    Rename { to: DocName, patch: Option<DocumentPatch> },
}

impl Change {
    /// Returns what the memory is asked for.
    fn operation(&self) -> Operation<'_> {
        let name = self.name.clone();
        let basis = self.known.as_ref().map_or(Basis::Anything, Basis::Known);
        match &self.kind {
            Kind::Create(text) => Operation::create(name, text),
            Kind::Delete => Operation::delete(name).guarded(basis),
            Kind::Edit(patch) => Operation::edit(name, basis, patch),
            Kind::Rename { to, patch: None } => Operation::rename(name, to).guarded(basis),
            Kind::Rename { to, patch: Some(patch) } => Operation::rename(name, to).guarded(basis).with_edit(patch),
        }
    }

    /// Notes what the agent knows after the change.
    fn note(&self, known: &mut KnownDocuments, applied: &Applied) {
        match &self.kind {
            Kind::Create(_) => known.show(&self.name, &applied.doc),
            Kind::Delete => known.forget(&self.name),
            Kind::Edit(_) => known.update(self.known.as_ref(), applied),
            Kind::Rename { to, patch } => {
                known.rename(&self.name, to);
                if patch.is_some() {
                    known.update(self.known.as_ref(), applied);
                }
            }
        }
    }
}

/// A memory, what the agent knows of it, and the call.
pub(super) struct Shelf<'a> {
    pub(super) desk: &'a mut Desk,
    call: &'a Call<'a>,
    /// What the journal calls the tool.
    tool: &'static str,
    /// The files that there are.
    pub(super) tree: Tree,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(desk: &'a mut Desk, call: &'a Call<'a>, tool: &'static str) -> Result<Self, Box<Refused>> {
        let tree = Tree::of(desk.memory(), desk.files.root.clone())?;
        Ok(Self { desk, call, tool, tree })
    }

    /// Reads a document that is to be changed, and returns also what the agent knows of it. It need not have been shown anything:
    /// what it is to change it names by its text.
    pub(super) fn read(&mut self, path: &Path, name: &DocName) -> Result<(MemoryDoc, Known), Box<Refused>> {
        check_writable(path, name)?;
        let doc = self.desk.memory().read(name).map_err(|error| match error {
            MemoryError::UnknownDocument { .. } => {
                let shown = path.shown();
                let words =
                    format!("The file {shown} no longer exists (may have been deleted or renamed concurrently).");
                refusal::memory_error(&error).in_words(words)
            }
            _ => by_memory(path.shown(), &error),
        })?;
        self.desk.known.show_found(name, &doc);
        let known = self.desk.known.latest(name).cloned().unwrap_or_else(|| Known::of(&doc));
        Ok((doc, known))
    }

    /// Makes an edit as every tool does.
    pub(super) fn edit(&mut self, name: &DocName, request: Requested) -> Result<Applied, Box<Refused>> {
        let asked = Asked { document: name.clone(), base: None, request };
        let applied = apply::commit(self.desk, self.call, std::slice::from_ref(&asked)).inspect_err(|refused| {
            if refused.has("changes") || refused.has("stale_sections") {
                // What has changed was shown without the numbers of lines.
                self.desk.known.forget_lines(name);
            }
        })?;
        applied.into_iter().next().ok_or_else(|| Refused::new(Code::Busy, "try again"))
    }

    /// Refuses what is based on a text of a document that is not `current`, and shows what has changed.
    pub(super) fn stale(&mut self, name: &DocName, known: &Known, current: MemoryDoc) -> Box<Refused> {
        let refused = apply::stale(self.desk, name, known, current);
        self.desk.known.forget_lines(name);
        refused
    }

    /// Plans a change of a file that is there.
    pub(super) fn change(&mut self, path: &Path, name: DocName, kind: Kind) -> Result<Change, Box<Refused>> {
        let (_, known) = self.read(path, &name)?;
        Ok(Change { name, known: Some(known), kind })
    }

    /// Plans a new file at a path at which nothing stands.
    pub(super) fn creation(&self, path: &Path, text: &str) -> Result<Change, Box<Refused>> {
        let name = self.new_name(path)?;
        if self.tree.documents.len() >= MOST_DOCUMENTS {
            let why = format!("File {} was not created: a memory has at most {MOST_DOCUMENTS} files", path.shown());
            return Err(stop(Code::TooLarge, why));
        }
        Ok(Change { name, known: None, kind: Kind::Create(text.into()) })
    }

    /// Returns the name of the document that may be made at a path.
    pub(super) fn new_name(&self, path: &Path) -> Result<DocName, Box<Refused>> {
        let name = self.tree.document(path)?;
        self.check_new(path, &name)?;
        Ok(name)
    }

    /// Refuses a name that a tool may not give to a document.
    pub(super) fn check_new(&self, path: &Path, name: &DocName) -> Result<(), Box<Refused>> {
        check_writable(path, name)?;
        if let Some(other) = self.tree.in_other_case(name) {
            let why = format!("Invalid path {}: expected a name {}", path.shown(), NameRule::Case);
            return Err(stop(Code::InvalidArguments, why).with_hint(format!("there is {}", self.tree.path_of(other))));
        }
        let failed = |error| by_memory(&format!("File {} was not created", path.shown()), &error);
        self.desk.memory().unwritten(name).map(drop).map_err(failed)
    }

    /// Makes all changes in one commit.
    pub(super) fn commit(&mut self, changes: &[Change]) -> Result<Vec<Applied>, MemoryError> {
        let operations: Vec<_> = changes.iter().map(Change::operation).collect();
        if self.desk.is_trial {
            return self.desk.memory().planned(&operations, Authority::Agent);
        }
        let request = RequestId::new(self.tool, &self.call.arguments);
        let applied = self.desk.memory().apply(&operations, &self.desk.author(self.tool), request)?;
        for (change, applied) in changes.iter().zip(&applied) {
            change.note(&mut self.desk.known, applied);
        }
        Ok(applied)
    }
}

/// Refuses to write the log, which memdoc keeps.
pub(super) fn check_writable(path: &Path, name: &DocName) -> Result<(), Box<Refused>> {
    if name.without_case() != DocName::activity().as_str() {
        return Ok(());
    }
    let why = format!("{} is read-only: it logs what was written to the notes", path.shown());
    Err(stop(Code::InvalidArguments, why))
}

/// Answers a command that looks.
pub(super) fn looked(text: String) -> Reply {
    Reply::new(Status::Ok, &()).in_words(text)
}

/// Answers a command that edits.
pub(super) fn edited(text: String, applied: &[Applied]) -> Reply {
    apply::reply(applied).in_words(text)
}

/// Refuses in these words, and no others.
pub(super) fn stop(code: Code, words: impl Into<String>) -> Box<Refused> {
    Refused::new(code, "").in_words(words).with_hint("")
}

/// Refuses what the memory refuses, with its own words.
pub(super) fn by_memory(what: &str, error: &MemoryError) -> Box<Refused> {
    let refused = refusal::memory_error(error);
    let words = format!("{what}: {}", refused.why);
    refused.in_words(words).with_hint("")
}
