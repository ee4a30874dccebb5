//! `memory_verify`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::memory::Verification;
use crate::memory::journal::Seq;
use crate::toolbox::answer::{BadRow, Done, Tell};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::{Effect, Status, ToolDefinition, refusal};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memory_verify",
    title: "Verify the journal",
    effect: Effect::Read,
    description: "Verifies that the journal of your memory is as it was written, entry by entry, and that the documents are what it made. \
        Use it when something in the memory is not what you expect. Example: {}",
    synonyms: &[],
    fields: &[],
});

/// How many notices are told.
const MOST_NOTICES: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Verified {
    /// How many entries there are.
    entries: u64,
    /// The number of the last one, and its hash.
    head: String,
    /// What is wrong.
    bad: Vec<BadRow>,
    /// What is worth knowing, though nothing is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<BadRow>,
}

impl Tell for Verified {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{} entries, the last of them {}", self.entries, self.head)?;
        self.notices.iter().try_for_each(|notice| write!(f, "\n{}", notice.problem))
    }
}

impl Reads for Arguments {
    type Told = Verified;

    fn read(self, desk: &mut Desk, _: &Call<'_>) -> Result<Done<Verified>, CallError> {
        let found = desk.memory().verify(None)?;
        if !found.is_sound() {
            return Err(refusal::broken_chain(&found).into());
        }
        let Verification { entries, head, findings, .. } = &found;
        let notices = findings.iter().map(refusal::bad).take(MOST_NOTICES).collect();
        let told = Verified {
            entries: *entries,
            head: format!("{} {}", Seq::get(head.seq), head.hash),
            bad: Vec::new(),
            notices,
        };
        Ok(Done::new(Status::Ok, told).with_message("the journal is as it was written"))
    }
}
