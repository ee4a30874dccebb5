//! What every error has: a code of the stable list, and the cause that it wraps.

use std::error::Error;
use std::io;

use memdoc::{
    Code, DocName, InMemoryStore, Memory, MemoryDoc, MemoryError, Policy, Replace, Request, Timestamp, Toolbox, View,
    edit::EditError, locate::LocateError, memory::StoreError, request::Argument, request::Refusal, request::Rejection,
    request::RequestError, request::Rewrite,
};
use serde_json::json;

const CODES: &str = "duplicate_bullet pinned refused_by_policy indeterminate ambiguous not_found count_mismatch \
    context_too_thin stale_revision missing_revision stale_match conflict reserved_section overlapping_edits needs_anchor \
    has_children invalid_patch invalid_arguments invalid_text too_large missing_section duplicate_id duplicate_section \
    pinned_lost over_budget loss_too_high lost_ids omission_placeholder hook_failed too_many_changes no_session task_depth \
    unknown_task unknown_change unknown_tool unknown_document unknown_entry chain_broken superseded redacted busy store";

#[test]
fn every_code_is_read_and_written_by_its_name() {
    for name in CODES.split_whitespace() {
        let code: Code = name.parse().unwrap();
        assert_eq!(code, name);
        assert_eq!(code.to_string(), name);
        assert_eq!(serde_json::to_value(code).unwrap(), name);
    }
    assert!("no_such_code".parse::<Code>().is_err() && "NotFound".parse::<Code>().is_err());
}

/// Returns the causes of an error, from its own down.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (*cause).source()).collect()
}

fn refused(text: &str, request: &dyn Request) -> RequestError {
    request.plan(&View::current(&MemoryDoc::parse(text), Timestamp::default())).unwrap_err()
}

#[test]
fn a_request_error_names_the_refusal_and_what_that_wraps() {
    let error = refused("- a\n", &Replace::new("b", "c"));
    let chain = causes(&error);
    assert!(chain[0].downcast_ref::<Refusal>().is_some());
    assert!(matches!(chain[1].downcast_ref(), Some(LocateError::NotFound { .. })));
    assert_eq!(chain.len(), 2);

    let error = refused("- [pinned] a\n- b\n", &Rewrite::new("shorter").with_candidate("- b\n"));
    assert!(matches!(causes(&error)[1].downcast_ref(), Some(Rejection::PinnedLost { .. })));

    let candidate = Rewrite::new("shorter").with_candidate("- b\n```\n");
    let error = refused("- a\n- b\n", &candidate);
    assert!(matches!(causes(&error)[1].downcast_ref(), Some(Rejection::Edit(_))));
    assert!(matches!(causes(&error)[2].downcast_ref(), Some(EditError::InvalidText(_))));
}

#[test]
fn a_memory_error_names_what_refused_down_to_the_ground() {
    let document = DocName::memory;
    let edit = EditError::MissingSection { section: "Facts".to_owned() };
    let request = RequestError::of(0, edit.clone());
    let current = MemoryDoc::parse("- a\n");
    let wrapped: [(MemoryError, usize); 5] = [
        (MemoryError::Request { document: document(), error: request.clone() }, 3),
        (MemoryError::NotRebased { document: document(), error: request, current }, 3),
        (MemoryError::Edit { document: document(), error: edit }, 1),
        (MemoryError::Store(unreadable()), 2),
        (MemoryError::Indeterminate(unreadable()), 2),
    ];
    for (error, depth) in wrapped {
        assert_eq!(causes(&error).len(), depth, "{error}");
        let several = MemoryError::Several { first: Box::new(error), others: Vec::new() };
        assert_eq!(causes(&several).len(), depth + 1, "{several}");
    }
}

fn unreadable() -> StoreError {
    StoreError::Io { action: "read", path: "memory.md".into(), source: io::Error::other("bad disk") }
}

#[test]
fn what_a_store_and_a_tag_wrap_is_their_cause() {
    let own: Box<dyn Error + Send + Sync> = "a host's store is down".into();
    assert_eq!(causes(&StoreError::from(own)).len(), 1);
    assert!(causes(&unreadable())[0].downcast_ref::<io::Error>().is_some());
}

#[test]
fn a_request_names_an_argument_as_its_tool_does() {
    let error = refused("- a\n", &Replace::new("", "b"));
    assert_eq!(error.to_string(), "`old_string`: expected the text to be replaced, found an empty text");
    assert!(matches!(error.failures()[0].refusal, Refusal::InvalidArgument { argument: Argument::OldText, .. }));
    let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).unwrap());
    let reply = toolbox.call("replace_in_memory", &json!({"old_string": "", "new_string": "b"})).to_string();
    assert!(reply.contains("`old_string`: expected the text to be replaced, found an empty text"), "{reply}");
}
