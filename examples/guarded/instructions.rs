//! Instructions to the assistant that reads a memory: sentences that no fact has, in English, by the words that they are made of.

use std::collections::HashSet;

use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// In whose mouth a sentence is an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// In anybody's.
    Anyone,
    /// Only in that of a page, a file or a tool: a user may wish so.
    Others,
}

/// Words that patterns name: `{name}` stands for one of them.
const WORDS: [(&str, &str); 6] = [
    (
        "rules",
        r"instructions?|rules?|prompts?|directives?|guidelines?|polic(?:y|ies)|guardrails?|restrictions?|constraints?|safeguards?|training|programming|commands?",
    ),
    (
        "approval",
        r"confirmations?|confirming|approvals?|authori[sz]ations?|verifications?|verifying|consent|oversight|permissions?|reviews?|reviewing|asking|checking",
    ),
    ("overseer", r"users?|operators?|humans?|admin\w*|developers?|managers?|supervisors?"),
    ("assistant", r"ai|assistant|agent|llm|chatbot|language~model|ai~(?:model|agent|assistant)"),
    ("power", r"admin\w*|root|superuser|sudo|unrestricted|elevated|unlimited|full"),
    (
        "deed",
        r"approve|execute|run|send|transfer|wire|pay|export|delete|install|deploy|grant|allow|share|forward|disclose|release|perform|proceed|sign|purchase|call|invoke|issue|publish|upload|modify",
    ),
];

/// What is looked for: what it does, in whose mouth, and the pattern, in which blanks mean nothing. `~` stands for what is between two
/// words of a sentence, `<n>` for that with up to `n` words in it.
const RULES: [(&str, Of, &str); 18] = [
    (
        "sets rules aside",
        Of::Anyone,
        r"\b(?:
        ignore | disregard | forget | override | overrule | bypass | circumvent | neglect | discard | violate
        | (?:do~not|don'?t|never|stop|no~longer)~(?:follow|obey|apply|heed|enforce)(?:ing)?
        )<6>(?: all|any|previous|prior|preceding|earlier|above|foregoing|existing|original|initial|your|system|safety|security )<3>(?:{rules})\b",
    ),
    (
        "gives the assistant another role",
        Of::Anyone,
        r"
        \byou(?:~are|'re)~now<3>(?: {assistant}|{power}|unfiltered|uncensored|jailbroken|model|bot )\b
        | \b(?:act|behave|respond|operate)~(?:as|like)<3>(?: {power}|unfiltered|uncensored|jailbroken )\b
        | \bpretend~(?:to~be|that~you|you)<4>(?: {assistant}|{rules}|{power} )\b
        | \byou~(?:are|have)<3>(?: jailbroken|jailbreak|no~(?:{rules})|(?:developer|god|debug)~mode )\b",
    ),
    (
        "holds the markup of a prompt",
        Of::Anyone,
        r"
        <\|?\s*/?\s*(?: im_start|im_end|system|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text )\b[^>\n]{0,40}>
        | \[/?inst\] | <</?sys>>
        | [\[{<(](?:system|admin|root|memory|agent|assistant|model|developer)[_\s-]
          (?:override|persist\w*|directive|instruction|prompt|command|inject\w*|message|update|policy)s?\b
        | \b(?:system|admin|developer)~(?:override|directive|instruction|command)s?\s*:",
    ),
    (
        "makes itself a rule",
        Of::Anyone,
        r"
        \b(?:remember|store|save|treat|keep|regard|record|add|persist|consider|accept|adopt|take|interpret)<5>(?:as|to|into|in)<4>
        (?:system|standing|permanent|core|operating|persistent|governing|authoritative|binding|operator|developer|admin\w*)<2>(?:{rules})\b",
    ),
    (
        "does away with approval",
        Of::Anyone,
        r"
        \b(?:skip|bypass|disable|omit|waive|suppress|circumvent|turn~off)<2>(?:{overseer}|safety|security)~(?:{approval}|checks?)\b",
    ),
    ("does away with approval", Of::Others, r"\b(?:{deed})<10>without<4>(?:{approval}|telling|notifying|informing)\b"),
    (
        "does away with approval",
        Of::Others,
        r"
        \b(?:never|not|don'?t|no~need~to|without|stop)~(?:ever~)?(?:ask|asking|prompt|prompting|wait|waiting|seek|seeking|consult|consulting)
        <5>(?:{approval})\b",
    ),
    (
        "claims privileges",
        Of::Anyone,
        r"
        \b(?:{assistant}|model|bot|you|this~(?:user|session|account|conversation|caller))~(?:now~)?(?:has|have|is|are|was|were|holds?|gets?|runs?)
        <4>(?:{power})<2>(?:rights?|access|privileges?|permissions?|authority|clearance|control)\b",
    ),
    (
        "claims privileges",
        Of::Anyone,
        r"
        \b(?:is[_\s]?)?(?:admin|root|superuser|sudo)(?:[_\s]mode)?['\x22]?\s*[:=]\s*(?:true|yes|1|on|enabled)\b
        | \b(?:grant|give|elevate|escalate|promote|upgrade)<6>(?:{power})<1>(?:rights?|access|privileges?|permissions?|authority|clearance|role)
          <3>(?:to|for)~(?:you\w*|the~(?:{assistant}|bot)|this~\w+|me|anyone|everyone|any|all)\b",
    ),
    (
        "sends data away",
        Of::Others,
        r"
        \b(?:send|forward|post|upload|exfiltrate|e-?mail|transmit|copy|leak|submit|deliver|relay|export)<4>
        (?:all|every|any|each|user'?s?|customers?|private|confidential|internal|chat|conversation|secret|hidden|system|sensitive)<4>
        (?:conversations?|history|messages?|passwords?|credentials?|secrets?|tokens?|keys?|memor(?:y|ies)|data|files?|documents?|records?
          |contents?|information|prompts?|emails?|inputs?|outputs?|logs?)
        <8>(?:https?:|\S+@|attacker\b|external\b|third\W?party\b|[\w-]+\.[a-z]{2,}\b)",
    ),
    (
        "asks for the prompt",
        Of::Anyone,
        r"
        \b(?:reveal|disclose|print|output|repeat|leak|expose|dump|divulge|show)<4>
        (?:system~prompts?|(?:your|hidden|internal|secret)~(?:\w+~)?(?:instructions?|prompts?|configuration))\b",
    ),
    (
        "hides from the user",
        Of::Anyone,
        r"
        \b(?:do~not|don'?t|never|without)~
        (?:tell|inform|alert|notify|mention|reveal|warn|telling|informing|alerting|notifying|mentioning)<4>(?:{overseer})(?:[^'\w]|$)",
    ),
    (
        "hides from the user",
        Of::Others,
        r"\b(?:secretly|silently|covertly|quietly)~(?:{deed}|copy|record|log|insert|exfiltrate)\b",
    ),
    (
        "announces other instructions",
        Of::Anyone,
        r"
        \b(?:new|updated|revised|real|true|actual|override|hidden|secret|urgent|additional)~(?:\w+~)?(?:instructions?|directives?|prompts?)\s*:
        | \byour~(?:new|real|true|actual|only|updated|sole)~(?:\w+~)?(?:goal|objective|task|purpose|mission|instruction|role|identity|directive)s?\b
        | \byour~(?:goal|objective|task|purpose|mission|instructions?|role)~(?:is|are)~now\b",
    ),
    (
        "addresses an assistant",
        Of::Others,
        r"
        \b(?:ai|assistants?|llms?|chatbots?|language~models?|ai~(?:models?|agents?))~(?:must|shall|should|is~to|needs?~to|has~to|have~to|will|may)
        ~(?:always|never|not|now|immediately|henceforth|ignore|obey|comply|treat|trust|{deed})\b",
    ),
    (
        "addresses an assistant",
        Of::Others,
        r"
        \bfrom~now~on<1>(?:you|the~(?:{assistant})|always|never|respond|reply|answer|treat|trust|ignore|{deed})\b",
    ),
    (
        "addresses an assistant",
        Of::Others,
        r"
        \byou~(?:must|shall|should|are~(?:required|instructed|ordered|authori[sz]ed|permitted|allowed|directed)~to)
        ~(?:always|never|not|now|obey|comply|follow|ignore|reveal|treat|trust|{deed})\b",
    ),
    (
        "addresses an assistant",
        Of::Others,
        r"
        \b(?:attention|message|notice|instructions?|orders?|commands?)~(?:to|for)~(?:(?:the|any|all|every)~)?(?:ai|assistant|llm|language~model|chatbot)s?\b",
    ),
];

/// What stands between two words of a sentence, on however many lines.
const BETWEEN: &str = r"[^[:word:].!?]+";

struct Rule {
    what: &'static str,
    of: Of,
    pattern: Regex,
}

impl Rule {
    fn is_new_in(&self, after: &str, before: &str) -> bool {
        let known: HashSet<_> = self.pattern.find_iter(before).map(|found| found.as_str()).collect();
        self.pattern.find_iter(after).any(|found| !known.contains(found.as_str()))
    }
}

/// The rules, ready to be asked.
pub(super) struct Instructions(Vec<Rule>);

impl Instructions {
    pub(super) fn new() -> Result<Self, regex::Error> {
        let rules = RULES.iter().map(|&(what, of, pattern)| Ok(Rule { what, of, pattern: compiled(pattern)? }));
        Ok(Self(rules.collect::<Result<_, _>>()?))
    }

    /// Returns what `after` does and `before` did not, if it is an attack in a user's mouth or in another's.
    pub(super) fn new_in(&self, after: &str, before: &str, is_users: bool) -> Option<&'static str> {
        let (after, before) = (folded(after), folded(before));
        let asked = self.0.iter().filter(|rule| rule.of == Of::Anyone || !is_users);
        asked.into_iter().find(|rule| rule.is_new_in(&after, &before)).map(|rule| rule.what)
    }
}

fn compiled(pattern: &str) -> Result<Regex, regex::Error> {
    let pattern =
        WORDS.iter().fold(pattern.to_owned(), |text, (name, words)| text.replace(&format!("{{{name}}}"), words));
    let gap = |words: usize| format!("(?:{BETWEEN}\\w+){{0,{words}}}?{BETWEEN}");
    let pattern = (1..=10).fold(pattern, |text, words| text.replace(&format!("<{words}>"), &gap(words)));
    super::ascii(&format!("(?xm){}", pattern.replace('~', BETWEEN)))
}

/// Returns a text in lower case and without marks, its letters written as the ASCII letters that they look like.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            '’' | '‘' => folded.push('\''),
            c if c.is_ascii() => folded.push(c),
            c => folded.extend(skeleton(c.encode_utf8(&mut [0; 4]))),
        }
    }
    folded
}
