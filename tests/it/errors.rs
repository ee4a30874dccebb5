//! What every error has: a code of the stable list, and the cause that it wraps.

use memdoc::Code;

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
        assert_eq!(serde_json::from_value::<Code>(name.into()).unwrap(), code);
    }
    assert!("no_such_code".parse::<Code>().is_err() && "NotFound".parse::<Code>().is_err());
}
