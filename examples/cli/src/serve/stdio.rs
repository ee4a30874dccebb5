//! MCP over standard input and output: one message on each line.

use std::collections::HashMap;
use std::io::{self, BufRead, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, ErrorCode, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, timeout_at};

use super::message::{self, Incoming, LARGEST, Scanner};

/// How long requests that are being carried out are waited for when the client has closed its end.
pub(super) const PATIENCE: Duration = Duration::from_secs(6);
/// How many messages are read ahead.
const AHEAD: usize = 64;

/// The two pipes, and the requests that have no response yet. A clone is the same connection.
#[derive(Clone)]
pub(super) struct Connection {
    shared: Arc<Shared>,
}

struct Shared {
    messages: tokio::sync::Mutex<mpsc::Receiver<RxJsonRpcMessage<RoleServer>>>,
    lines: mpsc::UnboundedSender<Option<String>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    /// The requests that have no response yet, and whether they end by themselves.
    open: Mutex<HashMap<RequestId, Ends>>,
    has_answered: Notify,
    /// Until when open requests are waited for, once the input has ended.
    deadline: Mutex<Option<Instant>>,
}

/// Whether a request ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    ByItself,
    /// A stream of notifications.
    WhenCancelled,
}

impl Connection {
    /// Begins to read standard input and to write standard output, each on a thread of its own.
    pub(super) fn open() -> Self {
        let (lines, to_write) = mpsc::unbounded_channel();
        let (to_serve, messages) = mpsc::channel(AHEAD);
        let writer = thread::spawn(move || write(to_write));
        let answers = lines.clone();
        // It may wait for input for ever: nobody waits for it.
        thread::spawn(move || read(io::stdin().lock(), &to_serve, &answers));
        let shared = Shared {
            messages: tokio::sync::Mutex::new(messages),
            lines,
            writer: Mutex::new(Some(writer)),
            open: Mutex::default(),
            has_answered: Notify::new(),
            deadline: Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Waits until everything is written.
    pub(super) fn finish(&self) {
        let _ = self.shared.lines.send(None);
        if let Some(writer) = lock(&self.shared.writer).take() {
            let _ = writer.join();
        }
    }

    /// Notes a message that came in. Returns it, unless it asks under an ID that has no response yet.
    fn enter(&self, message: RxJsonRpcMessage<RoleServer>) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut open = lock(&self.shared.open);
        match &message {
            JsonRpcMessage::Request(request) => {
                if open.contains_key(&request.id) {
                    let id = request.id.clone().into_json_value();
                    let line = message::error_response(&id, ErrorCode::INVALID_REQUEST, message::SAME_ID);
                    let _ = self.shared.lines.send(Some(line));
                    return None;
                }
                let ends = match request.request {
                    ClientRequest::SubscriptionsListenRequest(_) => Ends::WhenCancelled,
                    _ => Ends::ByItself,
                };
                open.insert(request.id.clone(), ends);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification {
                    // It gets no response.
                    cancelled.params.request_id.as_ref().and_then(|id| open.remove(id));
                }
            }
            _ => {}
        }
        Some(message)
    }

    fn leave(&self, message: &TxJsonRpcMessage<RoleServer>) {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = id {
            lock(&self.shared.open).remove(id);
            self.shared.has_answered.notify_one();
        }
    }

    /// Waits until no request is open that ends by itself, and not for ever.
    async fn wait_for_answers(&self) {
        let deadline = *lock(&self.shared.deadline).get_or_insert_with(|| Instant::now() + PATIENCE);
        loop {
            if !lock(&self.shared.open).values().any(|ends| *ends == Ends::ByItself) {
                return;
            }
            if timeout_at(deadline, self.shared.has_answered.notified()).await.is_err() {
                return;
            }
        }
    }
}

impl Transport<RoleServer> for Connection {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let written = serde_json::to_string(&message).map_err(io::Error::from).and_then(|line| {
            self.shared.lines.send(Some(line)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
        });
        self.leave(&message);
        std::future::ready(written)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let mut messages = self.shared.messages.lock().await;
            let next = tokio::select! {
                next = messages.recv() => next,
                // Nobody reads what is answered.
                () = self.shared.lines.closed() => return None,
            };
            drop(messages);
            let Some(message) = next else {
                self.wait_for_answers().await;
                return None;
            };
            if let Some(message) = self.enter(message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Writes lines until the last one, or until nobody reads them.
fn write(mut lines: mpsc::UnboundedReceiver<Option<String>>) {
    let mut output = io::stdout().lock();
    while let Some(Some(mut line)) = lines.blocking_recv() {
        line.push('\n');
        if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the end of the input.
fn read(
    mut input: impl BufRead,
    messages: &mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    answers: &mpsc::UnboundedSender<Option<String>>,
) {
    while let Ok(Some(incoming)) = line(&mut input) {
        match incoming {
            Incoming::Message(message) => {
                if messages.blocking_send(*message).is_err() {
                    return;
                }
            }
            Incoming::Refused(lines) => {
                for line in lines {
                    let _ = answers.send(Some(line));
                }
            }
            Incoming::Nothing => {}
        }
    }
}

/// Reads a line; `None` at the end of the input. Of a line that is too long only its members are looked at.
fn line(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let (mut line, mut scanner) = (Vec::new(), None::<Scanner>);
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let is_end = bytes.is_empty();
        let (piece, is_whole) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => (bytes.get(..end).unwrap_or_default(), true),
            None => (bytes, false),
        };
        let used = piece.len() + usize::from(is_whole);
        match &mut scanner {
            Some(scanner) => scanner.feed(piece),
            None if line.len() + piece.len() <= LARGEST => line.extend_from_slice(piece),
            None => {
                let mut of_line = Scanner::default();
                of_line.feed(&std::mem::take(&mut line));
                of_line.feed(piece);
                scanner = Some(of_line);
            }
        }
        input.consume(used);
        if is_end && line.is_empty() && scanner.is_none() {
            return Ok(None);
        }
        if is_whole || is_end {
            return Ok(Some(scanner.map_or_else(|| message::read(&line), message::too_large)));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[expect(clippy::panic, reason = "a test fails so")]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_answered_and_the_next_one_read() {
        let long = format!(r#"{{"method":"x","params":"{}","id":12}}"#, "a".repeat(LARGEST));
        let text = format!("{long}\n{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}");
        let mut input = text.as_bytes();
        let Ok(Some(Incoming::Refused(answers))) = line(&mut input) else { panic!("it is read") };
        assert!(answers[0].contains(r#""id":12,"#), "{}", answers[0]);
        assert!(matches!(line(&mut input), Ok(Some(Incoming::Message(_)))));
        assert!(matches!(line(&mut input), Ok(None)));
    }
}
