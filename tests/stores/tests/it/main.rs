//! The stores as one binary: the rules, servers that stop, answers that are lost, histories.

mod linearizable;
mod other_engine;
mod postgres_rules;
mod servers;
mod support;
mod weaker;
