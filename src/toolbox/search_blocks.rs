//! Blocks of search and replace, which models know from other tools, put as calls of the tools that there are.

use serde_json::{Value, json};

use crate::text::Lines;

/// The lines of a block: what is sought, and what takes its place.
#[derive(Default)]
pub(super) struct SearchBlock {
    /// The anchor above it.
    anchor: Option<String>,
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

/// Reads the blocks of a text; none if one of them is not closed.
pub(super) fn blocks(text: &str) -> Vec<SearchBlock> {
    let (mut blocks, mut at, mut anchor) = (Vec::new(), At::Outside, None);
    let mut block = SearchBlock::default();
    for line in Lines::of(text).map(|line| line.text.of(text)) {
        match at {
            At::Outside if line.starts_with("@@ section:") => anchor = Some(line.to_owned()),
            At::Outside if line.starts_with("<<<<<<<") || is_ruled(line, '-', "SEARCH") => {
                block = SearchBlock { anchor: anchor.take(), ..SearchBlock::default() };
                at = At::Old;
            }
            At::Outside => {}
            At::Old if is_ruled(line, '=', "") => at = At::New,
            At::Old => block.old.push(line.to_owned()),
            At::New if line.starts_with(">>>>>>>") || is_ruled(line, '+', "REPLACE") => {
                blocks.push(std::mem::take(&mut block));
                at = At::Outside;
            }
            At::New => block.new.push(line.to_owned()),
        }
    }
    if at == At::Outside { blocks } else { Vec::new() }
}

/// Reports whether a line is this rule, seven times the character and this word.
fn is_ruled(line: &str, rule: char, word: &str) -> bool {
    line.trim_end().strip_suffix(word).is_some_and(|rest| rest.trim_end().chars().eq([rule; 7]))
}

impl SearchBlock {
    /// Returns the block as arguments of `replace_in_memory`; `None` if nothing is sought.
    pub(super) fn to_replacement(&self) -> Option<Value> {
        let (old, new) = (self.old.join("\n"), self.new.join("\n"));
        let mut arguments = json!({"old_string": old, "new_string": new});
        if let Some(section) = self.anchor.as_deref().and_then(|anchor| anchor.strip_prefix("@@ section:")) {
            arguments["section"] = section.trim().into();
        }
        (!old.is_empty()).then_some(arguments)
    }

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
        patch.push_str(self.anchor.as_deref().unwrap_or("@@"));
        patch.push('\n');
        for (operator, line) in runs.iter().flat_map(|(operator, lines)| lines.iter().map(move |line| (operator, line)))
        {
            patch.push_str(&format!("{operator}{line}\n"));
        }
    }
}

/// Writes blocks as a patch.
pub(super) fn to_patch(blocks: &[SearchBlock]) -> String {
    let mut patch = String::from("*** Begin Patch\n*** Update Memory\n");
    blocks.iter().for_each(|block| block.push_to(&mut patch));
    patch.push_str("*** End Patch");
    patch
}
