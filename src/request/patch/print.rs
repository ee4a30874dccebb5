//! A patch as text: what the parser reads back as the same patch.

use std::fmt;

use super::{DocumentPatch, Hunk, Patch, PatchPart, SectionOp, SectionPlace};

impl fmt::Display for Patch {
    /// Writes the patch. A CR at the end of a line's text would be read as part of its ending, so that a patch which has one
    /// is written with CRLF: then the last CR alone is the ending's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents: String = self.documents.iter().map(ToString::to_string).collect();
        let patch = format!("*** Begin Patch\n{documents}*** End Patch\n");
        if patch.contains("\r\n") { f.write_str(&patch.replace('\n', "\r\n")) } else { f.write_str(&patch) }
    }
}

impl fmt::Display for DocumentPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The anchors of a hunk without lines would become those of the hunk behind it.
        let is_open = |part: &PatchPart| matches!(part, PatchPart::Hunk(hunk) if hunk.lines.is_empty() && !hunk.is_at_end_of_file);
        let mut needs_header = true;
        for part in &self.parts {
            if needs_header {
                self.header(f)?;
            }
            match part {
                PatchPart::Hunk(hunk) => hunk.fmt(f)?,
                PatchPart::Section(operation) => operation.fmt(f)?,
            }
            needs_header = is_open(part);
        }
        if self.parts.is_empty() { self.header(f) } else { Ok(()) }
    }
}

impl DocumentPatch {
    fn header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.document {
            Some(name) => writeln!(f, "*** Update Memory: {name}"),
            None => writeln!(f, "*** Update Memory"),
        }
    }
}

impl fmt::Display for Hunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_line_numbers {
            writeln!(f, "@@ -0,0 +0,0 @@")?;
        } else if self.anchors.is_empty() {
            writeln!(f, "@@")?;
        }
        self.anchors.iter().try_for_each(|anchor| writeln!(f, "{anchor}"))?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{}{}", line.op.as_char(), line.text))?;
        if self.is_at_end_of_file {
            writeln!(f, "*** End of File")?;
        }
        Ok(())
    }
}

impl fmt::Display for SectionOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add { title, lines, place } => {
                writeln!(f, "*** Add Section: {title}")?;
                lines.iter().try_for_each(|line| writeln!(f, "+{line}"))?;
                place.as_ref().map_or(Ok(()), |place| place.fmt(f))
            }
            Self::Delete { section } => writeln!(f, "*** Delete Section: {section}"),
            Self::Rename { section, title } => writeln!(f, "*** Rename Section: {section}\n*** To: {title}"),
            Self::Move { section, place } => {
                writeln!(f, "*** Move Section: {section}")?;
                place.fmt(f)
            }
        }
    }
}

impl fmt::Display for SectionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(name) => writeln!(f, "*** Before: {name}"),
            Self::After(name) => writeln!(f, "*** After: {name}"),
            Self::First => writeln!(f, "*** First"),
            Self::Last => writeln!(f, "*** Last"),
            Self::FirstUnder(name) => writeln!(f, "*** Under: {name}\n*** First"),
            Self::LastUnder(name) => writeln!(f, "*** Under: {name}"),
        }
    }
}
