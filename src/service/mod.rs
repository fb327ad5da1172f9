//! L11: the service over HTTP: what the program can do, for programs and for people with a browser.
//!
//! A handler decodes a request, calls what the command of the same name calls, and encodes what it says.
//! `formats/HTTP.md` describes routes, forms, problems and limits.
//!
//! - [`app`] puts it together; `front` is what every request passes; `routes/` has a file a noun, `pages/` the pages.
//! - `body`, `media` and `answer` are the ways in and out, `problem` what is said where something is wrong.
//! - `pool` and `work` are the way to the library: off the threads that serve connections, slice by slice.
//! - `auth` and `rate` say who may ask, and how often; `metrics` counts; `openapi` describes all of it.
//! - `connections` and `stream` are the limits of connections, `unread` and `sending` those of bodies and answers.
//! - [`limits`] has every limit with its reason.

mod answer;
pub mod app;
mod auth;
mod body;
pub mod config;
mod connections;
pub mod limits;
mod media;
mod memory;
mod metrics;
mod middleware;
mod openapi;
mod pages;
mod pool;
pub mod problem;
mod rate;
mod routes;
mod sending;
mod state;
mod stream;
mod unread;
mod work;

pub use app::{ServeError, run};
pub use config::{Config, Log};
