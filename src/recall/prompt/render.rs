//! [`Prompt`]: what a host wants told, and the telling of it.

use std::collections::BTreeMap;

use super::super::handle::Recall;
use super::super::packing::WhyLeftOut;
use super::super::query::{RecallQuery, Recalled};
use super::packer::Packer;
use super::parts::{Gathering, HostPart, Item, NotRendered, Part, PromptPart, Sources};
use crate::document::MemoryDoc;
use crate::memory::{DocName, Memory, MemoryError};
use crate::text::Content;

/// How many memories are recalled at most.
const MEMORIES: usize = 20;

/// What a host wants in its prompts.
///
/// # Examples
///
/// ```
/// use memdoc::recall::{Prompt, Recall};
/// use memdoc::{DocName, InMemoryStore, Memory, Policy};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n- [expires: 2020-01-01] Has a cold\n");
/// let recall = Recall::new(Memory::new(store, Policy::default())?);
/// let rendered = Prompt::new().render(&recall, 100, None)?;
/// assert_eq!(
///     rendered.text,
///     "## Memory\n```memory\n## Facts\n- Lives in Denver\n```\n\nMemory: 17 of 100 tokens used.\n"
/// );
/// assert_eq!(rendered.left_out[0].reason.as_str(), "expired");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt {
    /// The document in its midst.
    pub document: DocName,
    /// How many tokens are reserved for the core blocks.
    pub core_reserve: usize,
    /// The host's own parts, in their order.
    pub parts: Vec<HostPart>,
}

/// A prompt as it was rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The text.
    pub text: Content,
    /// How many tokens it has, no more than the budget.
    pub tokens: usize,
    /// The budget.
    pub budget: usize,
    /// What is not in it, part by part.
    pub left_out: Vec<NotRendered>,
    /// The documents that something in it is of, as they were.
    pub documents: Vec<(DocName, MemoryDoc)>,
}

impl Default for Prompt {
    fn default() -> Self {
        Self::new()
    }
}

impl Prompt {
    /// How many tokens are reserved for the core blocks unless a host says otherwise.
    pub const CORE_RESERVE: usize = 500;

    /// Tells of `memory` and all that belongs to it.
    pub fn new() -> Self {
        Self { document: DocName::memory(), core_reserve: Self::CORE_RESERVE, parts: Vec::new() }
    }

    /// Adds a part behind all others.
    #[must_use]
    pub fn with_part(mut self, heading: impl Into<String>, text: impl Into<Content>) -> Self {
        self.parts.push(HostPart { heading: heading.into(), text: text.into() });
        self
    }

    /// Renders what the agent is to be told within `budget` tokens. The same memory at the same time renders the same bytes.
    ///
    /// Whoever gives the text to an agent with a toolbox uses [`Toolbox::prompt`](crate::toolbox::Toolbox::prompt) instead, which
    /// notes what the agent has been shown.
    ///
    /// # Errors
    ///
    /// There is no such document; the store cannot be read.
    pub fn render(&self, recall: &Recall, budget: usize, message: Option<&str>) -> Result<Rendered, MemoryError> {
        let memory = recall.memory();
        let [core, document, notes] =
            [&DocName::core(), &self.document, &DocName::notes()].map(|name| memory.read(name));
        let sources = Sources { core: core?, document: document?, notes: notes? };
        let recalled = self.recalled(recall, budget, message)?;
        let mut gathering = Gathering { memory, now: memory.now(), parts: Vec::new(), expired: Vec::new() };
        gathering.handoff(&sources.notes);
        gathering.core(&sources.core)?;
        gathering.document(&self.document, &sources.document);
        {
            let known = recall.known();
            gathering.notes(&sources.notes, |title| known.journal.note_written(title).map_or(0, |seq| seq.get()));
        }
        gathering.recalled(&recalled.memories);
        gathering.scratchpad(&sources.notes);
        gathering.host(&self.parts);
        let Gathering { parts, expired: mut left_out, .. } = gathering;
        left_out.extend(not_recalled(&recalled));
        let packer = self.packed_with_last_line(memory, &parts, (budget, &left_out));
        left_out.extend(packer.left_out());
        left_out.sort_by_key(|left_out| left_out.part);
        Ok(self.finished(&packer, &sources, left_out, budget))
    }

    /// Packs with room for a short last line, or where something has to be left out, for the longest that it may be.
    fn packed_with_last_line<'a>(
        &self,
        memory: &'a Memory,
        parts: &'a [Part],
        (budget, left_out): (usize, &[NotRendered]),
    ) -> Packer<'a> {
        let packer = self.packed(memory, parts, (budget, &counts(left_out)));
        if packer.left_out().next().is_none() {
            return packer;
        }
        let all = parts.iter().map(|part| part.items.len()).sum::<usize>() + left_out.len();
        let kinds = parts.iter().map(|part| part.kind).chain(left_out.iter().map(|left_out| left_out.part));
        self.packed(memory, parts, (budget, &kinds.map(|kind| (kind, all)).collect()))
    }

    fn recalled(&self, recall: &Recall, budget: usize, message: Option<&str>) -> Result<Recalled, MemoryError> {
        let mut query = RecallQuery::new(message.unwrap_or_default());
        (query.max_tokens, query.max_results, query.include_core) = (budget / 4, MEMORIES, false);
        recall.recall(&query)
    }

    /// Packs what fits into a budget beside its last line.
    fn packed<'a>(&self, memory: &'a Memory, parts: &'a [Part], (budget, left_out): (usize, &Counts)) -> Packer<'a> {
        let last = format!("\n{}", last_line(budget, budget, left_out));
        let mut packer = Packer::new(memory, parts, budget.saturating_sub(memory.tokens(&last)));
        let (all, every) = (usize::MAX, |_: &Item| true);
        packer.take(PromptPart::Core, self.core_reserve, every);
        packer.take(PromptPart::Document, all, |item| item.is_kept);
        packer.take(PromptPart::Handoff, all, every);
        packer.take(PromptPart::Core, all, every);
        packer.take(PromptPart::Host, all, every);
        packer.take(PromptPart::Scratchpad, all, every);
        packer.take(PromptPart::Recalled, all, every);
        packer.take(PromptPart::Document, all, every);
        packer.take(PromptPart::Notes, all, every);
        packer.fit();
        packer
    }

    fn finished(&self, packer: &Packer<'_>, sources: &Sources, left_out: Vec<NotRendered>, budget: usize) -> Rendered {
        let body = packer.text();
        let last = last_line(packer.memory.tokens(&body), budget, &counts(&left_out));
        let between = if body.is_empty() { "" } else { "\n" };
        let text =
            Some(format!("{body}{between}{last}")).filter(|text| packer.memory.tokens(text) <= budget).unwrap_or(body);
        let of =
            |kinds: &[PromptPart], name: DocName, doc: &MemoryDoc| packer.has_any(kinds).then(|| (name, doc.clone()));
        let notes = [PromptPart::Handoff, PromptPart::Notes, PromptPart::Scratchpad];
        let documents = [
            of(&[PromptPart::Core], DocName::core(), &sources.core),
            of(&[PromptPart::Document], self.document.clone(), &sources.document),
            of(&notes, DocName::notes(), &sources.notes),
        ];
        let tokens = packer.memory.tokens(&text);
        Rendered { tokens, text: text.into(), budget, left_out, documents: documents.into_iter().flatten().collect() }
    }
}

/// How much of which part did not fit.
type Counts = BTreeMap<PromptPart, usize>;

fn counts(left_out: &[NotRendered]) -> Counts {
    let mut counts = Counts::new();
    let too_large = left_out.iter().filter(|left_out| left_out.reason == WhyLeftOut::Budget);
    too_large.for_each(|left_out| *counts.entry(left_out.part).or_insert(0) += 1);
    counts
}

fn last_line(used: usize, budget: usize, left_out: &Counts) -> String {
    let counts: Vec<_> = left_out.iter().map(|(part, count)| format!("{part} {count}")).collect();
    let rest = if counts.is_empty() { String::new() } else { format!("; left out: {}", counts.join(", ")) };
    format!("Memory: {used} of {budget} tokens used{rest}.\n")
}

fn not_recalled(recalled: &Recalled) -> impl Iterator<Item = NotRendered> {
    recalled.left_out.iter().map(|row| NotRendered {
        part: PromptPart::Recalled,
        name: format!("entry {}", row.seq).into(),
        tokens: row.tokens,
        reason: row.reason,
    })
}
