//! A directory of the operating system for one test.

use std::path::{Path, PathBuf};

/// A directory that goes with the test.
pub(in super::super) struct Directory(PathBuf);

impl Directory {
    pub(in super::super) fn new() -> Self {
        static LAST: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = LAST.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("memdoc-disk-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(in super::super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
