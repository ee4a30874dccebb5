//! [`RedbStore`]: a store in one file of another engine, written from what the trait's documentation says.
