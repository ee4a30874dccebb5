//! The page as text: everything that is not ours is escaped.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use memdoc::memory::journal::{Entry, Seq};
use memdoc::text::{excerpt, visible};
use serde_json::Value;

use super::history::{History, Lines};
use crate::moment::local;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// How many entries are listed where there are no scripts.
const LISTED: usize = 50;

/// Returns the page behind its beginning.
pub(super) fn page(data: &Value, history: &History) -> String {
    // Nothing else is fetched, run or sent.
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    // In a script element only `<` could end the data.
    let json = data.to_string().replace('<', "\\u003c");
    let fixed = fixed(data, history);
    format!(
        "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>memdoc</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<div id=\"app\">\n{fixed}</div>\n<script type=\"application/json\" id=\"data\">{json}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Returns what is there without scripts.
fn fixed(data: &Value, history: &History) -> String {
    let mut out = String::from("<header class=\"top\"><h1>memdoc</h1>");
    let sound = if data["sound"] == true { "sound" } else { "unsound" };
    let _ = write!(
        out,
        "<p>{} entries, {sound}, {}</p></header>\n<main class=\"fixed\">\n",
        data["head"],
        escaped(data["made"].as_str().unwrap_or_default())
    );
    let entries: BTreeMap<Seq, &Entry> = history.entries.iter().map(|entry| (entry.seq(), entry)).collect();
    for (name, lines) in &history.documents {
        let _ = writeln!(out, "<section><h2>{}</h2>", escaped(name.as_str()));
        text(&mut out, lines, &entries);
        out.push_str("</section>\n");
    }
    out.push_str("<section><h2>History</h2>\n<ol class=\"entries\">\n");
    for entry in history.entries.iter().take(LISTED) {
        let header = entry.header();
        let documents: Vec<&str> = header.documents.iter().map(|link| link.name.as_str()).collect();
        let tool = header.tool.as_deref().map_or_else(|| header.kind.to_string(), str::to_owned);
        let _ = writeln!(
            out,
            "<li value=\"{}\">{} {} {} {}</li>",
            entry.seq(),
            escaped(&local(entry.time())),
            escaped(header.actor.as_str()),
            escaped(&tool),
            escaped(&documents.join(", "))
        );
    }
    out.push_str("</ol></section>\n</main>\n");
    out
}

/// Writes lines, and behind those that one entry wrote who that was.
fn text(out: &mut String, lines: &Lines, entries: &BTreeMap<Seq, &Entry>) {
    let mut writers = lines.writers.iter();
    for line in lines.text.split('\n') {
        let _ = write!(out, "<div class=\"line\"><bdi class=\"text\">{}</bdi>", escaped(line));
        let writer = writers.next().copied().flatten().filter(|_| !line.trim().is_empty());
        if let Some((seq, entry)) = writer.and_then(|seq| Some((seq, entries.get(&seq)?))) {
            let actor = excerpt(entry.header().actor.as_str(), 60);
            let tool = entry.header().tool.as_deref().unwrap_or_default();
            let when = local(entry.time());
            let _ = write!(
                out,
                "<details><summary>{seq}</summary>{} {} {}</details>",
                escaped(&actor),
                escaped(tool),
                escaped(&when)
            );
        }
        out.push_str("</div>\n");
    }
}

/// Returns text for an element: what is hidden in it is shown, and nothing in it is markup.
fn escaped(text: &str) -> String {
    let text: Vec<String> = text.split('\t').map(visible).collect();
    let mut out = String::new();
    for c in text.join("\t").chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Returns the SHA-256 of what stands in an element, as a policy names it.
fn hash(text: &str) -> String {
    use base64::Engine as _;
    use sha2::Digest as _;
    base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        let hostile = "</script><img src=x onerror='a'>&\"\u{202E}\u{0}";
        let safe = escaped(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{202E}', '\u{0}']), "{safe}");
    }
}
