//! The smallest program with a toolbox over files: what memdoc adds to a binary and to a build.

use memdoc::{FileStore, Memory, Policy, Toolbox};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args_os().nth(1).ok_or("name a directory")?;
    let mut toolbox = Toolbox::new(Memory::new(FileStore::open(directory)?, Policy::default())?);
    println!("{}", toolbox.call_str("memory_read", "{}"));
    Ok(())
}
