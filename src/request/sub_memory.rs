//! `apply_sub_memory_ops`: bullets of blocks, named by ID, text and index, as an LLM writes them.
//!
//! All operations of a request are located in the document as it was seen, and made together. What is not obvious:
//!
//! - The text names the bullet. It is the bullet's whole content: a part of it names nothing. If several bullets have the
//!   text, the index tells which one.
//! - If text and index name different bullets, the text counts, with a warning. The policy may prefer the index.
//! - The index counts the block as the editor saw it last. Each bullet keeps that index through the editor's own edits
//!   since. If the index now leads to another bullet with the same text, the text is ambiguous.
//! - If several bullets had the text when the editor saw them, the index must have named one of them that has it still.
//! - Texts are looked for among nested bullets too. The index counts only bullets at the top level.
//! - An update is `already_applied` if a bullet has the new text and none has the old one.
//! - The index of an `add` is ignored: the new bullet goes behind the block's last one.
//! - A fresh ID is `mem` with a number above all numbers in use.
//!
//! # What a model must write
//!
//! One object for each change: the block's ID, the bullet's text as it is in the block, and its index there. Text and index
//! are checked against each other. For the message “I moved to Austin and no longer live with Anna”, with indices from 1:
//!
//! ```json
//! [
//!   {"memory_id": "mem123", "old_sub_memory": "Lives in Denver", "new_sub_memory": "Lives in Austin", "index": 1, "intent": "update"},
//!   {"memory_id": "mem123", "sub_memory": "Lives with Anna", "index": 3, "intent": "delete"}
//! ]
//! ```
//!
//! - `add` takes the new text as `sub_memory`, and no index. With `category`, it makes the block if it does not exist.
//! - All indices count the block as it was last shown: an operation does not shift the indices behind it.
//! - A description (“remove the Denver info”) names nothing: the text must be the bullet's whole content.

use std::rc::Rc;

use litemap::LiteMap;

use super::bullet_plan::{Addition, BulletPlan, read_at, rewording};
use super::claims::Claim;
use super::duplicates::Fact;
use super::{Argument, Known, Refusal, Request, RequestError, View};
use crate::document::{BlockRef, BulletRef, COLONS, MemoryDoc, NodeRef, SubMemoryIndex};
use crate::edit::compose::{BulletPlace, Item, NewBlock, Spot, check_open_fence};
use crate::edit::{Edit, Part, PartStatus, Warning, named_lines};
use crate::locate::{
    BulletTest, Code, Diagnostic, Fix, Found, LocateError, Names, Scope, Target, at_index, bullet_by_tests,
    bullet_elsewhere, bullets_by_tests, index_of, indexed_bullets, other_text, readings,
};
use crate::text::{Content, excerpt, fold_name, is_blank, visible};

/// Edits bullets of blocks.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::SubMemoryIntent, request::SubMemoryOp, request::SubMemoryOps};
///
/// let doc = MemoryDoc::parse("User: (ID: mem1)\n- Lives in Denver\n");
/// let mut op = SubMemoryOp::new(SubMemoryIntent::Update { new: "Lives in Austin".into() });
/// op.memory_id = Some("mem1".into());
/// op.text = Some("Lives in Denver".into());
/// op.index = Some(1);
/// let edit = SubMemoryOps::new([op]).plan(&View::current(&doc, Timestamp::default()))?;
/// assert_eq!(doc.commit(&edit, Authority::Agent)?.doc.text(), "User: (ID: mem1)\n- Lives in Austin\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubMemoryOps {
    /// The operations, each a part of the request.
    pub ops: Vec<SubMemoryOp>,
}

/// One operation on one bullet of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SubMemoryOp {
    /// The ID of the block.
    pub memory_id: Option<Content>,
    /// The title of the block, if the ID is not known or the block is to be made.
    pub category: Option<Content>,
    /// The text of the bullet; for `Add`, the text of the new one.
    pub text: Option<Content>,
    /// The index of the bullet in the text last shown, counted from the policy's index base.
    pub index: Option<i64>,
    /// The operation.
    pub intent: SubMemoryIntent,
}

/// The operation on a bullet of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SubMemoryIntent {
    /// It is new, and is written behind the others.
    Add,
    /// Its content is replaced.
    Update {
        /// The new content.
        new: Content,
    },
    /// It is removed.
    Delete,
}

impl SubMemoryOps {
    /// Creates the request for these operations.
    pub fn new(ops: impl IntoIterator<Item = SubMemoryOp>) -> Self {
        Self { ops: ops.into_iter().collect() }
    }

    /// Returns the highest number of an ID in the document, in the text last shown, and in the request.
    fn highest_id(&self, view: &View<'_>) -> u64 {
        let docs = [Some(view.doc), view.known.map(Known::shown)];
        let in_docs = docs.into_iter().flatten().flat_map(|doc| doc.blocks().map(BlockRef::id));
        let all = in_docs.chain(self.ops.iter().filter_map(|op| op.memory_id.as_deref()));
        all.filter_map(|id| id.trim().strip_prefix("mem")?.parse().ok()).max().unwrap_or(0)
    }
}

impl SubMemoryOp {
    /// Creates an operation without a block, a text or an index: they are set afterwards.
    pub const fn new(intent: SubMemoryIntent) -> Self {
        Self { memory_id: None, category: None, text: None, index: None, intent }
    }
}

impl Request for SubMemoryOps {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let count = self.ops.len();
        if count == 0 {
            return Err(Refusal::invalid(Argument::Operations, "at least one operation", "none").into());
        }
        let (bullets, highest) = (BulletPlan::new(view, count)?, self.highest_id(view));
        let mut planner = SubMemoryPlanner { bullets, blocks: Vec::new(), seen: LiteMap::new(), highest };
        // Additions are planned last, as they are compared with the bullets that the other operations leave.
        let (added, others): (Vec<_>, Vec<_>) =
            self.ops.iter().enumerate().partition(|(_, op)| op.intent == SubMemoryIntent::Add);
        for (number, op) in others.into_iter().chain(added) {
            let planned = planner.part(number, op);
            planner.bullets.record(number, planned);
        }
        planner.bullets.compose(&planner.blocks)
    }
}

/// The plan of a request, while its operations are located. A new block is written once, with all bullets that are added to
/// it.
struct SubMemoryPlanner<'a> {
    bullets: BulletPlan<'a>,
    /// The blocks that are to be made.
    blocks: Vec<NewBlock>,
    /// The bullets of the blocks that operations have named so far.
    seen: LiteMap<BlockRef<'a>, Rc<BlockBullets<'a>>>,
    /// The highest number of an ID so far.
    highest: u64,
}

impl<'a> SubMemoryPlanner<'a> {
    fn part(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        match &op.intent {
            SubMemoryIntent::Add => self.add(number, op),
            SubMemoryIntent::Update { new } => self.update(number, op, new),
            SubMemoryIntent::Delete => self.delete(number, op),
        }
    }

    fn bullets_of(&mut self, block: BlockRef<'a>) -> Rc<BlockBullets<'a>> {
        Rc::clone(self.seen.entry(block).or_insert_with(|| Rc::new(BlockBullets::new(self.bullets.view, block))))
    }

    fn delete(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        let block = self.block(op)?;
        let (bullet, warning) = self.bullets_of(block.at).find(&self.bullets.names, op)?;
        let part = self.bullets.delete(number, bullet.with_earlier(block.healed))?;
        Ok(part.with_warnings(warning))
    }

    fn update(&mut self, number: usize, op: &SubMemoryOp, new: &str) -> Result<Part, Refusal> {
        Item::read(new, &BulletPlace::plain())?;
        let block = self.block(op)?;
        let bullets = self.bullets_of(block.at);
        let having = op.text.as_deref().map_or_else(Vec::new, |old| bullets.having(&self.bullets.names, new, old));
        if let Some(first) = having.first() {
            // The bullet with the new text counts as updated by this part, so that no other part may change its text.
            self.bullets.claim(number, *first, Claim::Text)?;
            return Ok(Part::new(PartStatus::AlreadyApplied).with_healed(block.healed));
        }
        let (bullet, warning) = bullets.find(&self.bullets.names, op)?;
        let read = |text: &str, place: &BulletPlace| Ok(Item::read(text, place)?);
        let text = rewording(&bullet, op.text.as_deref().into_iter(), new);
        Ok(self.bullets.update(number, bullet.with_earlier(block.healed), &text, read)?.with_warnings(warning))
    }

    /// Finds the block that an operation names. Beside an ID, a title that no block has only says what the text is about.
    fn block(&self, op: &SubMemoryOp) -> Result<Found<BlockRef<'a>>, Refusal> {
        let titled = op.category.as_deref().filter(|title| !is_blank(title)).map(|title| self.titled(title));
        match (&op.memory_id, titled) {
            (Some(id), titled) => {
                let found = self.bullets.names.block(id, self.bullets.doc().span())?;
                match titled.and_then(Result::ok).filter(|other| other.at != found.at) {
                    Some(other) => Err(title_taken(other.at.title(), other.at.id())),
                    None => Ok(found),
                }
            }
            (None, Some(titled)) => Ok(titled?),
            (None, None) => Err(Refusal::invalid(Argument::Block, "the ID of a block, or its title", "neither")),
        }
    }

    /// Finds the block with a title.
    fn titled(&self, title: &str) -> Result<Found<BlockRef<'a>>, LocateError> {
        self.bullets.names.titled(&readings(bare_title(title)), self.bullets.doc().span())
    }

    fn add(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        let Some(text) = &op.text else {
            return Err(Refusal::invalid(Argument::BlockText, "the text to add", "nothing"));
        };
        let title = op.category.as_deref().map(bare_title).filter(|title| !title.is_empty());
        let names = &self.bullets.names;
        // If the block can be made, no help is needed for one that is not found.
        let found = if title.is_some() { names.without_help(|| self.block(op)) } else { self.block(op) };
        let part = match (found, title) {
            (Ok(found), _) => self.add_to(number, found.at, text)?.with_healed(found.healed),
            (Err(Refusal::Locate(error)), Some(title)) if error.is_absence() => {
                self.add_to_new(number, op, title, text)?
            }
            (Err(refusal), _) => return Err(refusal),
        };
        Ok(Part { made_block: part.made_block.filter(|_| op.memory_id.is_none()), ..part })
    }

    /// Adds a bullet to an existing block.
    fn add_to(&mut self, number: usize, block: BlockRef<'a>, text: &str) -> Result<Part, Refusal> {
        let list = Scope::Block(block);
        let spot = Spot::last(self.bullets.doc(), list, &[]);
        let item = read_at(&self.bullets.changes, spot, text, |text, place| Ok(Item::read(text, place)?))?;
        let part = self.bullets.add(Addition { part: number, list, spot, item, may_repeat: false })?;
        Ok(Part { made_block: Some(block.id().into()), ..part })
    }

    /// Adds a bullet to a block that is to be made. The first operation that names the block makes it, with the ID that it
    /// gives or a fresh one.
    fn add_to_new(&mut self, part: usize, op: &SubMemoryOp, title: &str, text: &str) -> Result<Part, Refusal> {
        let (doc, id) = (self.bullets.doc(), op.memory_id.as_deref().map(str::trim));
        check_open_fence(doc, doc.text().len())?;
        match self.titled(title) {
            Ok(found) => return Err(title_taken(title, found.at.id())),
            Err(error) if error.is_absence() => {}
            Err(error) => return Err(error.into()),
        }
        let item = self.bullets.started(Item::read(text, &BulletPlace::plain())?)?;
        let added = Part::new(PartStatus::Applied).with_healed(item.healed.clone());
        let is_named = |block: &&mut NewBlock| block.title == title || Some(&*block.id) == id;
        let Some(block) = self.blocks.iter_mut().find(is_named) else {
            let id = id.map_or_else(|| self.fresh_id(), str::to_owned);
            let block = NewBlock { part, title: title.to_owned(), id, items: vec![item] };
            if !block.is_readable() {
                let [title, id] = [title, &block.id].map(|text| visible(&excerpt(text, 80)));
                let why = format!("`{title}` with the ID `{id}` cannot be the header of a block");
                return Err(Refusal::impossible(Code::InvalidText, why));
            }
            let made_block = Some(block.id.as_str().into());
            self.blocks.push(block);
            return Ok(Part { made_block, ..added });
        };
        if fold_name(&block.title) != fold_name(title) || id.is_some_and(|id| id != block.id) {
            return Err(title_taken(&block.title, &block.id));
        }
        let mut part = Part { made_block: Some(block.id.as_str().into()), ..added };
        match block.items.iter().any(|other| Fact::of_item(other) == Fact::of_item(&item)) {
            true => part.status = PartStatus::AlreadyApplied,
            false => block.items.push(item),
        }
        Ok(part)
    }

    fn fresh_id(&mut self) -> String {
        self.highest = self.highest.saturating_add(1);
        format!("mem{}", self.highest)
    }
}

fn target(text: &str) -> Target {
    Target::Bullet(BulletTest::Equals(text.into()).to_string().into())
}

/// Returns the refusal of a title under another ID than that of its block.
fn title_taken(title: &str, id: &str) -> Refusal {
    Refusal::impossible(Code::DuplicateSection, format!("a block `{}` has the ID `{id}`", visible(&excerpt(title, 80))))
}

/// Returns a title without the colon that ends it in a header.
fn bare_title(title: &str) -> &str {
    let title = title.trim();
    title.strip_suffix(COLONS).map_or(title, str::trim_end)
}

/// The bullets of one block.
struct BlockBullets<'a> {
    view: View<'a>,
    block: BlockRef<'a>,
    all: Vec<BulletRef<'a>>,
    /// All bullets of the block in the text last shown, with the names of that text.
    shown: Option<(Names<'a>, Vec<BulletRef<'a>>)>,
    /// The bullets that an index counts, as they are now.
    indexed: Vec<BulletRef<'a>>,
    /// For each bullet that an index counted when the editor saw the block last, the same bullet now; `None` if it is gone,
    /// or has another text. Empty if the whole block was not shown.
    seen: Vec<Option<BulletRef<'a>>>,
}

impl<'a> BlockBullets<'a> {
    fn new(view: View<'a>, block: BlockRef<'a>) -> Self {
        let indexed = indexed_bullets(view.doc, Scope::Block(block));
        let shown = view.known.and_then(|known| known.shown().blocks().find(|shown| shown.id() == block.id()));
        let seen = match view.known {
            Some(known) => seen_bullets(known, shown, block),
            None => indexed.iter().copied().map(Some).collect(),
        };
        let shown = shown.map(|shown| (Names::new(shown.doc()), shown.bullets().collect()));
        Self { view, block, all: block.bullets().collect(), shown, indexed, seen }
    }

    /// Returns the bullets that show that an update is already applied: they have the text `new` and have not expired, and
    /// no bullet has the text `old`.
    fn having(&self, names: &Names<'a>, new: &str, old: &str) -> Vec<BulletRef<'a>> {
        let having = |text: &str| bullets_by_tests(names, &self.all, &[BulletTest::Equals(text.into())]).at;
        let is_updated = having(old).is_empty();
        having(new).into_iter().filter(|bullet| is_updated && !bullet.is_expired(self.view.now)).collect()
    }

    /// Finds the bullet that an operation names by text and index, with a warning if these disagree.
    fn find(&self, names: &Names<'a>, op: &SubMemoryOp) -> Result<(Found<BulletRef<'a>>, Option<Warning>), Refusal> {
        let Some(text) = op.text.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Err(Self::no_text(op));
        };
        let test = BulletTest::Equals(text.into());
        let Some(index) = op.index else { return Ok((self.by_text(names, &test, None)?, None)) };
        let named = bullets_by_tests(names, &self.all, std::slice::from_ref(&test)).at;
        let has_text = |bullet: &BulletRef<'a>| named.contains(bullet);
        let at = at_index(self.view.doc, &self.seen, index).ok().flatten();
        let counted_now = at_index(self.view.doc, &self.indexed, index).ok();
        if let Some(bullet) = at.filter(has_text) {
            // If another bullet with this text has the index now, the editor may have counted again.
            let is_clear = counted_now.filter(has_text).is_none_or(|counted| counted == bullet);
            let found = match is_clear {
                true => bullet_by_tests(names, &[bullet], &[test], target(text)),
                false => self.by_text(names, &test, None),
            };
            return Ok((found?, None));
        }
        if let Some(bullet) = at.filter(|at| self.index_counts() && counted_now == Some(*at)) {
            let followed = format!("the index was followed: `{}` stood there", excerpt(&bullet.wording(), 80));
            return Ok((Found::exact(bullet), Some(mismatch(index, named, &followed))));
        }
        let found = self.by_text(names, &test, at)?;
        if let Some((names, all)) = &self.shown
            && bullets_by_tests(names, all, &[test]).at.len() > 1
        {
            // Another bullet that had this text may be meant, such as one that is already deleted.
            let what = Target::Bullet(format!("equals `{text}` and stood at index {index}").into());
            return Err(LocateError::not_found(what, Diagnostic::default()).into());
        }
        let is_elsewhere = counted_now != Some(found.at);
        Ok((found, is_elsewhere.then(|| mismatch(index, named, "the text was followed"))))
    }

    /// Returns true if the index decides when text and index disagree: no one else has changed the block.
    fn index_counts(&self) -> bool {
        let (doc, id) = (self.view.doc, self.block.id());
        let lines = |doc: &'a MemoryDoc| {
            let block = doc.blocks().find(|block| block.id() == id);
            block.map(|block| block.extent.of(doc.text()).trim_end())
        };
        let is_unchanged = self.view.newer.is_none_or(|newer| lines(newer) == lines(doc));
        doc.policy().sub_memory_index == SubMemoryIndex::Index && is_unchanged
    }

    /// Finds the one bullet with the text. If there is none, the help shows the bullet `at` the index.
    fn by_text(
        &self,
        names: &Names<'a>,
        test: &BulletTest,
        at: Option<BulletRef<'a>>,
    ) -> Result<Found<BulletRef<'a>>, LocateError> {
        let text = test.text().unwrap_or_default();
        let mut found = bullet_by_tests(names, &self.all, std::slice::from_ref(test), target(text));
        match &mut found {
            // In this tool an index, not a key, tells bullets with the same text apart.
            Err(LocateError::Ambiguous { matches, .. }) => matches.offer(|span, _| {
                let place = self.seen.iter().position(|now| now.is_some_and(|now| now.line == span))?;
                Some(Fix::UseIndex(index_of(self.view.doc, place)))
            }),
            Err(LocateError::NotFound { help, .. }) if names.helps.get() => {
                **help = match (bullet_elsewhere(names, std::slice::from_ref(test)), at) {
                    (Some(help), _) => help,
                    (None, Some(at)) => return Err(other_text(at, text, target(text))),
                    (None, None) => std::mem::take(help),
                };
            }
            _ => {}
        }
        found
    }

    fn no_text(op: &SubMemoryOp) -> Refusal {
        let is_update = matches!(op.intent, SubMemoryIntent::Update { .. });
        let argument = if is_update { Argument::OldBlockText } else { Argument::BlockText };
        match op.index {
            Some(_) => Refusal::too_thin(&format!("an index needs the text beside it, as {argument}")),
            None => Refusal::invalid(argument, "the text of the bullet as it stands", "nothing"),
        }
    }
}

/// Returns, for each bullet that an index counted in the block as it was `shown`, the same bullet now; none if the whole
/// block was not shown.
fn seen_bullets<'a>(known: &'a Known, shown: Option<BlockRef<'a>>, block: BlockRef<'a>) -> Vec<Option<BulletRef<'a>>> {
    let doc = block.doc();
    let is_seen = known.believed() == doc && !known.has_unseen(block.extent);
    let Some(shown) = shown.filter(|_| is_seen) else { return Vec::new() };
    let now = |then: BulletRef<'a>| {
        let line = known.line_now(then.line_index())?;
        let now: BulletRef<'a> = doc.starting_at(doc.line_start(line))?;
        (block.extent.covers(now.line) && now.wording() == then.wording()).then_some(now)
    };
    indexed_bullets(known.shown(), Scope::Block(shown)).into_iter().map(now).collect()
}

/// Warns that a text is not at its index, but on the lines of the bullets in `named`.
fn mismatch(index: i64, named: Vec<BulletRef<'_>>, followed: &str) -> Warning {
    let lines: Vec<usize> = named.into_iter().map(NodeRef::line_number).collect();
    let on = format!("on {}", named_lines(&lines));
    let place = if lines.is_empty() { "nowhere in the block" } else { &on };
    let message = format!("the text does not stand at index {index} but {place}; {followed}");
    Warning::new("index_text_mismatch", message).about(lines)
}
