//! What fuzzing starts from and what it found, replayed.

use std::fs;
use std::path::Path;

use super::support::any_calls::check_calls;
use super::support::compaction_calls::check_any;
use super::support::healing_checks::check_healing;
use super::support::items_model::{check_items, read_steps};
use super::support::journal_checks::check_journal;
use super::support::merge_checks::check_merge;
use super::support::owner_checks::check_owners;
use super::support::patch_checks::{check_between_pair, check_parse, check_patch_pair};
use super::support::session_model::{self, check_session};

fn replay(target: &str, check: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let files: Vec<_> = fs::read_dir(&directory).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(!files.is_empty(), "there is no corpus for {target}");
    for path in files {
        eprintln!("{}", path.display());
        check(&fs::read(&path).unwrap());
    }
}

#[test]
fn every_document_of_the_corpus_is_kept() {
    replay("parse", |data| check_parse(&String::from_utf8_lossy(data)));
}

#[test]
fn every_patch_of_the_corpus_is_refused_or_right() {
    replay("patch_text", |data| check_patch_pair(&String::from_utf8_lossy(data)));
}

#[test]
fn every_pair_of_the_corpus_has_a_patch_between() {
    replay("between", |data| check_between_pair(&String::from_utf8_lossy(data)));
}

#[test]
fn every_sequence_of_edits_of_the_corpus_agrees_with_the_model() {
    replay("tools", |data| {
        let (mut model, steps) = read_steps(data);
        check_items(&mut model, &steps);
    });
}

#[test]
fn every_compaction_of_the_corpus_keeps_what_must_stay() {
    replay("compaction", check_any);
}

#[test]
fn every_sequence_of_calls_of_the_corpus_breaks_nothing() {
    replay("calls", check_calls);
}

#[test]
fn every_sloppy_call_of_the_corpus_hits_no_other_fact() {
    replay("healing", check_healing);
}

#[test]
fn every_session_of_the_corpus_agrees_with_the_model() {
    replay("sessions", |data| check_session(&session_model::read_steps(data)));
}

#[test]
fn every_edit_of_the_corpus_leaves_lines_to_their_owners() {
    replay("owners", check_owners);
}

#[test]
fn every_merge_of_the_corpus_has_each_line_where_it_was_written() {
    replay("merge", |data| {
        check_merge(data);
    });
}

#[test]
fn every_damage_to_a_journal_of_the_corpus_is_found() {
    replay("journal", check_journal);
}

#[cfg(feature = "testing")]
#[test]
fn every_document_of_the_corpus_is_updated_as_it_would_be_read() {
    replay("outline", super::support::update_checks::check_updates);
}
