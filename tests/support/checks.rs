//! What must hold of every document and every edit: plain functions that panic where it does not.
//!
//! Shared by the integration tests and the fuzz targets. The oracles in here are written apart from the crate: they splice
//! text by themselves, and read reserved sections by a scanner of their own.

use memdoc::{
    Authority, Commit, Edit, MemoryDoc, Replace, Reply, Request as _, Revision, Status, Timestamp, View,
    document::BulletRef, document::Outline, document::TextView, edit::EditBuilder, edit::Part, edit::Promise,
    locate::Leniency, request::validate, text::Span, text::visible,
};
use serde_json::Value;
use unicode_normalization::char::is_combining_mark;

/// `parse` keeps every byte, and the revision is that of the text.
pub fn check_lossless(text: &str) {
    let doc = MemoryDoc::parse(text);
    assert_eq!(doc.text(), text);
    assert_eq!(doc.revision(), Revision::of(text));
    assert_eq!(doc.clone(), doc);
    check_structure(&doc);
    check_views(&doc);
}

/// Every node is a span of the text, in document order, and nodes nest or stand apart.
pub fn check_structure(doc: &MemoryDoc) {
    let (text, outline) = (doc.text(), doc.outline());
    check_front(text, outline);
    check_sections(doc);
    check_blocks(doc);
    check_bullets(doc);
    check_labels(doc);
    let mut end = outline.body_start;
    for fence in &outline.fences {
        check_lines(text, fence.extent);
        assert!(fence.extent.start() >= end, "fences overlap at {:?}", fence.extent);
        end = fence.extent.end();
        assert!(outline.is_fenced(fence.extent.start()));
    }
    let is_structure_fenced = |start: usize| outline.is_fenced(start) && !starts_fence(outline, start);
    let starts = outline.sections.iter().map(|section| section.line).chain(outline.blocks.iter().map(|b| b.line));
    for line in starts.chain(outline.bullets.iter().map(|bullet| bullet.line)) {
        assert!(!is_structure_fenced(line.start()), "a node in a fence at {line:?}");
    }
}

/// Labels follow each other, and each begins with its line and owns at least one bullet.
fn check_labels(doc: &MemoryDoc) {
    let mut end = doc.outline().body_start;
    for label in doc.labels() {
        check_line(doc, label.line, (label.line_number(), label.line_text()));
        check_lines(doc.text(), label.extent);
        assert!(label.line.start() >= end && label.line.covers(label.name) && !label.name().is_empty());
        assert!(label.extent.start() == label.line.start() && label.bullets().next().is_some());
        assert!(label.bullets().all(|bullet| bullet.label() == Some(label)));
        end = label.extent.end();
    }
}

fn starts_fence(outline: &Outline, offset: usize) -> bool {
    outline.fences.iter().any(|fence| fence.extent.start() == offset)
}

fn check_front(text: &str, outline: &Outline) {
    let bom = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    assert_eq!(outline.body_start, outline.front_matter.map_or(bom, Span::end));
    let Some(front) = outline.front_matter else {
        assert!(outline.slots.is_empty());
        return;
    };
    assert_eq!(front.start(), bom);
    check_lines(text, front);
    let mut end = front.start();
    for slot in &outline.slots {
        check_lines(text, slot.line);
        assert!(front.covers(slot.line) && slot.line.start() >= end);
        assert!(
            slot.line.covers(slot.name) && slot.line.covers(slot.value) && slot.name.end() < slot.value.start() + 1
        );
        assert!(!slot.name.is_empty() && text.is_char_boundary(slot.name.end()));
        end = slot.line.end();
    }
}

/// Headings and bodies tile the text behind the preamble; extents nest.
fn check_sections(doc: &MemoryDoc) {
    let (text, sections) = (doc.text(), &doc.outline().sections);
    let starts: Vec<_> = sections.iter().map(|section| section.line.start()).collect();
    for (index, section) in doc.sections().enumerate() {
        assert!(std::ptr::eq(&*section, &sections[index]) && section.index() == index && section.doc() == doc);
        check_line(doc, section.line, (section.line_number(), section.line_text()));
        assert!(section.line.start() >= doc.outline().body_start);
        assert!(
            section.line.covers(section.title) && section.title.of(text).trim_matches([' ', '\t']) == section.title()
        );
        assert!((1..=6).contains(&section.level));
        let next = starts.get(index + 1).copied().unwrap_or(text.len());
        assert_eq!(section.body, Span::new(section.line.end(), next), "a body runs to the next heading");
        let after = sections.get(index + 1..).unwrap_or_default();
        let closing = after.iter().find(|other| other.level <= section.level).map_or(text.len(), |s| s.line.start());
        assert_eq!(section.extent, Span::new(section.line.start(), closing), "an extent runs to the next of its level");
        let before = sections.get(..index).unwrap_or_default();
        let parent = before.iter().rposition(|other| other.level < section.level);
        let parent = parent.filter(|parent| sections[*parent].extent.covers(section.extent));
        assert_eq!(section.parent().map(|parent| parent.index()), parent);
        assert_eq!(section.ancestors().nth(1), section.parent());
        assert_eq!(doc.section_at(section.line.start()), Some(section));
        if let Some(block) = section.block() {
            assert_eq!((block.line, block.is_section, block.section()), (section.line, true, Some(section)));
        }
        assert!(section.bullets().eq(doc.bullets().filter(|bullet| bullet.section() == Some(section))));
        assert!(section.bullets().eq(doc.bullets_within(section.body)));
    }
}

fn check_blocks(doc: &MemoryDoc) {
    let text = doc.text();
    let mut end = 0;
    for (index, block) in doc.blocks().enumerate() {
        assert!(std::ptr::eq(&*block, &doc.outline().blocks[index]) && block.index() == index && block.doc() == doc);
        check_line(doc, block.line, (block.line_number(), block.line_text()));
        check_lines(text, block.extent);
        assert!(block.line.start() >= end, "blocks overlap at {:?}", block.extent);
        assert!(block.extent.start() == block.line.start() && block.extent.covers(block.line));
        assert!(block.line.covers(block.title) && block.line.covers(block.id) && !block.id.is_empty());
        let section = doc.section_at(block.line.start());
        assert_eq!(block.section(), section);
        if let Some(section) = section {
            assert!(block.extent.end() <= section.body.end(), "a block ends with its section's body");
        }
        assert_eq!((block.title(), block.id()), (block.title.of(text), block.id.of(text)));
        assert_eq!(doc.block_at(block.line.start()), Some(block));
        assert!(block.bullets().eq(doc.bullets().filter(|bullet| bullet.block() == Some(block))));
        end = block.extent.end();
    }
}

fn check_bullets(doc: &MemoryDoc) {
    let text = doc.text();
    // The bullets that are open, outermost first.
    let mut open: Vec<BulletRef<'_>> = Vec::new();
    let mut last = 0;
    for (index, bullet) in doc.bullets().enumerate() {
        assert!(
            std::ptr::eq(&*bullet, &doc.outline().bullets[index]) && bullet.index() == index && bullet.doc() == doc
        );
        check_line(doc, bullet.line, (bullet.line_number(), bullet.line_text()));
        check_lines(text, bullet.extent);
        assert!(bullet.line.start() >= last && bullet.extent.start() == bullet.line.start());
        last = bullet.line.end();
        assert!(bullet.extent.covers(bullet.line) && bullet.line.covers(bullet.marker));
        assert!(bullet.indentation().of(text).bytes().all(|byte| matches!(byte, b' ' | b'\t')));
        assert!(bullet.line.covers(bullet.tags_span()) && bullet.tags_span().start() >= bullet.marker.end());
        assert!(
            bullet.first_text().start() >= bullet.tags_span().end() && bullet.first_text().end() <= bullet.line.end()
        );
        assert_eq!(bullet.first_text().end(), bullet.line.start() + bullet.line_text().len());
        assert!(text.is_char_boundary(bullet.first_text().start()));
        let before_tags = text.get(bullet.marker.end()..bullet.tags_span().start()).unwrap();
        assert_eq!(before_tags.trim(), bullet.checkbox().unwrap_or_default());
        while open.last().is_some_and(|open| open.extent.end() <= bullet.line.start()) {
            open.pop();
        }
        assert!(
            open.last().is_none_or(|open| open.extent.covers(bullet.extent)),
            "extents cross at {:?}",
            bullet.extent
        );
        assert_eq!(bullet.parent(), open.last().copied(), "at {:?}", bullet.line);
        assert_eq!(bullet.depth(), open.len());
        open.push(bullet);
        assert_eq!(bullet.section(), doc.section_at(bullet.line.start()));
        assert_eq!(bullet.block(), doc.block_at(bullet.line.start()), "the block of the bullet at {:?}", bullet.line);
        assert_eq!(doc.bullet_at(bullet.line.start()), Some(bullet));
        assert!(bullet.children().eq(doc.bullets().filter(|other| other.parent() == Some(bullet))));
        assert_eq!(bullet.marker(), bullet.marker.of(text));
        assert_eq!(doc.bullets_by_key(bullet.key().as_str()), [bullet], "key {}", bullet.key());
    }
}

/// A node starts in the line of this number, which reads so.
fn check_line(doc: &MemoryDoc, line: Span, (number, shown): (usize, &str)) {
    check_lines(doc.text(), line);
    assert_eq!(number, 1 + doc.text()[..line.start()].matches('\n').count());
    let text = line.of(doc.text());
    assert_eq!(shown, text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text)));
}

/// The span is made of whole lines.
fn check_lines(text: &str, span: Span) {
    let is_start =
        |offset: usize| offset == 0 || offset == 3 && text.starts_with('\u{FEFF}') || text[..offset].ends_with('\n');
    assert!(span.end() <= text.len() && is_start(span.start()), "{span:?} does not start a line");
    assert!(span.end() == text.len() || is_start(span.end()), "{span:?} does not end a line");
}

/// Returns `text` with the splices made, without the crate's help.
pub fn spliced(text: &str, edit: &Edit) -> String {
    let mut result = text.to_owned();
    for splice in edit.splices().iter().rev() {
        result.replace_range(splice.span.range(), &splice.text);
    }
    result
}

/// The splices are sorted and disjoint, and lie in the text on character boundaries.
pub fn check_splices(text: &str, edit: &Edit) {
    let mut end = 0;
    for splice in edit.splices() {
        assert!(splice.span.start() >= end && splice.span.end() <= text.len(), "{:?}", edit.splices());
        assert!(text.is_char_boundary(splice.span.start()) && text.is_char_boundary(splice.span.end()));
        assert!(splice.part <= edit.parts().len());
        end = splice.span.end();
    }
}

/// Commits an edit and checks all that must hold of a commit, or of a refusal.
pub fn check_commit(doc: &MemoryDoc, edit: &Edit, authority: Authority) -> Option<Commit> {
    let (text, revision) = (doc.text().to_owned(), doc.revision());
    check_splices(&text, edit);
    let result = doc.commit(edit, authority);
    assert_eq!((doc.text(), doc.revision()), (text.as_str(), revision), "a document is a value");
    let Ok(commit) = result else { return None };
    assert_eq!(commit.doc.text(), spliced(&text, edit), "bytes outside the splices stay as they are");
    assert_eq!((commit.receipt.base, commit.receipt.revision), (revision, commit.doc.revision()));
    assert_eq!((commit.receipt.bytes.before, commit.receipt.bytes.after), (text.len(), commit.doc.text().len()));
    check_outline(&commit.doc);
    check_inverse(doc, &commit);
    if authority == Authority::Agent {
        check_reserved(&text, commit.doc.text());
    }
    Some(commit)
}

/// The structure and the revision of a committed document are those of its text.
pub fn check_outline(doc: &MemoryDoc) {
    let fresh = MemoryDoc::parse(doc.text());
    assert_eq!(doc.outline(), fresh.outline());
    assert_eq!(doc.revision(), fresh.revision());
}

/// The inverse gives back the text; where the old text breaks no rule, it can be committed, and gives back the revision.
pub fn check_inverse(doc: &MemoryDoc, commit: &Commit) {
    assert_eq!(commit.inverse.base(), commit.doc.revision());
    check_splices(commit.doc.text(), &commit.inverse);
    assert_eq!(spliced(commit.doc.text(), &commit.inverse), doc.text(), "the inverse gives back the text");
    match commit.doc.commit(&commit.inverse, Authority::Host) {
        Ok(undone) => assert_eq!((undone.doc.text(), undone.doc.revision()), (doc.text(), doc.revision())),
        Err(error) => {
            let violations = validate(doc, Timestamp::default());
            assert!(!violations.is_empty(), "a clean text cannot be restored: {error}");
        }
    }
}

/// Members of replies that say what a document, an entry or the call says, byte for byte.
const VERBATIM: &[&str] = &["text", "content", "summary"];

/// Nothing hides in what a reply quotes.
fn check_printable(name: &str, value: &Value, reply: &Reply) {
    match value {
        // What is to be sent is no quotation.
        Value::Object(_) if ["arguments", "change"].contains(&name) => {}
        Value::Object(members) => members.iter().for_each(|(name, value)| check_printable(name, value, reply)),
        Value::Array(items) => items.iter().for_each(|item| check_printable(name, item, reply)),
        Value::String(text) if reply.status() == Status::Preview || !VERBATIM.contains(&name) => {
            assert!(is_printable(text), "`{name}`: {text:?}");
            assert!(!["message", "hint", "excerpt"].contains(&name) || !text.contains('\n'), "`{name}`: {text:?}");
        }
        _ => {}
    }
}

/// Reports whether nothing in a text hides, or ends a line for some programs only.
pub fn is_printable(text: &str) -> bool {
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).replace('\t', "x") + "x");
    lines.into_iter().all(|line| visible(&line) == line)
}

/// Every line of a view has a prefix of the view's own, whatever it says.
fn check_views(doc: &MemoryDoc) {
    let lines = |view| doc.render(doc.span(), view).split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let starts: Vec<_> = doc.bullets().map(|bullet| (bullet.line_number(), bullet.key().to_string())).collect();
    for (shown, line) in lines(TextView::Numbered).into_iter().zip(1..) {
        assert!(is_printable(&shown) && shown.starts_with(&format!("{line}| ")), "{shown:?}");
    }
    for (shown, line) in lines(TextView::Keyed).into_iter().zip(1..) {
        let key = starts.iter().find(|(number, _)| *number == line).map_or("", |(_, key)| key);
        assert!(is_printable(&shown) && shown.starts_with(&format!("{key}| ")), "{shown:?}");
    }
}

/// A refused call says that nothing was changed, within its bound, and hints at what to do.
pub fn check_reply(reply: &Reply) {
    let shown = reply.to_string();
    let json = reply.to_json();
    check_printable("", &json, reply);
    assert_eq!(json["status"], reply.status().as_str());
    if reply.status() != Status::Error {
        assert_eq!(reply.code(), None);
        return;
    }
    assert!(reply.code().is_some());
    // The bound leaves out the call that is offered.
    let (bounded, _) = shown.split_once("\nhint: send ").unwrap_or((&shown, ""));
    assert!(bounded.chars().count() <= 2_000, "{} characters: {shown}", bounded.chars().count());
    let message = json["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("Nothing was changed"), "{message}");
    assert!(json["hint"].as_str().is_some_and(|hint| !hint.is_empty() && !hint.ends_with('.')), "{json}");
    let candidates = json["candidates"].as_array().map(Vec::as_slice).unwrap_or_default();
    // A session shows as many as there are letters, if it is asked for all.
    let most = if candidates.iter().any(|candidate| candidate["match_id"].is_string()) { 26 } else { 5 };
    assert!(candidates.len() <= most, "{json}");
}

/// Where the whole text agrees with a plain replacement: line feeds only, no control characters, the count as expected.
pub fn check_replace(text: &str, old: &str, new: &str, expected: usize) {
    let is_plain = |text: &str| !text.contains(|c: char| c.is_control() && c != '\n');
    let doc = MemoryDoc::parse(text);
    let mut request = Replace::new(old, new);
    request.expected = Some(expected);
    let Ok(edit) = request.plan(&View::current(&doc, Timestamp::default())) else { return };
    let Some(commit) = check_commit(&doc, &edit, Authority::Agent) else { return };
    // A letter with an accent of its own is another one.
    let is_whole = |(at, old): &(usize, &str)| !text[at + old.len()..].starts_with(is_combining_mark);
    let exact = if old.is_empty() { 0 } else { text.match_indices(old).filter(is_whole).count() };
    let is_emptied = |part: &Part| part.healed.contains(&Leniency::EmptyBullet);
    let goes = edit.parts().iter().any(is_emptied);
    if is_plain(text) && is_plain(old) && is_plain(new) && exact == expected && !goes {
        // With whole lines their endings go, too.
        let said = |text: &str| if new.is_empty() { text.replace(['\n', ' '], "") } else { text.to_owned() };
        assert_eq!(said(commit.doc.text()), said(&text.replace(old, new)));
    }
    assert!(exact == expected || (exact == 0 && expected == 1), "another count than expected was replaced");
}

/// Builds an edit from ranges and texts, as far as they can be one.
pub fn edit_of<'a>(doc: &MemoryDoc, splices: impl IntoIterator<Item = (Span, &'a str, Promise)>) -> Option<Edit> {
    let mut builder = EditBuilder::new(doc);
    for (span, text, promise) in splices {
        builder.replace(span, text, promise);
    }
    builder.finish().ok()
}

/// The reserved sections `System/Policy` of the one text are those of the other, byte for byte.
pub fn check_reserved_texts(before: &str, after: &str) {
    let (Some(old), Some(new)) = (reserved_extents(before), reserved_extents(after)) else { return };
    // Without the blank lines behind them.
    let words = |text: &str| {
        let end = text.rfind(|c: char| !c.is_whitespace()).map_or(0, |last| last + 1);
        let line = text.get(end..).unwrap_or_default().split(['\r', '\n']).next().unwrap_or_default();
        text.get(..end + line.len()).unwrap_or_default().to_owned()
    };
    let texts = |text: &str, spans: &[Span]| spans.iter().map(|span| words(span.of(text))).collect::<Vec<_>>();
    assert_eq!(texts(after, &new), texts(before, &old), "a reserved section has changed\n{before:?}\n{after:?}");
}

/// The reserved sections are the same, byte for byte, and stay at the top.
pub fn check_reserved(before: &str, after: &str) {
    check_reserved_texts(before, after);
    let (Some(old), Some(new)) = (reserved_extents(before), reserved_extents(after)) else { return };
    let stands_at_top = |text: &str, extents: &[Span]| {
        extents.first().is_some_and(|first| text[body_start(text)..first.start()].trim().is_empty())
    };
    assert!(!stands_at_top(before, &old) || stands_at_top(after, &new), "text above a reserved section\n{after:?}");
}

/// Finds the extents of `## System/Policy` by a scan of the bytes; `None` for a text whose fences stand in lists, which this
/// scanner does not understand.
pub fn reserved_extents(text: &str) -> Option<Vec<Span>> {
    let mut extents = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let mut fence: Option<(u8, usize)> = None;
    let mut start = body_start(text);
    while start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
        let line = text[start..end].trim_end_matches('\n');
        let line = line.strip_suffix('\r').unwrap_or(line);
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let body = line.trim_start_matches(' ').as_bytes();
        let run = |byte: u8| body.iter().take_while(|b| **b == byte).count();
        if let Some((byte, length)) = fence {
            let rest = &body[run(byte)..];
            if spaces <= 3 && run(byte) >= length && rest.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
                fence = None;
            }
        } else if let Some(byte) = [b'`', b'~'].into_iter().find(|byte| run(*byte) >= 3) {
            if spaces > 0 {
                return None;
            }
            if byte == b'~' || !body[run(byte)..].contains(&b'`') {
                fence = Some((byte, run(byte)));
            }
        } else if line.contains("```") || line.contains("~~~") {
            return None;
        } else if spaces <= 3 && (1..=6).contains(&run(b'#')) {
            let level = run(b'#');
            let title = &line.trim_start_matches(' ')[level..];
            if title.is_empty() || title.starts_with([' ', '\t']) {
                if let Some((from, _)) = open.filter(|(_, open)| level <= *open) {
                    extents.push(Span::new(from, start));
                    open = None;
                }
                if open.is_none() && title.trim_matches([' ', '\t']) == "System/Policy" {
                    open = Some((start, level));
                }
            }
        }
        start = end;
    }
    extents.extend(open.map(|(from, _)| Span::new(from, text.len())));
    Some(extents)
}

/// Returns where the text behind BOM and front matter starts.
fn body_start(text: &str) -> usize {
    let bom = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let is_line =
        |line: &str, marks: &[&str]| marks.contains(&line.trim_end_matches(['\n', '\r']).trim_end_matches([' ', '\t']));
    let mut lines = text[bom..].split_inclusive('\n');
    let mut end = bom;
    match lines.next() {
        Some(first) if is_line(first, &["---"]) => end += first.len(),
        _ => return bom,
    }
    for line in lines {
        end += line.len();
        if is_line(line, &["---", "..."]) {
            return end;
        }
    }
    bom
}
