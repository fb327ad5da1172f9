//! The service, as a real process over real sockets.

#![cfg(all(feature = "server", feature = "client"))]

#[path = "../common/mod.rs"]
mod common;

mod access;
mod connections;
mod crash;
mod games;
mod hostile;
mod manual;
mod pages;
mod records;
mod routes;
mod server;
mod stop;
