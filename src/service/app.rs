//! The service as a whole: its routes, its start, its stop.

use super::config::{Config, Log};
use super::desk::Desk;
use super::limits::{HEAD_DEADLINE, KEEP_ALIVE, STOP_SECONDS};
use super::problem::{self, Problem};
use super::{front, pages, routes};
use actix_web::middleware::from_fn;
use actix_web::{App, HttpServer, web};
use std::io;
use std::net::SocketAddr;
use utoipa_actix_web::{AppExt, scope, service_config::ServiceConfig};

/// Why the service does not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
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
    actix_web::rt::System::new().block_on(serve(config, ready))
}

async fn serve(config: &Config, ready: impl FnOnce(&[SocketAddr])) -> Result<(), ServeError> {
    let desk = web::Data::new(Desk::new(config));
    let for_app = desk.clone();
    let server = HttpServer::new(move || {
        let (app, _) = App::new()
            .into_utoipa_app()
            .app_data(for_app.clone())
            .app_data(web::QueryConfig::default().error_handler(|error, _| bad_query(&error)))
            .configure(api)
            .split_for_parts();
        app.configure(pages::configure).default_service(web::to(front::nowhere)).wrap(from_fn(front::front))
    });
    let server = server
        .workers(config.workers.max(1))
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
    use routes::{convert, health, problems, validate};
    config
        .service(scope("/api/v1").service(validate::validate).service(convert::convert))
        .service(health::healthz)
        .service(problems::explain);
}

fn bad_query(error: &actix_web::error::QueryPayloadError) -> actix_web::Error {
    Problem::new(&problem::BAD_QUERY, error.to_string()).into()
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
