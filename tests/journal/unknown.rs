//! What other versions write: kept byte for byte, and verified.

use crate::memory::Actor;
use crate::memory::journal::checks::fixture::{Checked, Journal, doc, rich, told};
use crate::memory::journal::entry::JsonPart;
use crate::memory::journal::entry::Lookup;
use crate::memory::journal::{
    Commitment, Entry, EntryKind, LineError, Record, Redactor, Seq, Supersessions, Tier, Verifier, text_before,
};
use crate::text::Revision;

/// A header and a body with members, kinds, records, tiers, forms of numbers and white space that are not known.
const HEADER: &str = r#"{ "type":"dream","actor":"a","mood":[1.0,1e400,{"deep":null}],"tier":123456789012345678901234567890,
"body":"BODY","documents":[{"name":"memory","kind":"created","color":"red"}]}"#;
const BODY: &str = r#"{"salt":"000102030405060708090a0b0c0d0e0f","splices":[null],"dreamt":"of \u00e9","record":{"dream":{"x":1.50}}}"#;

/// Appends an entry of these texts.
fn appended(journal: &mut Journal, header: &str, body: &str) -> Checked {
    let header = header.replace('\n', "").replace("BODY", &Commitment::to_body(body).to_string());
    let head = journal.head();
    let mut entry = Entry {
        seq: head.seq.plus(1),
        time: journal.entries[0].time(),
        previous: head.hash,
        header: JsonPart::read(&header)?,
        body: Some(JsonPart::read(body)?),
        lookup: Lookup { request: None, revisions: Some(vec![Some(Revision::of(""))]) },
        old: None,
        hash: head.hash,
        signature: None,
    };
    entry.hash = entry.computed_hash();
    journal.entries.push(entry);
    Ok(())
}

#[test]
fn what_is_not_known_is_kept_byte_for_byte_and_verified() -> Checked {
    let mut journal = Journal::new(9);
    appended(&mut journal, HEADER, BODY)?;
    journal.edit("notes", Some("after it"));
    let lines = journal.written();
    assert_eq!(told(Verifier::new(), &lines), [""; 0]);
    let entry = Entry::parse(lines[1].as_bytes())?;
    assert_eq!(entry.to_line(), lines[1]);
    assert_eq!(entry, journal.entries[1]);
    assert_eq!(entry.header().kind, EntryKind::Other("dream".into()));
    assert!(matches!(entry.body().and_then(|body| body.record.as_ref()), Some(Record::Other(_))));
    for (from, to, told_as) in [
        ("[1.0,", "[1.00,", "entry 2: was changed: its hash is another"),
        ("red", "rot", "entry 2: was changed: its hash is another"),
        ("1.50", "1.5", "entry 2: has another body than it had"),
        ("\\u00e9", "\\u00E9", "entry 2: has another body than it had"),
    ] {
        let mut changed = lines.clone();
        changed[1] = changed[1].replacen(from, to, 1);
        assert_ne!(changed[1], lines[1], "{from}");
        assert_eq!(told(Verifier::new(), &changed), [told_as], "{from}");
    }
    Ok(())
}

#[test]
fn numbers_at_their_ends_do_no_harm() -> Checked {
    const WILD: &str = r#"{"type":"redaction","actor":"a","supersedes":[0,18446744073709551615],
"erased":{"bodies":[[0,18446744073709551615],[7,3]]},"documents":[{"name":"memory","previous":18446744073709551615}],
"body":"BODY"}"#;
    const SPLICES: &str = r#"{"salt":"000102030405060708090a0b0c0d0e0f","splices":[[{"at":18446744073709551615,"removed":"x"},{"at":0}]]}"#;
    let mut journal = Journal::new(9);
    appended(&mut journal, WILD, SPLICES)?;
    appended(&mut journal, WILD, SPLICES)?;
    if let [.., second, last] = journal.entries.as_mut_slice() {
        second.seq = Seq::new(u64::MAX);
        second.hash = second.computed_hash();
        last.seq = Seq::new(u64::MAX);
        last.hash = last.computed_hash();
    }
    assert!(!told(Verifier::new().with_checkpoint(&journal.checkpoint()), &journal.written()).is_empty());
    let (mut redactor, mut read) = (Redactor::new(&[], &["x"]), Supersessions::default());
    for entry in &journal.entries {
        redactor.entry(entry);
        read.entry(entry);
        let name = doc("memory");
        assert!(entry.link(&name).is_none() || text_before(entry, &name, Some("x")).is_err());
    }
    assert!(!redactor.finish().erased.is_empty());
    Ok(())
}

#[test]
fn a_tier_and_a_kind_that_are_not_known_are_read() -> Checked {
    assert_eq!(serde_json::from_str::<Tier>("\"eternal\"")?, Tier::Unknown);
    assert_eq!(serde_json::from_str::<EntryKind>("\"genesis\"")?, EntryKind::Genesis);
    assert_eq!(EntryKind::Other("dream".into()).to_string(), "dream");
    // Rules for actors of today do not make entries of another day unreadable.
    let actor: Actor = serde_json::from_str("\"\\u200b\"")?;
    assert_eq!(actor.as_str(), "\u{200b}");
    Ok(())
}

#[test]
fn every_entry_is_read_as_it_was_written() -> Checked {
    for line in rich(1).written() {
        assert_eq!(Entry::parse(line.as_bytes())?.to_line(), line);
        assert!(!line.contains('\n'));
    }
    Ok(())
}

#[test]
fn a_line_that_says_the_same_in_other_bytes_is_no_entry() {
    let line = rich(1).written().swap_remove(2);
    for other in [
        line.replacen(',', ", ", 1),
        format!("{line} "),
        format!("\u{feff}{line}"),
        format!("{line}\r"),
        line.replacen("Z\"", ".0Z\"", 1),
        line.replacen("\"seq\":3", "\"seq\":3.0", 1),
        line.replacen("\"seq\":3", "\"seq\":03", 1),
        line.replacen("\"seq\":3", "\"seq\":-3", 1),
        line.replacen("\"hash\":", "\"hash\":null,\"hash\":", 1),
        line.replacen("\"hash\":", "\"more\":1,\"hash\":", 1),
        line.replacen("\"time\"", "\"t\\u0069me\"", 1),
        line.replacen("\"header\":{", "\"header\":null,\"x\":{", 1),
        line.replacen("\"actor\":", "\"actor\":\"a\",\"actor\":", 1),
        String::new(),
        "null".to_owned(),
        "[".repeat(100_000),
        format!("{{\"seq\":1,\"header\":{}", "[".repeat(100_000)),
    ] {
        assert!(Entry::parse(other.as_bytes()).is_err(), "{}", other.chars().take(90).collect::<String>());
    }
    assert_eq!(Entry::parse(b"{\"seq\":\xff"), Err(LineError));
}

#[test]
fn neither_debug_nor_errors_show_what_an_entry_says() {
    let mut journal = rich(1);
    journal.edit("memory", Some("canary-1"));
    journal.edit("memory", Some("a canary-2, with keyframes, as long as it takes to have one"));
    journal.record(EntryKind::Memory, |draft| draft.body.reason = Some("canary-3".into()));
    assert!(!format!("{:?}", journal.entries).contains("canary"));
    let mut redactor = Redactor::new(&[], &["canary-2"]);
    let mut verifier = Verifier::new();
    for entry in &journal.entries {
        redactor.entry(entry);
        verifier.line(entry.to_line().as_bytes());
    }
    assert!(!format!("{verifier:?}").contains("canary"));
    let broken = journal.written()[15].replacen("\"reason\":\"because\"", "\"reason\":[\"canary-4\"]", 1);
    let error = Entry::parse(broken.as_bytes());
    assert!(matches!(error, Err(LineError)), "{error:?}");
    assert!(
        !format!("{error:?} {}", error.as_ref().map_or_else(ToString::to_string, |_| String::new())).contains("canary")
    );
}
