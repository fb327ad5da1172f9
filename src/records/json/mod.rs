//! L9: records as JSON, one object a record: read, judged and converted like records in PGN.
//!
//! The form is documented in `formats/JSON.md`, and as a schema in `formats/schema/record.json`.

mod jkf;
mod lichess;
mod places;
mod read;
mod split;
mod whole;

pub use read::{
    ReadPart, ReadParts, ReadRecord, Refused, Worker, each_record, each_record_alone, is_json, parse,
    read_all, sniff,
};
pub use whole::{NoGame, WholeText};
