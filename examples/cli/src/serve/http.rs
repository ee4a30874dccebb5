//! MCP over HTTP on a socket, each request by the bearer of a token.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::convert::Infallible;
use std::env;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming as Body};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use memdoc::memory::Actor;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, JsonRpcMessage, RequestId};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::desk::Host;
use super::message::{self, Incoming, LARGEST};
use super::session::{SESSION_HEADER, Session};
use crate::failure::Failure;
use crate::tools::file;

/// Where requests go to.
pub(super) const PATH: &str = "/mcp";
/// How long a client may take to send the head of a request, also of the next one on a connection.
const PATIENCE_FOR_HEAD: Duration = Duration::from_secs(10);
/// How long a client may take to send the rest of it.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a session without requests is kept.
const IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// The most connections at once.
const MOST_CONNECTIONS: usize = 256;
/// The most sessions at once.
const MOST_SESSIONS: usize = 1000;

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Who may make requests.
#[derive(Debug)]
pub(super) struct Tokens {
    actors: Vec<(String, Actor)>,
}

impl Tokens {
    /// Reads a file of lines `TOKEN ACTOR`; blank lines and those that begin with `#` are left out.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = file(path)?;
        let mut actors: Vec<(String, Actor)> = Vec::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // A token is a secret: it is not shown.
            let wrong = |why: &str| Failure::usage(format!("`{}`, line {number}: {why}", path.display()));
            let (token, name) =
                line.split_once(char::is_whitespace).ok_or_else(|| wrong("expected `TOKEN ACTOR`, found one word"))?;
            let actor = name.trim().parse().map_err(|error: memdoc::text::Unreadable| wrong(&error.to_string()))?;
            if actors.iter().any(|(other, _)| other == token) {
                return Err(wrong("the token stands on an earlier line, too"));
            }
            actors.push((token.to_owned(), actor));
        }
        if actors.is_empty() {
            return Err(Failure::usage(format!("`{}`: expected lines `TOKEN ACTOR`, found none", path.display())));
        }
        Ok(Self { actors })
    }

    /// Takes one token: that of the environment, else one that nobody can guess, which is told on standard error.
    pub(super) fn of(actor: Actor) -> Result<Self, Failure> {
        let named = env::var("MEMDOC_TOKEN").ok().filter(|token| !token.is_empty());
        let token = named.map_or_else(new_token, Ok)?;
        Ok(Self { actors: vec![(token, actor)] })
    }

    /// Returns in whose name a request is made; `None` if nobody's token is shown.
    fn actor(&self, request: &Request<Body>) -> Option<Actor> {
        let shown = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, shown) = shown.split_once(' ')?;
        let bearer =
            self.actors.iter().filter(|(token, _)| is_same(token, shown.trim())).map(|(_, actor)| actor.clone());
        // All are compared, so that the time tells nothing.
        bearer.collect::<Vec<_>>().pop().filter(|_| scheme.eq_ignore_ascii_case("bearer"))
    }
}

/// Makes a token, and tells it whoever started the server.
fn new_token() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::usage(format!("the system has no random numbers: {error}")))?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let _ = writeln!(io::stderr(), "token until the server ends, unless MEMDOC_TOKEN is one: {token}");
    Ok(token)
}

/// Compares two secrets in a time that tells nothing but their lengths.
fn is_same(left: &str, right: &str) -> bool {
    let differing = left.bytes().zip(right.bytes()).fold(0, |differing, (left, right)| differing | (left ^ right));
    left.len() == right.len() && differing == 0
}

/// The connections on which no token was shown yet, the oldest first, by their numbers.
type Strangers = Mutex<BTreeMap<u64, AbortHandle>>;

struct Server {
    strangers: Strangers,
    protocol: StreamableHttpService<Session, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    tokens: Tokens,
    /// Who has begun each session.
    owners: Mutex<HashMap<String, Actor>>,
    open: Arc<Mutex<HashSet<OpenId>>>,
}

/// A request of a session that has no response yet: the session and the ID.
type OpenId = (String, RequestId);

/// Counts a request as open as long as its response is being sent.
struct Open {
    id: OpenId,
    all: Arc<Mutex<HashSet<OpenId>>>,
}

impl Open {
    /// Opens a request; `None` if one of the session with the same ID is open.
    fn new(id: OpenId, all: &Arc<Mutex<HashSet<OpenId>>>) -> Option<Self> {
        let is_new = lock(all).insert(id.clone());
        is_new.then(|| Self { id, all: all.clone() })
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        lock(&self.all).remove(&self.id);
    }
}

/// Serves until the process is stopped.
pub(super) async fn serve(host: Arc<Host>, listener: TcpListener, tokens: Tokens) {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(IDLE);
    // A page that a browser shows has no business here.
    let mut config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(LARGEST)
        .with_sse_keep_alive(Some(PATIENCE))
        .enforce_origin_validation();
    if !listener.local_addr().is_ok_and(|address| address.ip().is_loopback()) {
        // The names of this machine are not known; who has a token was told one.
        config = config.disable_allowed_hosts();
    }
    let sessions = Arc::new(sessions);
    let protocol = StreamableHttpService::new(move || Ok(Session::new(host.clone())), sessions.clone(), config);
    let server = Arc::new(Server {
        strangers: Strangers::default(),
        protocol,
        sessions,
        tokens,
        owners: Mutex::default(),
        open: Arc::default(),
    });
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    for number in 0.. {
        let Ok((stream, _)) = listener.accept().await else {
            // There may be too many open files.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        // Who shows no token keeps nobody out.
        if room.available_permits() == 0
            && let Some((_, oldest)) = lock(&server.strangers).pop_first()
        {
            oldest.abort();
        }
        let Ok(place) = room.clone().acquire_owned().await else { return };
        let its = server.clone();
        let connection = tokio::spawn(async move {
            let answering = its.clone();
            let answer = service_fn(move |request| {
                let server = answering.clone();
                async move { Ok::<_, Infallible>(server.answer(request, number).await) }
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(PATIENCE_FOR_HEAD);
            // An error says that the client has left.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
            lock(&its.strangers).remove(&number);
            drop(place);
        });
        lock(&server.strangers).insert(number, connection.abort_handle());
    }
}

impl Server {
    /// Answers a request on a connection.
    async fn answer(&self, request: Request<Body>, connection: u64) -> Answer {
        if request.uri().path() != PATH {
            return text(StatusCode::NOT_FOUND, format!("there is {PATH}\n"));
        }
        let Some(actor) = self.tokens.actor(&request) else {
            let mut answer =
                text(StatusCode::UNAUTHORIZED, "a token is needed: `Authorization: Bearer TOKEN`\n".to_owned());
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
            return answer;
        };
        lock(&self.strangers).remove(&connection);
        let (mut parts, body) = request.into_parts();
        let session = parts.headers.get(SESSION_HEADER).and_then(|session| session.to_str().ok()).map(str::to_owned);
        // A session is that of whoever began it.
        if let Some(session) = &session
            && lock(&self.owners).get(session).is_some_and(|owner| *owner != actor)
        {
            return text(StatusCode::NOT_FOUND, "this session is not yours\n".to_owned());
        }
        parts.extensions.insert(actor.clone());
        if parts.method != Method::POST {
            return self.protocol.handle(Request::from_parts(parts, Full::new(Bytes::new()))).await;
        }
        let message = match read(body).await {
            Ok(message) => message,
            Err(answer) => return answer,
        };
        let mut open = None;
        if let JsonRpcMessage::Request(request) = &*message {
            let refused = |status, why| {
                let id = request.id.clone().into_json_value();
                json(status, message::error_response(&id, ErrorCode::INVALID_REQUEST, why))
            };
            match session {
                // What comes first would be sent to the last of them, and the others would wait for ever.
                Some(session) => match Open::new((session, request.id.clone()), &self.open) {
                    Some(new) => open = Some(new),
                    None => return refused(StatusCode::BAD_REQUEST, message::SAME_ID),
                },
                None if is_greeting(&request.request) && self.sessions.sessions.read().await.len() >= MOST_SESSIONS => {
                    return refused(
                        StatusCode::SERVICE_UNAVAILABLE,
                        "there are too many sessions: end one that is not needed",
                    );
                }
                None => {}
            }
        }
        // As it was read, which may be more than what was sent says.
        let bytes = serde_json::to_vec(&message).unwrap_or_default();
        let answer = self.protocol.handle(Request::from_parts(parts, Full::new(Bytes::from(bytes)))).await;
        if let Some(new) = answer.headers().get(SESSION_HEADER).and_then(|session| session.to_str().ok()) {
            self.own(new, actor).await;
        }
        answer.map(|body| {
            let kept = move |frame| {
                let _ = &open;
                frame
            };
            body.map_frame(kept).boxed()
        })
    }
}

impl Server {
    /// Notes who has begun a session, and forgets those that have ended.
    async fn own(&self, session: &str, actor: Actor) {
        let sessions = self.sessions.sessions.read().await;
        let mut owners = lock(&self.owners);
        owners.retain(|session, _| sessions.contains_key(session.as_str()));
        owners.insert(session.to_owned(), actor);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const fn is_greeting(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::InitializeRequest(_))
}

/// Reads the message of a request, or answers what cannot be read.
async fn read(body: Body) -> Result<Box<ClientJsonRpcMessage>, Answer> {
    let too_large = || {
        let why = format!("the message is longer than {LARGEST} bytes");
        let line = message::error_response(&Value::Null, ErrorCode::INVALID_REQUEST, &why);
        json(StatusCode::PAYLOAD_TOO_LARGE, line)
    };
    if body.size_hint().lower() > LARGEST as u64 {
        return Err(too_large());
    }
    let bytes = match timeout(PATIENCE, Limited::new(body, LARGEST).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large()),
        Ok(Err(_)) => return Err(text(StatusCode::BAD_REQUEST, "the body ended early\n".to_owned())),
        Err(_) => return Err(text(StatusCode::REQUEST_TIMEOUT, "the body did not come\n".to_owned())),
    };
    match message::read(&bytes) {
        Incoming::Message(message) => Ok(message),
        Incoming::Nothing => Err(text(StatusCode::BAD_REQUEST, "there is no message\n".to_owned())),
        Incoming::Refused(lines) => {
            let is_one = lines.len() == 1 && !bytes.trim_ascii_start().starts_with(b"[");
            let body = if is_one { lines.concat() } else { format!("[{}]", lines.join(",")) };
            Err(json(StatusCode::BAD_REQUEST, body))
        }
    }
}

fn text(status: StatusCode, text: String) -> Answer {
    with_body(status, "text/plain; charset=utf-8", text)
}

fn json(status: StatusCode, text: String) -> Answer {
    with_body(status, "application/json", text)
}

fn with_body(status: StatusCode, kind: &'static str, text: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    answer
}

/// Reads an address, or a port of this machine.
pub(super) fn socket(address: &str) -> Result<SocketAddr, Failure> {
    if let Ok(socket) = address.parse() {
        return Ok(socket);
    }
    let port = address.strip_prefix("localhost:").or_else(|| address.strip_prefix(':')).unwrap_or(address);
    let port = port.parse().map_err(|_| wrong(address, "expected ADDRESS:PORT, such as 127.0.0.1:7337"))?;
    Ok(SocketAddr::from(([127, 0, 0, 1], port)))
}

/// Opens the socket. Beyond this machine a file of tokens is needed.
pub(super) fn bind(address: &str, has_file: bool) -> Result<std::net::TcpListener, Failure> {
    let socket = socket(address)?;
    if !socket.ip().is_loopback() && !has_file {
        let needed = wrong(address, "a file of tokens is needed beyond this machine");
        return Err(needed.with_hint("name a file by `--token-file`"));
    }
    let open = || {
        let listener = std::net::TcpListener::bind(socket)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    open().map_err(|error: io::Error| wrong(address, &error.to_string()))
}

fn wrong(address: &str, why: &str) -> Failure {
    Failure::usage(format!("`--http {address}`: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_this_machine_a_file_of_tokens_is_needed() {
        for address in ["0.0.0.0:0", "[::]:0", "yesterday", "1.2.3.4", "127.0.0.1:99999"] {
            assert!(bind(address, false).is_err(), "{address}");
        }
        for address in ["127.0.0.1:0", "localhost:0", ":0", "0"] {
            assert!(bind(address, false).is_ok(), "{address}");
        }
    }
}
