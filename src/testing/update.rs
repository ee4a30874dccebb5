//! Whether the incremental parse of an edited document equals a full parse of its text.

use crate::document::{MemoryDoc, NodeRef, SectionRef};
use crate::edit::{Authority, Draft, Edit};
use crate::text::Line;

/// Applies `edit` to `doc`, unchecked, and compares the result with a full parse of its text: every node, the
/// revision, the lines, the tokens, the names of the sections, and what the guard says of it, to an agent and to the
/// host. Returns the result.
///
/// # Errors
///
/// They differ: in what, and how.
pub fn made(doc: &MemoryDoc, edit: &Edit) -> Result<MemoryDoc, String> {
    // An edit of another revision is always refused.
    if edit.base() != doc.revision() {
        return Err("the edit is of another revision".to_owned());
    }
    // Facts about the old text are carried over only if they were asked for before.
    let _ = facts(doc);
    let draft = Draft::new(doc, edit);
    let anew = draft.parsed_anew();
    let verdicts = |draft: &Draft<'_>| [Authority::Agent, Authority::Host].map(|authority| draft.verdict(authority));
    let [is, ought] = [&draft, &anew].map(|draft| format!("{} {:?}", facts(draft.doc()), verdicts(draft)));
    let (outline, other) = (draft.doc().outline(), anew.doc().outline());
    match outline == other && is == ought {
        true => Ok(draft.doc().clone()),
        false => Err(format!("{outline:?} {is} and, read anew, {other:?} {ought}")),
    }
}

/// Shows what is derived from a text beside its nodes.
fn facts(doc: &MemoryDoc) -> String {
    let lines = Line::all(doc.text()).map(|line| doc.line_number(line.full.start()));
    let lines: Vec<_> = lines.chain([doc.line_number(doc.text().len())]).collect();
    let names: Vec<_> = doc.sections().map(SectionRef::name).collect();
    let reserved: Vec<_> = doc.reserved_sections().map(|(section, name)| (name, NodeRef::index(section))).collect();
    format!("{lines:?} {names:?} {reserved:?} {} {}", doc.revision(), doc.tokens())
}
