//! Which policy each document has.

use std::collections::BTreeMap;
use std::sync::Arc;

use litemap::LiteMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::DocName;
use crate::document::{InvalidSetting, Policy, Rules};
use crate::text::TokenCounter;

/// The policies of a memory: one for all documents, except those that have their own.
///
/// Its JSON is that of a [`Policy`], with a further member `documents` if needed: it has, by the names of the documents
/// that have their own policy, the members that differ.
///
/// # Examples
///
/// ```
/// use memdoc::{DocName, memory::Policies};
///
/// let json = r#"{"max_bytes": 4096, "documents": {"notes": {"max_bytes": 65536}}}"#;
/// let policies: Policies = serde_json::from_str(json)?;
/// assert_eq!(policies.of(&DocName::memory()).max_bytes, 4096);
/// assert_eq!(policies.of(&"notes".parse()?).max_bytes, 65536);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Policies {
    #[serde(flatten)]
    common: Policy,
    #[serde(rename = "documents", skip_serializing_if = "BTreeMap::is_empty")]
    own: BTreeMap<DocName, Policy>,
}

impl Policies {
    /// Sets the policy of one document.
    #[must_use]
    pub fn with(mut self, document: DocName, policy: Policy) -> Self {
        self.own.insert(document, policy);
        self
    }

    /// Returns the policy of a document.
    pub fn of(&self, document: &DocName) -> &Policy {
        self.own.get(document).unwrap_or(&self.common)
    }
}

impl From<Policy> for Policies {
    /// Gives all documents one policy.
    fn from(common: Policy) -> Self {
        Self { common, own: BTreeMap::new() }
    }
}

impl<'de> Deserialize<'de> for Policies {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut common = Map::<String, Value>::deserialize(deserializer)?;
        let documents = common.remove("documents").unwrap_or_else(|| json!({}));
        let documents = BTreeMap::<DocName, Map<_, _>>::deserialize(documents).map_err(D::Error::custom)?;
        let policy = |differing| {
            let members = common.clone().into_iter().chain(differing).collect();
            Policy::deserialize(Value::Object(members)).map_err(D::Error::custom)
        };
        let own = documents.into_iter().map(|(name, differing)| Ok((name, policy(differing)?)));
        Ok(Self { own: own.collect::<Result<_, _>>()?, common: policy(Map::new())? })
    }
}

/// The policies of a memory, made ready for use.
pub(super) struct RuleBook {
    pub(super) common: Arc<Rules>,
    /// The same for documents that are data and not Markdown.
    of_data: Arc<Rules>,
    own: LiteMap<DocName, Arc<Rules>>,
}

impl RuleBook {
    pub(super) fn new(policies: Policies) -> Result<Self, InvalidSetting> {
        let common = Arc::new(Rules::new(policies.common)?);
        let mut own = LiteMap::new();
        for (name, policy) in policies.own {
            let rules = Rules::new(policy)?;
            let rules = if name.is_data() { rules.for_data() } else { rules };
            own.insert(name, Arc::new(rules));
        }
        Ok(Self { of_data: Arc::new(common.for_data()), common, own })
    }

    pub(super) fn counted_by(mut self, counter: &Arc<dyn TokenCounter>) -> Self {
        for rules in self.own.iter_mut().map(|(_, rules)| rules).chain([&mut self.common, &mut self.of_data]) {
            *rules = Arc::new((**rules).clone().with_counter(counter.clone()));
        }
        self
    }

    pub(super) fn of(&self, document: &DocName) -> &Arc<Rules> {
        let common = if document.is_data() { &self.of_data } else { &self.common };
        self.own.get(document).unwrap_or(common)
    }
}
