//! Reads a line in every way at once, and tells whether one of them is a reserved name.
//!
//! What a reading has matched so far is a number of letters of the name; all the numbers that are possible at one place of the
//! line are a set of bits. What a renderer would not show (a tag, the target of a link, an ID, an attribute, the label of a
//! reference, the tags of a bullet, the number in a list) may be text as well, so that the sets behind it take in both. The
//! line is passed over once, whatever it holds: where markup is opened, the readings wait beside the text and may come back
//! wherever it could be closed.

use memchr::memchr2;

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
    /// What is matched if all before is text, or markup that has ended.
    text: Matched,
    /// What waits for the end of markup, by what ends it: `>`, `)`, `]`, `}`.
    waiting: [Matched; 4],
    /// The name of a tag, and a name in an ID.
    inner: [Matched; 2],
    /// What comes back behind a number or a character reference, and where.
    ahead: Vec<(usize, Matched)>,
    /// Where the name in an ID begins.
    id_at: Option<usize>,
    /// Whether a tag, an ID or a slot has the name.
    is_inner: bool,
    /// How many characters have been looked at.
    #[cfg(test)]
    pub(super) work: usize,
    /// Whether no character is passed over.
    #[cfg(test)]
    is_slow: bool,
}

const CLOSERS: [char; 4] = ['>', ')', ']', '}'];
const ANGLE: usize = 0;
const ROUND: usize = 1;
const SQUARE: usize = 2;
const CURLY: usize = 3;
const TAG: usize = 0;
const ID: usize = 1;

impl<'a> Reader<'a> {
    pub(super) const fn new(bones: &'a Bones, place: Place) -> Self {
        Self {
            bones,
            place,
            text: 1,
            waiting: [0; 4],
            inner: [0; 2],
            ahead: Vec::new(),
            id_at: None,
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
            #[cfg(test)]
            {
                self.work += 1;
            }
            let rest = line.get(at..).unwrap_or_default();
            self.look_ahead(rest, at, (last, c));
            self.open(rest, at, (last, c));
            self.step(c);
            at += c.len_utf8();
            if self.id_at.take_if(|begin| *begin <= at).is_some() {
                self.inner[ID] |= 1;
            }
            self.ahead.retain(|(end, matched)| {
                self.text |= if *end == at { *matched } else { 0 };
                *end > at
            });
            last = c;
        }
        self.ahead.clear();
        self.id_at = None;
        self.is_inner |= self.bones.is_whole(self.inner[TAG]);
    }

    /// Reports whether all that was read is the name.
    pub(super) fn is_whole(&self) -> bool {
        self.bones.is_whole(self.text)
    }

    /// Reports whether a tag, an ID or a slot that was read has the name.
    pub(super) const fn is_inner(&self) -> bool {
        self.is_inner
    }

    /// Reports whether letters have been matched that could go on in the next line.
    pub(super) fn may_go_on(&self) -> bool {
        (self.text | self.waiting.iter().fold(0, |all, own| all | own)) & !1 != 0
    }

    /// Reports whether the next character may be one of the name.
    fn is_reading(&self) -> bool {
        #[cfg(test)]
        if self.is_slow {
            return true;
        }
        self.text != 0 || self.inner != [0; 2] || !self.ahead.is_empty() || self.id_at.is_some()
    }

    /// Returns where reading goes on, while it does not: at a tag or an ID, or at the end of markup that something waits for.
    fn next_opening(&self, rest: &[u8]) -> Option<usize> {
        if self.waiting == [0; 4] {
            return memchr2(b'<', b'(', rest);
        }
        rest.iter().position(|byte| matches!(byte, b'<' | b'(' | b'>' | b')' | b']' | b'}'))
    }

    /// Notes where a number in a list, or the writing of a character, ends.
    fn look_ahead(&mut self, rest: &str, at: usize, (last, c): (char, char)) {
        if c == '&' && self.text != 0 {
            let (length, character) = character_reference(rest);
            let matched = character.chars().fold(self.text, |matched, c| self.bones.after(matched, &readings(c)));
            if length > 0 && matched != 0 {
                self.ahead.push((at + length, matched));
            }
        }
        if self.text & 1 == 1 && is_digit(c) && !is_digit(last) {
            let behind = rest.trim_start_matches(is_digit);
            if behind.starts_with(['.', ')', ':']) {
                self.ahead.push((at + rest.len() - behind.len(), 1));
            }
        }
    }

    /// Lets readings wait for the end of what is opened here.
    fn open(&mut self, rest: &str, at: usize, (last, c): (char, char)) {
        match c {
            '<' => {
                self.waiting[ANGLE] |= self.text;
                self.inner[TAG] |= u128::from(!rest.chars().nth(1).is_some_and(char::is_whitespace));
            }
            '(' if last == ']' => self.waiting[ROUND] |= self.text,
            '(' if rest.get(..4).is_some_and(|open| open.eq_ignore_ascii_case("(ID:")) => {
                self.waiting[ROUND] |= self.text;
                self.id_at = Some(at + 4);
            }
            '[' if last == ']' || rest.starts_with("[^") => self.waiting[SQUARE] |= self.text,
            // What stands before the name: tags, a checkbox, a link without text.
            '[' => self.waiting[SQUARE] |= self.text & 1,
            '{' => self.waiting[CURLY] |= self.text,
            _ => {}
        }
    }

    fn step(&mut self, c: char) {
        let whole = |matched: &Matched| self.bones.is_whole(*matched);
        self.is_inner |= c == ':' && self.place == Place::FrontMatter && whole(&self.text);
        self.is_inner |= (c == '>' || c.is_whitespace()) && whole(&self.inner[TAG]);
        self.is_inner |= matches!(c, '(' | ')') && whole(&self.inner[ID]);
        let back = CLOSERS.iter().zip(self.waiting).find(|(closer, _)| **closer == c).map_or(0, |(_, waiting)| waiting);
        if self.text != 0 || self.inner != [0; 2] {
            let readings = readings(c);
            for matched in [&mut self.text].into_iter().chain(&mut self.inner) {
                *matched = self.bones.after(*matched, &readings);
            }
        }
        self.text |= back;
        match c {
            '>' => self.inner[TAG] = 0,
            '(' | ')' => self.inner[ID] = 0,
            _ => {}
        }
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
            pieces in prop::collection::vec(r"[ab](/b)?|[x -]|\[|\]\(?|\(|\(ID: |\)|<|>|\{|\}|&#97;|1\.|:|é", 0..12),
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
        for piece in
            ["](<", "[", "<!--", "&#83;", "&#8", "(ID: ", "{", "1.", "`", "\u{301}", "[x](", "<a \"", "s", "s ]("]
        {
            for times in [1_000, 4_000] {
                let mut reader = Reader::new(&bones, Place::Text);
                reader.read(&piece.repeat(times));
                assert!(reader.work <= piece.chars().count() * times, "{piece}");
                assert!(reader.ahead.len() <= 2, "{piece}");
            }
        }
    }
}
