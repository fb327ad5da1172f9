//! The metrics of the service, for `/metrics`.

use actix_web::http::Method;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

const REQUESTS: &str = "ferz_http_requests_total";
const SECONDS: &str = "ferz_http_request_seconds";
const OPEN: &str = "ferz_http_requests_open";
const GAMES: &str = "ferz_games_judged_total";
const PLIES: &str = "ferz_plies_judged_total";
const STORED: &str = "ferz_games_stored_total";

/// Bounds of the buckets, in seconds: from a small game to the longest judging.
const BUCKETS: [f64; 12] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];

/// The metrics in the text format of Prometheus.
pub fn text() -> String {
    recorder().map_or_else(String::new, PrometheusHandle::render)
}

/// Compacts recorded times into their buckets; until then each one takes memory.
pub fn sum_up() {
    if let Some(recorder) = recorder() {
        recorder.run_upkeep();
    }
}

/// Starts to count. Later calls do nothing.
pub fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let made = RECORDER.get_or_init(|| {
        let builder =
            PrometheusBuilder::new().set_buckets_for_metric(Matcher::Full(SECONDS.into()), &BUCKETS).ok()?;
        // An embedding program may have its own recorder.
        let handle = builder.install_recorder().ok()?;
        describe();
        Some(handle)
    });
    made.as_ref()
}

fn describe() {
    metrics::describe_counter!(REQUESTS, "Requests, by route, method and status");
    metrics::describe_histogram!(SECONDS, metrics::Unit::Seconds, "Time to the head of the answer, by route");
    metrics::describe_gauge!(OPEN, "Requests that are being answered");
    metrics::describe_counter!(GAMES, "Games judged");
    metrics::describe_counter!(PLIES, "Plies of judged games, as the records have them");
    metrics::describe_counter!(STORED, "Games stored, new or not");
}

/// The metrics updated with every request, looked up once.
struct Numbers {
    open: metrics::Gauge,
    games: metrics::Counter,
    plies: metrics::Counter,
    stored: metrics::Counter,
}

fn numbers() -> &'static Numbers {
    static NUMBERS: OnceLock<Numbers> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        // Metrics looked up before there is a recorder count nothing.
        recorder();
        Numbers {
            open: metrics::gauge!(OPEN),
            games: metrics::counter!(GAMES),
            plies: metrics::counter!(PLIES),
            stored: metrics::counter!(STORED),
        }
    })
}

/// The metrics of one route, method and status.
struct Answers {
    method: &'static str,
    status: u16,
    count: metrics::Counter,
    seconds: metrics::Histogram,
}

thread_local! {
    /// By route; a look-up in the recorder costs ten times as much.
    static ANSWERS: RefCell<HashMap<String, Vec<Answers>>> = RefCell::default();
}

/// A request that is being answered.
#[derive(Debug)]
pub struct Open(());

impl Open {
    /// Starts now.
    pub fn new() -> Open {
        numbers().open.increment(1.0);
        Open(())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        numbers().open.decrement(1.0);
    }
}

/// Counts an answer.
pub fn answered(route: Option<String>, method: &Method, status: u16, time: Duration) {
    // Unknown paths count as one route, since clients can invent any number of them.
    let (route, method) = (route.unwrap_or_else(|| "none".into()), known(method));
    ANSWERS.with_borrow_mut(|answers| {
        let answers = match answers.get_mut(&route) {
            Some(answers) => answers,
            None => answers.entry(route.clone()).or_default(),
        };
        let known = answers.iter().position(|known| known.status == status && known.method == method);
        let known = known.unwrap_or_else(|| {
            answers.push(Answers::new(route, method, status));
            answers.len() - 1
        });
        answers[known].count.increment(1);
        answers[known].seconds.record(time);
    });
}

/// The method's name; unknown methods count as one.
fn known(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "CONNECT", "TRACE"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

impl Answers {
    fn new(route: String, method: &'static str, status: u16) -> Answers {
        recorder();
        let labels =
            [("route", route.clone()), ("method", method.to_owned()), ("status", status.to_string())];
        let (count, seconds) =
            (metrics::counter!(REQUESTS, &labels), metrics::histogram!(SECONDS, "route" => route));
        Answers { method, status, count, seconds }
    }
}

/// Counts judged games.
pub fn judged(games: usize, plies: usize) {
    numbers().games.increment(games as u64);
    numbers().plies.increment(plies as u64);
}

/// Counts stored games.
pub fn stored(games: usize) {
    numbers().stored.increment(games as u64);
}
