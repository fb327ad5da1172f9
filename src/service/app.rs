//! The service as a whole: its routes, its start, its stop.

use super::config::{Config, Log};
use super::desk::Desk;
use super::limits::{FORGET_EVERY, HEAD_DEADLINE, KEEP_ALIVE, STOP_SECONDS};
use super::problem::{self, Problem};
use super::routes::docs::Document;
use super::{front, metrics, openapi, pages, routes};
use crate::archive::{Archive, ArchiveError};
use actix_web::middleware::from_fn;
use actix_web::{App, HttpServer, web};
use std::io;
use std::net::SocketAddr;
use utoipa_actix_web::{AppExt, scope, service_config::ServiceConfig};
use utoipa_swagger_ui::{Config as Swagger, SwaggerUi};

/// Why the service does not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The archive cannot be opened.
    #[error("{0}")]
    Archive(#[from] ArchiveError),
    /// Everybody who reaches the address could read and fill the archive.
    #[error(
        "{0} can be reached from other machines, and there is no token that would keep strangers out; make one with \
         `ferz archive token add NAME --db FILE`, or listen at 127.0.0.1"
    )]
    NoToken(SocketAddr),
    /// The address cannot be listened at.
    #[error("cannot listen at {0}: {1}; give another address with --listen")]
    Listen(String, #[source] io::Error),
    /// The system refuses threads or sockets.
    #[error("the service ended: {0}")]
    Run(#[source] io::Error),
}

/// Runs the service until it is told to stop by a signal. `ready` is called with the addresses once requests are
/// taken.
///
/// # Errors
/// Where the service cannot be started.
pub fn run(config: &Config, ready: impl FnOnce(&[SocketAddr])) -> Result<(), ServeError> {
    set_up_log(config.log);
    let archive = Archive::open(&config.archive)?;
    if let (Some(address), false) = (config.outside(), archive.has_tokens()?) {
        return Err(ServeError::NoToken(address));
    }
    let desk = web::Data::new(Desk::new(config, archive));
    actix_web::rt::System::new().block_on(serve(config, desk, ready))
}

async fn serve(
    config: &Config,
    desk: web::Data<Desk>,
    ready: impl FnOnce(&[SocketAddr]),
) -> Result<(), ServeError> {
    metrics::recorder();
    let for_app = desk.clone();
    let server = HttpServer::new(move || {
        let (app, api) = App::new().into_utoipa_app().configure(api).split_for_parts();
        // Invariant: the schemas that are written by hand are JSON; a test reads the whole document.
        let document = openapi::document(&api).unwrap_or_default();
        app.app_data(for_app.clone())
            .app_data(web::QueryConfig::default().error_handler(|error, _| bad_query(&error)))
            .app_data(web::Data::new(Document::new(document)))
            .service(SwaggerUi::new("/docs/{_:.*}").config(Swagger::new(["/openapi.json"])))
            .service(web::redirect("/docs", "/docs/"))
            .configure(pages::configure)
            .default_service(web::to(front::nowhere))
            .wrap(from_fn(front::front))
    });
    let server = server
        .workers(config.workers.max(1))
        .max_connections(config.connections.div_ceil(config.workers.max(1)))
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(HEAD_DEADLINE)
        .shutdown_timeout(STOP_SECONDS)
        .disable_signals();
    let names = || config.listen.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let server = server.bind(&config.listen[..]).map_err(|error| ServeError::Listen(names(), error))?;
    let addresses = server.addrs();
    let server = server.run();
    let handle = server.handle();
    let stop = told_to_stop().map_err(ServeError::Run)?;
    forget_now_and_then(desk.clone());
    actix_web::rt::spawn(async move {
        stop.await;
        tracing::info!("stopping");
        desk.stop();
        handle.stop(true).await;
    });
    ready(&addresses);
    server.await.map_err(ServeError::Run)?;
    tracing::info!("stopped");
    Ok(())
}

/// The routes for programs.
fn api(config: &mut ServiceConfig) {
    use routes::{convert, diagram, docs, games, health, problems, validate, variants};
    let v1 = scope("/api/v1")
        .service(validate::validate)
        .service(convert::convert)
        .service(games::submit)
        .service(games::list)
        .service(games::get)
        .service(diagram::diagram)
        .service(variants::list)
        .service(variants::get);
    config
        .service(v1)
        .service(health::healthz)
        .service(health::readyz)
        .service(health::numbers)
        .service(docs::openapi)
        .service(problems::explain);
}

/// Puts together what was counted, and forgets addresses that have not asked for a while, for as long as the service
/// runs: neither may grow with the requests.
fn forget_now_and_then(desk: web::Data<Desk>) {
    actix_web::rt::spawn(async move {
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            metrics::sum_up();
            if let Some(rate) = &desk.rate {
                rate.forget();
            }
        }
    });
}

fn bad_query(error: &actix_web::error::QueryPayloadError) -> actix_web::Error {
    let what = error.to_string();
    let detail = what.strip_prefix("Query deserialize error: ").unwrap_or(&what);
    Problem::new(&problem::BAD_QUERY, detail).into()
}

/// Waits for a signal to stop.
#[cfg(unix)]
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        let terminated = std::pin::pin!(terminate.recv());
        let interrupted = std::pin::pin!(interrupt.recv());
        futures_util::future::select(terminated, interrupted).await;
    })
}

/// Waits for a signal to stop.
#[cfg(not(unix))]
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without signals the service runs until it is ended from outside.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

fn set_up_log(log: Log) {
    let builder = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    // A log that is set up already, by a program that uses the service as a part, stays.
    let _ = match log {
        Log::Json => builder.json().flatten_event(true).try_init(),
        Log::Text => builder.with_ansi(false).try_init(),
        Log::Off => Ok(()),
    };
}
