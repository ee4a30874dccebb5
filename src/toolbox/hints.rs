//! What to send instead: the hint that each kind of refusal ends with.

use super::definition::ToolDefinition;
use super::phrase;
use crate::edit::{EditError, Flaw, ItemFlaw, ReservedBreach};
use crate::locate::{Fix, LocateError, Matches, Reason, Target};
use crate::request::patch::PatchError;
use crate::request::{BulletRefusal, Clash, Duplicate, LostLine, Refusal, Rejection, SectionRefusal};
use crate::text::{Content, Excess, visible};

/// The bound of a hint, in characters; a longer fix is left out.
pub(super) const HINT: usize = 800;

/// Returns the one imperative sentence that a refusal ends with.
pub(super) fn hint(tool: &ToolDefinition, refusal: &Refusal) -> String {
    let in_words = |fix| (tool.phrase)(fix).filter(|words| words.chars().count() <= HINT);
    let candidates = refusal.matches().map(Matches::candidates).unwrap_or_default();
    let choice = || {
        let chosen = candidates.iter().find(|candidate| candidate.is_recommended);
        let chosen = chosen.or_else(|| candidates.iter().find(|candidate| candidate.fix.is_some()))?;
        Some(format!("choose one place; for {}, {}", chosen.letter, in_words(chosen.fix.as_ref()?)?))
    };
    if let Some(words) = refusal.fix().and_then(in_words) {
        return match refusal {
            _ if matches!(refusal.fix(), Some(Fix::NameTitle)) => {
                let known = refusal.help().map(|help| listed(&help.known)).filter(|known| !known.is_empty());
                known.map_or(words.clone(), |known| format!("{words}: {known}"))
            }
            Refusal::CountMismatch { expected, matches, .. } if matches.len() > *expected => {
                choice().map_or(words.clone(), |choice| format!("{choice}; {words}"))
            }
            Refusal::Locate(LocateError::NotFound {
                what: Target::Section(_) | Target::Block(_) | Target::Slot(_),
                ..
            }) => {
                format!("if that is the one you mean, {words}")
            }
            _ => words,
        };
    }
    if let Some(choice) = choice() {
        return choice;
    }
    if let Some(help) = refusal.help() {
        if let Some(closest) = help.closest.first() {
            return format!(
                "copy the text exactly from line {} if that is what you mean, else call memory_read",
                closest.line
            );
        }
        if help.reasons.iter().any(|reason| matches!(reason, Reason::Reserved(_))) {
            return "leave that text as it is: only your user can change it".to_owned();
        }
        if !help.known.is_empty() {
            return format!("name one that is there: {}", listed(&help.known));
        }
    }
    match refusal {
        Refusal::Edit(error) => edit_hint(error),
        Refusal::Rejected(rejection) => rejection_hint(rejection),
        Refusal::Locate(LocateError::NotFound { what: Target::Index { .. }, .. }) => {
            "name the bullet by its text or its key, or call memory_read and count again".to_owned()
        }
        Refusal::Locate(LocateError::NotFound { what: Target::Section(_), .. }) => match tool.is_of_sections() {
            true => "look for what you mean with memory_read: the document has no section".to_owned(),
            false => "leave the section out: the document has none".to_owned(),
        },
        Refusal::Locate(LocateError::NotFound { what: Target::Slot(_), .. }) => {
            "do without it: the front matter has no slot".to_owned()
        }
        Refusal::Locate(LocateError::Ambiguous { what: Target::Slot(_), .. }) => {
            "keep one of these lines of the front matter, and delete the others in another way first".to_owned()
        }
        Refusal::Locate(LocateError::Ambiguous { what: Target::Section(_), .. }) if tool.is_of_sections() => {
            "give one of these another title first: replace its heading together with the line below it".to_owned()
        }
        Refusal::Locate(LocateError::Ambiguous { what: Target::Section(_) | Target::Block(_), .. }) => {
            "leave that name out and send the text itself, with lines around it that make it unique".to_owned()
        }
        Refusal::Conflict { .. } => {
            "call memory_read, look at what has changed, then send the edit again if it is still right".to_owned()
        }
        Refusal::InvalidArgument { .. } => format!("call {}", tool.shape()),
        Refusal::Locate(LocateError::TooCostly) => "send fewer lines of the text, with its section named".to_owned(),
        Refusal::Overlap(_) => "send the parts that touch the same text as one".to_owned(),
        Refusal::Locate(LocateError::Ambiguous { .. }) => {
            "send more of the text around the place, so that it is unique".to_owned()
        }
        Refusal::InvalidItem(ItemFlaw::Structure { .. }) => {
            "send one edit for each bullet; further lines of a bullet are plain text, without markers and headings".to_owned()
        }
        Refusal::InvalidItem(ItemFlaw::Fence { .. }) => "write the text without the code fence".to_owned(),
        Refusal::InvalidItem(_) => "set \"text\" to what the bullet says".to_owned(),
        Refusal::Bullet(BulletRefusal::NoBullet { .. }) => {
            "name the bullet in the target by \"contains\", \"equals\", \"key\", or \"index\" with \"expect\"".to_owned()
        }
        Refusal::Bullet(BulletRefusal::Duplicate(duplicate)) => duplicate_hint(tool, duplicate),
        Refusal::Bullet(BulletRefusal::InsertedTwice { second, .. }) => format!("leave part {} out", second + 1),
        Refusal::Bullet(BulletRefusal::NeedsNumber { text, .. }) if tool.name == "patch_memory" => {
            format!("write the line with the number that is meant, as in {}", phrase::quoted(&format!("+{text}")))
        }
        Refusal::Bullet(BulletRefusal::NeedsNumber { text, .. }) => {
            format!("begin \"text\" with the number that is meant, as in {}", phrase::quoted(text))
        }
        Refusal::Bullet(BulletRefusal::SameBullet { first, second, clash, .. }) => clash_hint(clash, first + 1, second + 1),
        Refusal::Bullet(BulletRefusal::HasChildren { .. }) => {
            "set \"children\" to \"delete\" to delete them too, or to \"keep\" to move them up a level".to_owned()
        }
        Refusal::InvalidBlock { .. } => {
            "choose a title of one line that is no bullet or heading, and an ID without spaces and parentheses"
                .to_owned()
        }
        Refusal::DuplicateBlock { id, .. } => format!("set \"memory_id\" to {}", phrase::quoted(id)),
        Refusal::InvalidPatch(PatchError { fix: Some(fix), .. }) => fix.to_string(),
        Refusal::InvalidPatch(_) => "send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each `@@ section: \
             NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`"
                .to_owned(),
        Refusal::NeedsAnchor => "put \"@@ section: NAME\" above the hunk, or \"*** End of File\" below it".to_owned(),
        Refusal::TooManyParts { .. } => "send them in several calls".to_owned(),
        Refusal::TooCostly => "send fewer hunks at once, each with its section named".to_owned(),
        Refusal::Section(SectionRefusal::Duplicate { section, .. }) if tool.is_of_sections() => {
            let section = phrase::quoted(section);
            format!("call merge_sections with \"target\" set to {section}, or choose another title")
        }
        Refusal::Section(SectionRefusal::Duplicate { section, .. }) => {
            format!("write into the section that is there, in a hunk under \"@@ section: {section}\", or choose another title")
        }
        Refusal::Section(SectionRefusal::DuplicateTitle { .. }) => "choose different titles".to_owned(),
        Refusal::Section(SectionRefusal::InvalidTitle { .. }) => {
            "choose a title of one line that neither ends in `#` nor holds an ID".to_owned()
        }
        Refusal::Section(SectionRefusal::NotASibling { .. }) => "name a section of the same level below the same heading".to_owned(),
        Refusal::Section(SectionRefusal::SameSubsection { .. }) => "merge or rename these two first".to_owned(),
        Refusal::Section(SectionRefusal::LostId { .. }) => "merge the other way round, so that the section with the ID stays".to_owned(),
        Refusal::Section(SectionRefusal::Unmergeable { .. }) => {
            "move what stands there by itself, or put an unindented line of text at the end of the target first".to_owned()
        }
        Refusal::Section(SectionRefusal::TooDeep { .. }) => "choose a target of a higher level".to_owned(),
        Refusal::UnreadableSlot { .. } => {
            "choose a name that begins with a letter and holds no colon, and a value of one line".to_owned()
        }
        Refusal::NestedSlot { .. } => "choose another name, or change that line as text".to_owned(),
        Refusal::Section(SectionRefusal::PinnedLost { .. }) => "move the pinned bullets to another section first".to_owned(),
        _ => "call memory_read and copy the text exactly".to_owned(),
    }
}

/// Lists names.
fn listed(names: &[Content]) -> String {
    names.iter().map(|name| format!("`{}`", visible(name))).collect::<Vec<_>>().join(", ")
}

/// Says how parts that change one bullet are sent, if not together.
fn clash_hint(clash: &Clash, first: usize, second: usize) -> String {
    match clash {
        Clash::Twice => format!("keep one of the two, and leave out part {first} or part {second}"),
        Clash::Deleted => {
            format!(
                "leave out part {first} if all of it is to go; else send part {first} first, and part {second} in a second call"
            )
        }
        _ => format!("send part {first} first, and part {second} in a second call"),
    }
}

/// Says what to send instead of a bullet that is there already.
fn duplicate_hint(tool: &ToolDefinition, duplicate: &Duplicate) -> String {
    if tool.name == "edit_items" {
        let edits = phrase::retagged(duplicate);
        if edits.chars().count() <= HINT - 100 {
            return format!(
                "if that one is meant, send \"edits\": {edits} instead; else set \"allow_duplicate\" to true"
            );
        }
    }
    format!("leave the operation out if the bullet on line {} is meant", duplicate.line)
}

/// Says what to send instead of a text that the gate does not accept.
fn rejection_hint(rejection: &Rejection) -> String {
    let lines = |lost: &[LostLine]| {
        let lines = lost.iter().take(3).map(|lost| format!("`- {}`", lost.text.replace('\n', "\n  ")));
        lines.collect::<Vec<_>>().join(", ")
    };
    match rejection {
        Rejection::Edit(error) => edit_hint(error),
        Rejection::PinnedLost { lost } => {
            format!("set \"candidate\" to the new text with these lines in it, verbatim: {}", lines(lost))
        }
        Rejection::LostIds { blocks, slots } => {
            let names =
                blocks.iter().map(|id| format!("`(ID: {id})`")).chain(slots.iter().map(|slot| format!("`{slot}`")));
            let names: Vec<_> = names.take(5).collect();
            format!("set \"candidate\" to the new text with these in it: {}", names.join(", "))
        }
        Rejection::DuplicateSlot { name, .. } => {
            format!("set \"candidate\" to the new text with the line of `{name}` in it once")
        }
        Rejection::Omission { .. } => {
            "set \"candidate\" to the whole new text: what it leaves out is gone from the memory".to_owned()
        }
        Rejection::PinAdded { .. } => "leave that bullet without the tag, or pin it with pin_items".to_owned(),
        Rejection::LossTooHigh { unit, gone, allowed, .. } => {
            format!(
                "keep {} more of the {unit}, or write bullets that contain them as clauses of their own or cite them as \
                 `[from: KEY]`, and set \"candidate\" to that",
                gone - allowed
            )
        }
        Rejection::OverBudget(Excess { unit, used, limit, .. }) => {
            format!("set \"candidate\" to a text that is {} {unit} shorter, or allow a larger budget", used - limit)
        }
    }
}

/// Says what to send instead of an edit whose result the guard refuses.
pub(super) fn edit_hint(error: &EditError) -> String {
    match error {
        EditError::StaleRevision { .. } => "call memory_read, then send the edit again".to_owned(),
        EditError::ReservedSection { breach: ReservedBreach::LookAlike(_), section } => {
            format!("word that line so that it does not read like `{section}`")
        }
        EditError::ReservedSection { breach: ReservedBreach::Above, section } => format!("write below `{section}`"),
        EditError::ReservedSection { breach: ReservedBreach::Hidden(_), section } => {
            format!("close that markup, with a blank line behind it, above `{section}`, or write it in backticks")
        }
        EditError::ReservedSection { section, .. } => {
            format!("leave `{section}` as it is: only your user can change it")
        }
        EditError::InvalidText(Flaw::Character(..)) => "send the text without that character".to_owned(),
        EditError::InvalidText(Flaw::OpenFence(_)) => "close the code fence in the same text".to_owned(),
        EditError::InvalidText(_) => "send text that keeps the lines around it what they are".to_owned(),
        EditError::TooLarge { .. } => "shorten or remove something in the same edit, or before it".to_owned(),
        EditError::MissingSection { section } => format!("keep the heading `{section}`"),
        EditError::DuplicateId { .. } => "use an ID that no other block has".to_owned(),
    }
}
