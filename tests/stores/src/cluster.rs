//! [`Cluster`]: a PostgreSQL server that is there for this process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use postgres::{Client, NoTls};

/// A server on a Unix socket in a directory of its own. It goes when the process does.
#[derive(Debug)]
pub struct Cluster {
    directory: PathBuf,
}

impl Cluster {
    /// Starts a server with these lines in its configuration; says why, and returns none, where there is no PostgreSQL.
    ///
    /// # Panics
    ///
    /// It does not start.
    pub fn start(settings: &[&str]) -> Option<Self> {
        let pid = std::process::id().to_string();
        let started = script().args(["start", &pid]).args(settings).stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8_lossy(&started.stderr);
        if started.status.code() == Some(77) {
            eprintln!("skipped for want of a server: {}", told.trim());
            return None;
        }
        assert!(started.status.success(), "{told}");
        let directory = String::from_utf8(started.stdout).unwrap();
        Some(Self { directory: directory.trim().into() })
    }

    /// Returns the directory of the socket.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the path of the socket.
    pub fn socket(&self) -> PathBuf {
        self.directory.join(".s.PGSQL.5432")
    }

    /// Returns the connection string of a database.
    pub fn url(&self, database: &str) -> String {
        url(&self.directory, database)
    }

    /// Connects to a database.
    pub fn client(&self, database: &str) -> Client {
        Client::connect(&self.url(database), NoTls).unwrap()
    }

    /// Makes a database, and returns its connection string.
    pub fn database(&self, name: &str) -> String {
        self.client("postgres").batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        self.url(name)
    }

    /// Stops the server, as `mode` says, and starts it.
    pub fn restart(&self, mode: &str) {
        assert!(script().arg("restart").arg(&self.directory).arg(mode).status().unwrap().success());
    }
}

/// Returns the connection string of a database behind the socket in a directory.
pub fn url(directory: &Path, database: &str) -> String {
    format!("host={} user=memdoc dbname={database}", directory.display())
}

fn script() -> Command {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("cluster"))
}
