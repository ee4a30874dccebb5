//! Which source files import which, and where that goes round in a circle.
//!
//! A path such as `super::a::B` or `crate::floor::B` is an import of the file that defines the name: what a `mod.rs` only
//! declares or re-exports is followed to where it stands.

use std::collections::{BTreeMap, BTreeSet};

/// A module by its steps from the root of the crate.
type Module = Vec<String>;

/// The files that each file imports.
pub(crate) type Imports = BTreeMap<String, BTreeSet<String>>;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    /// `::`
    Step,
    Other(char),
}

/// What a file says of other modules.
#[derive(Default)]
struct Source {
    file: String,
    /// Paths that its code names, outside `use` too.
    named: Vec<Module>,
    /// What its `use` declarations call what, whether to others too or not.
    called: BTreeMap<String, Module>,
    /// What is only called so for others: no import, unless the code has the name as well.
    reexported: BTreeSet<String>,
}

/// Returns what imports what among the files of a crate, each given by its path, `src/a/b.rs`, and its text.
pub(crate) fn imports(files: &[(String, String)]) -> Imports {
    let modules: BTreeSet<Module> = files.iter().map(|(file, _)| module(file)).collect();
    let sources: BTreeMap<Module, Source> =
        files.iter().map(|(file, text)| (module(file), source(file, text, &modules))).collect();
    let mut imports = Imports::new();
    for source in sources.values() {
        let called = source.called.iter().filter(|(name, _)| !source.reexported.contains(*name)).map(|(_, path)| path);
        let found = called.chain(&source.named).filter_map(|path| defining_file(path, &sources, 0));
        imports.insert(source.file.clone(), found.filter(|file| *file != source.file).collect());
    }
    imports
}

/// Returns the circles: the greatest sets of files of which each imports each, by way of others or not.
pub(crate) fn circles(imports: &Imports) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|file| (file, reached_from(file, imports))).collect();
    let circle = |file: &String| -> Vec<String> {
        let around = reached[file].iter().filter(|other| reached[*other].contains(file));
        around.map(|other| (*other).clone()).collect()
    };
    imports.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

fn reached_from<'a>(file: &str, imports: &'a Imports) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = imports[file].iter().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(&imports[next]);
        }
    }
    reached
}

fn module(file: &str) -> Module {
    let path = file.trim_start_matches("src/").trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').filter(|step| *step != "lib").map(str::to_owned).collect()
}

/// Returns the file that defines what a path from the root names; nothing if it leaves the crate.
fn defining_file(path: &[String], sources: &BTreeMap<Module, Source>, followed: usize) -> Option<String> {
    let depth = (0..=path.len()).rev().find(|depth| sources.contains_key(&path[..*depth]))?;
    let source = &sources[&path[..depth]];
    let called = path.get(depth).and_then(|name| source.called.get(name));
    match called {
        Some(called) if followed < 16 => {
            let path: Module = called.iter().chain(&path[depth + 1..]).cloned().collect();
            defining_file(&path, sources, followed + 1)
        }
        _ => Some(source.file.clone()),
    }
}

fn source(file: &str, text: &str, modules: &BTreeSet<Module>) -> Source {
    let tokens = tokens(text);
    let mut reader = Reader {
        tokens: &tokens,
        modules,
        within: module(file),
        inner: Vec::new(),
        source: Source { file: file.to_owned(), ..Source::default() },
        words: BTreeSet::new(),
    };
    reader.read();
    let Reader { mut source, words, .. } = reader;
    source.reexported.retain(|name| !words.contains(name));
    source
}

struct Reader<'a> {
    tokens: &'a [Token],
    modules: &'a BTreeSet<Module>,
    within: Module,
    /// The depth of braces in which each inline module stands.
    inner: Vec<usize>,
    source: Source,
    /// The names in the code that is no `use`.
    words: BTreeSet<String>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let (mut at, mut depth) = (0, 0);
        while let Some(token) = self.tokens.get(at) {
            match token {
                Token::Other('{') => depth += 1,
                Token::Other('}') => {
                    depth -= 1;
                    if self.inner.pop_if(|opened| *opened == depth).is_some() {
                        self.within.pop();
                    }
                }
                Token::Name(word) if word == "mod" && self.tokens.get(at + 2) == Some(&Token::Other('{')) => {
                    self.inner.push(depth);
                    self.within.extend(self.name(at + 1));
                }
                Token::Name(word) if word == "mod" => at += 1,
                Token::Name(word) if word == "use" => {
                    at = self.read_use(at);
                    continue;
                }
                Token::Name(word) => {
                    self.words.insert(word.clone());
                    // What is behind `pub(in` says who may see something, and imports nothing.
                    let is_within = at > 1
                        && matches!(&self.tokens[at - 2..at], [Token::Other('('), Token::Name(word)] if word == "in");
                    let is_first = at == 0 || self.tokens[at - 1] != Token::Step;
                    if is_first && !is_within && self.tokens.get(at + 1) == Some(&Token::Step) {
                        let mut leaves = Vec::new();
                        self.tree(at, &Module::new(), &mut leaves);
                        let named: Vec<_> = leaves.iter().filter_map(|(path, _)| self.absolute(path)).collect();
                        self.source.named.extend(named);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn name(&self, at: usize) -> Option<String> {
        match self.tokens.get(at) {
            Some(Token::Name(name)) => Some(name.clone()),
            _ => None,
        }
    }

    /// Reads the declaration at `at` and returns where it ends.
    fn read_use(&mut self, at: usize) -> usize {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_for_others =
            matches!(before, Some(Token::Other(')'))) || matches!(before, Some(Token::Name(word)) if word == "pub");
        let mut leaves = Vec::new();
        let end = self.tree(at + 1, &Module::new(), &mut leaves);
        for (path, name) in leaves {
            let Some(path) = self.absolute(&path) else { continue };
            if is_for_others {
                self.source.reexported.insert(name.clone());
            }
            self.source.called.insert(name, path);
        }
        end
    }

    /// Reads a path or a tree of them, each with what it is called, and returns where it ends.
    fn tree(&self, mut at: usize, before: &[String], leaves: &mut Vec<(Module, String)>) -> usize {
        let mut path = before.to_vec();
        loop {
            match self.tokens.get(at) {
                Some(Token::Name(step)) => path.push(step.clone()),
                Some(Token::Other('{')) => {
                    at += 1;
                    while at < self.tokens.len() && self.tokens[at] != Token::Other('}') {
                        at = self.tree(at, &path, leaves).max(at + 1);
                        at += usize::from(self.tokens.get(at) == Some(&Token::Other(',')));
                    }
                    return at + 1;
                }
                _ => {
                    leaves.push((path, "*".to_owned()));
                    return at + 1;
                }
            }
            at += 1;
            if self.tokens.get(at) == Some(&Token::Step) {
                at += 1;
                continue;
            }
            let alias = self.name(at).filter(|word| word == "as").and_then(|_| self.name(at + 1));
            let is_itself = path.last().is_some_and(|step| step == "self") && path.len() > 1;
            path.truncate(path.len() - usize::from(is_itself));
            let name = alias.clone().or_else(|| path.last().cloned()).unwrap_or_default();
            leaves.push((path, name));
            return at + 2 * usize::from(alias.is_some());
        }
    }

    /// Returns a path as one from the root of the crate; nothing if it begins with what is no module and not called so here.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let mut from = self.within.clone();
        match first.as_str() {
            "crate" => from.clear(),
            "self" => {}
            "super" => {
                from.pop();
                let more = rest.iter().take_while(|step| *step == "super").count();
                from.truncate(from.len().saturating_sub(more));
                from.extend_from_slice(&rest[more..]);
                return Some(from);
            }
            name => {
                from.push(name.to_owned());
                if !self.modules.contains(&from) {
                    from.clone_from(self.source.called.get(name)?);
                }
            }
        }
        from.extend_from_slice(rest);
        Some(from)
    }
}

/// Returns the names and signs of a text without its comments, strings and unit tests, which stand last.
fn tokens(text: &str) -> Vec<Token> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let mut rest = text;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = literal(rest) {
            length
        } else if rest.starts_with("::") {
            tokens.push(Token::Step);
            2
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..end].to_owned()));
            end
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Other(first));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the string or character that a text begins with.
fn literal(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
    if let Some(hashes) = hashes.filter(|hashes| text[1 + hashes..].starts_with('"')) {
        let end = format!("\"{}", "#".repeat(hashes));
        return text[2 + hashes..].find(&end).map(|at| 2 + hashes + at + end.len());
    }
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let mut is_escaped = false;
    let body = text[1..].char_indices().find(|(_, c)| {
        let is_end = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    })?;
    let inner = &text[1..1 + body.0];
    // A quote without its second one within a character is that of a lifetime.
    let is_character = inner.starts_with('\\') || inner.chars().count() == 1;
    (quote == '"' || is_character).then_some(body.0 + 2)
}
