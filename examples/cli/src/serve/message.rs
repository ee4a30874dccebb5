//! Messages as they come in: read, or answered where they cannot be read.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, JsonRpcMessage};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// The longest message that is read.
pub(super) const LARGEST: usize = 4 << 20;
/// Why a request is refused whose ID is that of another one.
pub(super) const SAME_ID: &str = "another request with this ID has no response yet";
/// The longest key or ID that is looked at.
const LARGEST_PIECE: usize = 1024;
/// The most messages of a batch that are answered singly.
const LARGEST_BATCH: usize = 1000;

/// What a line or a body holds.
#[derive(Debug)]
pub(super) enum Incoming {
    Message(Box<ClientJsonRpcMessage>),
    /// The responses, each one JSON object, to what is not carried out.
    Refused(Vec<String>),
    Nothing,
}

/// Reads a whole message.
pub(super) fn read(bytes: &[u8]) -> Incoming {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii();
    if bytes.is_empty() {
        return Incoming::Nothing;
    }
    let error = match serde_json::from_slice::<ClientJsonRpcMessage>(bytes) {
        Ok(message) if !is_misread_call(&message) => return Incoming::Message(Box::new(message)),
        Ok(_) => return call_with_text(bytes),
        Err(error) => error,
    };
    let mut scanner = Scanner::default();
    scanner.feed(bytes);
    if scanner.is_batch() {
        return scanner.refuse(ErrorCode::INVALID_REQUEST, "batches are not read: send one message at a time");
    }
    match error.classify() {
        serde_json::error::Category::Data => {
            scanner.refuse(ErrorCode::INVALID_REQUEST, "the message is no request of the protocol")
        }
        _ => scanner.refuse(ErrorCode::PARSE_ERROR, &format!("the message is no JSON that can be read: {error}")),
    }
}

/// Reports whether a message is a call of a tool whose parameters do not fit: it passes for a method that nobody knows.
fn is_misread_call(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    matches!(&request.request, ClientRequest::CustomRequest(custom) if custom.method == "tools/call")
}

/// Reads a call whose arguments are JSON in a string, as some hosts send them.
fn call_with_text(bytes: &[u8]) -> Incoming {
    let mut message: Value = serde_json::from_slice(bytes).unwrap_or_default();
    if let Some(arguments) = message.pointer_mut("/params/arguments")
        && let Some(read) = arguments.as_str().and_then(|text| serde_json::from_str(text).ok())
    {
        *arguments = read;
    }
    match serde_json::from_value::<ClientJsonRpcMessage>(message) {
        Ok(message) if !is_misread_call(&message) => Incoming::Message(Box::new(message)),
        _ => {
            let mut scanner = Scanner::default();
            scanner.feed(bytes);
            scanner
                .refuse(ErrorCode::INVALID_PARAMS, "`tools/call` takes the `name` of a tool and an object `arguments`")
        }
    }
}

/// Refuses a message that is longer than [`LARGEST`], of which `scanner` has seen all.
pub(super) fn too_large(scanner: Scanner) -> Incoming {
    scanner.refuse(ErrorCode::INVALID_REQUEST, &format!("the message is longer than {LARGEST} bytes"))
}

/// Returns a response that reports an error.
pub(super) fn error_response(id: &Value, code: ErrorCode, message: &str) -> String {
    error_line(&id.to_string(), code, message)
}

/// `id` is JSON.
fn error_line(id: &str, code: ErrorCode, message: &str) -> String {
    let error = json!({"code": code.0, "message": message});
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

/// Finds the IDs of messages in bytes of any kind: cut off, nested deeply, not UTF-8. It looks at the members of the outermost
/// object, or of each object in the outermost array.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// What opened the outermost value.
    outermost: Option<u8>,
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    is_in_value: bool,
    key: Vec<u8>,
    value: Vec<u8>,
    message: Members,
    messages: Vec<Members>,
}

/// What tells how a message is answered.
#[derive(Debug, Default)]
struct Members {
    id: Option<Vec<u8>>,
    has_method: bool,
    is_response: bool,
}

impl Scanner {
    /// Looks at the next bytes of a message.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.next(*byte);
        }
    }

    fn is_batch(&self) -> bool {
        self.outermost == Some(b'[')
    }

    /// The depth of the members that are looked at.
    fn members_depth(&self) -> usize {
        if self.is_batch() { 2 } else { 1 }
    }

    fn next(&mut self, byte: u8) {
        let is_member = self.outermost.is_some() && self.depth == self.members_depth();
        if self.is_in_string {
            self.is_in_string = self.is_escaped || byte != b'"';
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return self.keep(byte);
        }
        match byte {
            b'"' => {
                self.is_in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.keep(byte);
                self.depth += 1;
                self.outermost.get_or_insert(byte);
                if byte == b'{' && self.depth == self.members_depth() {
                    self.message = Members::default();
                }
            }
            b'}' | b']' => {
                if is_member {
                    self.end_message();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b',' if is_member => self.end_member(),
            b':' if is_member && !self.is_in_value => self.is_in_value = true,
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(byte),
        }
    }

    /// Keeps a byte of a key, or of the value behind it.
    fn keep(&mut self, byte: u8) {
        if self.outermost.is_none() || self.depth != self.members_depth() {
            return;
        }
        let piece = if self.is_in_value { &mut self.value } else { &mut self.key };
        if piece.len() <= LARGEST_PIECE {
            piece.push(byte);
        }
    }

    fn end_member(&mut self) {
        match self.key.as_slice() {
            b"\"id\"" => self.message.id = Some(std::mem::take(&mut self.value)),
            b"\"method\"" => self.message.has_method = true,
            b"\"result\"" | b"\"error\"" => self.message.is_response = true,
            _ => {}
        }
        self.is_in_value = false;
        self.key.clear();
        self.value.clear();
    }

    fn end_message(&mut self) {
        self.end_member();
        if self.messages.len() <= LARGEST_BATCH {
            self.messages.push(std::mem::take(&mut self.message));
        }
    }

    /// Answers every message that has an ID, and one that is neither a notification nor a response.
    fn refuse(mut self, code: ErrorCode, message: &str) -> Incoming {
        // Of one that is cut off, what there is.
        if self.outermost.is_some() && self.depth >= self.members_depth() {
            self.end_message();
        }
        if self.messages.len() > LARGEST_BATCH {
            self.messages.clear();
        }
        let is_request = |members: &&Members| members.id.is_some() && !members.is_response;
        let answers: Vec<String> = self
            .messages
            .iter()
            .filter(is_request)
            .map(|members| error_line(&id(members.id.as_deref().unwrap_or_default()), code, message))
            .collect();
        if !answers.is_empty() {
            return Incoming::Refused(answers);
        }
        let wants_none = |members: &Members| members.has_method || members.is_response;
        match self.messages.iter().any(wants_none) {
            true => Incoming::Nothing,
            false => Incoming::Refused(vec![error_line("null", code, message)]),
        }
    }
}

/// Returns an ID as it was written, if it is a string or a number; else `null`.
fn id(raw: &[u8]) -> String {
    let is_scalar = raw.first().is_some_and(|first| matches!(first, b'"' | b'-' | b'0'..=b'9'));
    let is_whole = raw.len() <= LARGEST_PIECE && serde_json::from_slice::<IgnoredAny>(raw).is_ok();
    let text = std::str::from_utf8(raw).ok().filter(|_| is_scalar && is_whole);
    text.unwrap_or("null").to_owned()
}

#[cfg(test)]
#[expect(clippy::panic, reason = "a test fails so")]
mod tests {
    use super::*;

    fn refused(bytes: &[u8]) -> Vec<String> {
        match read(bytes) {
            Incoming::Refused(answers) => answers,
            other => panic!("{other:?}"),
        }
    }

    fn ids(bytes: &[u8]) -> Vec<Value> {
        let value = |answer: &String| serde_json::from_str::<Value>(answer).unwrap_or_default();
        refused(bytes).iter().map(|answer| value(answer)["id"].clone()).collect()
    }

    #[test]
    fn what_cannot_be_read_is_answered_by_its_id() {
        let deep = format!(r#"{{"id":7,"method":"ping","params":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        let cases: [(&[u8], Value); 14] = [
            (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\ud800"}}"#, json!(1)),
            (b"{\"method\":\"ping\",\"params\":{\"a\":\"\xFF\"},\"id\":\"b\"}", json!("b")),
            (deep.as_bytes(), json!(7)),
            (br#"{"id":3,"method":"ping""#, json!(3)),
            (br#"{"id":3,"method":"ping","params":{"id":4"#, json!(3)),
            (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(1.5)),
            (br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, json!(u64::MAX)),
            (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null)),
            (br#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, json!(null)),
            (br#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, json!(null)),
            (br#"{"id":9,"method":"ping"}"#, json!(9)),
            (br#"{"jsonrpc":"2.0","id":9}"#, json!(9)),
            (b"nonsense", json!(null)),
            (b"[]", json!(null)),
        ];
        for (bytes, id) in cases {
            assert_eq!(ids(bytes), [id], "{}", String::from_utf8_lossy(bytes));
        }
        assert!(refused(br#"{"id":"\ud800","method":"a\ud800"}"#)[0].contains(r#""id":"\ud800""#));
        assert_eq!(
            ids(br#"[{"id":1,"method":"a"},{"method":"b"},3,{"id":"x","params":[{"id":2}]}]"#),
            [json!(1), json!("x")]
        );
    }

    #[test]
    fn arguments_that_are_text_are_read_and_others_refused() {
        let call = |arguments: Value| {
            let params = json!({"name": "memory_read", "arguments": arguments});
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
        };
        for arguments in [json!({}), json!("{\"section\": \"A\"}")] {
            assert!(matches!(read(call(arguments).as_bytes()), Incoming::Message(_)));
        }
        for arguments in [json!("section"), json!([1]), json!("[1]")] {
            assert!(refused(call(arguments).as_bytes())[0].contains("-32602"));
        }
        let bare = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}"#;
        assert!(refused(bare)[0].contains("-32602"));
    }

    #[test]
    fn notifications_and_responses_are_not_answered() {
        for line in
            [&br#"{"method":"a","params":{"x":"\ud800"}}"#[..], br#"{"id":1,"result":{"x":"\ud800"}}"#, b"", b" \r"]
        {
            assert!(matches!(read(line), Incoming::Nothing), "{}", String::from_utf8_lossy(line));
        }
        let message = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        assert!(matches!(read(message), Incoming::Message(_)));
    }
}
