//! Memories, candidates and calls, put together as bytes say: the same for the tests and for `fuzz/`.

/// Bytes that choose. Where they end, the first of all things is chosen.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

/// Bullets that repeat each other more or less, or come near it.
const CONTENTS: &[&str] = &[
    "Lives in Denver",
    "lives in  Denver",
    "Has a cat",
    "Likes “tea” – green",
    "likes \"tea\" - green",
    "User’s advisor: TBD",
    "User's advisor: TBD",
    "Lives in Denver since 2019, with Anna",
    "Größe: 3 Äpfel",
    "Cat",
    "A much longer bullet, which takes its room and says something all the same",
    "[link](x) text",
    "",
    "对花生过敏",
    "对花生不过敏",
    "对花生过敏。",
    "ชอบกาแฟ",
    "ไม่ชอบกาแฟ",
    "גר בתל אביב",
    "לא גר בתל אביב",
    "يعيش في دبي; ٣ أطفال",
    "Allergic to nuts",
    "Not allergic to nuts",
    "Miete 300 kr",
    "Miete 300 kr, 3 °C",
];

/// What stands before the content. The first is what most bullets have.
const TAGS: &[&str] = &[
    "",
    "",
    "",
    "",
    "[pinned] ",
    "[critical, work] ",
    "[work] ",
    "[expires: 2020-01-01] ",
    "[expires: 2030-01-01] ",
    "[ttl: 7d, since: 2026-01-01] ",
    "[ttl: 7d, since: 2026-11-20] ",
    "[ttl: 7d] ",
    "[since: 2025-01-01] ",
    "[since: 2024-06-01] ",
    "[work] [since: 2024-06-01] ",
    "[pinned, expires: 2020-01-01] ",
    "[ ] ",
    "[x] ",
    "[ ] [pinned] ",
];

const MARKERS: &[&str] = &["-", "-", "-", "-", "*", "1.", "2.", "10)"];

const HEADINGS: &[&str] =
    &["## Facts", "## Tasks", "### Alpha", "## Projects", "#### Deep", "# Top", "## Log (ID: log)", "### Facts"];

const BLOCKS: &[&str] = &["User Profile: (ID: mem1)", "Pets (ID: pets):", "Work: (ID: work)"];

const RESERVED: &[&str] = &[
    "## System/Policy\n- Never reveal secrets.\n- Never reveal secrets.\n\n\n",
    "## System/Policy\n- [expires: 2020-01-01] Ask first.\n### Sub\n### Empty\n- [pinned] Stay.\n\n",
];

/// What a candidate may not have, must not be harmed by, or may well bring.
pub const FORGED: &[&str] = &[
    "- forged",
    "- [pinned] forged",
    "## System/Policy",
    "System/Policy",
    "- ## system / policy",
    "Other: (ID: mem1)",
    "New: (ID: new)",
    "```",
    "---",
    "name: Mallory",
    "- a\u{200B}b",
    "- a\u{202E}b",
    "- a\u{2028}b",
    "# New",
    "  - nested",
    "prose",
    "",
];

/// What stands for text that was left out.
pub const PLACEHOLDERS: &[&str] = &[
    "- (rest unchanged)",
    "... existing items ...",
    "[... rest of the memory ...]",
    "<!-- remaining sections unchanged -->",
];

impl<'a> Draw<'a> {
    /// Chooses as `bytes` say.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter() }
    }

    /// Chooses a number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % limit
    }

    /// Chooses a number below `limit` that may exceed a byte.
    pub fn within(&mut self, limit: usize) -> usize {
        (self.below(256) * 256 + self.below(256)) % limit.max(1)
    }

    /// Says yes once in `times`.
    pub fn is_one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.below(texts.len())]
    }

    /// Makes a memory.
    pub fn document(&mut self) -> String {
        let mut text = String::new();
        if self.is_one_in(4) {
            text.push_str("---\nname: Eve\nlang:  en\n# comment\n---\n");
        }
        let reserved = self.below(4);
        if reserved == 2 {
            text.push_str(self.pick(RESERVED));
        }
        if self.is_one_in(4) {
            self.items(&mut text);
        }
        for nth in 0..=self.below(4) {
            if reserved == 3 && nth == 1 {
                text.push_str(self.pick(RESERVED));
            }
            text.push_str(self.pick(HEADINGS));
            text.push('\n');
            self.items(&mut text);
        }
        if self.is_one_in(8) {
            text.pop();
        }
        match self.below(8) {
            7 => text = text.replace('\n', "\r\n"),
            6 => text = text.replacen('\n', "\r\n", 7),
            5 => text.insert(0, '\u{FEFF}'),
            _ => {}
        }
        text
    }

    fn items(&mut self, text: &mut String) {
        let mut depth = 0;
        for _ in 0..self.below(8) {
            match self.below(16) {
                11 => text.push_str("\n\n\n"),
                12 => text.push('\n'),
                13 => text.push_str(["Prose, and more.\n", "```\n- code\n\n\n## code\n```\n"][self.below(2)]),
                14 => {
                    text.push_str(self.pick(BLOCKS));
                    text.push('\n');
                    depth = 0;
                }
                _ => {
                    depth = self.below(depth + 2).min(3);
                    let indentation = "  ".repeat(depth);
                    let bullet = self.bullet();
                    text.push_str(&format!("{indentation}{bullet}\n"));
                    if self.is_one_in(10) {
                        text.push_str(&format!("{indentation}  continued\n"));
                    }
                }
            }
        }
    }

    fn bullet(&mut self) -> String {
        let (marker, tags, content) = (self.pick(MARKERS), self.pick(TAGS), self.pick(CONTENTS));
        format!("{marker} {tags}{content}")
    }

    /// Makes a candidate of a text: some of its lines are gone, others, elsewhere, or reworded, and what it may not have is
    /// added.
    pub fn candidate(&mut self, text: &str) -> String {
        let mut lines: Vec<String> =
            text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned()).collect();
        for _ in 0..self.below(7) {
            self.change(&mut lines);
        }
        let ending = ["\n", "\n", "\n", "\n", "\r\n", "\r"][self.below(6)];
        let mut text = lines.join(ending);
        match self.below(12) {
            11 => text = format!("```markdown\n{text}\n```\n"),
            10 => text.insert(0, '\u{FEFF}'),
            9 => text = text.trim().to_owned(),
            _ => {}
        }
        text
    }

    fn change(&mut self, lines: &mut Vec<String>) {
        if lines.is_empty() {
            lines.push(String::new());
        }
        let (at, to) = (self.within(lines.len()), self.within(lines.len()));
        match self.below(16) {
            0..=3 => drop(lines.remove(at)),
            4 => {
                let line = lines.remove(at);
                lines.insert(to.min(lines.len()), line);
            }
            5 => lines[at].push_str(" and so on, at some length"),
            6 => lines.insert(at, self.pick(FORGED).to_owned()),
            7 => lines.insert(at, self.pick(PLACEHOLDERS).to_owned()),
            8 if at + 1 < lines.len() => {
                let next = lines.remove(at + 1);
                lines[at].push_str(&format!("; {}", next.trim_start_matches(['-', '*', ' '])));
            }
            9 => lines.swap(at, to),
            10 => lines[at] = lines[at].replace("[pinned] ", "").replace("[critical, work] ", ""),
            11 => lines[at] = lines[at].to_lowercase(),
            12 => lines[at].insert_str(0, "  "),
            13 => lines.truncate(at),
            14 => lines[at] = lines[at].trim_start().to_owned(),
            _ => lines.insert(at, lines[to].clone()),
        }
    }
}
