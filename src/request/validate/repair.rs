//! What puts a violation right, as data; a toolbox words it as a call.

use super::super::Request;
use super::super::items::{Annotation, Children, ItemEdit, ItemOp, Items};
use crate::document::{Expiry, Ttl};
use crate::locate::Selector;
use crate::text::Content;

/// An edit that takes a violation away.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// Deletes a bullet without children.
    DeleteBullet {
        /// Its key.
        key: Content,
    },
    /// Lets a TTL run from now on.
    StartTtl {
        /// The key of its bullet.
        key: Content,
        /// The TTL.
        ttl: Ttl,
    },
    /// Takes a bullet's TTL or end away.
    ClearTtl {
        /// The bullet's key.
        key: Content,
    },
}

impl Repair {
    /// Returns the request that makes it.
    pub fn to_request(&self) -> Box<dyn Request> {
        Box::new(match self {
            Self::DeleteBullet { key } => {
                let op = ItemOp::Delete { children: Children::Refuse };
                Items::new([ItemEdit::new(Selector::by_key(key), op)])
            }
            Self::StartTtl { key, ttl } => {
                Items::annotating(Annotation::SetTtl(Expiry::After(ttl.clone())), [Selector::by_key(key)])
            }
            Self::ClearTtl { key } => Items::annotating(Annotation::ClearTtl, [Selector::by_key(key)]),
        })
    }
}
