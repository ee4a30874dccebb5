//! Memories as people write them: dates, signs, years, paths, quotes, negations, several scripts, and facts that differ in one
//! digit, one sign or one letter. What every line is, is known from how it was made, and not from a parser.

use memdoc::MemoryDoc;
use unicode_normalization::UnicodeNormalization as _;

use super::compaction_draw::Draw;

/// Facts that must never be taken for one another, though they nearly read alike.
const FAMILIES: &[&[&str]] = &[
    &["13. Juni: Umzug", "15. Juni: Umzug", "Juni: Umzug", "13. Juli: Umzug", "3. Juni: Umzug", "13) Juni: Umzug"],
    &["Likes “tea” – green", "Likes \"tea\" - green", "Likes ‘tea’ … green", "Likes tea, green"],
    &["15) Punkt", "Punkt", "16) Punkt", "(15) Punkt"],
    &["+ 5 % Lohn", "- 5 % Lohn", "5 % Lohn", "+5 % Lohn", "± 5 % Lohn", "5 ‰ Lohn", "5 Lohn"],
    &["- 3 °C nachts", "3 °C nachts", "-3 °C nachts", "+ 3 °C nachts", "– 3 °C nachts", "− 3 °C nachts"],
    &["* Stern", "Stern", "- Stern", "Sterne"],
    &["Dinner with Bob", "Bob", "- Bob", "Dinner with Rob", "- - Bob"],
    &["Repo lives in C:\\new", "Repo lives in C:\\tools", "Repo lives in D:\\new", "Repo lives in C:/new"],
    &["C:\\tools\\new", "C:\\tools", "C:\ttools", "C:tools"],
    &["12| x", "13| x", "x", "2| x"],
    &["coffee|tea", "tea", "coffee", "Likes tea a lot"],
    &["k7f3a2| x", "k7f3a3| x", "x", "7| x"],
    &["Allergic to nuts", "Not allergic to nuts", "not allergic to nuts", "Allergic to nits"],
    &["Born in 1990", "Born in 1991", "1990. Born in Denver", "1991. Born in Denver", "Born in Denver"],
    &["Größe: 3 Äpfel", "Große: 3 Äpfel", "Größe: 8 Äpfel", "Grosse: 3 Apfel"],
    &["$5 a month", "€5 a month", "5 a month", "- $5 a month", "£5 a month"],
    &["Жена: Анна", "Жена: Инна", "5. класс", "6. класс", "класс"],
    &["גר בתל אביב", "לא גר בתל אביב", "5 ילדים", "6 ילדים"],
    &["東京に3年", "東京に8年", "京都に3年", "3. 東京", "コーヒーが好き", "コーヒーが嫌い"],
    &["#12 is open", "12 is open", "#13 is open", "12 is &open"],
    &["@anna owes 20", "anna owes 20", "@anna owes -20", "@anna owes 2.0"],
    &["a < b", "a > b", "a = b", "a ≠ b"],
    &["Takes 5 mg", "Takes 5 µg", "Takes 50 mg", "Takes .5 mg", "Takes 5,0 mg"],
    &["1. FC Köln", "2. FC Köln", "FC Köln", "1 FC Köln"],
    &["C# is fine", "C is fine", "C++ is fine", "c is fine"],
    &["Says \"hi\"", "Says \\\"hi\\\"", "Says hi", "Says “hi”"],
    &["9. Mai", "20. Mai", "Mai", "19. Mai"],
    &["~ 5 km", "5 km", "≈ 5 km", "15 km"],
    &["~5 km", "5 km", "- ~5 km", "-5 km"],
    &["🎉 Party", "Party", "- 🎉 Party", "🎂 Party", "- Party"],
    &["→ Köln", "← Köln", "Köln", "- → Köln", "-> Köln"],
    &["@bob", "- @bob", "#bob", "bob"],
    &["Call Ana", "- [ ] Call Ana", "- Call Ana", "- [x] Call Ana"],
    &["Due on 1.12.", "Due on 11.2.", "Due on 12. März", "Anna was born on 13. März"],
    &["re-sign the lease", "resign the lease", "re–sign the lease", "sign the lease"],
    &["Don’t call Ana", "Don't call Ana", "Do call Ana", "Don’t call Aná"],
    &["2019. Moved", "2020. Moved", "Moved", "2019) Moved"],
    &["½ cup", "1½ cup", "1 cup", "2 cup"],
    &["يعيش في دبي", "لا يعيش في دبي", "٣ أطفال", "٨ أطفال", "3 أطفال"],
    &["قهوه دوست دارد", "قهوه دوست ندارد", "۵ سال در تهران", "۶ سال در تهران"],
    &["喜欢咖啡", "不喜欢咖啡", "住在北京三年", "住在北京八年", "住在南京三年"],
    &["对花生过敏", "对花生不过敏", "没有对花生过敏", "3月13日搬家", "3月15日搬家"],
    &["ชอบกาแฟ", "ไม่ชอบกาแฟ", "มีแมว 3 ตัว", "มีแมว 8 ตัว", "มีแมว ๓ ตัว"],
    &["커피를 좋아함", "커피를 안 좋아함", "3층에 삶", "8층에 삶"],
    &["कॉफ़ी पसंद है", "कॉफ़ी पसंद नहीं है", "३ बच्चे", "८ बच्चे"],
    &["Miete 300 kr", "Miete 300 €", "Miete 300", "Miete 300 zł", "Miete 300€", "Miete 300 Kč"],
    &["Costs 5 $", "Costs 5 ₽", "Costs 5", "Costs 5 ¢", "Costs -5 $", "Costs (5 $)"],
    &["Can swim", "Can't swim", "Cannot swim", "Can swim no more", "Can swim?"],
    &["Is a vegan", "Isn’t a vegan", "Is no vegan", "Is not a vegan", "Was a vegan"],
    &["Trinkt Alkohol", "Trinkt keinen Alkohol", "Trinkt Alkohol nicht", "Trinkt nie Alkohol"],
];

/// How a list begins, and by how much its numbers grow.
const LISTS: &[(&str, usize)] =
    &[("-", 0), ("-", 0), ("-", 0), ("*", 0), ("+", 0), ("1.", 1), ("1)", 1), ("0.", 1), ("2019.", 1), ("13.", 2)];

const CHECKBOXES: &[&str] = &["", "", "", "", "", "[ ] ", "[x] "];
const TAGS: &[&str] = &["", "", "", "", "", "[work] ", "[pinned] ", "[work, a] [b] "];
const SECTIONS: &[&str] = &["Facts", "Termine", "Notizen"];
const BLOCKS: &[(&str, &str)] = &[("User Profile: (ID: mem1)", "mem1"), ("Pets (ID: pets):", "pets")];

/// Where a list stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Below the heading of this title.
    Section(&'static str),
    /// Below the block line with this ID.
    Block(&'static str),
}

/// A bullet, and what is known of it.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The index of its first line.
    pub line: usize,
    /// How many lines are its own.
    pub lines: usize,
    /// How many lines there are with those of its children.
    pub extent: usize,
    /// Where it stands.
    pub home: Home,
    /// Its place among those of its home, from 1; `None` if nested.
    pub index: Option<usize>,
    /// What stands before its marker.
    pub indentation: String,
    /// Its marker.
    pub marker: String,
    /// Whether its list counts from 0 or 1.
    pub is_counted: bool,
    /// Its checkbox with the space behind it.
    pub checkbox: &'static str,
    /// Its tags with the spaces behind them.
    pub tags: &'static str,
    /// Its content, lines joined by a line feed without their indentation.
    pub content: String,
    /// The keys that name it alone; without `#1` they may name its twin too.
    pub key: String,
}

impl Fact {
    /// Returns what stands behind the marker.
    pub fn body(&self) -> String {
        format!("{}{}{}", self.checkbox, self.tags, self.content)
    }

    /// Returns the first line as it stands.
    pub fn full(&self) -> String {
        let body = self.body();
        format!("{}{} {}", self.indentation, self.marker, body.split('\n').next().unwrap_or_default())
    }

    /// Returns the number of an ordered item.
    pub fn number(&self) -> Option<&str> {
        self.marker.strip_suffix(['.', ')'])
    }
}

/// A memory, and what stands in it.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The text, as it is stored.
    pub text: String,
    /// Its lines without their endings.
    pub lines: Vec<String>,
    /// Its bullets, in order.
    pub facts: Vec<Fact>,
    /// Its lists, each with the marker that the first of its items has.
    pub homes: Vec<(Home, String)>,
}

impl Facts {
    /// Makes a memory as bytes say.
    pub fn draw(draw: &mut Draw<'_>) -> Self {
        let mut facts = Self { text: String::new(), lines: Vec::new(), facts: Vec::new(), homes: Vec::new() };
        let families = [(); 3].map(|()| FAMILIES[draw.below(FAMILIES.len())]);
        for (line, id) in &BLOCKS[..draw.below(BLOCKS.len() + 1)] {
            facts.lines.push((*line).to_owned());
            facts.list(draw, Home::Block(id), families);
        }
        for title in &SECTIONS[..=draw.below(SECTIONS.len())] {
            facts.lines.push(format!("## {title}"));
            if draw.is_one_in(8) {
                facts.lines.push("Prose about 12 things, - not a list.".to_owned());
            }
            facts.list(draw, Home::Section(title), families);
        }
        facts.lines.pop();
        let ending = ["\n", "\n", "\r\n"][draw.below(3)];
        facts.text = facts.lines.join(ending);
        if !draw.is_one_in(8) {
            facts.text.push_str(ending);
        }
        facts.look_up_keys();
        facts
    }

    fn list(&mut self, draw: &mut Draw<'_>, home: Home, families: [&[&'static str]; 3]) {
        let (first, step) = LISTS[draw.below(LISTS.len())];
        self.homes.push((home, first.to_owned()));
        for nth in 0..=draw.below(4) {
            let mut fact = Self::fact(draw, home, families);
            fact.marker = marker(first, nth * step);
            fact.is_counted = first.starts_with(['0', '1']) && step == 1;
            fact.index = Some(nth + 1);
            if draw.is_one_in(12) {
                fact.content.push_str("\nand 2 more");
            }
            // One below the other, each a bullet of one line.
            let below = if draw.is_one_in(8) { 1 + draw.below(4) } else { 0 };
            let mut deeper = " ".repeat(fact.marker.len() + 1);
            self.push(fact, below);
            for left in (0..below).rev() {
                let fact = Self::fact(draw, home, families);
                self.push(Fact { indentation: deeper.clone(), marker: "-".to_owned(), ..fact }, left);
                deeper.push_str("  ");
            }
        }
        self.lines.push(String::new());
    }

    fn fact(draw: &mut Draw<'_>, home: Home, families: [&[&'static str]; 3]) -> Fact {
        let family = families[draw.below(families.len())];
        let content = family[draw.below(family.len())];
        let content = if draw.is_one_in(8) { content.nfd().collect() } else { content.to_owned() };
        Fact {
            line: 0,
            lines: 1,
            extent: 1,
            home,
            index: None,
            indentation: String::new(),
            marker: String::new(),
            is_counted: false,
            checkbox: CHECKBOXES[draw.below(CHECKBOXES.len())],
            tags: TAGS[draw.below(TAGS.len())],
            content,
            key: String::new(),
        }
    }

    fn push(&mut self, mut fact: Fact, children: usize) {
        fact.line = self.lines.len();
        self.lines.push(fact.full());
        let continued = format!("{}  ", fact.indentation) + &" ".repeat(fact.marker.len() - 1);
        self.lines.extend(fact.content.split('\n').skip(1).map(|line| format!("{continued}{line}")));
        fact.lines = self.lines.len() - fact.line;
        fact.extent = fact.lines + children;
        self.facts.push(fact);
    }

    /// Keys are not what is checked, so that the crate may say them.
    fn look_up_keys(&mut self) {
        let doc = MemoryDoc::parse(self.text.as_str());
        assert_eq!(doc.bullets().count(), self.facts.len(), "the parser and the generator disagree:\n{}", self.text);
        for (fact, bullet) in self.facts.iter_mut().zip(doc.bullets()) {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(words(&bullet.content()), words(&fact.content), "in\n{}", self.text);
            fact.key = bullet.key().to_string();
        }
    }

    /// Returns the bullet whose first line has this index.
    pub fn at_line(&self, line: usize) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.line == line)
    }

    /// Returns the marker of a list.
    pub fn marker_of(&self, home: Home) -> &str {
        self.homes.iter().find(|(other, _)| *other == home).map_or("-", |(_, marker)| marker)
    }
}

fn marker(first: &str, more: usize) -> String {
    let Some(number) = first.strip_suffix(['.', ')']) else { return first.to_owned() };
    let delimiter = &first[number.len()..];
    format!("{}{delimiter}", number.parse::<usize>().unwrap_or(1) + more)
}
