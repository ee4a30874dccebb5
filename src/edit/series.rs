//! Edits in a series, each planned on the result of those before it: what they make, and how they stand over another edit.

use super::Edit;
use crate::document::MemoryDoc;
use crate::text::{Difference, Revision};

/// Returns what `edit`, planned on `doc`, makes of it, unchecked.
pub(crate) fn made(doc: &MemoryDoc, edit: &Edit) -> MemoryDoc {
    edit.made(doc).0
}

/// Returns what the edits of a series that begins with `doc` make of it, unchecked, and read once.
pub(crate) fn made_by<'e>(doc: &MemoryDoc, series: impl IntoIterator<Item = &'e Edit>) -> MemoryDoc {
    let next = |text: Option<String>, edit: &Edit| Some(edit.apply_to(text.as_deref().unwrap_or_else(|| doc.text())));
    let Some(text) = series.into_iter().fold(None, next) else { return doc.clone() };
    let difference = Difference::between(doc.text(), &text);
    doc.with_text(text, &[difference]).0
}

/// Returns the one edit of `doc` that does what the edits of a series that begins there do.
pub(crate) fn composed<'e>(doc: &MemoryDoc, series: impl IntoIterator<Item = &'e Edit>) -> Edit {
    Edit::of_series(doc.revision(), &series.into_iter().collect::<Vec<_>>())
}

/// Carries an edit over `later`, an edit of the same text, which makes `result` of it. Returns also the later edit, as it is made
/// behind the first; `None` where both change the same bytes.
pub(crate) fn passed(edit: &Edit, later: &Edit, result: &MemoryDoc) -> Option<(Edit, Edit)> {
    edit.over_text(later, (result.text(), result.revision())).ok()
}

/// An edit of a series that changes bytes which another edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    /// Its index in the series.
    pub(crate) nth: usize,
}

/// Carries the edits of a series over `later`, an edit of the text that the series begins with, which makes `result` of it.
///
/// # Errors
///
/// The first that changes the same bytes.
pub(crate) fn carried_over(series: &[&Edit], later: &Edit, result: &MemoryDoc) -> Result<Vec<Edit>, Clash> {
    let mut carried = Vec::with_capacity(series.len());
    let (mut later, mut text, mut revision) = (later.clone(), result.text().to_owned(), result.revision());
    for (nth, edit) in series.iter().enumerate() {
        let (moved, behind) = edit.over_text(&later, (&text, revision)).map_err(|_| Clash { nth })?;
        later = behind;
        text = moved.apply_to(&text);
        revision = Revision::of(&text);
        carried.push(moved);
    }
    Ok(carried)
}

#[cfg(test)]
mod tests {
    use super::super::Authority;
    use super::*;
    use crate::text::Span;

    #[test]
    fn each_step_of_what_is_carried_is_of_the_result_of_those_before() -> Result<(), Box<dyn std::error::Error>> {
        let putting = |doc: &MemoryDoc, old: &str, new: &'static str| {
            let at = doc.text().find(old).map(|at| Span::new(at, at + old.len()));
            Edit::putting(doc.revision(), at.into_iter().map(|span| (span, new)))
        };
        let doc = MemoryDoc::parse("- a\n- b\n- c\n");
        let first = putting(&doc, "a", "first");
        let second = putting(&made(&doc, &first), "c", "second");
        let (whole, later) = (composed(&doc, [&first, &second]), putting(&doc, "b", "later"));
        let result = made(&doc, &later);
        let (carried, behind) = passed(&whole, &later, &result).ok_or("they overlap")?;
        let both = "- first\n- later\n- second\n";
        assert_eq!(result.draft(&carried, Authority::Host)?.doc().text(), both);
        assert_eq!(made(&made(&doc, &whole), &behind).text(), both);
        Ok(())
    }

    #[test]
    fn what_a_series_makes_is_read_as_its_text_is() {
        let start = MemoryDoc::parse("# A\n- a\n## B (id: b)\n- b\n## C\n- c\n");
        // A series, by what each edit replaces and what it puts there.
        let series: [&[(&str, &str)]; 6] = [
            &[],
            &[("- b", "- x\n- y")],
            &[("- a", "- z"), ("- c", "## D\n- d"), ("## D", "### D")],
            &[("## B (id: b)", "```"), ("- b", "b"), ("- c", "```")],
            &[("- b\n", ""), ("## C\n", "- b\n## C\n")],
            &[("# A\n- a\n", ""), ("## B", "---\nk: v\n---\n## B")],
        ];
        for steps in series {
            let (mut text, mut edits) = (start.text().to_owned(), Vec::new());
            for (old, new) in steps {
                let spans = text.match_indices(old).map(|(at, old)| Span::new(at, at + old.len()));
                let edit = Edit::putting(Revision::of(&text), spans.take(1).map(|span| (span, *new)));
                text = edit.apply_to(&text);
                edits.push(edit);
            }
            let made = made_by(&start, &edits);
            assert_eq!((made.text(), made.revision()), (text.as_str(), Revision::of(&text)), "{steps:?}");
            assert_eq!(made.outline(), MemoryDoc::parse(text).outline(), "{steps:?}");
        }
    }
}
