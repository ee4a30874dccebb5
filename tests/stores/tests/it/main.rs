//! The stores as one binary: the rules, servers that stop, answers that are lost, histories.

mod postgres_rules;
mod support;
