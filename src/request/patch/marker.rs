//! What the `***` lines of a patch say.

/// What a `***` line says, without its stars.
///
/// `***Begin Patch` and a trailing ` ***` are understood; the flag tells that they were.
pub(super) fn marker(line: &str) -> Option<(&str, bool)> {
    let rest = line.strip_prefix("***")?;
    let said = rest.strip_prefix(' ');
    let text = said.unwrap_or(rest).trim_end();
    let stripped = text.strip_suffix("***").filter(|text| text.ends_with(' ')).map(str::trim_end);
    Some((stripped.unwrap_or(text), said.is_none() || stripped.is_some()))
}

/// Reads `Update Memory`, `Update Memory: NAME` and `Update File: NAME.md`.
pub(super) fn document_name(said: &str) -> Option<Option<String>> {
    if said.eq_ignore_ascii_case("Update Memory") {
        return Some(None);
    }
    let name = named(said, "Update Memory").or_else(|| named(said, "Update File"))?;
    let name = stem(name);
    Some(Some(name).filter(|name| !name.is_empty()).map(str::to_owned))
}

/// Returns the name of a document by that of its file. No document has one that ends as a file's.
pub(super) fn stem(mut name: &str) -> &str {
    while let Some(stem) = name.strip_suffix(".md") {
        name = stem.trim_end();
    }
    name
}

/// Returns the name behind `KEYWORD:`.
pub(super) fn named<'a>(said: &'a str, keyword: &str) -> Option<&'a str> {
    let (word, name) = said.split_once(':')?;
    word.eq_ignore_ascii_case(keyword).then(|| name.trim())
}

/// Reports whether what a `***` line says begins an operation on a section.
pub(super) fn is_section_operation(said: &str) -> bool {
    ["Add Section", "Delete Section", "Rename Section", "Move Section"]
        .iter()
        .any(|keyword| named(said, keyword).is_some())
}
