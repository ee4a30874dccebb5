//! What is neither written nor named belongs to what it belonged to: a line to its bullet, a bullet to its block, both to their section.
//!
//! Behind each splice the lines are followed to where both texts are in step again: at a heading, a block line, or a bullet that is
//! nested in none.

use super::super::carry::Carry;
use super::super::{Draft, Flaw, Node};
use super::exempt::Exempt;
use super::headings::Headings;
use super::heirs::Heirs;
use super::nodes::{Nesting, begins, home, is_in, is_kept, open_sections, owner, within};
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::{Line, Lines, Span, is_blank};

/// Finds text behind a splice that would belong to another bullet, block or section than before, or to none, though it is not written.
///
/// Where lines may be written that nest bullets anew, this holds for what is not named by the request: it goes on with its bullet, or
/// with the [heir](Heirs) of that; what a part of the request names may come to what this part writes or names, too. Lines may come to
/// a heading that is written, and from no block to a block line, if the line right below that is named with it, or if that is written
/// over a line of prose and says all that this said.
pub(super) fn check<'a>(
    draft: &'a Draft<'a>,
    nesting: Nesting,
    heirs: &Heirs<'a>,
    exempt: &Exempt<'a>,
) -> Option<Flaw> {
    let splices: Vec<_> = draft.splices().map(|(gone, come, _)| (gone, come)).collect();
    let mut following = Following {
        draft,
        carry: Carry::of(draft),
        heirs,
        exempt,
        nesting,
        headings: Headings::new(draft, heirs),
        joined: [None; 2],
    };
    splices.iter().enumerate().find_map(|(nth, splice)| {
        let end = splices.get(nth + 1).map_or(draft.old.text().len(), |(next, _)| next.start());
        following.behind(*splice, end)
    })
}

/// What a line belonged to and what it comes to, by where their headings or block lines start.
type Change = (Option<usize>, Option<usize>);

/// What belongs to what in both texts.
struct Following<'g, 'a> {
    draft: &'a Draft<'a>,
    carry: Carry<'a>,
    heirs: &'g Heirs<'a>,
    exempt: &'g Exempt<'a>,
    nesting: Nesting,
    headings: Headings<'g, 'a>,
    /// The section, and the block, that what follows has come to with its first line, which is named, or below its title.
    joined: [Option<Change>; 2],
}

impl<'a> Following<'_, 'a> {
    /// Looks at the lines behind a splice, up to where the next begins.
    fn behind(&mut self, splice: (Span, Span), end: usize) -> Option<Flaw> {
        let (text, table) = (self.draft.old.text(), self.draft.old.lines());
        let below = splice.0.end().checked_sub(1).map_or(0, |last| table.index_at(last) + 1);
        // The next may begin on the same line.
        let next = table.start(below).max(splice.0.end()).min(end);
        let lines = Lines::within(text, Span::new(next, end)).filter(|line| !is_blank(line.text.of(text)));
        let mut is_first = true;
        for line in lines.map(|line| line.full.start()) {
            let Some(after) = self.carry.survivor(line) else { continue };
            let is_named = self.nesting == Nesting::Free && is_in(&self.exempt.old, line);
            let changes = self.changes(line, after);
            let is_first = std::mem::take(&mut is_first);
            if is_first {
                let is_retitled = self.is_retitled(splice);
                self.join(changes, after, |head| is_retitled || (is_named && self.exempt.is_together(line, head)));
            }
            let keeps_home =
                changes.iter().zip(&self.joined).all(|(change, joined)| change.is_none() || change == joined);
            let is_kept = (keeps_home && self.keeps_owner([line, after])) || (is_named && self.is_given([line, after]));
            if !is_kept {
                return Some(self.flaw(splice, changes, [line, after]));
            }
            let is_home = changes == [None; 2];
            if self.nesting == Nesting::Kept {
                return None;
            }
            if !is_named && is_home && self.is_in_step(line, after) {
                return self.below([line, after], end);
            }
        }
        None
    }

    /// Looks at the headings behind a line which is in step, but where sections of other levels are open above it.
    fn below(&self, [line, after]: [usize; 2], end: usize) -> Option<Flaw> {
        let (old, new) = (self.draft.old, &self.draft.new);
        let (were, are) = (open_sections(old, line), open_sections(new, after));
        let is_same = |(was, is): &(&SectionRef<'_>, &SectionRef<'_>)| {
            was.level == is.level && self.heirs.of_section(**was, **is)
        };
        let same = were.iter().zip(&are).take_while(is_same).count();
        // A heading as high as the highest that differs ends them all.
        let highest = were.get(same).into_iter().chain(are.get(same)).map(|section| section.level).min()?;
        let sections = within(old.outline().sections(), Span::new(line, end.max(line)), |node| node.line.start());
        let mut lower = sections.take_while(|node| node.level > highest);
        lower.find_map(|node| {
            let line = node.line.start();
            let after = self.carry.survivor(line)?;
            let (was, is) = (home(old, line), home(new, after));
            let start = |home: SectionRef<'_>| home.line.start();
            if is_in(&self.exempt.old, line) && is.map(start).is_none_or(|head| self.exempt.is_together(line, head)) {
                return None;
            }
            let is_as_written = self.joined[0] == Some((was.map(start), is.map(start)))
                || was.is_some_and(|was| {
                    self.carry.replaced(was.line.start()).is_some() && !self.headings.is_unmade(was)
                });
            let keeps = self.headings.keeps(was, is) || is_as_written;
            (!keeps).then(|| Flaw::Reparented(new.line_number(after)))
        })
    }

    /// Tells of a line that comes to another section or block, or to another bullet.
    fn flaw(&self, (gone, come): (Span, Span), [section, block]: [Option<Change>; 2], [old, at]: [usize; 2]) -> Flaw {
        let line = self.draft.new.line_number(at);
        // On the lines that are written, whole or in part.
        let is_whole = gone.of(self.draft.old.text()).ends_with('\n');
        let has_heading = |doc: &MemoryDoc, span: Span| {
            let start = Line::holding(doc.text(), span.start()).full.start();
            let end = if is_whole { span.end() } else { span.end().max(start + 1) };
            within(doc.outline().sections(), Span::new(start, end), |node| node.line.start()).next().is_some()
        };
        match (section, block) {
            // A heading of another level is written in the place of one.
            (Some(_), _)
                if begins(self.draft.old, old)[0]
                    && has_heading(self.draft.old, gone)
                    && has_heading(&self.draft.new, come) =>
            {
                Flaw::Reparented(line)
            }
            (Some((_, Some(head))), _) if self.headings.is_made(head) => Flaw::Taken(Node::Heading, line),
            (Some(_), _)
                if home(self.draft.old, old).is_some_and(|section| self.headings.gone_alone(section).is_some()) =>
            {
                Flaw::Adopted(line)
            }
            (Some(_), _) => Flaw::Unmade(line),
            (None, Some((_, Some(head)))) if self.headings.is_made(head) => Flaw::Taken(Node::Block, line),
            _ => Flaw::Adopted(line),
        }
    }

    /// Reports whether one line is written over another that is neither bullet nor heading nor block line, with all that this says: a
    /// title of what follows, maybe.
    fn is_retitled(&self, (gone, come): (Span, Span)) -> bool {
        let only = |doc: &MemoryDoc, span: Span| {
            let mut lines = Lines::within(doc.text(), span).filter(|line| !is_blank(line.text.of(doc.text())));
            lines.next().filter(|_| lines.next().is_none())
        };
        let doc = self.draft.old;
        let is_prose = |at: usize| doc.bullet_at(at).is_none() && begins(doc, at) == [false; 3];
        only(doc, gone).zip(only(&self.draft.new, come)).is_some_and(|(old, new)| {
            let said = old.text.of(doc.text()).trim().trim_end_matches(':');
            is_prose(old.full.start()) && new.text.of(self.draft.new.text()).contains(said)
        })
    }

    /// Lets what follows come to the section, and from none to the block, whose lines are written right above a place, and meant for
    /// what stands there.
    fn join(&mut self, [section, block]: [Option<Change>; 2], at: usize, is_meant: impl Fn(usize) -> bool) {
        let doc = &self.draft.new;
        let is_right_below = |change: &Change| {
            change.1.is_some_and(|head| {
                let end = doc.lines().line(doc.text(), doc.lines().index_at(head)).full.end();
                head < at
                    && self.headings.is_made(head)
                    && is_blank(Span::new(end.min(at), at).of(doc.text()))
                    && is_meant(head)
            })
        };
        let block = block.filter(|change| change.0.is_none());
        let joined = [section, block].map(|change| change.filter(is_right_below));
        for (joined, change) in self.joined.iter_mut().zip(joined) {
            *joined = change.or(*joined);
        }
    }

    /// Reports whether what follows a line is the same in both texts.
    fn is_in_step(&self, line: usize, after: usize) -> bool {
        begins(self.draft.old, line).into_iter().zip(begins(&self.draft.new, after)).any(|(old, new)| old && new)
    }

    /// Reports whether a line, which stands at these places of both texts, belongs to the bullet that it belonged to.
    fn keeps_owner(&self, [line, after]: [usize; 2]) -> bool {
        let is_free = self.nesting == Nesting::Free;
        let (old, new) = (owner(self.draft.old, line, is_free), owner(&self.draft.new, after, is_free));
        let Some(old) = old else { return new.is_none() };
        let is_gone = self.carry.survivor(old.marker.start()).is_none();
        (is_gone && !is_free) || new.is_some_and(|new| self.heirs.of_bullet(old, new))
    }

    /// Reports whether a line that is named, which stands at these places of both texts, comes to no bullet, no block and no section but
    /// one that the same part writes or names; or, where this part names what it belonged to, to none, to a bullet that was around that,
    /// or to the section above.
    fn is_given(&self, [line, after]: [usize; 2]) -> bool {
        let (old, new) = (self.draft.old, &self.draft.new);
        let given = |[was, is]: [Option<usize>; 2], was_around: &dyn Fn(usize) -> bool| {
            is.is_some_and(|is| self.exempt.is_together(line, is))
                || was.is_some_and(|was| self.exempt.names_both(line, was) && is.is_none_or(was_around))
        };
        let bullets = [owner(old, line, true), owner(new, after, true)];
        let blocks = [old.block_at(line), new.block_at(after)];
        let sections = [home(old, line), home(new, after)];
        let was_around = |start: usize| {
            let mut around = bullets[0].into_iter().flat_map(BulletRef::ancestors);
            around.any(|bullet| self.carry.survivor(bullet.marker.start()) == Some(start))
        };
        let is_as_it_was = |start: usize| !is_in(&self.draft.written, start);
        let starts = |bullet: BulletRef<'_>| bullet.marker.start();
        let keeps_bullet = is_kept(bullets, |was, is| self.heirs.of_bullet(was, is));
        let keeps_block = is_kept(blocks, |was, is| self.heirs.of_block(was, is));
        let keeps_section = self.headings.keeps(sections[0], sections[1]);
        (keeps_bullet || given(bullets.map(|bullet| bullet.map(starts)), &was_around))
            && (keeps_block || given(blocks.map(|block| block.map(|block| block.line.start())), &|_| false))
            && (keeps_section
                || given(sections.map(|section| section.map(|section| section.line.start())), &is_as_it_was))
    }

    /// Returns the section and the block that a line, which stands at these places of both texts, does not keep.
    ///
    /// Where a heading goes with nothing in its place, what follows comes to the section above that the editor saw, as it is written.
    fn changes(&self, line: usize, after: usize) -> [Option<Change>; 2] {
        let (old, new) = (home(self.draft.old, line), home(&self.draft.new, after));
        let keeps_section = self.headings.keeps(old, new);
        let is_made = |head: usize| self.headings.is_made(head) && !self.headings.were_code(line, head);
        let is_another = new.is_some_and(|new| is_made(new.line.start()))
            || old.is_some_and(|old| self.headings.is_unmade(old) || self.headings.is_left_elsewhere(old, new));
        let (own, its) = (self.draft.old.block_at(line), self.draft.new.block_at(after));
        // What belongs to a heading goes on with it, be it a block or not, unless it is one in both: then other lines set it apart.
        let heads = |section: SectionRef<'_>| begins(section.doc(), section.line.start())[1];
        let stays = |block: BlockRef<'_>, [section, other]: [Option<SectionRef<'_>>; 2]| {
            let is_headed = section.is_some_and(|section| section.line.start() == block.line.start());
            keeps_section && is_headed && !other.is_some_and(heads)
        };
        let keeps_block = match (own, its) {
            (Some(own), Some(its)) => self.heirs.of_block(own, its),
            (Some(own), None) => stays(own, [old, new]),
            (None, Some(its)) => stays(its, [new, old]) || self.headings.were_code(line, its.line.start()),
            (None, None) => true,
        };
        let section = (old.map(|old| old.line.start()), new.map(|new| new.line.start()));
        let block = (own.map(|own| own.line.start()), its.map(|its| its.line.start()));
        [(!keeps_section && is_another).then_some(section), (!keeps_block).then_some(block)]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::super::{Edit, EditBuilder, Promise};
    use super::super::structure;
    use super::*;

    /// What is done with the first line of a piece.
    #[derive(Clone, Debug)]
    enum Done {
        Kept,
        /// It stays, and the request names it.
        Named,
        /// It goes, and these are written in its place; with those of its neighbors, or by themselves.
        Replaced(Vec<&'static str>, bool),
    }

    fn done() -> impl Strategy<Value = Done> {
        let lines = vec![
            "- a",
            "- b",
            "- c",
            "- x",
            "  - y",
            "M (ID: m)",
            "N (ID: n)",
            "## S",
            "## T",
            "### U",
            "# R",
            "## K (ID: k)",
            "## L (ID: l)",
            "prose",
            "~~~",
        ];
        let replaced = (prop::collection::vec(select(lines), 0..3), any::<bool>())
            .prop_map(|(lines, is_alone)| Done::Replaced(lines, is_alone));
        prop_oneof![3 => Just(Done::Kept), 1 => Just(Done::Named), 2 => replaced]
    }

    /// What stands in a document: a line, and what belongs to it.
    const PIECES: [&str; 14] = [
        "- a\n  - of a\n    goes on\n  - more of a\n",
        "- b\n  - of b\n",
        "- c\n  of c\n",
        "M (ID: m)\n- in m\n",
        "N (ID: n)\n- in n\n",
        "- d\n",
        "## S\n- in s\n",
        "### U\n- in u\n",
        "# R\nof r\n- in r\n",
        "## K (ID: k)\n  note of k\n- in k\n",
        "title\n- below\n",
        "\n",
        "~~~\n",
        "~~~\n",
    ];

    /// A piece of a document, what is done with its first line as which part, and which part names what stands below that.
    type Drawn = (usize, Done, usize, Option<usize>);

    /// Makes a document of pieces, and the edit that does with each what is drawn.
    fn edited(pieces: &[Drawn]) -> Option<(MemoryDoc, Edit)> {
        let doc = MemoryDoc::parse(pieces.iter().map(|(nth, ..)| PIECES[*nth]).collect::<String>());
        let mut edit = EditBuilder::new(&doc);
        let (mut at, mut run): (usize, Option<(usize, Span, String)>) = (0, None);
        for (nth, done, part, rest) in pieces {
            let first = PIECES[*nth].split_inclusive('\n').next().unwrap_or_default();
            let line = Span::new(at, at + first.len());
            at += PIECES[*nth].len();
            if !matches!(done, Done::Kept) {
                edit.for_part(*part).name(line);
            }
            if let Some(part) = rest {
                edit.for_part(*part).name(Span::new(line.end(), at));
            }
            let Done::Replaced(written, is_alone) = done else { continue };
            let written: String = written.iter().map(|line| format!("{line}\n")).collect();
            match run.as_mut().filter(|(own, span, _)| !is_alone && own == part && span.end() == line.start()) {
                Some((_, span, text)) => {
                    (*span, *text) = (Span::new(span.start(), line.end()), format!("{text}{written}"));
                }
                None => run.replace((*part, line, written)).into_iter().for_each(|(part, span, text)| {
                    edit.for_part(part).replace(span, text, Promise::Lines);
                }),
            }
        }
        run.into_iter().for_each(|(part, span, text)| {
            edit.for_part(part).replace(span, text, Promise::Lines);
        });
        let edit = edit.finish().ok()?;
        Some((doc, edit))
    }

    /// What a line belongs to: a bullet, a block, a section, each by its line.
    fn owners(doc: &MemoryDoc, at: usize) -> [Option<Span>; 3] {
        let bullet =
            doc.bullet_at(at).and_then(|bullet| if bullet.line.contains(at) { bullet.parent() } else { Some(bullet) });
        [
            bullet.map(|bullet| bullet.line),
            doc.block_at(at).map(|block| block.line),
            doc.section_at(at).map(|section| section.line),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4096, ..ProptestConfig::default() })]

        /// What nobody writes or names belongs to what it belonged to, or to what is written over that: never to what another bullet,
        /// block or section was called, and to no heading and no block line that is written elsewhere, but right above a line that is
        /// named, or over a line of prose. What one part writes is not meant for what another names. What is code stays so, but for the
        /// lines of a fence that nothing closed, and those that then belong to no bullet.
        #[test]
        fn what_is_not_written_comes_to_no_other(pieces in prop::collection::vec((0..PIECES.len(), done(), 0_usize..2, prop::option::weighted(0.25, 0_usize..2)), 1..7)) {
            let mut known = HashSet::new();
            let pieces: Vec<_> = pieces.into_iter().filter(|(nth, ..)| known.insert(*nth)).collect();
            let Some((doc, edit)) = edited(&pieces) else { return Ok(()) };
            let draft = Draft::new(&doc, &edit);
            if structure::check(&draft).is_err() {
                return Ok(());
            }
            let carry = Carry::of(&draft);
            let (text, new) = (doc.text(), draft.new.text());
            let lines = draft.written.iter().flat_map(|span| Lines::within(new, *span)).map(|line| line.full);
            let written: String = lines.filter(|line| !draft.new.outline().is_fenced(line.start())).map(|line| line.of(new)).collect();
            let written_by = |at: usize| draft.written.iter().position(|span| span.contains(at)).map(|nth| edit.splices()[nth].part);
            // A heading or a block line that is written, or was code.
            let is_made = |at: usize| carry.origin(at).is_none_or(|old| doc.outline().is_fenced(old));
            // Right below a line that is written stands one that is named, or the line is a title written over another.
            let naming = |at: usize| edit.named().iter().filter(move |named| named.lines.contains(at)).map(|named| named.part).collect::<Vec<_>>();
            let naming_now = |at: usize| (0..text.len()).find(|old| carry.survivor(*old) == Some(at)).map(naming).unwrap_or_default();
            // One part names a line, and another line or what is written there.
            let is_together = |at: usize, head: usize| {
                let named = naming(at);
                written_by(head).map_or_else(|| naming_now(head), |part| vec![part]).iter().any(|part| named.contains(part))
            };
            let is_joined = |head: Span| {
                let behind = Span::new(head.end(), new.len()).of(new);
                let below = behind.find(|c| c != '\n').map(|at| head.end() + at);
                let over = edit.splices().iter().zip(&draft.written).find(|(_, span)| span.contains(head.start()));
                let parts = written_by(head.start()).map_or_else(|| naming_now(head.start()), |part| vec![part]);
                below.is_some_and(|below| naming_now(below).iter().any(|part| parts.contains(part))) || over.is_some_and(|(splice, _)| splice.span.of(text).trim() == "title")
            };
            for of in ["- of a", "goes on", "- more of a", "- of b", "of c", "- in m", "- in n", "- in s", "- in u", "of r", "- in r",
                "note of k", "- in k", "- below"] {
                let at = |text: &str| if text.starts_with(of) { Some(0) } else {
                    text.find(&format!("\n{of}")).or_else(|| text.find(&format!(" {of}"))).map(|at| at + 1)
                };
                let (Some(at_old), Some(at_new)) = (at(text), at(new)) else { continue };
                let is_code = [doc.outline().is_fenced(at_old), draft.new.outline().is_fenced(at_new)];
                if is_code != [false; 2] {
                    let is_open = doc.outline().fences().iter().any(|fence| !fence.is_closed && fence.extent.contains(at_old));
                    let is_alone = is_code[0] && owners(&draft.new, at_new)[0].is_none();
                    let is_right = is_code[0] == is_code[1] || is_open || is_alone || !naming(at_old).is_empty();
                    prop_assert!(is_right, "{of} is code in one: {text:?} becomes {new:?}");
                    continue;
                }
                for (kind, (was, is)) in owners(&doc, at_old).into_iter().zip(owners(&draft.new, at_new)).enumerate() {
                    let line = |span: Span| span.of(new);
                    let is_over = |was: Span, is: Span| {
                        let is_another = written.contains(was.of(text)) && line(is) != was.of(text);
                        !is_another && carry.replaced(was.start()).is_some_and(|(_, come)| come.contains(is.start()))
                    };
                    // A heading may gain or lose an ID: what belongs to it as a section is looked at below.
                    let is_heading = |text: &str, line: Option<Span>| line.is_none_or(|line| line.of(text).starts_with('#'));
                    if kind == 1 && is_heading(text, was) && is_heading(new, is) {
                        continue;
                    }
                    // What is named may also come to none, and to what is written or named.
                    let is_given = !naming(at_old).is_empty() && is.is_none_or(|is| is_together(at_old, is.start()));
                    let is_right = is_given || match (was, is) {
                        (None, None) => true,
                        (Some(was), Some(is)) if carry.survivor(was.start()) == Some(is.start()) => true,
                        (Some(was), Some(is)) if is_over(was, is) => true,
                        (_, Some(is)) if kind > 0 && is_made(is.start()) => is_joined(is),
                        // Where a heading goes, what stood below it comes to the section above.
                        (Some(was), _) => kind == 2 && carry.survivor(was.start()).is_none(),
                        (None, Some(_)) => false,
                    };
                    prop_assert!(is_right, "{of} comes to {:?}, kind {kind}: {text:?} becomes {new:?}", is.map(line));
                }
            }
        }

        /// Of bullets with words in common that are written over together, what belonged to one comes to none that is called as another.
        #[test]
        fn what_belonged_to_one_of_several_comes_to_no_other(
            gone in prop::collection::vec(select(vec!["Tea", "Milk", "5 km", "-5 km"]), 1..4),
            come in prop::collection::vec((0_usize..5, select(vec!["Tea", "Milk", "6 km", "no Tea"])), 0..4),
        ) {
            const NAMES: [&str; 5] = ["Ada", "Bob", "Žak", "Zed", "田中"];
            let line = |name: &str, what: &str| format!("- {name} likes {what}\n");
            let lines: String = NAMES.iter().zip(&gone).map(|(name, what)| line(name, what)).collect();
            let doc = MemoryDoc::parse(format!("{lines}  - of the last\n"));
            let written: String = come.iter().filter_map(|(name, what)| Some(line(NAMES.get(*name)?, what))).collect();
            let mut edit = EditBuilder::new(&doc);
            edit.replace(Span::new(0, lines.len()), written.as_str(), Promise::Lines);
            let Ok(edit) = edit.finish() else { return Ok(()) };
            let draft = Draft::new(&doc, &edit);
            if structure::check(&draft).is_err() {
                return Ok(());
            }
            let name = |bullet: BulletRef<'_>| bullet.content().split(' ').next().unwrap_or_default().to_owned();
            let last = draft.new.bullets().last().and_then(BulletRef::parent).map(name);
            let was = gone.len().checked_sub(1).and_then(|last| NAMES.get(last)).copied().unwrap_or_default();
            let is = last.unwrap_or_default();
            let is_another = is != was && (written.contains(was) || NAMES.iter().take(gone.len()).any(|name| *name == is));
            prop_assert!(!is_another, "what was {was}'s comes to {is:?}: {lines:?} becomes {written:?}");
        }
    }
}
