//! Calls of every editing tool as models make them in haste: what they seek is a fact of the memory, or nearly one.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use super::compaction_draw::Draw;
use super::facts::{Fact, Facts, Home};
use super::readings::{ordinal, sign};
use super::slips::{
    escaped, with_other_letter, with_other_number, with_other_punctuation, with_other_sign, without_marker,
};

/// What is written: it begins like a marker, a date, a sign, a tag, a prefix, or holds what looks like an escape.
pub const WRITTEN: &[&str] = &[
    "Moved to Austin",
    "12. März: Umzug",
    "1. FC Köln",
    "2. FC Köln",
    "14) Punkt",
    "- 5 °C",
    "+ 7 %",
    "- $5",
    "€9",
    "* Stern 2",
    "- - Bob",
    "2019. Moved",
    "2021. Moved",
    "[work] Call Ana",
    "[ ] Call Ana",
    "[x] [work] Call Ana",
    "- [x] Call Ana",
    "C:\\new\\tools",
    "Says \\\"no\\\" twice",
    "“Größe” – 3…",
    "12| y",
    "k7f3a2| y",
    "− 8 °C",
    "5 мая: Анна",
    "コーヒー3杯",
    "לא 5 ילדים",
    "لا ٥ أطفال",
    "不住在北京",
    "ไม่มีแมว ๕ ตัว",
    "300 kr im Monat",
    "Can't swim",
];

const TOOLS: &[&str] = &[
    "patch_memory",
    "patch_memory",
    "replace_in_memory",
    "edit_items",
    "edit_items",
    "apply_sub_memory_ops",
    "pin_items",
    "unpin_items",
    "set_ttl",
    "clear_ttl",
    "anchors",
];

/// How much of a bullet's content a selector gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Any part.
    Contains,
    /// The beginning.
    StartsWith,
    /// All.
    Equals,
}

/// What a call seeks.
#[derive(Clone, Debug)]
pub enum Sought {
    /// A bullet by its content, perhaps at an index.
    Content(How, String, Option<usize>),
    /// A bullet by its key.
    Key(String),
    /// A line, as a hunk gives it behind the operator.
    Line(String),
    /// Any text.
    Text(String),
    /// A list alone.
    List,
}

/// What a call does with what it has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A bullet goes, with its children.
    Removed,
    /// A line goes.
    LineRemoved,
    /// A bullet's text becomes this one.
    Rewritten(String),
    /// A line becomes this one.
    LineRewritten(String),
    /// A text becomes this one.
    Replaced(String),
    /// Tags come or go.
    Marked,
    /// This comes right behind a line.
    LineInserted(String),
    /// This comes behind a bullet with its children.
    InsertedAfter(String),
    /// This comes before a bullet.
    InsertedBefore(String),
    /// This comes into a list.
    Inserted(String),
    /// A bullet becomes this one, or this comes into a list.
    Upserted(String),
}

/// A call, and what it is for.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool's name.
    pub tool: &'static str,
    /// Its arguments.
    pub args: Value,
    /// Where it looks; `None` is the whole memory.
    pub scope: Option<Home>,
    /// What it seeks.
    pub sought: Sought,
    /// What it does.
    pub change: Change,
}

/// What a call seeks may be a fact as it stands, or not quite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Every text is copied from the memory.
    Exact,
    /// Each text has one slip that leaves the fact alone: white space, quotes, escapes, a view's prefix, the line's own marker.
    Slip,
    /// Texts are changed on the way.
    Sloppy,
}

/// What a text is of a bullet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Content,
    Body,
    Full,
}

impl Call {
    /// Makes a call for one of the facts, and says which.
    pub fn draw<'a>(draw: &mut Draw<'_>, memory: &'a Facts, care: Care) -> (Self, &'a Fact) {
        let fact = &memory.facts[draw.below(memory.facts.len())];
        let written = WRITTEN[draw.below(WRITTEN.len())].to_owned();
        let written = if care == Care::Sloppy { written } else { WRITTEN[0].to_owned() };
        let mut maker = Maker { draw, memory, fact, care };
        let call = match TOOLS[maker.draw.below(TOOLS.len())] {
            "patch_memory" => maker.patch(written),
            "anchors" => maker.anchor(written),
            "replace_in_memory" => maker.replace(written),
            "edit_items" => maker.items(written),
            "apply_sub_memory_ops" => maker.sub_memory(written),
            tool => maker.marks(tool),
        };
        (call, fact)
    }

    /// Makes a call that inserts a bullet, mostly a new one.
    pub fn draw_insertion(draw: &mut Draw<'_>, memory: &Facts) -> Self {
        let fact = &memory.facts[draw.below(memory.facts.len())];
        let written = WRITTEN[draw.below(WRITTEN.len())].to_owned();
        let mut maker = Maker { draw, memory, fact, care: Care::Sloppy };
        // A text that is nearly there already.
        let written = if maker.draw.is_one_in(2) { written } else { maker.content() };
        let edit = json!({"op": "insert", "target": in_home(fact.home), "text": written});
        let change = Change::Inserted(written);
        maker.call("edit_items", json!({"edits": [edit]}), Some(fact.home), Sought::List, change)
    }
}

struct Maker<'m, 'd, 'b> {
    draw: &'m mut Draw<'b>,
    memory: &'d Facts,
    fact: &'d Fact,
    care: Care,
}

impl Maker<'_, '_, '_> {
    fn call(&self, tool: &'static str, args: Value, scope: Option<Home>, sought: Sought, change: Change) -> Call {
        Call { tool, args, scope, sought, change }
    }

    fn scope(&mut self) -> Option<Home> {
        self.draw.is_one_in(2).then_some(self.fact.home)
    }

    /// A text with as many things wrong as care allows.
    fn nearly(&mut self, part: Part, text: String) -> String {
        let count = match self.care {
            Care::Exact => 0,
            Care::Slip => return self.slipped(part, &text),
            Care::Sloppy => [1, 1, 1, 2, 0][self.draw.below(5)],
        };
        (0..count).fold(text, |text, _| self.mutated(&text))
    }

    fn slipped(&mut self, part: Part, text: &str) -> String {
        let fact = self.fact;
        // Behind a prefix of a view a number or a sign is the marker of an item.
        let is_marked = ordinal(text).is_some() || sign(text).is_some();
        let may_have_prefix = part == Part::Full || (part == Part::Content && !is_marked);
        match self.draw.below(8) {
            0 => with_other_punctuation(text, 0),
            1 => with_other_punctuation(text, 1),
            2 => with_other_punctuation(text, 4),
            3 => text.nfd().collect(),
            4 if !text.contains('\\') => escaped(text),
            5 if may_have_prefix => format!("{}| {text}", fact.line + 1),
            6 if may_have_prefix => format!("{}| {text}", fact.key),
            7 if part == Part::Content || (part == Part::Body && fact.indentation.is_empty()) => {
                format!("{} {text}", fact.marker)
            }
            _ => format!("{text} "),
        }
    }

    fn content(&mut self) -> String {
        let content = self.fact.content.clone();
        self.nearly(Part::Content, content)
    }

    fn mutated(&mut self, text: &str) -> String {
        let pick = |draw: &mut Draw<'_>, texts: &[&str]| texts[draw.below(texts.len())].to_owned();
        match self.draw.below(14) {
            0 | 1 => pick(self.draw, &["- ", "* ", "+ ", "- - ", "1. ", "2) ", "15. ", "-"]) + text,
            2 => format!("{} {text}", self.fact.marker),
            3 => without_marker(text),
            4 => self.prefix() + text,
            5 => escaped(text),
            6 => with_other_punctuation(text, self.draw.below(6)),
            7 => pick(self.draw, &["{} ", " {}", "{}  ", "{}\\n", "\t{}"]).replace("{}", text),
            8 => {
                if self.draw.is_one_in(2) {
                    text.nfd().collect()
                } else {
                    text.nfc().collect()
                }
            }
            9 => with_other_number(text, self.draw.below(4)),
            10 => with_other_sign(text, self.draw.below(8)),
            11 => with_other_letter(text, self.draw.below(256)),
            12 => {
                let last = text.split(' ').next_back().unwrap_or_default().to_owned();
                pick(self.draw, &["- ", "* ", "1. ", "12| ", ""]) + &last
            }
            _ => pick(
                self.draw,
                &[
                    "Not {}",
                    "not {}",
                    "12. {}",
                    "- 1{}",
                    "{}!",
                    "{}0",
                    "不{}",
                    "ไม่{}",
                    "לא {}",
                    "{} nicht",
                    "{} kr",
                    "{} €",
                ],
            )
            .replace("{}", text),
        }
    }

    /// The prefix of a view, of this line, another or none.
    fn prefix(&mut self) -> String {
        let other = &self.memory.facts[self.draw.below(self.memory.facts.len())];
        match self.draw.below(7) {
            0 | 1 => format!("{}| ", self.fact.line + 1),
            2 => format!("{}| ", other.line + 1),
            3 => format!("{}| ", self.fact.key),
            4 => format!("{}| ", other.key),
            5 => format!("{}|", self.fact.line + 1),
            _ => ["99| ", "k7f3a2| ", "coffee|", "2| "][self.draw.below(4)].to_owned(),
        }
    }

    fn selector(&mut self, scope: Option<Home>) -> (Value, Sought) {
        let mut target = scope.map_or_else(|| json!({}), in_home);
        if self.draw.is_one_in(8) {
            let key = self.fact.key.clone();
            let key = if self.care == Care::Sloppy { with_other_number(&key, self.draw.below(4)) } else { key };
            target["key"] = json!(key);
            return (target, Sought::Key(key));
        }
        let text = self.content();
        let (name, how) = [("contains", How::Contains), ("starts_with", How::StartsWith), ("equals", How::Equals)]
            [self.draw.below(3)];
        target[name] = json!(text);
        (target, Sought::Content(how, text, None))
    }

    fn items(&mut self, written: String) -> Call {
        let scope = self.scope();
        let (target, sought) = self.selector(scope);
        let list = in_home(self.fact.home);
        let expected = self.content();
        let which = self.draw.below(8);
        // A selector in `to` searches the list that the target names.
        let scope = if matches!(which, 5 | 6) { Some(self.fact.home) } else { scope };
        let (edit, change) = match which {
            0 | 1 => (json!({"op": "delete", "target": target, "children": "delete"}), Change::Removed),
            2 => (json!({"op": "update", "target": target, "text": written}), Change::Rewritten(written)),
            3 => (json!({"op": "upsert", "target": target, "text": written}), Change::Upserted(written)),
            4 => (json!({"op": "tag", "target": target, "tags": ["zz"]}), Change::Marked),
            5 => {
                let edit = json!({"op": "insert", "target": list, "text": written, "to": {"after": target}});
                (edit, Change::InsertedAfter(written))
            }
            6 => {
                let edit = json!({"op": "insert", "target": list, "text": written, "to": {"before": target}});
                (edit, Change::InsertedBefore(written))
            }
            _ => return self.indexed(written, expected),
        };
        self.call("edit_items", json!({"edits": [edit]}), scope, sought, change)
    }

    fn indexed(&mut self, written: String, expected: String) -> Call {
        let index = self.fact.index.unwrap_or(1);
        let mut target = in_home(self.fact.home);
        target["index"] = json!(index);
        let edit = json!({"op": "update", "target": target, "expect": expected, "text": written});
        let sought = Sought::Content(How::StartsWith, expected, Some(index));
        self.call("edit_items", json!({"edits": [edit]}), Some(self.fact.home), sought, Change::Rewritten(written))
    }

    fn marks(&mut self, tool: &'static str) -> Call {
        let scope = self.scope();
        let (target, sought) = self.selector(scope);
        let mut args = json!({"targets": [target]});
        if tool == "set_ttl" {
            args["ttl"] = json!("7d");
        }
        self.call(tool, args, scope, sought, Change::Marked)
    }

    /// Outside a block there is no such call; then it is the bullet's deletion by its text.
    fn sub_memory(&mut self, written: String) -> Call {
        let text = self.content();
        let Home::Block(id) = self.fact.home else { return self.items(written) };
        let index = if self.draw.is_one_in(3) { self.fact.index } else { None };
        let mut op = json!({"memory_id": id, "intent": "update", "old_sub_memory": text, "new_sub_memory": written});
        let mut change = Change::Rewritten(written);
        if self.draw.is_one_in(2) {
            op = json!({"memory_id": id, "intent": "delete", "sub_memory": text});
            change = Change::Removed;
        }
        if let Some(index) = index {
            op["index"] = json!(index);
        }
        let sought = Sought::Content(How::Equals, text, index);
        self.call("apply_sub_memory_ops", json!({"ops": [op]}), Some(self.fact.home), sought, change)
    }

    fn replace(&mut self, written: String) -> Call {
        let scope = self.scope();
        let text = if self.draw.is_one_in(2) {
            self.nearly(Part::Body, self.fact.content.clone())
        } else {
            self.nearly(Part::Full, self.fact.full())
        };
        let mut args = json!({"old_string": text, "new_string": written});
        match scope {
            Some(Home::Section(title)) => args["section"] = json!(title),
            Some(Home::Block(id)) => args["block"] = json!(id),
            None => {}
        }
        self.call("replace_in_memory", args, scope, Sought::Text(text), Change::Replaced(written))
    }

    fn patch(&mut self, written: String) -> Call {
        let scope = self.scope();
        let full = self.fact.full();
        let body = full[self.fact.indentation.len() + self.fact.marker.len() + 1..].to_owned();
        // The whole line, the bullet form, and the whole line with a space too many.
        let line = match self.draw.below(if self.care == Care::Sloppy { 3 } else { 2 }) {
            0 => self.nearly(Part::Full, full),
            1 => format!(" {}", self.nearly(Part::Body, body)),
            _ => format!(" {}", self.nearly(Part::Full, full)),
        };
        let added = match self.draw.below(3) {
            0 => format!("+{}{} {written}", self.fact.indentation, self.fact.marker),
            1 => format!("+ {written}"),
            _ => format!("+ {} {written}", self.fact.marker),
        };
        let added_text = added[1..].to_owned();
        let (hunk, change) = match self.draw.below(4) {
            0 => (format!("-{line}\n"), Change::LineRemoved),
            1 if !line.starts_with(' ') => {
                let added = format!("{}{} {written}", self.fact.indentation, self.fact.marker);
                (format!(" {line}\n+{added}\n"), Change::LineInserted(added))
            }
            _ => (format!("-{line}\n{added}\n"), Change::LineRewritten(added_text)),
        };
        let patch = format!("*** Begin Patch\n*** Update Memory\n{}\n{hunk}*** End Patch\n", anchor(scope));
        self.call("patch_memory", json!({"patch": patch}), scope, Sought::Line(line), change)
    }

    /// A bullet as the scope of lines that are added below it.
    fn anchor(&mut self, written: String) -> Call {
        let text = self.content().replace(['"', '\\', '\n'], "");
        let (names, how) =
            [("contains", How::Contains), ("startsWith", How::StartsWith), ("equals", How::Equals)][self.draw.below(3)];
        let line = format!("{}  - {written}", self.fact.indentation);
        let patch = format!(
            "*** Begin Patch\n*** Update Memory\n{}\n@@ item: {names}(\"{text}\")\n+{line}\n*** End Patch\n",
            anchor(Some(self.fact.home))
        );
        let (sought, change) = (Sought::Content(how, text, None), Change::InsertedAfter(line));
        self.call("patch_memory", json!({"patch": patch}), Some(self.fact.home), sought, change)
    }
}

fn in_home(home: Home) -> Value {
    match home {
        Home::Section(title) => json!({"section": title}),
        Home::Block(id) => json!({"block": id}),
    }
}

fn anchor(scope: Option<Home>) -> String {
    match scope {
        Some(Home::Section(title)) => format!("@@ section: {title}"),
        Some(Home::Block(id)) => format!("@@ block: {id}"),
        None => "@@".to_owned(),
    }
}
