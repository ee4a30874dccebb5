//! [`Output`]: what a command prints, for people or as JSON, all at once and through a pager where it is long.

use std::env;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

use memdoc::text::visible;
use serde_json::{Value, json};

use crate::arguments::{Options, When};

/// A color, or another way to stand out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
    Removed,
    Added,
    Accent,
}

impl Style {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "\x1b[1m",
            Self::Dim => "\x1b[2m",
            Self::Removed => "\x1b[31m",
            Self::Added => "\x1b[32m",
            Self::Accent => "\x1b[36m",
        }
    }
}

/// What is printed in the end.
#[derive(Debug)]
pub(crate) struct Output {
    text: String,
    is_terminal: bool,
    is_colored: bool,
    is_json: bool,
    is_quiet: bool,
    has_pager: bool,
    /// The pager of the user's settings.
    pager: Option<String>,
}

impl Output {
    pub(crate) fn new(options: &Options) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_forced = env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_colored = match options.settings.color.filter(|_| options.color == When::Auto).unwrap_or(options.color) {
            When::Always => true,
            When::Never => false,
            When::Auto => is_forced || is_terminal && !is_dumb && !is_set("NO_COLOR"),
        };
        Self {
            text: String::new(),
            is_terminal,
            is_colored: is_colored && !options.json,
            is_json: options.json,
            is_quiet: options.quiet,
            has_pager: !options.no_pager && !options.json && io::stdin().is_terminal(),
            pager: options.settings.pager.clone(),
        }
    }

    pub(crate) const fn is_json(&self) -> bool {
        self.is_json
    }

    /// Returns how many lines the screen has; `None` where nobody looks at one.
    pub(crate) fn screen_lines(&self) -> Option<usize> {
        let size = self.is_terminal.then(terminal_size::terminal_size).flatten();
        size.map(|(_, height)| usize::from(height.0))
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref().trim_end_matches(' '));
        self.text.push('\n');
    }

    /// Adds a value on a line of its own.
    pub(crate) fn json(&mut self, value: &Value) {
        self.text.push_str(&value.to_string());
        self.text.push('\n');
    }

    /// Adds text as it is.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Returns a text in a style.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        let code = style.code();
        if self.is_colored && !code.is_empty() && !text.is_empty() {
            format!("{code}{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Returns text of the memory, of one line or several: on a terminal what is hidden in it is shown.
    pub(crate) fn shown(&self, text: &str) -> String {
        if !self.is_terminal {
            return text.to_owned();
        }
        let piece = |piece: &str| {
            let body = piece.trim_end_matches(' ');
            visible(body) + piece.get(body.len()..).unwrap_or_default()
        };
        let line = |line: &str| line.split('\t').map(piece).collect::<Vec<_>>().join("\t");
        text.split('\n').map(|text| line(text.strip_suffix('\r').unwrap_or(text))).collect::<Vec<_>>().join("\n")
    }

    /// Adds a unified diff, its lines colored.
    pub(crate) fn diff(&mut self, diff: &str) {
        for line in diff.lines() {
            let style = match line.as_bytes() {
                [b'-', b'-', b'-', b' ', ..] | [b'+', b'+', b'+', b' ', ..] => Style::Bold,
                [b'@', b'@', ..] => Style::Accent,
                [b'-', ..] => Style::Removed,
                [b'+', ..] => Style::Added,
                _ => Style::Plain,
            };
            let line = self.paint(style, &self.shown(line));
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// Adds rows with their cells below one another. A heading that begins with `>` is that of numbers, which end together.
    pub(crate) fn table(&mut self, headings: &[&str], rows: &[Vec<String>]) {
        let is_number = |column: usize| headings.get(column).is_some_and(|heading| heading.starts_with('>'));
        let titles: Vec<String> = headings.iter().map(|heading| heading.trim_start_matches('>').to_owned()).collect();
        let has_titles = titles.iter().any(|title| !title.is_empty());
        let all = || has_titles.then_some(&titles).into_iter().chain(rows);
        let width = |column: usize| {
            all().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..headings.len()).map(width).collect();
        let lines: Vec<String> = all()
            .map(|row| {
                let cells =
                    row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match is_number(column) {
                        true => format!("{cell:>width$}"),
                        false => format!("{cell:<width$}"),
                    });
                format!("  {}", cells.collect::<Vec<_>>().join("  "))
            })
            .collect();
        for (index, line) in lines.iter().enumerate() {
            let style = if has_titles && index == 0 { Style::Dim } else { Style::Plain };
            let line = self.paint(style, line.trim_end());
            self.line(line);
        }
    }

    /// Says something on standard error, unless nothing is to be said.
    pub(crate) fn note(&self, text: &str) {
        if !self.is_quiet && !self.is_json {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Says what was not done, since it was only to be tried.
    pub(crate) fn preview(&mut self, text: &str) {
        if self.is_json {
            self.json(&json!({"status": "preview", "message": text}));
        } else {
            self.note(text);
        }
    }

    /// Prints what there is so far, and asks a question whose answer is no unless it begins with `y`.
    pub(crate) fn asks(&mut self, question: &str) -> io::Result<bool> {
        self.flush()?;
        write!(io::stderr(), "{question} [y/N] ")?;
        io::stderr().flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !io::stdin().is_terminal() {
            writeln!(io::stderr())?;
        }
        Ok(answer.trim_start().starts_with(['y', 'Y']))
    }

    /// Prints what there is so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Prints the rest, through the user's pager if it is longer than the screen.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let is_long = self.screen_lines().is_some_and(|lines| self.text.lines().count() >= lines);
        if !(self.has_pager && is_long) {
            return self.flush();
        }
        let own = env::var("MEMDOC_PAGER").ok().or_else(|| self.pager.clone());
        let pager = own.or_else(|| env::var("PAGER").ok()).unwrap_or_else(|| "less".to_owned());
        if pager.trim().is_empty() || pager.trim() == "cat" {
            return self.flush();
        }
        // As a shell does, since people write options into the variable.
        let started = Command::new("sh").args(["-c", &pager]).env("LESS", "FRX").stdin(Stdio::piped()).spawn();
        let Ok(mut pager) = started else { return self.flush() };
        let written = pager.stdin.take().map_or(Ok(()), |mut input| input.write_all(self.text.as_bytes()));
        let status = pager.wait()?;
        match written {
            // Whoever has read enough closes the pager.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ if status.code() == Some(127) => self.flush(),
            _ => Ok(()),
        }
    }
}
