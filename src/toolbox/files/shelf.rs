//! [`Shelf`]: a memory as the commands of the tool use it, and their answers: the words that the vendor's protocol expects, and\nmemdoc's own behind them.

use crate::document::MemoryDoc;
use crate::edit::Authority;
use crate::locate::Code;
use crate::memory::{Applied, DocName, Memory, MemoryError, Operation, RequestId};
use crate::request::{Known, Request};
use crate::toolbox::definition::{Asked, Call, Requested};
use crate::toolbox::desk::Desk;
use crate::toolbox::editing::follow;
use crate::toolbox::files::FilesConfig;
use crate::toolbox::files::path::Path;
use crate::toolbox::files::tree::Tree;
use crate::toolbox::refused::Refused;
use crate::toolbox::{Reply, Status, apply, refusal};

/// A memory, what the agent knows of it, and the call.
pub(super) struct Shelf<'a> {
    pub(super) desk: &'a mut Desk,
    pub(super) call: &'a Call<'a>,
    /// What the journal calls the tool.
    pub(super) tool: &'static str,
}

impl Shelf<'_> {
    pub(super) fn memory(&self) -> &Memory {
        self.desk.memory()
    }

    pub(super) fn config(&self) -> &FilesConfig {
        &self.desk.files
    }

    pub(super) fn root(&self) -> Option<&DocName> {
        self.desk.files.root.as_ref()
    }

    pub(super) fn tree(&self) -> Result<Tree, Box<Refused>> {
        Tree::of(self.memory(), self.root())
    }

    /// Reads a document of which the agent need not have been shown anything: what it is to change it names by its text.
    pub(super) fn found(&mut self, name: &DocName) -> Result<MemoryDoc, MemoryError> {
        let doc = self.memory().read(name)?;
        self.desk.known.show_found(name, &doc);
        Ok(doc)
    }

    /// Returns what the agent knows of a document; of one that it was shown nothing of, as it stands.
    pub(super) fn known(&self, name: &DocName) -> Result<Known, MemoryError> {
        match self.desk.known.latest(name) {
            Some(known) => Ok(known.clone()),
            None => Ok(Known::of(&self.memory().read(name)?)),
        }
    }

    /// Makes an edit as every tool does.
    pub(super) fn edit(&mut self, name: &DocName, request: impl Request + 'static) -> Result<Applied, Box<Refused>> {
        self.ask(name, request.into())
    }

    /// Makes what is asked for of a document as every tool does.
    pub(super) fn ask(&mut self, name: &DocName, request: Requested) -> Result<Applied, Box<Refused>> {
        let asked = Asked { document: name.clone(), base: None, request };
        let made = apply::made(self.desk, self.call, std::slice::from_ref(&asked));
        made.and_then(|applied| applied.into_iter().next().ok_or_else(|| Refused::new(Code::Busy, "try again")))
            .map_err(|refused| self.completed(name, refused))
    }

    /// Refuses what is based on a text of a document that is not `current`, and shows what has changed.
    pub(super) fn stale(&mut self, name: &DocName, request: Requested, current: MemoryDoc) -> Box<Refused> {
        let Some(known) = self.desk.known.latest(name).cloned() else {
            return Refused::new(Code::StaleRevision, "it has changed");
        };
        let asked = Asked { document: name.clone(), base: None, request };
        let seen = known.revision().short();
        let error = MemoryError::StaleRevision { document: name.clone(), seen, current };
        let refused = apply::refused(self.desk, &error, std::slice::from_ref(&asked), &[Some(known)]);
        self.completed(name, refused)
    }

    /// Commits what becomes of whole documents, as one.
    pub(super) fn commit(&mut self, operations: &[Operation<'_>]) -> Result<Vec<Applied>, MemoryError> {
        if self.desk.is_trial {
            return self.memory().planned(operations, Authority::Agent);
        }
        let origin = self.desk.author(self.tool);
        let request = RequestId::new(self.tool, &self.call.arguments);
        let applied = self.memory().apply(operations, &origin, request)?;
        self.desk.recorded = None;
        follow(self.desk, &applied);
        Ok(applied)
    }

    /// Adds the call that would be made in the place of a refused one.
    fn completed(&mut self, name: &DocName, refused: Box<Refused>) -> Box<Refused> {
        if refused.changes.is_some() || refused.stale_sections.is_some() {
            // What has changed was shown without the numbers of lines.
            self.desk.known.forget_lines(name);
        }
        refused
    }
}

/// Refuses to write the log, which memdoc keeps.
pub(super) fn check_writable(path: &Path, name: &DocName) -> Result<(), Box<Refused>> {
    match name.without_case() == DocName::activity().as_str() {
        true => {
            let why = format!("{} is read-only: it logs what was written to the notes", path.shown());
            Err(stop(Code::InvalidArguments, why))
        }
        false => Ok(()),
    }
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
