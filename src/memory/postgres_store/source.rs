//! Where connections come from.

use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use postgres::error::Severity;
use postgres::{Client, Config, NoTls};

use super::super::{IoAction, StoreError};
use super::failure::{Failure, Task};

/// How long the system waits for a peer that does not answer at all.
const SILENCE: Duration = Duration::from_secs(30);

/// A connection that a host's pool lends. It goes back when it is dropped.
pub type PooledClient = Box<dyn DerefMut<Target = Client> + Send>;

/// Counts the warnings of servers. A server that warns at a commit has made it, but may not have copied it to a standby.
#[derive(Clone, Debug, Default)]
pub struct Warnings(Arc<AtomicU64>);

impl Warnings {
    /// Counts those on all connections that are made with `config` from now on. It takes the place of other callbacks for notices.
    pub fn of(config: &mut Config) -> Self {
        let warnings = Self::default();
        let count = Arc::clone(&warnings.0);
        config.notice_callback(move |notice| {
            if notice.parsed_severity() == Some(Severity::Warning) {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        warnings
    }

    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// What gives out connections.
#[derive(derive_more::Debug)]
#[debug("Source(..)")]
pub(super) struct Source {
    pub(super) kind: Kind,
    pub(super) warnings: Warnings,
}

pub(super) enum Kind {
    /// They are made anew, and kept.
    Own(Box<Config>),
    /// They are lent for one call each.
    Pool(Box<Lend>),
}

/// Lends a connection.
pub(super) type Lend = dyn Fn() -> Result<PooledClient, Box<dyn std::error::Error + Send + Sync>> + Send + Sync;

impl Source {
    /// Makes connections as a connection string says, and bounds what it leaves without a bound.
    ///
    /// # Errors
    ///
    /// It is no connection string.
    pub(super) fn from_url(url: &str, patience: Duration) -> Result<Self, StoreError> {
        let mut config: Config =
            url.parse().map_err(|error| Task::new(IoAction::Open, "memdoc").failed(error).error)?;
        let warnings = Warnings::of(&mut config);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(patience);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("memdoc");
        }
        Ok(Self { kind: Kind::Own(Box::new(config)), warnings })
    }

    /// Returns a connection.
    ///
    /// # Errors
    ///
    /// The server, or the pool, gives none.
    pub(super) fn connect(&self) -> Result<PooledClient, Failure> {
        let task = Task::new(IoAction::Open, "memdoc");
        match &self.kind {
            Kind::Own(config) => {
                config.connect(NoTls).map(|client| Box::new(Lone(client)) as _).map_err(|error| task.failed(error))
            }
            Kind::Pool(lend) => lend().map_err(|error| task.refused(error).into()),
        }
    }

    /// Reports whether connections may be kept between calls.
    pub(super) const fn is_kept(&self) -> bool {
        matches!(self.kind, Kind::Own(_))
    }
}

/// A connection that nobody lends.
#[derive(derive_more::Deref, derive_more::DerefMut)]
struct Lone(Client);
