//! The server as its clients meet it: in process by the SDK's own client, and as processes over standard input and output.

mod client;
mod options;
mod schemas;
mod session;
mod stdio;

/// What a test fails with.
type Failure = Box<dyn std::error::Error + Send + Sync>;
