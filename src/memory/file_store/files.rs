//! Reading and writing single files so that a crash leaves the old text or the new one.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use super::super::store::StoreError;

/// Names what was tried, and on which file, when the operating system refuses.
pub(super) fn action(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |source| StoreError::Io { action, path, source }
}

/// Reads a regular file; `None` if there is none.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, StoreError> {
    let unusable = |what| StoreError::Unusable { path: path.to_path_buf(), what };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(action("read", path)(error)),
        // A link may lead out of the directory, and a commit would put a file in its place.
        Ok(metadata) if metadata.is_symlink() => return Err(unusable("a symbolic link, which is not followed")),
        Ok(metadata) if !metadata.is_file() => return Err(unusable("not a file")),
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(action("read", path))?;
    String::from_utf8(bytes).map(Some).map_err(|_| unusable("not UTF-8"))
}

/// Writes and syncs the text that is to take the place of `place`, with that file's permissions.
pub(super) fn write_next(next: &Path, place: &Path, text: &str) -> Result<(), StoreError> {
    // Left over by a crash before its commit was made.
    match fs::remove_file(next) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(action("remove", next)(error)),
        _ => {}
    }
    let mut file = File::create_new(next).map_err(action("create", next))?;
    if let Ok(metadata) = fs::metadata(place) {
        file.set_permissions(metadata.permissions()).map_err(action("set the permissions of", next))?;
    }
    file.write_all(text.as_bytes()).map_err(action("write", next))?;
    file.sync_all().map_err(action("sync", next))
}

/// Writes a file by way of `next`, and syncs it and its directory.
pub(super) fn write_synced(next: &Path, place: &Path, text: &str) -> Result<(), StoreError> {
    write_next(next, place, text)?;
    fs::rename(next, place).map_err(action("replace", place))?;
    place.parent().map_or(Ok(()), sync_directory)
}

/// Makes the names in a directory durable.
pub(super) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    // Only Unix can open a directory as a file; elsewhere a rename is as durable as the system makes it.
    if cfg!(unix) {
        File::open(path).and_then(|directory| directory.sync_all()).map_err(action("sync", path))
    } else {
        Ok(())
    }
}
