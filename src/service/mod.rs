//! L13: the HTTP service, with an API for programs and pages for browsers.
//!
//! A handler decodes a request, calls the same library function as the command of that name, and encodes the result.
//! `formats/HTTP.md` describes routes, forms, problems and limits.
//!
//! - [`app`] assembles the service; every request passes `middleware`; `routes/` has a file a noun, `pages/` the pages.
//! - `body`, `xz`, `media` and `answer` decode and encode; `problem` lists the errors.
//! - `pool` and `work` call the library off the threads that serve connections, slice by slice.
//! - `jobs` has the proofs that take longer than a request.
//! - `archived` reads a game of the archive, `subject` finds the one record of a request,
//!   `claims` judges a claim for the API and the page.
//! - `listeners` are those who follow what happens in games.
//! - `auth`, `cors` and `rate` control access; `metrics` counts; `openapi` describes the routes.
//! - `connections` and `stream` limit connections, `memory`, `unread` and `sending` limit bodies and answers.
//! - [`limits`] has every limit with its reason.

mod answer;
pub mod app;
mod archived;
mod at_hand;
mod auth;
mod body;
mod claims;
pub mod config;
mod connections;
mod cors;
mod in_flight;
mod in_progress;
mod jobs;
mod json;
pub mod limits;
mod listeners;
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
mod subject;
mod unread;
mod work;
mod xz;

pub use app::{ServeError, run};
pub use config::{Config, Log};
