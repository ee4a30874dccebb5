//! Every place where bytes stand in others, also where such places overlap.

use memchr::memmem;

/// Returns where `needle` begins in `haystack`, in time linear in both; places that share bytes
/// included.
pub(crate) fn positions(haystack: &[u8], needle: &[u8]) -> Vec<usize> {
    let first = if needle.is_empty() { None } else { memmem::find(haystack, needle) };
    let Some(first) = first else { return Vec::new() };
    let rest = haystack.get(first..).unwrap_or_default();
    let borders = borders(needle);
    if borders.last().is_none_or(|border| *border == 0) {
        return memmem::find_iter(rest, needle).map(|at| first + at).collect();
    }
    // Only a text that ends as it begins can overlap itself; then every start is looked at (Knuth,
    // Morris, Pratt).
    let (mut found, mut matched) = (Vec::new(), 0);
    for (at, byte) in (first..).zip(rest) {
        matched = extend(needle, &borders, matched, *byte);
        if matched == needle.len() {
            found.push(at + 1 - matched);
            matched = borders.last().copied().unwrap_or(0);
        }
    }
    found
}

/// Returns, for each prefix of `needle`, how much of its start it also ends with.
fn borders(needle: &[u8]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(needle.len());
    let mut matched = 0;
    for (at, byte) in needle.iter().enumerate() {
        matched = if at == 0 { 0 } else { extend(needle, &borders, matched, *byte) };
        borders.push(matched);
    }
    borders
}

fn extend(needle: &[u8], borders: &[usize], mut matched: usize, byte: u8) -> usize {
    while needle.get(matched) != Some(&byte) {
        match matched.checked_sub(1).and_then(|last| borders.get(last)) {
            Some(border) => matched = *border,
            None => return 0,
        }
    }
    matched + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, needle: &str) -> Vec<usize> {
        positions(text.as_bytes(), needle.as_bytes())
    }

    #[test]
    fn every_occurrence_is_found_those_that_overlap_too() {
        assert_eq!(all("aaa", "aa"), [0, 1]);
        assert_eq!(all("abab", "ab"), [0, 2]);
        assert_eq!(all("ababab", "abab"), [0, 2]);
        assert_eq!(all("abcab", "abcab"), [0]);
        assert!(all("a", "aa").is_empty());
    }
}
