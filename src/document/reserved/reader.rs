//! Reads a line in every way at once, and tells whether one of them is a reserved name.
//!
//! What a reading has matched so far is a number of letters of the name; all the numbers that are possible at one place of the
//! line are a set of bits. What a renderer would not show (a tag, the target of a link, an ID, an attribute, the label of a
//! reference, the tags of a bullet, the number in a list) may be text as well, so that the sets behind it take in both. The
//! line is passed over once, whatever it holds: where markup is opened, the readings wait beside the text and may come back
//! wherever it could be closed.

use std::sync::LazyLock;

use super::bones::{Bones, Matched};
use super::fold::readings;
use crate::text::is_digit;

/// Where a line stands, and with it what of it may be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the text: the whole line.
    Text,
    /// In the front matter: what stands before a colon, too.
    FrontMatter,
}

/// What has been read of a line.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    bones: &'a Bones,
    place: Place,
    /// The line.
    text: Readings<'a>,
    /// The letters that an ID begins with, behind a round bracket.
    opening: Readings<'a>,
    /// What was read of the line where that bracket stands: with an ID behind it, it goes on behind that.
    opened: Matched,
    /// The name in an ID.
    id: Readings<'a>,
    /// The name of a tag.
    tag: Matched,
    /// Whether a tag, an ID or a slot has the name.
    is_inner: bool,
    /// How many characters have been looked at.
    #[cfg(test)]
    pub(super) work: usize,
    /// Whether no character is passed over.
    #[cfg(test)]
    is_slow: bool,
}

/// What may have been read up to one place, of a line or of a part of it.
#[derive(Debug)]
struct Readings<'a> {
    bones: &'a Bones,
    /// What is matched if all before is text, or markup that has ended.
    matched: Matched,
    /// What waits for the end of markup, by what ends it: `>`, `)`, `]`, `}`.
    waiting: [Matched; 4],
    /// What comes back behind a number or a character reference, and where.
    ahead: Vec<(usize, Matched)>,
}

const CLOSERS: [char; 4] = ['>', ')', ']', '}'];
const ANGLE: usize = 0;
const ROUND: usize = 1;
const SQUARE: usize = 2;
const CURLY: usize = 3;

/// What an ID is written with, and what looks like that. The first bytes of all that open one are those of `is_opening`.
const OPENERS_OF_IDS: [char; 4] = ['(', '（', '﹙', '❨'];
const CLOSERS_OF_IDS: [char; 4] = [')', '）', '﹚', '❩'];
const COLONS: [char; 7] = [':', '：', '﹕', '︰', '∶', '꞉', 'ː'];
static ID: LazyLock<Bones> = LazyLock::new(|| Bones::of("ID").unwrap_or_default());

impl<'a> Readings<'a> {
    const fn new(bones: &'a Bones, matched: Matched) -> Self {
        Self { bones, matched, waiting: [0; 4], ahead: Vec::new() }
    }

    fn is_whole(&self) -> bool {
        self.bones.is_whole(self.matched)
    }

    fn is_reading(&self) -> bool {
        self.matched != 0 || !self.ahead.is_empty()
    }

    /// Lets `matched` come back at a place.
    fn come_back(&mut self, at: usize, matched: Matched) {
        if matched != 0 {
            self.ahead.push((at, matched));
        }
    }

    /// Reads a character reference that ends at `end` as what it stands for.
    fn refer(&mut self, end: usize, character: &str) {
        let matched = character.chars().fold(self.matched, |matched, c| self.bones.after(matched, &readings(c)));
        self.come_back(end, matched);
    }

    /// Lets readings wait for the end of what is opened here.
    fn open(&mut self, rest: &str, (last, c): (char, char)) {
        match c {
            '<' => self.waiting[ANGLE] |= self.matched,
            '(' if last == ']' => self.waiting[ROUND] |= self.matched,
            '[' if last == ']' || rest.starts_with("[^") => self.waiting[SQUARE] |= self.matched,
            // What stands before the name: tags, a checkbox, a link without text.
            '[' => self.waiting[SQUARE] |= self.matched & 1,
            '{' => self.waiting[CURLY] |= self.matched,
            _ => {}
        }
    }

    /// Returns what waits for `c`.
    fn waiting_for(&self, c: char) -> Matched {
        let closer = if CLOSERS_OF_IDS.contains(&c) { ')' } else { c };
        CLOSERS.iter().zip(self.waiting).find(|(own, _)| **own == closer).map_or(0, |(_, waiting)| waiting)
    }

    /// Brings back what comes back at `at`.
    fn land(&mut self, at: usize) {
        let Self { matched, ahead, .. } = self;
        ahead.retain(|(end, back)| {
            *matched |= if *end == at { *back } else { 0 };
            *end > at
        });
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(bones: &'a Bones, place: Place) -> Self {
        Self {
            bones,
            place,
            text: Readings::new(bones, 1),
            opening: Readings::new(&ID, 0),
            opened: 0,
            id: Readings::new(bones, 0),
            tag: 0,
            is_inner: false,
            #[cfg(test)]
            work: 0,
            #[cfg(test)]
            is_slow: false,
        }
    }

    /// Reads a line, or one more.
    pub(super) fn read(&mut self, line: &str) {
        let mut last = '\n';
        let mut at = 0;
        while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
            if !self.is_reading() {
                let Some(length) = line.as_bytes().get(at..).and_then(|rest| self.next_opening(rest)) else { break };
                if length > 0 {
                    (at, last) = (at + length, ' ');
                    continue;
                }
            }
            let length = self.silent_run(line.as_bytes().get(at..).unwrap_or_default());
            if length > 0 {
                (at, last) = (at + length, ' ');
                continue;
            }
            #[cfg(test)]
            {
                self.work += 1;
            }
            let rest = line.get(at..).unwrap_or_default();
            self.look_ahead(rest, at, (last, c));
            self.open(rest, at, (last, c));
            self.step(c);
            at += c.len_utf8();
            self.all().into_iter().for_each(|readings| readings.land(at));
            last = c;
        }
        self.text.ahead.clear();
        self.is_inner |= self.bones.is_whole(self.tag);
        (self.opening, self.opened, self.id) = (Readings::new(&ID, 0), 0, Readings::new(self.bones, 0));
    }

    /// Reports whether all that was read is the name.
    pub(super) fn is_whole(&self) -> bool {
        self.text.is_whole()
    }

    /// Reports whether a tag, an ID or a slot that was read has the name.
    pub(super) const fn is_inner(&self) -> bool {
        self.is_inner
    }

    /// Reports whether letters have been matched that could go on in the next line.
    pub(super) fn may_go_on(&self) -> bool {
        self.text.waiting.iter().fold(self.text.matched, |all, own| all | own) & !1 != 0
    }

    const fn all(&mut self) -> [&mut Readings<'a>; 3] {
        [&mut self.text, &mut self.opening, &mut self.id]
    }

    /// Reports whether the next character may be one of the name.
    fn is_reading(&self) -> bool {
        #[cfg(test)]
        if self.is_slow {
            return true;
        }
        self.tag != 0 || [&self.text, &self.opening, &self.id].into_iter().any(Readings::is_reading)
    }

    /// Returns where reading goes on, while it does not: at a tag or an ID, or at the end of markup that something waits for.
    fn next_opening(&self, rest: &[u8]) -> Option<usize> {
        let is_opening = |byte: u8| matches!(byte, b'<' | b'(' | b'&' | 0xE2 | 0xEF);
        if [&self.text, &self.opening, &self.id].into_iter().all(|readings| readings.waiting == [0; 4]) {
            return rest.iter().position(|byte| is_opening(*byte));
        }
        rest.iter().position(|byte| is_opening(*byte) || matches!(byte, b'>' | b')' | b']' | b'}'))
    }

    /// Returns how many bytes from here on are read as nothing, and open and end nothing, if nothing comes back within them.
    fn silent_run(&self, rest: &[u8]) -> usize {
        let is_silent = self.tag == 0
            && [&self.text, &self.opening, &self.id].into_iter().all(|readings| readings.ahead.is_empty());
        #[cfg(test)]
        let is_silent = is_silent && !self.is_slow;
        if !is_silent {
            return 0;
        }
        rest.iter().take_while(|byte| matches!(byte, b' ' | b'-' | b'*' | b'#' | b'_')).count()
    }

    /// Notes where a number in a list, or the writing of a character, ends.
    fn look_ahead(&mut self, rest: &str, at: usize, (last, c): (char, char)) {
        let (length, character) = if c == '&' { character_reference(rest) } else { Default::default() };
        if length > 0 {
            let end = at + length;
            self.all().into_iter().for_each(|readings| readings.refer(end, &character));
            // What an ID is written with may be written so, too.
            character.chars().for_each(|c| self.read_of_id(c, end));
            self.text.come_back(end, character.chars().fold(0, |all, c| all | self.id_end(c)));
        }
        if self.text.matched & 1 == 1 && is_digit(c) && !is_digit(last) {
            let behind = rest.trim_start_matches(is_digit);
            if behind.starts_with(['.', ')', ':']) {
                self.text.come_back(at + rest.len() - behind.len(), 1);
            }
        }
    }

    /// Reads what an ID is written with; what is behind that starts at `end`.
    fn read_of_id(&mut self, c: char, end: usize) {
        if OPENERS_OF_IDS.contains(&c) {
            self.opened |= self.text.matched;
            self.opening.come_back(end, 1);
        } else if COLONS.contains(&c) && self.opening.is_whole() {
            self.text.waiting[ROUND] |= self.opened;
            self.id.come_back(end, 1);
        }
        let is_end = OPENERS_OF_IDS.contains(&c) || CLOSERS_OF_IDS.contains(&c);
        self.is_inner |= is_end && self.id.is_whole();
    }

    /// Returns what of the line comes back behind the end of an ID.
    fn id_end(&self, c: char) -> Matched {
        if CLOSERS_OF_IDS.contains(&c) { self.text.waiting[ROUND] } else { 0 }
    }

    /// Lets readings wait for the end of what is opened here.
    fn open(&mut self, rest: &str, at: usize, (last, c): (char, char)) {
        self.all().into_iter().for_each(|readings| readings.open(rest, (last, c)));
        if c == '<' {
            self.tag |= u128::from(!rest.chars().nth(1).is_some_and(char::is_whitespace));
        }
        self.read_of_id(c, at + c.len_utf8());
    }

    fn step(&mut self, c: char) {
        self.is_inner |= c == ':' && self.place == Place::FrontMatter && self.text.is_whole();
        self.is_inner |= (c == '>' || c.is_whitespace()) && self.bones.is_whole(self.tag);
        let back = self.all().map(|readings| readings.waiting_for(c));
        if self.tag != 0 || self.all().into_iter().any(|readings| readings.matched != 0) {
            let read = readings(c);
            self.tag = self.bones.after(self.tag, &read);
            for readings in self.all() {
                readings.matched = readings.bones.after(readings.matched, &read);
            }
        }
        self.tag = if c == '>' { 0 } else { self.tag };
        if OPENERS_OF_IDS.contains(&c) {
            self.id.matched = 0;
        } else if CLOSERS_OF_IDS.contains(&c) {
            (self.id.matched, self.opening.matched, self.opened) = (0, 0, 0);
        }
        self.all().into_iter().zip(back).for_each(|(readings, back)| readings.matched |= back);
    }
}

/// Reads `&#47;`, `&#x2f;` or `&sol;`: the length without the semicolon, which no reading needs, and what it stands for.
fn character_reference(text: &str) -> (usize, String) {
    let name = text.strip_prefix('&').unwrap_or_default();
    if let Some(number) = name.strip_prefix('#') {
        let (digits, radix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        let behind = digits.trim_start_matches(|c: char| c.is_digit(radix));
        let value = digits.chars().map_while(|c| c.to_digit(radix));
        let code = value.fold(0_u32, |code, digit| code.saturating_mul(radix).saturating_add(digit));
        return (text.len() - behind.len(), char::from_u32(code).map(String::from).unwrap_or_default());
    }
    let end = name.bytes().take(40).take_while(u8::is_ascii_alphanumeric).count();
    let Some(reference) = text.get(..end + 2).filter(|reference| reference.ends_with(';')) else {
        return (0, String::new());
    };
    (end + 1, html_escape::decode_html_entities(reference).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_is_passed_over_that_could_be_a_name(
            pieces in prop::collection::vec(r"[ab](/b)?|[x -]|\[|\]\(?|\(|\(ID: |（|ID|&#40;|&#58;|\)|<|>|\{|\}|&#97;|1\.|:|é", 0..12),
            place in prop::sample::select(vec![Place::Text, Place::FrontMatter]),
        ) {
            let bones = Bones::of("a/b").ok_or_else(|| TestCaseError::fail("a name without letters"))?;
            let line = pieces.concat();
            let read = |is_slow| {
                let mut reader = Reader { is_slow, ..Reader::new(&bones, place) };
                [&*line, "b", &*line].map(|line| {
                    reader.read(line);
                    (reader.is_whole(), reader.is_inner(), reader.may_go_on())
                })
            };
            prop_assert_eq!(read(false), read(true), "{}", line);
        }
    }

    #[test]
    fn a_line_is_read_once_whatever_it_holds() {
        let bones = Bones::of("System/Policy").unwrap();
        for piece in [
            "](<",
            "[",
            "<!--",
            "&#83;",
            "&#8",
            "(ID: ",
            "&#40;ID&#58;",
            "(",
            "(I<",
            "{",
            "1.",
            "`",
            "\u{301}",
            "[x](",
            "<a \"",
            "s",
            "s ](",
        ] {
            for times in [1_000, 4_000] {
                let mut reader = Reader::new(&bones, Place::Text);
                reader.read(&piece.repeat(times));
                assert!(reader.work <= piece.chars().count() * times, "{piece}");
                assert!(reader.all().into_iter().all(|readings| readings.ahead.len() <= 2), "{piece}");
            }
        }
    }
}
