//! Sections by title or path, blocks by ID (SPEC § 2).
//!
//! Names are compared after trimming and folding white space; only if nothing matches so, letter case is overlooked too.

use super::candidate::candidates;
use super::closest::closest_name;
use super::diagnostic::{Diagnostic, Fix, Found, LocateError, Sought};
use super::ladder::Rung;
use crate::document::{BlockId, MemoryDoc, SectionId};
use crate::text::{Span, fold_name, fold_white_space};

/// Finds the one section with this title or path; a path may begin at any ancestor.
pub(crate) fn section_by_name(doc: &MemoryDoc, name: &str) -> Result<Found<SectionId>, LocateError> {
    let comparisons: [(&dyn Fn(&str) -> String, Vec<Rung>); 2] =
        [(&|name| fold_white_space(name).into_owned(), Vec::new()), (&fold_name, vec![Rung::Case])];
    for (fold, healed) in comparisons {
        let matching = sections_matching(doc, name, fold);
        match matching.as_slice() {
            [] => {}
            [only] => return Ok(Found { at: *only, healed }),
            several => return Err(several_sections(doc, name, several)),
        }
    }
    let titles = doc.outline().section_ids().map(|id| doc.section_title(id));
    let fix = closest_name(name, titles).map(|title| Fix::NameSection(title.to_owned()));
    let help = Diagnostic { fix, ..Diagnostic::default() };
    Err(LocateError::NotFound { what: Sought::Section(name.to_owned()), help: Box::new(help) })
}

/// Finds the one block with this ID.
pub(crate) fn block_by_id(doc: &MemoryDoc, id: &str) -> Result<Found<BlockId>, LocateError> {
    let comparisons: [(&dyn Fn(&str) -> String, Vec<Rung>); 2] =
        [(&|id| fold_white_space(id).into_owned(), Vec::new()), (&fold_name, vec![Rung::Case])];
    for (fold, healed) in comparisons {
        let wanted = fold(id);
        let matching: Vec<_> = doc.outline().block_ids().filter(|block| fold(doc.block_id(*block)) == wanted).collect();
        match matching.as_slice() {
            [] => {}
            [only] => return Ok(Found { at: *only, healed }),
            several => {
                let lines: Vec<_> =
                    several.iter().filter_map(|id| doc.outline().block(*id)).map(|block| block.line).collect();
                return Err(ambiguous(doc, Sought::Block(id.to_owned()), &lines));
            }
        }
    }
    let ids = doc.outline().block_ids().map(|block| doc.block_id(block));
    let fix = closest_name(id, ids).map(|id| Fix::NameBlock(id.to_owned()));
    let help = Diagnostic { fix, ..Diagnostic::default() };
    Err(LocateError::NotFound { what: Sought::Block(id.to_owned()), help: Box::new(help) })
}

/// Returns the shortest name that only this section has: its title, or its path; `None` if another has the same path.
pub(crate) fn unique_name(doc: &MemoryDoc, id: SectionId) -> Option<String> {
    let title = doc.section_title(id).to_owned();
    let path = doc.section_path(id);
    let fold = |name: &str| fold_white_space(name).into_owned();
    // Asked here, not by `section_by_name`, whose error for several sections asks for the names of each.
    [title, path].into_iter().find(|name| sections_matching(doc, name, &fold) == [id])
}

fn sections_matching(doc: &MemoryDoc, name: &str, fold: &dyn Fn(&str) -> String) -> Vec<SectionId> {
    let wanted = fold(name);
    let by_title: Vec<_> = doc.outline().section_ids().filter(|id| fold(doc.section_title(*id)) == wanted).collect();
    if !by_title.is_empty() || !name.contains('>') {
        return by_title;
    }
    let path: Vec<_> = name.split('>').map(fold).collect();
    let has_path = |id: &SectionId| {
        let mut ancestors = doc.outline().ancestors(*id);
        path.iter().rev().all(|title| ancestors.next().is_some_and(|id| fold(doc.section_title(id)) == *title))
    };
    doc.outline().section_ids().filter(has_path).collect()
}

fn several_sections(doc: &MemoryDoc, name: &str, several: &[SectionId]) -> LocateError {
    let lines: Vec<_> =
        several.iter().filter_map(|id| doc.outline().section(*id)).map(|section| section.line).collect();
    let mut error = ambiguous(doc, Sought::Section(name.to_owned()), &lines);
    if let LocateError::Ambiguous { help, .. } = &mut error {
        for (candidate, id) in help.candidates.iter_mut().zip(several) {
            candidate.fix = unique_name(doc, *id).map(Fix::NameSection);
        }
    }
    error
}

fn ambiguous(doc: &MemoryDoc, what: Sought, spans: &[Span]) -> LocateError {
    let (candidates, not_shown) = candidates(doc, spans);
    let help = Diagnostic { candidates, not_shown, ..Diagnostic::default() };
    LocateError::Ambiguous { what, count: spans.len(), overlapping: false, help: Box::new(help) }
}
