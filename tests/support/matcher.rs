//! Where a hunk applies, by trying every place: written apart from the crate, obvious rather than fast.
//!
//! Exact matching only, for documents of line feeds with a final one, without fences, blocks, labels and front matter.

/// A hunk: its section, its lines with their operators, whether it ends the document.
#[derive(Clone, Debug)]
pub struct Change {
    pub section: Option<&'static str>,
    pub lines: Vec<(char, &'static str)>,
    pub is_at_end: bool,
}

/// What becomes of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Text(String),
    AlreadyApplied,
    NoChange,
    Refused(&'static str),
}

impl Change {
    fn of(&self, operators: &[char]) -> Vec<&'static str> {
        self.lines.iter().filter(|(op, _)| operators.contains(op)).map(|(_, text)| *text).collect()
    }

    /// Returns the hunk as a patch writes it.
    pub fn written(&self) -> String {
        let mut text = self.section.map_or("@@\n".to_owned(), |name| format!("@@ section: {name}\n"));
        for (op, line) in &self.lines {
            text.push_str(&format!("{op}{line}\n"));
        }
        if self.is_at_end {
            text.push_str("*** End of File\n");
        }
        text
    }
}

/// Applies one hunk to a document.
pub fn verdict(document: &[&'static str], change: &Change) -> Verdict {
    let (old, new) = (change.of(&[' ', '-']), change.of(&[' ', '+']));
    let (start, body_end, end) = match scope(document, change.section) {
        Ok(scope) => scope,
        Err(code) => return Verdict::Refused(code),
    };
    let is_idle = |op: char| op == ' ' || (op == '+' && !change.is_at_end);
    if change.lines.iter().all(|(op, text)| is_idle(*op) && text.is_empty()) {
        return Verdict::NoChange;
    }
    if old.is_empty() {
        return append(document, change, &new, (start, body_end, end));
    }
    let (deleted, added) = (change.of(&['-']), change.of(&['+']));
    match places(document, &old, start, end, change.is_at_end).as_slice() {
        [_] if old == new => Verdict::NoChange,
        [place] if deleted.is_empty() && are_inserted(document, change, *place, (start, end)) => {
            Verdict::AlreadyApplied
        }
        // Lines that would be added before the scope are not added inside.
        [place] if change.section.is_some() && *place == start && begins_with_text(change) => {
            Verdict::Refused("invalid_text")
        }
        [place] => Verdict::Text(joined(&[&document[..*place], &new, &document[place + old.len()..]])),
        [] => {
            let is_full = |lines: &[&str]| lines.iter().any(|line| !line.is_empty());
            let has_context = is_full(&change.of(&[' ']));
            let may_stand = is_full(&added) && (has_context || (!is_full(&deleted) && change.section.is_some()));
            match places(document, &new, start, end, false).as_slice() {
                [at] if may_stand && !are_said_beside(document, &deleted, (start, end), (*at, at + new.len())) => {
                    Verdict::AlreadyApplied
                }
                _ => Verdict::Refused("not_found"),
            }
        }
        _ => Verdict::Refused("ambiguous"),
    }
}

/// Whether the first line that is not blank is added, before all that stands there.
fn begins_with_text(change: &Change) -> bool {
    change.lines.iter().take_while(|(op, _)| *op == '+').any(|(_, text)| !text.is_empty())
}

/// Whether every run of added lines stands already right before or behind its place, and not where the context of the hunk is.
fn are_inserted(document: &[&str], change: &Change, place: usize, (start, end): (usize, usize)) -> bool {
    let low = if change.section.is_some() { start + 1 } else { start };
    let (mut at, context_end) = (place, place + change.of(&[' ']).len());
    change.lines.chunk_by(|one, next| one.0 == next.0).all(|run| {
        if run[0].0 == ' ' {
            at += run.len();
            return true;
        }
        let full: Vec<&str> = run.iter().map(|(_, text)| *text).filter(|text| !text.is_empty()).collect();
        let before = &document[at.saturating_sub(full.len()).max(low).min(at)..at];
        let behind = &document[at..(at + full.len()).min(end).max(at)];
        !full.is_empty() && (at == place && before == full || at == context_end && behind == full)
    })
}

/// Whether a line beside a place says what one of these does, whatever marker stands before it.
fn are_said_beside(
    document: &[&str],
    lines: &[&str],
    (start, end): (usize, usize),
    (first, behind): (usize, usize),
) -> bool {
    let said = |line: &str| {
        let line = line.trim();
        if matches!(line, "-" | "+") { String::new() } else { line.strip_prefix("- ").unwrap_or(line).to_owned() }
    };
    let beside = || (start..end).filter(|at| !(first..behind).contains(at) && !document[*at].is_empty());
    lines
        .iter()
        .filter(|line| !line.is_empty())
        .any(|line| beside().any(|at| said(document[at]) == said(line) || said(document[at]) == line.trim()))
}

fn append(
    document: &[&'static str],
    change: &Change,
    new: &[&'static str],
    (start, body_end, end): (usize, usize, usize),
) -> Verdict {
    let is_blank = |line: &&str| line.is_empty();
    let full: Vec<&'static str> = new.iter().copied().filter(|line| !line.is_empty()).collect();
    let has_heading = full.first().is_some_and(|line| line.starts_with('#'));
    if change.section.is_none() && !change.is_at_end && !has_heading {
        return Verdict::Refused("needs_anchor");
    }
    if change.is_at_end && document[if has_heading { end } else { body_end }..].iter().any(|line| !line.is_empty()) {
        return Verdict::Refused("not_found");
    }
    let low = if change.section.is_some() { start + 1 } else { 0 };
    let mut at = if has_heading { end } else { body_end };
    while (has_heading || change.section.is_some()) && at > low && document[at - 1].is_empty() {
        at -= 1;
    }
    if !full.is_empty() && at >= low + full.len() && document[at - full.len()..at] == full {
        return Verdict::AlreadyApplied;
    }
    let written: Vec<&str> = match has_heading {
        true => (at > 0).then_some("").into_iter().chain(new.iter().copied().skip_while(is_blank)).collect(),
        false => new.to_vec(),
    };
    Verdict::Text(joined(&[&document[..at], &written, &document[at..]]))
}

/// Returns the first line of the scope, the line behind its own body, and the line behind all of it.
fn scope(document: &[&str], section: Option<&str>) -> Result<(usize, usize, usize), &'static str> {
    let Some(name) = section else { return Ok((0, document.len(), document.len())) };
    let level = |line: &str| line.split_once("# ").map(|(marks, _)| marks.len() + 1);
    let titles = |line: &&str| line.split_once("# ").is_some_and(|(_, title)| title == name);
    let found: Vec<usize> = (0..document.len()).filter(|at| titles(&document[*at])).collect();
    let [start] = found.as_slice() else {
        return Err(if found.is_empty() { "not_found" } else { "ambiguous" });
    };
    let own = level(document[*start]);
    let next = |is_end: &dyn Fn(Option<usize>) -> bool| {
        (start + 1..document.len()).find(|at| is_end(level(document[*at]))).unwrap_or(document.len())
    };
    Ok((*start, next(&|level| level.is_some()), next(&|level| level.is_some() && level <= own)))
}

fn places(document: &[&str], sought: &[&str], start: usize, end: usize, is_at_end: bool) -> Vec<usize> {
    let stands = |at: &usize| at + sought.len() <= end && document[*at..*at + sought.len()] == *sought;
    (start..end).filter(stands).filter(|at| !is_at_end || at + sought.len() == document.len()).collect()
}

fn joined(parts: &[&[&str]]) -> String {
    parts.concat().iter().map(|line| format!("{line}\n")).collect()
}
