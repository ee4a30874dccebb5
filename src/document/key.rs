//! Keys: names of bullets that stay the same when bullets are moved, tagged or pinned.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::text::{Content, Digest, display_inner};

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The first characters of a content's digest.
type Digits = [u8; 6];

/// The key of a bullet: the first six characters of its content's SHA-256 in lower-case Crockford
/// base 32.
///
/// If several bullets share these characters, `#n` follows: the bullet is the n-th of them in document order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct Key(String);

impl Key {
    /// Returns the key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

display_inner!(Key);

impl From<Key> for Content {
    fn from(key: Key) -> Self {
        key.0.into()
    }
}

/// The bullets of a document by the digits of their contents.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    /// The indexes of the bullets that have these digits, in document order.
    by_digits: HashMap<Digits, Vec<usize>>,
    /// The digits of each bullet, so that its content is hashed only once.
    digits: Vec<Digits>,
}

impl Keys {
    /// Indexes the bullets with these contents, which are folded and in document order.
    pub(super) fn new<'a>(contents: impl Iterator<Item = Cow<'a, str>>) -> Self {
        let mut by_digits: HashMap<_, Vec<_>> = HashMap::new();
        let digits: Vec<_> = contents.map(|content| digits_of(&content)).collect();
        for (index, digits) in digits.iter().enumerate() {
            by_digits.entry(*digits).or_default().push(index);
        }
        Self { by_digits, digits }
    }

    /// Returns the key that names exactly the bullet of this index.
    pub(super) fn key(&self, index: usize) -> Key {
        let Some(digits) = self.digits.get(index) else { return Key(String::new()) };
        let mut key: String = digits.iter().copied().map(char::from).collect();
        let same = self.with(digits);
        if same.len() > 1 {
            key.push_str(&format!("#{}", same.partition_point(|other| *other <= index)));
        }
        Key(key)
    }

    /// Returns the indexes of the bullets with these digits.
    fn with(&self, digits: &[u8]) -> &[usize] {
        self.by_digits.get(digits).map_or(&[], Vec::as_slice)
    }

    /// Returns the indexes of the bullets that `text`, a key with or without `#n`, names.
    pub(super) fn named(&self, text: &str) -> Vec<usize> {
        let text = text.trim().to_ascii_lowercase();
        let Some((digits, number)) = text.split_once('#') else { return self.with(text.as_bytes()).to_vec() };
        // The only bullet with these digits has no number. `key#n` was the key of one of several bullets, and the
        // bullet that is left may be another one of them.
        let named = Some(self.with(digits.as_bytes())).filter(|named| named.len() > 1).unwrap_or_default();
        let nth = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        nth.and_then(|nth| named.get(nth)).copied().into_iter().collect()
    }
}

/// Returns the first six characters, 30 bits, of the digest of a bullet's content, folded.
fn digits_of(content: &str) -> Digits {
    let digest = Digest::of(content.as_bytes());
    let bits = digest.as_bytes().iter().take(5).fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte)) >> 10;
    std::array::from_fn(|nth| {
        let value = usize::try_from((bits >> (25 - 5 * nth)) & 31).unwrap_or(0);
        ALPHABET.get(value).copied().unwrap_or(b'0')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_leads_to_the_bullets_that_have_it_and_to_no_other() {
        let contents = ["a", "b", "a", ""].repeat(50);
        let keys = Keys::new(contents.iter().map(|content| Cow::Borrowed(*content)));
        assert_eq!(keys.with(&digits_of("a")).len(), 100);
        assert!(keys.with(&digits_of("a")).iter().all(|index| contents.get(*index) == Some(&"a")));
        assert_eq!((keys.with(&digits_of("b")).len(), keys.with(&digits_of("c")).len()), (50, 0));
    }
}
