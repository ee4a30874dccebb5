//! [`Prompt`]: the settings of a prompt, and how it is rendered.

use super::super::{Recall, RecallQuery, Recalled, WhyLeftOut};
use super::packer::Packer;
use super::parts::{Gathering, Sources};
use super::{HostPart, NotRendered, PromptPart};
use crate::document::MemoryDoc;
use crate::memory::{DocName, MemoryError, SCRATCHPAD_KEY, SESSION_HANDOFF_KEY};
use crate::recall::pieces::Item;
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
    /// The budget.
    pub budget: usize,
    /// The items that did not fit, part by part.
    pub left_out: Vec<NotRendered>,
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
        let mut gathering = Gathering { memory, now: memory.now(), parts: Vec::new(), left_out: Vec::new() };
        gathering.note(PromptPart::Handoff, "Handoff", SESSION_HANDOFF_KEY, &sources.notes);
        gathering.core(&sources.core)?;
        gathering.document(&self.document, &sources.document);
        gathering
            .notes(&sources.notes, |title| recall.known().journal.value.note_written(title).map_or(0, |seq| seq.get()));
        gathering.recalled(&recalled);
        gathering.note(PromptPart::Scratchpad, "Scratchpad", SCRATCHPAD_KEY, &sources.notes);
        gathering.host(&self.parts);
        Ok(self.finished(&self.packed(&gathering, budget), &sources, gathering.left_out.clone(), budget))
    }

    fn recalled(&self, recall: &Recall, budget: usize, message: Option<&str>) -> Result<Recalled, MemoryError> {
        let mut query = RecallQuery::new(message.unwrap_or_default());
        (query.max_tokens, query.max_results, query.include_core) = (budget / 4, MEMORIES, false);
        recall.recall(&query)
    }

    /// Packs the items that fit together with the last line. The last line is short if nothing is left out, so it is
    /// tried first with a short line. If something does not fit, packs again, with room for the longest possible last
    /// line.
    fn packed<'a>(&self, gathering: &'a Gathering<'_>, budget: usize) -> Packer<'a> {
        let Gathering { memory, parts, left_out, .. } = gathering;
        let with_last_line = |counts: &Counts| {
            let last = format!("\n{}", last_line(budget, budget, counts));
            self.filled(Packer::new(memory, parts, budget.saturating_sub(memory.tokens(&last))))
        };
        let packer = with_last_line(&counts(left_out));
        if packer.left_out().next().is_none() {
            return packer;
        }
        let all = parts.iter().map(|part| part.items.len()).sum::<usize>() + left_out.len();
        let kinds = parts.iter().map(|part| part.kind).chain(left_out.iter().map(|left_out| left_out.part));
        let mut kinds: Vec<_> = kinds.collect();
        kinds.sort();
        kinds.dedup();
        with_last_line(&kinds.into_iter().map(|kind| (kind, all)).collect())
    }

    /// Takes the items that fit, the most important first.
    fn filled<'a>(&self, mut packer: Packer<'a>) -> Packer<'a> {
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

    fn finished(
        &self,
        packer: &Packer<'_>,
        sources: &Sources,
        mut left_out: Vec<NotRendered>,
        budget: usize,
    ) -> Rendered {
        left_out.extend(packer.left_out());
        left_out.sort_by_key(|left_out| left_out.part);
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

/// How many items of each part did not fit.
type Counts = Vec<(PromptPart, usize)>;

fn counts(left_out: &[NotRendered]) -> Counts {
    let too_large = left_out.iter().filter(|left_out| left_out.reason == WhyLeftOut::Budget);
    let mut parts: Vec<_> = too_large.map(|left_out| left_out.part).collect();
    parts.sort();
    parts.chunk_by(|one, next| one == next).filter_map(|of_one| Some((*of_one.first()?, of_one.len()))).collect()
}

fn last_line(used: usize, budget: usize, left_out: &Counts) -> String {
    let counts: Vec<_> = left_out.iter().map(|(part, count)| format!("{part} {count}")).collect();
    let rest = if counts.is_empty() { String::new() } else { format!("; left out: {}", counts.join(", ")) };
    format!("Memory: {used} of {budget} tokens used{rest}.\n")
}
