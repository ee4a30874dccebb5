//! A journal of format 1, as an earlier version of this library wrote it: groups, two parts, keyframes.

use crate::memory::journal::checks::fixture::{Checked, doc, told};
use crate::memory::journal::{Entry, Erased, LinkKind, Redactor, Seq, Verifier, text_after, text_before};

fn lines() -> Vec<String> {
    include_str!("format_1.jsonl").split_terminator('\n').map(str::to_owned).collect()
}

fn entries() -> Result<Vec<Entry>, crate::memory::journal::LineError> {
    lines().iter().map(|line| Entry::parse(line.as_bytes())).collect()
}

#[test]
fn it_is_read_and_verified_and_written_as_it_stands() -> Checked {
    assert_eq!(told(Verifier::new(), &lines()), [""; 0]);
    assert!(entries()?.iter().map(Entry::to_line).eq(lines()));
    assert!(entries()?.iter().all(|entry| entry.old.is_some() && entry.body().is_some()));
    Ok(())
}

#[test]
fn a_member_that_stands_twice_makes_a_line_unreadable() {
    for (from, to) in [
        ("\"actor\":", "\"actor\":\"agent:evil\",\"actor\":"),
        ("\"documents\":[{", "\"documents\":[{\"keyframe\":\"x\",\"keyframe\":\"y\","),
        ("\"states\":{", "\"states\":{\"request\":null,\"request\":null,"),
    ] {
        let line = lines().into_iter().find(|line| line.contains(from)).unwrap_or_default();
        assert!(Entry::parse(line.as_bytes()).is_ok(), "{from}");
        assert!(Entry::parse(line.replacen(from, to, 1).as_bytes()).is_err(), "{to}");
    }
}

#[test]
fn its_groups_lead_from_entry_to_entry() -> Checked {
    let (entries, memory) = (entries()?, doc("memory"));
    let previous: Vec<_> = entries.iter().filter_map(|entry| entry.previous_of(&memory)).map(Seq::get).collect();
    assert_eq!(previous, [2, 3, 5, 6, 12, 13, 14]);
    let kinds = entries.iter().filter_map(|entry| entry.link(&doc("notes"))).map(|link| link.kind);
    assert!(kinds.eq([LinkKind::Created, LinkKind::Changed, LinkKind::Deleted, LinkKind::Created]));
    Ok(())
}

#[test]
fn its_texts_lead_there_and_back() -> Checked {
    let memory = doc("memory");
    let mut text = None;
    for entry in entries()?.iter().filter(|entry| entry.link(&memory).is_some()) {
        let after = text_after(entry, &memory, text.as_deref())?;
        assert_eq!(text_before(entry, &memory, after.as_deref())?, text);
        assert_eq!(entry.revision(&memory), after.as_deref().map(crate::text::Revision::of));
        text = after;
    }
    assert_eq!(text.as_deref(), Some(""));
    Ok(())
}

#[test]
fn what_is_changed_in_it_is_named() {
    for (seq, from, to, what) in [
        (3, "because", "by cause", "has another body than it had"),
        (3, "\"keyframe\":\"## Facts", "\"keyframe\":\"## Fakes", "has another body than it had"),
        (3, "agent:test", "agent:best", "was changed: its hash is another"),
        (5, "\"group\":{\"index\":0", "\"group\":{\"index\":1", "was changed: its hash is another"),
    ] {
        let mut lines = lines();
        assert!(lines[seq - 1].contains(from), "{from}");
        lines[seq - 1] = lines[seq - 1].replacen(from, to, 1);
        assert!(told(Verifier::new(), &lines).contains(&format!("entry {seq}: {what}")), "{from}");
    }
}

#[test]
fn it_is_redacted_as_others_are() -> Checked {
    let mut redactor = Redactor::new(&[], &["Denver"]);
    entries()?.iter().for_each(|entry| redactor.entry(entry));
    let erased: Erased = redactor.finish().erased;
    assert!(erased.bodies.contains(Seq::new(2)) && erased.bodies.contains(Seq::new(3)));
    let left = entries()?
        .iter()
        .map(|entry| entry.redacted(&erased).unwrap_or_else(|| entry.clone()).to_line())
        .collect::<Vec<_>>();
    assert!(!left.concat().contains("Denver") && left.iter().all(|line| Entry::parse(line.as_bytes()).is_ok()));
    Ok(())
}
