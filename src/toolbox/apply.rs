//! The way from the edits that a call asks for to its reply; the same for every tool.

use super::answer::{DocumentRow, Done, Edited, Lines, Refused, Report, Sizes};
use super::definition::{Asked, Call, Requested};
use super::desk::Desk;
use super::editing::{check_beside, follow};
use super::retry::Remedy;
use super::stale::{Unseen, check_shown};
use super::{Reply, Status, refusal};
use crate::edit::{Authority, Edit, Preview, PreviewFormat, Receipt};
use crate::locate::{Code, section_by_name};
use crate::memory::journal::Seq;
use crate::memory::{Applied, AppliedStatus, DocName, MemoryError, Operation, RequestId};
use crate::request::{Basis, Known};

/// Applies all edits as one commit, and replies.
pub(super) fn apply(
    desk: &mut Desk,
    call: &Call<'_>,
    asked: &[Asked],
    tell: fn(Done<Edited>, &[Applied]) -> Reply,
) -> Result<Reply, Box<Refused>> {
    let applied = made(desk, call, asked)?;
    let receipt = receipt(&applied);
    let done = done_with(&applied, receipt.as_ref());
    if desk.is_trial {
        return Ok(tell(done, &applied));
    }
    let done = done.with_healed(&call.healed).with_receipt(receipt);
    Ok(tell(done, &applied))
}

/// Applies all edits as one commit, or only plans them where a call is only tried.
pub(super) fn made(desk: &mut Desk, call: &Call<'_>, asked: &[Asked]) -> Result<Vec<Applied>, Box<Refused>> {
    let tool = call.tool;
    show_unwritten(desk, asked)?;
    check_beside(desk, asked)?;
    let request = call.request();
    let operations = retried(desk, asked, request, operations(desk, asked)?);
    check_on_shown(desk, asked, &operations)?;
    let origin = desk.author(tool.name);
    let applied = match desk.is_trial {
        true => desk.memory().planned(&operations, Authority::Agent),
        false => desk.memory().apply(&operations, &origin, request),
    };
    // What the agent knows grows from what it based the edit on, which need not be what it saw last.
    let known = known(&operations);
    let applied = match applied {
        Ok(applied) => applied,
        Err(error) => return Err(refused(desk, &error, asked, &known)),
    };
    if desk.is_trial {
        desk.takes_away = takes_away(applied.iter().flat_map(Applied::plans));
        return Ok(applied);
    }
    desk.recorded = None;
    for (applied, known) in applied.iter().zip(known) {
        desk.known.update_by(request, known, applied);
    }
    follow(&mut desk.editing, &applied);
    Ok(applied)
}

/// Returns true if an edit takes text away and writes none in its place.
fn takes_away<'a>(plans: impl Iterator<Item = &'a Edit>) -> bool {
    plans.flat_map(Edit::splices).any(|splice| splice.text.is_empty())
}

/// Returns the receipt of all documents together.
pub(super) fn receipt(applied: &[Applied]) -> Option<Receipt> {
    let receipts = applied.iter().filter_map(|applied| Some(applied.commit.as_ref()?.receipt.clone()));
    receipts.reduce(|all, next| Receipt::joined(all, &next))
}

/// Plans all edits and renders what they would change.
pub(super) fn preview(desk: &mut Desk, asked: &[Asked], preview: &Preview) -> Result<Done<String>, Box<Refused>> {
    show_unwritten(desk, asked)?;
    check_beside(desk, asked)?;
    let (mut rendered, mut applied) = (String::new(), Vec::new());
    let operations = operations(desk, asked)?;
    check_on_shown(desk, asked, &operations)?;
    for operation in &operations {
        let document = operation.document();
        let preview = Preview { name: document.to_string(), ..preview.clone() };
        let diff = match desk.memory().foresee(operation, Authority::Agent, &preview) {
            Ok(foreseen) => {
                applied.extend(foreseen.applied);
                foreseen.text
            }
            Err(error) => {
                let known = known(&operations);
                return Err(refused(desk, &error, asked, &known));
            }
        };
        // Counts say nothing of the document that they belong to.
        match preview.format == PreviewFormat::Stats && asked.len() > 1 {
            true => rendered.push_str(&format!("{}: {diff}\n", document)),
            false => rendered.push_str(&diff),
        }
    }
    desk.takes_away = takes_away(applied.iter().flat_map(Applied::plans));
    let head = done(&applied).head;
    let mut done = Done::new(if rendered.is_empty() { Status::NoChange } else { Status::Preview }, rendered);
    (done.head.healed, done.head.warnings) = (head.healed, head.warnings);
    Ok(done)
}

/// Returns what the agent knew of each document that an operation is based on.
fn known(operations: &[Operation<'_>]) -> Vec<Option<Known>> {
    let known = |operation: &Operation<'_>| match operation.basis() {
        Some(Basis::Known(known)) => Some((*known).clone()),
        _ => None,
    };
    operations.iter().map(known).collect()
}

/// Explains a refusal. Where it shows the agent all that has changed since the text that it saw, the current text counts as
/// shown: a retry is one call.
pub(super) fn refused(desk: &mut Desk, error: &MemoryError, asked: &[Asked], known: &[Option<Known>]) -> Box<Refused> {
    let mut refused = refusal::memory_error(error);
    if let [_, _, ..] = asked {
        refusal::name_document(&mut refused, error);
    }
    let (Some(current), Some(document)) = (error.unseen(), error.document()) else { return refused };
    let of_document = asked.iter().zip(known).find(|(asked, _)| asked.document == *document);
    let Some((of_document, Some(known))) = of_document else { return refused };
    let mut refused = Unseen { document, known, current }.told(refused);
    if refused.changes.is_some() {
        desk.known.show_changes(document, current);
        if refused.code == Code::StaleRevision {
            let base = of_document.base.as_ref().map(|_| refusal::base(document, current.revision(), asked));
            refused.remedy = Remedy::Again(base.unwrap_or_default());
        }
    }
    refused
}

/// Takes documents that are not written yet as shown: there is nothing to be seen.
fn show_unwritten(desk: &mut Desk, asked: &[Asked]) -> Result<(), Box<Refused>> {
    for asked in asked.iter().filter(|asked| asked.base.is_none()) {
        if desk.known.latest(&asked.document).is_some() {
            continue;
        }
        let unwritten = desk.memory().unwritten(&asked.document);
        if let Some(doc) = unwritten.map_err(|error| refusal::memory_error(&error))? {
            desk.known.show(&asked.document, &doc);
        }
    }
    Ok(())
}

fn operations<'a>(desk: &'a Desk, asked: &'a [Asked]) -> Result<Vec<Operation<'a>>, Box<Refused>> {
    let mut operations = Vec::with_capacity(asked.len());
    for of_document in asked {
        let document = &of_document.document;
        let is_strict = desk.memory().policy_of(document).strict;
        let basis = match &of_document.base {
            Some(prefix) => Some(desk.known.named(document, prefix)),
            None if is_strict && !is_unwritten(desk, of_document)? => None,
            None => desk.known.latest(document).map(Basis::Known),
        };
        let basis = basis.ok_or_else(|| missing_revision(desk, document))?;
        if desk.known.latest(document).is_some_and(|known| replaces_unseen(&of_document.request, known)) {
            return Err(missing_revision(desk, document));
        }
        operations.push(of_document.operation(basis));
    }
    Ok(operations)
}

/// Returns true if a candidate would replace lines that its editor has never been shown.
pub(super) fn replaces_unseen(request: &Requested, known: &Known) -> bool {
    let Requested::Compaction(rewrite) = request else { return false };
    let doc = known.believed();
    let section = rewrite.section.as_ref().and_then(|name| section_by_name(doc, name).ok());
    let part = section.map_or(doc.span(), |section| section.at.extent);
    rewrite.candidate.is_some() && known.has_unseen(part)
}

/// Refuses edits that mean another thing in the text that was shown last, a draft, than in the text that they are made of.
fn check_on_shown(desk: &Desk, asked: &[Asked], operations: &[Operation<'_>]) -> Result<(), Box<Refused>> {
    for (asked, operation) in asked.iter().zip(operations) {
        if let Some(Basis::Known(known)) = operation.basis() {
            check_shown(
                asked.request.as_request(),
                known,
                desk.known.shown_in_session(&asked.document),
                desk.memory().now(),
            )?;
        }
    }
    Ok(())
}

/// Bases an edit on what it was based on before, if the call before was the very same, and names no base: then it is that call.
fn retried<'a>(
    desk: &'a Desk,
    asked: &'a [Asked],
    request: RequestId,
    operations: Vec<Operation<'a>>,
) -> Vec<Operation<'a>> {
    let [only] = asked else { return operations };
    let is_retry = only.base.is_none() && desk.is_sent_again;
    match desk.known.base_of(&only.document, request).filter(|_| is_retry) {
        Some(base) => vec![only.operation(Basis::Known(base))],
        None => operations,
    }
}

fn is_unwritten(desk: &Desk, asked: &Asked) -> Result<bool, Box<Refused>> {
    let unwritten = desk.memory().unwritten(&asked.document);
    unwritten.map(|doc| doc.is_some()).map_err(|error| refusal::memory_error(&error))
}

fn missing_revision(desk: &Desk, document: &DocName) -> Box<Refused> {
    match desk.memory().read(document) {
        Ok(doc) => refusal::missing_revision(document, doc.revision(), desk.memory().policy_of(document).strict),
        Err(error) => refusal::memory_error(&error),
    }
}

/// Answers edits that were not refused.
pub(super) fn done(applied: &[Applied]) -> Done<Edited> {
    done_with(applied, receipt(applied).as_ref())
}

/// Answers edits that were not refused, whose receipt is this.
pub(super) fn done_with(applied: &[Applied], receipt: Option<&Receipt>) -> Done<Edited> {
    let has = |status| applied.iter().any(|applied| applied.status == status);
    let (status, message) = if has(AppliedStatus::Committed) {
        (Status::Committed, None)
    } else if applied.iter().any(|applied| applied.status == AppliedStatus::AlreadyApplied && applied.plan.is_none()) {
        // Only the request is known: what it wrote may be gone again.
        let message = "this very call was made before; nothing was written, and what was changed since then stays";
        (Status::AlreadyApplied, Some(message))
    } else if has(AppliedStatus::AlreadyApplied) {
        (Status::AlreadyApplied, Some("the change is there already; nothing was written"))
    } else {
        (Status::NoChange, Some("the text would be the same; nothing was written"))
    };
    let parts = || applied.iter().filter_map(|applied| applied.plan.as_ref()).flat_map(|plan| plan.parts());
    let (healed, warnings) = match receipt {
        Some(receipt) => (receipt.healed.clone(), receipt.warnings.clone()),
        None => (
            parts().flat_map(|part| part.healed.clone()).collect(),
            parts().flat_map(|part| part.warnings.clone()).collect(),
        ),
    };
    let mut done = Done::new(status, Edited::default())
        .with_notes(healed, &warnings)
        .with_revision(applied.first().map(|first| first.doc.revision()));
    done.head.message = message.map(str::to_owned);
    done.own.sizes = receipt.map(Sizes::from);
    done.own.seq = applied.iter().find_map(|applied| applied.seq).map(Seq::get);
    match applied {
        [only] => done.own.lines = only.commit.as_ref().map(Lines::of),
        several => done.own.documents = several.iter().map(DocumentRow::from).collect(),
    }
    // Of several documents that were compacted, each has its report in its row; the first is told here as well.
    done.own.report = applied.iter().find_map(|applied| applied.report.as_ref()).map(Report::from);
    done
}
