//! A model that has learned its part: a server on this machine that answers as OpenAI's Responses API does.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// A server that answers each request with the next turn, and keeps what it was sent.
pub struct Model {
    /// Where requests go to.
    pub url: String,
    requests: JoinHandle<io::Result<Vec<Value>>>,
}

impl Model {
    /// Starts a model whose turns are these, each an item of the output.
    pub fn start(turns: Vec<Value>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let requests = std::thread::spawn(move || {
            let answer = |turn| {
                let (stream, _) = listener.accept()?;
                exchange(stream, turn)
            };
            turns.into_iter().map(answer).collect()
        });
        Ok(Self { url, requests })
    }

    /// Returns the requests, after the last turn.
    pub fn requests(self) -> io::Result<Vec<Value>> {
        self.requests.join().map_err(|_| io::Error::other("the model broke off"))?
    }
}

/// A model that reads the memory, edits what stands there twice, and does what the refusal says.
pub fn turns() -> Vec<Value> {
    let call = |id: u32, name: &str, arguments: Value| {
        json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": format!("call_{id}"), "name": name,
            "arguments": arguments.to_string(), "status": "completed"})
    };
    let text = json!({"type": "output_text", "text": "Noted: the hotel is in Oslo.", "annotations": []});
    vec![
        call(1, "memory_read", json!({})),
        call(2, "replace_in_memory", json!({"old_string": "Denver", "new_string": "Oslo"})),
        call(3, "replace_in_memory", json!({"old_string": "Denver", "new_string": "Oslo", "section": "Travel"})),
        json!({"type": "message", "id": "msg_4", "role": "assistant", "status": "completed", "content": [text]}),
    ]
}

/// Returns what the model was told of its calls.
pub fn told(requests: &[Value]) -> Vec<String> {
    let last = requests.last().and_then(|request| request["input"].as_array());
    let outputs = last.into_iter().flatten().filter(|item| item["type"] == "function_call_output");
    let text = |output: &Value| match output.as_str() {
        Some(text) => text.to_owned(),
        None => output[0]["text"].as_str().unwrap_or_default().to_owned(),
    };
    outputs.map(|item| text(&item["output"])).collect()
}

/// Answers one request, and returns it.
fn exchange(stream: TcpStream, turn: Value) -> io::Result<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let request: Value = serde_json::from_slice(&body)?;
    let response = json!({
        "id": "resp_1", "object": "response", "created_at": 1_795_000_000, "status": "completed", "model": "scripted",
        "output": [turn], "parallel_tool_calls": false, "tool_choice": "auto", "tools": [],
        "usage": {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2},
    })
    .to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        response.len()
    );
    reader.get_mut().write_all((head + &response).as_bytes())?;
    Ok(request)
}
