//! The command line.

use std::ffi::OsString;

use memdoc::ToolSet;
use memdoc::document::OnStale;
use memdoc::memory::Actor;
use memdoc_mcp::{Asked, Environment, Options, Place, UsageError};

fn parse(arguments: &[&str], fallback: Option<&str>) -> Result<Asked, UsageError> {
    let environment = Environment { directory: fallback.map(OsString::from), database: None };
    Asked::parse(arguments.iter().map(OsString::from), environment)
}

fn serve(directory: &str, set: ToolSet) -> Asked {
    Asked::Serve(Options {
        place: Place::Directory(directory.into()),
        sets: vec![set],
        actor: Actor::default(),
        stale: OnStale::Refuse,
    })
}

#[test]
fn the_command_line_goes_before_the_environment() -> Result<(), UsageError> {
    assert_eq!(parse(&["--directory", "a"], Some("b"))?, serve("a", ToolSet::Standard));
    assert_eq!(parse(&["-d", "a", "--set=minimal"], None)?, serve("a", ToolSet::Minimal));
    assert_eq!(parse(&["--set", "all"], Some("b"))?, serve("b", ToolSet::All));
    let Asked::Serve(options) = parse(&["--set", "standard, journal", "-a", "ada"], Some("b"))? else { return Ok(()) };
    assert_eq!((options.sets, options.actor.as_str()), (vec![ToolSet::Standard, ToolSet::Journal], "ada"));
    let Asked::Serve(options) = parse(&["--stale", "rebase"], Some("b"))? else { return Ok(()) };
    assert_eq!(options.stale, OnStale::Rebase);
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
    for arguments in [
        &["--set", "some"][..],
        &["--set", "standard,"],
        &["--actor", ""],
        &["--set"],
        &["--stale", "merge"],
        &["--director", "a"],
        &["a"],
    ] {
        assert!(parse(arguments, Some("b")).is_err(), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_empty_name_in_the_environment_names_no_directory() -> Result<(), UsageError> {
    let Asked::Serve(options) = parse(&[], Some(""))? else { return Ok(()) };
    let is_users = |place: &Place| matches!(place, Place::Directory(directory) if directory.is_absolute() && directory.ends_with("memdoc"));
    assert!(is_users(&options.place), "{:?}", options.place);
    Ok(())
}

#[test]
fn a_database_is_named_by_one_or_the_other() -> Result<(), UsageError> {
    let database = |url: &str, memory: &str| Place::Database { url: url.to_owned(), memory: memory.to_owned() };
    let Asked::Serve(options) = parse(&["--database", "host=x", "-m", "ada"], Some("b"))? else { return Ok(()) };
    assert_eq!(options.place, database("host=x", "ada"));
    let environment = Environment { directory: None, database: Some("host=x password=secret".into()) };
    let Asked::Serve(options) = Asked::parse([], environment)? else { return Ok(()) };
    assert_eq!(options.place, database("host=x password=secret", "main"));
    assert!(!format!("{options:?}").contains("secret"));
    assert!(matches!(parse(&["-d", "a", "--database", "x"], None), Err(UsageError::TwoPlaces)));
    Ok(())
}
