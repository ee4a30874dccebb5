//! What a directory of the operating system does.

use super::super::super::{FileFlaw, StoreError};
use super::super::disk::{Access, Disk as _, Moved, Rename, look, read};
use super::super::unix::UnixDisk;
use std::path::PathBuf;

/// A directory that goes with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn create(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("memdoc-unix-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn write(directory: &Scratch, path: &str, text: &str) {
    std::fs::write(directory.0.join(path), text).unwrap();
}

#[test]
fn only_plain_files_are_read() {
    let directory = Scratch::create("only_plain_files_are_read");
    let disk = UnixDisk::open(&directory.0).unwrap();
    let at = |path: &str| directory.0.join(path);
    write(&directory, "plain", "text");
    std::os::unix::fs::symlink(at("plain"), at("link")).unwrap();
    std::fs::create_dir(at("directory")).unwrap();
    std::os::unix::fs::symlink(at("directory"), at("folder")).unwrap();
    std::os::unix::net::UnixListener::bind(at("socket")).map(drop).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("fifo")).status();
    write(&directory, "bytes", "");
    std::fs::write(at("bytes"), [0xff]).unwrap();
    let found = |path: &str| look(&disk, path);
    let flaw = |path: &str| match found(path) {
        Err(StoreError::Unusable { what, .. }) => Some(what),
        _ => None,
    };
    for path in ["link", "directory", "socket", "bytes"] {
        assert!(matches!(found(path), Err(StoreError::Unusable { .. })), "{path}: {:?}", found(path));
    }
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(flaw("fifo"), Some(FileFlaw::NotAFile));
    }
    assert!(matches!(found("plain"), Ok(Some(_))));
    assert!(read(&disk, "plain", 4).is_ok() && read(&disk, "plain", 3).is_err());
    assert!(matches!(found("none"), Ok(None)));
    assert!(matches!(found("none/none"), Ok(None)));
    assert_eq!(flaw("folder/none"), Some(FileFlaw::NotADirectory));
}

#[test]
fn names_change_places_or_nothing_happens() {
    let directory = Scratch::create("names_change_places_or_nothing_happens");
    let disk = UnixDisk::open(&directory.0).unwrap();
    write(&directory, "a", "one");
    write(&directory, "b", "two");
    if disk.rename("a", "b", Rename::Exchange).unwrap() == Moved::Done {
        assert_eq!(read(&disk, "a", 9).unwrap().unwrap().0, b"two");
        assert_eq!(disk.rename("a", "c", Rename::Exchange).unwrap(), Moved::Refused);
    }
    assert_eq!(disk.rename("a", "b", Rename::New).unwrap(), Moved::Refused);
    assert_eq!(disk.rename("a", "c", Rename::New).unwrap(), Moved::Done);
    assert_eq!(disk.rename("a", "d", Rename::New).unwrap(), Moved::Refused);
    let mut names: Vec<_> = disk.list("").unwrap().into_iter().map(|listed| listed.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["b", "c"]);
    assert!(disk.list("none").unwrap().is_empty());
}

#[test]
fn a_file_keeps_its_permissions() {
    let directory = Scratch::create("a_file_keeps_its_permissions");
    let disk = UnixDisk::open(&directory.0).unwrap();
    disk.create("a", Some(0o640)).unwrap();
    assert_eq!(disk.open("a", Access::Read).unwrap().map(|file| disk.stat(&file).mode), Some(0o640));
}
