//! The skeleton of a text: its letters and digits, with those that look alike written the same.
//!
//! A character is decomposed, looked up in Unicode's table of confusable characters, and tried in
//! the other case, until a plain letter comes out: the table joins `Т` with `T`, but not `т` with
//! `t`. What it does not hold is listed here.

use unicode_normalization::UnicodeNormalization as _;

use crate::text::{is_hidden, is_mark};

/// How often the table is asked about one character.
const ROUNDS: usize = 12;

/// Returns the skeleton of a text.
pub(super) fn skeleton(text: &str) -> String {
    short_skeleton(text, usize::MAX).unwrap_or_default()
}

/// Returns the skeleton of a text if it has at most `most` bytes. No more of the text is read than shows it.
pub(super) fn short_skeleton(text: &str, most: usize) -> Option<String> {
    let mut skeleton = String::new();
    let fits = text.chars().all(|c| {
        push(c, &mut skeleton);
        skeleton.len() <= most
    });
    fits.then_some(skeleton)
}

/// Adds the letters that `c` looks like to a skeleton; of a mark or a sign, only those with case:
/// the table takes a dash for a letter, too.
fn push(c: char, skeleton: &mut String) {
    if c.is_ascii() {
        return push_ascii(c, skeleton);
    }
    if is_hidden(c) {
        return;
    }
    let is_letter = c.is_alphanumeric() && !is_mark(c);
    for letter in plain(c).chars() {
        match letter.is_ascii() {
            true => push_ascii(letter, skeleton),
            false if is_letter || letter.is_lowercase() || letter.is_uppercase() => skeleton.push(letter),
            false => {}
        }
    }
}

fn push_ascii(c: char, skeleton: &mut String) {
    let letter = match c.to_ascii_lowercase() {
        '0' => 'o',
        '1' | 'i' | '!' | '|' => 'l',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '8' => 'b',
        'm' => return skeleton.push_str("rn"),
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => return,
    };
    skeleton.push(letter);
}

/// Returns what `c` looks like, in ASCII if possible.
fn plain(c: char) -> String {
    let mut buffer = [0; 4];
    // Most signs look like nothing else.
    if !c.is_alphanumeric() && listed(c).is_none() {
        let known = unicode_security::skeleton(c.encode_utf8(&mut buffer)).chain([c].into_iter().nfkd());
        if known.chain(c.to_lowercase()).chain(c.to_uppercase()).all(|form| form == c) {
            return String::new();
        }
    }
    let mut forms = vec![listed(c).unwrap_or(c).to_string()];
    for round in 0..ROUNDS {
        let Some(form) = forms.get(round) else { break };
        let letters = letters(form);
        if form.is_ascii() {
            return form.clone();
        }
        if letters.is_ascii() && !letters.is_empty() {
            return letters;
        }
        for other in alike(form) {
            if !forms.contains(&other) {
                forms.push(other);
            }
        }
    }
    // Small letters and capitals that are no ASCII have one form.
    let capital = unicode_security::skeleton(c.encode_utf8(&mut buffer)).collect::<String>().to_uppercase();
    letters(&unicode_security::skeleton(&capital).collect::<String>())
}

/// Returns what looks like `form`, or is the same but for case.
fn alike(form: &str) -> Vec<String> {
    let plain = form.nfkd().filter(|c| !is_mark(*c)).collect();
    let mut alike = vec![unicode_security::skeleton(form).collect(), plain];
    let cases = [form.to_lowercase(), form.to_uppercase()];
    alike.extend(cases.into_iter().filter(|other| other.chars().count() == form.chars().count()));
    alike
}

fn letters(form: &str) -> String {
    form.nfkd().filter(|c| c.is_alphanumeric() && !is_mark(*c)).collect()
}

/// Letters that the table does not hold, each behind the plain one that it looks like.
const LISTED: &str =
    "aᴀᗩ bʙᗷ cᴄᑕᑢ dᴅᗪ eᴇєэɛᕮ fꜰᖴ gɢᘜ hʜᕼ iɪ˛ͺ jᴊᒍ kᴋĸᛕ lʟᒪ mᴍʍᗰ nɴᑎ oᴏ pᴘᑭ qꞯᑫ rʀᖇ sꜱᔕᔑ tᴛ uᴜᑌ vᴠᐯ wᴡᗯ x᙭ yʏ zᴢᘔ";

fn listed(c: char) -> Option<char> {
    // Letters in filled circles and squares, those of flags, digits in circles: runs from a first
    // one on.
    const RUNS: [(char, char, u32); 7] = [
        ('\u{1F150}', 'a', 26),
        ('\u{1F170}', 'a', 26),
        ('\u{1F1E6}', 'a', 26),
        ('\u{2776}', '1', 9),
        ('\u{2780}', '1', 9),
        ('\u{278A}', '1', 9),
        ('\u{24FF}', '0', 1),
    ];
    let run = RUNS.iter().find_map(|(start, first, count)| {
        let nth = u32::from(c).checked_sub(u32::from(*start)).filter(|nth| nth < count)?;
        char::from_u32(u32::from(*first) + nth)
    });
    let is_listed = LISTED.contains(c);
    run.or_else(|| {
        LISTED.split(' ').filter(|_| is_listed).find(|list| list.contains(c)).and_then(|list| list.chars().next())
    })
}
