//! What a single character may be read as: the plain letters that it looks like, or nothing.
//!
//! Unicode's table of confusable characters is asked about a character, its compatibility decomposition, and its lower and
//! upper case, again and again until nothing new is found: the table joins `Т` with `T`, but not `т` with `t`. What it does not
//! hold is listed here: letters in filled circles and squares, those of flags, small capitals, digits in the place of letters.

use unicode_normalization::UnicodeNormalization as _;

use crate::text::{is_hidden, is_mark};

/// How often the table is asked about what it gave.
const ROUNDS: usize = 3;

/// What a character may be read as. What is skipped over is read as nothing.
#[derive(Debug)]
pub(super) enum Readings {
    /// Those of a plain character.
    Plain(&'static [&'static str]),
    /// Those of another.
    Folded(Vec<String>),
}

/// Returns what `c` may be read as, in plain letters of lower case: those that look alike are written the same.
pub(super) fn readings(c: char) -> Readings {
    if c.is_ascii() {
        return Readings::Plain(ascii(c));
    }
    if is_hidden(c) {
        return Readings::Plain(NOTHING);
    }
    let mut read: Vec<String> = forms(c).iter().map(|form| bones(form)).collect();
    // A mark is set on another letter; a number in a circle may be that of a list.
    if is_mark(c) || !c.is_alphabetic() {
        read.push(String::new());
    }
    read.sort_unstable();
    read.dedup();
    Readings::Folded(read)
}

/// Returns what a letter of a name is known by, one in ASCII first if there is one; nothing for what is no letter.
pub(super) fn readings_in_name(c: char) -> Vec<String> {
    if !c.is_alphanumeric() {
        return Vec::new();
    }
    let mut all = match readings(c) {
        Readings::Plain(readings) => readings.iter().map(|reading| (*reading).to_owned()).collect(),
        Readings::Folded(readings) => readings,
    };
    all.retain(|reading| !reading.is_empty());
    all.sort_by_key(|reading| !reading.is_ascii());
    all
}

/// Returns all that `c` looks like, itself first.
fn forms(c: char) -> Vec<String> {
    let mut forms = vec![c.to_string()];
    forms.extend(listed(c).map(String::from));
    let mut known = 0;
    for _ in 0..ROUNDS {
        let new: Vec<String> = forms.iter().skip(known).flat_map(|form| others(form)).collect();
        known = forms.len();
        for form in new {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

/// Returns what looks like `form`.
fn others(form: &str) -> [String; 4] {
    let plain = form.nfkd().filter(|c| !is_mark(*c)).collect();
    [unicode_security::skeleton(form).collect(), plain, form.to_lowercase(), form.to_uppercase()]
}

/// Returns the letters and digits of `form`, those of ASCII as they are read first.
fn bones(form: &str) -> String {
    let mut bones = String::with_capacity(form.len());
    for c in form.nfkd().filter(|c| c.is_alphanumeric() && !is_mark(*c)).flat_map(char::to_lowercase) {
        match ascii(c).first().filter(|_| c.is_ascii()) {
            Some(reading) => bones.push_str(reading),
            None => bones.push(c),
        }
    }
    bones
}

/// A character that is skipped over.
const NOTHING: &[&str] = &[""];

/// The readings of the letters from `a` on.
const LETTERS: [&[&str]; 26] = [
    &["a"],
    &["b"],
    &["c"],
    &["cl"],
    &["e"],
    &["f"],
    &["g"],
    &["h"],
    &["l"],
    &["l"],
    &["k"],
    &["l"],
    &["rn"],
    &["n"],
    &["o"],
    &["p"],
    &["q"],
    &["r"],
    &["s"],
    &["t"],
    &["u"],
    &["u"],
    &["uu"],
    &["x"],
    &["y"],
    &["z"],
];

/// The readings of the digits from `0` on.
const DIGITS: [&[&str]; 10] = [
    &["o"],
    &["l"],
    &["2", "z"],
    &["3", "e"],
    &["4", "a"],
    &["s"],
    &["6", "b"],
    &["7", "t", "l"],
    &["8", "b"],
    &["9", "g"],
];

fn ascii(c: char) -> &'static [&'static str] {
    let nth = |list: &'static [&'static [&'static str]], from: u8| {
        let nth = u8::try_from(c).unwrap_or_default().saturating_sub(from);
        list.get(usize::from(nth)).copied().unwrap_or(NOTHING)
    };
    match c {
        'a'..='z' => nth(&LETTERS, b'a'),
        'A'..='Z' => nth(&LETTERS, b'A'),
        '0'..='9' => nth(&DIGITS, b'0'),
        // A bar looks like a letter, but is a border where a table has one.
        '|' | '!' => &["", "l"],
        '$' => &["", "s"],
        '@' => &["", "a"],
        '+' => &["", "t"],
        _ => NOTHING,
    }
}

/// Letters that the table does not hold, each behind the plain one that it looks like.
const LISTED: &[&str] = &[
    "aᴀᗩᐱ",
    "bʙᗷ",
    "cᴄᑕᑢ",
    "dᴅᗪ",
    "eᴇєэɛᕮ",
    "fꜰᖴ",
    "gɢᘜ",
    "hʜᕼ",
    "iɪ˛ͺ",
    "jᴊᒍ",
    "kᴋĸᛕ",
    "lʟᒪ",
    "mᴍʍᗰ",
    "nɴᑎ",
    "oᴏ",
    "pᴘᑭ",
    "qꞯᑫ",
    "rʀᖇ",
    "sꜱᔕᔑ",
    "tᴛ",
    "uᴜᑌ",
    "vᴠᐯ",
    "wᴡᗯ",
    "x᙭",
    "yʏ",
    "zᴢᘔ",
];

fn listed(c: char) -> Option<char> {
    let from = |start: u32, first: char| char::from_u32(u32::from(first) + u32::from(c) - start);
    match u32::from(c) {
        // Letters in filled circles, in filled squares, and those of which flags are made.
        0x1F150..=0x1F169 => from(0x1F150, 'a'),
        0x1F170..=0x1F189 => from(0x1F170, 'a'),
        0x1F1E6..=0x1F1FF => from(0x1F1E6, 'a'),
        // Digits in circles, filled or without serifs.
        0x2776..=0x277E => from(0x2776, '1'),
        0x2780..=0x2788 => from(0x2780, '1'),
        0x278A..=0x2792 => from(0x278A, '1'),
        0x24FF => Some('0'),
        _ => LISTED.iter().find(|list| list.chars().skip(1).any(|own| own == c)).and_then(|list| list.chars().next()),
    }
}
