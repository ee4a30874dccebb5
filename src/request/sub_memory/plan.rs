//! Planning: every operation is located, then all are composed together; a new block is written once for all that is added.

use super::super::bound::{check_parts, help_first};
use super::super::claims::{Claim, Claims};
use super::super::new_bullet::{Addition, NewBullet, says_the_same, tagged_alike, tags_taken};
use super::super::{Argument, BulletRefusal, Failure, Known, Refusal, RequestError, View};
use super::resolve::{Resolved, Resolver};
use super::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::document::{BlockRef, BulletRef};
use crate::edit::compose::{BulletChanges, BulletPlace, Item, NewBlock, Spot, add_blocks};
use crate::edit::{Edit, EditBuilder, Part, PartStatus};
use crate::locate::{Fix, Found, LocateError, Rung, Scope, unescape};

/// Plans all operations of a request.
pub(super) fn plan(request: &SubMemoryOps, view: &View<'_>) -> Result<Edit, RequestError> {
    let count = request.ops.len();
    if count == 0 {
        return Err(Refusal::invalid(Argument::Operations, "at least one operation", "none").into());
    }
    check_parts(count, view.doc)?;
    let mut planner = Planner::new(request, view);
    let mut parts: Vec<Part> = vec![Part::new(PartStatus::AlreadyApplied); count];
    let mut failures = Vec::new();
    // Help is looked for when it is known which parts fail first.
    planner.resolver.names().withhold_help();
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
    failures.extend(planner.claims.uprooted());
    failures.sort_by_key(|failure| failure.part);
    planner.resolver.names().give_help();
    help_first(&mut failures, |number| planner.op(number, request.ops.get(number)?).err());
    RequestError::from_failures(failures).map_or(Ok(()), |error| Err(error.among(count)))?;
    let mut edit = EditBuilder::new(view.doc);
    for part in parts {
        edit.part(part);
    }
    planner.changes.compose(&mut edit);
    add_blocks(view.doc, &planner.blocks, &mut edit);
    edit.finish().map_err(|overlap| RequestError::from(overlap).among(count))
}

struct Planner<'a> {
    view: &'a View<'a>,
    request: &'a SubMemoryOps,
    resolver: Resolver<'a>,
    changes: BulletChanges<'a>,
    claims: Claims<'a>,
    /// What is added so far to blocks that are there.
    additions: Vec<Addition<'a>>,
    /// Blocks that are to be made.
    blocks: Vec<NewBlock>,
}

/// The block that an operation names.
enum Block<'a> {
    There(Found<BlockRef<'a>>),
    New { title: String, id: String, is_fresh: bool },
}

impl<'a> Planner<'a> {
    fn new(request: &'a SubMemoryOps, view: &'a View<'a>) -> Self {
        Self {
            view,
            request,
            resolver: Resolver::new(view),
            changes: BulletChanges::new(view.doc),
            claims: Claims::default(),
            additions: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn op(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        match &op.intent {
            SubMemoryIntent::Add => self.add(number, op),
            SubMemoryIntent::Update { new } => self.update(number, op, new),
            SubMemoryIntent::Delete => {
                let block = self.block_there(op)?;
                let resolved = self.resolver.resolve(block.at, op, None)?;
                let Resolved::Bullet { bullet, warning } = resolved else { return Ok(already(block.healed)) };
                self.claim(number, bullet.at, Claim::Delete)?;
                self.changes.remove(number, bullet.at);
                let healed = [block.healed, bullet.healed].concat();
                Ok(Part::new(PartStatus::Applied).with_healed(healed).with_warnings(warning))
            }
        }
    }

    fn update(&mut self, number: usize, op: &SubMemoryOp, new: &str) -> Result<Part, Refusal> {
        let plain = Item::read(new, &BulletPlace::plain())?;
        let block = self.block_there(op)?;
        let Resolved::Bullet { bullet, warning } = self.resolver.resolve(block.at, op, Some(&plain))? else {
            return Ok(already(block.healed).with_warnings(tags_taken(&plain)));
        };
        // What was sought with escapes is written with escapes, too.
        let text = if bullet.healed.contains(&Rung::Escapes) { unescape(new) } else { new.into() };
        let item = Item::read(&text, &self.changes.place_of(bullet.at))?;
        self.claim(number, bullet.at, Claim::Update(item.groups.concat()))?;
        let status = self.changes.update(number, bullet.at, &item);
        let part = Part::new(status).with_healed([&*block.healed, &*bullet.healed, item.healed()].concat());
        Ok(part.with_warnings(warning).with_warnings(tags_taken(&item)))
    }

    fn claim(&mut self, number: usize, bullet: BulletRef<'a>, claim: Claim) -> Result<(), Refusal> {
        self.claims.claim(bullet, number, claim)
    }

    fn block_there(&self, op: &SubMemoryOp) -> Result<Found<BlockRef<'a>>, Refusal> {
        match (&op.memory_id, &op.category) {
            (Some(id), _) => Ok(self.resolver.names().block(id, self.view.doc.span())?),
            (None, Some(title)) => {
                let title = bare_title(title);
                Ok(self.resolver.names().block_titled(title)?)
            }
            (None, None) => Err(Refusal::invalid(Argument::Block, "the ID of a block, or its title", "neither")),
        }
    }

    fn add(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        let Some(text) = &op.text else {
            return Err(Refusal::invalid(Argument::BlockText, "the text to add", "nothing"));
        };
        match self.block_for(op)? {
            Block::There(found) => {
                let mut part = self.add_to(number, found.at, text)?.with_healed(found.healed);
                if op.memory_id.is_none() {
                    part.made_block = Some(found.at.id().into());
                }
                Ok(part)
            }
            Block::New { title, id, is_fresh } => {
                let (item, made_block) = (Item::read(text, &BulletPlace::plain())?, is_fresh.then(|| id.clone()));
                let (warnings, healed) = (tags_taken(&item), item.healed().to_vec());
                let status = self.add_new(NewBlock { part: number, title, id, items: vec![item] })?;
                let part = Part { made_block: made_block.map(Into::into), ..Part::new(status) }.with_healed(healed);
                Ok(part.with_warnings(warnings))
            }
        }
    }

    /// Adds a bullet to a block that is there.
    fn add_to(&mut self, number: usize, block: BlockRef<'a>, text: &str) -> Result<Part, Refusal> {
        let list = Scope::Block(block);
        let spot = Spot::last(self.view.doc, list, None);
        let new = NewBullet::read(&self.changes, spot, text, |text, place| Ok(Item::read(text, place)?))?;
        let part = already(new.item.healed().to_vec()).with_warnings(tags_taken(&new.item));
        let addition = Addition { part: number, list, new, is_placed: false };
        let duplicate = |bullet| addition.new.duplicate_of(bullet);
        if addition.is_there(&self.additions, &self.changes, duplicate)? {
            return Ok(part);
        }
        addition.new.clone().insert(&mut self.changes, number);
        self.additions.push(addition);
        Ok(Part { status: PartStatus::Applied, ..part })
    }

    /// Adds a bullet to a block that is to be made.
    fn add_new(&mut self, block: NewBlock) -> Result<PartStatus, Refusal> {
        if !block.is_readable() {
            return Err(Refusal::InvalidBlock { title: block.title.into(), id: block.id.into() });
        }
        let Some(known) = self.blocks.iter_mut().find(|known| known.id == block.id) else {
            self.blocks.push(block);
            return Ok(PartStatus::Applied);
        };
        for item in block.items {
            match known.items.iter().find(|other| says_the_same(other, &item)) {
                Some(twin) if tagged_alike(twin, &item) => return Ok(PartStatus::AlreadyApplied),
                Some(_) => return Err(BulletRefusal::InsertedTwice { first: known.part, second: block.part }.into()),
                None => {}
            }
            known.items.push(item);
        }
        Ok(PartStatus::Applied)
    }

    /// Finds the block to add to, or says which is to be made.
    fn block_for(&self, op: &SubMemoryOp) -> Result<Block<'a>, Refusal> {
        let title = op.category.as_deref().map(bare_title).filter(|title| !title.is_empty());
        match (&op.memory_id, title) {
            (Some(id), title) => match (self.resolver.names().block(id, self.view.doc.span()), title) {
                (Ok(found), _) => Ok(Block::There(found)),
                (Err(LocateError::NotFound { .. }), Some(title)) => self.new_block(id, title),
                (Err(mut error), _) => {
                    if let LocateError::NotFound { help, .. } = &mut error {
                        help.fix.get_or_insert(Fix::NameTitle);
                    }
                    Err(error.into())
                }
            },
            (None, Some(title)) => match self.resolver.names().block_titled(title) {
                Ok(found) => Ok(Block::There(found)),
                Err(error) if !error.is_absence() => Err(error.into()),
                Err(_) => {
                    let known = self.blocks.iter().find(|block| block.title == title);
                    let id = known.map_or_else(|| self.fresh_id(), |block| block.id.clone());
                    Ok(Block::New { title: title.to_owned(), id, is_fresh: true })
                }
            },
            (None, None) => {
                Err(Refusal::invalid(Argument::Block, "the ID of a block, or the title of a new one", "neither"))
            }
        }
    }

    fn new_block(&self, id: &str, title: &str) -> Result<Block<'a>, Refusal> {
        let doc = self.view.doc;
        let duplicate = |id: &str, line| Refusal::DuplicateBlock { title: title.into(), id: id.into(), line };
        match self.resolver.names().block_titled(title) {
            Ok(found) => return Err(duplicate(found.at.id(), found.at.line_number())),
            Err(error) if !error.is_absence() => return Err(error.into()),
            Err(_) => {}
        }
        if let Some(made) = self.blocks.iter().find(|block| block.title == title && block.id != id.trim()) {
            return Err(duplicate(&made.id, doc.lines().len() + 2));
        }
        Ok(Block::New { title: title.to_owned(), id: id.trim().to_owned(), is_fresh: false })
    }

    /// Returns an ID above all that are used: in the document, in the text last shown, and in the request.
    fn fresh_id(&self) -> String {
        let mut docs = vec![self.view.doc];
        docs.extend(self.view.known.map(Known::shown));
        let in_docs = docs.iter().flat_map(|doc| doc.blocks().map(BlockRef::id));
        let in_request = self.request.ops.iter().filter_map(|op| op.memory_id.as_deref());
        let made = self.blocks.iter().map(|block| block.id.as_str());
        let number = |id: &str| id.trim().strip_prefix("mem")?.parse::<u64>().ok();
        let highest = in_docs.chain(in_request).chain(made).filter_map(number).max().unwrap_or(0);
        format!("mem{}", highest.saturating_add(1))
    }
}

/// Returns a title without the colon that stands behind it in a header.
fn bare_title(title: &str) -> &str {
    let title = title.trim();
    title.strip_suffix(':').map_or(title, str::trim_end)
}

fn already(healed: Vec<Rung>) -> Part {
    Part::new(PartStatus::AlreadyApplied).with_healed(healed)
}
