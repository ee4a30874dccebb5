//! What a hunk that was refused may be sent as instead: tried, alone, before it is offered.

use super::super::Refusal;
use super::planner::Planner;
use super::{Anchor, Hunk, HunkLine, LineOp};
use crate::locate::{BulletTest, Fix, LocateError, Reason, Target};
use crate::text::excerpt;

/// How many places of an anchor are tried.
const TRIED: usize = 5;

/// Reports whether a hunk that is changed so makes an edit which would be committed.
pub(super) fn works(planner: &Planner<'_>, hunk: &Hunk, fix: &Fix) -> bool {
    changed(hunk, fix).is_some_and(|hunk| (planner.makes_edit)(planner.doc, hunk))
}

/// Makes a change of a hunk: another anchor in the place of its own, or more context before it.
fn changed(hunk: &Hunk, fix: &Fix) -> Option<Hunk> {
    let anchors = match fix {
        Fix::NameSection(name) => vec![Anchor::Section(name.clone())],
        Fix::NameBlock(id) => vec![Anchor::Block(id.clone())],
        Fix::UseKey(key) => vec![Anchor::Bullet(BulletTest::Key(key.clone()))],
        Fix::DropScope => Vec::new(),
        Fix::AddContext(lines) => {
            let context = lines.iter().map(|text| HunkLine { op: LineOp::Context, text: text.clone() });
            return Some(Hunk { lines: context.chain(hunk.lines.iter().cloned()).collect(), ..hunk.clone() });
        }
        _ => return None,
    };
    Some(Hunk { anchors, shown_above: None, ..hunk.clone() })
}

/// Says that the section which lines are to be added to can be added.
pub(super) fn or_added(planner: &Planner<'_>, hunk: &Hunk, mut refusal: Refusal) -> Refusal {
    if let Refusal::Locate(LocateError::NotFound { what: Target::Section(name), help }) = &mut refusal {
        let is_new = planner.doc.rules().reserved_name(name).is_none() && excerpt(name, 60) == **name;
        if is_new && hunk.lines.iter().all(|line| line.op == LineOp::Add) {
            help.reasons.push(Reason::Addable);
        }
    }
    refusal
}

/// Offers of the places that an anchor may name those in which the hunk can be applied, if there are any, and recommends the only one.
pub(super) fn among_places(planner: &Planner<'_>, hunk: &Hunk, refusal: Refusal) -> Refusal {
    let Refusal::Locate(LocateError::Ambiguous { what, mut matches }) = refusal else { return refusal };
    if planner.names.may_help() && matches.len() <= TRIED {
        let tried = |fix: Option<Fix>| fix.filter(|fix| works(planner, hunk, fix));
        let fixes: Vec<_> = matches.candidates().into_iter().map(|candidate| tried(candidate.fix)).collect();
        if fixes.iter().any(Option::is_some) {
            matches.offer(|nth, _| fixes.get(nth).cloned().flatten());
        }
        if let (Some(only), 1) = (fixes.iter().position(Option::is_some), fixes.iter().flatten().count()) {
            matches = Box::new(matches.recommending(only));
        }
    }
    LocateError::Ambiguous { what, matches }.into()
}
