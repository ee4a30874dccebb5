//! How large a text may be after a compaction.

use crate::document::MemoryDoc;
use crate::text::{Excess, Span, Unit};

/// The size that a compaction is to keep to. What is `None` is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// The number of tokens, by the host's counter.
    pub tokens: Option<usize>,
    /// The number of bytes.
    pub bytes: Option<usize>,
}

/// What a compaction is asked to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The soft limits of the policy.
    Soft,
    /// The hard limits of the policy.
    Hard,
    /// This number of tokens, for the text that is rewritten alone.
    Tokens(usize),
}

impl Goal {
    /// Returns the budget of the text under `scope`: of a limit of the whole document, what the rest of it leaves. A limit that
    /// the rest exceeds by itself cannot be kept, and is none.
    pub(super) fn budget(self, doc: &MemoryDoc, scope: Span) -> Budget {
        let policy = doc.policy();
        let (tokens, bytes) = match self {
            Self::Tokens(tokens) => return Budget { tokens: Some(tokens), bytes: None },
            Self::Soft => (policy.soft_tokens(), policy.soft_bytes()),
            Self::Hard => (policy.max_tokens, policy.max_bytes),
        };
        let left = |limit: usize, outside: usize| limit.checked_sub(outside);
        let tokens = tokens.and_then(|limit| left(limit, doc.tokens().saturating_sub(doc.tokens_of(scope))));
        Budget { tokens, bytes: left(bytes, doc.text().len() - scope.len()) }
    }
}

impl Budget {
    /// Returns what of the budget the text under `span` exceeds.
    pub(super) fn exceeded_by(self, doc: &MemoryDoc, span: Span) -> Option<Excess> {
        if let Some(budget) = self.tokens {
            let used = doc.tokens_of(span);
            if used > budget {
                return Some(Excess::new(Unit::Tokens, used, budget));
            }
        }
        self.bytes.filter(|budget| span.len() > *budget).map(|budget| Excess::new(Unit::Bytes, span.len(), budget))
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.tokens, self.bytes) {
            (None, None) => f.write_str("none"),
            (Some(tokens), None) => write!(f, "{tokens} tokens"),
            (None, Some(bytes)) => write!(f, "{bytes} bytes"),
            (Some(tokens), Some(bytes)) => write!(f, "{tokens} tokens and {bytes} bytes"),
        }
    }
}
