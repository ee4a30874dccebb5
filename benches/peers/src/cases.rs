//! Edits of memories: what was seen, what is there, and what is to become of it.

use std::borrow::Cow;

/// One edit, and what is to come of it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// What the editor saw, or believes to have seen.
    seen: String,
    /// What the editor wants of what it saw; `None` if that cannot be said as two texts.
    meant: Option<String>,
    pub(crate) document: String,
    /// `None`: nothing at all.
    pub(crate) wanted: Option<String>,
    pub(crate) hunks: Vec<Hunk>,
}

/// One place of an edit, in the lines that V4A and unified diffs share.
pub(crate) struct Hunk {
    /// The line that the editor names as its first, from 1.
    pub(crate) line: usize,
    /// The line above that V4A names, if the editor does.
    pub(crate) scope: Option<&'static str>,
    /// Lines with ` `, `-` or `+` before them; `\ No newline…` only in unified diffs, `*** End of File` only in V4A.
    pub(crate) lines: Cow<'static, str>,
}

impl Case {
    /// An edit that is to be made.
    fn made(name: &'static str, document: impl Into<String>, wanted: impl Into<String>) -> Self {
        let (document, wanted) = (document.into(), wanted.into());
        let (seen, meant) = (document.clone(), Some(wanted.clone()));
        Self { name, seen, meant, document, wanted: Some(wanted), hunks: Vec::new() }
    }

    /// An edit that is to be refused.
    fn refused(name: &'static str, document: impl Into<String>) -> Self {
        let document = document.into();
        Self { name, seen: document.clone(), meant: None, document, wanted: None, hunks: Vec::new() }
    }

    fn seen(mut self, seen: impl Into<String>, meant: impl Into<String>) -> Self {
        self.seen = seen.into();
        self.meant = Some(meant.into());
        self
    }

    fn hunk(self, line: usize, lines: &'static str) -> Self {
        self.with(Hunk { line, scope: None, lines: lines.into() })
    }

    fn within(self, scope: &'static str, line: usize, lines: &'static str) -> Self {
        self.with(Hunk { line, scope: Some(scope), lines: lines.into() })
    }

    fn with(mut self, hunk: Hunk) -> Self {
        self.hunks.push(hunk);
        self
    }

    /// An edit of which nothing is said but how it is sent: what was seen, what was to become of it, and a hunk.
    pub(crate) fn of_hunk([seen, meant]: [String; 2], document: &str, hunk: Hunk) -> Self {
        Self::refused("", document).seen(seen, meant).with(hunk)
    }

    /// Returns what was seen and what was to become of it.
    pub(crate) fn intended(&self) -> Option<[&str; 2]> {
        Some([&self.seen, self.meant.as_deref()?])
    }
}

/// Returns all cases.
pub(crate) fn all() -> Vec<Case> {
    [unique(), repeated(), absent(), stale(), bytes(), letters(), structures(), several(), insertions()]
        .into_iter()
        .flatten()
        .collect()
}

const HOME: &str =
    "# Memory\n\n## Home\n- Lives in Denver\n- Likes tea\n\n## Work\n- Denver office on Fridays\n- Reports to Mina\n";

/// The text is there once.
fn unique() -> Vec<Case> {
    let flights = "## Travel\n- Flight LH 455 on 12 March\n- Flight LH 455 on 13 March\n- Flight LH 456 on 12 March\n";
    vec![
        Case::made("a bullet", HOME, HOME.replace("Lives in Denver", "Lives in Austin"))
            .hunk(4, "-- Lives in Denver\n+- Lives in Austin"),
        Case::made("a bullet between its neighbors", HOME, HOME.replace("Likes tea", "Likes oolong"))
            .hunk(4, " - Lives in Denver\n-- Likes tea\n+- Likes oolong\n "),
        Case::made("one of three that differ in a digit", flights, flights.replace("455 on 13", "455 on 14"))
            .hunk(3, "-- Flight LH 455 on 13 March\n+- Flight LH 455 on 14 March"),
        Case::made("a bullet goes", HOME, HOME.replace("- Likes tea\n", "")).hunk(5, "-- Likes tea"),
        Case::made("the last bullet goes", HOME, HOME.replace("- Reports to Mina\n", ""))
            .hunk(8, " - Denver office on Fridays\n-- Reports to Mina"),
        Case::made("a heading", HOME, HOME.replace("## Work", "## Job")).hunk(7, "-## Work\n+## Job"),
        Case::made("a line that is wrongly numbered", HOME, HOME.replace("to Mina", "to Jo"))
            .hunk(41, "-- Reports to Mina\n+- Reports to Jo"),
        Case::made(
            "a hunk whose count of lines is that of another place",
            HOME,
            HOME.replace("Likes tea", "Likes mate"),
        )
        .hunk(1, " - Lives in Denver\n-- Likes tea\n+- Likes mate"),
    ]
}

/// The text is there several times.
fn repeated() -> Vec<Case> {
    let days = "## Monday\n- Call Ana back\n- Buy stamps\n\n## Tuesday\n- Water the plants\n- Call Ana back\n";
    let second = "## Monday\n- Call Ana back\n- Buy stamps\n\n## Tuesday\n- Water the plants\n- Called Ana\n";
    let done = "## Log\n- Ran 5 km\n- Rested\n- Swam\n- Rested\n";
    vec![
        Case::refused("equal bullets of two sections, neither named", days).hunk(4, "-- Call Ana back\n+- Called Ana"),
        Case::made("equal bullets of two sections, the section named", days, second).within(
            "## Tuesday",
            7,
            "-- Call Ana back\n+- Called Ana",
        ),
        Case::made("equal bullets of two sections, the neighbor named", days, second)
            .hunk(6, " - Water the plants\n-- Call Ana back\n+- Called Ana"),
        Case::refused("equal bullets of one section", done).hunk(4, "-- Rested\n+- Rested, knee hurts"),
        Case::refused("an equal bullet that goes", done).hunk(4, "-- Rested"),
        Case::refused("a bullet behind one that is there twice", done).hunk(4, " - Rested\n+- Stretched"),
        Case::made(
            "equal bullets, each changed on its own",
            days,
            days.replacen("Call Ana back", "Called Ana", 1).replace("Call Ana back", "Wrote to Ana"),
        )
        .within("## Monday", 2, "-- Call Ana back\n+- Called Ana")
        .within("## Tuesday", 7, "-- Call Ana back\n+- Wrote to Ana"),
    ]
}

/// The text is not there; another that is like it is.
fn absent() -> Vec<Case> {
    let made = |name, document: &str, [there, seen, meant]: [&str; 3], lines| {
        Case::refused(name, document).seen(document.replace(there, seen), document.replace(there, meant)).hunk(2, lines)
    };
    let rent = "## Flat\n- Rent is 1,150 a month\n- Deposit is 2,300\n";
    let drive = "## Health\n- Ana can't drive at night\n- Ana wears glasses\n";
    let fridge = "## Kitchen\n- The fridge is set to 3 °C\n- The oven runs hot\n";
    let nested = "## Food\n- Dislikes\n  - coffee\n- Likes\n  - tea\n";
    vec![
        made("another number", rent, ["1,150", "1,250", "1,300"], "-- Rent is 1,250 a month\n+- Rent is 1,300 a month"),
        made(
            "another sign",
            fridge,
            ["3 °C", "-3 °C", "-5 °C"],
            "-- The fridge is set to -3 °C\n+- The fridge is set to -5 °C",
        ),
        made("the contrary", drive, ["can't", "can", "may"], "-- Ana can drive at night\n+- Ana may drive at night"),
        made(
            "a line that was never there",
            rent,
            ["2,300\n", "2,300\n- Has a cellar\n", "2,300\n- Has a dry cellar\n"],
            "-- Has a cellar\n+- Has a dry cellar",
        ),
        made(
            "the neighbor is there, the line is not",
            rent,
            ["2,300\n", "2,300\n- Cats allowed\n", "2,300\n- Pets allowed\n"],
            " - Deposit is 2,300\n-- Cats allowed\n+- Pets allowed",
        ),
        made("a line that is there only deeper", nested, ["  - coffee", "- coffee", "- decaf"], "-- coffee\n+- decaf"),
        Case::refused("an edit of an empty document", "")
            .seen("- Likes tea\n", "- Likes mate\n")
            .hunk(1, "-- Likes tea\n+- Likes mate"),
    ]
}

/// The document is no longer what was seen.
fn stale() -> Vec<Case> {
    let seen = "## Health\n- Allergic to walnuts\n- Carries one EpiPen\n- Blood type A\n";
    let changed = seen.replace("Allergic", "Not allergic");
    let moved: String = (1..=30).map(|day| format!("- Slept {day} minutes longer than the day before\n")).collect();
    let below = |text: &str| format!("## Sleep\n{moved}\n{text}");
    let meant = seen.replace("one EpiPen", "two EpiPens");
    let applied = "## Food\n- Likes tea\n- Likes oolong most\n- Hates okra\n";
    let before = "## Food\n- Likes tea\n- Hates okra\n";
    vec![
        Case::made(
            "others have written three lines above",
            format!("# Memory\n\nOf Jo.\n{seen}"),
            format!("# Memory\n\nOf Jo.\n{meant}"),
        )
        .seen(seen, &*meant)
        .hunk(2, " - Allergic to walnuts\n-- Carries one EpiPen\n+- Carries two EpiPens\n - Blood type A"),
        Case::made("others have written thirty lines above", below(seen), below(&meant))
            .seen(seen, &*meant)
            .hunk(2, " - Allergic to walnuts\n-- Carries one EpiPen\n+- Carries two EpiPens\n - Blood type A"),
        Case::refused("the line beside has become its contrary", &*changed)
            .seen(seen, &*meant)
            .hunk(2, " - Allergic to walnuts\n-- Carries one EpiPen\n+- Carries two EpiPens\n - Blood type A"),
        Case::refused("the line itself has become another fact", seen.replace("one EpiPen", "no EpiPen"))
            .seen(seen, &*meant)
            .hunk(2, " - Allergic to walnuts\n-- Carries one EpiPen\n+- Carries two EpiPens\n - Blood type A"),
        Case::refused("the line beside is of another person", seen.replace("type A", "type B"))
            .seen(seen, &*meant)
            .hunk(3, "-- Carries one EpiPen\n+- Carries two EpiPens\n - Blood type A"),
        Case::refused("a line that others have taken away", seen.replace("- Carries one EpiPen\n", ""))
            .seen(seen, seen.replace("- Carries one EpiPen\n", ""))
            .hunk(2, " - Allergic to walnuts\n-- Carries one EpiPen\n - Blood type A"),
        Case::made("an insertion that has been made already", applied, applied)
            .seen(before, applied)
            .hunk(2, " - Likes tea\n+- Likes oolong most"),
        Case::made("a change that has been made already", applied, applied)
            .seen(applied.replace("oolong most", "mate"), applied)
            .hunk(2, " - Likes tea\n-- Likes mate\n+- Likes oolong most\n - Hates okra"),
    ]
}

/// Line ends, blanks, and what looks like a patch.
fn bytes() -> Vec<Case> {
    let windows = HOME.replace('\n', "\r\n");
    let mixed = "## Home\n- Lives in Denver\n- Likes tea\r\n- Sleeps late\r\n";
    let open = "## Home\n- Lives in Denver\n- Likes tea";
    let blanks = "## Home  \n- Lives in Denver  \n- Likes tea\t\n";
    let rule = "## Letter\n- Begins with a greeting\n\n---\n- Sent in May\n";
    let letter = "## Letter\n- Begins with a greeting\n-- signed, Ana\n---\n- Sent in May\n";
    vec![
        Case::made("lines that end in CRLF", &*windows, windows.replace("Likes tea", "Likes mate"))
            .hunk(4, " - Lives in Denver\n-- Likes tea\n+- Likes mate"),
        Case::made(
            "a line is added to lines that end in CRLF",
            &*windows,
            windows.replace("tea\r\n", "tea\r\n- Likes mate\r\n"),
        )
        .hunk(4, " - Lives in Denver\n - Likes tea\n+- Likes mate"),
        Case::made("lines that end in LF and in CRLF", mixed, mixed.replace("Likes tea", "Likes mate"))
            .hunk(3, "-- Likes tea\n+- Likes mate"),
        Case::made("the last line has no end", open, open.replace("tea", "mate"))
            .hunk(3, "-- Likes tea\n\\ No newline at end of file\n+- Likes mate\n\\ No newline at end of file"),
        Case::made("another place, where the last line has no end", open, open.replace("Denver", "Austin"))
            .hunk(2, "-- Lives in Denver\n+- Lives in Austin"),
        Case::made(
            "blanks at the end of the line, not in the patch",
            blanks,
            blanks.replace("- Lives in Denver  ", "- Lives in Austin"),
        )
        .hunk(2, "-- Lives in Denver\n+- Lives in Austin"),
        Case::made(
            "blanks at the end of the line beside, not in the patch",
            blanks,
            blanks.replace("- Likes tea\t", "- Likes mate"),
        )
        .hunk(2, " - Lives in Denver\n-- Likes tea\n+- Likes mate"),
        Case::made(
            "a line that looks like the head of a diff",
            letter,
            letter.replace("-- signed, Ana\n", "-- signed, Jo\n"),
        )
        .hunk(2, " - Begins with a greeting\n--- signed, Ana\n+-- signed, Jo"),
        Case::made("a rule", rule, rule.replace("\n---\n", "\n***\n")).hunk(4, "----\n+***"),
    ]
}

/// Letters that look alike, and letters that are written in several ways.
fn letters() -> Vec<Case> {
    let advisor = "## Thesis\n- User’s advisor: TBD\n- Due in June\n";
    let composed = "## Places\n- Meets Zo\u{e9} at the caf\u{e9}\n- Sits outside\n";
    let decomposed = composed.replace('\u{e9}', "e\u{301}");
    let cyrillic = "## Rent\n- \u{410}lex pays the rent\n- Due on the first\n";
    vec![
        Case::made("a straight apostrophe for a curly one", advisor, advisor.replace("TBD", "Mina Okafor"))
            .seen(advisor.replace('’', "'"), advisor.replace("User’s advisor: TBD", "User's advisor: Mina Okafor"))
            .hunk(2, "-- User's advisor: TBD\n+- User's advisor: Mina Okafor"),
        Case::made("a curly apostrophe in the line beside stays", advisor, advisor.replace("June", "July"))
            .seen(advisor.replace('’', "'"), advisor.replace('’', "'").replace("June", "July"))
            .hunk(2, " - User's advisor: TBD\n-- Due in June\n+- Due in July"),
        Case::made(
            "accents written as one letter, found as two",
            &*decomposed,
            "## Places\n- Meets Zoe\u{301} at the bakery\n- Sits outside\n",
        )
        .seen(composed, composed.replace("café", "bakery"))
        .hunk(2, "-- Meets Zoé at the café\n+- Meets Zoé at the bakery"),
        Case::refused("a letter of another script", cyrillic)
            .seen(cyrillic.replace('\u{410}', "A"), cyrillic.replace('\u{410}', "A").replace("pays", "owes"))
            .hunk(2, "-- Alex pays the rent\n+- Alex owes the rent"),
    ]
}

/// Blocks, nested bullets, fences, tables.
fn structures() -> Vec<Case> {
    let blocks =
        "User Profile: (ID: mem1)\n- Advisor: TBD\n- Year: 2\n\nUser Profile: (ID: mem2)\n- Advisor: TBD\n- Year: 3\n";
    let second =
        "User Profile: (ID: mem1)\n- Advisor: TBD\n- Year: 2\n\nUser Profile: (ID: mem2)\n- Advisor: Mina\n- Year: 3\n";
    let people = "- Ana\n  - Phone: 555 0101\n  - City: Porto\n- Bob\n  - Phone: 555 0101\n  - City: Porto\n";
    let bob = "- Ana\n  - Phone: 555 0101\n  - City: Porto\n- Bob\n  - Phone: 555 0199\n  - City: Porto\n";
    let fenced = "## Server\n- Restart with:\n\n```sh\nsystemctl restart notes\n# - not a bullet\n```\n\n- Logs in /var/log/notes\n";
    let table = "## Doses\n\n| drug | mg |\n|---|---|\n| A | 5 |\n| B | 5 |\n";
    vec![
        Case::made("a bullet of one of two alike blocks, by its first line", blocks, second)
            .hunk(5, " User Profile: (ID: mem2)\n-- Advisor: TBD\n+- Advisor: Mina"),
        Case::made("a bullet of one of two alike blocks, its first line named", blocks, second).within(
            "User Profile: (ID: mem2)",
            6,
            "-- Advisor: TBD\n+- Advisor: Mina",
        ),
        Case::refused("a bullet of two alike blocks, neither named", blocks)
            .hunk(4, "-- Advisor: TBD\n+- Advisor: Mina"),
        Case::made("a nested bullet, its parent beside it", people, bob)
            .hunk(4, " - Bob\n-  - Phone: 555 0101\n+  - Phone: 555 0199"),
        Case::refused("a nested bullet of two parents", people).hunk(4, "-  - Phone: 555 0101\n+  - Phone: 555 0199"),
        Case::made("a bullet goes with its children", people, "- Ana\n  - Phone: 555 0101\n  - City: Porto\n")
            .hunk(4, "-- Bob\n-  - Phone: 555 0101\n-  - City: Porto"),
        Case::made("a line of a fenced block", fenced, fenced.replace("restart notes", "restart notes.service"))
            .hunk(5, "-systemctl restart notes\n+systemctl restart notes.service"),
        Case::made("a row of a table", table, table.replace("B | 5", "B | 10"))
            .hunk(5, " | A | 5 |\n-| B | 5 |\n+| B | 10 |"),
    ]
}

/// Several hunks in one edit.
fn several() -> Vec<Case> {
    let both = HOME.replace("Lives in Denver", "Lives in Austin").replace("Mina", "Jo");
    let swapped = HOME.replace("- Lives in Denver\n- Likes tea\n", "- Likes tea\n- Lives in Denver\n");
    vec![
        Case::made("two sections", HOME, &*both)
            .hunk(4, "-- Lives in Denver\n+- Lives in Austin")
            .hunk(9, "-- Reports to Mina\n+- Reports to Jo"),
        Case::made("two sections, the second first", HOME, &*both)
            .hunk(9, "-- Reports to Mina\n+- Reports to Jo")
            .hunk(4, "-- Lives in Denver\n+- Lives in Austin"),
        Case::made("a bullet changes places", HOME, swapped)
            .hunk(3, " ## Home\n-- Lives in Denver\n - Likes tea\n+- Lives in Denver\n "),
        Case::refused("one of two is stale", HOME)
            .seen(HOME.replace("Mina", "Ines"), both.replace("Mina", "Jo"))
            .hunk(4, "-- Lives in Denver\n+- Lives in Austin")
            .hunk(9, "-- Reports to Ines\n+- Reports to Jo"),
        Case::refused("two of the same line", HOME)
            .hunk(4, "-- Lives in Denver\n+- Lives in Austin")
            .hunk(4, "-- Lives in Denver\n+- Lives in Boise"),
        Case::refused("one has as context what the other changes", HOME)
            .hunk(4, "-- Lives in Denver\n+- Lives in Austin")
            .hunk(4, " - Lives in Denver\n-- Likes tea\n+- Likes mate"),
    ]
}

/// Hunks that only add.
fn insertions() -> Vec<Case> {
    let added = HOME.replace("- Likes tea\n", "- Likes tea\n- Hates okra\n");
    vec![
        Case::made("behind a bullet", HOME, &*added).hunk(5, " - Likes tea\n+- Hates okra"),
        Case::made("before what follows", HOME, &*added).hunk(6, "+- Hates okra\n \n ## Work"),
        Case::made("at the end of a section, by its heading alone", HOME, &*added).within(
            "## Home",
            6,
            "+- Hates okra",
        ),
        Case::made("at the end of the document", HOME, format!("{HOME}- Hates okra\n"))
            .hunk(9, " - Reports to Mina\n+- Hates okra\n*** End of File"),
        Case::made("into an empty document", "", "# Memory\n- Likes tea\n")
            .hunk(1, "+# Memory\n+- Likes tea\n*** End of File"),
        Case::made("behind a last line without end", "- Likes tea", "- Likes tea\n- Hates okra").hunk(
            1,
            "-- Likes tea\n\\ No newline at end of file\n+- Likes tea\n+- Hates okra\n\\ No newline at end of file",
        ),
        Case::refused("behind a line that is not there", HOME)
            .seen(HOME.replace("tea", "mate"), HOME.replace("tea\n", "mate\n- Hates okra\n"))
            .hunk(5, " - Likes mate\n+- Hates okra"),
    ]
}
