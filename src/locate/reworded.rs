//! Minor rewordings: how far a text may be from the bullet at its index, and still mean that one.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::likeness;

/// The likeness, in percent, from which a text, or a word, is near another.
const NEAR: u8 = 85;

/// Reports whether one text is a minor rewording of the other, white space folded.
///
/// Both have the same digits in the same order and as many words; a word that differs is near its counterpart, and is not
/// the counterpart with something before or behind it, as `dislikes` is of `likes`. Signs count as words, and so does each
/// character where words are written without spaces.
pub(crate) fn is_reworded(text: &str, content: &str) -> bool {
    let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<Vec<_>>();
    let (own, other) = (words(text), words(content));
    is_near(text, content)
        && digits(text) == digits(content)
        && own.len() == other.len()
        && own.iter().zip(&other).all(|(own, other)| own == other || is_spelled_alike(own, other))
}

fn words(text: &str) -> Vec<&str> {
    text.split_word_bounds().filter(|word| !word.trim().is_empty()).collect()
}

fn is_spelled_alike(word: &str, other: &str) -> bool {
    let holds = |word: &str, other: &str| word.starts_with(other) || word.ends_with(other);
    let (word, other) = (word.to_lowercase(), other.to_lowercase());
    is_near(&word, &other) && (word == other || !(holds(&word, &other) || holds(&other, &word)))
}

fn is_near(text: &str, other: &str) -> bool {
    likeness(text, other, NEAR).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_is_a_minor_rewording() {
        for (text, content) in [
            ("Favourite colour is green", "Favorite colour is green"),
            ("lives in Denver", "Lives in Denver"),
            ("Works at the municipality of Oslo", "Works at the municipalty of Oslo"),
        ] {
            assert!(is_reworded(text, content), "{text} / {content}");
        }
    }

    #[test]
    fn another_fact_is_none() {
        for (text, content) in [
            ("Likes very strong black coffee", "Dislikes very strong black coffee"),
            ("Can drive a car with manual gears", "Can't drive a car with manual gears"),
            ("Can drive a car with manual gears", "Can’t drive a car with manual gears"),
            ("Was born on 13 March in Denver", "Was born on 12 March in Denver"),
            ("Keeps the freezer at -18 degrees", "Keeps the freezer at +18 degrees"),
            ("Is allergic to nuts and to shellfish", "Is not allergic to nuts and to shellfish"),
            ("每天早上喝一大杯黑咖啡再去公司上班", "每天早上不喝一大杯黑咖啡再去公司上班"),
            ("他每天早上都喜欢喝一大杯黑咖啡再上班", "她每天早上都喜欢喝一大杯黑咖啡再上班"),
            ("ทุกเช้าเขาดื่มกาแฟดำแก้วใหญ่ก่อนไปทำงาน", "ทุกเช้าเขาไม่ดื่มกาแฟดำแก้วใหญ่ก่อนไปทำงาน"),
            ("Meets Ann at the office on Mondays", "Meets Anna at the office on Mondays"),
            ("x", "y"),
        ] {
            assert!(!is_reworded(text, content), "{text} / {content}");
            assert!(!is_reworded(content, text), "{content} / {text}");
        }
    }
}
