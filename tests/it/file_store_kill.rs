//! Several processes on one directory, and processes that die: what was acknowledged is there, once, and nothing is half done.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use memdoc::{DocName, FileStore, Memory, Policy, Status, Toolbox, document::OnStale};
use serde_json::json;

use crate::support::changes::{problems, text, written};
use crate::support::outside::skipped;
use crate::support::scratch::Scratch;
use crate::support::soak;

/// What a child is told by: the directory, its name, how often it appends.
const DIRECTORY: &str = "MEMDOC_CHILD_DIRECTORY";
const NAME: &str = "MEMDOC_CHILD_NAME";
const APPENDS: &str = "MEMDOC_CHILD_APPENDS";

const BEFORE: &str = "# Top\n\n## Log\n\n## End\n";

fn toolbox(directory: &Path) -> Toolbox {
    let policy = Policy::default().with_on_stale(OnStale::Rebase).with_max_bytes(1 << 24);
    Toolbox::new(Memory::new(FileStore::open(directory).unwrap(), policy).unwrap())
}

/// Begins a memory.
fn begun(directory: &Path) {
    let memory = Memory::new(FileStore::open(directory).unwrap(), Policy::default()).unwrap();
    memory.seed(&DocName::memory(), BEFORE).unwrap();
}

/// Appends, where this process is a child of a test below; else there is nothing to do.
#[test]
fn a_child_appends() {
    let Ok(directory) = std::env::var(DIRECTORY) else { return };
    let [name, appends] = [NAME, APPENDS].map(|variable| std::env::var(variable).unwrap());
    let mut toolbox = toolbox(Path::new(&directory));
    for round in 0..appends.parse::<usize>().unwrap() {
        let token = format!("- token {name}.{round};");
        let arguments = json!({"old_string": "## Log\n", "new_string": format!("## Log\n{token}\n")});
        loop {
            toolbox.show(&DocName::memory()).unwrap();
            let reply = toolbox.call("replace_in_memory", &arguments);
            match reply.code() {
                None => break assert_eq!(reply.status(), Status::Committed),
                Some(memdoc::Code::StaleRevision | memdoc::Code::Conflict | memdoc::Code::Busy) => {}
                Some(_) => panic!("{reply}"),
            }
        }
        // The test harness keeps back what goes by `println!`.
        let mut out = std::io::stdout();
        out.write_all(format!("\nacknowledged {token}\n").as_bytes()).unwrap();
        out.flush().unwrap();
    }
}

fn command(program: &str, arguments: &[&str], directory: &Path, name: &str, appends: usize) -> Child {
    Command::new(program)
        .args(arguments)
        .args(["--exact", "file_store_kill::a_child_appends", "--nocapture", "--test-threads=1"])
        .env(DIRECTORY, directory)
        .env(NAME, name)
        .env(APPENDS, appends.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn child(directory: &Path, name: &str, appends: usize) -> Child {
    command(std::env::current_exe().unwrap().to_str().unwrap(), &[], directory, name, appends)
}

/// Returns the tokens that a child has told, until it ends.
fn acknowledged(child: &mut Child) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("acknowledged ").map(str::to_owned)).collect()
}

/// Checks that what was acknowledged is there once, that nothing is there twice, that the journal is whole and tells the same,
/// that nothing is left over, and that the next commit is made.
fn check(directory: &Path, tokens: &[String]) {
    let store = FileStore::open(directory).unwrap();
    let document = text(&store, "memory").unwrap();
    for token in tokens {
        assert_eq!(document.matches(token.as_str()).count(), 1, "{token} of {document}");
    }
    let mut lines: Vec<_> = document.split('\n').filter(|line| line.starts_with("- token")).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count, "{document}");
    assert_eq!(problems(&store), [""; 0]);
    written(&store, "next", &[("memory", Some(&document.replace("# Top", "# Next")))]);
    written(&store, "back", &[("memory", Some(&document))]);
    let strays = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let strays: Vec<_> = strays.filter(|name| name.starts_with('.') && name != ".memdoc").collect();
    assert_eq!(strays, [""; 0]);
}

#[test]
fn processes_on_one_directory_lose_nothing() {
    let scratch = Scratch::create();
    begun(&scratch);
    let appends = 20 * soak::factor();
    let mut children: Vec<_> = (0..4).map(|number| child(&scratch, &number.to_string(), appends)).collect();
    let tokens: Vec<_> = children.iter_mut().flat_map(acknowledged).collect();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    assert_eq!(tokens.len(), 4 * appends);
    check(&scratch, &tokens);
}

#[test]
fn processes_that_are_killed_at_any_moment_leave_all_or_nothing() {
    let (mut scratch, mut tokens) = (Scratch::create(), Vec::new());
    for round in 0..15 * soak::factor() {
        // A few rounds on one directory: what is read at each start grows with what was written before.
        if round % 5 == 0 {
            (scratch, tokens) = (Scratch::create(), Vec::new());
            begun(&scratch);
        }
        let mut one = child(&scratch, &format!("{round}a"), 1000);
        let mut other = child(&scratch, &format!("{round}b"), 1000);
        let out = BufReader::new(one.stdout.take().unwrap());
        let (told, heard) = channel();
        let reader = std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = told.send(line);
            }
        });
        let is_token = |line: &String| line.starts_with("acknowledged ");
        let mut lines: Vec<String> = heard.iter().filter(is_token).take(1 + round % 3).collect();
        // Some moments of the next commit, not the same at each round.
        let micros = u64::try_from(round).unwrap().wrapping_mul(7919) % 20_000;
        lines.extend(heard.recv_timeout(Duration::from_micros(micros)));
        one.kill().unwrap();
        other.kill().unwrap();
        lines.extend(heard.iter());
        reader.join().unwrap();
        tokens.extend(lines.iter().filter_map(|line| line.strip_prefix("acknowledged ").map(str::to_owned)));
        tokens.extend(acknowledged(&mut other));
        one.wait().unwrap();
        other.wait().unwrap();
        check(&scratch, &tokens);
    }
}

/// The calls that change something.
const CALLS: &str = "fsync,pwrite64,renameat,renameat2,unlinkat,ftruncate,mkdirat,flock";

fn traced(directory: &Path, inject: &str) -> Child {
    let this = std::env::current_exe().unwrap();
    let quiet = format!("trace={CALLS}");
    let log = directory.join("trace");
    let arguments = ["-f", "-qq", "-o", log.to_str().unwrap(), "-e", &quiet, "-e", inject, this.to_str().unwrap()];
    command("strace", &arguments, directory, "traced", 2)
}

#[test]
fn processes_that_are_killed_at_each_call_leave_all_or_nothing() {
    if !Command::new("strace").args(["-o", "/dev/null", "true"]).status().is_ok_and(|status| status.success()) {
        return skipped("strace");
    }
    let mut killed = 0;
    for call in CALLS.split(',') {
        // Calls are counted each by its name.
        for at in 1.. {
            let scratch = Scratch::create();
            begun(&scratch);
            let mut child = traced(&scratch, &format!("inject={call}:signal=KILL:when={at}"));
            let tokens = acknowledged(&mut child);
            let is_over = child.wait().unwrap().success();
            check(&scratch, &tokens);
            if is_over {
                assert_eq!(tokens.len(), 2);
                break;
            }
            killed += 1;
        }
    }
    assert!(killed > 20, "{killed} calls are too few for two commits");
}
