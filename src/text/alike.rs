//! How alike two texts are, by the pairs of letters that they have in common.

/// How many bytes of a text are compared.
const LONGEST: usize = 4_000;

/// The pairs of neighboring bytes of a text, without regard to the letter case of ASCII.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// For each pair whether the text has it, 1 or 0.
    has: Box<[u8; 1 << 16]>,
    count: usize,
}

impl Pairs {
    pub(crate) fn of(text: &str) -> Self {
        let (text, mut has) = (text.to_ascii_lowercase(), Box::new([0; 1 << 16]));
        for pair in pairs(&text) {
            if let Some(has) = has.get_mut(usize::from(pair)) {
                *has = 1;
            }
        }
        Self { has, count: pairs(&text).count() }
    }

    /// Returns the share of pairs, from 0 to 1, that this text and another one in small letters have
    /// in common (Dice's coefficient); texts without any are alike.
    pub(crate) fn likeness(&self, lower: &str) -> f32 {
        let (shared, count) = self.shared(lower);
        if self.count + count == 0 { 1.0 } else { share(2 * shared, self.count + count) }
    }

    /// Returns a rank of a text in small letters: the higher, the more pairs of this text the other
    /// has, and the fewer others.
    pub(crate) fn rank(&self, lower: &str) -> f32 {
        let (shared, count) = self.shared(lower);
        share(shared, self.count) + share(2 * shared, self.count + count)
    }

    /// Returns how many pairs of another text this one has, too, and how many there are.
    fn shared(&self, lower: &str) -> (usize, usize) {
        let has = |pair| self.has.get(usize::from(pair)).copied().map_or(0, usize::from);
        let (shared, count) = pairs(lower).fold((0, 0), |(shared, count), pair| (shared + has(pair), count + 1));
        (shared.min(self.count), count)
    }
}

#[expect(clippy::cast_precision_loss, reason = "so few pairs are exact")]
fn share(part: usize, all: usize) -> f32 {
    part as f32 / all.max(1) as f32
}

/// Iterates over the pairs of neighboring bytes, of a long text those at its beginning.
fn pairs(text: &str) -> impl Iterator<Item = u16> + '_ {
    let bytes = text.as_bytes().get(..LONGEST).unwrap_or(text.as_bytes());
    bytes.iter().zip(bytes.iter().skip(1)).map(|(one, other)| u16::from_be_bytes([*one, *other]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_a_text_has_all_of_its_pairs() {
        let pairs = Pairs::of("Lives in Denver");
        let rank = |other: &str| pairs.rank(&other.to_ascii_lowercase());
        assert!(rank("- LIVES in denver, with Ana") > rank("- Lives in Dover"));
        assert!(rank("- Lives in Dover") > rank("- Likes tea"));
        assert_eq!((rank(""), rank("xq"), Pairs::of("").rank("x")), (0.0, 0.0, 0.0));
    }

    #[test]
    fn the_same_text_is_most_alike() {
        assert!(Pairs::of("abc").likeness("abc") >= 1.0 && Pairs::of("").likeness("") >= 1.0);
        assert!(Pairs::of("abc").likeness("xyz") <= 0.0);
    }
}
