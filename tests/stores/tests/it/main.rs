//! The stores as one binary: the rules, servers that stop, answers that are lost, histories, versions of the schema.

mod linearizable;
mod lost_updates;
mod other_engine;
mod postgres_rules;
mod schema;
mod servers;
mod support;
mod weaker;
