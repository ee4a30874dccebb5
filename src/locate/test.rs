//! Tests of bullets: by what they say, how they are tagged, or their key.

use memchr::memmem;

use super::closest::{Closest, closest, describe, said};
use super::diagnostic::{Ask, Diagnostic, LocateError};
use super::difference::Difference;
use super::fix::Fix;
use super::ladder::{Rung, Rungs};
use super::matches::Found;
use super::names::Names;
use super::reason::Reason;
use super::said::{Ends, How, Said};
use super::target::Target;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Content, Line, Span, excerpt, fold_name, is_blank, visible};

/// How many places of a text are looked at to find one that is in no bullet.
const LOOKED_AT: usize = 64;

/// How many bullets are told of that begin with what was sought.
const TOLD: usize = 3;

/// A way to name a bullet by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, derive_more::Display)]
#[non_exhaustive]
pub enum BulletTest {
    /// Its content contains this text.
    #[display("contains `{_0}`")]
    Contains(Content),
    /// Its content begins with this text.
    #[display("starts with `{_0}`")]
    StartsWith(Content),
    /// Its content is this text.
    #[display("equals `{_0}`")]
    Equals(Content),
    /// It has this tag.
    #[display("has tag `{_0}`")]
    Tag(Content),
    /// It has this key.
    #[display("has key `{_0}`")]
    Key(Content),
}

impl BulletTest {
    /// Returns how a text is compared with contents, and the text.
    fn compared(&self) -> Option<(How, &str)> {
        match self {
            Self::Contains(text) => Some((How::Contains, text)),
            Self::StartsWith(text) => Some((How::StartsWith, text)),
            Self::Equals(text) => Some((How::Equals, text)),
            Self::Tag(_) | Self::Key(_) => None,
        }
    }

    /// Returns the text that contents are compared with.
    pub(crate) fn text(&self) -> Option<&str> {
        self.compared().map(|(_, text)| text)
    }

    /// Reports whether it counts bullets that say the same.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self, Self::Key(key) if key.contains('#'))
    }

    /// Keeps of `bullets` those that have the tag or the key, if it is a test of one.
    fn retain_marked(&self, names: &Names<'_>, bullets: &mut Vec<BulletRef<'_>>) {
        match self {
            Self::Key(key) => {
                let named = names.doc().bullets_by_key(key);
                bullets.retain(|bullet| named.binary_search(bullet).is_ok());
            }
            Self::Tag(tag) => {
                let tagged = names.tagged(tag);
                bullets.retain(|bullet| tagged.binary_search(bullet).is_ok());
            }
            Self::Contains(_) | Self::StartsWith(_) | Self::Equals(_) => {}
        }
    }
}

/// Finds the one bullet among `bullets` for which all tests hold.
///
/// A bullet whose whole content equals a `contains` text is preferred to those that merely contain it. If no content
/// compares equal as it is, Unicode punctuation is overlooked.
pub(crate) fn bullet_by_tests<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
    what: Target,
) -> Result<Found<BulletRef<'a>>, LocateError> {
    let ask = Ask {
        doc: names.doc(),
        what,
        span: &|bullet: &BulletRef<'_>| bullet.line,
        fix: &|bullet, _| Some(Fix::UseKey(bullet.key().into())),
        help: &|| no_bullet(names, bullets, tests),
    };
    names.only(ask, bullets_by_tests(names, bullets, tests))
}

/// Finds all bullets among `bullets` for which all tests hold, on the first rung of the ladder on which there are any.
pub(crate) fn bullets_by_tests<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
) -> Found<Vec<BulletRef<'a>>> {
    let mut bullets = bullets.to_vec();
    tests.iter().for_each(|test| test.retain_marked(names, &mut bullets));
    let texts: Vec<_> = tests.iter().filter_map(BulletTest::compared).collect();
    let all_hold = |bullet: &BulletRef<'a>, said: &[(How, Said<'_>)]| {
        said.iter().all(|(how, said)| said.is_of(names.contents(), *bullet, *how))
    };
    let said_on =
        |rungs, ends| texts.iter().map(|(how, text)| (*how, Said::new(text, rungs, ends))).collect::<Vec<_>>();
    let mut tried: Vec<Vec<(How, Said<'_>)>> = Vec::new();
    // Contents have no line ends to overlook.
    let rungs = Rungs::ladder(names.doc()).filter(|rungs| *rungs == Rungs::NONE || rungs.has(Rung::Punctuation));
    let has_space = |text: &str| text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
    let ends: &[Ends] =
        if texts.iter().any(|(_, text)| has_space(text)) { &[Ends::Strict, Ends::Loose] } else { &[Ends::Strict] };
    for (rungs, ends) in rungs.flat_map(|rungs| ends.iter().map(move |ends| (rungs, *ends))) {
        let said = said_on(rungs, ends);
        if tried.contains(&said) {
            continue;
        }
        let likely = |bullets, (_, said): &(How, Said<'_>)| said.likely(names.contents(), bullets);
        let mut found = said.iter().fold(bullets.clone(), likely);
        found.retain(|bullet| all_hold(bullet, &said));
        if found.len() > 1 {
            let is_whole = |bullet: &BulletRef<'a>| {
                let mut contained = said.iter().filter(|(how, _)| *how == How::Contains);
                contained.any(|(_, said)| said.is_of(names.contents(), *bullet, How::Equals))
            };
            let whole: Vec<_> = found.iter().copied().filter(is_whole).collect();
            found = if whole.is_empty() { found } else { whole };
        }
        if let Some(first) = found.first() {
            let needed = rungs.minimized(|fewer| all_hold(first, &said_on(fewer, ends)));
            return Found { healed: needed.iter().collect(), at: found };
        }
        tried.push(said);
    }
    Found::exactly(Vec::new())
}

fn no_bullet<'a>(names: &Names<'a>, bullets: &[BulletRef<'a>], tests: &[BulletTest]) -> Diagnostic {
    let Some(text) = tests.iter().find_map(BulletTest::text) else { return Diagnostic::default() };
    let scope = bullets
        .first()
        .zip(bullets.last())
        .map(|(first, last)| Span::new(first.extent.start(), last.extent.end().max(first.extent.end())));
    if let Some(help) = first_line_of(names, bullets, tests) {
        return help;
    }
    let doc = names.doc();
    let mut closest = scope.map(|scope| closest(doc, scope, text)).unwrap_or_default();
    // A heading between bullets is none, however like it is.
    let is_heading = |at| doc.section_at(at).is_some_and(|section| section.line.start() == at);
    let start = |closest: &Closest| doc.lines().start(closest.line.saturating_sub(1));
    closest.retain(|closest| !is_heading(start(closest)));
    for one in &mut closest {
        if let Some(bullet) = doc.bullet_at(start(one)).filter(|bullet| bullets.contains(bullet)) {
            one.difference = beside_text(names, bullet, tests).unwrap_or_else(|| one.difference.clone());
        }
    }
    let outside = if closest.is_empty() { line_outside(doc, text) } else { None };
    Diagnostic { closest, reasons: outside.map(Reason::NoBullet).into_iter().collect(), ..Diagnostic::default() }
}

/// Tells in what a bullet differs that holds one text which was sought, but not all else.
fn beside_text<'a>(names: &Names<'a>, bullet: BulletRef<'a>, tests: &[BulletTest]) -> Option<Difference> {
    let holds = |tests: &[BulletTest]| !bullets_by_tests(names, &[bullet], tests).at.is_empty();
    let text = tests.iter().find(|test| test.text().is_some()).filter(|_| tests.len() > 1)?;
    if !holds(std::slice::from_ref(text)) {
        return None;
    }
    let others: Vec<_> = tests.iter().filter(|test| !matches!(test, BulletTest::Tag(_))).cloned().collect();
    let tags = bullet.tags_span().of(bullet.doc().text());
    let reason = match !tags.is_empty() && others.len() < tests.len() && holds(&others) {
        true => Reason::OtherTags(visible(&excerpt(tags, 60)).into()),
        false => Reason::Same,
    };
    Some(Difference { reason, sought: "".into(), found: "".into() })
}

/// Helps where a whole content was sought, and is the first line of that of a bullet: those that read exactly so go first.
fn first_line_of<'a>(names: &Names<'a>, bullets: &[BulletRef<'a>], tests: &[BulletTest]) -> Option<Diagnostic> {
    let [BulletTest::Equals(text)] = tests else { return None };
    let sought = [fold_name(text), fold_name(said(text))];
    let is_first = |bullet: &BulletRef<'a>| {
        let content = bullet.content();
        content.split_once('\n').is_some_and(|(first, _)| sought.contains(&fold_name(first)))
    };
    let mut found: Vec<_> = bullets.iter().copied().filter(is_first).collect();
    let reads_so =
        |bullet: &BulletRef<'_>| bullet.content().split('\n').next().is_some_and(|first| first == text.trim());
    if found.iter().any(reads_so) {
        found.retain(reads_so);
    }
    let fix = match found.as_slice() {
        [] => return None,
        [only] => Some(only.folded_content().into_owned()),
        _ => None,
    };
    let names_one =
        |text: &String| bullets_by_tests(names, bullets, &[BulletTest::Equals(text.as_str().into())]).at.len() == 1;
    let fix = fix.filter(names_one).map(|text| Fix::CopyText(text.into()));
    let reasons = found.iter().take(TOLD).map(|bullet| Reason::GoesOn(bullet.line_number())).collect();
    Some(Diagnostic { reasons, fix, ..Diagnostic::default() })
}

/// Returns the number of the first line that holds a text and belongs to no bullet, where tools may write.
fn line_outside(doc: &MemoryDoc, text: &str) -> Option<usize> {
    let mut places = memmem::find_iter(doc.text().as_bytes(), text.trim()).take(LOOKED_AT).filter(|_| !is_blank(text));
    let is_outside = |at: &usize| doc.bullet_at(*at).is_none() && doc.reserved_section_at(*at).is_none();
    places.find(is_outside).map(|at| doc.line_number(at))
}

/// The error for a bullet that is not what was said of it: names what stands there.
pub(crate) fn stands_there(bullet: BulletRef<'_>, sought: &str, what: Target) -> LocateError {
    let closest =
        vec![describe(bullet.doc(), Line::starting_at(bullet.doc().text(), bullet.line.start()).text, sought)];
    LocateError::not_found(what, Diagnostic { closest, ..Diagnostic::default() })
}
