//! Two processes on one memory. Both read it and then edit it. If they change different lines, both edits are kept. If
//! they change the same line, the second edit is refused: its agent reads the current line, and decides. The journal tells
//! who did what.
//!
//! ```console
//! cargo run --example two_agents [DIRECTORY]
//! cargo run --example two_agents --features postgres -- --database 'host=/run/postgresql dbname=agents'
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its reader")]

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::{env, io};

use memdoc::document::OnStale;
use memdoc::memory::{Actor, HistoryQuery};
use memdoc::{Code, DocName, FileStore, Memory, Policy, Reply, Store, Toolbox};
use serde_json::{Value, json};

const MEMORY: &str = "## Trip
- Train: not booked
- Hotel: not booked

## Shopping
- Bread
";

type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().collect();
    let done = match arguments.get(1).map(String::as_str) {
        Some("--agent") => match arguments.get(2) {
            Some(actor) => serve(actor, arguments.get(3..).unwrap_or_default()),
            None => Err("expected --agent NAME and where the memory is".into()),
        },
        Some(_) => run(arguments.get(1..).unwrap_or_default()),
        None => run(&[fresh_directory()]),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(place: &[String]) -> Result<(), Failure> {
    let memory = open(place)?;
    memory.create(&DocName::memory(), MEMORY)?;
    let [mut ada, mut bo] = [Agent::start("ada", place)?, Agent::start("bo", place)?];
    println!("Both read the memory. Then each edits what it has read.\n");
    for agent in [&mut ada, &mut bo] {
        agent.call("memory_read", &json!({}))?;
    }
    ada.call("replace_in_memory", &replace("Train: not booked", "Train: booked for Friday"))?;

    println!("\nBo has not seen that, and edits another line: the edit is made on what stands there now.\n");
    let reply = bo.call("replace_in_memory", &replace("- Bread", "- Bread and butter"))?;
    expect(&reply, None)?;

    println!("\nBo edits the line that Ada has changed: that is a conflict, and the reply shows what stands there.\n");
    let reply = bo.call("replace_in_memory", &replace("Train: not booked", "Train: Bo asks for prices"))?;
    expect(&reply, Some(Code::Conflict.as_str()))?;
    let reply =
        bo.call("replace_in_memory", &replace("Train: booked for Friday", "Train: booked for Friday; Bo pays half"))?;
    expect(&reply, None)?;
    [ada, bo].into_iter().try_for_each(Agent::stop)?;

    println!("\nWhat the memory says, and what the journal tells:\n");
    print!("{}", memory.read(&DocName::memory())?.text());
    println!();
    for row in memory.history(&HistoryQuery::new())?.entries.iter().rev() {
        let content = row.entry.body();
        let sections = content.map(|content| content.sections.join(", ")).unwrap_or_default();
        println!("{:>2}  {:<5} {sections}", row.entry.seq(), row.entry.header().actor);
    }
    if !memory.verify(None)?.is_sound() {
        return Err("the journal is not sound".into());
    }
    Ok(())
}

/// Works as one of the agents: reads calls, one on each line, and answers each with a line.
fn serve(actor: &str, place: &[String]) -> Result<(), Failure> {
    let mut toolbox = Toolbox::new(open(place)?).with_actor(actor.parse::<Actor>()?);
    for line in io::stdin().lock().lines() {
        let call: Value = serde_json::from_str(&line?)?;
        let reply: Reply = toolbox.call(call["tool"].as_str().unwrap_or_default(), &call["arguments"]);
        let answer = json!({"text": reply.to_string(), "code": reply.code().map(Code::as_str)});
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

/// Opens the memory in a directory, or in a database. The rest of the example is the same for both.
fn open(place: &[String]) -> Result<Memory, Failure> {
    let store: Box<dyn Store> = match place {
        #[cfg(feature = "postgres")]
        [flag, url] if flag == "--database" => Box::new(memdoc::memory::PostgresStore::open(url, "two-agents")?),
        [directory] => Box::new(FileStore::open(directory)?),
        _ => return Err("expected a directory, or with feature `postgres` --database and a connection string".into()),
    };
    Ok(Memory::new(store, Policy::default().with_on_stale(OnStale::Rebase))?)
}

/// An agent in a process of its own.
struct Agent {
    name: &'static str,
    process: Child,
    calls: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Agent {
    fn start(name: &'static str, place: &[String]) -> Result<Self, Failure> {
        let mut command = Command::new(env::current_exe()?);
        command.args(["--agent", name]).args(place).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let calls = process.stdin.take().ok_or("the process takes no calls")?;
        let answers = BufReader::new(process.stdout.take().ok_or("the process gives no answers")?);
        Ok(Self { name, process, calls, answers })
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        println!("{:<5}{tool} {arguments}", self.name);
        writeln!(self.calls, "{}", json!({"tool": tool, "arguments": arguments}))?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line)?;
        answer["text"].as_str().unwrap_or_default().split('\n').for_each(|line| println!("       {line}"));
        Ok(answer)
    }

    fn stop(self) -> Result<(), Failure> {
        let Self { mut process, calls, .. } = self;
        drop(calls);
        match process.wait()?.success() {
            true => Ok(()),
            false => Err("an agent failed".into()),
        }
    }
}

fn replace(old: &str, new: &str) -> Value {
    json!({"old_string": old, "new_string": new})
}

fn expect(answer: &Value, code: Option<&str>) -> Result<(), Failure> {
    match answer["code"].as_str() == code {
        true => Ok(()),
        false => Err(format!("expected {code:?}, found {answer}").into()),
    }
}

fn fresh_directory() -> String {
    env::temp_dir().join(format!("memdoc-two-agents-{}", std::process::id())).display().to_string()
}
