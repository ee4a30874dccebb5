//! `sort_items`: puts the bullets of one list in the order of their texts or dates.

use std::collections::HashSet;

use super::{Argument, Refusal, Request, RequestError, View};
use crate::document::BulletRef;
use crate::edit::compose::{BulletChanges, Spot};
use crate::edit::{Edit, EditBuilder, Part, PartStatus};
use crate::locate::{Leniency, Names, Scope, Selector, indexed_bullets};
use crate::text::{Content, Span, Timestamp, diff_ranges, fold_name, is_blank};

/// A sorting of the bullets of a section or block, each with its children.
///
/// It is refused if the order is not clear: two bullets compare equal, a bullet has no date or two dates, or the bullets
/// are in several lists.
///
/// # Examples
///
/// ```
/// use memdoc::request::{SortItems, SortKey};
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View};
///
/// let doc = MemoryDoc::parse("## Log\n- 2026-11-03: moved to Denver\n- 2026-10-01: met Bob\n");
/// let sort = SortItems::of_section("Log", SortKey::Date);
/// let edit = sort.plan(&View::current(&doc, Timestamp::default()))?;
/// let sorted = doc.commit(&edit, Authority::Agent)?.doc;
/// assert_eq!(sorted.text(), "## Log\n- 2026-10-01: met Bob\n- 2026-11-03: moved to Denver\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SortItems {
    /// The section or block; if none is named, the bullets of the document.
    pub list: Selector,
    /// What the bullets are compared by.
    pub by: SortKey,
    /// Whether the last in the alphabet, or the newest, comes first.
    pub descending: bool,
    /// Whether bullets that compare equal keep their order. Otherwise they are refused, unless their texts are identical.
    pub keep_ties: bool,
}

/// What bullets are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortKey {
    /// Their contents, in any letter case.
    #[default]
    Text,
    /// The one ISO date at the beginning of their contents or in their tags.
    Date,
}

impl SortItems {
    /// Sorts the bullets of a section, by title or path, that belong to no block or label.
    pub fn of_section(name: impl Into<Content>, by: SortKey) -> Self {
        Self { list: Selector::in_section(name), by, ..Self::default() }
    }

    /// Returns the bullets to be sorted. Refuses bullets that are not one list: only blank lines may be between them.
    fn bullets<'a>(&self, names: &Names<'a>) -> Result<(Vec<BulletRef<'a>>, Vec<Leniency>), Refusal> {
        let scope = self.list.scope(names, Scope::Document)?;
        let bullets = indexed_bullets(names.doc(), scope.at);
        for pair in bullets.windows(2) {
            let [bullet, next] = pair else { continue };
            let between = Span::new(bullet.extent.end(), next.line.start());
            if !is_blank(between.of(names.doc().text())) {
                let found = format!("lines {} and {}, in two", bullet.line_number(), next.line_number());
                let expected = "one list: a block, a label, or a section whose bullets stand together";
                return Err(Refusal::invalid(Argument::SortedList, expected, found));
            }
        }
        Ok((bullets, scope.healed))
    }

    /// Returns the bullets in their new order.
    fn sorted<'a>(&self, bullets: &[BulletRef<'a>]) -> Result<Vec<BulletRef<'a>>, Refusal> {
        let keyed = bullets.iter().map(|bullet| self.key(*bullet).map(|key| (key, *bullet)));
        let mut keyed = keyed.collect::<Result<Vec<_>, Refusal>>()?;
        keyed.sort_by(|(one, _), (other, _)| if self.descending { other.cmp(one) } else { one.cmp(other) });
        let text = |bullet: BulletRef<'a>| bullet.extent.of(bullet.doc().text()).trim();
        let is_tie = |pair: &&[(String, BulletRef<'a>)]| match pair {
            [(key, bullet), (next_key, next)] => key == next_key && text(*bullet) != text(*next),
            _ => false,
        };
        if let Some([(_, bullet), (_, next)]) = keyed.windows(2).find(is_tie).filter(|_| !self.keep_ties) {
            let found = format!("lines {} and {} equal", bullet.line_number(), next.line_number());
            let expected = "true, so that equal bullets keep their order";
            return Err(Refusal::invalid(Argument::Ties, expected, found));
        }
        Ok(keyed.into_iter().map(|(_, bullet)| bullet).collect())
    }

    fn key(&self, bullet: BulletRef<'_>) -> Result<String, Refusal> {
        if self.by == SortKey::Text {
            return Ok(fold_name(&bullet.content()));
        }
        let (tags, content) = (bullet.tags(), bullet.content());
        let values = tags.iter().filter_map(|tag| tag.split_once(':')).map(|(_, value)| value.trim());
        let texts = values.chain(tags.iter().copied()).chain([content.trim_start()]);
        let dates: HashSet<&str> = texts.filter_map(iso_date).collect();
        let found = match dates.len() {
            1 => return Ok(dates.into_iter().collect()),
            0 => format!("none on line {}", bullet.line_number()),
            count => format!("{count} on line {}", bullet.line_number()),
        };
        let expected = "one date, such as `2026-11-21`, at the beginning or in the tags of each bullet";
        Err(Refusal::invalid(Argument::SortKey, expected, found))
    }
}

impl Request for SortItems {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let doc = view.doc;
        let mut edit = EditBuilder::new(doc);
        let (bullets, healed) = self.bullets(&Names::new(doc))?;
        let sorted = self.sorted(&bullets)?;
        let mut changes = BulletChanges::new(doc);
        let mut status = PartStatus::NoChange;
        for (bullet, spot) in moves(&bullets, &sorted) {
            if !changes.may_move(bullet, spot) {
                let expected = "bullets whose numbers all count 1, 2, 3 …, or are all part of the text";
                return Err(Refusal::invalid(Argument::SortedList, expected, format!("`{}`", bullet.marker())).into());
            }
            changes.move_to(0, bullet, spot);
            status = PartStatus::Applied;
        }
        changes.compose(&mut edit);
        Ok(edit.finish()?.with_parts(vec![Part::new(status).with_healed(healed)]))
    }
}

/// Returns the moves that put bullets in the order of `sorted`. A diff of both orders tells which bullets stay in place.
fn moves<'a>(bullets: &[BulletRef<'a>], sorted: &[BulletRef<'a>]) -> Vec<(BulletRef<'a>, Spot<'a>)> {
    let names = |bullets: &[BulletRef<'a>]| bullets.iter().map(|bullet| bullet.index().to_string()).collect::<Vec<_>>();
    let names = [bullets, sorted].map(names);
    let [old, new] = names.each_ref().map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
    let moved = diff_ranges(&old, &new).into_iter().filter_map(|change| sorted.get(change.new));
    let moved: HashSet<BulletRef<'a>> = moved.flatten().copied().collect();
    let stays = |bullet: &BulletRef<'a>| !moved.contains(bullet);
    let first = sorted.iter().copied().find(stays);
    let mut spot = first.map(Spot::Before);
    let mut moves = Vec::new();
    for bullet in sorted {
        if stays(bullet) {
            spot = Some(Spot::After(*bullet));
        } else if let Some(spot) = spot {
            moves.push((*bullet, spot));
        }
    }
    moves
}

/// Returns the ISO date that a text begins with. The time of day is ignored, as time zones may differ.
fn iso_date(text: &str) -> Option<&str> {
    let date = text.get(.."2026-11-21".len()).filter(|date| date.parse::<Timestamp>().is_ok())?;
    let goes_on = |next: char| next.is_ascii_digit() || next == '-';
    (!text.get(date.len()..).unwrap_or_default().starts_with(goes_on)).then_some(date)
}
