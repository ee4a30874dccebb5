//! What helps where parts of one patch stand in each other's way.

use super::super::{Failure, Refusal, RequestError};
use super::{DocumentPatch, PatchPart, SectionOp};
use crate::locate::{Fix, LocateError, Target};
use crate::text::{Content, fold_name};

/// Says of parts that cannot be made together which goes first, and of lines for a section that is only added where they go.
pub(super) fn explained(patch: &DocumentPatch, error: RequestError) -> RequestError {
    let explain = |failure: &Failure| Failure::new(failure.part, refusal(patch, failure.refusal.clone()));
    RequestError::from_failures(error.failures().iter().map(explain).collect()).unwrap_or(error)
}

fn refusal(patch: &DocumentPatch, refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Overlap(overlap) => {
            let [one, other] = [overlap.first, overlap.second].map(|part| (patch.parts.get(part).map(rank), part));
            match one.0.max(other.0) {
                None | Some(Rank::Hunk) => Refusal::Overlap(overlap),
                Some(_) => Refusal::Apart { overlap, first: one.min(other).1, then: one.max(other).1 },
            }
        }
        Refusal::Locate(LocateError::NotFound { what: Target::Section(name), mut help }) => {
            help.fix = added(patch, &name).map(Fix::IntoAdded).or(help.fix);
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

/// Returns the title, as it was sent, of the section of this name that the patch adds.
fn added(patch: &DocumentPatch, name: &str) -> Option<Content> {
    let last = |name: &str| fold_name(name.rsplit(" > ").next().unwrap_or(name).trim_start_matches(['#', ' ']));
    let is_it = |title: &&Content| last(title) == last(name);
    let titles = patch.parts.iter().filter_map(|part| match part {
        PatchPart::Section(SectionOp::Add { title, .. }) => Some(title),
        _ => None,
    });
    titles.into_iter().find(is_it).cloned()
}
