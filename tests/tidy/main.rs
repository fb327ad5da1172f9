//! What a reader of the source and of the documents would check by eye.

#[path = "../common/mod.rs"]
mod common;

mod house;
mod rules_text;
