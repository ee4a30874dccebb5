//! What goes wrong with a text between a memory and a call: some of it leaves the fact alone, most of it makes another.

/// Drops the first word, be it a marker or not.
pub fn without_marker(text: &str) -> String {
    text.split_once(' ').map_or(text, |(_, rest)| rest).to_owned()
}

/// Writes quotes, line feeds and tabs as JSON does.
pub fn escaped(text: &str) -> String {
    text.replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t").replace(['“', '”'], "\\\"")
}

/// Writes quotes, dashes, ellipses or a space in another way.
pub fn with_other_punctuation(text: &str, which: usize) -> String {
    match which {
        0 => text.replace(['“', '”'], "\"").replace(['‘', '’'], "'"),
        1 => text.replacen('"', "“", 1).replacen('"', "”", 1).replace('\'', "’"),
        2 => text.replace(['–', '−'], "-"),
        3 => text.replacen('-', "–", 1),
        4 if text.contains('…') => text.replace('…', "..."),
        4 => text.replace("...", "…"),
        _ => text.replacen(' ', "\u{A0}", 1),
    }
}

/// Changes the first digit, drops it, or adds one.
pub fn with_other_number(text: &str, which: usize) -> String {
    let Some(at) = text.find(|c: char| c.is_ascii_digit()) else { return format!("{text} 2") };
    let digit = text[at..].chars().next().and_then(|c| c.to_digit(10)).unwrap_or(0);
    let (before, after) = (&text[..at], &text[at + 1..]);
    match which {
        0 => format!("{before}{}{after}", (digit + 1) % 10),
        1 => format!("{before}{after}"),
        2 => format!("{before}{digit}{digit}{after}"),
        _ => format!("{before}{}{after}", (digit + 2) % 10),
    }
}

/// Changes a sign or drops it.
pub fn with_other_sign(text: &str, which: usize) -> String {
    let swap = |from: char, to: &str| text.replacen(from, to, 1);
    match which {
        0 => swap('+', "-"),
        1 => swap('-', "+"),
        2 => swap('-', ""),
        3 => swap('+', ""),
        4 => text.replace(['%', '°', '#', '@', '&', '±', '~', '≈'], ""),
        5 => text.replace('$', "€").replace('<', ">"),
        6 => text.replace(['$', '€', '£', '₽', '¢'], "").replace(" kr", "").replace(" zł", ""),
        _ => text.replace('\\', "/"),
    }
}

/// Changes a letter, or its case.
pub fn with_other_letter(text: &str, which: usize) -> String {
    let letters: Vec<_> = text.char_indices().filter(|(_, c)| c.is_alphabetic()).collect();
    let Some((at, c)) = letters.get(which / 2 % letters.len().max(1)).copied() else { return text.to_owned() };
    let other = if which.is_multiple_of(2) {
        "y".to_owned()
    } else {
        c.to_uppercase().chain(c.to_lowercase()).find(|o| *o != c).map(String::from).unwrap_or_default()
    };
    format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..])
}
