//! [`BlockTable`]: which versions the core blocks are at, as each entry says that changes their document.
//!
//! It stands in the header, so that versions can be counted on whatever is erased; labels are the host's and no secret.

use serde::{Deserialize, Serialize};

use super::Seq;

/// The versions that core blocks are at after an entry, in the order of their labels. Blocks that were never set are not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlockTable(Vec<BlockRow>);

/// The latest version of one block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRow {
    /// The block.
    pub label: Box<str>,
    /// The number of the version, from 1.
    pub version: u64,
    /// The entry that made it; `None` in the very entry that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<Seq>,
    /// Whether it stands in every prompt.
    pub is_core: bool,
}

impl BlockTable {
    /// Returns the row of a block.
    pub fn row(&self, label: &str) -> Option<&BlockRow> {
        let at = self.0.binary_search_by(|row| (*row.label).cmp(label)).ok()?;
        self.0.get(at)
    }

    /// Returns the version that the entry itself has made.
    pub fn made(&self) -> Option<&BlockRow> {
        self.0.iter().find(|row| row.seq.is_none())
    }

    /// Returns the table of the entry `seq` as others see it: every row names its entry.
    #[must_use]
    pub fn of_entry(&self, seq: Seq) -> Self {
        Self(self.0.iter().map(|row| BlockRow { seq: row.seq.or(Some(seq)), ..row.clone() }).collect())
    }

    /// Puts a row in the place of that of the same block.
    pub fn set(&mut self, row: BlockRow) {
        match self.0.binary_search_by(|own| own.label.cmp(&row.label)) {
            Ok(at) => self.0.splice(at..=at, [row]).for_each(drop),
            Err(at) => self.0.insert(at, row),
        }
    }
}
