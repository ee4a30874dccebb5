//! [`TextSearch`]: the search for a text, which need not be whole lines: all exact occurrences, or if there are none,
//! those in normal form.

use std::cell::OnceCell;

use memchr::memmem::Finder;

use super::diagnostic::{Diagnostic, Fix, LocateError, Reason, Target};
use super::doc_lines::DocLines;
use super::leniency::{Leniency, unescape};
use super::marker::{ViewPrefixes, view_prefix};
use super::matches::Matches;
use super::nearest::nearest;
use super::normal::{NormalText, exact_occurrences, leniencies_between, normal_content, positions};
use super::scope::Scope;
use super::words::may_hold;
use crate::document::MemoryDoc;
use crate::text::{Line, Span, fold_name, is_blank, is_whole_words};

/// The most lines of a longer text that is offered to make an occurrence unique.
const WIDENED: usize = 6;
/// The most bytes of such a text.
const LONGEST: usize = 600;

/// A text that is looked for in a scope of a document.
pub(crate) struct TextSearch<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) scope: Scope<'a>,
    pub(super) needle: &'a str,
    /// The new text of the request.
    pub(super) replacement: &'a str,
    /// The scope in normal form.
    normal: OnceCell<NormalText>,
}

/// The occurrences of a text, and how the text was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextMatch {
    pub(crate) spans: Vec<Span>,
    /// The text as it was read.
    pub(crate) old: String,
    /// The new text, read in the same way.
    pub(crate) new: String,
    pub(crate) healed: Vec<Leniency>,
}

impl<'a> TextSearch<'a> {
    /// Prepares to look for `needle`, which is to be replaced.
    pub(crate) const fn new(doc: &'a MemoryDoc, scope: Scope<'a>, needle: &'a str, replacement: &'a str) -> Self {
        Self { doc, scope, needle, replacement, normal: OnceCell::new() }
    }

    /// Returns the occurrences of the text as it was sent.
    pub(crate) fn exact(&self) -> TextMatch {
        let spans = occurrences(self.doc.text(), self.scope.span(self.doc), self.needle);
        TextMatch { spans, old: self.needle.to_owned(), new: self.replacement.to_owned(), healed: Vec::new() }
    }

    /// Returns the exact occurrences; if there are none, and the policy allows healing, the [healed](Self::healed)
    /// ones.
    pub(crate) fn found(&self) -> TextMatch {
        let exact = self.exact();
        let healed = (exact.spans.is_empty() && self.doc.heals()).then(|| self.healed());
        healed.flatten().unwrap_or(exact)
    }

    /// Returns the occurrences in normal form; if there are none, those of the text without its view prefixes; if there
    /// are still none, those of the unescaped text. `None` if no reading occurs.
    pub(crate) fn healed(&self) -> Option<TextMatch> {
        self.in_normal_form(self.needle, self.replacement).or_else(|| {
            let (old, new) = (unescape(self.needle), unescape(self.replacement));
            let mut found = if old == self.needle { None } else { self.in_normal_form(&old, &new) }?;
            found.healed.push(Leniency::Escapes);
            Some(found)
        })
    }

    /// Returns the occurrences in normal form; if there are none, those of the text without its view prefixes.
    fn in_normal_form(&self, old: &str, new: &str) -> Option<TextMatch> {
        self.matched(self.normal_places(old), old, new).or_else(|| {
            // Prefixes are removed only if each line that is not blank has one, and it is the prefix of that line.
            let bare = |text: &str| {
                let bare = text.split('\n').map(|line| view_prefix(line).map_or(line, |(_, rest)| rest));
                bare.collect::<Vec<_>>().join("\n")
            };
            let is_complete = old.split('\n').all(|line| view_prefix(line).is_some() || is_blank(line));
            let mut spans = if is_complete { self.normal_places(&bare(old)) } else { Vec::new() };
            spans.retain(|span| {
                let first = self.doc.line_index(span.start());
                let mut lines = old.split('\n').zip(first..);
                self.doc.line_start(first) == span.start()
                    && lines.all(|(text, at)| ViewPrefixes::fits(self.doc, at, text))
            });
            let mut found = self.matched(spans, &bare(old), &bare(new))?;
            found.healed.push(Leniency::ViewPrefix);
            Some(found)
        })
    }

    /// Makes a match of these spans, with the leniencies that it needs; `None` without spans.
    fn matched(&self, spans: Vec<Span>, old: &str, new: &str) -> Option<TextMatch> {
        let there = spans.first()?.of(self.doc.text());
        let healed = leniencies_between(old, there);
        // If the match leaves out white space at the end of the sought text, the new text loses it, too. A new text of
        // white space alone stays as it is.
        let is_whole = there.ends_with(char::is_whitespace) || is_blank(new);
        let left = old.strip_prefix(old.trim_end_matches([' ', '\t'])).filter(|_| !is_whole).unwrap_or_default();
        let [old, new] = [old, new].map(|text| text.strip_suffix(left).unwrap_or(text));
        Some(TextMatch { healed, spans, old: old.to_owned(), new: new.to_owned() })
    }

    /// Returns the occurrences of a text in normal form. If there are none, white space at its very end is dropped, and
    /// the occurrences at the end of a line count.
    fn normal_places(&self, old: &str) -> Vec<Span> {
        let (scope, bare) = (self.scope.span(self.doc), old.trim_end_matches([' ', '\t']));
        if is_blank(bare) || !may_hold(scope.of(self.doc.text()), bare) {
            return Vec::new();
        }
        let normal = self.normal.get_or_init(|| NormalText::of_document(self.doc, scope));
        let whole = normal.find(&NormalText::of_text(old));
        if !whole.is_empty() {
            return whole;
        }
        let ends_line = |span: &Span| {
            let rest = self.doc.text().get(span.end()..).unwrap_or_default();
            rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n') || is_blank(rest)
        };
        normal.find(&NormalText::of_text(bare)).into_iter().filter(ends_line).collect()
    }

    /// Returns the change of the request that selects one of the matches: its section, or a longer text around it.
    pub(crate) fn choice(&self, span: Span, matches: &Matches) -> Option<Fix> {
        // A match in a reserved section, or inside a word, is not offered.
        if self.doc.reserved_section_at(span.start()).is_some() || !is_whole_words(self.doc.text(), span) {
            return None;
        }
        let is_named = self.scope == Scope::Document && !matches.is_overlapping();
        let section = matches.section_of(span).filter(|_| is_named);
        section.or_else(|| self.widened(span))
    }

    /// Returns the fix that searches for the whole lines around `span`: as few as make the text unique.
    fn widened(&self, span: Span) -> Option<Fix> {
        let (text, lines, scope) = (self.doc.text(), self.doc.lines(), self.scope.span(self.doc));
        // A bullet that would be left empty is removed as a whole.
        let bullet = self.doc.bullet_at(span.start()).filter(|bullet| bullet.extent == bullet.line);
        let bullet = bullet.filter(|bullet| self.replacement.is_empty() && bullet.first_text() == span);
        let removed = bullet.map_or(span, |bullet| bullet.line);
        let (mut first, mut last) = (lines.index_at(span.start()), lines.index_at(span.end().saturating_sub(1)));
        for step in 0..WIDENED {
            // The last line ending is included only if the match includes it.
            let end = lines.line(text, last).text.end().max(span.end()).min(scope.end());
            let wide = Span::new(lines.start(first).max(scope.start()), end);
            if wide.len() > LONGEST {
                return None;
            }
            if wide.covers(removed) && occurrences(text, scope, wide.of(text)).len() == 1 {
                let around = [(wide.start(), removed.start()), (removed.end(), wide.end())];
                let [before, behind] = around.map(|(start, end)| Span::new(start, end).of(text));
                let new = [before, self.replacement, behind].concat();
                return Some(Fix::Widen { old: wide.of(text).into(), new: new.into() });
            }
            if step % 2 == 0 && first > 0 {
                first -= 1;
            } else if last + 1 < lines.len() {
                last += 1;
            }
        }
        None
    }

    /// Returns the error for a text that does not occur in its scope.
    pub(crate) fn not_found(&self) -> LocateError {
        LocateError::not_found(Target::Text(self.needle.into()), self.help())
    }

    /// Returns the help for a text that was not found. A change is offered only if the text, with letter case ignored,
    /// occurs once in the whole document.
    fn help(&self) -> Diagnostic {
        let (scope, mut help) = (self.scope.span(self.doc), self.elsewhere());
        let lines: Vec<&str> = Line::texts(self.needle).collect();
        let nearest = if help.reasons.is_empty() && !lines.is_empty() {
            nearest(&DocLines::new(self.doc), &self.doc.line_range(scope), &lines)
        } else {
            Diagnostic::default()
        };
        let stands = !self.replacement.trim().is_empty()
            && exact_occurrences(self.doc.text(), scope, self.replacement)
                .iter()
                .any(|span| is_whole_words(self.doc.text(), *span));
        help.reasons.extend(stands.then_some(Reason::AlreadyApplied));
        help.reasons.extend(nearest.reasons);
        help.closest = nearest.closest;
        help.fix = self.copied_text(&help).filter(|_| holds_once(self.doc.text(), self.needle));
        help
    }

    /// Offers the text of the document, if the sought text differs from it only in letter case and white space. The sought
    /// text must be several words, and all of a line or of a bullet's content: in a part of a line, `May` might be another
    /// word than `may`.
    fn copied_text(&self, help: &Diagnostic) -> Option<Fix> {
        let closest = help.closest.first()?;
        let is_bare = self.needle.trim() == self.needle;
        let there = if is_bare { closest.text.trim() } else { &closest.text };
        let folded = |text: &str| if is_bare { fold_name(text) } else { text.to_lowercase() };
        let is_all = folded(self.needle) == folded(there) && there.trim().contains(' ') && !self.needle.contains('\n');
        is_all.then(|| Fix::CopyText(there.into()))
    }

    /// Says where the text is, if the whole document has it exactly once.
    fn elsewhere(&self) -> Diagnostic {
        let found = exact_occurrences(self.doc.text(), self.doc.span(), self.needle);
        let [only] = found.as_slice() else { return Diagnostic::default() };
        Diagnostic::elsewhere(self.doc, only.start())
    }
}

/// Reports whether `sought` occurs exactly once in `text`, in normal form and without regard to letter case.
fn holds_once(text: &str, sought: &str) -> bool {
    let [text, sought] = [text, sought].map(|text| normal_content(text).to_uppercase());
    positions(text.as_bytes(), &Finder::new(&sought)).take(2).count() == 1
}

/// Returns the places that [`exact_occurrences`] finds, and the end of the text if `sought` is there but for its last line
/// ending. So `a\n` has two places in `a\nb\na`. This second rule holds only if there are other places, and not for a
/// blank line.
fn occurrences(text: &str, span: Span, sought: &str) -> Vec<Span> {
    let mut places = exact_occurrences(text, span, sought);
    let bare = sought.strip_suffix('\n').map(|bare| bare.strip_suffix('\r').unwrap_or(bare));
    let bare = bare.filter(|bare| !is_blank(bare) && !places.is_empty() && span.end() == text.len());
    if let Some(bare) = bare.filter(|bare| span.of(text).ends_with(bare)) {
        places.extend(exact_occurrences(text, Span::new(text.len() - bare.len(), text.len()), bare));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_is_one_in_any_letter_case_and_white_space() {
        assert!(holds_once("- Lives in\u{A0}DENVER\n- x", "lives  in denver"));
        for (text, sought) in [
            ("- Polish\n- polish it", "POLISH"),
            ("- a  b\n- A b", "a b"),
            ("aaa", "AA"),
            ("\u{3BF}\u{3C2} \u{39F}\u{3A3}", "\u{3BF}\u{3C3}"),
            ("- stra\u{DF}e\n- STRASSE", "Strasse"),
            ("- a", "b"),
            ("- a", " "),
        ] {
            assert!(!holds_once(text, sought), "{text} / {sought}");
        }
    }
}
