//! The smallest program that edits a text: no store, no tools.

use memdoc::{Authority, MemoryDoc, Replace, Request, Timestamp, View};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let doc = MemoryDoc::parse(std::env::args().nth(1).ok_or("give a text")?);
    let edit = Replace::new("Denver", "Austin").plan(&View::current(&doc, Timestamp::default()))?;
    println!("{}", doc.commit(&edit, Authority::Agent)?.doc.text());
    Ok(())
}
