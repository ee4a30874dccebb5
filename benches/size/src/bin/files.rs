//! The smallest program that edits a memory in files: no tools.

use memdoc::memory::RequestId;
use memdoc::{Basis, DocName, FileStore, Known, Memory, Operation, Origin, Policy, Replace};
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args_os().nth(1).ok_or("name a directory")?;
    let memory = Memory::new(FileStore::open(directory)?, Policy::default())?;
    let known = Known::of(&memory.read(&DocName::memory())?);
    let replace = Replace::new("Denver", "Austin");
    let operation = Operation::edit(DocName::memory(), Basis::Known(&known), &replace);
    memory.apply(&[operation], &Origin::host("files"), RequestId::new("files", &Value::Null))?;
    println!("{}", memory.read(&DocName::memory())?.text());
    Ok(())
}
