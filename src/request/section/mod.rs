//! Operations on whole sections: by themselves, and as parts of a patch.

mod add;
mod merge;
mod op;
mod place;
mod relocate;
mod resolve;
mod siblings;
mod title;
mod work;

pub use merge::MergeSections;
pub use op::{SectionOp, SectionPlace};
pub(super) use resolve::{Step, duplicate, resolve};
pub(super) use siblings::Siblings;
pub(super) use work::{SectionWork, check_promised};

use super::{Request, RequestError, View};
use crate::edit::{Edit, EditBuilder};
use crate::locate::Names;

impl Request for SectionOp {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let (names, siblings) = (Names::new(view.doc), Siblings::new(view.doc));
        let resolved = resolve(self, &names, &siblings, &|_| false)?;
        let mut edit = EditBuilder::new(view.doc);
        edit.part(resolved.part());
        let mut work = SectionWork::default();
        work.push(0, resolved.step);
        let promised = work.compose(view.doc, &mut edit);
        let edit = edit.finish()?;
        check_promised(&promised, view.doc, &edit)?;
        Ok(edit)
    }
}
