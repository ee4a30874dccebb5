//! What to bring to mind.

mod handle;
mod index;
mod journal;
mod lines;
mod packing;
mod passages;
mod prompt;
mod query;
mod ranker;
mod search;
mod weights;
mod words;

pub use handle::Recall;
pub use packing::WhyLeftOut;
pub use prompt::{HostPart, NotRendered, Prompt, PromptPart, Rendered};
pub use query::{LeftOut, RecallQuery, Recalled, RecalledMemory};
pub use ranker::{Passage, Ranker};
pub use search::{Found, SearchQuery};
pub use weights::Weights;

pub(crate) use lines::hanging;
