//! Keys: names of bullets that survive reordering, tagging and pinning.

use std::borrow::Cow;
use std::collections::BTreeMap;

use derive_more::{Display, Into};

use crate::text::{Content, Digest};

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How many characters of a key are shown that no two contents share.
const SHORT: usize = 6;

/// The key of a bullet: the first six characters of its content's SHA-256 in lower-case Crockford base 32.
///
/// Eight are shown where six are shared by two contents, and `#n` follows where several bullets have the same content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Display, Into)]
#[into(Content)]
pub struct Key(String);

impl Key {
    /// Returns the key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The bullets of a document by their contents' digits, which their keys begin with.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    /// The indexes of the bullets that have these digits, in document order.
    by_digits: BTreeMap<[u8; 8], Vec<usize>>,
    /// The digits of each bullet: a content may be long.
    digits: Vec<[u8; 8]>,
}

impl Keys {
    /// Indexes bullets, given in document order by their contents, folded.
    pub(super) fn new<'a>(contents: impl Iterator<Item = Cow<'a, str>>) -> Self {
        let mut by_digits: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let digits: Vec<_> = contents.map(|content| digits_of(&content)).collect();
        for (index, digits) in digits.iter().enumerate() {
            by_digits.entry(*digits).or_default().push(index);
        }
        Self { by_digits, digits }
    }

    /// Returns the indexes of the bullets whose contents have the digits of this one.
    pub(super) fn same_as(&self, content: &str) -> &[usize] {
        self.by_digits.get(&digits_of(content)).map_or(&[], Vec::as_slice)
    }

    /// Returns the key that names exactly the bullet of this index.
    pub(super) fn key(&self, index: usize) -> Key {
        let digits = self.digits.get(index).copied().unwrap_or_default();
        let same = self.by_digits.get(&digits).map_or(&[] as &[usize], Vec::as_slice);
        let is_shared = self.beginning(short(&digits)).nth(1).is_some();
        let shown: &[u8] = if is_shared { &digits } else { short(&digits) };
        let mut key: String = shown.iter().copied().map(char::from).collect();
        if same.len() > 1 {
            let ordinal = same.partition_point(|other| *other <= index);
            key.push_str(&format!("#{ordinal}"));
        }
        Key(key)
    }

    /// Returns the indexes of the bullets whose digits begin with `digits`, one list for each content.
    fn beginning(&self, digits: &[u8]) -> impl Iterator<Item = &Vec<usize>> {
        let mut first = [0; 8];
        for (place, digit) in first.iter_mut().zip(digits) {
            *place = *digit;
        }
        self.by_digits.range(first..).take_while(move |(all, _)| all.starts_with(digits)).map(|(_, bullets)| bullets)
    }

    /// Returns the indexes of the bullets that `text`, a key with or without `#n`, names.
    pub(super) fn named(&self, text: &str) -> Vec<usize> {
        let text = text.trim().to_ascii_lowercase();
        let (digits, ordinal) = match text.split_once('#') {
            Some((digits, ordinal)) => (digits, Some(ordinal)),
            None => (text.as_str(), None),
        };
        if digits.len() < SHORT {
            return Vec::new();
        }
        let mut named: Vec<_> = self.beginning(digits.as_bytes()).flatten().copied().collect();
        named.sort_unstable();
        if let Some(ordinal) = ordinal {
            // One alone has no number: what was numbered was another of several then.
            let number = ordinal.parse::<usize>().ok().filter(|_| named.len() > 1);
            let chosen = number.and_then(|n| n.checked_sub(1)).and_then(|n| named.get(n).copied());
            named = chosen.into_iter().collect();
        }
        named
    }
}

/// Returns those that are shown where no two contents share them.
const fn short(digits: &[u8; 8]) -> &[u8; SHORT] {
    let [short @ .., _, _] = digits;
    short
}

/// Returns the first eight characters, 40 bits, of the digest of a bullet's content, folded.
fn digits_of(content: &str) -> [u8; 8] {
    let digest = Digest::of(content.as_bytes());
    let bits = digest.as_bytes().iter().take(5).fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    let mut digits = [b'0'; 8];
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        let value = usize::try_from((bits >> (5 * place)) & 31).unwrap_or(0);
        *digit = ALPHABET.get(value).copied().unwrap_or(b'0');
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_leads_to_the_bullets_that_have_it_and_to_no_other() {
        let contents = ["a", "b", "a", ""].repeat(50);
        let keys = Keys::new(contents.iter().map(|content| Cow::Borrowed(*content)));
        assert_eq!(keys.same_as("a").len(), 100);
        assert!(keys.same_as("a").iter().all(|index| contents.get(*index) == Some(&"a")));
        assert_eq!((keys.same_as("b").len(), keys.same_as("c").len()), (50, 0));
    }
}
