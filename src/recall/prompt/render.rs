//! [`Prompt`]: the settings of a prompt, and how it is rendered.

use std::collections::BTreeMap;

use super::packer::Packer;
use super::parts::{Gathering, Part, Sources};
use super::{HostPart, PromptPart};
use crate::document::MemoryDoc;
use crate::memory::{DocName, Memory, MemoryError, SCRATCHPAD_KEY, SESSION_HANDOFF_KEY};
use crate::recall::pieces::Item;
use crate::recall::{Recall, RecallQuery, Recalled};
use crate::text::Content;

/// The most records that are recalled for a prompt.
const MEMORIES: usize = 20;

/// The settings of a prompt: which document it shows, and the host's own parts.
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
///     "## Memory\n```memory\n## Facts\n- Lives in Denver\n```\n\nMemory: 16 of 100 tokens used.\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt {
    /// The document that is rendered. Default: `memory`.
    pub document: DocName,
    /// How many tokens the core blocks may take before anything else is taken. Default:
    /// [`CORE_RESERVE`](Self::CORE_RESERVE).
    pub core_reserve: usize,
    /// The host's own parts, in their order.
    pub parts: Vec<HostPart>,
}

/// A rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The text; empty if the budget is too small for its last line.
    pub text: Content,
    /// How many tokens the text has; never more than the budget. The number in the last line of the text is smaller,
    /// because it does not count that line.
    pub tokens: usize,
    /// How many items of each part did not fit.
    pub left_out: BTreeMap<PromptPart, usize>,
    /// The documents of which the text shows something. Each is the whole document that was rendered.
    pub documents: Vec<(DocName, MemoryDoc)>,
}

impl Default for Prompt {
    fn default() -> Self {
        Self::new()
    }
}

impl Prompt {
    /// The default of [`core_reserve`](Self::core_reserve), in tokens.
    pub const CORE_RESERVE: usize = 500;

    /// Creates a prompt of the document `memory`, the core blocks, the notes and the records.
    pub fn new() -> Self {
        Self { document: DocName::memory(), core_reserve: Self::CORE_RESERVE, parts: Vec::new() }
    }

    /// Adds a part after all others.
    #[must_use]
    pub fn with_part(mut self, heading: impl Into<String>, text: impl Into<Content>) -> Self {
        self.parts.push(HostPart { heading: heading.into(), text: text.into() });
        self
    }

    /// Renders the prompt within `budget` tokens. `message` is the user's message, for which records are recalled. The
    /// same memory at the same time gives the same bytes.
    ///
    /// If the agent has a toolbox, call [`Toolbox::prompt`](crate::toolbox::Toolbox::prompt) instead: it also remembers
    /// what the agent was shown.
    ///
    /// # Errors
    ///
    /// The document does not exist, or the store cannot be read.
    pub fn render(&self, recall: &Recall, budget: usize, message: Option<&str>) -> Result<Rendered, MemoryError> {
        let memory = recall.memory();
        let [core, document, notes] =
            [&DocName::core(), &self.document, &DocName::notes()].map(|name| memory.read(name));
        let sources = Sources { core: core?, document: document?, notes: notes? };
        let recalled = self.recalled(recall, budget, message)?;
        let mut gathering = Gathering { memory, now: memory.now(), parts: Vec::new() };
        gathering.note(PromptPart::Handoff, "Handoff", SESSION_HANDOFF_KEY, &sources.notes);
        gathering.core(&sources.core)?;
        gathering.document(&self.document, &sources.document);
        gathering.notes(&sources.notes, &recall.known().journal.value.notes);
        gathering.recalled(&recalled);
        gathering.note(PromptPart::Scratchpad, "Scratchpad", SCRATCHPAD_KEY, &sources.notes);
        gathering.host(&self.parts);
        Ok(self.finished(&self.packed(memory, &gathering.parts, budget), &sources, budget))
    }

    fn recalled(&self, recall: &Recall, budget: usize, message: Option<&str>) -> Result<Recalled, MemoryError> {
        let mut query = RecallQuery::new(message.unwrap_or_default());
        (query.max_tokens, query.max_results, query.include_core) = (budget / 4, MEMORIES, false);
        recall.recall(&query)
    }

    /// Takes the items that fit together with the longest possible last line, the most important first.
    fn packed<'a>(&self, memory: &'a Memory, parts: &'a [Part], budget: usize) -> Packer<'a> {
        let all_left_out = Packer::new(memory, parts, 0).left_out();
        let last = format!("\n{}", last_line(budget, budget, &all_left_out));
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

    fn finished(&self, packer: &Packer<'_>, sources: &Sources, budget: usize) -> Rendered {
        let left_out = packer.left_out();
        let body = packer.text();
        let last = last_line(packer.memory.tokens(&body), budget, &left_out);
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
        Rendered { tokens, text: text.into(), left_out, documents: documents.into_iter().flatten().collect() }
    }
}

fn last_line(used: usize, budget: usize, left_out: &BTreeMap<PromptPart, usize>) -> String {
    let counts: Vec<_> = left_out.iter().map(|(part, count)| format!("{part} {count}")).collect();
    let rest = if counts.is_empty() { String::new() } else { format!("; left out: {}", counts.join(", ")) };
    format!("Memory: {used} of {budget} tokens used{rest}.\n")
}
