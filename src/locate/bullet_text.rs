//! Sought texts, compared with the texts of bullets.
//!
//! A bullet is compared by its content, and by its text from its tags or from its checkbox on. A
//! sought text is read once as the line of a bullet: a marker or the prefix of a view that it
//! brings must be the bullet's, and what follows its beginning. Runs of white space are one space,
//! whatever else is compared.

use memchr::memmem::Finder;

use super::marker::{BulletLine, LineLabel, view_prefix};
use super::normal::normal_content;
use crate::document::{BulletRef, Healing, MemoryDoc};
use crate::text::{Span, fold_white_space, is_whole_words, with_marked_groups};

/// How a sought text is compared with the text of a bullet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Contains,
    StartsWith,
    Equals,
}

/// The form in which texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are written.
    Verbatim,
    /// In the normal form.
    Normal,
}

impl Form {
    /// Returns the text in this form.
    fn of(self, text: &str) -> String {
        match self {
            Self::Verbatim => fold_white_space(text).into_owned(),
            Self::Normal => {
                // No dash passes for the marker that a text begins with.
                let is_marked = BulletLine::read(text.trim_start()).is_some_and(|line| line.marker == "-");
                [if is_marked { "\u{1}" } else { "" }, &normal_content(text)].concat()
            }
        }
    }
}

/// The text of a bullet in one form.
#[derive(Debug)]
pub(super) struct BulletText {
    /// What the bullet says, from its checkbox on.
    text: String,
    /// The same, byte for byte, but with the spaces marked that group the digits of a number, where
    /// there are any: the ends of words are looked for in it.
    marked: Option<String>,
    tags_start: usize,
    content_start: usize,
}

impl BulletText {
    pub(super) fn new(bullet: BulletRef<'_>, form: Form) -> Self {
        let doc = bullet.doc().text();
        let mut text = String::new();
        let mut push = |mark: &str| {
            text.push_str(&form.of(mark));
            if !mark.is_empty() {
                text.push(' ');
            }
            text.len()
        };
        let tags_start = push(bullet.checkbox().unwrap_or_default());
        let content_start = push(bullet.tags_span().of(doc));
        let content = bullet.content();
        let marked = with_marked_groups(&content).map(|content| [&*text, &*form.of(&content)].concat());
        text.push_str(&form.of(&content));
        Self { text, marked, tags_start, content_start }
    }

    /// Returns the text from its content on, from its tags on, and from its checkbox on.
    fn ends(&self) -> [&str; 3] {
        self.starts().map(|start| self.text.get(start..).unwrap_or_default())
    }

    const fn starts(&self) -> [usize; 3] {
        [self.content_start, self.tags_start, 0]
    }

    /// Reports whether a part of the text from `start` on is of whole words.
    fn is_whole(&self, start: usize, part: Span) -> bool {
        let text = self.marked.as_ref().unwrap_or(&self.text);
        is_whole_words(text.get(start..).unwrap_or_default(), part)
    }

    fn begins_with(&self, sought: &str) -> bool {
        let is_there = |start: usize| self.text.get(start..).is_some_and(|text| text.starts_with(sought));
        self.starts().into_iter().any(|start| is_there(start) && self.is_whole(start, Span::new(0, sought.len())))
    }

    /// Returns true if a text stands there in any letter case, also inside words.
    pub(super) fn is_like(&self, sought: &str, how: How) -> bool {
        let sought = Form::Normal.of(sought).to_lowercase();
        self.ends().iter().map(|text| text.to_lowercase()).any(|text| match how {
            How::Contains => text.contains(&sought),
            How::StartsWith => text.starts_with(&sought),
            How::Equals => text == sought,
        })
    }

    /// Returns true if a text stands in the content or the tags in whole words.
    fn contains(&self, sought: &Finder<'_>) -> bool {
        let [_, text, _] = self.ends();
        let length = sought.needle().len();
        // What begins inside the first word of a place that is no whole one is none either.
        let step = sought.needle().iter().position(|byte| *byte == b' ').unwrap_or(length).max(1);
        let mut from = 0;
        while let Some(at) = text.as_bytes().get(from..).and_then(|rest| sought.find(rest)) {
            let start = from + at;
            if self.is_whole(self.tags_start, Span::new(start, start + length)) {
                return true;
            }
            from = start + step;
        }
        false
    }
}

/// How a bullet fits a sought text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fit {
    /// The bullet says nothing else.
    pub(super) is_whole: bool,
    /// The text stands there as it was sent, a marker or a prefix that it seems to bring included.
    pub(super) is_literal: bool,
    /// The text brings the prefix of a view.
    pub(super) has_prefix: bool,
}

impl Fit {
    /// Returns how a bullet fits several texts.
    pub(super) fn of_all(fits: &[Self]) -> Self {
        Self {
            is_whole: fits.iter().any(|fit| fit.is_whole),
            is_literal: fits.iter().all(|fit| fit.is_literal),
            has_prefix: fits.iter().any(|fit| fit.has_prefix),
        }
    }
}

/// A text that is sought.
#[derive(Debug)]
pub(super) struct SoughtText<'t> {
    how: How,
    text: String,
    finder: Finder<'static>,
    line: Option<SoughtLine<'t>>,
}

impl<'t> SoughtText<'t> {
    /// Reads a text for a document, whose policy may allow less than all of this.
    pub(super) fn new(text: &'t str, how: How, form: Form, doc: &MemoryDoc) -> Self {
        let line = SoughtLine::read(text, form).filter(|line| line.prefix.is_none() || heals(doc));
        let text = form.of(text);
        Self { how, finder: Finder::new(&text).into_owned(), text, line }
    }

    /// Returns how a bullet fits; `None` if it does not.
    pub(super) fn fit(&self, bullet: BulletRef<'_>, text: &BulletText) -> Option<Fit> {
        if text.ends().contains(&self.text.as_str()) {
            return Some(Fit { is_whole: true, is_literal: true, has_prefix: false });
        }
        let holds = match self.how {
            How::Contains => text.begins_with(&self.text) || text.contains(&self.finder),
            How::StartsWith => text.begins_with(&self.text),
            How::Equals => false,
        };
        if holds {
            return Some(Fit { is_whole: false, is_literal: true, has_prefix: false });
        }
        let line = self.line.as_ref()?;
        let is_whole = text.ends().contains(&line.rest.as_str());
        let holds = is_whole || (self.how != How::Equals && text.begins_with(&line.rest));
        let has_prefix = line.prefix.is_some();
        (holds && line.is_of(bullet)).then_some(Fit { is_whole, is_literal: false, has_prefix })
    }
}

/// Returns true if the policy of a document allows to compare texts in the normal form.
pub(super) fn heals(doc: &MemoryDoc) -> bool {
    doc.policy().healing == Healing::Narrow
}

/// A sought text without the marker and the prefix of a view that it brings.
#[derive(Debug)]
struct SoughtLine<'t> {
    prefix: Option<&'t str>,
    marker: Option<&'t str>,
    rest: String,
}

impl<'t> SoughtLine<'t> {
    fn read(text: &'t str, form: Form) -> Option<Self> {
        let text = text.trim_start();
        let (prefix, text) = view_prefix(text).map_or((None, text), |(prefix, rest)| (Some(prefix), rest.trim_start()));
        let line = BulletLine::read(text);
        let (marker, rest) = line.map_or((None, text), |line| (Some(line.marker), line.rest));
        let rest = form.of(rest);
        let brings_any = prefix.is_some() || marker.is_some();
        (brings_any && !rest.is_empty()).then_some(Self { prefix, marker, rest })
    }

    fn is_of(&self, bullet: BulletRef<'_>) -> bool {
        self.marker.is_none_or(|marker| marker == bullet.marker())
            && self.prefix.is_none_or(|prefix| LineLabel::of_bullet(bullet).is(prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the only bullet of a document fits a text.
    fn fits(how: How, sought: &str, bullet: &str) -> bool {
        let doc = MemoryDoc::parse(bullet);
        let fits = |form| {
            let sought = SoughtText::new(sought, how, form, &doc);
            doc.bullets().any(|bullet| sought.fit(bullet, &BulletText::new(bullet, form)).is_some())
        };
        fits(Form::Verbatim) || fits(Form::Normal)
    }

    #[test]
    fn a_bullet_is_named_by_its_content_and_by_what_stands_before_it() {
        let bullet = "- [x] [work, a: b] Likes “green”  tea\n  and milk";
        for text in ["Likes \"green\" tea and milk", "[work, a: b] Likes “green” tea and milk"] {
            assert!(fits(How::Equals, text, bullet), "{text}");
        }
        for text in ["[x] [work, a: b] Likes", "- [x] [work, a: b] Likes", "- Likes", "1| - Likes", "1| Likes", "[work"]
        {
            assert!(fits(How::StartsWith, text, bullet), "{text}");
            assert!(!fits(How::Equals, text, bullet), "{text}");
        }
        for text in ["work", "green", "tea and", "likes", "Like", "een", "* Likes", "2| Likes", "- green", "[x] Likes"]
        {
            assert_eq!(fits(How::Contains, text, bullet), ["work", "green", "tea and"].contains(&text), "{text}");
        }
    }

    #[test]
    fn a_marker_is_no_dash() {
        assert!(fits(How::Equals, "- 5 °C", "- 5 °C") && fits(How::Equals, "5 °C", "- 5 °C"));
        assert!(!fits(How::Equals, "- 5 °C", "* \u{2212} 5 °C") && !fits(How::Equals, "\u{2212} 5 °C", "- 5 °C"));
        assert!(fits(How::Equals, "2. Two", "2. Two") && !fits(How::Equals, "1. Two", "2. Two"));
    }

    #[test]
    fn words_stand_by_themselves_wherever_they_begin() {
        assert!(fits(How::Contains, "a a", "- ba a a"));
        assert!(!fits(How::Contains, "a a", "- ba ab"));
    }
}
