//! Reading and writing single files so that a crash leaves the old text or the new one.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use super::super::store_error::{FileFlaw, IoAction, StoreError};

/// Names what was tried, and on which file, when the operating system refuses.
pub(super) fn action(action: IoAction, path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |source| StoreError::Io { action, path, source }
}

/// Reads a regular file; `None` if there is none.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, StoreError> {
    let unusable = |what| StoreError::Unusable { path: path.to_path_buf(), what };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(action(IoAction::Read, path)(error)),
        // A link may lead out of the directory, and a commit would put a file in its place.
        Ok(metadata) if metadata.is_symlink() => return Err(unusable(FileFlaw::SymbolicLink)),
        Ok(metadata) if !metadata.is_file() => return Err(unusable(FileFlaw::NotAFile)),
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(action(IoAction::Read, path))?;
    String::from_utf8(bytes).map(Some).map_err(|_| unusable(FileFlaw::NotUtf8))
}

/// Writes and syncs the text that is to take the place of `place`, with that file's permissions.
pub(super) fn write_next(next: &Path, place: &Path, text: &str) -> Result<(), StoreError> {
    // Left over by a crash before its commit was made.
    match fs::remove_file(next) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(action(IoAction::Remove, next)(error)),
        _ => {}
    }
    let mut file = File::create_new(next).map_err(action(IoAction::Create, next))?;
    if let Ok(metadata) = fs::metadata(place) {
        file.set_permissions(metadata.permissions()).map_err(action(IoAction::SetPermissions, next))?;
    }
    file.write_all(text.as_bytes()).map_err(action(IoAction::Write, next))?;
    file.sync_all().map_err(action(IoAction::Sync, next))
}

/// Writes a file by way of `next`, and syncs it and its directory.
pub(super) fn write_synced(next: &Path, place: &Path, text: &str) -> Result<(), StoreError> {
    write_next(next, place, text)?;
    fs::rename(next, place).map_err(action(IoAction::Replace, place))?;
    place.parent().map_or(Ok(()), sync_directory)
}

/// Makes the names in a directory durable.
pub(super) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    // Only Unix can open a directory as a file; elsewhere a rename is as durable as the system makes it.
    if cfg!(unix) {
        File::open(path).and_then(|directory| directory.sync_all()).map_err(action(IoAction::Sync, path))
    } else {
        Ok(())
    }
}
