//! Whatever is healed, what was sought is what was found; nothing of what is written is lost; what is copied is found.

use memdoc::{DocName, InMemoryStore, Memory, Policy, Status, Toolbox};
use serde_json::Value;

use super::compaction_draw::Draw;
use super::facts::{Fact, Facts};
use super::readings::{
    begin_alike, begins_like_a_number, folded, names_content, names_first_content, names_line, ordinal, readings, sign,
    spellings,
};
use super::sloppy_calls::{Call, Care, Change, How, Sought};
use super::touched::Touched;
use super::writings::{holds, is_same};

/// What was made of a memory.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The status of the reply.
    pub status: &'static str,
    /// What is told to have been healed.
    pub healed: Vec<String>,
    text: String,
    /// The whole reply.
    pub reply: Value,
}

impl Outcome {
    fn code(&self) -> &str {
        self.reply["code"].as_str().unwrap_or_default()
    }

    /// Returns how a text may have been written: as sent, or without escapes, if those of what was sought were healed.
    fn spellings(&self, text: &str) -> Vec<String> {
        let mut all = spellings(text);
        if !self.healed.iter().any(|leniency| leniency == "escapes") {
            all.truncate(1);
        }
        all
    }
}

/// Makes a sloppy call, and checks that it hit what it sought and kept what it wrote, if it was made at all.
pub fn check_sloppy(data: &[u8]) {
    let mut draw = Draw::new(data);
    let memory = Facts::draw(&mut draw);
    let (call, _) = Call::draw(&mut draw, &memory, Care::Sloppy);
    report(&memory, &call, sloppy(&memory, &call, &made(&memory, &call)));
}

/// Makes a call whose texts are copied, and checks that it succeeds, if they name one thing alone.
pub fn check_exact(data: &[u8]) {
    let mut draw = Draw::new(data);
    let memory = Facts::draw(&mut draw);
    let (call, fact) = Call::draw(&mut draw, &memory, Care::Exact);
    report(&memory, &call, exact(&memory, &call, fact, &made(&memory, &call)));
}

/// Makes a call with a slip that leaves the fact alone, and checks that it is healed, if it names one thing alone.
pub fn check_slip(data: &[u8]) {
    let mut draw = Draw::new(data);
    let memory = Facts::draw(&mut draw);
    let (call, fact) = Call::draw(&mut draw, &memory, Care::Slip);
    report(&memory, &call, exact(&memory, &call, fact, &made(&memory, &call)));
}

/// Inserts a bullet, and checks that it is there, or was.
pub fn check_insertion(data: &[u8]) {
    let mut draw = Draw::new(data);
    let memory = Facts::draw(&mut draw);
    let call = Call::draw_insertion(&mut draw, &memory);
    report(&memory, &call, sloppy(&memory, &call, &made(&memory, &call)));
}

/// Checks as the first byte says.
pub fn check_healing(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    match first % 4 {
        0 => check_exact(rest),
        1 => check_insertion(rest),
        2 => check_slip(rest),
        _ => check_sloppy(rest),
    }
}

fn report(memory: &Facts, call: &Call, result: Result<(), String>) {
    if let Err(problem) = result {
        panic!("{problem}\n{} {}\n--- the memory\n{}", call.tool, call.args, memory.text);
    }
}

/// Makes a call on a memory that has been shown.
pub fn made(memory: &Facts, call: &Call) -> Outcome {
    let store = InMemoryStore::new().with(DocName::memory(), memory.text.as_str());
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    let reply = toolbox.call(call.tool, &call.args);
    let text = toolbox.memory().read(&DocName::memory()).unwrap().text().to_owned();
    assert_eq!(reply.status() == Status::Committed, text != memory.text, "{reply}");
    let json = reply.to_json();
    let healed = json["healed"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    Outcome { status: reply.status().as_str(), healed: healed.collect(), text, reply: json }
}

/// Holds a reply to a sloppy call against what it may do.
///
/// # Errors
///
/// What is wrong, and what came of the call.
pub fn sloppy(memory: &Facts, call: &Call, outcome: &Outcome) -> Result<(), String> {
    let result = match (outcome.status, &call.change) {
        ("committed", _) => committed(memory, call, outcome),
        ("already_applied", Change::Inserted(text)) => {
            let is_at_home = |fact: &&Fact| Some(fact.home) == call.scope;
            let next = memory.facts.iter().filter(is_at_home).filter_map(next_number).next_back();
            let is_there = memory.facts.iter().filter(is_at_home).any(|fact| is_same(text, fact, next.as_deref()));
            if is_there { Ok(()) } else { Err("no such bullet was there".to_owned()) }
        }
        _ => Ok(()),
    };
    result.map_err(|problem| format!("{problem}\n{}\n--- came of it\n{}", outcome.reply, outcome.text))
}

/// Returns the number that an item right behind this one gets.
fn next_number(fact: &Fact) -> Option<String> {
    let number = fact.number().filter(|_| fact.is_counted)?.parse::<u32>().ok()?;
    Some((number + 1).to_string())
}

fn exact(memory: &Facts, call: &Call, fact: &Fact, outcome: &Outcome) -> Result<(), String> {
    sloppy(memory, call, outcome)?;
    let may_stay = call.change == Change::Marked;
    let was_found = needs_number(call, fact) && outcome.code() == "invalid_arguments";
    // Prose in the place of a bullet may not take what follows from its bullet or block; nor is a `+` line with a marker written
    // in the place of a content.
    let is_written = matches!(call.change, Change::Replaced(_) | Change::LineRewritten(_));
    let was_found = was_found || (is_written && ["invalid_text", "invalid_patch"].contains(&outcome.code()));
    let was_found = was_found || outcome.code() == "has_children";
    let is_done = outcome.status == "committed" || (may_stay && outcome.status != "error") || was_found;
    if is_sole(memory, call, fact) && !is_done {
        return Err(format!("what is there, and there alone, is not found\n{}", outcome.reply));
    }
    Ok(())
}

/// Whether a bullet beside the fact has to bring its own number, since those there are no count.
fn needs_number(call: &Call, fact: &Fact) -> bool {
    let is_beside = matches!(call.change, Change::InsertedAfter(_) | Change::InsertedBefore(_));
    is_beside && !fact.is_counted && fact.marker.ends_with(['.', ')'])
}

/// Whether the call names this fact, and no other, however what it seeks is read.
fn is_sole(memory: &Facts, call: &Call, fact: &Fact) -> bool {
    let within = || memory.facts.iter().filter(|other| is_within(call, other));
    let names = |text: &str| {
        let is_named = |line: &usize| names_line(text, *line, &memory.lines[*line], memory.at_line(*line));
        is_named(&fact.line) && (0..memory.lines.len()).filter(is_named).count() == 1
    };
    match &call.sought {
        Sought::Content(how, text, index) => {
            fact.lines == 1
                && index.is_none_or(|index| fact.index == Some(index))
                && names_content(text, *how, fact)
                && within().filter(|other| names_content(text, *how, other)).count() == 1
        }
        Sought::Key(key) => key.contains('#') || within().filter(|other| other.key == *key).count() == 1,
        Sought::Line(text) => {
            // In a hunk, a text may be the content of another bullet, too.
            let others = within().filter(|other| other.line != fact.line);
            let is_content_of_other = others.clone().any(|other| names_first_content(text, other));
            // What begins as a whole line does is no content.
            let is_marked = ["- ", "* ", "+ "].iter().any(|marker| fact.content.starts_with(marker));
            fact.extent == 1 && names(text) && !is_content_of_other && !is_marked
        }
        Sought::Text(text) => {
            let content = folded(&fact.content);
            let count = memory.lines.iter().map(|line| folded(line).matches(&content).count()).sum::<usize>();
            fact.lines == 1 && count == 1 && names(text)
        }
        Sought::List => false,
    }
}

fn is_within(call: &Call, fact: &Fact) -> bool {
    call.scope.is_none_or(|scope| scope == fact.home)
}

fn committed(memory: &Facts, call: &Call, outcome: &Outcome) -> Result<(), String> {
    let after: Vec<&str> = outcome.text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let after = if after.last() == Some(&"") { &after[..after.len() - 1] } else { &after[..] };
    if let (Sought::Text(text), Change::Replaced(new)) = (&call.sought, &call.change) {
        return replaced(memory, call, text, new, outcome);
    }
    // A blank line is no fact, and an empty selector names nothing: an upsert inserts.
    match (&call.sought, &call.change) {
        (Sought::Line(text), _) | (Sought::Content(_, text, None), Change::Upserted(_)) if text.trim().is_empty() => {
            return Ok(());
        }
        _ => {}
    }
    let Touched { places, lines } = Touched::between(memory, call, after);
    if places.is_empty() {
        return Err("something else has changed".to_owned());
    }
    if !places.iter().any(|line| is_sought(memory, call, *line, outcome)) {
        let found = places.iter().map(|line| memory.lines[*line].as_str()).collect::<Vec<_>>();
        return Err(format!("{:?} was sought and {found:?} was found", call.sought));
    }
    check_exactness(memory, call, &places, outcome)?;
    let new = match &call.change {
        Change::Removed | Change::LineRemoved | Change::Marked => return Ok(()),
        Change::Replaced(new) | Change::Rewritten(new) | Change::LineRewritten(new) => new,
        Change::LineInserted(new) | Change::InsertedAfter(new) | Change::InsertedBefore(new) => new,
        Change::Inserted(new) | Change::Upserted(new) => new,
    };
    let list = call.scope.map(|home| memory.marker_of(home));
    let own = places.iter().filter_map(|line| memory.at_line(*line)).map(|fact| fact.marker.as_str());
    let markers: Vec<&str> = list.into_iter().chain(own).collect();
    let written = lines.join("\n");
    let mut spellings = outcome.spellings(new);
    // The number of the very line, as the numbered view shows it, may be left out, and those that count on.
    let counted = |line: &usize| *line + 1..=*line + 1 + new.split('\n').count();
    let numbers: Vec<_> = places.iter().flat_map(counted).map(|number| format!("{number}| ")).collect();
    let unnumbered =
        |text: &String| numbers.iter().find_map(|number| Some(text.trim_start().strip_prefix(number)?.to_owned()));
    spellings.extend(spellings.iter().filter_map(unnumbered).collect::<Vec<_>>());
    if holds(&written, &spellings, &markers) { Ok(()) } else { Err(format!("{new:?} was written as {written:?}")) }
}

fn is_sought(memory: &Facts, call: &Call, line: usize, outcome: &Outcome) -> bool {
    let Some(fact) = memory.at_line(line) else { return false };
    let is_insertion = matches!(call.change, Change::Upserted(_))
        && outcome.text.split('\n').count() > memory.text.split('\n').count();
    match &call.sought {
        _ if is_insertion => true,
        Sought::List => call.scope == Some(fact.home),
        Sought::Key(key) => fact.key == *key || fact.key.split_once('#').is_some_and(|(plain, _)| plain == key),
        // A hunk may give a content in the place of a line.
        Sought::Line(text) => {
            names_line(text, line, &memory.lines[line], Some(fact)) || names_first_content(text, fact)
        }
        Sought::Content(how, text, index) => {
            is_within(call, fact) && (names_content(text, *how, fact) || is_reworded(memory, call, *index, text, fact))
        }
        Sought::Text(_) => false,
    }
}

/// Of a sub-memory the index may win: where the text stands elsewhere in the block, or has the same numbers and as many words.
fn is_reworded(memory: &Facts, call: &Call, index: Option<usize>, text: &str, fact: &Fact) -> bool {
    if call.tool != "apply_sub_memory_ops" || index.is_none() || fact.index != index {
        return false;
    }
    let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<String>();
    let words = |text: &str| text.split_whitespace().count();
    let stands = |other: &Fact| other.home == fact.home && names_content(text, How::Equals, other);
    let is_near = |text: &str| digits(text) == digits(&fact.content) && words(text) == words(&fact.content);
    memory.facts.iter().any(stands) || readings(text, fact.line, Some(fact)).iter().any(|text| is_near(&text.rest))
}

/// Where a text stands in another; not where its last letter goes on there, with an accent of its own.
fn occurs<'t>(content: &'t str, text: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_whole = |at: &usize| !content[at + text.len()..].starts_with(|c| matches!(c, '\u{300}'..='\u{36F}'));
    content.match_indices(text).map(|(at, _)| at).filter(is_whole)
}

/// What reads exactly as what was sought goes before all else, and two of them are too many.
fn check_exactness(memory: &Facts, call: &Call, places: &[usize], outcome: &Outcome) -> Result<(), String> {
    // White space around a selector may be none of it, and how much there is inside says nothing.
    let is_spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ") != *text;
    if matches!(&call.sought, Sought::Content(_, text, _) if is_spaced(text)) {
        return Ok(());
    }
    // The marker that a text brings is the bullet's own, and begins it.
    let is_marked = |text: &str, fact: &Fact, is_whole: bool| {
        let rest = text.strip_prefix(fact.marker.as_str()).and_then(|rest| rest.strip_prefix(' '));
        let begins = |rest: &str| [fact.body(), fact.content.clone()].iter().any(|own| own.starts_with(rest));
        rest.is_some_and(|rest| begins(rest) && (!is_whole || fact.body().ends_with(rest)))
    };
    let reads = |fact: &Fact| match &call.sought {
        Sought::Content(how, text, None) if is_marked(text, fact, *how == How::Equals) => true,
        Sought::Content(How::Equals, text, None) => fact.content == *text || fact.body() == *text,
        Sought::Content(How::StartsWith, text, None) => {
            [&fact.content, &fact.body()].iter().any(|own| occurs(own, text).next() == Some(0))
        }
        Sought::Content(How::Contains, text, None) => occurs(&fact.content, text).next().is_some(),
        Sought::Line(text) => fact.full() == *text,
        _ => false,
    };
    let exact: Vec<&Fact> = memory.facts.iter().filter(|fact| is_within(call, fact) && reads(fact)).collect();
    // The one whose whole content the text is, with its marker or without, is preferred.
    let is_whole = |fact: &&&Fact| match &call.sought {
        Sought::Content(_, text, None) => fact.content == *text || format!("{} {}", fact.marker, fact.content) == *text,
        _ => false,
    };
    if let [whole] = exact.iter().filter(is_whole).collect::<Vec<_>>().as_slice() {
        let is_hit = places.contains(&whole.line);
        return if is_hit { Ok(()) } else { Err("another bullet is this text as a whole".to_owned()) };
    }
    let is_by_text = matches!(call.sought, Sought::Line(_) | Sought::Content(_, _, None));
    match exact.as_slice() {
        [] if is_by_text && outcome.healed.is_empty() && !matches!(call.change, Change::Upserted(_)) => {
            Err("what was healed is not told".to_owned())
        }
        [] => Ok(()),
        [one] if places.contains(&one.line) => Ok(()),
        [_] => Err("another bullet reads exactly so".to_owned()),
        _ => Err("several bullets read exactly so".to_owned()),
    }
}

/// Holds a replacement against what it sought: whichever stretch went for the new text, it was the text that was sought.
fn replaced(memory: &Facts, call: &Call, sought: &str, new: &str, outcome: &Outcome) -> Result<(), String> {
    let (before, after) = (memory.text.as_str(), outcome.text.as_str());
    let found: Vec<(usize, usize)> =
        outcome.spellings(new).iter().flat_map(|written| exchanges(before, after, written)).collect();
    let texts: Vec<_> = found.iter().map(|(from, to)| &before[*from..*to]).collect();
    let count = occurs(before, sought).count();
    if found.is_empty() {
        return Err(format!("{new:?} was not written as it is"));
    }
    if call.scope.is_none() && count > 0 {
        let is_right = count == 1 && texts.contains(&sought);
        return if is_right { Ok(()) } else { Err(format!("{sought:?} stands {count} times, {texts:?} was found")) };
    }
    if !found.iter().any(|(from, to)| is_text_sought(memory, call, sought, *from, *to)) {
        return Err(format!("{sought:?} was sought and {texts:?} was found"));
    }
    let is_told = texts.contains(&sought) || !outcome.healed.is_empty();
    if is_told { Ok(()) } else { Err("what was healed is not told".to_owned()) }
}

/// Returns every stretch of a text that can have gone for what is written. A marker of what is written may be the one that
/// stands before the stretch, or be left out if it can be no part of an amount.
fn exchanges(before: &str, after: &str, written: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut try_all = |written: &str, fits: &dyn Fn(&str) -> bool| {
        for at in (0..=before.len().min(after.len())).filter(|at| before.is_char_boundary(*at)) {
            let head = &before[..at];
            let behind = after.strip_prefix(head).and_then(|rest| rest.strip_prefix(written));
            if let Some(behind) = behind.filter(|behind| fits(head) && before[at..].ends_with(behind)) {
                found.push((at, before.len() - behind.len()));
            }
        }
    };
    try_all(written, &|_| true);
    try_all(&written.replace('\n', "\r\n"), &|_| true);
    if let Some((_, rest)) = sign(written).or(ordinal(written)) {
        let is_marker = sign(written).is_some() && !begins_like_a_number(rest);
        let marker = written[..written.len() - rest.len()].trim_end();
        try_all(rest, &|head| is_marker || head.trim_end().ends_with(marker));
    }
    found
}

/// Whether a stretch of the memory is the text that was sought: as it stands, or line by line behind prefixes and markers,
/// which only the beginnings of lines can have.
fn is_text_sought(memory: &Facts, call: &Call, sought: &str, from: usize, to: usize) -> bool {
    let found = &memory.text[from..to];
    let start = memory.text[..from].rfind('\n').map_or(0, |at| at + 1);
    let first = memory.text[..from].matches('\n').count();
    if memory.at_line(first).is_some_and(|fact| !is_within(call, fact)) {
        return false;
    }
    let column = from - start;
    let indentation = memory.at_line(first).map_or(0, |fact| fact.indentation.len());
    let begins = |sought: &str| {
        let lines = || sought.split('\n').zip(found.split('\n'));
        lines()
            .enumerate()
            .all(|(nth, (sought, there))| (nth == 0 && column > indentation) || begin_alike(sought, there))
    };
    if spellings(sought).iter().any(|sought| folded(sought) == folded(found) && begins(sought)) {
        return true;
    }
    let head = |line: usize| memory.at_line(line).map_or(0, |fact| fact.indentation.len() + fact.marker.len() + 1);
    let rests = found.trim_end().split('\n').enumerate().map(|(nth, text)| {
        let cut = head(first + nth).saturating_sub(if nth == 0 { column } else { 0 });
        text.get(cut..).unwrap_or_default()
    });
    let rests: Vec<&str> = rests.collect();
    column <= head(first)
        && spellings(sought).iter().any(|sought| {
            let lines: Vec<&str> = sought.trim_end().split('\n').collect();
            lines.len() == rests.len()
                && lines.iter().zip(&rests).enumerate().all(|(nth, (line, rest))| {
                    let readings = readings(line, first + nth, memory.at_line(first + nth));
                    readings.iter().any(|reading| folded(&reading.rest) == folded(rest))
                })
        })
}
