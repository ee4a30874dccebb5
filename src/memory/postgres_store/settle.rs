//! What became of a commit whose answer was lost.

use postgres::Client;
use postgres::types::Type;

use super::super::journal::{Attempt, Seq};
use super::super::{IoAction, Landed};
use super::commit::attempted;
use super::failure::{Failure, Task};
use super::place::Place;
use super::transaction::{Decision, Ended, Ready, Transaction};

/// Tells whether an attempt was made, and sees to it that it never will be if it was not: it is inserted, as the commit does, and
/// waits for one that is under way. Either way something is written and committed, so that an answer that comes holds on the
/// standbys as well: they follow in order.
///
/// # Errors
///
/// The server refuses. Nothing is known.
pub(super) fn landed(client: &mut Client, place: &Place, attempt: Attempt, after: Seq) -> Result<Landed, Failure> {
    let (beginning, decision) = (place.unguarded(), Decision::default());
    let task = Task::new(IoAction::Write, "memdoc.attempt");
    let transaction = Transaction { beginning: &beginning, warnings: &place.warnings, decision: &decision, task };
    let ended = transaction.make(client, |client| {
        let attempt = attempt.to_string();
        let statement = "INSERT INTO memdoc.attempt VALUES ($1, $2, true) \
             ON CONFLICT (memory, attempt) DO UPDATE SET is_settled = true";
        task.change(client, statement, &[(&place.memory, Type::TEXT), (&attempt, Type::TEXT)])?;
        let made = attempted(client, &place.memory, &attempt, after)?;
        Ok(Ready::Commit(made.map_or(Landed::Not, Landed::At)))
    })?;
    Ok(match ended {
        Ended::Done(landed) => landed,
        Ended::Unknown(_) => Landed::Unknown,
    })
}
