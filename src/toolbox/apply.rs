//! Applies or previews the edits of a call, and makes the reply, in the same way for every tool. A refusal shows what
//! the agent has not seen, so that a retry takes one call.

use serde_json::{Value, json};

use crate::document::MemoryDoc;
use crate::edit::{Comparison, Edit, Preview, PreviewFormat, Receipt, Since, carried};
use crate::locate::{Code, Names};
use crate::memory::{Applied, AppliedStatus, DocName, Memory, MemoryError, Operation, Origin};
use crate::request::{Basis, Known, Request, View};
use crate::text::{Line, excerpt, on_one_line, printable};
use crate::toolbox::desk::SeenBefore;
use crate::toolbox::{Asked, Call, Desk, NamedText, Refused, Remedy, Reply, Status, editing, refusal, reply};

/// Applies all edits as one commit.
pub(crate) fn commit(desk: &mut Desk, call: &Call<'_>, asked: &[Asked]) -> Result<Vec<Applied>, Box<Refused>> {
    let (applied, bases) = execute(desk, asked, |desk, operations| {
        desk.memory().apply(operations, &desk.author(call.tool.name), call.request())
    })?;
    // What the agent knows now follows from the text that it based the edit on, which need not be what it saw last.
    for (applied, base) in applied.iter().zip(&bases) {
        desk.known.update(base.as_ref(), applied);
    }
    Ok(applied)
}

/// What the agent knows of the text that each edit is based on.
type Bases = Vec<Option<Known>>;

/// Makes edits with `make`, each based on what the agent knows. Also returns these bases.
fn execute(
    desk: &mut Desk,
    asked: &[Asked],
    make: impl FnOnce(&Desk, &[Operation<'_>]) -> Result<Vec<Applied>, MemoryError>,
) -> Result<(Vec<Applied>, Bases), Box<Refused>> {
    let bases = asked.iter().map(|asked| basis_of(desk, asked)).collect::<Result<Bases, _>>()?;
    let operations: Vec<_> = asked.iter().zip(&bases).map(|(asked, base)| asked.on(base.as_ref())).collect();
    check_session(desk, |memory| memory.foresee(&operations, &Origin::default().trial()))?;
    let applied = make(desk, &operations).map_err(|error| explain(desk, &error, asked, &bases))?;
    desk.removes = applied.iter().flat_map(Applied::plans).any(Edit::removes);
    Ok((applied, bases))
}

/// Refuses edits that are in conflict with the changes pending in the open session. `plan` plans them.
pub(super) fn check_session(
    desk: &Desk,
    plan: impl FnOnce(&Memory) -> Result<Vec<Applied>, MemoryError>,
) -> Result<(), Box<Refused>> {
    let Some(open) = &desk.editing.open else { return Ok(()) };
    // An edit that cannot be planned is refused when it is made.
    for applied in plan(desk.memory()).unwrap_or_default() {
        let (mut session, current) = (open.session.clone(), desk.memory().read(&applied.document));
        // A pending change may be in conflict with the current text already. Then these edits are not the reason.
        if current.is_ok_and(|current| session.carry_to(&applied.document, &current).is_ok()) {
            let carried = session.carry_to(&applied.document, &applied.doc);
            carried.map_err(|error| editing::refuse_to_carry(&session, &error))?;
        }
    }
    Ok(())
}

/// Returns one receipt for all documents.
pub(crate) fn receipt(applied: &[Applied]) -> Option<Receipt> {
    let receipts = applied.iter().filter_map(|applied| Some(applied.commit.as_ref()?.receipt.clone()));
    receipts.reduce(|all, next| Receipt::joined(all, &next))
}

/// Plans all edits and returns the preview.
pub(crate) fn preview(desk: &mut Desk, asked: &[Asked], format: PreviewFormat) -> Result<Reply, Box<Refused>> {
    let (applied, _) = execute(desk, asked, |desk, operations| desk.memory().foresee(operations, &Origin::default()))?;
    let preview = |own: &Applied| own.preview(&Preview::new(format, own.document.as_str()));
    let rendered: String = applied.iter().map(preview).collect();
    let (status, message) = match rendered.is_empty() {
        true => (Status::NoChange, Some("the text would be the same")),
        false => (Status::Preview, None),
    };
    let reply = Reply::new(status, ()).with_member("text", printable(&rendered)).with_message(message);
    Ok(with_notes(reply, &applied, receipt(&applied).as_ref()))
}

/// Explains a refusal. If it shows all that has changed since the agent saw the document, the current text counts
/// as shown, and a retry is one call.
fn explain(desk: &mut Desk, error: &MemoryError, asked: &[Asked], bases: &[Option<Known>]) -> Box<Refused> {
    let mut refused = refusal::memory_error(error);
    let is_named = matches!(error, MemoryError::Several { .. }) || error.document().is_none();
    if asked.len() > 1 && !is_named {
        refused = refusal::in_document(refused, error);
    }
    for error in error.of_each_document() {
        let is_of = |asked: &Asked| error.document() == Some(&asked.text.document);
        if let Some((_, Some(known))) = asked.iter().zip(bases).find(|(asked, _)| is_of(asked)) {
            refused = show_unseen(desk, error, known, refused);
        }
    }
    refused
}

/// Returns the [`basis`] of an edit, and checks that the agent has seen all that the edit replaces, and that the edit
/// means the same in each text that the agent has seen.
fn basis_of(desk: &mut Desk, asked: &Asked) -> Result<Option<Known>, Box<Refused>> {
    let Asked { text, request } = asked;
    let (known, document) = (basis(desk, text)?, &text.document);
    if desk.known.latest(document).is_some_and(|known| replaces_unseen(&**request, known)) {
        return Err(missing_revision(desk, text));
    }
    if let Some(known) = &known {
        desk.check_shown(document, &**request, known, desk.known.draft(document))?;
    }
    Ok(known)
}

/// Returns what the agent knows of the text that a call is based on; `None` if the call names a revision that was not
/// shown.
pub(super) fn basis(desk: &mut Desk, text: &NamedText) -> Result<Option<Known>, Box<Refused>> {
    let document = &text.document;
    let Some(prefix) = &text.base else {
        if desk.known.latest(document).is_none() {
            let unwritten = desk.memory().unwritten(document)?;
            // A document that does not exist yet needs no reading.
            unwritten.inspect(|doc| desk.known.show(document, doc));
        }
        let (latest, is_strict) = (desk.known.latest(document), desk.memory().policy_of(document).strict);
        let known = latest.filter(|known| !is_strict || known.believed().text().is_empty());
        return known.cloned().map(Some).ok_or_else(|| missing_revision(desk, text));
    };
    Ok(desk.known.named(document, prefix).cloned())
}

/// Returns true if the request would replace lines that the agent has not been shown.
pub(crate) fn replaces_unseen(request: &dyn Request, known: &Known) -> bool {
    let Some(rewrite) = request.as_rewrite() else { return false };
    let doc = known.believed();
    let section = rewrite.section.as_ref().and_then(|name| Names::new(doc).section(name, doc.span()).ok());
    let part = section.map_or(doc.span(), |section| section.at.extent);
    rewrite.candidate.is_some() && known.has_unseen(part)
}

/// Refuses an edit of a text that was not shown. Names the current revision, for clients without a session.
pub(super) fn missing_revision(desk: &Desk, text: &NamedText) -> Box<Refused> {
    let document = &text.document;
    let current = match desk.memory().read(document) {
        Ok(doc) => doc.revision().short(),
        Err(error) => return refusal::memory_error(&error),
    };
    let why = format!("read `{document}` first, or name its `base_revision`, which is now `{current}`");
    Refused::new(Code::MissingRevision, &why)
}

/// Returns the reply to edits that were applied.
pub(crate) fn applied_reply(applied: &[Applied]) -> Reply {
    let has = |status| applied.iter().any(|applied| applied.status == status);
    let (status, message) = if has(AppliedStatus::Committed) {
        (Status::Committed, None)
    } else if has(AppliedStatus::AlreadyApplied) {
        let message = "the change is there already, or this very call was made before; nothing was written";
        (Status::AlreadyApplied, Some(message))
    } else {
        (Status::NoChange, Some("the text would be the same; nothing was written"))
    };
    let receipt = receipt(applied);
    let mut reply = Reply::new(status, receipt.as_ref().map(reply::sizes))
        .with_member("seq", json!(applied.iter().find_map(|applied| applied.seq)))
        .with_member("parts", reply::parts(applied))
        // With several documents, each row has its own report; the first one stands here, too.
        .with_member("report", applied.iter().find_map(|applied| applied.report.as_ref()).map(reply::report))
        .with_revision(applied.first().map(|first| first.doc.revision()))
        .with_message(message);
    reply = match applied {
        [only] => reply.with(only.commit.as_ref().map(reply::lines)),
        several => reply.with_member("documents", several.iter().map(reply::document_row).collect::<Vec<_>>()),
    };
    with_notes(reply, applied, receipt.as_ref()).with_receipt(receipt)
}

/// Adds what was healed, and the warnings.
fn with_notes(reply: Reply, applied: &[Applied], receipt: Option<&Receipt>) -> Reply {
    let plans = applied.iter().filter_map(|applied| applied.plan.as_ref());
    let noted = reply.with_notes_of(plans.flat_map(|plan| plan.parts()));
    let warnings = receipt.into_iter().flat_map(|receipt| &receipt.warnings);
    warnings.fold(noted, Reply::with_warning)
}

/// How many lines of a diff are shown.
const MAX_LINES: usize = 40;
/// How many sections are named if the diff is longer.
const MAX_SECTIONS: usize = 12;
/// The hint of a refusal with `changes`, if there is no retry.
const ON_CHANGES: &str =
    "look at `changes`: if the edit is still right, send the same call again, else one for the text as it now stands";

/// Adds to a refusal what the agent has not seen. A diff of few lines is shown whole as `changes`; then the current
/// text counts as shown, and a retry is the same call. Of a longer one, the changed sections are named.
pub(super) fn show_unseen(desk: &mut Desk, error: &MemoryError, known: &Known, refused: Box<Refused>) -> Box<Refused> {
    let (Some(current), Some(document)) = (error.unseen(), error.document()) else { return refused };
    let comparison = Comparison::between(known.believed(), current);
    let before = refused.members.get("changes").and_then(Value::as_str).unwrap_or_default();
    let diff = [before, &printable(&comparison.unified(document.as_str()))].concat();
    if Line::all(&diff).count() <= MAX_LINES {
        let mut shown = refused.clone().with("changes", diff);
        shown.members.remove("closest");
        shown.hint = Some(ON_CHANGES.to_owned());
        if shown.is_within_bound() {
            if shown.code == Code::StaleRevision {
                let others = shown.remedy.take();
                let mut seen = if let Some(Remedy::Base(others)) = others { others } else { SeenBefore::new() };
                seen.insert(document.clone(), known.clone());
                shown.remedy = Some(Remedy::Base(seen));
            }
            desk.known.show(document, current);
            return shown;
        }
    }
    let all = comparison.sections();
    let sections = all.iter().take(MAX_SECTIONS).map(|name| excerpt(&on_one_line(name), 80));
    refused.with("stale_sections", sections.collect::<Vec<_>>())
}

/// Refuses an edit of a text that is not `current`, and shows what has changed.
pub(super) fn refuse_stale(desk: &mut Desk, document: &DocName, known: &Known, current: MemoryDoc) -> Box<Refused> {
    let seen = known.revision().short();
    let error = MemoryError::StaleRevision { document: document.clone(), seen, current };
    show_unseen(desk, &error, known, refusal::memory_error(&error))
}

impl Desk {
    /// Refuses a request that means something else in `known`, the text that it is planned on, than in a text that the
    /// agent has seen, the `draft` or the one before a stale call: for example, an index may name another bullet. It means
    /// the same if the plan on the text seen, carried over to `known`, makes the same edit.
    pub(super) fn check_shown(
        &self,
        document: &DocName,
        request: &dyn Request,
        known: &Known,
        draft: Option<&Known>,
    ) -> Result<(), Box<Refused>> {
        let (before, now) = (self.seen_before.get(document), self.memory().now());
        let plan_on = |known: &Known| request.plan(&View::new(known.believed(), &Basis::Known(known), now));
        let means_same = |shown: &Known| match (plan_on(known), plan_on(shown)) {
            // A request that is refused on both has another fault.
            (Err(_), Err(_)) => true,
            (Ok(planned), Ok(on_shown)) => {
                let result = |edit: &Edit| edit.apply_to(known.believed().text());
                let carried = carried(shown.believed(), &on_shown, known.believed(), Since::Others);
                carried.is_ok_and(|carried| result(&carried) == result(&planned))
            }
            _ => false,
        };
        let is_another = |shown: &&Known| shown.believed().revision() != known.believed().revision();
        if draft.into_iter().chain(before).filter(is_another).all(means_same) {
            return Ok(());
        }
        let why = "the edit might do another thing in the text that it is made on than in the one that was shown last; read it again";
        Err(Refused::new(Code::StaleRevision, why))
    }
}
