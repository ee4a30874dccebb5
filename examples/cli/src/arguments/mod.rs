//! The command line: commands, options, and the help that is made of them.

mod change;
mod keep;
mod look;
mod serve;

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory as _, Parser, Subcommand, ValueEnum};
use serde::Deserialize;

use crate::place::Settings;
pub(crate) use change::{Call, Delete, Edit, Patch, Redact, Remember, Rename, Undo};
pub(crate) use keep::{Backup, Checkpoint, Doctor, Export, Form, Import, Init, Verify};
pub(crate) use look::{At, Blame, Diff, Log, Read, Recall, Search, Show, Watch};
pub(crate) use serve::{Approve, Completions, Man, Pending, Reject, Serve};

/// What `memdoc --help` prints.
const HELP: &str = "\
Memory documents that agents edit and people can follow.

Usage: memdoc [OPTIONS] <COMMAND>

Look:    show  read  search  recall  log  diff  blame  at  watch
Change:  edit  patch  call  remember  undo  rename  delete  redact
Keep:    init  import  export  backup  verify  checkpoint  doctor
Serve:   serve  pending  approve  reject  completions  man

Options: -d, --directory DIR   -m, --memory ID   -a, --actor NAME   -n, --dry-run   -y, --yes
         --database URL   --json   --color WHEN   --no-pager   -q, --quiet   -h, --help   -V, --version
`memdoc COMMAND --help` says more.
";

/// The column in which the explanation of an argument begins.
const COLUMN: usize = 23;

/// A whole command line.
#[derive(Debug, Parser)]
#[command(name = "memdoc", version, override_help = HELP, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(subcommand)]
    pub(crate) command: Task,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[arg(short, long, global = true, value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    #[arg(long, global = true, value_name = "URL", conflicts_with = "directory")]
    pub(crate) database: Option<String>,
    #[arg(short, long, global = true, value_name = "ID")]
    pub(crate) memory: Option<String>,
    #[arg(short, long, global = true, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    #[arg(short = 'n', long, global = true)]
    pub(crate) dry_run: bool,
    #[arg(short, long, global = true)]
    pub(crate) yes: bool,
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    #[arg(skip)]
    pub(crate) settings: Settings,
}

/// When something is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Show a document, or a table of all of them
    #[command(override_usage = "memdoc show [DOCUMENT] [--at MOMENT] [--section NAME] [--raw]")]
    Show(Show),
    /// Show a document as a model is shown it, with the numbers of its lines
    #[command(override_usage = "memdoc read [DOCUMENT] [A-B] [--keys]")]
    Read(Read),
    /// Find bullets and prose by their words
    #[command(override_usage = "memdoc search WORDS... [--in DOCUMENT] [-c COUNT]")]
    Search(Search),
    /// Find what was remembered, the best first
    #[command(override_usage = "memdoc recall WORDS... [-c COUNT]")]
    Recall(Recall),
    /// List what was done to the memory, newest first
    #[command(
        override_usage = "memdoc log [DOCUMENT] [-p] [-c COUNT] [--by ACTOR] [--tool NAME] [--since MOMENT] [--until MOMENT] [--grep TEXT]"
    )]
    Log(Log),
    /// Show what changed
    #[command(override_usage = "memdoc diff [FROM [TO]] [DOCUMENT...] [--stat] [--words] [--exit-code]")]
    Diff(Diff),
    /// Show which entry wrote each bullet, and by whom
    #[command(override_usage = "memdoc blame DOCUMENT [--at MOMENT] [--line LINE] [--history]")]
    Blame(Blame),
    /// Show a document as it was, or the names of all that there were
    #[command(override_usage = "memdoc at MOMENT [DOCUMENT]")]
    At(At),
    /// Show each edit as it comes
    #[command(override_usage = "memdoc watch [DOCUMENT] [-c COUNT]")]
    Watch(Watch),
    /// Edit a document in your editor, and look at the change before it is written
    #[command(override_usage = "memdoc edit DOCUMENT [-r REASON] [--reserved]")]
    Edit(Edit),
    /// Apply a patch or a unified diff to one document or several: all of it, or nothing
    #[command(override_usage = "memdoc patch [FILE] [-n]")]
    Patch(Patch),
    /// Call a tool as an agent does, with all its guards
    #[command(override_usage = "memdoc call TOOL [JSON]")]
    Call(Call),
    /// Record something to remember, beside the documents
    #[command(override_usage = "memdoc remember TEXT [--importance N] [--decision]")]
    Remember(Remember),
    /// Take back what an entry did, and keep what came later
    #[command(
        override_usage = "memdoc undo [ENTRY] [-r REASON] [--reserved]",
        after_help = "  -n, --dry-run        show the change only\nUndo of an undo does it again. If later edits touch the same lines, it is refused and shows them."
    )]
    Undo(Undo),
    /// Give a document another name
    #[command(override_usage = "memdoc rename DOCUMENT NAME [-r REASON]")]
    Rename(Rename),
    /// Delete a document; `memdoc undo` brings it back
    #[command(override_usage = "memdoc delete DOCUMENT [-r REASON] [--reserved]")]
    Delete(Delete),
    /// Erase a text from all documents and from the history, for good
    #[command(override_usage = "memdoc redact TEXT [-r REASON]")]
    Redact(Redact),
    /// Make a memory in a directory
    #[command(override_usage = "memdoc init [DIRECTORY]")]
    Init(Init),
    /// Bring memory from elsewhere
    #[command(
        override_usage = "memdoc import FORMAT PATH [--into FOLDER] [--merge | --replace] [-n]\n       memdoc import FORMAT PATH [--one] [--inline] [--follow] [--escape] [--as FORM]",
        after_help = "What cannot be kept is listed. The same import twice changes nothing."
    )]
    Import(Import),
    /// Write memory in the form of another program
    #[command(
        override_usage = "memdoc export FORMAT PATH [-n]\n       memdoc export --html FILE [--last COUNT]",
        after_help = "What the form cannot hold is listed. A file that is there is not overwritten."
    )]
    Export(Export),
    /// Copy the memory, journal and all, as of one moment
    #[command(override_usage = "memdoc backup DIRECTORY")]
    Backup(Backup),
    /// Check that the history is as it was written, and the documents are what it made
    #[command(override_usage = "memdoc verify [--checkpoint FILE]", after_help = "Exit 1 if something is wrong.")]
    Verify(Verify),
    /// Print a line to keep elsewhere, by which `memdoc verify` tells later that history was cut or rewritten
    #[command(alias = "anchor", override_usage = "memdoc checkpoint [-o FILE]")]
    Checkpoint(Checkpoint),
    /// Look for what is wrong, in the store, the journal, the policy and every document
    #[command(
        aliases = ["check", "validate"],
        override_usage = "memdoc doctor [--fix] [DOCUMENT...]",
        after_help = "Exit 1 if something is an error. What a killed process left in the store mends itself."
    )]
    Doctor(Doctor),
    /// Serve the memory to agents by MCP
    #[command(
        override_usage = "memdoc serve [--set SET,...] [--stale refuse|rebase] [--approve] [--http [ADDR:PORT] --token-file FILE] [--print-config HOST]"
    )]
    Serve(Serve),
    /// Show the writes of agents that wait until they are approved, with what they would change
    #[command(
        override_usage = "memdoc pending [ENTRY]",
        after_help = "Writes wait where `memdoc serve --approve` serves. Exit 1 if none waits."
    )]
    Pending(Pending),
    /// Do what waits, on the documents as they are now
    #[command(
        override_usage = "memdoc approve ENTRY... [-r REASON]\n       memdoc approve --all",
        after_help = "If others changed the same lines meanwhile, it is refused."
    )]
    Approve(Approve),
    /// Throw away what waits, and erase its text
    #[command(override_usage = "memdoc reject ENTRY... [-r REASON]")]
    Reject(Reject),
    /// Print what a shell needs to complete commands and options
    #[command(override_usage = "memdoc completions SHELL")]
    Completions(Completions),
    /// Write the pages of the manual into a directory, or the first one to standard output
    #[command(override_usage = "memdoc man [DIRECTORY]")]
    Man(Man),
}

/// Returns the commands, each with its help.
pub(crate) fn command() -> Command {
    let command = CommandLine::command();
    let names: Vec<String> = command.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |own| {
            let help = help(&own);
            own.override_help(help)
        })
    })
}

/// Writes the help of a command. An argument without an explanation stands in the usage alone.
fn help(command: &Command) -> String {
    let usage = command.clone().render_usage();
    let mut help = format!("{}\n\n{usage}\n", command.get_about().cloned().unwrap_or_default());
    for argument in command.get_arguments() {
        let Some(explanation) = argument.get_help() else { continue };
        let short = argument.get_short().map_or("    ".to_owned(), |short| format!("-{short}, "));
        let value = argument.get_action().takes_values().then(|| argument.get_value_names()).flatten();
        let value = value.unwrap_or_default().join(" ");
        let is_optional = argument.get_num_args().is_some_and(|count| count.min_values() == 0);
        let name = match argument.get_long() {
            // The usage names a value for which there is no room.
            Some(long) if is_optional || long.len() + value.len() + "  -x, -- ".len() > COLUMN - 2 => {
                format!("  {short}--{long}")
            }
            Some(long) => format!("  {short}--{long} {value}"),
            None => format!("  {value}"),
        };
        help += &format!("{:<width$}  {explanation}\n", name.trim_end(), width = COLUMN - 2);
    }
    if let Some(behind) = command.get_after_help() {
        help += &format!("{behind}\n");
    }
    help
}
