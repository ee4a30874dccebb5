//! JSON lines on standard input and output, one request and one answer each:
//!
//! | request | answer |
//! |---|---|
//! | (none: the first line) | `{"opened": true}`, or `{"opened": false, "why": …}` and the end |
//! | `{"op": "call", "tool": …, "arguments": …, "source": …}` | `{"code": …, "text": …}`, the code `null` if it was done |
//! | `{"op": "note", "key": …}` | `{"text": …}`, `null` if there is none |
//! | `{"op": "read", "document": …}` | `{"text": …}` |
//! | `{"op": "verify"}` | `{"findings": […], "outside": […], "checkpoint": …}`, none if all is sound; which entries came from outside |
//! | `{"op": "quarantined"}` | `{"entries": [{"seq": …, "why": …}]}` |
//! | `{"op": "release", "seq": …}` | `{"seq": …}`, of the entry that does it |
//!
//! An error is `{"error": …}`. The memory is opened only if it is sound: by the checkpoint, if there is one, and by the signatures, if
//! there is a file with a key, of 32 bytes.

#[cfg(feature = "signing")]
use std::fs;
use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use memdoc::memory::journal::{Checkpoint, EntryKind, Seq};
use memdoc::memory::{Actor, HistoryQuery};
use memdoc::{Code, DocName, FileStore, Memory, Origin, Policy, ToolSet, Toolbox};
use serde::Deserialize;
use serde_json::{Value, json};

use super::policy::HousePolicy;
use super::{Failure, PROTECTED};

/// What is to be served, as the command line says.
#[derive(Default)]
pub(super) struct Served {
    directory: PathBuf,
    checkpoint: Option<Checkpoint>,
    actor: Actor,
    has_no_policy: bool,
    key: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    Call { tool: String, arguments: Value, source: Option<String> },
    Note { key: String },
    Read { document: DocName },
    Verify,
    Quarantined,
    Release { seq: Seq },
}

impl Served {
    pub(super) fn of(arguments: &[String]) -> Result<Self, Failure> {
        let mut served = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--checkpoint" => served.checkpoint = Some(arguments.next().ok_or("expected a checkpoint")?.parse()?),
                "--key" => served.key = Some(arguments.next().ok_or("expected a file")?.into()),
                "--actor" => served.actor = arguments.next().ok_or("expected a name")?.parse()?,
                "--no-policy" => served.has_no_policy = true,
                directory => served.directory = PathBuf::from(directory),
            }
        }
        Ok(served)
    }

    pub(super) fn run(self) -> Result<(), Failure> {
        let memory = Arc::new(self.open()?);
        let found = memory.verify(self.checkpoint.as_ref())?;
        if let Some(finding) = found.findings.iter().find(|finding| !finding.problem.is_notice()) {
            return say(&json!({"opened": false, "why": format!("the memory is not sound: {finding}")}));
        }
        memory.seed(&DocName::memory(), "## Facts\n")?;
        say(&json!({"opened": true}))?;
        let mut toolbox = Toolbox::new(memory).with_actor(self.actor).with_tools(ToolSet::All);
        for line in io::stdin().lock().lines() {
            let answer = serde_json::from_str(&line?).map_err(Failure::from);
            let answer = answer.and_then(|request| answer_to(request, &mut toolbox));
            say(&answer.unwrap_or_else(|error| json!({"error": error.to_string()})))?;
        }
        Ok(())
    }

    fn open(&self) -> Result<Memory, Failure> {
        let memory = self.memory()?;
        Ok(match self.has_no_policy {
            true => memory,
            false => memory.with_write_policy(HousePolicy::protecting(&PROTECTED)?),
        })
    }

    #[cfg(feature = "signing")]
    fn memory(&self) -> Result<Memory, Failure> {
        use memdoc::memory::journal::{Signatures, SigningKey, Unsigned};

        let store = FileStore::open(&self.directory)?;
        let Some(file) = &self.key else { return Ok(Memory::new(store, Policy::default())?) };
        let key = SigningKey::from_bytes(fs::read(file)?.as_slice().try_into()?);
        let signatures = Signatures { keys: vec![key.verifying_key()], unsigned: Unsigned::Refused };
        Ok(Memory::new(store.signed_by(key), Policy::default())?.with_signatures(signatures))
    }

    #[cfg(not(feature = "signing"))]
    fn memory(&self) -> Result<Memory, Failure> {
        match self.key {
            Some(_) => Err("keys need the feature `signing`".into()),
            None => Ok(Memory::new(FileStore::open(&self.directory)?, Policy::default())?),
        }
    }
}

fn answer_to(request: Request, toolbox: &mut Toolbox) -> Result<Value, Failure> {
    let memory = Arc::clone(toolbox.memory());
    Ok(match request {
        Request::Call { tool, arguments, source } => {
            toolbox.set_source(source.as_deref());
            let reply = toolbox.call(&tool, &arguments);
            json!({"code": reply.code().map(Code::as_str), "text": reply.to_string()})
        }
        Request::Note { key } => json!({"text": memory.note(&key)?}),
        Request::Read { document } => json!({"text": memory.read(&document)?.text()}),
        Request::Verify => verification(&memory)?,
        Request::Quarantined => {
            let withheld = memory.quarantined()?;
            let entries = withheld.iter().map(|one| json!({"seq": one.entry.seq(), "why": one.withheld.why}));
            json!({"entries": entries.collect::<Vec<_>>()})
        }
        Request::Release { seq } => json!({"seq": memory.release(seq, &Origin::host("release"))?}),
    })
}

fn verification(memory: &Memory) -> Result<Value, Failure> {
    let found = memory.verify(None)?;
    let bad = found.findings.iter().filter(|finding| !finding.problem.is_notice()).map(ToString::to_string);
    let mut all = HistoryQuery::new();
    all.limit = usize::MAX;
    let entries = memory.history(&all)?.entries;
    let outside = entries.iter().filter(|row| row.entry.header().kind == EntryKind::External);
    Ok(json!({
        "findings": bad.collect::<Vec<_>>(),
        "outside": outside.map(|row| row.entry.seq()).collect::<Vec<_>>(),
        "checkpoint": found.checkpoint.map(|checkpoint| checkpoint.to_string()),
    }))
}

fn say(answer: &Value) -> Result<(), Failure> {
    Ok(writeln!(io::stdout(), "{answer}")?)
}
