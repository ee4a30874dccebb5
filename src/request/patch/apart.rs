//! What helps where parts of one patch stand in each other's way.

use std::collections::HashMap;

use super::super::{Failure, Refusal, RequestError};
use super::{DocumentPatch, PatchPart, SectionOp};
use crate::edit::Overlap;
use crate::locate::{Fix, LocateError, Target};
use crate::text::{Content, fold_name};

/// Says of parts that cannot be made together which goes first, and of lines for a section that is only added where they go.
pub(super) fn explained(patch: &DocumentPatch, error: RequestError) -> RequestError {
    let added = added(patch);
    let explain = |failure: &Failure| Failure::new(failure.part, refusal(patch, &added, failure.refusal.clone()));
    RequestError::from_failures(error.failures().iter().map(explain).collect()).unwrap_or(error)
}

fn refusal(patch: &DocumentPatch, added: &HashMap<String, &Content>, refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Overlap(overlap) => {
            let [one, other] = [overlap.first, overlap.second].map(|part| (patch.parts.get(part).map(rank), part));
            match one.0.max(other.0) {
                None | Some(Rank::Hunk) => Refusal::Overlap(overlap),
                Some(_) => {
                    let then = (!is_one_only(patch, overlap)).then_some(one.max(other).1);
                    Refusal::Apart { overlap, first: one.min(other).1, then }
                }
            }
        }
        Refusal::Locate(LocateError::NotFound { what: Target::Section(name), mut help }) => {
            help.fix = added.get(&last_title(&name)).map(|title| Fix::IntoAdded((*title).clone())).or(help.fix);
            LocateError::NotFound { what: Target::Section(name), help }.into()
        }
        refusal => refusal,
    }
}

/// Parts in the order in which they still find by its title the section that they share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Hunk,
    Add,
    Move,
    Rename,
    Delete,
}

const fn rank(part: &PatchPart) -> Rank {
    match part {
        PatchPart::Hunk(_) => Rank::Hunk,
        PatchPart::Section(SectionOp::Add { .. }) => Rank::Add,
        PatchPart::Section(SectionOp::Move { .. }) => Rank::Move,
        PatchPart::Section(SectionOp::Rename { .. }) => Rank::Rename,
        PatchPart::Section(SectionOp::Delete { .. }) => Rank::Delete,
    }
}

/// Reports whether two parts cannot both be made, in either order: behind the one, there is nothing left for the other to find.
fn is_one_only(patch: &DocumentPatch, overlap: Overlap) -> bool {
    let gone = |part: usize| match patch.parts.get(part) {
        Some(PatchPart::Section(SectionOp::Rename { section, .. })) => Some((false, last_title(section))),
        Some(PatchPart::Section(SectionOp::Delete { section })) => Some((true, last_title(section))),
        _ => None,
    };
    let (Some(one), Some(other)) = (gone(overlap.first), gone(overlap.second)) else { return false };
    one.1 == other.1 || one.0 && other.0
}

/// Returns the titles, as they were sent, of the sections that the patch adds, by what they are called; of several, the first.
fn added(patch: &DocumentPatch) -> HashMap<String, &Content> {
    let mut titles = HashMap::new();
    for part in &patch.parts {
        if let PatchPart::Section(SectionOp::Add { title, .. }) = part {
            titles.entry(last_title(title)).or_insert(title);
        }
    }
    titles
}

/// Returns the last title of a path, folded for comparison.
fn last_title(name: &str) -> String {
    fold_name(name.rsplit(" > ").next().unwrap_or(name).trim_start_matches(['#', ' ']))
}
