//! Planning: every operation is located, then all are composed together; a new block is written once for all that is added.

use super::super::bullet_plan::{BulletPlan, PlanParts};
use super::super::claims::Claim;
use super::super::new_bullet::{Addition, are_alike, read_at};
use super::super::{Argument, Known, Refusal, RequestError, View};
use super::find::{BlockSides, SeenText};
use super::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::document::BlockRef;
use crate::edit::compose::{BulletPlace, Item, NewBlock, Spot, add_blocks, check_open_fence};
use crate::edit::{Edit, EditBuilder, Part, PartStatus};
use crate::locate::{Code, Found, Names, Scope};
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
        Ok(Self { view, request, seen: SeenText::of(view), bullets, blocks: Vec::new() })
    }

    const fn names(&self) -> &Names<'a> {
        &self.bullets.names
    }

    fn sides(&self, block: BlockRef<'a>) -> BlockSides<'_, 'a> {
        BlockSides::new(self.names(), self.view, self.seen.as_ref(), block)
    }

    fn delete(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        let block = self.block(op)?;
        let (bullet, warning) = self.sides(block.at).find(op)?;
        let part = self.bullets.delete(number, bullet.behind(block.healed))?;
        Ok(part.with_warnings(warning))
    }

    fn update(&mut self, number: usize, op: &SubMemoryOp, new: &str) -> Result<Part, Refusal> {
        Item::read(new, &BulletPlace::plain())?;
        let block = self.block(op)?;
        let sides = self.sides(block.at);
        let having = op.text.as_deref().map_or_else(Vec::new, |old| sides.having(new, old));
        if let Some(first) = having.first() {
            // What says that it is made already counts as changed by it.
            self.bullets.claim(number, *first, Claim::Text)?;
            return Ok(Part::new(PartStatus::AlreadyApplied).with_healed(block.healed));
        }
        let (bullet, warning) = sides.find(op)?;
        let read = |text: &str, place: &BulletPlace| Ok(Item::read(text, place)?);
        Ok(self.bullets.update(number, bullet.behind(block.healed), new, read)?.with_warnings(warning))
    }

    /// Finds the block that an operation names.
    fn block(&self, op: &SubMemoryOp) -> Result<Found<BlockRef<'a>>, Refusal> {
        match (&op.memory_id, &op.category) {
            (Some(id), _) => Ok(self.names().block(id, self.view.doc.span())?),
            (None, Some(title)) => Ok(self.names().block_titled(bare_title(title))?),
            (None, None) => Err(Refusal::invalid(Argument::Block, "the ID of a block, or its title", "neither")),
        }
    }

    fn add(&mut self, number: usize, op: &SubMemoryOp) -> Result<Part, Refusal> {
        let Some(text) = &op.text else {
            return Err(Refusal::invalid(Argument::BlockText, "the text to add", "nothing"));
        };
        let title = op.category.as_deref().map(bare_title).filter(|title| !title.is_empty());
        let (part, id) = match (self.block(op), title) {
            (Ok(found), _) => {
                (self.add_to(number, found.at, text)?.with_healed(found.healed), found.at.id().to_owned())
            }
            (Err(Refusal::Locate(error)), Some(title)) if error.is_absence() => {
                let block = self.new_block(number, op.memory_id.as_deref(), title, text)?;
                let (healed, id) =
                    (block.items.iter().flat_map(|item| item.healed()).copied().collect(), block.id.clone());
                (Part::new(self.add_new(block)?).with_healed(healed), id)
            }
            (Err(refusal), _) => return Err(refusal),
        };
        let made_block = op.memory_id.is_none().then(|| id.into());
        Ok(Part { made_block, ..part })
    }

    /// Adds a bullet to a block that is there.
    fn add_to(&mut self, number: usize, block: BlockRef<'a>, text: &str) -> Result<Part, Refusal> {
        let list = Scope::Block(block);
        let spot = Spot::last(self.view.doc, list, None);
        let item = read_at(&self.bullets.changes, spot, text, |text, place| Ok(Item::read(text, place)?))?;
        self.bullets.add(Addition { part: number, list, spot, item, may_repeat: false })
    }

    /// Adds a block that is to be made, or its bullet to one that another operation makes.
    fn add_new(&mut self, block: NewBlock) -> Result<PartStatus, Refusal> {
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

    /// Returns the block that is to be made, under this ID or a fresh one.
    fn new_block(&self, part: usize, id: Option<&str>, title: &str, text: &str) -> Result<NewBlock, Refusal> {
        let doc = self.view.doc;
        check_open_fence(doc, doc.text().len())?;
        let made = self.blocks.iter().find(|block| block.title == title).map(|block| block.id.as_str());
        let id = id.map_or_else(|| made.map_or_else(|| self.fresh_id(), str::to_owned), |id| id.trim().to_owned());
        let there = match self.names().block_titled(title) {
            Ok(found) => Some(found.at.id()),
            Err(error) if error.is_absence() => made.filter(|made| *made != id),
            Err(error) => return Err(error.into()),
        };
        let shown = visible(&excerpt(title, 80));
        if let Some(other) = there {
            let why = format!("a block `{shown}` has the ID `{other}`");
            return Err(Refusal::impossible(Code::DuplicateSection, why));
        }
        let block =
            NewBlock { part, title: title.to_owned(), id, items: vec![Item::read(text, &BulletPlace::plain())?] };
        if block.is_readable() {
            return Ok(block);
        }
        let why =
            format!("`{shown}` with the ID `{}` cannot be the header of a block", visible(&excerpt(&block.id, 40)));
        Err(Refusal::impossible(Code::InvalidText, why))
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
