//! What single code points are: invisible, bidirectional, and how they are named for a reader.

/// Reports whether `c` is a bidirectional or invisible format control (SPEC § 1.4), ZWJ and ZWNJ aside.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}')
}

/// Reports whether `c` cannot be seen, and is no space: a control or format character, or one that ends lines.
pub(crate) fn is_easily_overlooked(c: char) -> bool {
    c.is_control() || is_invisible(c) || matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2028}' | '\u{2029}')
}

/// Returns how a code point that is easily overlooked or mistaken is named in a message, such as
/// `U+201C LEFT DOUBLE QUOTATION MARK`.
pub(crate) fn code_point_name(c: char) -> String {
    let name = NAMES.iter().find(|(point, _)| *point == c).map_or("", |(_, name)| name);
    let code = u32::from(c);
    if !name.is_empty() {
        return format!("U+{code:04X} {name}");
    }
    match c {
        '\u{E0000}'..='\u{E007F}' => format!("U+{code:04X} TAG CHARACTER"),
        _ if c.is_control() => format!("U+{code:04X} CONTROL CHARACTER"),
        _ => format!("U+{code:04X} `{c}`"),
    }
}

const NAMES: &[(char, &str)] = &[
    ('\t', "TAB"),
    ('\n', "LINE FEED"),
    ('\u{0B}', "VERTICAL TAB"),
    ('\u{0C}', "FORM FEED"),
    ('\r', "CARRIAGE RETURN"),
    (' ', "SPACE"),
    ('"', "QUOTATION MARK"),
    ('\'', "APOSTROPHE"),
    ('-', "HYPHEN-MINUS"),
    ('\u{85}', "NEXT LINE"),
    ('\u{A0}', "NO-BREAK SPACE"),
    ('\u{AD}', "SOFT HYPHEN"),
    ('\u{200B}', "ZERO WIDTH SPACE"),
    ('\u{200C}', "ZERO WIDTH NON-JOINER"),
    ('\u{200D}', "ZERO WIDTH JOINER"),
    ('\u{2010}', "HYPHEN"),
    ('\u{2011}', "NON-BREAKING HYPHEN"),
    ('\u{2013}', "EN DASH"),
    ('\u{2014}', "EM DASH"),
    ('\u{2018}', "LEFT SINGLE QUOTATION MARK"),
    ('\u{2019}', "RIGHT SINGLE QUOTATION MARK"),
    ('\u{201C}', "LEFT DOUBLE QUOTATION MARK"),
    ('\u{201D}', "RIGHT DOUBLE QUOTATION MARK"),
    ('\u{2026}', "HORIZONTAL ELLIPSIS"),
    ('\u{2028}', "LINE SEPARATOR"),
    ('\u{2029}', "PARAGRAPH SEPARATOR"),
    ('\u{202A}', "LEFT-TO-RIGHT EMBEDDING"),
    ('\u{202B}', "RIGHT-TO-LEFT EMBEDDING"),
    ('\u{202C}', "POP DIRECTIONAL FORMATTING"),
    ('\u{202D}', "LEFT-TO-RIGHT OVERRIDE"),
    ('\u{202E}', "RIGHT-TO-LEFT OVERRIDE"),
    ('\u{202F}', "NARROW NO-BREAK SPACE"),
    ('\u{2060}', "WORD JOINER"),
    ('\u{2066}', "LEFT-TO-RIGHT ISOLATE"),
    ('\u{2067}', "RIGHT-TO-LEFT ISOLATE"),
    ('\u{2068}', "FIRST STRONG ISOLATE"),
    ('\u{2069}', "POP DIRECTIONAL ISOLATE"),
    ('\u{2212}', "MINUS SIGN"),
    ('\u{3000}', "IDEOGRAPHIC SPACE"),
    ('\u{FEFF}', "ZERO WIDTH NO-BREAK SPACE"),
];
