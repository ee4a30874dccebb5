//! The text that a CommonMark renderer shows, as `pulldown-cmark` parses it.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

/// The rendered text of a heading, or of one line of another block.
#[derive(Clone, Debug)]
pub(super) struct RenderedLine {
    pub(super) text: String,
    /// The part of the source that it was read from; for a heading all of it, the underline included.
    pub(super) source: Range<usize>,
    /// The number of the Markdown block that it belongs to.
    pub(super) block: usize,
}

/// Returns the rendered lines of `text`, without code blocks. Each link reference counts as defined, because its
/// definition may be elsewhere in the document.
pub(super) fn rendered(text: &str) -> Vec<RenderedLine> {
    let mut reader = Reader { source: text, ..Reader::default() };
    let mut define = |_: BrokenLink<'_>| Some((CowStr::Borrowed(""), CowStr::Borrowed("")));
    for (event, range) in events(text, &mut define) {
        reader.read(event, range);
    }
    reader.lines
}

/// Returns, for each of `headings` (offsets of lines in `text`, ascending), the start of the HTML or code block that
/// hides it, if there is one.
pub(super) fn hidden(text: &str, headings: &[usize]) -> Vec<Option<usize>> {
    let mut hidden = vec![None; headings.len()];
    for (event, range) in events(text, &mut |_| None) {
        if let Event::Start(Tag::HtmlBlock | Tag::CodeBlock(_)) = event {
            let first = headings.partition_point(|heading| *heading < range.start);
            let last = headings.partition_point(|heading| *heading < range.end);
            hidden.iter_mut().take(last).skip(first).for_each(|hidden| *hidden = Some(range.start));
        }
    }
    hidden
}

fn events<'t>(
    text: &'t str,
    define: &'t mut dyn FnMut(BrokenLink<'t>) -> Option<(CowStr<'t>, CowStr<'t>)>,
) -> impl Iterator<Item = (Event<'t>, Range<usize>)> {
    Parser::new_with_broken_link_callback(text, Options::empty(), Some(define)).into_offset_iter()
}

#[derive(Default)]
struct Reader<'t> {
    source: &'t str,
    lines: Vec<RenderedLine>,
    /// The line that is being read.
    line: Option<RenderedLine>,
    block: usize,
    is_heading: bool,
    is_code: bool,
    /// For each open link, the bracket to add at its end. `[work]` without a target keeps its brackets, since it may be
    /// a tag.
    brackets: Vec<&'static str>,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(text) | Event::Code(text) if !self.is_code => self.push(&text, range),
            Event::InlineHtml(_) => self.push("", range),
            Event::SoftBreak | Event::HardBreak if self.is_heading => self.push(" ", range),
            Event::Start(Tag::Link { link_type, .. }) => {
                let is_alone = matches!(link_type, LinkType::Shortcut | LinkType::ShortcutUnknown);
                self.push(if is_alone { "[" } else { "" }, range);
                self.brackets.push(if is_alone { "]" } else { "" });
            }
            Event::End(TagEnd::Link) => {
                let bracket = self.brackets.pop().unwrap_or_default();
                self.push(bracket, range);
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Image { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Image) => {}
            Event::SoftBreak | Event::HardBreak => self.end_line(),
            Event::Start(tag) => {
                self.end_block();
                self.is_heading = matches!(tag, Tag::Heading { .. });
                self.is_code = matches!(tag, Tag::CodeBlock(_));
                if self.is_heading {
                    self.push("", range);
                } else if tag == Tag::HtmlBlock {
                    self.show_html(range);
                }
            }
            Event::End(_) => {
                self.end_block();
                (self.is_heading, self.is_code) = (false, false);
            }
            _ => {}
        }
    }

    /// Adds text to the line.
    fn push(&mut self, text: &str, range: Range<usize>) {
        let block = self.block;
        let line = self.line.get_or_insert_with(|| RenderedLine { text: String::new(), source: range.clone(), block });
        line.text.push_str(text);
        line.source.start = line.source.start.min(range.start);
        line.source.end = line.source.end.max(range.end);
    }

    fn end_line(&mut self) {
        self.lines.extend(self.line.take());
    }

    fn end_block(&mut self) {
        self.end_line();
        self.block += 1;
    }

    /// Adds the text of an HTML block. Each byte of an HTML tag is replaced by a control character, which no name has,
    /// so that offsets stay the same.
    fn show_html(&mut self, range: Range<usize>) {
        let markup = self.source.get(range.clone()).unwrap_or_default();
        let mut chars = markup.chars().peekable();
        let (mut text, mut is_tag) = (String::with_capacity(markup.len()), false);
        while let Some(c) = chars.next() {
            let opens = |next: &char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?');
            is_tag |= c == '<' && chars.peek().is_some_and(opens);
            // A `>` outside of tags may be the mark of a block quote that the HTML block is in.
            match (is_tag || c == '>') && c != '\n' {
                true => text.extend(std::iter::repeat_n('\u{1}', c.len_utf8())),
                false => text.push(c),
            }
            is_tag &= c != '>';
        }
        let block = self.block + 1;
        for line in rendered(&text) {
            self.block = block + line.block;
            let source = range.start + line.source.start..range.start + line.source.end;
            self.lines.push(RenderedLine { source, block: self.block, ..line });
        }
    }
}
