//! [`TextHash`]: the revision of a document. After an edit, only the text from the first change on is hashed again.

use sha2::{Digest as _, Sha256};

use crate::text::{Hex, Revision};

/// How many bytes of text lie between two saved states of the hash.
const STRIDE: usize = 4096;

/// The revision of a text, and the state of the hash after every 4 KiB. A text with the same beginning is hashed from
/// the last state in that beginning on.
#[derive(Clone)]
pub(super) struct TextHash {
    pub(super) revision: Revision,
    // Invariant: the n-th state, from 1, is that after n times 4 KiB.
    states: Vec<Sha256>,
}

impl TextHash {
    /// Hashes `text`. Its first `same` bytes are those of the text of `before`.
    pub(super) fn of(text: &str, before: Option<&Self>, same: usize) -> Self {
        let mut states = Vec::with_capacity(text.len() / STRIDE);
        states.extend(before.iter().flat_map(|before| &before.states).take(same / STRIDE).cloned());
        let mut hash = states.last().cloned().unwrap_or_default();
        let rest = text.as_bytes().get(states.len() * STRIDE..).unwrap_or_default();
        let mut strides = rest.chunks_exact(STRIDE);
        for stride in &mut strides {
            hash.update(stride);
            states.push(hash.clone());
        }
        hash.update(strides.remainder());
        Self { revision: Revision(Hex(hash.finalize().into())), states }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hashed_from_a_state_on_has_the_revision_of_the_whole() {
        let lengths = [0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 20_000];
        for (before, after) in lengths.iter().flat_map(|before| lengths.map(|after| (*before, after))) {
            for same in lengths.into_iter().filter(|same| *same <= before.min(after)) {
                let hashed = TextHash::of(&"a".repeat(before), None, 0);
                let next = "a".repeat(same) + &"b".repeat(after - same);
                let hashed = TextHash::of(&next, Some(&hashed), same);
                assert_eq!(hashed.revision, Revision::of(&next), "{before} {after} {same}");
                assert_eq!(
                    TextHash::of(&next, Some(&hashed), after).revision,
                    Revision::of(&next),
                    "{before} {after} {same}"
                );
            }
        }
    }
}
