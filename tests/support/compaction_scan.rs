//! A line scanner that reads what a compaction must keep, written apart from the crate's parser, gate and compactor.
//!
//! It knows the documents that `compaction_draw.rs` makes and the candidates made of them, no more: of what it does not
//! understand, such as a fence in a list, it says so.

use std::collections::BTreeMap;

/// A bullet, without its children.
#[derive(Clone, Debug)]
pub struct Bullet {
    /// The titles of the sections that it stands in, outermost first.
    pub section: Vec<String>,
    /// The number of headings above it: titles may repeat.
    pub headings: usize,
    /// The ID of the block that it stands in.
    pub block: Option<String>,
    /// The bullets that it is nested in, outermost first, by number.
    pub above: Vec<usize>,
    /// The number of lines above it that are neither bullets nor headings.
    pub apart: usize,
    /// Whether another bullet is nested in it.
    pub has_children: bool,
    /// Whether it is nested in one that is pinned.
    pub is_below_pin: bool,
    /// The marker.
    pub marker: String,
    /// Checkbox, tags and content, lines without the indentation of the list.
    pub wording: String,
    /// The checkbox, in lower case.
    pub checkbox: Option<String>,
    /// The tags.
    pub tags: Vec<String>,
    /// What it says.
    pub content: String,
    /// The bytes of its lines.
    pub size: usize,
}

/// What of a bullet's place matters, and what it says, folded: the section, the block, the wording.
pub type Said = (Vec<String>, Option<String>, String);

impl Bullet {
    /// Reports whether it must stay: it is pinned, or nested in a bullet that is.
    pub fn is_pinned(&self) -> bool {
        self.has_pin() || self.is_below_pin
    }

    /// Reports whether it has a protected tag itself.
    pub fn has_pin(&self) -> bool {
        self.tags.iter().any(|tag| tag == "pinned" || tag == "critical")
    }

    /// Returns the tags that protect nothing, in order.
    pub fn plain_tags(&self) -> Vec<&String> {
        let mut tags: Vec<_> = self.tags.iter().filter(|tag| *tag != "pinned" && *tag != "critical").collect();
        tags.sort();
        tags.dedup();
        tags
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.tags.iter().find_map(|tag| tag.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Reports whether it had expired on 2026-11-21. Of time to live it knows seven days.
    pub fn is_expired(&self) -> bool {
        let has_run_out = self.value("ttl") == Some("7d") && self.value("since").is_some_and(|day| day <= "2026-11-14");
        has_run_out || self.value("expires").is_some_and(|day| day <= "2026-11-21")
    }

    /// Returns the day that it is dated by.
    pub fn since(&self) -> Option<&str> {
        self.value("since")
    }

    /// Reports whether its marker is a number that says something in any list: no list here counts up to ten.
    pub fn is_numbered(&self) -> bool {
        self.marker.starts_with("10")
    }

    /// Returns its place and its wording.
    pub fn stands(&self) -> Said {
        (self.section.clone(), self.block.clone(), self.wording.clone())
    }
}

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// The bullets outside reserved sections.
    pub bullets: Vec<Bullet>,
    /// The headings, each with the titles of the sections around it and its own.
    pub headings: Vec<(Vec<String>, String)>,
    /// The titles of all sections, those in reserved ones included.
    pub titles: Vec<String>,
    /// All other lines outside reserved sections that are not blank, each with its section.
    pub others: Vec<(Vec<String>, String)>,
    /// The lines of the front matter that are not blank, with those around it.
    pub front: Vec<String>,
    /// The IDs of blocks.
    pub ids: Vec<String>,
    /// The extents of reserved sections.
    pub reserved: Vec<String>,
    /// How many headings stand above each of them.
    pub reserved_at: Vec<usize>,
    /// Whether nothing but front matter stands above the first of them.
    pub is_reserved_at_top: bool,
    /// Whether two blank lines follow each other where they mean nothing.
    pub has_blank_run: bool,
    /// Whether the last fence is not closed.
    pub is_fence_open: bool,
}

/// Reads a text; `None` if it is not understood.
pub fn scan(text: &str) -> Option<Scan> {
    if text.replace("\r\n", "").contains('\r') {
        return None;
    }
    let mut reader = Reader::default();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = front_end(&lines)?;
    let front = lines.drain(..end).map(|line| bare(line).trim_end().to_owned()).collect::<Vec<_>>();
    reader.scan.front = front.into_iter().filter(|line| !line.is_empty()).collect();
    for line in lines {
        reader.read(line)?;
    }
    if let Some((_, extent)) = reader.reserved.take() {
        reader.scan.reserved.push(without_blank_end(&extent));
    }
    reader.scan.is_fence_open = reader.fence.is_some();
    Some(reader.scan)
}

/// Returns the number of lines of the front matter; `None` if it is not known whether it is one.
fn front_end(lines: &[&str]) -> Option<usize> {
    if lines.first().is_none_or(|line| bare(line) != "---") {
        return Some(0);
    }
    let end = 1 + lines.iter().skip(1).position(|line| matches!(bare(line), "---" | "..."))?;
    let first = lines[1..end].iter().find(|line| !line.trim().is_empty())?;
    if lines[1..end].iter().any(|line| line.starts_with("## ")) || !first.contains(':') {
        return Some(0);
    }
    let is_sure = slot(first).is_some() && !lines[1..end].iter().any(|line| line.contains("##"));
    is_sure.then_some(end + 1)
}

/// Returns the name and the value of a line of front matter that is a slot whatever stands around it.
pub fn slot(line: &str) -> Option<(&str, &str)> {
    let (name, value) = bare(line).split_once(": ")?;
    (!name.is_empty() && name.chars().all(char::is_alphabetic)).then_some((name, value.trim()))
}

/// Returns a text without the blank lines at its end, and without its last line ending.
fn without_blank_end(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    lines[..end].join("\n")
}

/// Returns a line without its ending.
pub fn bare(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

#[derive(Default)]
struct Reader {
    scan: Scan,
    /// The titles above, each with its level.
    titles: Vec<(usize, String)>,
    block: Option<String>,
    is_section: bool,
    /// The bullets that may go on, each with the column of its marker.
    open: Vec<(usize, usize)>,
    fence: Option<String>,
    /// The level and the text so far of the reserved section that is being read.
    reserved: Option<(usize, String)>,
    blanks: usize,
    has_text: bool,
}

impl Reader {
    fn read(&mut self, full: &str) -> Option<()> {
        let line = bare(full);
        let column = column(line);
        let inner = line.trim_start_matches([' ', '\t']);
        let level = inner.len() - inner.trim_start_matches('#').len();
        let is_heading = self.fence.is_none()
            && column <= 3
            && (1..=6).contains(&level)
            && matches!(inner.as_bytes().get(level), None | Some(b' ' | b'\t'));
        if is_heading {
            self.heading(level, inner.trim_matches([' ', '\t', '#']));
        }
        if let Some((_, extent)) = &mut self.reserved {
            // What it holds must not change, whatever it is.
            extent.push_str(full);
            self.scan.ids.extend(id_of(line).filter(|_| !is_heading && column == 0 && marker(inner).is_none()));
            return (!inner.starts_with("```") && !inner.starts_with("~~~")).then_some(());
        }
        if is_heading {
            self.has_text = true;
            return Some(());
        }
        if let Some(mark) = &self.fence {
            if inner.trim_end() == mark {
                self.fence = None;
            }
            self.other(line);
            return Some(());
        }
        if inner.contains("```") || inner.contains("~~~") {
            // Fences in lists are read by another rule.
            if column > 0 || !(inner.starts_with("```") || inner.starts_with("~~~")) {
                return None;
            }
            let block = self.block.take();
            self.close();
            // A block goes on behind a fence.
            self.block = block;
            let mark = &inner[..3];
            self.fence = Some(mark.to_owned()).filter(|_| !inner[3..].contains('`'));
            self.other(line);
            return Some(());
        }
        if inner.is_empty() {
            self.blanks += 1;
            return Some(());
        }
        let is_inside = |open: &(usize, usize)| column >= open.0 + 2;
        let goes_on = self.open.iter().any(is_inside);
        self.scan.has_blank_run |= self.blanks > 1 && !goes_on;
        let blanks = std::mem::take(&mut self.blanks);
        let marker = marker(inner);
        if let Some(id) = id_of(inner).filter(|_| column == 0 && marker.is_none()) {
            self.close();
            self.scan.ids.push(id.clone());
            self.block = Some(id);
            self.is_section = false;
            self.other(line);
            return Some(());
        }
        while self.open.last().is_some_and(|open| !is_inside(open)) {
            self.open.pop();
        }
        match (marker, self.open.last().copied()) {
            (Some(length), _) => self.bullet(inner.split_at(length), column, full.len()),
            (None, Some((parent, above))) => {
                let bullet = &mut self.scan.bullets[above];
                for text in [&mut bullet.wording, &mut bullet.content] {
                    text.push_str(&"\n".repeat(blanks + 1));
                    text.push_str(&" ".repeat(column.saturating_sub(parent + 2)));
                    text.push_str(inner);
                }
                bullet.size += full.len();
            }
            (None, None) => {
                // A section that is a block is one as a whole.
                if column == 0 && !self.is_section {
                    self.block = None;
                }
                self.other(line);
            }
        }
        self.has_text = true;
        Some(())
    }

    /// Ends the list and the block.
    fn close(&mut self) {
        self.scan.has_blank_run |= self.blanks > 1;
        self.blanks = 0;
        self.open.clear();
        self.block = None;
        self.has_text = true;
    }

    fn other(&mut self, line: &str) {
        let section = self.section();
        self.scan.others.push((section, line.to_owned()));
    }

    fn section(&self) -> Vec<String> {
        self.titles.iter().map(|(_, title)| title.clone()).collect()
    }

    fn heading(&mut self, level: usize, title: &str) {
        let has_text = self.has_text;
        self.close();
        self.titles.retain(|(above, _)| *above < level);
        if self.reserved.as_ref().is_some_and(|(own, _)| level <= *own) {
            let extent = self.reserved.take().map(|(_, extent)| without_blank_end(&extent));
            self.scan.reserved.extend(extent);
        }
        let id = id_of(title);
        let name = match &id {
            Some(_) => title.rsplit_once("(ID:").map_or("", |(name, _)| name).trim_end_matches([' ', ':']),
            None => title,
        };
        self.scan.titles.push(name.to_owned());
        self.titles.push((level, name.to_owned()));
        let section = self.section();
        if self.reserved.is_none() {
            if name == "System/Policy" {
                if self.scan.reserved.is_empty() {
                    self.scan.is_reserved_at_top = !has_text;
                }
                self.scan.reserved_at.push(self.scan.headings.len());
                self.reserved = Some((level, String::new()));
            }
            self.scan.headings.push((section, title.to_owned()));
        }
        self.scan.ids.extend(id.clone());
        self.is_section = id.is_some();
        self.block = id;
    }

    fn bullet(&mut self, (marker, text): (&str, &str), column: usize, size: usize) {
        let text = text.trim_start_matches([' ', '\t']);
        let (checkbox, rest) = match ["[ ] ", "[x] ", "[X] "].iter().find(|mark| text.starts_with(*mark)) {
            Some(mark) => (Some(mark.trim().to_lowercase()), text[4..].trim_start()),
            None => (None, text),
        };
        let (tags, content) = tags(rest);
        let above: Vec<usize> = self.open.iter().map(|(_, above)| *above).collect();
        for parent in &above {
            self.scan.bullets[*parent].has_children = true;
        }
        self.open.push((column, self.scan.bullets.len()));
        let (section, block) = (self.section(), self.block.clone());
        let headings = self.scan.headings.len();
        let apart = self.scan.others.len();
        let (wording, content) = (text.to_owned(), content.to_owned());
        let is_below_pin = above.iter().any(|above| self.scan.bullets[*above].has_pin());
        let bullet = Bullet {
            section,
            headings,
            block,
            above,
            apart,
            has_children: false,
            is_below_pin,
            marker: marker.to_owned(),
            wording,
            checkbox,
            tags,
            content,
            size,
        };
        self.scan.bullets.push(bullet);
    }
}

fn column(line: &str) -> usize {
    let mut column = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 4 - column % 4,
            _ => break,
        }
    }
    column
}

/// Returns the length of a bullet's marker.
pub fn marker(line: &str) -> Option<usize> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length = match line.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    matches!(line.as_bytes().get(length), None | Some(b' ' | b'\t')).then_some(length)
}

fn tags(mut text: &str) -> (Vec<String>, &str) {
    let mut tags = Vec::new();
    while let Some((group, rest)) = text.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        let own = group.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty());
        let own: Vec<String> = own.collect();
        if group.contains('[') || own.is_empty() || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
            break;
        }
        tags.extend(own);
        text = rest.trim_start_matches([' ', '\t']);
    }
    (tags, text)
}

fn id_of(line: &str) -> Option<String> {
    let inner = line.trim_end().trim_end_matches(':').strip_suffix(')')?;
    let (title, id) = inner.rsplit_once("(ID:")?;
    let id = id.trim();
    (!title.trim().is_empty() && !id.is_empty() && !id.contains([' ', '('])).then(|| id.to_owned())
}

/// Folds the letter case of the first letter, white space, quotes, dashes and the ellipsis.
pub fn folded(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '‘' | '’' => "'".to_owned(),
            '“' | '”' => "\"".to_owned(),
            '–' | '—' => "-".to_owned(),
            '…' => "...".to_owned(),
            other => other.to_string(),
        })
        .collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = plain.chars().next().map_or(0, char::len_utf8);
    plain[..first].to_lowercase() + &plain[first..]
}

/// Counts how often each item occurs.
pub fn counted<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

/// Returns an item of the one that the other has less often.
pub fn lacking<T: Ord>(items: impl IntoIterator<Item = T>, there: impl IntoIterator<Item = T>) -> Option<T> {
    let there = counted(there);
    counted(items)
        .into_iter()
        .find(|(item, count)| there.get(item).is_none_or(|there| there < count))
        .map(|(item, _)| item)
}
