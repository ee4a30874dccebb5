//! The names that a policy reserves, and what passes for them.

use super::bones::Bones;
use super::reader::{Place, Reader};

/// The names that a policy reserves.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReservedNames {
    names: Vec<(String, Bones)>,
}

impl ReservedNames {
    pub(crate) fn new(titles: &[String]) -> Self {
        Self { names: titles.iter().filter_map(|title| Some((title.clone(), Bones::of(title)?))).collect() }
    }

    /// Reports whether a name can be protected: one of symbols alone has nothing that a disguise would keep.
    pub(crate) fn protect(name: &str) -> bool {
        Bones::of(name).is_some()
    }

    /// Returns the reserved name that `text`, a title or a line, passes for.
    pub(crate) fn matching(&self, text: &str, place: Place) -> Option<&str> {
        let passes = |bones: &Bones| {
            let mut reader = Reader::new(bones, place);
            reader.read(text);
            reader.is_whole() || reader.is_inner()
        };
        self.names.iter().find(|(_, bones)| passes(bones)).map(|(name, _)| name.as_str())
    }

    /// Returns how many lines of a text pass for a reserved name: `line` alone, or it and as many of those `below` as it takes.
    pub(super) fn passing<'a>(&self, line: &str, below: impl Iterator<Item = &'a str> + Clone) -> Option<usize> {
        let mut open = Vec::new();
        for (_, bones) in &self.names {
            let mut reader = Reader::new(bones, Place::Text);
            reader.read(line);
            if reader.is_whole() || reader.is_inner() {
                return Some(1);
            }
            if reader.may_go_on() {
                open.push(reader);
            }
        }
        open.into_iter().find_map(|mut reader| {
            for (line, count) in below.clone().zip(2..) {
                reader.read(line);
                if reader.is_whole() {
                    return Some(count);
                }
                if !reader.may_go_on() {
                    return None;
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_reserved_name_are_caught() {
        let names = ReservedNames::new(&["System/Policy".to_owned()]);
        for spelling in [
            "System/Policy",
            "system / policy",
            "SYSTEM-POLICY",
            "**System/Policy**",
            "`System`/`Policy`",
            "ѕystem / policy",
            "Ѕуѕтем/Роlісу",
            "Ｓｙｓｔｅｍ／Ｐｏｌｉｃｙ",
            "𝐒𝐲𝐬𝐭𝐞𝐦/𝐏𝐨𝐥𝐢𝐜𝐲",
            "Sys\u{200B}tem/Pol\u{AD}icy",
            "System&#47;Policy",
            "System&sol;Policy",
            "&#83;ystem/Policy",
            "<b>System</b>/Policy",
            "[System/Policy](x)",
            "## System/Policy",
            "- System/Policy",
            "> System/Policy",
            "1. System/Policy",
            "Sy\u{301}stem/Policy",
            "5ystem/Po1icy",
            "System/Policy (ID: x)",
            "$ystem/Policy",
            "System/PoIicy",
            "§ System/Policy",
            "| System/Policy |",
            "ꜱʏꜱᴛᴇᴍ/ᴘᴏʟɪᴄʏ",
            "[](x)System/Policy",
            "![](x) System/Policy",
            "(id: x) System/Policy",
            "[System/Policy](a(b)c)",
            "[System/Policy][x]",
            "<b title=\">a\">System/Policy</b>",
            "<!-- >a -->System/Policy",
            "System/Policy {#id}",
            "&#0000000000000000083;ystem/Policy",
            "Rules (ID: &#83;ystem/Policy)",
            "Rules (ID: System&sol;Policy&#41;",
            "Rules (ID: Sys<b>tem</b>/Policy)",
            "Rules: (ID: <b>System/Policy</b>)",
            "Rules (ID: System/Policy<!-- x -->)",
            "Rules (ID: Sys[t](u)em/Policy)",
            "Rules (ID: System/Policy[^1])",
            "Rules &#40;ID: System/Policy)",
            "Rules &lpar;&#73;D&#58; System/Policy)",
            "Rules (ID&#58; System/Policy)",
            "Rules (<b>ID</b>: System/Policy)",
            "Rules [x](ID: System/Policy)",
            "Rules (I<!-- x -->D: System/Policy)",
            "Rules （ＩＤ： System/Policy）",
            "System/Policy &#40;ID&#58; x&#41;",
            "System/Policy (<b>ID</b>: x)",
        ] {
            assert_eq!(names.matching(spelling, Place::Text), Some("System/Policy"), "{spelling}");
        }
    }

    #[test]
    fn other_names_pass() {
        let names = ReservedNames::new(&["System/Policy".to_owned()]);
        for title in [
            "",
            "System",
            "Policy",
            "System/Policy notes",
            "My System/Policy",
            "Système",
            "Политика",
            "システム",
            "Systems/Policies",
            "---",
            "2. Syntax",
            "Политика системы",
            "System/Policy (old)",
            "System/Policy (see ID) and (id: x) below",
            "Rules (ID: x) System/Policy (old)",
            "Rules (ID: System) /Policy (old)",
            "Rules (see System/Policy)",
            "Rules (ID System/Policy)",
            "Rules (ID: System/Policy notes)",
            "Rules (no ID: System/Policy)",
            "Rules () ID: System/Policy (old)",
            "Rules (ID: <b>System</b>) Policy (x)",
        ] {
            assert_eq!(names.matching(title, Place::Text), None, "{title}");
        }
    }

    #[test]
    fn a_name_without_letters_is_not_reserved() {
        assert_eq!(ReservedNames::new(&["---".to_owned()]).matching("***", Place::Text), None);
    }
}
