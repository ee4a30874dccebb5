//! A redaction that is interrupted at any moment, and what must be true then.

use super::super::disk::SimDisk;
use super::super::fault::{Fault, FaultKind};
use super::super::process::{Process, Violation, name};
use super::super::state::Image;
use super::World;
use super::hand::{HAND, Hand, edit};
use crate::memory::Outcome;
use crate::memory::file_store::layout::JOURNAL;
use crate::memory::journal::EntryKind;

/// What is redacted: no hash holds it by chance.
const SECRET: &str = "PIN 4711";

impl World {
    /// Redacts a text that the last commit wrote, and lets each call of that fail, or kills the process there. Cuts the power
    /// behind it, or not.
    pub(crate) fn check_redaction(&self) -> Result<usize, Violation> {
        let calls = {
            let disk = self.with_secret()?;
            let outcome = Process::start(&disk).redact(&name(self.edited()), SECRET);
            if !matches!(outcome, Ok(Outcome::Committed(_))) {
                return Err(format!("the redaction: {outcome:?}"));
            }
            disk.calls()
        };
        for at in 0..=calls {
            for (kind, lasts) in [(FaultKind::Io, false), (FaultKind::Io, true), (FaultKind::Killed, true)] {
                let fault = Fault { at, kind, lasts };
                self.check_interrupted(fault).map_err(|found| format!("{fault:?}: {found}"))?;
            }
            for killed_after in [None, Some(1), Some(3), Some(8)] {
                self.check_saved(at, killed_after)
                    .map_err(|found| format!("saved before call {at}, killed after {killed_after:?}: {found}"))?;
            }
        }
        Ok(calls)
    }

    fn with_secret(&self) -> Result<SimDisk, Violation> {
        let disk = self.before_last()?;
        let committed = Process::start(&disk).commit(self.steps[self.last()], self.last());
        if !matches!(committed, Ok(Some(Outcome::Committed(_)))) {
            return Err(format!("the last commit: {committed:?}"));
        }
        disk.now.set(disk.now.get() + 500);
        disk.reset_calls();
        Ok(disk)
    }

    fn check_interrupted(&self, fault: Fault) -> Result<(), Violation> {
        let disk = self.with_secret()?;
        disk.fault.set(Some(fault));
        let mut process = Process::start(&disk);
        let outcome = process.redact(&name(self.edited()), SECRET);
        disk.fault.set(None);
        let is_committed = matches!(outcome, Ok(Outcome::Committed(_)));
        if is_committed && let Some(path) = secret_in(&disk.view()) {
            return Err(format!("it is answered as made, and `{path}` tells the secret"));
        }
        for image in self.sample(disk.crashed(self.followed())) {
            if is_committed && let Some(path) = secret_in(&image) {
                return Err(format!("it is answered as made, and after a crash `{path}` tells the secret"));
            }
            let disk = self.booted(&image, true);
            self.check_finished(&disk, &mut Process::start(&disk), is_committed)
                .map_err(|found| format!("and a crash: {found}"))?;
        }
        disk.now.set(disk.now.get() + 10_000);
        if fault.kind != FaultKind::Killed {
            self.check_finished(&disk, &mut process, is_committed)?;
        }
        self.check_finished(&disk, &mut Process::start(&disk), is_committed)
    }

    /// Lets a person save the document before a call, and kills the process some calls later, or not. The journal does not tell
    /// the secret, or the redaction is not answered as made. The next access reads what the person wrote, and what was redacted
    /// only if the redaction was not made.
    fn check_saved(&self, at: usize, killed_after: Option<usize>) -> Result<(), Violation> {
        let document = self.edited();
        let disk = self.with_secret()?;
        disk.other.replace(Some(Box::new(move |disk, call| {
            if call == at {
                edit(disk, document, Hand::Appends, "");
            }
        })));
        if let Some(after) = killed_after {
            disk.fault.set(Some(Fault { at: at + after, kind: FaultKind::Killed, lasts: true }));
        }
        let outcome = Process::start(&disk).redact(&name(document), SECRET);
        disk.fault.set(None);
        disk.other.replace(None);
        let image = disk.view();
        let is_answered = matches!(outcome, Ok(Outcome::Committed(_)));
        if is_answered && image.text(JOURNAL).is_some_and(holds_secret) {
            return Err("it is answered as made, and the journal tells the secret".into());
        }
        let path = format!("{document}.md");
        let is_saved = image
            .names
            .keys()
            .any(|path| image.text(path).is_some_and(|text| memchr::memmem::find(text, HAND.as_bytes()).is_some()));
        let mut process = Process::start(&disk);
        for _ in 0..2 {
            disk.now.set(disk.now.get() + 10_000);
            process.read(&[name(document)]).map_err(|error| format!("reading fails: {error}"))?;
        }
        let entries = process.entries().map_err(|error| format!("reading fails: {error}"))?;
        let is_made = entries.iter().any(|entry| entry.header().kind == EntryKind::Redaction);
        let written = self.states[self.last() + 1].get(document).copied().unwrap_or_default();
        let expected = if is_made { written.replace(SECRET, "") } else { written.to_owned() };
        let image = disk.view();
        let text = String::from_utf8_lossy(image.text(&path).unwrap_or_default());
        if text.contains(HAND) != is_saved || text.replace(HAND, "") != expected {
            return Err(format!("{text:?} is read, not {expected:?} with a line by hand"));
        }
        process.check_chain()
    }

    /// After the next access nothing tells the secret, or the redaction was not made.
    fn check_finished(&self, disk: &SimDisk, process: &mut Process<'_>, is_due: bool) -> Result<(), Violation> {
        let failed = |error: crate::memory::StoreError| format!("reading fails: {error}");
        let document = name(self.edited());
        let read = process.read(std::slice::from_ref(&document)).map_err(failed)?;
        let text = read.of(&document).and_then(|stored| stored.text.clone()).unwrap_or_default();
        let entries = process.entries().map_err(failed)?;
        let is_made = entries.iter().any(|entry| entry.header().kind == EntryKind::Redaction);
        if is_due && !is_made {
            return Err("it is answered as made, and not in the journal".into());
        }
        if let Some(entry) = entries.iter().find(|entry| entry.header().kind == EntryKind::External) {
            return Err(format!("entry {} takes it for a person", entry.seq()));
        }
        let written = self.states[self.last() + 1].get(document.as_str()).copied().unwrap_or_default();
        if *text != *if is_made { written.replace(SECRET, "") } else { written.to_owned() } {
            return Err(format!("{text:?} is read"));
        }
        if is_made && let Some(path) = secret_in(&disk.view()) {
            return Err(format!("`{path}` still tells the secret"));
        }
        process.check_chain()
    }
}

/// Returns the path of a file that holds the secret.
fn secret_in(image: &Image) -> Option<&str> {
    image.names.keys().map(|path| &**path).find(|path| image.text(path).is_some_and(holds_secret))
}

fn holds_secret(text: &[u8]) -> bool {
    memchr::memmem::find(text, SECRET.as_bytes()).is_some()
}
