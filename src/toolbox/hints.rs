//! What to send instead: the hint that each kind of refusal ends with.

use super::bullet_hints::bullet_hint;
use super::phrase::HINT;
use super::{Effect, ToolDefinition, phrase};
use crate::document::bullet_start;
use crate::edit::{EditError, Flaw, ItemFlaw, Overlap, ReservedBreach};
use crate::locate::{Candidate, Closest, Diagnostic, Fix, LocateError, Matches, Reason, Target};
use crate::request::patch::PatchError;
use crate::request::{Enough, LossUnit, LostLine, Refusal, Rejection, SectionRefusal};
use crate::text::{Content, Excess, excerpt, visible};

/// The bound of a hint that names several places, in characters.
const CHOICES: usize = 300;

/// Returns the one imperative sentence that a refusal ends with.
pub(super) fn hint(tool: &ToolDefinition, refusal: &Refusal, labels: Labels) -> String {
    let by_fix = || fix_hint(tool, refusal, labels);
    let by_choice = || choice_hint(tool, refusal.matches()?, labels);
    let by_help = || help_hint(refusal);
    by_fix().or_else(by_choice).or_else(by_help).unwrap_or_else(|| refusal_hint(tool, refusal))
}

/// How the places of which one is to be chosen are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    /// By the letters of the candidates that the reply shows.
    Letters,
    /// By their lines: the reply shows the candidates of another part.
    Lines,
}

/// Words a change of the call, unless that takes too long.
fn in_words(tool: &ToolDefinition, fix: &Fix) -> Option<String> {
    tool.words(fix).filter(|words| words.chars().count() <= HINT)
}

/// Says which change of the call makes it work.
fn fix_hint(tool: &ToolDefinition, refusal: &Refusal, labels: Labels) -> Option<String> {
    let fix = refusal.fix()?;
    let words = in_words(tool, fix)?;
    Some(match refusal {
        Refusal::CountMismatch { expected, matches, .. } if matches.len() > *expected => {
            choice_hint(tool, matches, labels).map_or(words.clone(), |choice| format!("{choice}; {words}"))
        }
        Refusal::Locate(LocateError::NotFound { help, .. }) if *fix == Fix::NameTitle && !help.known.is_empty() => {
            format!("{words}: {}", listed(&help.known))
        }
        // What was asked for may be done where it was asked for: another place is only that of another fact.
        Refusal::Locate(LocateError::NotFound { help, .. }) if is_elsewhere(help) => match help.reasons.as_slice() {
            [.., Reason::AlreadyApplied] => format!("it may be done already; only if the one there is meant, {words}"),
            _ => format!("if that is the one you mean, {words}"),
        },
        // Deeper, the same lines may say something of another.
        Refusal::Locate(LocateError::NotFound { .. }) if is_of_other_lines(fix) => {
            format!("if those lines are meant, which stand deeper or less deep, {words}")
        }
        // What stands at an index is not known to be what the index was taken for.
        Refusal::ContextTooThin { enough: Enough::BesideIndex, .. } => format!("if that is the one you mean, {words}"),
        Refusal::Locate(LocateError::NotFound {
            what: Target::Section(_) | Target::Block(_) | Target::Slot(_),
            ..
        }) if !matches!(fix, Fix::NameTitle | Fix::IntoAdded(_)) => {
            format!("if that is the one you mean, {words}")
        }
        _ => words,
    })
}

/// Reports whether a change sends other lines in the place of those that were not found.
fn is_of_other_lines(fix: &Fix) -> bool {
    match fix {
        Fix::Widen { .. } => true,
        Fix::Once(fix) => is_of_other_lines(fix),
        _ => false,
    }
}

/// Reports whether a text was found in another section than the one that was named, or beside the block or bullet.
fn is_elsewhere(help: &Diagnostic) -> bool {
    let is_so = |reason: &Reason| {
        matches!(
            reason,
            Reason::OtherSection(_) | Reason::OutsideBlock(_) | Reason::OutsideBullet(_) | Reason::OutsideScope(_)
        )
    };
    help.reasons.iter().any(is_so)
}

/// Says what names the place of lines that are to be added: the line before them, or the section at whose end they go.
fn anchor_hint(tool: &ToolDefinition, help: &Diagnostic, end_is_open: bool) -> String {
    if !tool.takes(&["patch"]) {
        let names: Vec<_> = help.known.iter().map(|name| phrase::quoted(name)).collect();
        return format!("set \"section\" to one of its labels: {}", names.join(", "));
    }
    let follow =
        help.fix.as_ref().and_then(|fix| in_words(tool, fix)).map(|words| format!("{words}, the line before it"));
    let anchors: Vec<_> = help.known.iter().map(|name| format!("\"@@ section: {}\"", visible(name))).collect();
    let end = if end_is_open { ", or \"*** End of File\" below it" } else { "" };
    let append = match anchors.as_slice() {
        [] if end_is_open => "put \"*** End of File\" below it to add at the end of the document".to_owned(),
        [] => "put \"*** Add Section: NAME\" above it to add a section".to_owned(),
        [only] => format!("put {only} above the hunk to add at that section's end{end}"),
        several => {
            let anchors = several.join(", ");
            format!("to add at the end of a section, put one of {anchors} above the hunk{end}")
        }
    };
    let context = "to add elsewhere, begin the hunk with the line before it as context, behind a space";
    match follow {
        Some(follow) => format!("{follow}; or {append}"),
        None => format!("{append}; {context}"),
    }
}

/// Says how one of several places is chosen: the recommended one, else each that can be, as far as there is room: the first is
/// no likelier than the others.
fn choice_hint(tool: &ToolDefinition, matches: &Matches, labels: Labels) -> Option<String> {
    let candidates = matches.candidates();
    // Where several parts fail, the places are told nowhere else.
    let is_told_apart =
        candidates.iter().any(|other| candidates.first().is_some_and(|first| first.excerpt != other.excerpt));
    let way = |candidate: &Candidate| {
        let words = in_words(tool, candidate.fix.as_ref()?)?;
        Some(match labels {
            Labels::Letters => format!("for {}, {words}", candidate.letter),
            Labels::Lines if is_told_apart => {
                format!("for line {} (`{}`), {words}", candidate.line, excerpt(candidate.excerpt.trim(), 40))
            }
            Labels::Lines => format!("for line {}, {words}", candidate.line),
        })
    };
    if let Some(chosen) = candidates.iter().find(|candidate| candidate.is_recommended) {
        return Some(format!("choose one place; {}", way(chosen)?));
    }
    let mut hint = String::from("choose one place");
    for way in candidates.iter().filter_map(way) {
        if hint.chars().count() + way.chars().count() > CHOICES && hint.contains("; ") {
            hint.push_str("; and so on");
            break;
        }
        hint.push_str(&format!("; {way}"));
    }
    hint.contains("; ").then_some(hint)
}

/// Reports whether several lines were sought.
fn is_of_lines(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Locate(LocateError::NotFound { what: Target::Lines(lines), .. }) => lines.len() > 1,
        Refusal::Locate(LocateError::NotFound { what: Target::Text(text), .. }) => text.contains('\n'),
        _ => false,
    }
}

/// Says what is there in the place of what was not found.
fn help_hint(refusal: &Refusal) -> Option<String> {
    let help = refusal.help()?;
    if help.reasons.iter().any(|reason| matches!(reason, Reason::Reserved(_))) {
        return Some("leave that text as it is: no tool can change it; tell your user".to_owned());
    }
    let several = help.reasons.iter().find_map(|reason| match reason {
        Reason::SeveralDiffer(count) => Some(*count),
        _ => None,
    });
    if let Some(count) = several {
        let line = |Closest { line, text, .. }: &Closest| format!("line {line}: `{text}`");
        let lines: Vec<_> = help.closest.iter().map(line).collect();
        let others = if count > lines.len() { ", and so on" } else { "" };
        return Some(format!(
            "copy these exactly if you mean them, {}{others}; else they may not be there: {}",
            lines.join(", "),
            phrase::READ
        ));
    }
    if is_of_lines(refusal) && help.closest.first().is_some_and(|closest| closest.difference.reason == Reason::Same) {
        let whole = "copy each of these lines whole, with its marker, and with all that stand between them";
        return Some(format!("{whole}: {}", phrase::READ));
    }
    if let Some(Closest { line, text, difference, .. }) = help.closest.first() {
        let is_of_tabs = difference.reason == Reason::Tab || difference.sought == difference.found;
        let tabs = if is_of_tabs && text.contains('→') { ", where → is a tab" } else { "" };
        let twin = help.closest.iter().skip(1).find(|other| other.text == *text);
        let which =
            twin.map_or(String::new(), |twin| format!(", and say which, since line {} reads so too", twin.line));
        return Some(format!(
            "copy the text exactly from line {line} if you mean that: `{text}`{tabs}{which}; else it may not be there: {}",
            phrase::READ
        ));
    }
    let past = help.reasons.iter().find_map(|reason| match reason {
        Reason::GoesPast { end, .. } => Some(end),
        _ => None,
    });
    if let Some(end) = past {
        return Some(format!("send what stands behind line {end} in a hunk of its own"));
    }
    let outside =
        help.reasons.iter().find_map(|reason| if let Reason::NoBullet(line) = reason { Some(line) } else { None });
    if let Some(line) = outside {
        return Some(format!("if line {line} is meant, change it by its text, with replace_in_memory"));
    }
    let made = match refusal {
        Refusal::Locate(LocateError::NotFound { what: Target::Section(name), .. })
            if help.reasons.contains(&Reason::Addable) =>
        {
            format!("; a new one is made by `*** Add Section: {name}`, below it its lines, each behind `+`")
        }
        _ => String::new(),
    };
    (!help.known.is_empty()).then(|| format!("name one that is there: {}{made}", listed(&help.known)))
}

/// Says what to send instead, where nothing is known but what is wrong.
fn refusal_hint(tool: &ToolDefinition, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Edit(error) => return edit_hint(error),
        Refusal::Rejected(rejection) => return rejection_hint(rejection),
        Refusal::Bullet(refusal) => return bullet_hint(tool, refusal),
        Refusal::Section(refusal) => return section_hint(tool, refusal),
        Refusal::Locate(error) => locate_hint(tool, error),
        Refusal::InvalidItem(ItemFlaw::Empty) if tool.takes(&["ops"]) => {
            "set \"new_sub_memory\" (to add: \"sub_memory\") to what the bullet says, or \"intent\" to \"delete\" to remove it"
        }
        Refusal::InvalidItem(ItemFlaw::Empty) => "set \"text\" to what the bullet says",
        Refusal::InvalidItem(ItemFlaw::Sign { .. }) => "leave the sign out if it is a marker, else write it beside the number",
        Refusal::InvalidItem(ItemFlaw::Lifetime { .. }) => "write a duration such as `7d`, or a date",
        Refusal::InvalidItem(ItemFlaw::Unreadable) => "give tags that do not read as a checkbox, beside the text",
        Refusal::InvalidItem(ItemFlaw::Fence { .. }) => "write the text without the code fence",
        Refusal::InvalidItem(ItemFlaw::Structure { .. }) => {
            "send one edit for each bullet; further lines of a bullet are plain text, without markers and headings"
        }
        Refusal::InvalidArgument { .. } => return format!("call {}", tool.shape()),
        Refusal::DuplicateBlock { id, .. } => return format!("set \"memory_id\" to {}", phrase::quoted(id)),
        Refusal::InvalidPatch(PatchError { fix: Some(fix), .. }) => return fix.to_string(),
        Refusal::InvalidPatch(_) => {
            "send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each \
             `@@ section: NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`"
        }
        Refusal::Conflict { .. } => {
            "call memory_read, look at what has changed, then send the edit again if it is still right"
        }
        Refusal::Overlap(_) => "send the parts that touch the same text as one",
        Refusal::OutOfAnchor { .. } => "send both parts as one hunk, with all lines that stand between as context",
        Refusal::Apart { first, then: Some(then), .. } => {
            return format!("send part {} first, without part {}, and that in a second call", first + 1, then + 1);
        }
        Refusal::Apart { overlap: Overlap { first, second, .. }, then: None, .. } => {
            return format!("keep one of the two, and leave out part {} or part {}", first + 1, second + 1);
        }
        Refusal::InvalidBlock { .. } => {
            "choose a title of one line that is no bullet or heading, and an ID without spaces and parentheses"
        }
        Refusal::NeedsAnchor { help, end_is_open } => return anchor_hint(tool, help, *end_is_open),
        Refusal::TooManyParts { .. } => "send them in several calls",
        Refusal::UnreadableSlot { .. } => "choose a name that begins with a letter, without colon, and a one-line value",
        Refusal::UnclosedFrontMatter => "write a line `---` below its last key first",
        Refusal::NestedSlot { .. } => "choose another name, or change that line as text",
        Refusal::ContextTooThin { .. } | Refusal::CountMismatch { .. } => COPY,
    }
    .to_owned()
}

/// The same for a text that must be there.
const COPY: &str = "call memory_read and copy the text exactly";

fn locate_hint(tool: &ToolDefinition, error: &LocateError) -> &'static str {
    let (LocateError::NotFound { what, .. } | LocateError::Ambiguous { what, .. }) = error;
    if let LocateError::NotFound { help, .. } = error
        && help.reasons.iter().any(|reason| matches!(reason, Reason::NotAtEnd(_)))
    {
        return "leave out \"*** End of File\", if that line is meant";
    }
    if let LocateError::NotFound { help, .. } = error
        && help.reasons.contains(&Reason::NotAdjacent)
    {
        return match tool.takes(&["patch"]) {
            true => {
                "write these lines in the order in which they stand, with all that stand between them, or put \"@@\" between \
                 lines that are apart, each with its own changes"
            }
            false => {
                "send these lines in the order in which they stand, with all that stand between them, or each in a call of its own"
            }
        };
    }
    if *what == Target::End {
        return "leave out \"*** End of File\" to add at the end of that scope, or the anchor to add at the document's";
    }
    match (what, error.is_absence()) {
        (Target::Index { .. }, _) => "name the bullet by its text or its key, or call memory_read and count again",
        (Target::Slot(_), true) => "do without it: the front matter has no slot",
        (Target::Slot(_), false) => "keep one of these lines of the front matter, and delete the others first",
        (Target::Section(_), true) if tool.is_of_sections() => "look with memory_read: the document has no section",
        (Target::Section(_), true) => "leave the section out: the document has none",
        (Target::Section(_), false) if tool.effect == Effect::Read => {
            "leave the section out: no name tells these apart"
        }
        (Target::Section(_), false) if tool.takes(&["edits"]) => {
            "leave the section out and name a bullet by its key: the one that is meant, or for a new one \"to\": {\"after\": \
             {\"key\": …}}"
        }
        (Target::Section(_), false) if tool.takes(&["targets"]) => {
            "leave the section out and name the bullet by its key"
        }
        (Target::Section(_), false) if !tool.takes(&["patch", "old_string", "old_text", "start_text"]) => {
            "give one of these another title first: replace its heading together with the line below it"
        }
        (Target::Block(_), false) if tool.takes(&["ops"]) => {
            "give one of these blocks another ID first: replace its header together with the line below it"
        }
        (Target::Section(_) | Target::Block(_), false) => {
            "leave that name out and send the text itself, with lines around it that make it unique"
        }
        (Target::Anchor(_), false) => "set \"search_after\" to more of that text, so that it stands once",
        (Target::Anchor(_), true) => "set \"search_after\" to a text that stands there once, or leave it out",
        (_, true) => "call memory_read and copy the text exactly, if it is there at all",
        (_, false) => "send more of the text around the place, so that it is unique",
    }
}

fn section_hint(tool: &ToolDefinition, refusal: &SectionRefusal) -> String {
    match refusal {
        SectionRefusal::Duplicate { section, .. } => {
            let way = match tool.is_of_sections() {
                _ if tool.is_keyed() => {
                    return format!(
                        "call memory_read, and take one of the headings `{}` out with patch_memory",
                        visible(section)
                    );
                }
                true => format!("call merge_sections with \"target\" set to {}", phrase::quoted(section)),
                false => format!("write into the section that is there, in a hunk under \"@@ section: {section}\""),
            };
            return format!("{way}, or choose another title");
        }
        SectionRefusal::DuplicateTitle { .. } => "choose different titles",
        SectionRefusal::InvalidTitle { .. } => "choose a title of one line that neither ends in `#` nor holds an ID",
        SectionRefusal::Misplaced { .. } => "call memory_read, and name another place",
        SectionRefusal::TwoOrderedLists { .. } => "move the bullets one by one with edit_items",
        SectionRefusal::SameSubsection { .. } => "merge or rename these two first",
        SectionRefusal::LostId { .. } => "merge the other way round, so that the section with the ID stays",
        SectionRefusal::Unmergeable { .. } => {
            "move what stands there by itself, or put an unindented line of text at the end of the target first"
        }
        SectionRefusal::TooDeep { .. } => "choose a target of a higher level",
        SectionRefusal::PinnedLost { .. } => "move the pinned bullets to another section first",
    }
    .to_owned()
}

fn listed(names: &[Content]) -> String {
    names.iter().map(|name| format!("`{}`", visible(name))).collect::<Vec<_>>().join(", ")
}

/// Says what to send instead of a text that the gate does not accept.
fn rejection_hint(rejection: &Rejection) -> String {
    let lines = |lost: &[LostLine]| {
        // One whose number is no count is told with that number as its marker.
        let marker =
            |text: &str| if bullet_start(text).is_some_and(|start| start.marker.len() > 1) { "" } else { "- " };
        let shown = |text: &Content| format!("`{}{}`", marker(text), text.replace('\n', "\n  "));
        let lines = lost.iter().take(3).map(|lost| match &lost.under {
            Some(under) => format!("{} nested in {}", shown(&lost.text), shown(under)),
            None => match &lost.block {
                Some(block) => format!("{} in the block `{block}`", shown(&lost.text)),
                None => shown(&lost.text),
            },
        });
        lines.collect::<Vec<_>>().join(", ")
    };
    match rejection {
        Rejection::Edit(error) => edit_hint(error),
        Rejection::PinnedLost { lost } => {
            format!("set \"candidate\" to the new text with these lines in it, verbatim: {}", lines(lost))
        }
        Rejection::LostIds { blocks, slots } => {
            let lines: Vec<_> = blocks.iter().chain(slots).take(5).map(|line| format!("`{line}`")).collect();
            format!("set \"candidate\" to the new text with these lines in it: {}", lines.join(", "))
        }
        Rejection::DuplicateSlot { name, .. } => {
            format!("set \"candidate\" to the new text with the line of `{name}` in it once")
        }
        Rejection::Omission { .. } => {
            "set \"candidate\" to the whole new text: what it leaves out is gone from the memory".to_owned()
        }
        Rejection::PinAdded { .. } => "leave that bullet without the tag, or pin it with pin_items".to_owned(),
        Rejection::Preface { .. } => "set \"candidate\" to the new text alone, without that line".to_owned(),
        Rejection::LossTooHigh { smallest: Some(tokens), .. } => larger_budget(*tokens),
        Rejection::LossTooHigh { unit: LossUnit::Bytes, gone, allowed, .. } => {
            let (more, bytes) = (gone - allowed, if gone - allowed == 1 { "byte" } else { "bytes" });
            format!(
                "keep {more} more {bytes} of unpinned text: lines of prose as they stand, bullets as they stand or, word for word, \
                 merged with others of their list by `;`; and set \"candidate\" to that"
            )
        }
        Rejection::LossTooHigh { unit, gone, allowed, .. } => {
            format!(
                "keep {} more of the {unit} word for word, as they stand or merged with others of their list by `;`, and set \
                 \"candidate\" to that",
                gone - allowed
            )
        }
        Rejection::OverBudget { excess: Excess { unit, used, limit, .. }, smallest } => {
            let (over, units) = (used - limit, unit.to_string());
            let unit = if over == 1 { units.trim_end_matches('s') } else { &units };
            match smallest {
                Some(tokens) => {
                    format!("a text that is {over} {unit} shorter would lose too much: {}", larger_budget(*tokens))
                }
                None => format!("set \"candidate\" to a text that is {over} {unit} shorter, or allow a larger budget"),
            }
        }
    }
}

fn larger_budget(tokens: usize) -> String {
    format!(
        "set `budget_tokens` to {tokens} or more, or name in `may_drop` the sections whose bullets your user no longer needs"
    )
}

/// Says what to send instead of an edit whose result the guard refuses.
pub(super) fn edit_hint(error: &EditError) -> String {
    match error {
        EditError::StaleRevision { .. } => "call memory_read, then send the edit again".to_owned(),
        EditError::ReservedSection { breach: ReservedBreach::LookAlike(_), section } => {
            format!("word that line so that it does not read like `{section}`")
        }
        EditError::ReservedSection { breach: ReservedBreach::Added(_), section } => {
            format!("give that heading a title that does not read like `{section}`: no tool can add one that does; tell your user")
        }
        EditError::ReservedSection { breach: ReservedBreach::Above, section } => format!("write below `{section}`"),
        EditError::ReservedSection { breach: ReservedBreach::Hidden(_), section } => {
            format!("close that markup, with a blank line behind it, above `{section}`, or write it in backticks")
        }
        EditError::ReservedSection { section, .. } => {
            format!("leave `{section}` as it is: no tool can change it; tell your user")
        }
        EditError::Pinned { .. } => "leave that bullet as it is, or ask the user to have it unpinned".to_owned(),
        EditError::InvalidText(Flaw::Character(..)) => "send the text without that character".to_owned(),
        EditError::InvalidText(Flaw::OpenFence(_)) => "close the code fence in the same text".to_owned(),
        EditError::InvalidText(Flaw::ChangesHands(line)) => {
            format!("include line {line} of the memory: delete it and write it where it is to stand; or write behind all that belongs together")
        }
        EditError::InvalidText(Flaw::BelowBullet(_)) => {
            "begin that line with the marker of a bullet, indent it as far as the bullet's text, or leave a blank line above it".to_owned()
        }
        EditError::InvalidText(Flaw::Joined(_)) => {
            "end the new text with a line break, as the old text does; or take that line into the old text".to_owned()
        }
        EditError::InvalidText(Flaw::Between(_)) => {
            "write what goes to one place in one hunk, in the order in which it is to stand; or make two calls".to_owned()
        }
        EditError::InvalidText(Flaw::InOpenFence(line)) => {
            format!("first close the code fence that begins on line {line} of the memory, in a call of its own")
        }
        EditError::InvalidText(_) => "send text that keeps the lines around it what they are".to_owned(),
        EditError::TooLarge { .. } => "shorten or remove something in the same edit, or before it".to_owned(),
        EditError::MissingSection { section } => format!("keep the heading `{section}`"),
        EditError::DuplicateId { .. } => "use an ID that no other block has".to_owned(),
    }
}
