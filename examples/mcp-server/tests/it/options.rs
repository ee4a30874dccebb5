//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use memdoc::ToolSet;
use memdoc::memory::Actor;
use memdoc_mcp::{Asked, Options, UsageError};

fn parse(arguments: &[&str], fallback: Option<&str>) -> Result<Asked, UsageError> {
    Asked::parse(arguments.iter().map(OsString::from), fallback.map(OsString::from))
}

fn serve(directory: &str, set: ToolSet) -> Asked {
    Asked::Serve(Options { directory: PathBuf::from(directory), sets: vec![set], actor: Actor::default() })
}

#[test]
fn the_command_line_goes_before_the_environment() -> Result<(), UsageError> {
    assert_eq!(parse(&["--directory", "a"], Some("b"))?, serve("a", ToolSet::Standard));
    assert_eq!(parse(&["-d", "a", "--set=minimal"], None)?, serve("a", ToolSet::Minimal));
    assert_eq!(parse(&["--set", "all"], Some("b"))?, serve("b", ToolSet::All));
    let Asked::Serve(options) = parse(&["--set", "standard, journal", "-a", "ada"], Some("b"))? else { return Ok(()) };
    assert_eq!((options.sets, options.actor.as_str()), (vec![ToolSet::Standard, ToolSet::Journal], "ada"));
    Ok(())
}

#[test]
fn help_and_version_are_asked_for() -> Result<(), UsageError> {
    assert_eq!(parse(&["--help"], None)?, Asked::Help);
    assert_eq!(parse(&["-V"], None)?, Asked::Version);
    Ok(())
}

#[test]
fn what_is_not_understood_is_refused() {
    for arguments in
        [&["--set", "some"][..], &["--set", "standard,"], &["--actor", ""], &["--set"], &["--director", "a"], &["a"]]
    {
        assert!(parse(arguments, Some("b")).is_err(), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_empty_name_in_the_environment_names_no_directory() -> Result<(), UsageError> {
    let Asked::Serve(options) = parse(&[], Some(""))? else { return Ok(()) };
    assert!(options.directory.is_absolute() && options.directory.ends_with("memdoc"), "{:?}", options.directory);
    Ok(())
}
