//! `memdoc`: memory documents that agents edit and people can follow, on the command line.

mod arguments;
mod blame;
mod change;
mod checks;
mod diff;
mod editor;
mod failure;
mod formats;
mod import;
mod log;
mod merge;
mod moment;
mod output;
mod page;
mod place;
mod review;
mod serve;
mod show;
mod tools;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::FromArgMatches as _;
use serde_json::json;

use arguments::{CommandLine, Man, Task};
use failure::{Answer, Done, Failure};
use output::Output;
use place::{Desk, Settings};

fn main() -> ExitCode {
    let line = match arguments::command().try_get_matches().and_then(|matches| CommandLine::from_arg_matches(&matches))
    {
        Ok(line) => line,
        Err(error) => return misread(&error),
    };
    let is_json = line.options.json;
    match run(line) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(failure) => {
            report(&failure, is_json);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Says what is wrong with a command line, or prints the help that it asks for.
fn misread(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Nobody may be there to read it.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let is_json = std::env::args_os().skip(1).any(|argument| argument == "--json");
    if is_json {
        let text = error.to_string();
        let message = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
        report(&Failure::usage(message.trim_start_matches("error: ")), true);
    } else {
        let _ = error.print();
    }
    ExitCode::from(2)
}

fn report(failure: &Failure, is_json: bool) {
    if failure.is_closed_pipe() {
        return;
    }
    let printable = |text: &str| text.split('\n').map(memdoc::text::visible).collect::<Vec<_>>().join("\n");
    if is_json {
        let error = json!({"error": {"code": failure.code(), "message": failure.message()}});
        let _ = writeln!(io::stdout(), "{error}");
        return;
    }
    let mut stderr = io::stderr();
    let _ = writeln!(stderr, "{}", printable(&failure.to_string()));
    if let Some(hint) = failure.hint() {
        let _ = writeln!(stderr, "hint: {}", printable(hint));
    }
}

fn run(mut line: CommandLine) -> Done {
    line.options.settings = Settings::read()?;
    let mut output = Output::new(&line.options);
    match line.command {
        Task::Completions(asked) => {
            let mut script = Vec::new();
            clap_complete::generate(asked.shell, &mut arguments::command(), "memdoc", &mut script);
            output.raw(&String::from_utf8_lossy(&script));
            output.flush()?;
            Ok(Answer::Yes)
        }
        Task::Man(asked) => manual(&asked, output),
        Task::Init(asked) => checks::init(&line.options, &asked, output),
        Task::Serve(asked) => serve::serve(&line.options, &asked, output),
        command => {
            let mut desk = Desk::new(&line.options, output)?;
            let answer = on_memory(&mut desk, command)?;
            desk.output.finish()?;
            Ok(answer)
        }
    }
}

/// Writes the pages of the manual.
fn manual(asked: &Man, mut output: Output) -> Done {
    let command = arguments::command();
    if let Some(directory) = &asked.directory {
        std::fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(command, directory))
            .map_err(|error| Failure::file("write", directory, &error))?;
        return Ok(Answer::Yes);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    output.raw(&String::from_utf8_lossy(&page));
    output.flush()?;
    Ok(Answer::Yes)
}

/// Runs a command on the memory.
fn on_memory(desk: &mut Desk, command: Task) -> Done {
    match command {
        Task::Show(asked) => show::show(desk, &asked),
        Task::Read(asked) => show::read(desk, &asked),
        Task::At(asked) => show::at(desk, &asked),
        Task::Search(asked) => tools::search(desk, &asked),
        Task::Recall(asked) => tools::recall(desk, &asked),
        Task::Call(asked) => tools::call(desk, &asked),
        Task::Patch(asked) => tools::patch(desk, &asked),
        Task::Remember(asked) => tools::remember(desk, &asked),
        Task::Log(asked) => log::log(desk, &asked),
        Task::Diff(asked) => diff::diff(desk, &asked),
        Task::Blame(asked) => blame::blame(desk, &asked),
        Task::Watch(asked) => log::watch(desk, &asked),
        Task::Pending(asked) => review::pending(desk, &asked),
        Task::Approve(asked) => review::approve(desk, &asked),
        Task::Reject(asked) => review::reject(desk, &asked),
        Task::Edit(asked) => editor::edit(desk, &asked),
        Task::Undo(asked) => change::undo(desk, &asked),
        Task::Rename(asked) => change::rename(desk, &asked),
        Task::Delete(asked) => change::delete(desk, &asked),
        Task::Redact(asked) => change::redact(desk, &asked),
        Task::Import(asked) => import::import(desk, &asked),
        Task::Export(asked) => import::export(desk, &asked),
        Task::Backup(asked) => checks::backup(desk, &asked),
        Task::Verify(asked) => checks::verify(desk, &asked),
        Task::Checkpoint(asked) => checks::checkpoint(desk, &asked),
        Task::Doctor(asked) => checks::doctor(desk, &asked),
        // Those that need no memory were run before.
        Task::Completions(_) | Task::Man(_) | Task::Init(_) | Task::Serve(_) => Ok(Answer::Yes),
    }
}
