//! `serve`: the memory for agents, by MCP.

mod desk;
mod hosts;
mod http;
mod message;
mod resources;
mod session;
mod stdio;
mod subscribers;
mod tools;

use std::env;
use std::path::Path;
use std::sync::Arc;

use memdoc::ToolSet;
use memdoc::memory::{Actor, PlannedWrite, Verdict};
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

pub(crate) use hosts::Host as HostProgram;

use crate::arguments::{Options, Serve};
use crate::failure::{Answer, Done, Failure};
use crate::output::Output;
use crate::place::{self, Place, TestClock};
use desk::{Host, Log};
use hosts::Reached;
use http::Tokens;
use session::Session;
use stdio::Connection;

pub(crate) fn serve(options: &Options, asked: &Serve, mut output: Output) -> Done {
    let place = Place::of(options)?;
    if let Some(program) = asked.print_config {
        output.note(&format!("put this into {}", program.place()));
        output.raw(&program.configuration(&reached(options, asked, &place)?)?);
        output.flush()?;
        return Ok(Answer::Yes);
    }
    // What is wrong with it is said before anything is opened.
    let tokens = asked.token_file.as_deref().map(Tokens::read).transpose()?;
    let sets: Vec<ToolSet> = asked
        .set
        .iter()
        .map(|set| set.trim().parse())
        .collect::<Result<_, memdoc::text::Unreadable>>()
        .map_err(|error| Failure::usage(error.to_string()))?;
    let (store, memory) = place.open_or_make(TestClock::new(), asked.stale.map(Into::into))?;
    let memory = if asked.approve { memory.with_write_policy(approval) } else { memory };
    let log = if options.quiet { Log::Nothing } else { Log::Calls };
    let host = Arc::new(Host::new(store, memory, sets, actor(options)?, log));
    // Requests begin in the order in which they came.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::usage(format!("could not begin to serve: {error}")))?;
    let served = match asked.http.as_deref() {
        None => runtime.block_on(converse(Session::new(host), &output)),
        Some(address) => {
            let listener = http::bind(address, tokens.is_some())?;
            let tokens = tokens.map_or_else(|| Tokens::of(host.actor.clone()), Ok)?;
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                output.note(&format!("listening on http://{}{}", listener.local_addr()?, http::PATH));
                http::serve(host, listener, tokens).await;
                Ok(Answer::Yes)
            })
        }
    };
    // What is begun is done: a thread may still write.
    runtime.shutdown_timeout(stdio::PATIENCE);
    served
}

/// Holds every write back until a person has looked at it.
fn approval(_: &PlannedWrite<'_>) -> Verdict {
    Verdict::Quarantine("it waits until a person approves it; go on without it".into())
}

/// Answers on standard output until the client closes standard input.
async fn converse(session: Session, output: &Output) -> Done {
    let connection = Connection::open();
    loop {
        match session.clone().serve(connection.clone()).await {
            Ok(conversation) => {
                let _ = conversation.waiting().await;
                break;
            }
            Err(ServerInitializeError::ConnectionClosed(_)) => {
                output.note("the client left before the handshake");
                break;
            }
            // A notification, a response, or a handshake that was refused: the next message may begin one.
            Err(ServerInitializeError::ExpectedInitializeRequest(_) | ServerInitializeError::InitializeFailed(_)) => {}
            Err(_) => break,
        }
    }
    connection.finish();
    Ok(Answer::Yes)
}

/// Returns in whose name edits are recorded, where no token says it.
fn actor(options: &Options) -> Result<Actor, Failure> {
    let is_named = options.actor.is_some() || env::var_os("MEMDOC_ACTOR").is_some_and(|name| !name.is_empty());
    if is_named { place::actor(options) } else { Ok(Actor::default()) }
}

/// Returns how a host reaches a server that is started by this command line.
fn reached(options: &Options, asked: &Serve, place: &Place) -> Result<Reached, Failure> {
    if let Some(address) = &asked.http {
        let url = format!("http://{}{}", http::socket(address)?, http::PATH);
        return Ok(Reached::Http { url });
    }
    let program = env::current_exe().map_err(|error| Failure::usage(format!("where this program is: {error}")))?;
    let text = |path: &Path| {
        let text = path.to_str().map(ToOwned::to_owned);
        text.ok_or_else(|| Failure::usage(format!("`{}` is not UTF-8", path.display())))
    };
    let mut arguments = Vec::new();
    match place {
        Place::Directory(directory) => {
            let directory = std::path::absolute(directory);
            let directory = directory.map_err(|error| Failure::usage(format!("the directory: {error}")))?;
            arguments.extend(["--directory".to_owned(), text(&directory)?]);
        }
        Place::Database { memory, .. } => {
            // It may hold a password: it stays in the environment, unless it was written on the command line.
            let url = options.database.as_ref().map(|url| ["--database".to_owned(), url.clone()]);
            arguments.extend(url.into_iter().flatten());
            arguments.extend(["--memory".to_owned(), memory.clone()]);
        }
    }
    if let Some(actor) = &options.actor {
        arguments.extend(["--actor".to_owned(), actor.clone()]);
    }
    arguments.push("serve".to_owned());
    if asked.set != ["standard"] {
        arguments.extend(["--set".to_owned(), asked.set.join(",")]);
    }
    if let Some(stale) = asked.stale {
        arguments.extend(["--stale".to_owned(), stale.name().to_owned()]);
    }
    if asked.approve {
        arguments.push("--approve".to_owned());
    }
    Ok(Reached::Process { command: text(&program)?, arguments })
}
