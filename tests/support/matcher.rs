//! Where a hunk applies, by trying every place: written apart from the crate, obvious rather than fast.
//!
//! Exact matching only, for documents of line feeds with a final one, without fences, blocks and front matter.

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
    if old == new {
        let is_context = !change.lines.is_empty() && change.lines.iter().all(|(op, _)| *op == ' ');
        return match is_context && places(document, &old, start, end, change.is_at_end).is_empty() {
            true => Verdict::Refused("not_found"),
            false => Verdict::NoChange,
        };
    }
    if old.is_empty() {
        return append(document, change, &new, (start, body_end, end));
    }
    let (deleted, added) = (change.of(&['-']), change.of(&['+']));
    let are_gone = deleted.iter().all(|line| line.is_empty() || !document[start..end].contains(line));
    let there = places(document, &new, start, end, change.is_at_end);
    let is_there = !added.is_empty() && are_gone && there.len() == 1;
    // What a bullet beside them says is not gone, whatever stands before it.
    let own = there.first().map_or(0..0, |at| *at..at + new.len());
    let said = |line: &'static str| line.trim_start().strip_prefix("- ").unwrap_or(line.trim_start());
    let is_bullet = |at: &usize| document[*at].trim_start().starts_with("- ");
    let is_said = |line: &&'static str| {
        let beside = (start..end).filter(|at| !own.contains(at)).filter(is_bullet);
        beside.into_iter().any(|at| said(document[at]) == said(line))
    };
    let is_there_alone = is_there && !deleted.iter().filter(|line| !line.is_empty()).any(is_said);
    if deleted.is_empty() && is_there {
        return Verdict::AlreadyApplied;
    }
    // Lines that would be added before the scope are not added inside.
    let ops: String = change.lines.iter().map(|(op, _)| *op).collect();
    let begins_before =
        change.section.is_some() && ops.trim_start_matches('+').starts_with(' ') && ops.starts_with('+');
    match places(document, &old, start, end, change.is_at_end).as_slice() {
        [place] if begins_before && *place == start => Verdict::Refused("not_found"),
        [place] => Verdict::Text(joined(&[&document[..*place], &new, &document[place + old.len()..]])),
        [] if is_there_alone => Verdict::AlreadyApplied,
        [] => Verdict::Refused("not_found"),
        _ => Verdict::Refused("ambiguous"),
    }
}

fn append(
    document: &[&'static str],
    change: &Change,
    new: &[&'static str],
    (start, body_end, end): (usize, usize, usize),
) -> Verdict {
    let has_heading = new.iter().find(|line| !line.is_empty()).is_some_and(|line| line.starts_with('#'));
    if change.section.is_none() && !change.is_at_end && !has_heading {
        return Verdict::Refused("needs_anchor");
    }
    let mut at = if change.is_at_end { document.len() } else { body_end };
    if change.is_at_end && end != document.len() {
        return Verdict::Refused("not_found");
    }
    // What stands at the end counts as added, with the blank lines at the end and without them.
    let has_been_added = |at: usize| at >= start + new.len() && document[at - new.len()..at] == *new;
    while !has_been_added(at) && !change.is_at_end && at > start + 1 && document[at - 1].is_empty() {
        at -= 1;
    }
    if has_been_added(at) {
        return Verdict::AlreadyApplied;
    }
    Verdict::Text(joined(&[&document[..at], new, &document[at..]]))
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
