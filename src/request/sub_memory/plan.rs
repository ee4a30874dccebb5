//! Planning: every operation is located, then all are composed together; a new block is written once for all that is added.

use super::super::bullet_plan::{BulletPlan, PlanParts, TwinAllowed};
use super::super::new_bullet::{Addition, are_alike, read_at};
use super::super::{Argument, Known, Refusal, RequestError, View};
use super::find::{Meant, SeenText, Sides};
use super::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::document::{BlockRef, BulletRef};
use crate::edit::compose::{BulletPlace, Item, NewBlock, Spot, add_blocks};
use crate::edit::{Edit, EditBuilder, EditError, Flaw, Overlap, Part, PartStatus};
use crate::locate::{Code, Found, Leniency, LocateError, Names, Scope};
use crate::text::{excerpt, visible};

/// Plans all operations of a request.
pub(super) fn plan(request: &SubMemoryOps, view: &View<'_>) -> Result<Edit, RequestError> {
    let count = request.ops.len();
    if count == 0 {
        return Err(Refusal::invalid(Argument::Operations, "at least one operation", "none").into());
    }
    let mut planner = Planner::new(request, view)?;
    let mut asked: Vec<_> = request.ops.iter().enumerate().collect();
    // What is added is compared with what will be there: so last.
    asked.sort_by_key(|(_, op)| op.intent == SubMemoryIntent::Add);
    let parts = planner.parts(&asked).map_err(|error| error.among(count))?;
    let parts = parts.into_iter().map(|(_, part)| part);
    planner.check_needed().map_err(|error| error.among(count))?;
    let mut edit = EditBuilder::new(view.doc);
    planner.bullets.compose(parts, &mut edit);
    add_blocks(view.doc, &planner.blocks, &mut edit);
    edit.finish().map_err(|overlap| RequestError::from(overlap).among(count))
}

struct Planner<'a> {
    view: &'a View<'a>,
    request: &'a SubMemoryOps,
    seen: Option<SeenText<'a>>,
    bullets: BulletPlan<'a>,
    /// Blocks that are to be made.
    blocks: Vec<NewBlock>,
    /// Of updates that are made already, the bullets that say so.
    needed: Vec<(usize, Vec<BulletRef<'a>>)>,
}

/// The block that an operation names.
enum Block<'a> {
    There(Found<BlockRef<'a>>),
    New { title: String, id: String, is_fresh: bool },
}

impl<'a> PlanParts<'a> for Planner<'a> {
    type Asked = SubMemoryOp;

    fn bullets(&mut self) -> &mut BulletPlan<'a> {
        &mut self.bullets
    }

    fn part(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        match &op.intent {
            SubMemoryIntent::Add => self.add(number, op),
            SubMemoryIntent::Update { new } => self.update(number, op, new),
            SubMemoryIntent::Delete => self.delete(number, op),
        }
    }
}

impl<'a> Planner<'a> {
    fn new(request: &'a SubMemoryOps, view: &'a View<'a>) -> Result<Self, RequestError> {
        let bullets = BulletPlan::new(view.doc, request.ops.len())?;
        Ok(Self { view, request, seen: SeenText::of(view), bullets, blocks: Vec::new(), needed: Vec::new() })
    }

    const fn names(&self) -> &Names<'a> {
        &self.bullets.names
    }

    fn sides(&self, block: BlockRef<'a>) -> Sides<'_, 'a> {
        Sides::new(self.names(), self.view, self.seen.as_ref(), block)
    }

    fn delete(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        let block = self.block_there(op)?;
        let Meant { bullet, warning } = self.sides(block.at).find(op)?;
        let part = self.bullets.delete(number, bullet.behind(block.healed))?;
        Ok(part.with_warnings(warning))
    }

    fn update(&mut self, number: usize, op: &SubMemoryOp, new: &str) -> Result<Part, Refusal> {
        Item::read(new, &BulletPlace::plain())?;
        let block = self.block_there(op)?;
        let sides = self.sides(block.at);
        let having = op.text.as_deref().map_or_else(Vec::new, |old| sides.having(new, old));
        if !having.is_empty() {
            self.needed.push((number, having));
            return Ok(already(block.healed));
        }
        let Meant { bullet, warning } = sides.find(op)?;
        let read = |text: &str, place: &BulletPlace| Ok(Item::read(text, place)?);
        Ok(self.bullets.update(number, bullet.behind(block.healed), new, read)?.with_warnings(warning))
    }

    /// Refuses an update that is made already, if all that says so is changed or removed by other operations.
    fn check_needed(&self) -> Result<(), RequestError> {
        for (number, bullets) in &self.needed {
            let takers: Option<Vec<_>> = bullets.iter().map(|bullet| self.bullets.taker(*bullet)).collect();
            if let Some((other, bullet)) = takers.and_then(|takers| Some((*takers.first()?, bullets.first()?))) {
                let (first, second, span) = (*number.min(&other), *number.max(&other), bullet.extent);
                return Err(RequestError::of(*number, Overlap { first, second, span }));
            }
        }
        Ok(())
    }

    fn block_there(&self, op: &SubMemoryOp) -> Result<Found<BlockRef<'a>>, Refusal> {
        match (&op.memory_id, &op.category) {
            (Some(id), _) => Ok(self.names().block(id, self.view.doc.span())?),
            (None, Some(title)) => {
                let title = bare_title(title);
                Ok(self.names().block_titled(title)?)
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
                if let Some(fence) = self.view.doc.outline().fences().last().filter(|fence| !fence.is_closed) {
                    let line = self.view.doc.line_number(fence.extent.start());
                    return Err(EditError::InvalidText(Flaw::InOpenFence(line)).into());
                }
                let (item, made_block) = (Item::read(text, &BulletPlace::plain())?, is_fresh.then(|| id.clone()));
                let healed = item.healed().to_vec();
                let status = self.add_new(NewBlock { part: number, title, id, items: vec![item] })?;
                let part = Part { made_block: made_block.map(Into::into), ..Part::new(status) }.with_healed(healed);
                Ok(part)
            }
        }
    }

    /// Adds a bullet to a block that is there.
    fn add_to(&mut self, number: usize, block: BlockRef<'a>, text: &str) -> Result<Part, Refusal> {
        let list = Scope::Block(block);
        let spot = Spot::last(self.view.doc, list, None);
        let item = read_at(&self.bullets.changes, spot, text, |text, place| Ok(Item::read(text, place)?))?;
        self.bullets.add(Addition { part: number, list, spot, item }, TwinAllowed::No)
    }

    /// Adds a bullet to a block that is to be made.
    fn add_new(&mut self, block: NewBlock) -> Result<PartStatus, Refusal> {
        if !block.is_readable() {
            let (title, id) = (visible(&excerpt(&block.title, 80)), visible(&excerpt(&block.id, 40)));
            let why = format!("`{title}` with the ID `{id}` cannot be the header of a block");
            return Err(Refusal::impossible(Code::InvalidText, why));
        }
        let Some(known) = self.blocks.iter_mut().find(|known| known.id == block.id) else {
            self.blocks.push(block);
            return Ok(PartStatus::Applied);
        };
        for item in block.items {
            if known.items.iter().any(|other| are_alike(other, &item)) {
                return Ok(PartStatus::AlreadyApplied);
            }
            known.items.push(item);
        }
        Ok(PartStatus::Applied)
    }

    /// Finds the block to add to, or says which is to be made.
    fn block_for(&self, op: &SubMemoryOp) -> Result<Block<'a>, Refusal> {
        let title = op.category.as_deref().map(bare_title).filter(|title| !title.is_empty());
        match (&op.memory_id, title) {
            (Some(id), title) => match (self.names().block(id, self.view.doc.span()), title) {
                (Ok(found), _) => Ok(Block::There(found)),
                (Err(LocateError::NotFound { .. }), Some(title)) => self.new_block(id, title),
                (Err(error), _) => Err(error.into()),
            },
            (None, Some(title)) => match self.names().block_titled(title) {
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
        let duplicate = |id: &str, line: usize| {
            let why = format!("a block `{title}` stands on line {line} already, with the ID `{id}`");
            Refusal::impossible(Code::DuplicateSection, why)
        };
        match self.names().block_titled(title) {
            Ok(found) => return Err(duplicate(found.at.id(), found.at.line_number())),
            Err(error) if !error.is_absence() => return Err(error.into()),
            Err(_) => {}
        }
        if let Some(made) = self.blocks.iter().find(|block| block.title == title && block.id != id.trim()) {
            return Err(duplicate(&made.id, doc.lines().len() + 2));
        }
        Ok(Block::New { title: title.to_owned(), id: id.trim().to_owned(), is_fresh: false })
    }

    /// Returns an ID with a number above all that are used in the document, in the text last shown, and in the request.
    fn fresh_id(&self) -> String {
        let number = |id: &str| id.trim().strip_prefix("mem")?.parse::<u64>().ok();
        let docs = [Some(self.view.doc), self.view.known.map(Known::shown)];
        let in_docs = docs.into_iter().flatten().flat_map(|doc| doc.blocks().map(BlockRef::id));
        let in_request = self.request.ops.iter().filter_map(|op| op.memory_id.as_deref());
        let made = self.blocks.iter().map(|block| &*block.id);
        let highest = in_docs.chain(in_request).chain(made).filter_map(number).max().unwrap_or(0);
        format!("mem{}", highest.saturating_add(1))
    }
}

/// Returns a title without the colon that stands behind it in a header.
fn bare_title(title: &str) -> &str {
    let title = title.trim();
    title.strip_suffix(':').map_or(title, str::trim_end)
}

fn already(healed: Vec<Leniency>) -> Part {
    Part::new(PartStatus::AlreadyApplied).with_healed(healed)
}
