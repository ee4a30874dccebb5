//! What each applier makes of each case.

use std::fmt::{self, Write as _};

use crate::Failure;
use crate::appliers::{Applier, MEMDOC, OTHERS, Task};
use crate::cases::Case;
use crate::formats::Sent;

/// What an applier makes of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Right,
    /// It could have been made.
    Refused,
    /// Success was reported, on another document.
    Wrong,
    /// As wrong, but what differs is only how lines end.
    LineEnds,
    /// The format cannot say it.
    NotAsked,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Right => "right",
            Self::Refused => "refused",
            Self::Wrong => "**wrong**",
            Self::LineEnds => "**wrong** (line ends)",
            Self::NotAsked => "–",
        })
    }
}

/// The verdicts of all appliers, memdoc first, in the order of the cases.
pub(crate) struct Verdicts(Vec<(Applier, Vec<Verdict>)>);

impl Verdicts {
    pub(crate) fn of(cases: &[Case]) -> Result<Self, Failure> {
        let all = [MEMDOC].into_iter().chain(OTHERS);
        let judged = all.map(|applier| {
            let verdicts = cases.iter().map(|case| verdict(&applier, case)).collect::<Result<_, Failure>>()?;
            Ok((applier, verdicts))
        });
        judged.collect::<Result<_, Failure>>().map(Self)
    }

    pub(crate) fn appliers(&self) -> impl Iterator<Item = &Applier> {
        self.0.iter().map(|(applier, _)| applier)
    }

    /// Returns how often an applier is right, refuses, is wrong, is so only in line ends, and is not asked.
    pub(crate) fn counts(&self, name: &str) -> [usize; 5] {
        let verdicts = self.0.iter().filter(|(applier, _)| applier.name == name).flat_map(|(_, verdicts)| verdicts);
        let count = |wanted: &[Verdict]| verdicts.clone().filter(|verdict| wanted.contains(verdict)).count();
        [
            count(&[Verdict::Right]),
            count(&[Verdict::Refused]),
            count(&[Verdict::Wrong, Verdict::LineEnds]),
            count(&[Verdict::LineEnds]),
            count(&[Verdict::NotAsked]),
        ]
    }

    /// Writes a table of a line for each case.
    pub(crate) fn by_case(&self, cases: &[Case]) -> String {
        let names: Vec<_> = self.appliers().map(|applier| applier.name).collect();
        let mut table = format!("| case | wanted | {} |\n|---|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
        for (at, case) in cases.iter().enumerate() {
            let wanted = if case.wanted.is_some() { "made" } else { "refused" };
            let _ = write!(table, "| {} | {wanted} |", case.name);
            for verdict in self.0.iter().filter_map(|(_, verdicts)| verdicts.get(at)) {
                let _ = write!(table, " {verdict} |");
            }
            table.push('\n');
        }
        table
    }

    /// # Errors
    ///
    /// If it is.
    pub(crate) fn memdoc_is_never_wrong(&self) -> Result<(), Failure> {
        match self.counts(MEMDOC.name) {
            [_, _, 0, ..] => Ok(()),
            [_, _, wrong, ..] => Err(format!("memdoc is wrong in {wrong} cases; `--verbose` names them").into()),
        }
    }
}

fn verdict(applier: &Applier, case: &Case) -> Result<Verdict, Failure> {
    let task = Task::new(&case.document, Sent::new(case)?)?;
    if !(applier.can_be_asked)(task.sent()) {
        return Ok(Verdict::NotAsked);
    }
    let lines = |text: &str| crate::documents::lines(text).map(str::to_owned).collect::<Vec<_>>();
    Ok(match (applier.outcome(&task)?, &case.wanted) {
        (None, None) => Verdict::Right,
        (None, Some(_)) => Verdict::Refused,
        (Some(made), Some(wanted)) if made == *wanted => Verdict::Right,
        (Some(made), Some(wanted)) if lines(&made) == lines(wanted) => Verdict::LineEnds,
        (Some(_), _) => Verdict::Wrong,
    })
}
