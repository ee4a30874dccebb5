//! What any [`Store`] can be tested with: [`conform`], which checks the rules one by one, and [`Faulty`], a store
//! that loses answers. And a check of this library's own incremental parser: [`made`].
//!
//! A store for another engine is tested in one call. Pass a function that opens the memory of a name: for the same
//! name, handles of the same memory, and for another name, another memory.
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
