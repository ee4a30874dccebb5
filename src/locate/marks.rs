//! The marks of Markdown that a name is called with: `## Facts`, `**Facts**`, `Facts:`.
//!
//! They are taken from the called name only, never from one in the document, and only where they
//! are no part of a word: all letters, digits and other signs stay, so that `C#` is never `C`.

use crate::document::heading;

/// How many marks around one another are taken away.
const DEEPEST: usize = 6;
/// What may stand around a name.
const AROUND: [(&str, &str); 8] = [
    ("**", "**"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("\u{201C}", "\u{201D}"),
    ("\u{2018}", "\u{2019}"),
    ("\u{201E}", "\u{201C}"),
    ("\u{AB}", "\u{BB}"),
];

/// Returns what a called name may mean: the name itself, then with ever more marks taken away, at
/// last from each title of a path.
pub(crate) fn readings(name: &str) -> Vec<String> {
    let mut readings: Vec<String> = layers(name).map(str::to_owned).collect();
    let titles = name.split('>').map(|title| layers(title).last().unwrap_or(title).trim());
    let path = titles.collect::<Vec<_>>().join(" > ");
    if name.contains('>') && path != name {
        readings.push(path);
    }
    readings
}

/// Returns the level that `#`s before a called title name; `None` for a path, of which they would
/// name only the first title.
pub(super) fn level(name: &str) -> Option<u8> {
    Some(heading(name.trim()).filter(|_| !name.contains('>'))?.level)
}

/// Returns a called name without any marks.
pub(super) fn bare(name: &str) -> String {
    readings(name).pop().unwrap_or_default()
}

/// Returns what the called name of a block may mean: its ID may be written as its header does.
pub(super) fn block_readings(name: &str) -> Vec<String> {
    let mut readings = readings(name);
    let bare = readings.last().map_or(name, String::as_str).trim();
    let inner = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(bare);
    if let Some(id) = inner.strip_prefix("ID:").map(str::trim).filter(|id| !id.is_empty()) {
        readings.push(id.to_owned());
    }
    readings
}

fn layers(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| unwrapped(name)).take(1 + DEEPEST)
}

/// Returns the name without the outermost mark.
fn unwrapped(name: &str) -> Option<&str> {
    let name = name.trim();
    let of_heading = || name.get(heading(name).filter(|heading| heading.id.is_none())?.title);
    let of_anchor = || match name.strip_prefix("@@") {
        Some(rest) => Some(rest.strip_suffix("@@").unwrap_or(rest)),
        // The others are those of the line that names it.
        None => name.strip_suffix(" @@"),
    };
    let enclosed = || {
        AROUND.iter().find_map(|(open, close)| {
            let inner = name.strip_prefix(open)?.strip_suffix(close)?;
            Some(inner).filter(|inner| !inner.contains(open) && !inner.contains(close))
        })
    };
    let bare = of_heading().or_else(of_anchor).or_else(enclosed).or_else(|| name.strip_suffix(':'))?;
    Some(bare.trim()).filter(|bare| !bare.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{bare, block_readings, readings};

    #[test]
    fn marks_are_taken_away_one_by_one() {
        assert_eq!(readings("## **Facts**:"), ["## **Facts**:", "**Facts**:", "**Facts**", "Facts"]);
        assert_eq!(bare("@@ \"Facts\" @@"), "Facts");
        assert_eq!(bare("## A ## > `B`"), "A > B");
        assert_eq!(block_readings("`(ID: mem1)`"), ["`(ID: mem1)`", "(ID: mem1)", "mem1"]);
    }

    #[test]
    fn signs_of_a_word_stay() {
        for name in ["C#", "#Tag", "1)", "F# #", "\"A\" and \"B\"", "**A** or **B**", ":", "# ", "-x-"] {
            assert_eq!(readings(name), [name]);
        }
        assert_eq!(readings("## C# ##"), ["## C# ##", "C#"]);
    }
}
