//! `memdoc serve` as its clients meet it: asked by the SDK's own client, line by line, and by HTTP.

mod client;
mod hosts;
mod http;
mod protocol;
mod schemas;
mod session;
mod stdio;

/// What a test fails with.
type Failure = Box<dyn std::error::Error + Send + Sync>;
