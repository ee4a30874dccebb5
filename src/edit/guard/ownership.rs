//! The owner rule: a line that an edit does not write keeps its owner. If the edit rewrites that owner, the line
//! belongs to the owner's [successor](Successors).

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use litemap::LiteMap;

use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::edit::guard::{below_bullets, with_line_above};
use crate::edit::line_map::{LineMap, RewrittenLines, is_replaced, visible_part};
use crate::edit::owners::{Owner, OwnerKind, Owners};
use crate::edit::{Draft, Flaw, Promise};
use crate::text::{Span, Tally, is_blank};

/// Checks the owner rule, and what belongs to it: anchors, fences, and written lines.
pub(super) fn check(draft: &Draft<'_>) -> Result<(), Flaw> {
    let check = Ownership::of(draft);
    check.anchors()?;
    check.joined_lines()?;
    check.fences()?;
    check.survivors()?;
    check.heads_with_survivors()?;
    check.written_lines()
}

/// Checks that the edit leaves no fence open that was not open before.
pub(super) fn check_fences(draft: &Draft<'_>) -> Result<(), Flaw> {
    Ownership::of(draft).fences()
}

struct Ownership<'a> {
    draft: &'a Draft<'a>,
    lines: LineMap,
    old: Owners<'a>,
    new: Owners<'a>,
    successors: Successors,
}

impl<'a> Ownership<'a> {
    fn of(draft: &'a Draft<'a>) -> Self {
        let lines = LineMap::of(draft);
        // The lines that were parsed again are read, and the heading right before them.
        let with_heading = |span: Span| Span::new(span.start().saturating_sub(1), span.end());
        let old = Owners::around(draft.old, draft.restructured.iter().map(|part| with_heading(part.old)));
        let new = Owners::around(&draft.new, draft.restructured.iter().map(|part| with_heading(part.new)));
        let successors = Successors::of(&lines, &old, &new);
        Self { draft, lines, old, new, successors }
    }

    /// Returns the line of the result that a line, or its successor, has become.
    fn follow(&self, line: usize) -> Option<usize> {
        self.lines.survivor(line).or_else(|| self.successors.pairs.get(&line).copied())
    }

    /// Reports whether an owner in the result is the same as an owner in the old text, or its successor.
    fn is_same(&self, owners: [Option<Owner>; 2]) -> bool {
        match owners {
            [Some(old), Some(new)] => old.kind == new.kind && self.follow(old.line) == Some(new.line),
            [old, new] => old.is_none() && new.is_none(),
        }
    }

    /// Checks splices that promise to write below a line: all their lines must belong to that line or its successor. If
    /// the line is no bullet, the part may end its scope with a heading or block line of its own; lines after that are
    /// free.
    fn anchors(&self) -> Result<(), Flaw> {
        // The parts that have ended their scope.
        let mut ended = HashSet::new();
        for (splice, written) in self.draft.edit.splices_in_result() {
            let Promise::Below(anchor) = splice.promise else { continue };
            let (at, may_end) = (self.follow(anchor), self.old.head(anchor) != Some(OwnerKind::Bullet));
            for line in self.draft.new.line_range(written).filter(|line| !self.new.is_blank(*line)) {
                let at = at.ok_or(Flaw::OutsideAnchor(line + 1))?;
                if line == at || ended.contains(&splice.part) || self.new.chain(line).any(|owner| owner.line == at) {
                    continue;
                }
                match self.new.head(line) {
                    Some(OwnerKind::Section | OwnerKind::Block) if may_end => ended.insert(splice.part),
                    _ => return Err(Flaw::OutsideAnchor(line + 1)),
                };
            }
        }
        Ok(())
    }

    /// Checks that a line of which no visible character is replaced stays a line, and is not joined to another one.
    fn joined_lines(&self) -> Result<(), Flaw> {
        let (old, new) = (self.draft.old, &self.draft.new);
        // Only lines inside of rewrites can be joined: all others read as before.
        for line in self.lines.rewrites.iter().flat_map(|rewrite| rewrite.lines.old.clone()) {
            let text = visible_part(old, line);
            if text.is_empty() || is_replaced(self.draft, line) {
                continue;
            }
            let start = self.draft.offsets.survivor(text.start());
            let new_text = start.map(|start| new.line_text(new.line_index(start)).trim_end());
            if new_text != Some(old.line_text(line).trim_end()) {
                return Err(Flaw::Joined(line + 1));
            }
        }
        Ok(())
    }

    /// Checks that each fence that is open in the result was open before, and that each bullet that hides what is below it
    /// did so before. A note may be any Markdown.
    fn fences(&self) -> Result<(), Flaw> {
        let (old, new) = (self.draft.old, &self.draft.new);
        let before: HashSet<_> = open_fences(old).filter_map(|line| self.follow(line)).collect();
        let opened = open_fences(new).find(|line| !before.contains(line));
        // Bullets outside of the parts that were parsed again are the same as before.
        let parts = self.draft.restructured.iter();
        let hiding = || {
            let before = parts.clone().flat_map(|part| hiding_bullets(old, part.old));
            let before: Vec<_> = before.map(|(line, text)| (self.follow(line), text)).collect();
            let stay: HashSet<usize> = before.iter().filter_map(|(line, _)| *line).collect();
            let moved = before.iter().filter(|(line, _)| line.is_none());
            let mut moved: Tally<&str> = moved.map(|(_, text)| *text).collect();
            let mut after = parts.clone().flat_map(|part| hiding_bullets(new, part.new));
            after.find(|(line, text)| !stay.contains(line) && !moved.take(*text)).map(|(line, _)| line)
        };
        let has_html = parts.clone().any(|part| part.new.of(new.text()).contains('<'));
        let may_hide = has_html && !self.draft.edit.has_promise(Promise::Note);
        let opened = opened.or_else(|| may_hide.then(hiding).flatten());
        opened.map_or(Ok(()), |line| Err(Flaw::OpenFence(line + 1)))
    }

    /// Checks that each line that stays has the same owner as before.
    ///
    /// The tables cover the parts that were parsed again. Outside of them, nodes are the same, so a line has the same
    /// owner as before. Only sections extend beyond the next heading, so there the parents of headings are compared.
    fn survivors(&self) -> Result<(), Flaw> {
        // A blank line at the end of a fence that is not closed need not be code.
        let is_fence = |line: &usize| self.old.head(*line) == Some(OwnerKind::Fence);
        let open: HashSet<usize> = open_fences(self.draft.old).filter(is_fence).collect();
        // Most lines have the same pair of owners as the line above, which was just compared.
        let mut last = None;
        let read = self.old.read().find(|old| {
            let Some(new) = self.lines.survivor(*old) else { return false };
            let owners = [self.old.owner(*old), self.new.owner(new)];
            let is_in_open = || owners[0].is_some_and(|owner| open.contains(&owner.line));
            if last == Some(owners) || (is_in_open() && is_blank(self.draft.old.line_text(*old))) {
                return false;
            }
            last = Some(owners);
            !self.is_same(owners)
        });
        let other = self.other_sections().find(|(_, parents)| !self.is_same(*parents));
        let other = other.map(|(section, _)| Owners::of_section(section).line);
        let first = read.into_iter().chain(other).min();
        first.map_or(Ok(()), |line| Err(Flaw::ChangesHands(line + 1)))
    }

    /// Iterates over the sections outside of the tables, each with its parent in the old text and in the new one.
    /// Sections with the same parents as the one above are left out.
    fn other_sections(&self) -> impl Iterator<Item = (SectionRef<'a>, [Option<Owner>; 2])> {
        let mut last = None;
        let pairs = self.old.other_sections().zip(self.new.other_sections());
        let parents = pairs.map(|(old, new)| (old, [old.parent(), new.parent()]));
        let differing = parents.filter(move |(_, parents)| last.replace(*parents) != Some(*parents));
        differing.map(|(section, parents)| (section, parents.map(|parent| parent.map(Owners::of_section))))
    }

    /// Checks that a rewritten head that still owns lines of the old text has the same owner as before. Otherwise these
    /// lines would move with it.
    fn heads_with_survivors(&self) -> Result<(), Flaw> {
        if self.successors.pairs.is_empty() {
            return Ok(());
        }
        // The heads that own a line that stays, at any depth.
        let parents = self.other_sections().filter_map(|(_, [parent, _])| parent);
        let mut holds: HashSet<usize> = parents.map(|parent| parent.line).collect();
        for line in self.old.read().rev() {
            if self.lines.survivor(line).is_some() || holds.contains(&line) {
                holds.extend(self.old.owner(line).map(|owner| owner.line));
            }
        }
        let mut held = self.successors.pairs.iter().filter(|(old, _)| holds.contains(old));
        let moved = held.find(|(old, new)| !self.is_same([self.old.owner(**old), self.new.owner(**new)]));
        moved.map_or(Ok(()), |(old, _)| Err(Flaw::ChangesHands(old + 1)))
    }

    /// Checks that each written line belongs to a line that was there before, to a successor, or to a line that the
    /// same part writes; that no line is rewritten whose owner another part removes; and that no prose is written
    /// directly below a bullet, where Markdown would show it as text of the bullet.
    fn written_lines(&self) -> Result<(), Flaw> {
        // A note may be any Markdown.
        let is_note = self.draft.edit.has_promise(Promise::Note);
        // Prose that was directly below a bullet may move together with that bullet.
        let before = LazyCell::new(|| below_bullets(self.draft.old).map(|(_, texts)| texts).collect::<HashSet<_>>());
        let is_moved = |line: usize| before.contains(&with_line_above(&self.draft.new, line));
        for rewrite in &self.lines.rewrites {
            let (old, below) = (&rewrite.lines.old, rewrite.lines.new.end);
            let was_below = |line| self.old.is_below_bullet(line);
            let was_prose = |line| self.old.is_prose(line) || self.old.head(line) == Some(OwnerKind::Label);
            let may_be_prose = is_note || old.clone().any(|line| was_prose(line) || was_below(line));
            let is_other =
                |writer: &RewrittenLines| !writer.parts.iter().any(|part| rewrite.parts.binary_search(part).is_ok());
            let is_orphan = |line: &usize| {
                let removed = self.old.owner(*line).filter(|owner| self.follow(owner.line).is_none());
                removed.and_then(|owner| self.lines.remover(owner.line)).is_some_and(is_other)
            };
            let writes = rewrite.lines.new.clone().any(|line| !self.new.is_blank(line));
            if let Some(orphan) = old.clone().find(is_orphan).filter(|_| writes) {
                return Err(Flaw::ChangesHands(orphan + 1));
            }
            for line in rewrite.lines.new.clone() {
                let writer = self.new.owner(line).and_then(|owner| self.lines.writer(owner.line).zip(Some(owner.line)));
                if writer.is_some_and(|(writer, owner)| !self.successors.new.contains(&owner) && is_other(writer)) {
                    return Err(Flaw::Between(line + 1));
                }
                if !may_be_prose && self.new.is_below_bullet(line) && !is_moved(line) {
                    return Err(Flaw::BelowBullet(line + 1));
                }
            }
            let stays = self.lines.origin(below).filter(|_| self.new.is_below_bullet(below));
            if stays.is_some_and(|line| !old.clone().chain([line]).any(was_below)) {
                return Err(Flaw::BelowBullet(below + 1));
            }
        }
        Ok(())
    }
}

/// Iterates over the lines that begin unclosed fences.
fn open_fences(doc: &MemoryDoc) -> impl Iterator<Item = usize> + '_ {
    let open = doc.outline().fences.iter().filter(|fence| !fence.is_closed);
    open.map(|fence| doc.line_index(fence.extent.start()))
}

/// Iterates over the bullets of a part that begin with a comment that is not closed, or with other HTML over lines of their
/// own: Markdown hides what is below them. Each comes with its line and the text of that.
fn hiding_bullets(doc: &MemoryDoc, part: Span) -> impl Iterator<Item = (usize, &str)> {
    let hides = |bullet: &BulletRef<'_>| {
        let content = Span::new(bullet.content_start(), bullet.extent.end()).of(doc.text());
        let is_open = content.starts_with("<!--") && !content.contains("-->");
        is_open || content.starts_with('<') && hides_own_lines(*bullet)
    };
    doc.bullets_within(part).filter(hides).map(|bullet| (bullet.line_index(), bullet.first_text().of(doc.text())))
}

/// Returns true if Markdown hides the lines of a bullet below its first one, because that begins with HTML.
fn hides_own_lines(bullet: BulletRef<'_>) -> bool {
    let doc = bullet.doc();
    let below = doc.line_range(bullet.extent).skip(1).find(|line| !is_blank(doc.line_text(*line)));
    below.is_some_and(|line| {
        let doc = MemoryDoc::parse(Span::new(bullet.marker.start(), doc.line_span(line).end()).of(doc.text()));
        doc.hidden_by(&[doc.line_start(doc.lines().len() - 1)]) != [None]
    })
}

/// The successors: for each head that an edit rewrites, the head that replaces it, if there is one.
///
/// The successor of a head is the one head of the same kind and name that the same rewrite writes. If there is none,
/// and the rewrite removes exactly one head of this kind and writes exactly one, that one is the successor, unless the
/// edit removes or writes either of the two names elsewhere.
struct Successors {
    /// The line of each head in the old text, and the line of its successor in the new one.
    pairs: LiteMap<usize, usize>,
    /// The lines of the successors.
    new: HashSet<usize>,
}

/// A head: its kind, its name and its line.
struct Head {
    kind: OwnerKind,
    name: String,
    line: usize,
}

/// For each kind and name: the first rewrite that removes or writes a head with it, and whether another rewrite does,
/// too.
type Places<'h> = HashMap<(OwnerKind, &'h str), (usize, bool)>;

impl Successors {
    fn of(lines: &LineMap, old: &Owners, new: &Owners) -> Self {
        let rewrites = lines.rewrites.iter().map(|rewrite| rewrite.lines.clone());
        let pairs = rewrites.map(|lines| [Head::all(old, lines.old), Head::all(new, lines.new)]);
        let pairs: Vec<[Vec<Head>; 2]> = pairs.collect();
        let mut places = Places::new();
        for (nth, pair) in pairs.iter().enumerate() {
            for head in pair.iter().flatten().filter(|head| !head.name.is_empty()) {
                let place = places.entry((head.kind, &head.name)).or_insert((nth, false));
                place.1 |= place.0 != nth;
            }
        }
        let pairs: LiteMap<usize, usize> = pairs.iter().flat_map(|pair| successors_in(pair, &places)).collect();
        Self { new: pairs.values().copied().collect(), pairs }
    }
}

/// Returns the line of each head that one rewrite removes and that has a successor, and the line of the successor.
fn successors_in([removed, written]: &[Vec<Head>; 2], places: &Places<'_>) -> Vec<(usize, usize)> {
    let (old, new) = (only_ones(removed), only_ones(written));
    // The only written head with this key, if there is also only one removed head with it.
    let only = |key: (OwnerKind, Option<&str>)| (*old.get(&key)?).and(*new.get(&key)?);
    let is_elsewhere = |head: &Head| places.get(&(head.kind, head.name.as_str())).is_some_and(|place| place.1);
    let successor = |head: &Head| {
        let other = || only((head.kind, None)).filter(|other| !(is_elsewhere(head) || is_elsewhere(other)));
        Some((head.line, only((head.kind, Some(&head.name))).or_else(other)?.line))
    };
    removed.iter().filter_map(successor).collect()
}

/// Returns the only head of each kind, and the only head of each kind and name; `None` if there are several.
fn only_ones(heads: &[Head]) -> HashMap<(OwnerKind, Option<&str>), Option<&Head>> {
    let mut only = HashMap::new();
    for head in heads {
        for name in [None, Some(head.name.as_str())] {
            only.entry((head.kind, name)).and_modify(|only| *only = None).or_insert(Some(head));
        }
    }
    only
}

impl Head {
    /// Returns the heads that begin on these lines.
    fn all(owners: &Owners, lines: Range<usize>) -> Vec<Self> {
        let heads = lines.filter_map(|line| Some(Owner { kind: owners.head(line)?, line }));
        let head = |head: Owner| Self { kind: head.kind, name: head.name(owners.doc).into_owned(), line: head.line };
        heads.map(head).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::edit::{Edit, EditBuilder, Part, PartStatus};

    const LINES: [&str; 16] = [
        "# A",
        "## B",
        "## C",
        "### D",
        "M: (ID: m)",
        "Anna:",
        "Bob:",
        "- a",
        "- b",
        "  - c",
        "    - d",
        "  goes on",
        "prose",
        "",
        "```",
        "key: v",
    ];

    /// Replaces the lines of a range by others.
    #[derive(Clone, Debug)]
    struct Change {
        first: usize,
        removed: usize,
        lines: Vec<&'static str>,
    }

    /// What decides to which section a line belongs.
    const HEADINGS: [&str; 8] = ["# A", "## B", "## C", "### D", "### E (ID: e)", "- a", "prose", ""];

    fn change(of: &'static [&'static str], lines_of_doc: usize) -> impl Strategy<Value = Change> {
        let lines = vec(select(of), 0..3);
        (0..lines_of_doc, 0..3_usize, lines).prop_map(|(first, removed, lines)| Change { first, removed, lines })
    }

    /// Returns the edit that makes the changes, each as a part of its own.
    fn edit(doc: &MemoryDoc, changes: &[Change]) -> Option<Edit> {
        let (mut edit, mut read) = (EditBuilder::new(doc), 0);
        for change in changes {
            let behind = change.first + change.removed;
            if change.first < read || behind > doc.lines().len() {
                return None;
            }
            let lines: String = change.lines.iter().map(|line| format!("{line}\n")).collect();
            let span = Span::new(doc.lines().start(change.first), doc.lines().start(behind));
            edit.part(Part::new(PartStatus::Applied)).replace(span, lines, Promise::Lines);
            read = behind;
        }
        edit.finish().ok()
    }

    #[test]
    fn a_section_is_kept_by_those_behind_what_was_read() {
        let rewritten = |text: &str, first: usize, removed: usize, lines: &[&'static str]| {
            let doc = MemoryDoc::parse(text);
            let change = Change { first, removed, lines: lines.to_vec() };
            edit(&doc, &[change]).map(|edit| check(&Draft::new(&doc, &edit)))
        };
        let text = "# A\n## B\n### D\n- d\n";
        assert_eq!(rewritten(text, 2, 0, &["## C"]), Some(Err(Flaw::ChangesHands(3))), "D would come below C");
        assert_eq!(rewritten(text, 1, 1, &["# X", "## B"]), Some(Err(Flaw::ChangesHands(2))), "B would take D along");
        assert_eq!(rewritten(text, 1, 1, &["## E"]), Some(Ok(())), "E stands for B");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn the_verdict_is_that_on_the_whole_text(
            (lines, mut changes) in select(vec![&LINES[..], &HEADINGS[..]]).prop_flat_map(|of| {
                (vec(select(of), 0..16), vec(change(of, 16), 1..5))
            }),
            mark in select(vec!["", "\u{FEFF}"]),
        ) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let doc = MemoryDoc::parse([mark, &text].concat());
            changes.sort_by_key(|change| change.first);
            let Some(edit) = edit(&doc, &changes) else { return Ok(()) };
            doc.tokens();
            let draft = Draft::new(&doc, &edit);
            let anew = MemoryDoc::parse(draft.new.text());
            prop_assert_eq!(draft.new.outline(), anew.outline(), "{:?} to {:?}", doc.text(), anew.text());
            prop_assert_eq!(draft.new.tokens(), anew.tokens());
            let whole = Draft::between(&doc, &edit, draft.new.clone());
            prop_assert_eq!(check(&draft), check(&whole), "{:?} to {:?}", doc.text(), draft.new.text());
        }
    }
}
