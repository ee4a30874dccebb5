//! The skeleton of a text: its letters and digits, in which characters that look alike are the same.
//!
//! A character is decomposed, looked up in Unicode's table of confusable characters, and tried in the other letter
//! case, again and again, until an ASCII letter is found. The other case is needed because the table maps Cyrillic `Т`
//! to `T`, but not `т` to `t`. Look-alikes that the table lacks are listed here.

use unicode_normalization::UnicodeNormalization as _;

use crate::text::{is_hidden, is_mark};

/// The most forms of one character that are looked up.
const ROUNDS: usize = 12;

/// Returns the skeleton of a text.
pub(super) fn skeleton(text: &str) -> String {
    short_skeleton(text, usize::MAX).unwrap_or_default()
}

/// Returns the skeleton of a text; `None` if it has more than `most` bytes. Then the rest of the text is not read.
pub(super) fn short_skeleton(text: &str, most: usize) -> Option<String> {
    let mut skeleton = String::new();
    let fits = text.chars().all(|c| {
        push(c, &mut skeleton);
        skeleton.len() <= most
    });
    fits.then_some(skeleton)
}

/// Adds the letters that `c` looks like to a skeleton. If `c` is a mark or a sign, letters that are not ASCII count
/// only if they have letter case: the table maps a dash to a letter without case.
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

/// Returns the letters that `c` looks like, in ASCII if possible; empty for a sign that looks like no letter.
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
    // A letter without an ASCII form: lower and upper case get the same form.
    let capital = unicode_security::skeleton(c.encode_utf8(&mut buffer)).collect::<String>().to_uppercase();
    letters(&unicode_security::skeleton(&capital).collect::<String>())
}

/// Returns the forms that look like `form`, and `form` in the other letter case.
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

/// Look-alikes that the table lacks: in each group, the ASCII letter first, then the letters that look like it.
const LISTED: &str =
    "aᴀᗩ bʙᗷ cᴄᑕᑢ dᴅᗪ eᴇєэɛᕮ fꜰᖴ gɢᘜ hʜᕼ iɪ˛ͺ jᴊᒍ kᴋĸᛕ lʟᒪ mᴍʍᗰ nɴᑎ oᴏ pᴘᑭ qꞯᑫ rʀᖇ sꜱᔕᔑ tᴛ uᴜᑌ vᴠᐯ wᴡᗯ x᙭ yʏ zᴢᘔ";

fn listed(c: char) -> Option<char> {
    // Runs of code points: letters in filled circles and squares, regional indicators (flags), digits in circles. Each
    // is the first code point, what it looks like, and the length of the run.
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
