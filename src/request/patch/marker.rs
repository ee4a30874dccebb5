//! What the `***` lines of a patch say.

/// What a `***` line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    BeginPatch,
    EndPatch,
    /// `*** Update Memory` or `*** Update File`.
    Update,
    EndOfFile,
    AddSection,
    DeleteSection,
    RenameSection,
    MoveSection,
    To,
    Before,
    After,
    Under,
    First,
    Last,
    /// None of these.
    Unknown,
}

const WORDS: [(&str, Word); 15] = [
    ("Begin Patch", Word::BeginPatch),
    ("End Patch", Word::EndPatch),
    ("Update Memory", Word::Update),
    ("Update File", Word::Update),
    ("End of File", Word::EndOfFile),
    ("Add Section", Word::AddSection),
    ("Delete Section", Word::DeleteSection),
    ("Rename Section", Word::RenameSection),
    ("Move Section", Word::MoveSection),
    ("To", Word::To),
    ("Before", Word::Before),
    ("After", Word::After),
    ("Under", Word::Under),
    ("First", Word::First),
    ("Last", Word::Last),
];

/// A `***` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marker<'a> {
    pub(super) word: Word,
    /// What stands behind the colon; empty without it.
    pub(super) argument: &'a str,
    /// Whether it is written in another way, such as `***Begin Patch` or `*** End Patch ***`.
    pub(super) is_odd: bool,
}

impl<'a> Marker<'a> {
    /// Reads a line; `None` if it does not look like a marker.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let rest = line.strip_prefix("***")?;
        let bare = rest.trim().trim_end_matches("***").trim_end();
        let known = WORDS.iter().find_map(|(text, word)| {
            let (said, behind) = bare.split_at_checked(text.len())?;
            let argument = behind.trim_start();
            let argument = if argument.is_empty() { Some("") } else { argument.strip_prefix(':') };
            let argument = argument.filter(|_| said.eq_ignore_ascii_case(text))?;
            Some(Self { word: *word, argument: argument.trim(), is_odd: rest.strip_prefix(' ') != Some(bare) })
        });
        let looks_so = rest.starts_with(' ') && !bare.is_empty();
        known.or_else(|| looks_so.then_some(Self { word: Word::Unknown, argument: "", is_odd: false }))
    }

    /// Returns what a line says; [`Word::Unknown`] if it is no marker.
    pub(super) fn word(line: &str) -> Word {
        Marker::of(line).map_or(Word::Unknown, |marker| marker.word)
    }
}

/// Returns the name of a document by that of its file. No document has one that ends as a file's.
pub(super) fn stem(mut name: &str) -> &str {
    while let Some(stem) = name.strip_suffix(".md") {
        name = stem.trim_end();
    }
    name
}
