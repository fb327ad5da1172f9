//! The service, as a real process over real sockets; the client against servers of all sorts.

#![cfg(all(feature = "server", feature = "client"))]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/hostile_bodies.rs"]
mod hostile_bodies;
#[path = "../common/nested_records.rs"]
mod nested_records;
#[allow(dead_code)] // of its records only the dice and the games are used
#[path = "../common/random_records.rs"]
mod random_records;
#[path = "../common/schema.rs"]
mod schema;

mod access;
mod claims;
mod client;
mod connections;
mod correspondence;
mod cost;
mod crash;
mod decode;
mod games;
mod hostile;
mod log;
mod manual;
mod nested;
mod own_games;
mod pages;
mod positions;
mod records;
mod routes;
mod server;
mod stop;
mod witness;
