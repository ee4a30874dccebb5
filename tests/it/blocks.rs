//! Core blocks.
