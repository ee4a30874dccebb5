//! Blocks of search and replace, which models know from other tools, put as calls of the tools that there are.

use std::rc::Rc;

use serde_json::{Value, json};

use super::phrase::HINT;
use crate::text::Lines;

/// Blocks of search and replace, in the order of their text.
#[derive(Default)]
pub(super) struct SearchBlocks {
    /// The line that names the document.
    update: Option<String>,
    blocks: Vec<SearchBlock>,
    /// Whether they stand beside nothing but anchors and what a patch begins and ends with.
    pub(super) is_alone: bool,
}

/// The lines of a block: what is sought, and what takes its place.
#[derive(Default)]
struct SearchBlock {
    /// The anchors above it, or above the one before it, which has the same.
    anchors: Rc<Vec<String>>,
    old: Vec<String>,
    new: Vec<String>,
}

/// Where a line of a text with blocks stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Outside,
    Old,
    New,
}

impl SearchBlocks {
    /// Reads the blocks of a text; `None` if there are none, or if one is not closed.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut found = Self { is_alone: true, ..Self::default() };
        let (mut at, mut block, mut has_followed) = (At::Outside, SearchBlock::default(), false);
        for line in Lines::of(text).map(|line| line.text.of(text)) {
            match at {
                At::Outside if line.starts_with("<<<<<<<") || is_ruled(line, '-', "SEARCH") => at = At::Old,
                At::Outside if line.starts_with("@@") => {
                    if std::mem::take(&mut has_followed) {
                        block.anchors = Rc::default();
                    }
                    Rc::make_mut(&mut block.anchors).push(line.to_owned());
                }
                At::Outside => found.note(line),
                At::Old if is_ruled(line, '=', "") => at = At::New,
                At::Old => block.old.push(line.to_owned()),
                At::New if line.starts_with(">>>>>>>") || is_ruled(line, '+', "REPLACE") => {
                    let next = SearchBlock { anchors: Rc::clone(&block.anchors), ..SearchBlock::default() };
                    found.blocks.push(std::mem::replace(&mut block, next));
                    (at, has_followed) = (At::Outside, true);
                }
                At::New => block.new.push(line.to_owned()),
            }
        }
        (at == At::Outside && !found.blocks.is_empty()).then_some(found)
    }

    /// Notes a line that is in no block.
    fn note(&mut self, line: &str) {
        match line.trim() {
            "" | "*** Begin Patch" | "*** End Patch" => {}
            line if line.starts_with("*** Update Memory") && self.update.is_none() && self.blocks.is_empty() => {
                self.update = Some(line.to_owned());
            }
            line => self.is_alone &= line.starts_with("```"),
        }
    }

    /// Returns the only block as arguments of `replace_in_memory`; `None` if it stands under anchors that this tool does not
    /// know, or seeks nothing.
    pub(super) fn replacement(&self) -> Option<Value> {
        let [only] = self.blocks.as_slice() else { return None };
        let (old, new) = (only.old.join("\n"), only.new.join("\n"));
        let mut arguments = json!({"old_string": old, "new_string": new});
        match only.anchors.as_slice() {
            [] => {}
            [only] if only == "@@" => {}
            [only] => arguments["section"] = only.strip_prefix("@@ section:")?.trim().into(),
            _ => return None,
        }
        let document = self.update.as_deref().and_then(|line| line.strip_prefix("*** Update Memory:"));
        if let Some(document) = document.map(str::trim) {
            arguments["document"] = document.into();
        }
        (!old.is_empty()).then_some(arguments)
    }

    /// Writes the blocks as a patch; of one that is longer than any hint may be, no more than the beginning, which is so too.
    pub(super) fn to_patch(&self) -> String {
        let mut patch = format!("*** Begin Patch\n{}\n", self.update.as_deref().unwrap_or("*** Update Memory"));
        for block in &self.blocks {
            if patch.len() > HINT * char::MAX.len_utf8() {
                break;
            }
            block.push_to(&mut patch);
        }
        patch + "*** End Patch"
    }
}

/// Reports whether a line is this rule, seven times the character and this word.
fn is_ruled(line: &str, rule: char, word: &str) -> bool {
    line.trim_end().strip_suffix(word).is_some_and(|rest| rest.trim_end().chars().eq([rule; 7]))
}

impl SearchBlock {
    /// Writes the block as a hunk: lines that stand at the beginning or the end of both sides are context.
    fn push_to(&self, patch: &mut String) {
        let alike = |pairs: &mut dyn Iterator<Item = (&String, &String)>| pairs.take_while(|(a, b)| a == b).count();
        let head = alike(&mut self.old.iter().zip(&self.new));
        let most = self.old.len().min(self.new.len()) - head;
        let tail = alike(&mut self.old.iter().rev().zip(self.new.iter().rev()).take(most));
        let middle = |lines: &[String]| lines.iter().take(lines.len() - tail).skip(head).cloned().collect::<Vec<_>>();
        let runs = [
            (' ', self.old.iter().take(head).cloned().collect()),
            ('-', middle(&self.old)),
            ('+', middle(&self.new)),
            (' ', self.old.iter().skip(self.old.len() - tail).cloned().collect()),
        ];
        let anchors = if self.anchors.is_empty() { "@@".to_owned() } else { self.anchors.join("\n") };
        patch.push_str(&anchors);
        patch.push('\n');
        for (operator, line) in runs.iter().flat_map(|(operator, lines)| lines.iter().map(move |line| (operator, line)))
        {
            patch.push_str(&format!("{operator}{line}\n"));
        }
    }
}
