//! [`Compactor`]: the host's hook that writes shorter texts.

use std::sync::Arc;

use crate::request::CompactionRequest;

/// Why a compactor has no text: what the host's model or network said.
pub type CompactorError = Box<dyn std::error::Error + Send + Sync>;

/// Writes shorter texts for a memory: the host's hook, which calls a model. A closure is one, too.
///
/// It is called while no lock is held, and may take its time; what it returns is checked before anything is written.
///
/// # Examples
///
/// ```
/// use memdoc::{Basis, DocName, InMemoryStore, Memory, Operation, Origin, Policy, memory::RequestId, request::BulletOutcome, request::CompactionRequest, request::Rewrite};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Likes tea\n- Likes green tea\n- Has a cat\n");
/// let model = |request: &CompactionRequest| {
///     assert!(request.prompt().contains("- Likes green tea"));
///     Ok("## Facts\n- Likes green tea\n- Has a cat\n".to_owned())
/// };
/// let memory = Memory::new(store, Policy::default())?.with_compactor(model);
///
/// let rewrite = Rewrite::new("merge what says the same");
/// let operation = Operation::compact(DocName::memory(), Basis::Anything, &rewrite);
/// let applied = memory.apply(&[operation], &Origin::host("tidy"), RequestId::new("tidy", &"nightly".into()))?;
/// let report = applied[0].report.as_ref().expect("a rewrite is reported");
/// assert_eq!(report.count(BulletOutcome::Kept), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Compactor: Send + Sync {
    /// Returns the new text for what the request is about: the whole document, or the section with its heading.
    ///
    /// # Errors
    ///
    /// There is no text; the call that asked for it is refused with `hook_failed`, and nothing has been changed.
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError>;
}

impl<F> Compactor for F
where
    F: Fn(&CompactionRequest) -> Result<String, CompactorError> + Send + Sync,
{
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError> {
        self(request)
    }
}

impl<C: Compactor + ?Sized> Compactor for Arc<C> {
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError> {
        (**self).compact(request)
    }
}
