//! Planning: every operation is located, then all are composed together; a new block is written once for all that is added.

use super::super::bound::check_parts;
use super::super::{Failure, Refusal, RequestError, Seen, View};
use super::resolve::{Resolved, Resolver};
use super::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::document::BlockId;
use crate::edit::compose::{BulletChanges, BulletPlace, Item, NewBlock, Spot, add_blocks};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Warning};
use crate::locate::{Counting, Found, LocateError, Rung, Scope, listed, unescape};

/// Plans all operations of a request.
pub(super) fn plan(request: &SubMemoryOps, view: &View<'_>) -> Result<Edit, RequestError> {
    let count = request.ops.len();
    if count == 0 {
        return Err(RequestError::of(0, invalid("ops", "at least one operation", "none")));
    }
    check_parts(count, view.doc)?;
    let mut planner = Planner::new(request, view);
    let mut parts: Vec<Part> = vec![Part::new(PartStatus::AlreadyApplied); count];
    let mut failures = Vec::new();
    // What is added is compared with what will be there: so last.
    for is_addition in [false, true] {
        for (number, op) in request.ops.iter().enumerate() {
            let is_repeated = request.ops.iter().take(number).any(|before| before == op);
            if is_repeated || (op.intent == SubMemoryIntent::Add) != is_addition {
                continue;
            }
            match (planner.op(number, op), parts.get_mut(number)) {
                (Ok(part), Some(slot)) => *slot = part,
                (Err(refusal), _) => failures.push(Failure::new(number, refusal)),
                (Ok(_), None) => {}
            }
        }
    }
    failures.sort_by_key(|failure| failure.part);
    if let Some(error) = RequestError::from_failures(failures) {
        return Err(error.among(count));
    }
    let mut edit = EditBuilder::new(view.doc);
    for part in parts {
        edit.part(part);
    }
    planner.changes.compose(&mut edit);
    add_blocks(view.doc, &planner.blocks, &mut edit);
    edit.finish().map_err(|overlap| RequestError::of(overlap.first, overlap).among(count))
}

struct Planner<'a> {
    view: &'a View<'a>,
    request: &'a SubMemoryOps,
    resolver: Resolver<'a>,
    changes: BulletChanges<'a>,
    /// What is added so far to blocks that are there.
    added: Vec<(BlockId, String)>,
    /// Blocks that are to be made.
    blocks: Vec<NewBlock>,
}

/// The block that an operation names.
enum Block {
    There(Found<BlockId>),
    New { title: String, id: String, is_fresh: bool },
}

impl<'a> Planner<'a> {
    fn new(request: &'a SubMemoryOps, view: &'a View<'a>) -> Self {
        Self {
            view,
            request,
            resolver: Resolver::new(view),
            changes: BulletChanges::new(view.doc),
            added: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn op(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        match &op.intent {
            SubMemoryIntent::Add => self.add(number, op),
            SubMemoryIntent::Update { new } => {
                let block = self.block_there(op)?;
                let item = self.read_update(block.at, op, new)?;
                let resolved = self.resolver.resolve(block.at, op, Some(&item))?;
                self.change(number, block.healed, resolved, |changes, bullet| changes.update(number, bullet, &item))
                    .map(|part| part.with_healed(item.healed().to_vec()).with_warnings(tags_taken(&item)))
            }
            SubMemoryIntent::Delete => {
                let block = self.block_there(op)?;
                let resolved = self.resolver.resolve(block.at, op, None)?;
                self.change(number, block.healed, resolved, |changes, bullet| {
                    changes.remove(number, bullet);
                    true
                })
            }
        }
    }

    fn change(
        &mut self,
        number: usize,
        healed: Vec<Rung>,
        resolved: Resolved,
        make: impl FnOnce(&mut BulletChanges<'a>, crate::document::BulletId) -> bool,
    ) -> Result<Part, Refusal> {
        let Resolved::Bullet { bullet, warning } = resolved else {
            return Ok(Part::new(PartStatus::AlreadyApplied).with_healed(healed));
        };
        self.changes.claim(number, bullet.at)?;
        let status = if make(&mut self.changes, bullet.at) { PartStatus::Applied } else { PartStatus::AlreadyApplied };
        Ok(Part::new(status).with_healed([healed, bullet.healed].concat()).with_warnings(warning))
    }

    /// Reads the new text of an update for the bullet that the operation means, as far as that can be told.
    fn read_update(&self, block: BlockId, op: &SubMemoryOp, new: &str) -> Result<Item, Refusal> {
        let Ok(Resolved::Bullet { bullet, .. }) = self.resolver.resolve(block, op, None) else {
            return Ok(Item::read(new, &BulletPlace::plain())?);
        };
        let text = if bullet.healed.contains(&Rung::Escapes) { unescape(new) } else { new.into() };
        Ok(Item::read(&text, &self.changes.place_of(bullet.at))?)
    }

    fn block_there(&self, op: &SubMemoryOp) -> Result<Found<BlockId>, Refusal> {
        match (&op.memory_id, &op.category) {
            (Some(id), _) => Ok(self.resolver.names().block(id, self.view.doc.span())?),
            (None, Some(title)) => match self.resolver.block_by_title(title)? {
                Some(found) => Ok(found),
                None => Err(self.resolver.no_block(title).into()),
            },
            (None, None) => Err(invalid("memory_id", "the ID of a block, or its title as `category`", "neither")),
        }
    }

    fn add(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        let Some(text) = &op.text else { return Err(invalid("sub_memory", "the text to add", "nothing")) };
        let block = self.block_for(op)?;
        let place = match &block {
            Block::There(found) => self.changes.place_at(Spot::last(self.view.doc, Scope::Block(found.at), None)),
            Block::New { .. } => BulletPlace::plain(),
        };
        let item = Item::read(text, &place)?;
        let warnings = tags_taken(&item);
        let healed = item.healed().to_vec();
        let part = match block {
            Block::There(found) => {
                let is_added = self.add_to(number, found.at, item);
                let status = if is_added { PartStatus::Applied } else { PartStatus::AlreadyApplied };
                let mut part = Part::new(status).with_healed(found.healed);
                if op.memory_id.is_none() {
                    part.made_block = Some(self.view.doc.block_id(found.at).to_owned());
                }
                part
            }
            Block::New { title, id, is_fresh } => {
                let made_block = is_fresh.then(|| id.clone());
                let status = self.add_new(NewBlock { part: number, title, id, items: vec![item] })?;
                Part { made_block, ..Part::new(status) }
            }
        };
        Ok(part.with_healed(healed).with_warnings(warnings))
    }

    /// Adds a bullet to a block that is there; `false` if it is there already.
    fn add_to(&mut self, number: usize, block: BlockId, item: Item) -> bool {
        let doc = self.view.doc;
        let content = item.folded_content();
        let is_there = listed(doc, Scope::Block(block), Counting::Nested)
            .into_iter()
            .any(|id| doc.folded_content(id) == content && !self.changes.changes_content(id));
        if is_there || self.added.contains(&(block, content.clone())) {
            return false;
        }
        self.added.push((block, content));
        self.changes.insert(number, Spot::last(doc, Scope::Block(block), None), item);
        true
    }

    /// Adds a bullet to a block that is to be made.
    fn add_new(&mut self, block: NewBlock) -> Result<PartStatus, Refusal> {
        if !block.is_readable() {
            return Err(Refusal::InvalidBlock { title: block.title, id: block.id });
        }
        let Some(known) = self.blocks.iter_mut().find(|known| known.id == block.id) else {
            self.blocks.push(block);
            return Ok(PartStatus::Applied);
        };
        for item in block.items {
            if known.items.iter().any(|other| other.folded_content() == item.folded_content()) {
                return Ok(PartStatus::AlreadyApplied);
            }
            known.items.push(item);
        }
        Ok(PartStatus::Applied)
    }

    /// Finds the block to add to, or says which is to be made.
    fn block_for(&self, op: &SubMemoryOp) -> Result<Block, Refusal> {
        let title = op.category.as_deref().map(str::trim).filter(|title| !title.is_empty());
        let title = title.map(|title| title.strip_suffix(':').map_or(title, str::trim_end));
        match (&op.memory_id, title) {
            (Some(id), title) => match (self.resolver.names().block(id, self.view.doc.span()), title) {
                (Ok(found), _) => Ok(Block::There(found)),
                (Err(LocateError::NotFound { .. }), Some(title)) => self.new_block(id, title),
                (Err(error), _) => Err(error.into()),
            },
            (None, Some(title)) => match self.resolver.block_by_title(title)? {
                Some(found) => Ok(Block::There(found)),
                None => {
                    let known = self.blocks.iter().find(|block| block.title == title);
                    let id = known.map_or_else(|| self.fresh_id(), |block| block.id.clone());
                    Ok(Block::New { title: title.to_owned(), id, is_fresh: true })
                }
            },
            (None, None) => Err(invalid("memory_id", "the ID of a block, or a `category` for a new one", "neither")),
        }
    }

    fn new_block(&self, id: &str, title: &str) -> Result<Block, Refusal> {
        let doc = self.view.doc;
        let duplicate = |id: &str, line| Refusal::DuplicateBlock { title: title.to_owned(), id: id.to_owned(), line };
        if let Some(found) = self.resolver.block_by_title(title)? {
            let line = doc.outline().block(found.at).map_or(1, |block| doc.line_number(block.line.start()));
            return Err(duplicate(doc.block_id(found.at), line));
        }
        if let Some(made) = self.blocks.iter().find(|block| block.title == title && block.id != id.trim()) {
            return Err(duplicate(&made.id, doc.lines().len() + 2));
        }
        Ok(Block::New { title: title.to_owned(), id: id.trim().to_owned(), is_fresh: false })
    }

    /// Returns an ID above all that are used: in the document, in the text last shown, and in the request.
    fn fresh_id(&self) -> String {
        let mut docs = vec![self.view.doc];
        if let Seen::Older { shown, .. } = self.view.seen {
            docs.push(shown);
        }
        let in_docs = docs.iter().flat_map(|doc| doc.outline().block_ids().map(|id| doc.block_id(id)));
        let in_request = self.request.ops.iter().filter_map(|op| op.memory_id.as_deref());
        let made = self.blocks.iter().map(|block| block.id.as_str());
        let number = |id: &str| id.trim().strip_prefix("mem")?.parse::<u64>().ok();
        let highest = in_docs.chain(in_request).chain(made).filter_map(number).max().unwrap_or(0);
        format!("mem{}", highest.saturating_add(1))
    }
}

fn tags_taken(item: &Item) -> Option<Warning> {
    let tags = item.tags_in_text().to_vec();
    (!tags.is_empty()).then_some(Warning::TagsTaken { tags })
}

fn invalid(argument: &'static str, expected: &'static str, found: &str) -> Refusal {
    Refusal::InvalidArgument { argument, expected, found: found.to_owned() }
}
