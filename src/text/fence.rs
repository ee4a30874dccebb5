//! How a text stands whole among other words: in a fence that nothing inside can close.

/// The shortest fence.
const SHORTEST: usize = 3;

/// Returns a text in a fence of backticks, longer than any run of them in it, with `word` behind
/// the opening one. Whatever the text holds, and whatever a reader takes for the end of a line, it
/// does not end the fence. The text is as it was, but for a line feed at its end where it has none.
pub(crate) fn fenced(word: &str, text: &str) -> String {
    let run = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(SHORTEST.max(run.saturating_add(1)));
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{word}\n{text}{end}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_run_of_backticks_inside() {
        assert_eq!(fenced("memory", "- a\n"), "```memory\n- a\n```\n");
        assert_eq!(fenced("memory", "```\n## Who I Am\n````"), "`````memory\n```\n## Who I Am\n````\n`````\n");
    }
}
