//! Sessions and chat histories by their types, without tools.

use std::sync::Arc;

use memdoc::memory::{HistoryQuery, Undo, Undone};
use memdoc::session::{
    Append, ChatMessage, EditingConfig, Finished, HistoryCompressor, HistoryConfig, Intent, Letter, Outcome,
    PreviewMode, Role, Session, SessionConfig, SessionError,
};
use memdoc::text::EstimatedTokens;
use memdoc::{Code, DocName, InMemoryStore, Memory, Operation, Origin, Policy, Replace, Status, Timestamp, Toolbox};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use crate::support::draws::usually;

const NOW: Timestamp = Timestamp::from_seconds(0);

fn memory(text: &str) -> Memory {
    Memory::new(InMemoryStore::new().with(DocName::memory(), text), Policy::default()).unwrap()
}

fn session(memory: &Memory) -> Session {
    Session::begin(DocName::memory(), &memory.read(&DocName::memory()).unwrap())
}

fn stage(session: &mut Session, old: &str, new: &str) -> Result<Outcome, SessionError> {
    session.stage(&DocName::memory(), Intent::replace(old, new), &Replace::new(old, new), NOW)
}

fn text(memory: &Memory) -> String {
    memory.read(&DocName::memory()).unwrap().text().to_owned()
}

#[test]
fn a_session_that_is_dropped_has_written_nothing() {
    let memory = memory("- a\n");
    let mut session = session(&memory);
    stage(&mut session, "a", "b").unwrap();
    drop(session);
    assert_eq!(text(&memory), "- a\n");
    assert_eq!(memory.history(&HistoryQuery::new()).unwrap().entries.len(), 0);
}

#[test]
fn a_session_that_was_not_committed_is_as_before_and_names_the_changes() {
    let memory = memory("- a\n- b\n");
    let mut session = session(&memory);
    stage(&mut session, "a", "c").unwrap();
    stage(&mut session, "b", "d").unwrap();
    memory.write(&DocName::memory(), "- a\n- x\n").unwrap();
    let origin = Origin::host("session").with_reason("two at once");
    let refused = session.commit(&memory, &origin).unwrap_err();
    assert_eq!(refused.code(), Code::StaleRevision);

    let current = memory.read(&DocName::memory()).unwrap();
    let error = session.carry_to(&DocName::memory(), &current).unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
    session.unstage(Letter::nth(1).unwrap()).unwrap();
    session.carry_to(&DocName::memory(), &current).unwrap();
    let applied = session.commit(&memory, &origin).unwrap();
    assert_eq!((applied.len(), text(&memory).as_str()), (1, "- c\n- x\n"));
    let Undone::Made(_) = memory.undo(Undo::Entry(applied[0].seq.unwrap()), &origin).unwrap() else { unreachable!() };
    assert_eq!(text(&memory), "- a\n- x\n");
}

#[test]
fn a_savepoint_is_a_clone_and_letters_are_not_used_again() {
    let memory = memory("- a\n");
    let mut session = session(&memory);
    stage(&mut session, "a", "b").unwrap();
    let savepoint = session.clone();
    stage(&mut session, "b", "c").unwrap();
    session.return_to(savepoint);
    assert_eq!(session.draft(&DocName::memory()).unwrap().text(), "- b\n");
    assert_eq!(stage(&mut session, "b", "d").unwrap(), Outcome::Pending(Letter::nth(2).unwrap()));
    assert_eq!(session.changes().len(), 2);
}

#[test]
fn candidates_keep_their_letters_through_own_changes() {
    let memory = memory("- x\n- x\n- x\n");
    let name = DocName::memory();
    let mut session = session(&memory);
    let sought = Replace::new("x", "y");
    let candidates = session.candidates(&name, &sought).unwrap();
    assert_eq!((candidates.count(), candidates.recommended()), (3, None));
    for nth in [2, 0] {
        let place = candidates.place(Letter::nth(nth).unwrap(), &session).unwrap();
        let mut chosen = sought.clone();
        chosen.place = Some(place);
        session.stage(&name, Intent::of(&sought), &chosen, NOW).unwrap();
        assert_eq!(candidates.place(Letter::nth(nth).unwrap(), &session), None, "it is changed");
    }
    assert_eq!(session.draft(&name).unwrap().text(), "- y\n- x\n- y\n");
}

#[test]
fn previews_of_every_form_are_bounded_and_say_what_is_missing() {
    let memory = memory(&"- a line of some length\n".repeat(900));
    let mut session = session(&memory);
    let mut all = Replace::new("some", "any");
    all.expected = None;
    session.stage(&DocName::memory(), Intent::replace("some", "any"), &all, NOW).unwrap();
    for mode in [PreviewMode::Compact, PreviewMode::Full, PreviewMode::Stats, PreviewMode::Diff] {
        let preview = session.preview(mode, &EditingConfig::default());
        assert!(preview.chars().count() <= 20_100, "{mode:?}: {}", preview.chars().count());
        assert_eq!(preview.contains("more lines are not shown"), mode != PreviewMode::Stats, "{mode:?}");
    }
    assert!(session.diff(|_| true).len() > 40_000);
}

#[test]
fn a_session_of_two_documents_is_one_commit() {
    let (notes, name) = ("notes".parse::<DocName>().unwrap(), DocName::memory());
    let store = Arc::new(InMemoryStore::new().with(name.clone(), "- a\n").with(notes.clone(), "- b\n"));
    let memory = Memory::new(store, Policy::default()).unwrap();
    let mut session = session(&memory);
    let error = session.stage(&notes, Intent::Insert("- c".into()), &Append::new("- c"), NOW).unwrap_err();
    assert_eq!(error.code(), Code::UnknownDocument);
    session.open(notes.clone(), memdoc::Known::of(&memory.read(&notes).unwrap()));
    session.stage(&notes, Intent::Insert("- c".into()), &Append::new("- c"), NOW).unwrap();
    stage(&mut session, "a", "d").unwrap();
    let again = session.clone();
    session.commit(&memory, &Origin::host("session").with_reason("both")).unwrap();
    let entries = memory.history(&HistoryQuery::new()).unwrap().entries;
    assert_eq!((entries.len(), entries[0].changes.len()), (1, 2), "one entry of two documents");
    // The same commit once more, as after a lost answer.
    let applied = again.commit(&memory, &Origin::host("session").with_reason("both")).unwrap();
    assert!(applied.iter().all(|applied| applied.status == memdoc::memory::AppliedStatus::AlreadyApplied));
}

#[test]
fn a_rebase_names_the_part_that_has_no_place_any_more() {
    let memory = Memory::new(
        InMemoryStore::new().with(DocName::memory(), "- a\n- b\n"),
        Policy::default().with_on_stale(memdoc::document::OnStale::Rebase),
    )
    .unwrap();
    let mut session = session(&memory);
    stage(&mut session, "a", "c").unwrap();
    stage(&mut session, "b", "d").unwrap();
    memory.write(&DocName::memory(), "- a\n- e\n").unwrap();
    let refused = session.commit(&memory, &Origin::host("session")).unwrap_err();
    assert_eq!(session.conflicts(&refused), [Letter::nth(1).unwrap()]);
}

#[test]
fn limits_of_sessions_are_checked() {
    let config: SessionConfig = serde_json::from_value(json!({"tasks": {"max_stack_depth": 65}})).unwrap();
    assert_eq!(config.check().unwrap_err().to_string(), "expected 1 to 64 for `tasks.max_stack_depth`, found `65`");
    assert!(Toolbox::new(memory("")).with_sessions(config).is_err());
}

#[test]
fn the_log_of_a_session_has_its_changes_and_all_calls() {
    let mut toolbox = Toolbox::new(memory("## A\n- a\n- b\n"));
    toolbox.show(&DocName::memory()).unwrap();
    toolbox.call("memo_replace", &json!({"old_text": "a", "new_text": "ccc"}));
    toolbox.call("memo_replace", &json!({"old_text": "zzz", "new_text": "c"}));
    let reply = toolbox.call("memo_export_session", &json!({}));
    let log: serde_json::Value = serde_json::from_str(reply.get("text").unwrap().as_str().unwrap()).unwrap();
    let change = &log["changes"][0];
    assert_eq!(
        (&change["change_id"], &change["old_length"], &change["new_text"]),
        (&json!("A"), &json!(1), &json!("ccc"))
    );
    assert_eq!((&change["context_before"], &change["context_after"]), (&json!("## A\n- "), &json!("\n- b\n")));
    assert_eq!((log["base"]["memory"]["length"].clone(), log["session_id"].clone()), (json!(13), json!("sess-1")));
    assert!(log["started_at"].is_string());
    let calls = log["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2);
    assert_eq!((&calls[1]["arguments"]["old_text"], &calls[1]["reply"]["code"]), (&json!("zzz"), &json!("not_found")));
    // A direct edit is written on its own.
    let name = DocName::memory();
    let doc = toolbox.memory().read(&name).unwrap();
    let (known, request) = (memdoc::Known::of(&doc), Replace::new("- b", "- d"));
    let operation = Operation::edit(name, memdoc::Basis::Known(&known), &request);
    let id = memdoc::memory::RequestId::new("host", &json!(1));
    toolbox.memory().apply(&[operation], &Origin::host("host"), id).unwrap();
    assert_eq!(toolbox.call("memo_commit", &json!({"summary": "x"})).code(), Some(Code::StaleRevision));
    assert_eq!(toolbox.call("memo_commit", &json!({"summary": "x"})).status(), Status::Committed);
    assert_eq!(text(toolbox.memory()), "## A\n- ccc\n- d\n");
}

#[derive(Clone, Debug, PartialEq)]
struct Message {
    role: Role,
    text: String,
    ids: Vec<String>,
    decides: bool,
}

impl ChatMessage for Message {
    fn role(&self) -> Role {
        self.role
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn call_ids(&self) -> Vec<&str> {
        self.ids.iter().map(String::as_str).collect()
    }

    fn is_decision(&self) -> bool {
        self.decides
    }

    fn summary(text: String) -> Self {
        Self { role: Role::Summary, text, ids: Vec::new(), decides: false }
    }
}

fn message() -> impl Strategy<Value = Message> {
    let roles =
        prop::sample::select(vec![Role::System, Role::User, Role::Assistant, Role::Tool, Role::Assistant, Role::Tool]);
    let text = "[a-z ]{0,60}";
    (roles, text, vec(0..6_u8, 0..3), prop::bool::weighted(0.1)).prop_map(|(role, text, ids, decides)| Message {
        role,
        text,
        ids: match role {
            Role::Assistant => ids.iter().map(|id| format!("call-{id}")).collect(),
            Role::Tool => ids.iter().take(1).map(|id| format!("call-{id}")).collect(),
            _ => Vec::new(),
        },
        decides,
    })
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn a_chat_is_compressed_within_its_range_and_only_once(
        chat in vec(message(), 0..24),
        cuts in (0..24_usize, 0..24_usize),
        threshold in 1..5_usize,
    ) {
        let range = cuts.0.min(cuts.1).min(chat.len())..cuts.0.max(cuts.1).min(chat.len());
        let mut config = HistoryConfig::default();
        config.compression_threshold = threshold;
        let compressor = HistoryCompressor::new(config, EstimatedTokens);
        let finished = Finished::new("done", "");
        let once = compressor.compress(chat.clone(), range.clone(), &finished);

        // What lies outside is as it was.
        prop_assert_eq!(&once.messages[..range.start], &chat[..range.start]);
        let end = range.end - once.messages_removed;
        prop_assert_eq!(&once.messages[end..], &chat[range.end..]);
        prop_assert_eq!(chat.len() - once.messages.len(), once.messages_removed);
        // What is kept is kept, in its order.
        let stays = |message: &&Message| {
            matches!(message.role, Role::System | Role::User) || message.decides
        };
        let kept = |messages: &[Message]| messages.iter().filter(stays).cloned().collect::<Vec<_>>();
        prop_assert_eq!(kept(&once.messages[range.start..end]), kept(&chat[range.clone()]));
        // No call is without what belongs to it.
        for id in (0..6).map(|id| format!("call-{id}")) {
            let count = |messages: &[Message]| messages.iter().filter(|message| message.ids.contains(&id)).count();
            let left = count(&once.messages);
            prop_assert!(left == 0 || left == count(&chat), "{id}");
        }
        let twice = compressor.compress(once.messages.clone(), range.start..end, &finished);
        prop_assert_eq!(twice.messages_removed, 0);
        prop_assert_eq!(twice.messages, once.messages);
    }
}

#[test]
fn a_chat_is_left_alone_below_the_threshold_or_where_that_is_switched_off() {
    let message = |role, text: &str, id: Option<&str>| Message {
        role,
        text: text.to_owned(),
        ids: id.into_iter().map(str::to_owned).collect(),
        decides: false,
    };
    let chat = vec![
        message(Role::User, "please", None),
        message(Role::Assistant, &"call ".repeat(50), Some("1")),
        message(Role::Tool, &"result ".repeat(50), Some("1")),
        message(Role::Assistant, "the last call", Some("2")),
    ];
    let compress = |config: HistoryConfig| {
        HistoryCompressor::new(config, EstimatedTokens).compress(
            chat.clone(),
            0..4,
            &Finished::new("session #1 committed", "done"),
        )
    };
    assert_eq!(compress(HistoryConfig::default()).messages_removed, 0);
    let mut config = HistoryConfig::default();
    config.compression_threshold = 2;
    let compressed = compress(config.clone());
    assert_eq!(compressed.messages_removed, 1);
    let texts: Vec<_> = compressed.messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, ["please", "[session #1 committed]\nsummary: done", "the last call"]);
    config.enable_compression = false;
    assert_eq!(compress(config).messages_removed, 0);
}

#[test]
fn a_commit_says_by_how_much_the_chat_of_its_host_is_shorter() {
    let mut config = SessionConfig::default();
    config.history.compression_threshold = 2;
    let mut toolbox = Toolbox::new(memory("- a\n")).with_sessions(config).unwrap();
    toolbox.show(&DocName::memory()).unwrap();
    let mut chat = vec![Message { role: Role::User, text: "go".into(), ids: Vec::new(), decides: false }];
    let mut call = |tool: &str, arguments: serde_json::Value, id: &str| {
        let ids = vec![id.to_owned()];
        chat.push(Message {
            role: Role::Assistant,
            text: format!("{tool} {arguments}"),
            ids: ids.clone(),
            decides: false,
        });
        let reply = toolbox.call_in(&mut chat, tool, &arguments);
        chat.push(Message { role: Role::Tool, text: reply.to_string(), ids, decides: false });
        (reply, chat.len())
    };
    call("memo_replace", json!({"old_text": "a", "new_text": "b"}), "1");
    call("memo_preview", json!({}), "2");
    let (reply, length) = call("memo_commit", json!({"summary": "b now"}), "3");
    assert_eq!(reply.get("history_delta").unwrap()["messages_removed"], json!(3));
    assert!(reply.get("history_delta").unwrap()["tokens_saved"].as_u64() > Some(50));
    assert_eq!(length, 4);
    assert!(chat[1].text.contains("[A] replace \"a\" → \"b\" (line 1, +0 characters)"), "{}", chat[1].text);
}

#[test]
fn what_a_session_costs_grows_with_the_text_and_not_with_the_square_of_it() {
    let name = DocName::memory();
    let memory = memory(&"x\n".repeat(16_000));
    let mut session = session(&memory);
    for (old, new) in [("x", "y"), ("y", "z")] {
        stage_everywhere(&mut session, old, new).unwrap();
    }
    let sought = Replace::new("z", "a");
    let candidates = session.candidates(&name, &sought).unwrap();
    assert_eq!((candidates.count(), candidates.shown(26).len()), (16_000, 26));
    assert_eq!(session.layout().len(), 2);
    session.commit(&memory, &Origin::host("session")).unwrap();
    assert_eq!(text(&memory).matches('z').count(), 16_000);
}

fn stage_everywhere(session: &mut Session, old: &str, new: &str) -> Result<Outcome, SessionError> {
    let mut all = Replace::new(old, new);
    all.expected = None;
    session.stage(&DocName::memory(), Intent::replace(old, new), &all, NOW)
}

#[test]
fn as_many_changes_as_there_are_letters_may_each_write_the_whole_document() {
    let memory = memory(&"- a line of it is as long as this one is\n".repeat(1_200));
    let mut session = session(&memory);
    for nth in 0..26 {
        let (old, new) = if nth % 2 == 0 { ("as long", "so long") } else { ("so long", "as long") };
        stage_everywhere(&mut session, old, new).unwrap();
    }
}

#[test]
fn a_commit_that_the_host_has_undone_is_not_answered_as_made() {
    let mut toolbox = Toolbox::new(memory("- a\n"));
    toolbox.show(&DocName::memory()).unwrap();
    toolbox.call("memo_replace", &json!({"old_text": "a", "new_text": "b"}));
    let commit = json!({"summary": "b"});
    assert_eq!(toolbox.call("memo_commit", &commit).status(), Status::Committed);
    assert_eq!(toolbox.call("memo_commit", &commit).status(), Status::AlreadyApplied);
    let memory = toolbox.memory();
    let seq = memory.head().unwrap().seq;
    let Undone::Made(_) = memory.undo(Undo::Entry(seq), &Origin::host("undo")).unwrap() else { unreachable!() };
    assert_eq!(toolbox.call("memo_commit", &commit).code(), Some(Code::NoSession));
}
