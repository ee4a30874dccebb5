//! Memories as agents write them, of any size.

use std::fmt::Write as _;
use std::sync::Arc;

use memdoc::document::Rules;
use memdoc::text::Line;
use memdoc::{MemoryDoc, Policy};

use super::Failure;

/// A size that is measured.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) name: &'static str,
    pub(super) bytes: usize,
    /// How many documents of this size are worked on in turn.
    pub(super) documents: usize,
}

pub(super) const SIZES: [Size; 3] = [
    Size { name: "4 KiB", bytes: 4 << 10, documents: 64 },
    Size { name: "64 KiB", bytes: 64 << 10, documents: 4 },
    Size { name: "1 MiB", bytes: 1 << 20, documents: 1 },
];

/// The lines of a section, repeated under other headings until the text is large enough.
const LINES: [&str; 10] = [
    "- [work] Deadline of part NUMBER: 12 December, load tables to Aiko (田中 愛子)\n",
    "- [ttl: 30d] Waits for the soil report NUMBER\n",
    "- Prefers trains to planes under six hours; window seat, quiet coach, see note NUMBER\n",
    "  with a continuation line that says where the note NUMBER came from\n",
    "- [x] Book the hotel near Tennōji, room NUMBER\n",
    "  - Contact: Dr. Żak, +48 22 555 NUMBER\n",
    "- [pinned, person] Sister's birthday in year NUMBER: 3 March\n",
    "\n",
    "A line of prose between the lists, as people write it, number NUMBER.\n",
    "\n",
];

/// Where in a document a bullet stands that is there once.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Start,
    Middle,
    NearEnd,
}

impl Place {
    const ALL: [Self; 3] = [Self::Start, Self::Middle, Self::NearEnd];

    /// Returns the word of the bullet that edits replace by another of the same length and back.
    pub(super) const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Start => ["Tomás", "Tomáš"],
            Self::Middle => ["Denver", "Austin"],
            Self::NearEnd => ["Biscuit", "Pretzel"],
        }
    }

    const fn bullet(self) -> &'static str {
        match self {
            Self::Start => "- [person] Her partner is called Tomás and cooks\n",
            Self::Middle => "- [home] Lives in Denver, not far from the river\n",
            Self::NearEnd => "- [pet] The dog is called Biscuit and fears thunder\n",
        }
    }

    const fn is_reached(self, written: usize, of: usize) -> bool {
        match self {
            Self::Start => true,
            Self::Middle => written * 2 >= of,
            Self::NearEnd => written * 10 >= of * 9,
        }
    }
}

/// Writes a memory of about so many bytes; each `seed` is another.
pub(super) fn memory(bytes: usize, seed: usize) -> String {
    let mut text = String::from("# Memory\n\n## System/Policy\n\n- [pinned] Never store card numbers\n");
    let mut places = Place::ALL.into_iter().peekable();
    let (mut number, mut section) = (seed * 7919, 0);
    while text.len() < bytes {
        section += 1;
        let _ = write!(text, "\n## Topic {section}\n\nProfile {section}: (ID: mem{section})\n");
        for line in LINES.iter().cycle().skip(seed % LINES.len()).take(30) {
            if text.len() >= bytes {
                break;
            }
            number += 1;
            text.push_str(&line.replace("NUMBER", &number.to_string()));
            if !line.starts_with(['-', ' '])
                && let Some(place) = places.next_if(|place| place.is_reached(text.len(), bytes))
            {
                text.push_str(place.bullet());
            }
        }
    }
    places.for_each(|place| text.push_str(place.bullet()));
    text
}

/// Iterates over the lines of a text, without their endings.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    Line::all(text).map(move |line| line.text.of(text))
}

/// Returns the policy under which documents of all sizes may be edited.
pub(super) fn policy() -> Policy {
    Policy::default().with_max_bytes(4 << 20)
}

/// Reads the memories of a size.
pub(super) fn documents(size: Size) -> Result<Vec<MemoryDoc>, Failure> {
    let rules = Arc::new(Rules::new(policy())?);
    Ok((0..size.documents).map(|seed| MemoryDoc::with_rules(memory(size.bytes, seed), rules.clone())).collect())
}
