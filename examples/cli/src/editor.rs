//! `edit`: a document in the person's editor, written only if it is what its editor saw, or can be merged with it.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use memdoc::edit::Comparison;
use memdoc::memory::RequestId;
use memdoc::request::RequestError;
use memdoc::{Authority, Basis, Edit, Known, MemoryDoc, Operation, Request, View};
use serde_json::json;

use crate::arguments;
use crate::failure::{Answer, Done, Failure};
use crate::place::{Desk, document};
use crate::tools;

/// An edit that somebody has made by hand.
#[derive(Debug)]
pub(crate) struct Handwritten(pub(crate) Edit);

impl Request for Handwritten {
    fn plan(&self, _: &View<'_>) -> Result<Edit, RequestError> {
        Ok(self.0.clone())
    }
}

pub(crate) fn edit(desk: &mut Desk, asked: &arguments::Edit) -> Done {
    let name = document(&asked.document)?;
    let doc = match desk.memory.unwritten(&name)? {
        Some(empty) => empty,
        None => desk.memory.read(&name)?,
    };
    let file = scratch(name.file(), doc.text())?;
    let edited = run_editor(&file).and_then(|()| tools::file(&file));
    let text = match edited {
        Ok(text) => text,
        Err(failure) => return Err(kept(failure, &file)),
    };
    if text == doc.text() {
        remove(&file);
        if desk.output.is_json() {
            desk.output.json(&json!({"status": "no_change", "document": name.as_str()}));
        }
        desk.output.note("nothing was changed");
        return Ok(Answer::Yes);
    }
    let edited = MemoryDoc::with_rules(text, doc.rules().clone());
    let plan = Edit::between(&doc, &edited);
    let authority = if asked.reserved { Authority::Host } else { Authority::Agent };
    let diff = Comparison::between(&doc, &edited).unified(name.as_str());
    if !desk.output.is_json() {
        desk.output.diff(&diff);
    }
    doc.commit(&plan, authority)
        .map_err(|error| kept(Failure::refused(error.code().as_str(), error.to_string()), &file))?;
    if desk.is_dry {
        remove(&file);
        if desk.output.is_json() {
            desk.output.json(&json!({"status": "preview", "document": name.as_str(), "diff": diff}));
        }
        return Ok(Answer::Yes);
    }
    if !desk.is_sure && (desk.output.is_json() || !desk.output.asks("Write this?")?) {
        return Err(kept(Failure::refused("not_confirmed", "nothing was changed"), &file));
    }
    let known = Known::of(&doc);
    let request = Handwritten(plan);
    let operation = Operation::edit(name.clone(), Basis::Known(&known), &request);
    let mut origin = desk.origin("edit", asked.reason.as_deref());
    origin.authority = authority;
    let id = RequestId::new("edit", &json!(edited.text()));
    let applied = desk.memory.apply(&[operation], &origin, id).map_err(|error| kept(error.into(), &file))?;
    remove(&file);
    let seq = applied.iter().find_map(|applied| applied.seq);
    if desk.output.is_json() {
        desk.output.json(
            &json!({"status": "committed", "document": name.as_str(), "seq": seq.map(|seq| seq.get()), "diff": diff}),
        );
    } else {
        desk.output.line(format!("wrote `{name}`{}", seq.map_or_else(String::new, |seq| format!(", as entry {seq}"))));
    }
    Ok(Answer::Yes)
}

/// Says where the person's text is, which must not be lost.
fn kept(failure: Failure, file: &Path) -> Failure {
    failure.with_hint(format!("your text is in `{}`", file.display()))
}

fn remove(file: &Path) {
    let _ = fs::remove_file(file);
    if let Some(directory) = file.parent() {
        let _ = fs::remove_dir(directory);
    }
}

/// Writes a text into a file that only this user can read.
fn scratch(name: &str, text: &str) -> Result<PathBuf, Failure> {
    let base = env::temp_dir();
    let failed = |path: &Path, error: io::Error| Failure::file("write", path, &error);
    for attempt in 0..100_u32 {
        let directory = base.join(format!("memdoc-edit-{}-{attempt}", std::process::id()));
        match private_directory(&directory) {
            Ok(()) => {
                let path = directory.join(format!("{name}.md"));
                let mut file = OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .open(&path)
                    .map_err(|error| failed(&path, error))?;
                file.write_all(text.as_bytes()).map_err(|error| failed(&path, error))?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&directory, error)),
        }
    }
    Err(failed(&base, io::Error::from(io::ErrorKind::AlreadyExists)))
}

fn private_directory(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().mode(0o700).create(path)
}

fn run_editor(file: &Path) -> Result<(), Failure> {
    let named =
        ["VISUAL", "EDITOR"].into_iter().find_map(|name| env::var(name).ok().filter(|value| !value.trim().is_empty()));
    let editor = named.unwrap_or_else(|| "vi".to_owned());
    // As a shell does, since people write options into the variable.
    let status = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::usage(format!("the editor `{editor}` failed: {status}"))),
        Err(error) => Err(Failure::usage(format!("could not start the editor `{editor}`: {error}"))),
    }
}
