//! `--print-config`: what a host of agents needs in its configuration to start or to find the server.

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::failure::Failure;

/// A program that runs agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    ClaudeCode,
    ClaudeDesktop,
    Codex,
    Cursor,
    Gemini,
    Vscode,
}

/// How the server is reached.
pub(super) enum Reached {
    /// The host starts it.
    Process { command: String, arguments: Vec<String> },
    /// The host connects to it.
    Http { url: String },
}

impl Host {
    /// Returns where the configuration goes.
    pub(super) const fn place(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".mcp.json of a project",
            Self::ClaudeDesktop => "claude_desktop_config.json",
            Self::Codex => "~/.codex/config.toml",
            Self::Cursor => ".cursor/mcp.json of a project, or ~/.cursor/mcp.json",
            Self::Gemini => "~/.gemini/settings.json",
            Self::Vscode => ".vscode/mcp.json of a project",
        }
    }

    /// Returns the configuration. A token is named, and never written.
    pub(super) fn configuration(self, reached: &Reached) -> Result<String, Failure> {
        if self == Self::Codex {
            return codex(reached);
        }
        let token = match self {
            Self::Cursor => "Bearer ${env:MEMDOC_TOKEN}",
            Self::Vscode => "Bearer ${input:memdoc-token}",
            _ => "Bearer ${MEMDOC_TOKEN}",
        };
        let mut server = match (self, reached) {
            (Self::ClaudeDesktop, Reached::Http { .. }) => {
                return Err(Failure::usage("Claude Desktop starts its servers: leave out `--http`"));
            }
            (_, Reached::Process { command, arguments }) => json!({"command": command, "args": arguments}),
            (Self::Gemini, Reached::Http { url }) => json!({"httpUrl": url}),
            (_, Reached::Http { url }) => json!({"url": url}),
        };
        let is_http = matches!(reached, Reached::Http { .. });
        if matches!(self, Self::ClaudeCode | Self::Vscode) {
            server["type"] = json!(if is_http { "http" } else { "stdio" });
        }
        if is_http {
            server["headers"] = json!({"Authorization": token});
        }
        let servers = if self == Self::Vscode { "servers" } else { "mcpServers" };
        let mut whole = json!({servers: {"memory": server}});
        if is_http && self == Self::Vscode {
            let input = json!({"type": "promptString", "id": "memdoc-token", "description": "The token of memdoc", "password": true});
            whole["inputs"] = json!([input]);
        }
        Ok(format!("{whole:#}\n"))
    }
}

fn codex(reached: &Reached) -> Result<String, Failure> {
    let string = |text: &str| toml_string(text);
    Ok(match reached {
        Reached::Process { command, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(|argument| string(argument)).collect();
            format!("[mcp_servers.memory]\ncommand = {}\nargs = [{}]\n", string(command), arguments.join(", "))
        }
        Reached::Http { url } => {
            format!("[mcp_servers.memory]\nurl = {}\nbearer_token_env_var = \"MEMDOC_TOKEN\"\n", string(url))
        }
    })
}

/// Writes a string of TOML, whose escapes are those of JSON, but for one character.
fn toml_string(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7F}', "\\u007F")
}
