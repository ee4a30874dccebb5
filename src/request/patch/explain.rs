//! What a hunk that was refused is told: its places, the lines that are like its own, and what works instead.

use std::collections::HashMap;
use std::ops::Range;

use super::error::unprefixed;
use super::lines::{Comparison, SoughtLine};
use super::planner::{Miss, Planner, makes_edit};
use super::scope::{HunkScope, Kind};
use super::search::{Search, search};
use super::{Anchor, Hunk, HunkLine, LineOp, Refusal};
use crate::document::SectionRef;
use crate::locate::{
    BulletTest, Closest, Diagnostic, Fix, LocateError, Matches, Reason, Target, closest_lines, describe_line,
};
use crate::text::{Content, excerpt, is_blank, visible};

/// How many sections are named to which lines could go.
const NAMED: usize = 5;
/// How many places are tried.
const TRIED: usize = 5;
/// How many lines are put before a hunk to tell its place.
const CONTEXT: usize = 3;
/// How many lines that differ are shown.
const SHOWN: usize = 3;
/// How many lines of a hunk are looked for one by one.
const COMPARED: usize = 50;

/// Returns the refusal of a hunk that is not planned.
pub(super) fn miss<'a>(planner: &Planner<'a>, hunk: &Hunk, miss: Miss<'a>) -> Refusal {
    match miss {
        Miss::Refused(refusal) => refusal,
        Miss::Unscoped(refusal) => unscoped(planner, hunk, refusal),
        Miss::NoPlace { end_is_open } => no_place(planner, end_is_open),
        Miss::Several(places) => several(planner, hunk, &places),
        Miss::Doubtful => doubtful(hunk),
        Miss::Nowhere(scope) => nowhere(planner, hunk, &scope),
    }
}

/// Adds to the refusal of a hunk's anchor what would work instead.
fn unscoped(planner: &Planner<'_>, hunk: &Hunk, refusal: Refusal) -> Refusal {
    let Refusal::Locate(error) = refusal else { return refusal };
    if !planner.explains {
        return error.into();
    }
    match error {
        LocateError::Ambiguous { what, mut matches } if matches.len() <= TRIED => {
            choosable(planner, hunk, &mut matches);
            LocateError::Ambiguous { what, matches }.into()
        }
        LocateError::NotFound { what, mut help } => {
            help.fix = help.fix.take().filter(|fix| !takes_anchor(fix) || works(planner, hunk, fix));
            let is_addition = hunk.lines.iter().all(|line| line.op == LineOp::Add);
            if let Target::Section(name) = &what
                && is_addition
                && planner.doc.rules().reserved_name(name).is_none()
                && excerpt(name, 60) == **name
            {
                help.reasons.push(Reason::Addable);
            }
            LocateError::NotFound { what, help }.into()
        }
        error => error.into(),
    }
}

/// The refusal of a hunk that stands in several places.
fn several(planner: &Planner<'_>, hunk: &Hunk, places: &[Range<usize>]) -> Refusal {
    let spans = places.iter().map(|lines| planner.lines.span(lines)).collect();
    let mut matches = Matches::new(planner.doc, spans);
    if planner.explains {
        choosable(planner, hunk, &mut matches);
    }
    LocateError::Ambiguous { what: target(hunk), matches: Box::new(matches) }.into()
}

/// The refusal of a hunk that stands nowhere in its scope.
fn nowhere<'a>(planner: &Planner<'a>, hunk: &Hunk, scope: &HunkScope<'a>) -> Refusal {
    let help = if planner.explains { help(planner, hunk, scope) } else { Diagnostic::default() };
    LocateError::not_found(target(hunk), help).into()
}

/// The refusal of lines that are to be added, and have no place.
fn no_place(planner: &Planner<'_>, end_is_open: bool) -> Refusal {
    let doc = planner.doc;
    // A title above other sections is the place of none of their lines.
    let is_title =
        |section: &SectionRef<'_>| section.body.end() < section.extent.end() && is_blank(section.body.of(doc.text()));
    let is_open =
        |section: &SectionRef<'_>| doc.reserved_section_at(section.line.start()).is_none() && !is_title(section);
    let open = doc.sections().filter(is_open).filter_map(|section| section.asked_name());
    let known = if planner.explains { open.take(NAMED).map(Content::from).collect() } else { Vec::new() };
    Refusal::NeedsAnchor { help: Box::new(Diagnostic { known, ..Diagnostic::default() }), end_is_open }
}

/// The refusal of a hunk of which a `-` line may be context that lacks its space.
fn doubtful(hunk: &Hunk) -> Refusal {
    let is_bare = |line: &HunkLine| line.op == LineOp::Delete && line.text.starts_with(' ');
    let at = hunk.lines.iter().position(is_bare).unwrap_or_default();
    let text = hunk.lines.get(at).map_or("", |line| line.text.as_str());
    unprefixed(hunk.first_line + at, text).into()
}

fn help<'a>(planner: &Planner<'a>, hunk: &Hunk, scope: &HunkScope<'a>) -> Diagnostic {
    let lines = &planner.lines;
    if hunk.is_at_end_of_file {
        let anywhere = Hunk { is_at_end_of_file: false, ..hunk.clone() };
        if let Search::Found(found) = search(lines, &anywhere, scope, planner.heals) {
            return Diagnostic { reasons: vec![Reason::NotAtEnd(found.first + 1)], ..Diagnostic::default() };
        }
    }
    if scope.kind != Kind::Document
        && let Search::Found(found) = search(lines, hunk, &HunkScope::document(lines), planner.heals)
    {
        return elsewhere(planner, hunk, scope, found.first);
    }
    let old: Vec<&str> =
        hunk.lines.iter().filter(|line| line.op != LineOp::Add).map(|line| line.text.as_str()).collect();
    let full: Vec<&str> = old.iter().copied().filter(|line| !is_blank(line)).collect();
    match full.as_slice() {
        [] => Diagnostic::default(),
        [only] => Diagnostic {
            closest: closest_lines(planner.doc, scope.span(lines), only.trim_start()),
            ..Diagnostic::default()
        },
        _ => nearest_place(planner, &old, scope),
    }
}

/// What is told of a hunk that stands on a line outside of its scope only.
fn elsewhere(planner: &Planner<'_>, hunk: &Hunk, scope: &HunkScope<'_>, line: usize) -> Diagnostic {
    let (doc, start) = (planner.doc, planner.lines.start(line));
    if let Some(reserved) = doc.reserved_section_at(start) {
        return Diagnostic { reasons: vec![Reason::Reserved(reserved.name().into())], ..Diagnostic::default() };
    }
    let section = doc.section_at(start);
    let is_here = scope.range().contains(&line);
    let reason = match scope.kind {
        Kind::Bullet(_) => Reason::OutsideBullet(line + 1),
        Kind::Block(_) => Reason::OutsideBlock(line + 1),
        _ if is_here => Reason::GoesPast { line: line + 1, end: scope.end },
        _ => Reason::OtherSection(section.map(|section| section.name().into())),
    };
    let named = section.and_then(|section| section.asked_name()).map(|name| Fix::NameSection(name.into()));
    let fix = named.into_iter().chain([Fix::DropScope]).find(|fix| works(planner, hunk, fix));
    Diagnostic { reasons: vec![reason], fix, ..Diagnostic::default() }
}

/// Tells of the place where most of the lines stand each line that differs, or what stands between them.
fn nearest_place<'a>(planner: &Planner<'a>, old: &[&str], scope: &HunkScope<'a>) -> Diagnostic {
    let (lines, old) = (&planner.lines, old.get(..COMPARED).unwrap_or(old));
    let places: Vec<Vec<usize>> = old.iter().map(|line| places_of(planner, line, scope)).collect();
    if let Some(between) = between(&places) {
        let shown = between.iter().take(SHOWN).map(|line| visible(&excerpt(lines.text(*line), 80)));
        let shown = shown.collect::<Vec<_>>().join("`, `");
        return Diagnostic {
            reasons: vec![Reason::NotAdjacent, Reason::StandsBetween(shown.into())],
            ..Diagnostic::default()
        };
    }
    if places.iter().zip(old).all(|(places, line)| !places.is_empty() || is_blank(line)) {
        return Diagnostic { reasons: vec![Reason::NotAdjacent], ..Diagnostic::default() };
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (offset, lines) in places.iter().enumerate() {
        lines
            .iter()
            .take(100)
            .filter_map(|line| line.checked_sub(offset))
            .for_each(|first| *votes.entry(first).or_default() += 1);
    }
    // A line that is not there moves those behind it: the first lines tell the place.
    let best = votes.into_iter().max_by_key(|(first, count)| (*count, *first));
    let Some((first, _)) = best else {
        let longest = old.iter().max_by_key(|line| line.len()).copied().unwrap_or_default();
        return Diagnostic {
            closest: closest_lines(planner.doc, scope.span(lines), longest.trim_start()),
            ..Diagnostic::default()
        };
    };
    let differing = old.iter().zip(&places).zip(first..);
    let differing = differing.filter(|((line, places), at)| !places.contains(at) && !is_blank(line) && *at < scope.end);
    let differing: Vec<(&str, usize)> = differing.map(|((line, _), at)| (*line, at)).collect();
    let free = |(_, at): &&(&str, usize)| planner.doc.reserved_section_at(lines.start(*at)).is_none();
    let closest: Vec<Closest> = differing
        .iter()
        .filter(free)
        .take(SHOWN)
        .map(|(line, at)| describe_line(planner.doc, lines.text_span(*at), line))
        .collect();
    let reasons = if differing.len() > 1 { vec![Reason::SeveralDiffer(differing.len())] } else { Vec::new() };
    Diagnostic { closest, reasons, ..Diagnostic::default() }
}

/// Returns the lines of the scope that a line may be, as sent or less a space.
fn places_of(planner: &Planner<'_>, line: &str, scope: &HunkScope<'_>) -> Vec<usize> {
    let bare = line.strip_prefix(' ').unwrap_or(line);
    let find = |text| {
        let sought = [SoughtLine { text, may_be_content: !is_blank(text) }];
        planner.lines.find(&sought, &scope.range(), Comparison::Normal)
    };
    let mut places: Vec<usize> = find(line).into_iter().chain(find(bare)).map(|run| run.first).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Returns the lines that stand between lines which are all there, in their order.
fn between(places: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut at: Vec<usize> = Vec::with_capacity(places.len());
    for lines in places {
        let next = at.last().map_or(0, |last| last + 1);
        at.push(*lines.get(lines.partition_point(|line| *line < next))?);
    }
    let (first, last) = (*at.first()?, *at.last()?);
    Some((first..last).filter(|line| !at.contains(line)).collect()).filter(|lines: &Vec<usize>| !lines.is_empty())
}

/// Offers for each of a few places the change that means it, where one works.
fn choosable(planner: &Planner<'_>, hunk: &Hunk, matches: &mut Matches) {
    let doc = planner.doc;
    let fix_of = |nth: usize, matches: &Matches| {
        let span = *matches.spans().get(nth)?;
        if doc.reserved_section_at(span.start()).is_some() {
            return None;
        }
        let bullet = doc.bullet_at(span.start()).filter(|bullet| bullet.extent.covers(span));
        let first = doc.lines().index_at(span.start());
        let context = (1..=CONTEXT.min(first))
            .map(|count| Fix::AddContext(planner.lines.texts(first - count..first).map(Content::from).collect()));
        let section = matches.section_of(span);
        let fixes = section.into_iter().chain(bullet.map(|bullet| Fix::UseKey(bullet.key().into()))).chain(context);
        fixes.into_iter().find(|fix| works(planner, hunk, fix))
    };
    let fixes: Vec<_> = (0..matches.len().min(TRIED)).map(|nth| fix_of(nth, matches)).collect();
    matches.offer(|nth, _| fixes.get(nth).cloned().flatten());
}

const fn takes_anchor(fix: &Fix) -> bool {
    matches!(fix, Fix::NameSection(_) | Fix::NameBlock(_) | Fix::UseKey(_) | Fix::DropScope)
}

/// Reports whether a hunk that is changed so makes an edit which would be committed.
fn works(planner: &Planner<'_>, hunk: &Hunk, fix: &Fix) -> bool {
    changed(hunk, fix).is_some_and(|hunk| makes_edit(planner.doc, &hunk))
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

fn target(hunk: &Hunk) -> Target {
    let old = hunk.lines.iter().filter(|line| line.op != LineOp::Add);
    Target::Lines(old.map(|line| line.text.clone()).collect())
}
