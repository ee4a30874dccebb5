//! `set_slot` and `remove_slot`: the `name: value` lines of the front matter.
//!
//! White space around a name or a value is ignored. A name finds a slot whose name differs only in letter case, as
//! everywhere. A key whose value is nested or quoted YAML is no slot: it is not changed, and no slot of its name is added.

use super::{Refusal, Request, RequestError, View};
use crate::document::MemoryDoc;
use crate::edit::compose::{NewSlot, remove_slot, set_slot};
use crate::edit::{Edit, EditBuilder, Part, PartStatus};
use crate::locate::{Code, LocateError, Names};
use crate::text::{Content, Line, excerpt, fold_name, visible};

/// A change of a slot.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::SlotOp};
///
/// let doc = MemoryDoc::parse("---\nuser: Bob\n---\n## Facts\n");
/// let edit = SlotOp::set("user", "Ada").plan(&View::current(&doc, Timestamp::default()))?;
/// assert_eq!(doc.commit(&edit, Authority::Agent)?.doc.text(), "---\nuser: Ada\n---\n## Facts\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlotOp {
    /// Gives a slot this value, and makes the slot if there is none of that name.
    Set {
        /// Its name.
        name: Content,
        /// Its value, one line.
        value: Content,
    },
    /// Removes a slot. With the last slot, the front matter is removed too.
    Remove {
        /// Its name.
        name: Content,
    },
}

impl SlotOp {
    /// Gives the slot `name` this value.
    pub fn set(name: impl Into<Content>, value: impl Into<Content>) -> Self {
        Self::Set { name: name.into(), value: value.into() }
    }

    /// Removes the slot `name`.
    pub fn remove(name: impl Into<Content>) -> Self {
        Self::Remove { name: name.into() }
    }

    fn resolve(&self, doc: &MemoryDoc, edit: &mut EditBuilder) -> Result<Part, Refusal> {
        let (name, value) = match self {
            Self::Set { name, value } => (name, value),
            Self::Remove { name } => {
                let found = Names::new(doc).slot(name.trim(), doc.span())?;
                remove_slot(doc, found.at, edit.for_part(0));
                return Ok(Part::new(PartStatus::Applied).with_healed(found.healed));
            }
        };
        let slot = NewSlot { name: name.trim(), value: value.trim() };
        match Names::new(doc).slot(slot.name, doc.span()) {
            Ok(found) if found.at.value.of(doc.text()) == slot.value => {
                Ok(Part::new(PartStatus::AlreadyApplied).with_healed(found.healed))
            }
            Ok(found) => {
                check(NewSlot { name: found.at.name.of(doc.text()), ..slot })?;
                set_slot(doc, found.at, slot.value, edit.for_part(0));
                Ok(Part::new(PartStatus::Applied).with_healed(found.healed))
            }
            Err(LocateError::NotFound { .. }) => {
                check(slot)?;
                check_keys(doc, slot.name)?;
                if doc.has_unclosed_front_matter() {
                    let why = "the front matter that line 1 opens is not closed by a line `---`";
                    return Err(Refusal::impossible(Code::InvalidText, why));
                }
                slot.add(doc, edit.for_part(0));
                Ok(Part::new(PartStatus::Applied))
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Request for SlotOp {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let mut edit = EditBuilder::new(view.doc);
        let part = self.resolve(view.doc, &mut edit)?;
        Ok(edit.finish()?.with_parts(vec![part]))
    }
}

/// Refuses a slot that would be read in another way than it is written.
fn check(slot: NewSlot<'_>) -> Result<(), Refusal> {
    if slot.is_readable() {
        return Ok(());
    }
    let [name, value] = [slot.name, slot.value].map(|text| visible(&excerpt(text, 60)));
    Err(Refusal::impossible(Code::InvalidText, format!("`{name}` with the value `{value}` cannot be a slot")))
}

/// Refuses a name that the front matter has as a key which is no slot.
fn check_keys(doc: &MemoryDoc, name: &str) -> Result<(), Refusal> {
    let text = doc.text();
    let Some(front) = doc.outline().front_matter else { return Ok(()) };
    let is_key = |line: &str| {
        let key = line.split_once(':').map(|(key, _)| key.trim_matches([' ', '\t', '"', '\'']));
        !line.starts_with([' ', '\t']) && key.is_some_and(|key| fold_name(key) == fold_name(name))
    };
    let Some(line) = Line::all_within(text, front).find(|line| is_key(line.text.of(text))) else { return Ok(()) };
    let (name, line) = (visible(&excerpt(name, 60)), doc.line_number(line.full.start()));
    let why = format!(
        "`{name}` on line {line} of the front matter is no slot: it is nested, quoted, or not written `name: value`"
    );
    Err(Refusal::impossible(Code::InvalidText, why))
}
