//! [`Proxy`]: stands between a client and the server, loses what passes, and puts other words into it.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use memdoc_stores::{Cluster, url};
use tempfile::TempDir;

/// What becomes of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    Pass,
    /// The connection is cut before the server gets it.
    CutBefore,
    /// The server gets it, and the connection is cut when it answers.
    CutAfter,
    /// The server gets it, and nobody hears of that connection any more.
    Silence,
}

/// A socket at which a server seems to be.
pub struct Proxy {
    directory: TempDir,
    state: Arc<State>,
}

struct State {
    server: PathBuf,
    /// What is replaced in statements.
    rewrites: Vec<(&'static str, &'static str)>,
    /// A part of the statements that faults are for, and the faults, one for each of them.
    faults: Mutex<(&'static str, VecDeque<Fault>)>,
    /// What faults are drawn from, once the others are used up; 0 draws none.
    seed: AtomicU64,
    streams: Mutex<Vec<UnixStream>>,
}

impl Proxy {
    /// Stands before a server, and replaces one text of statements by another.
    pub fn rewriting(cluster: &Cluster, rewrites: &[(&'static str, &'static str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(directory.path().join(".s.PGSQL.5432")).unwrap();
        let state = Arc::new(State {
            server: cluster.socket(),
            rewrites: rewrites.to_vec(),
            faults: Mutex::new(("COMMIT\0", VecDeque::new())),
            seed: AtomicU64::new(0),
            streams: Mutex::default(),
        });
        let shared = state.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                connect(client, &shared);
            }
        });
        Self { directory, state }
    }

    /// Stands before a server.
    pub fn before(cluster: &Cluster) -> Self {
        Self::rewriting(cluster, &[])
    }

    /// Returns the connection string of a database behind it.
    pub fn url(&self, database: &str) -> String {
        url(self.directory.path(), database)
    }

    /// Has this become of the next statements with this part.
    pub fn plan(&self, statements: &'static str, faults: &[Fault]) {
        *self.state.faults.lock().unwrap() = (statements, faults.iter().copied().collect());
    }

    /// Draws what becomes of each commit; 0 ends that.
    pub fn draw(&self, seed: u64) {
        self.state.seed.store(seed, Ordering::SeqCst);
    }

    /// Cuts all connections.
    pub fn cut(&self) {
        self.state.streams.lock().unwrap().drain(..).for_each(|stream| drop(stream.shutdown(Shutdown::Both)));
    }
}

impl State {
    /// Returns what becomes of a statement.
    fn fault(&self, statement: &[u8]) -> Fault {
        let mut faults = self.faults.lock().unwrap();
        if !statement.windows(faults.0.len()).any(|part| part == faults.0.as_bytes()) {
            return Fault::Pass;
        }
        if let Some(fault) = faults.1.pop_front() {
            return fault;
        }
        let seed = self.seed.load(Ordering::SeqCst);
        if seed == 0 {
            return Fault::Pass;
        }
        let next = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.seed.store(next, Ordering::SeqCst);
        match next >> 61 {
            0 => Fault::CutBefore,
            1 | 2 => Fault::CutAfter,
            _ => Fault::Pass,
        }
    }

    fn rewritten(&self, mut message: Vec<u8>) -> Vec<u8> {
        for (old, new) in &self.rewrites {
            let found = message.windows(old.len()).position(|part| part == old.as_bytes());
            if let Some(at) = found {
                message.splice(at..at + old.len(), new.bytes());
            }
        }
        message
    }
}

fn connect(client: UnixStream, state: &Arc<State>) {
    let Ok(server) = UnixStream::connect(&state.server) else { return drop(client.shutdown(Shutdown::Both)) };
    let clones = [client.try_clone().unwrap(), server.try_clone().unwrap()];
    state.streams.lock().unwrap().extend(clones);
    let (is_mute, is_cut) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let [mut to_client, mut from_server] = [client.try_clone().unwrap(), server.try_clone().unwrap()];
    let (mute, cut) = (is_mute.clone(), is_cut.clone());
    thread::spawn(move || {
        let mut bytes = [0; 65536];
        while let Ok(count @ 1..) = from_server.read(&mut bytes) {
            if cut.load(Ordering::SeqCst) {
                break;
            }
            if !mute.load(Ordering::SeqCst) && to_client.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        if !mute.load(Ordering::SeqCst) {
            let _ = to_client.shutdown(Shutdown::Both);
        }
        let _ = from_server.shutdown(Shutdown::Both);
    });
    let state = state.clone();
    thread::spawn(move || {
        let (mut client, mut server) = (client, server);
        let _ = forward(&mut client, &mut server, &state, [&is_mute, &is_cut]);
        let _ = server.shutdown(Shutdown::Both);
        let _ = client.shutdown(Shutdown::Both);
    });
}

/// Hands messages over to the server, until one is not to be.
fn forward(
    client: &mut UnixStream,
    server: &mut UnixStream,
    state: &State,
    [is_mute, is_cut]: [&AtomicBool; 2],
) -> std::io::Result<()> {
    let startup = body(client)?;
    write(server, None, &startup)?;
    loop {
        let mut kind = [0];
        client.read_exact(&mut kind)?;
        let mut message = body(client)?;
        if matches!(kind, [b'Q' | b'P']) {
            match state.fault(&message) {
                Fault::Pass => {}
                Fault::CutBefore => return Ok(()),
                Fault::CutAfter => is_cut.store(true, Ordering::SeqCst),
                Fault::Silence => is_mute.store(true, Ordering::SeqCst),
            }
            message = state.rewritten(message);
        }
        write(server, Some(kind[0]), &message)?;
    }
}

fn body(from: &mut UnixStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let mut body = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap() - 4];
    from.read_exact(&mut body)?;
    Ok(body)
}

fn write(to: &mut UnixStream, kind: Option<u8>, body: &[u8]) -> std::io::Result<()> {
    let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
    let message: Vec<u8> = kind.into_iter().chain(length).chain(body.iter().copied()).collect();
    to.write_all(&message)
}
