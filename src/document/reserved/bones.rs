//! The letters of a reserved name, and how far what is read has matched them.

use super::fold::{Readings, readings_in_name};

/// How many letters of a name are compared. Behind so many, all that follows passes.
const LONGEST: usize = 126;

/// The numbers of letters that have been matched: bit `n` for `n` letters.
pub(super) type Matched = u128;

/// A reserved name, in the letters by which look-alikes are told.
#[derive(Clone, Debug, Default)]
pub(super) struct Bones {
    /// Each letter of the name once, with the places where it stands.
    places: Vec<(char, Matched)>,
    length: usize,
    is_cut: bool,
}

impl Bones {
    /// Returns the bones of a name; `None` if it has no letters and no digits.
    pub(super) fn of(name: &str) -> Option<Self> {
        let mut bones = Self { places: Vec::new(), length: 0, is_cut: false };
        for readings in name.chars().map(readings_in_name) {
            let mut letters = |reading: &String| reading.chars().count() == 1;
            if readings.first().is_some_and(&mut letters) {
                // Each of those that it is known by stands in the one place.
                bones.push(&readings.into_iter().filter(letters).collect::<String>());
            } else {
                let first = readings.into_iter().next().unwrap_or_default();
                first.chars().for_each(|letter| bones.push(letter.encode_utf8(&mut [0; 4])));
            }
        }
        (bones.length > 0).then_some(bones)
    }

    /// Adds a place for any of `letters`.
    fn push(&mut self, letters: &str) {
        self.is_cut |= self.length == LONGEST;
        if self.is_cut {
            return;
        }
        for letter in letters.chars() {
            match self.places.iter_mut().find(|(own, _)| *own == letter) {
                Some((_, places)) => *places |= 1 << self.length,
                None => self.places.push((letter, 1 << self.length)),
            }
        }
        self.length += 1;
    }

    /// Reports whether all letters may have been matched.
    pub(super) const fn is_whole(&self, matched: Matched) -> bool {
        matched & (1 << self.length) != 0
    }

    /// Returns what is matched behind one of the readings of a character.
    pub(super) fn after(&self, matched: Matched, readings: &Readings) -> Matched {
        let places = |letter: char| self.places.iter().find(|(own, _)| *own == letter).map_or(0, |(_, places)| *places);
        // Behind a name that is cut, any letter goes on with it: one within a reading, too.
        let stays = |matched: Matched| if self.is_cut { matched & (1 << self.length) } else { 0 };
        let step = |matched: Matched, letter| ((matched & places(letter)) << 1) | stays(matched);
        let read = |reading: &str| reading.chars().fold(matched, step);
        let stays = stays(matched);
        match readings {
            Readings::Plain(readings) => readings.iter().fold(stays, |all, reading| all | read(reading)),
            Readings::Folded(readings) => readings.iter().fold(stays, |all, reading| all | read(reading)),
        }
    }
}
