//! Keys: names of bullets that survive reordering, tagging and pinning.

use std::collections::HashMap;
use std::fmt;

use super::outline::BulletId;
use crate::text::Digest;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The key of a bullet: the first six characters of its content's SHA-256 in lower-case Crockford base 32.
///
/// Eight are shown where six are shared by two contents, and `#n` follows where several bullets have the same content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl Key {
    /// Returns the key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The keys of all bullets of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    digits: Vec<[u8; 8]>,
    /// For each bullet which one of its content it is, from 1.
    ordinals: Vec<usize>,
    /// How many bullets have these digits.
    counts: HashMap<[u8; 8], usize>,
    /// Bullets by the six digits that their keys begin with, in document order.
    by_short: HashMap<[u8; 6], Vec<usize>>,
}

impl Keys {
    /// Computes the keys of bullets with these digests of folded content, in document order.
    pub(super) fn new(digests: impl Iterator<Item = Digest>) -> Self {
        let digits: Vec<_> = digests.map(|digest| eight_digits(&digest)).collect();
        let mut by_short: HashMap<_, Vec<_>> = HashMap::new();
        let mut counts: HashMap<_, usize> = HashMap::new();
        let mut ordinals = Vec::with_capacity(digits.len());
        for (bullet, digits) in digits.iter().enumerate() {
            by_short.entry(short(digits)).or_default().push(bullet);
            let count = counts.entry(*digits).or_default();
            *count += 1;
            ordinals.push(*count);
        }
        Self { digits, ordinals, counts, by_short }
    }

    /// Returns the key that names exactly this bullet.
    pub(super) fn key(&self, id: BulletId) -> Option<Key> {
        let digits = self.digits.get(id.0)?;
        let sharing = self.by_short.get(&short(digits)).map_or(0, Vec::len);
        let same = self.counts.get(digits).copied().unwrap_or(1);
        let shown: &[u8] = if same < sharing { digits } else { digits.get(..6)? };
        let mut key: String = shown.iter().copied().map(char::from).collect();
        if same > 1 {
            key.push_str(&format!("#{}", self.ordinals.get(id.0)?));
        }
        Some(Key(key))
    }

    /// Returns the bullets that `text`, a key with or without `#n`, names.
    pub(super) fn named(&self, text: &str) -> Vec<BulletId> {
        let text = text.trim().to_ascii_lowercase();
        let (digits, ordinal) = match text.split_once('#') {
            Some((digits, ordinal)) => (digits, Some(ordinal)),
            None => (text.as_str(), None),
        };
        let Some(Ok(short)) = digits.as_bytes().get(..6).map(<[u8; 6]>::try_from) else { return Vec::new() };
        let begins = |bullet: &&usize| self.digits.get(**bullet).is_some_and(|all| all.starts_with(digits.as_bytes()));
        let sharing = self.by_short.get(&short).map_or(&[] as &[usize], Vec::as_slice);
        let mut named: Vec<_> = sharing.iter().filter(begins).map(|bullet| BulletId(*bullet)).collect();
        if let Some(ordinal) = ordinal {
            let chosen =
                ordinal.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).and_then(|n| named.get(n).copied());
            named = chosen.into_iter().collect();
        }
        named
    }
}

fn short(digits: &[u8; 8]) -> [u8; 6] {
    let [a, b, c, d, e, f, ..] = *digits;
    [a, b, c, d, e, f]
}

/// Returns the first eight characters, 40 bits, of a digest.
fn eight_digits(digest: &Digest) -> [u8; 8] {
    let bits = digest.as_bytes().iter().take(5).fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    let mut digits = [b'0'; 8];
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        let value = usize::try_from((bits >> (5 * place)) & 31).unwrap_or(0);
        *digit = ALPHABET.get(value).copied().unwrap_or(b'0');
    }
    digits
}
