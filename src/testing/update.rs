//! [`made`]: checks that the incremental parse of an edited document equals a full parse of its text.

use crate::document::{MemoryDoc, NodeRef, SectionRef};
use crate::edit::{Authority, Draft, Edit, guard};
use crate::text::Line;

/// Applies `edit` to `doc`, unchecked, and compares the result with a full parse of its text: all nodes, the revision,
/// the lines, the tokens, the names of the sections, and the verdict of the guard for an agent and for the host.
/// Returns the result.
///
/// # Errors
///
/// The two differ. The message shows both.
pub fn made(doc: &MemoryDoc, edit: &Edit) -> Result<MemoryDoc, String> {
    // The edit cannot be applied to another revision.
    if edit.base() != doc.revision() {
        return Err("the edit is of another revision".to_owned());
    }
    // Derived values are updated from the old document only if they were computed there: compute them.
    let _ = facts(doc);
    let draft = Draft::new(doc, edit);
    let anew = draft.parsed_anew();
    let verdicts = |draft| [Authority::Agent, Authority::Host].map(|authority| guard::check_draft(draft, authority));
    let [is, ought] = [&draft, &anew].map(|draft| format!("{} {:?}", facts(draft.doc()), verdicts(draft)));
    let (outline, other) = (draft.doc().outline(), anew.doc().outline());
    match outline == other && is == ought {
        true => Ok(draft.doc().clone()),
        false => Err(format!("{outline:?} {is} and, read anew, {other:?} {ought}")),
    }
}

/// Shows the values that are derived from a text, apart from its nodes.
fn facts(doc: &MemoryDoc) -> String {
    let lines = Line::all(doc.text()).map(|line| doc.line_number(line.full.start()));
    let lines: Vec<_> = lines.chain([doc.line_number(doc.text().len())]).collect();
    let names: Vec<_> = doc.sections().map(SectionRef::name).collect();
    let reserved: Vec<_> = doc.reserved_sections().map(|(section, name)| (name, NodeRef::index(section))).collect();
    format!("{lines:?} {names:?} {reserved:?} {} {}", doc.revision(), doc.tokens())
}
