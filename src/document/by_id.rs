//! What is reached by the ID of a node: each has a handle that does it without an ID.

use std::borrow::Cow;

use super::doc::MemoryDoc;
use super::key::Key;
use super::lifetime::{Lifetime, Ttl, UnreadableLifetime};
use super::node::{BlockRef, BulletRef, NodeRef, SectionRef};
use super::outline::{BlockId, Bullet, BulletId, SectionId};
use super::tags::{TagGroup, tag_groups};
use crate::text::Timestamp;

#[allow(missing_docs, reason = "deleted when no caller is left")]
impl MemoryDoc {
    pub fn section(&self, id: SectionId) -> Option<SectionRef<'_>> {
        NodeRef::at(self, id.0)
    }

    pub fn block(&self, id: BlockId) -> Option<BlockRef<'_>> {
        NodeRef::at(self, id.0)
    }

    pub fn bullet(&self, id: BulletId) -> Option<BulletRef<'_>> {
        NodeRef::at(self, id.0)
    }

    pub fn section_title(&self, id: SectionId) -> &str {
        self.section(id).map_or("", SectionRef::title)
    }

    pub fn section_path(&self, id: SectionId) -> String {
        self.section(id).map(SectionRef::path).unwrap_or_default()
    }

    pub fn section_name(&self, id: SectionId) -> String {
        self.section(id).map(SectionRef::name).unwrap_or_default()
    }

    pub(crate) fn unique_section_name(&self, id: SectionId) -> Option<String> {
        self.section(id)?.unique_name()
    }

    pub fn block_title(&self, id: BlockId) -> &str {
        self.block(id).map_or("", BlockRef::title)
    }

    pub fn block_id(&self, id: BlockId) -> &str {
        self.block(id).map_or("", BlockRef::id)
    }

    pub fn reserved_name_of(&self, id: SectionId) -> Option<&str> {
        self.section(id)?.reserved_name()
    }

    pub fn key(&self, id: BulletId) -> Option<Key> {
        self.bullet(id).map(BulletRef::key)
    }

    pub fn content(&self, id: BulletId) -> Cow<'_, str> {
        self.bullet(id).map(BulletRef::content).unwrap_or_default()
    }

    pub fn folded_content(&self, id: BulletId) -> Cow<'_, str> {
        self.bullet(id).map(BulletRef::folded_content).unwrap_or_default()
    }

    pub(crate) fn wording(&self, id: BulletId) -> String {
        self.bullet(id).map(BulletRef::wording).unwrap_or_default()
    }

    pub fn tags(&self, id: BulletId) -> Vec<&str> {
        self.bullet(id).map(BulletRef::tags).unwrap_or_default()
    }

    pub fn is_pinned(&self, id: BulletId) -> bool {
        self.bullet(id).is_some_and(BulletRef::is_pinned)
    }

    pub(crate) fn tag_groups(&self, bullet: &Bullet) -> Vec<TagGroup> {
        tag_groups(bullet.tags.of(self.text())).0
    }

    pub fn lifetime(&self, id: BulletId) -> Lifetime {
        self.bullet(id).map_or(Lifetime::Unlimited, BulletRef::lifetime)
    }

    pub fn is_expired(&self, id: BulletId, now: Timestamp) -> bool {
        self.bullet(id).is_some_and(|bullet| bullet.is_expired(now))
    }

    pub fn ttl(&self, id: BulletId) -> Option<Ttl> {
        self.bullet(id)?.ttl()
    }

    pub(crate) fn unreadable_lifetime(&self, id: BulletId) -> Option<UnreadableLifetime> {
        self.bullet(id)?.unreadable_lifetime()
    }

    pub fn dated(&self, id: BulletId) -> Option<Timestamp> {
        self.bullet(id)?.dated()
    }
}

#[allow(missing_docs, reason = "deleted when no caller is left")]
impl SectionRef<'_> {
    pub fn as_id(self) -> SectionId {
        SectionId(self.index())
    }
}

#[allow(missing_docs, reason = "deleted when no caller is left")]
impl BlockRef<'_> {
    pub fn as_id(self) -> BlockId {
        BlockId(self.index())
    }
}

#[allow(missing_docs, reason = "deleted when no caller is left")]
impl BulletRef<'_> {
    pub fn as_id(self) -> BulletId {
        BulletId(self.index())
    }
}
