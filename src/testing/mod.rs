//! What any [`Store`] can be held to: rules that are checked one by one, and a store that loses answers. And what this library
//! holds itself to: [`made`].
//!
//! A store for another engine is tested in one call. The function that is handed over opens the memory of a name: handles of one
//! name are handles of one memory, and memories of other names are others.
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::{Arc, Mutex};
//! use memdoc::{InMemoryStore, Store, testing};
//!
//! let memories: Mutex<HashMap<String, Arc<InMemoryStore>>> = Mutex::default();
//! testing::conform(|name| -> Box<dyn Store> {
//!     let mut memories = memories.lock().unwrap();
//!     Box::new(memories.entry(name.to_owned()).or_default().clone())
//! })?;
//! # Ok::<(), testing::Violations>(())
//! ```

mod faulty;
mod rules;
mod subject;
mod update;

pub use crate::text::lookups;
pub use faulty::Faulty;
pub use subject::{Violation, Violations, Wanted, change, conform, redaction, request};
pub use update::made;

#[cfg(doc)]
use crate::memory::Store;
