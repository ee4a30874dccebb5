//! [`Shelf`]: the memory as files, and [`FileEdit`], a change of one file. Several changes are one commit. The
//! commands `create`, `delete` and `rename` change whole files and folders.

use crate::document::MemoryDoc;
use crate::locate::Code;
use crate::memory::{Applied, DocName, MemoryError, Operation, RequestId};
use crate::request::patch::DocumentPatch;
use crate::request::{Basis, Known, Request, Rewrite};
use crate::text::Content;
use crate::toolbox::files::Overwrite;
use crate::toolbox::files::path::{AtPath, Path, Tree};
use crate::toolbox::{Asked, Call, Desk, NamedText, Refused, Reply, Status, apply, memory_error};

/// How many files a memory may have, so that it can be listed.
const MOST_DOCUMENTS: usize = 2_000;

/// A change of one file, based on what the agent knows of it.
pub(super) struct FileEdit {
    pub(super) name: DocName,
    pub(super) known: Option<Known>,
    pub(super) action: Action,
}

pub(super) enum Action {
    Create(Content),
    Delete,
    Edit(DocumentPatch),
    Rename { to: DocName, patch: Option<DocumentPatch> },
}

impl FileEdit {
    /// Returns the operation for the memory.
    fn operation(&self) -> Operation<'_> {
        let name = self.name.clone();
        let basis = self.known.as_ref().map_or(Basis::Anything, Basis::Known);
        match &self.action {
            Action::Create(text) => Operation::create(name, text),
            Action::Delete => Operation::delete(name).guarded(basis),
            Action::Edit(patch) => Operation::edit(name, basis, patch),
            Action::Rename { to, patch } => {
                let edit = patch.as_ref().map(|patch| patch as &dyn Request);
                Operation::rename(name, to, edit).guarded(basis)
            }
        }
    }
}

/// The memory as files, and the call that changes them.
pub(super) struct Shelf<'a> {
    pub(super) desk: &'a mut Desk,
    call: &'a Call<'a>,
    /// The name of the tool in the journal.
    tool: &'static str,
    /// The existing files.
    pub(super) tree: Tree,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(desk: &'a mut Desk, call: &'a Call<'a>, tool: &'static str) -> Result<Self, Box<Refused>> {
        let tree = Tree::of(desk.memory(), desk.files.root.clone())?;
        Ok(Self { desk, call, tool, tree })
    }

    /// Reads a document to change. Also returns what the agent knows of it. The agent need not have viewed it, because a
    /// command names what it changes by its text.
    pub(super) fn read(&mut self, path: &Path, name: &DocName) -> Result<(MemoryDoc, Known), Box<Refused>> {
        check_writable(path, name)?;
        let doc = self.desk.memory().read(name).map_err(|error| by_memory(&path.shown, &error))?;
        self.desk.known.show_found(name, &doc);
        let known = self.desk.known.latest(name).cloned().unwrap_or_else(|| Known::of(&doc));
        Ok((doc, known))
    }

    /// Makes an edit, as other tools do.
    pub(super) fn edit(&mut self, name: &DocName, request: Box<dyn Request>) -> Result<Applied, Box<Refused>> {
        let asked = Asked { text: NamedText { document: name.clone(), base: None }, request };
        let applied = apply::commit(self.desk, self.call, std::slice::from_ref(&asked)).inspect_err(|refused| {
            if refused.has("changes") || refused.has("stale_sections") {
                // The diff was shown without line numbers.
                self.desk.known.forget_lines(name);
            }
        })?;
        applied.into_iter().next().ok_or_else(|| Refused::new(Code::Busy, "try again"))
    }

    /// Refuses a change of a text that is not `current`, and shows what has changed.
    pub(super) fn refuse_stale(&mut self, name: &DocName, known: &Known, current: MemoryDoc) -> Box<Refused> {
        let refused = apply::refuse_stale(self.desk, name, known, current);
        self.desk.known.forget_lines(name);
        refused
    }

    /// Plans a change of an existing file.
    pub(super) fn change(&mut self, path: &Path, name: DocName, action: Action) -> Result<FileEdit, Box<Refused>> {
        let (_, known) = self.read(path, &name)?;
        Ok(FileEdit { name, known: Some(known), action })
    }

    /// Plans a new file.
    pub(super) fn creation(&self, path: &Path, text: &str) -> Result<FileEdit, Box<Refused>> {
        let name = self.new_name(path)?;
        if self.tree.documents.len() >= MOST_DOCUMENTS {
            let why = format!("File {} was not created: a memory has at most {MOST_DOCUMENTS} files", path.shown);
            return Err(stop(Code::TooLarge, why));
        }
        Ok(FileEdit { name, known: None, action: Action::Create(text.into()) })
    }

    /// Returns the document of a path, if it may be created.
    pub(super) fn new_name(&self, path: &Path) -> Result<DocName, Box<Refused>> {
        let name = self.tree.document(path)?;
        self.check_new(path, &name)?;
        Ok(name)
    }

    /// Refuses a name that a new document may not have.
    pub(super) fn check_new(&self, path: &Path, name: &DocName) -> Result<(), Box<Refused>> {
        check_writable(path, name)?;
        if let Some(other) = self.tree.in_other_case(name) {
            let why = format!(
                "Invalid path {}: expected a name that differs from all others in more than letter case",
                path.shown
            );
            return Err(stop(Code::InvalidArguments, why).with_hint(format!("there is {}", self.tree.path_of(other))));
        }
        let failed = |error| by_memory(&format!("File {} was not created", path.shown), &error);
        self.desk.memory().unwritten(name).map(drop).map_err(failed)
    }

    /// Makes all changes in one commit.
    pub(super) fn commit(&mut self, changes: &[FileEdit]) -> Result<Vec<Applied>, MemoryError> {
        let operations: Vec<_> = changes.iter().map(FileEdit::operation).collect();
        let request = RequestId::new(self.tool, &self.call.arguments);
        let applied = self.desk.memory().apply(&operations, &self.desk.author(self.tool), request)?;
        for (change, applied) in changes.iter().zip(&applied) {
            if !matches!(change.action, Action::Delete) {
                self.desk.known.update(change.known.as_ref(), applied);
            }
        }
        Ok(applied)
    }
}

/// Refuses to write the activity log.
pub(super) fn check_writable(path: &Path, name: &DocName) -> Result<(), Box<Refused>> {
    if name.without_case() != DocName::activity().as_str() {
        return Ok(());
    }
    let why = format!("{} is read-only: it logs what was written to the notes", path.shown);
    Err(stop(Code::InvalidArguments, why))
}

/// Makes the reply of a command that reads.
pub(super) fn read_reply(text: String) -> Reply {
    Reply::new(Status::Ok, ()).in_words(text)
}

/// Makes the reply of a command that edits.
pub(super) fn edit_reply(text: String, applied: &[Applied]) -> Reply {
    apply::applied_reply(applied).in_words(text)
}

/// Refuses in these words only, without a reason or a hint.
pub(super) fn stop(code: Code, words: impl Into<String>) -> Box<Refused> {
    Refused::new(code, "").in_words(words).with_hint("")
}

/// Refuses what the memory refuses, with its reason.
pub(super) fn by_memory(what: &str, error: &MemoryError) -> Box<Refused> {
    memory_error(error).because(what).with_hint("")
}

/// Creates a file. A file with the same text means that the call was sent twice.
pub(super) fn create(shelf: &mut Shelf<'_>, path: &str, text: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let done = format!("File created successfully at: {}", path.shown);
    let exists = || stop(Code::InvalidArguments, format!("File {} already exists", path.shown));
    let failed = |error| by_memory(&format!("File {} was not created", path.shown), &error);
    match shelf.tree.at(&path)? {
        AtPath::Nothing => {
            let creation = shelf.creation(&path, text)?;
            let applied = shelf.commit(&[creation]).map_err(failed)?;
            Ok(edit_reply(done, &applied))
        }
        AtPath::Folder(_) => Err(exists()),
        AtPath::File(name) if shelf.desk.memory().read(&name).map_err(failed)?.text() == text => Ok(read_reply(done)),
        AtPath::File(_) if shelf.desk.files.overwrite == Overwrite::Refuse => {
            Err(exists().with_hint("use str_replace, or view the file and delete it"))
        }
        AtPath::File(name) => {
            check_writable(&path, &name)?;
            let mut rewrite = Rewrite::new("the whole file is written anew").with_candidate(text);
            rewrite.is_of_shown = true;
            let applied = shelf.edit(&name, Box::new(rewrite)).map_err(|mut refused| {
                if matches!(refused.code, Code::MissingRevision | Code::StaleRevision) {
                    refused.why = format!("view all of {} first", path.shown);
                }
                refused.because(&format!("File {} already exists, and was not overwritten", path.shown))
            })?;
            Ok(edit_reply(done, &[applied]))
        }
    }
}

/// Deletes a file, or a folder with all its files.
pub(super) fn delete(shelf: &mut Shelf<'_>, path: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    if path.is_root() {
        return Err(stop(Code::InvalidArguments, "Cannot delete the /memories directory itself"));
    }
    let changes = shelf.tree.documents(&path)?.into_iter().map(|name| (Action::Delete, name)).collect();
    let applied = change_all(shelf, &path, "deleted", changes)?;
    Ok(edit_reply(format!("Successfully deleted {}", path.shown), &applied))
}

/// Renames a file or a folder.
pub(super) fn rename(shelf: &mut Shelf<'_>, from: &str, to: &str) -> Result<Reply, Box<Refused>> {
    let (from, to) = (Path::read(from)?, Path::read(to)?);
    if from.is_root() {
        return Err(stop(Code::InvalidArguments, "Cannot rename the /memories directory itself"));
    }
    let documents = shelf.tree.documents(&from)?;
    if !matches!(shelf.tree.at(&to)?, AtPath::Nothing) {
        return Err(stop(Code::InvalidArguments, format!("The destination {} already exists", to.shown)));
    }
    let changes = documents.into_iter().map(|name| rename_one(shelf, &from, &to, name)).collect::<Result<_, _>>()?;
    let applied = change_all(shelf, &from, "renamed", changes)?;
    Ok(edit_reply(format!("Successfully renamed {} to {}", from.shown, to.shown), &applied))
}

/// Gives a document its new name, alone or with its folder.
fn rename_one(shelf: &Shelf<'_>, from: &Path, to: &Path, name: DocName) -> Result<(Action, DocName), Box<Refused>> {
    let (old, new) = (shelf.tree.prefix(from), shelf.tree.prefix(to));
    let target = match name.as_str().strip_prefix(&old) {
        None => shelf.tree.document(to)?,
        Some(_) if new.starts_with(&old) => {
            let why = format!("Cannot rename {} to {}, which would be below it", from.shown, to.shown);
            return Err(stop(Code::InvalidArguments, why));
        }
        Some(below) => format!("{new}{below}")
            .parse()
            .map_err(|error| stop(Code::InvalidArguments, format!("Invalid path {}: {error}", to.shown)))?,
    };
    shelf.check_new(to, &target)?;
    Ok((Action::Rename { to: target, patch: None }, name))
}

/// Changes whole documents. Refused if one of them has changed since the agent saw it.
fn change_all(
    shelf: &mut Shelf<'_>,
    path: &Path,
    verb: &str,
    changes: Vec<(Action, DocName)>,
) -> Result<Vec<Applied>, Box<Refused>> {
    let (what, mut planned) = (format!("{} was not {verb}", path.shown), Vec::new());
    for (action, name) in changes {
        let (doc, known) = shelf.read(path, &name)?;
        if known.believed().revision() != doc.revision() {
            let words = format!("{what}: {} has changed since you viewed it.", shelf.tree.path_of(&name));
            return Err(shelf.refuse_stale(&name, &known, doc).in_words(words));
        }
        planned.push(FileEdit { name, known: Some(known), action });
    }
    shelf.commit(&planned).map_err(|error| {
        let inside = error.document().map(|name| shelf.tree.path_of(name)).filter(|inside| *inside != path.shown);
        let of = inside.map(|inside| format!(" of {inside}")).unwrap_or_default();
        memory_error(&error).because(&format!("{what}, because{of}"))
    })
}
