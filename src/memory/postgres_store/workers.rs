//! [`Workers`]: threads that may block, each with a connection, and callers that wait only so long.
//!
//! The client must not run inside an async task, and has no deadline of its own: a server that says nothing would hold whoever
//! asks. A worker whose caller has gone finishes what it does and goes on; as long as it hangs, it counts among the workers, so
//! that a server which never answers holds no more threads than that.

use std::collections::VecDeque;
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::super::{IoAction, StoreError};
use super::failure::{Failure, Task, silent};
use super::session::Session;
use super::source::Source;
use postgres::Client;

/// Threads that share a queue of jobs.
pub(super) struct Workers {
    shared: Arc<Shared>,
    most: usize,
    deadline: Duration,
}

type Job = Box<dyn FnOnce(&mut Session) + Send>;

struct Shared {
    source: Arc<Source>,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    alive: usize,
    idle: usize,
    is_closed: bool,
}

/// There was no answer in time, or none will come.
#[derive(Debug)]
pub(super) struct NoAnswer;

impl Workers {
    /// Creates workers that are started as they are needed.
    pub(super) fn new(source: Arc<Source>, most: usize, deadline: Duration) -> Self {
        let shared = Shared { source, queue: Mutex::default(), changed: Condvar::new() };
        Self { shared: Arc::new(shared), most: most.max(1), deadline }
    }

    /// Has something done on a connection.
    ///
    /// # Errors
    ///
    /// There is no connection; the server refuses, or does not answer in time.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&mut Client) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.wait(work).unwrap_or_else(|NoAnswer| Err(silent()))
    }

    /// Has something done, and tells if there was no answer: it may be done yet.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        work: impl Fn(&mut Client) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Result<T, StoreError>, NoAnswer> {
        let (answer, answers) = channel();
        let job = Box::new(move |session: &mut Session| drop(answer.send(session.run(&work))));
        if let Err(error) = self.begin(job) {
            return Ok(Err(error));
        }
        answers.recv_timeout(self.deadline).map_err(|_| NoAnswer)
    }

    /// Returns how many there are at most.
    pub(super) const fn most(&self) -> usize {
        self.most
    }

    /// Queues a job, and starts a worker if none is idle.
    ///
    /// # Errors
    ///
    /// The system starts no thread.
    fn begin(&self, job: Job) -> Result<(), StoreError> {
        let mut queue = self.shared.lock();
        if queue.idle <= queue.jobs.len() && queue.alive < self.most {
            let shared = Arc::clone(&self.shared);
            let started = thread::Builder::new().name("memdoc-postgres".to_owned()).spawn(move || work(&shared));
            started.map_err(|error| Task::new(IoAction::Open, "memdoc").refused(error))?;
            queue.alive += 1;
        }
        queue.jobs.push_back(job);
        drop(queue);
        self.shared.changed.notify_one();
        Ok(())
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        // Each change of it is one step.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a job; `None` once there will be none.
    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if queue.is_closed {
                return None;
            }
            queue.idle += 1;
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }
}

/// Works until there is nothing left to do.
fn work(shared: &Shared) {
    /// Makes room for another worker, should a job panic.
    struct Alive<'a>(&'a Shared);
    impl Drop for Alive<'_> {
        fn drop(&mut self) {
            self.0.lock().alive -= 1;
        }
    }
    let _alive = Alive(shared);
    let mut session = Session::new(Arc::clone(&shared.source));
    while let Some(job) = shared.next() {
        job(&mut session);
    }
}
