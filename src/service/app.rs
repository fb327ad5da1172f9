//! The service as a whole: its routes, its start, its stop.

use super::config::{Config, Log};
use super::limits::{
    ANSWER_PART_BYTES, BACKLOG, CONNECTIONS_RESERVE, FORGET_EVERY, HEAD_DEADLINE, KEEP_ALIVE, LINGER,
    SOCKET_BYTES, STOP_SECONDS,
};
use super::problem::{self, Problem};
use super::routes::docs::Document;
use super::state::AppState;
use super::stream::Stream;
use super::{metrics, middleware, openapi, pages, routes};
use crate::archive::{Archive, ArchiveError};
use actix_http::error::DispatchError;
use actix_http::{Extensions, HttpService};
use actix_server::{GracefulShutdownSignal, Server};
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::body::BoxBody;
use actix_web::dev::{AppConfig, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::{App, web};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use tokio::net::{TcpSocket, TcpStream};
use utoipa_actix_web::{AppExt, scope, service_config::ServiceConfig};

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
    actix_web::rt::System::new().block_on(async {
        survive_file_limit().map_err(ServeError::Run)?;
        let archive = Archive::open(&config.archive)?;
        if let (Some(address), false) = (config.outside(), archive.has_tokens()?) {
            return Err(ServeError::NoToken(address));
        }
        let state = web::Data::new(AppState::new(config, archive));
        serve(config, state, ready).await
    })
}

async fn serve(
    config: &Config,
    state: web::Data<AppState>,
    ready: impl FnOnce(&[SocketAddr]),
) -> Result<(), ServeError> {
    metrics::recorder();
    let sockets = listen(&config.listen)?;
    let addresses = sockets.iter().map(TcpListener::local_addr).collect::<Result<Vec<_>, _>>();
    let addresses = addresses.map_err(ServeError::Run)?;
    let workers = config.workers.max(1);
    let mut server = Server::build()
        .workers(workers)
        // Never reached, so that every newcomer is looked at: the limit itself is kept by `connections`.
        .max_concurrent_connections((config.connections + CONNECTIONS_RESERVE).div_ceil(workers))
        .shutdown_timeout(STOP_SECONDS)
        .disable_signals();
    for socket in sockets {
        let (state, drain) = (state.clone(), server.graceful_shutdown_signal());
        let connection = move || connection(&state, &drain);
        server = server.listen("ferz", socket, connection).map_err(ServeError::Run)?;
    }
    let server = server.run();
    let handle = server.handle();
    let stop = told_to_stop().map_err(ServeError::Run)?;
    forget_now_and_then(state.clone());
    actix_web::rt::spawn(async move {
        stop.await;
        tracing::info!("stopping");
        state.stop();
        handle.stop(true).await;
    });
    ready(&addresses);
    server.await.map_err(ServeError::Run)?;
    tracing::info!("stopped");
    Ok(())
}

/// Sockets at those of the addresses that can be listened at.
fn listen(addresses: &[SocketAddr]) -> Result<Vec<TcpListener>, ServeError> {
    let listen = |address: &SocketAddr| {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // Connections of the service before, that are not forgotten yet, are no hindrance. On Windows it would let two
        // services share the address.
        if cfg!(unix) {
            socket.set_reuseaddr(true)?;
        }
        // Sockets that are accepted take this over.
        socket.set_send_buffer_size(SOCKET_BYTES)?;
        socket.bind(*address)?;
        socket.listen(BACKLOG)?.into_std()
    };
    let (mut sockets, mut failed) = (Vec::new(), None);
    for address in addresses {
        match listen(address) {
            Ok(socket) => sockets.push(socket),
            Err(error) => failed = Some(error),
        }
    }
    match failed {
        Some(error) if sockets.is_empty() => {
            let names = addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            Err(ServeError::Listen(names, error))
        }
        _ => Ok(sockets),
    }
}

/// What serves a connection: the framework's HTTP over a socket with limits of its own.
fn connection(
    state: &web::Data<AppState>,
    drain: &GracefulShutdownSignal,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = DispatchError, InitError = ()> + use<>
{
    let (drain, connections) = (drain.clone(), Arc::clone(&state.connections));
    let http = HttpService::build()
        .graceful_shutdown_signal(move || {
            let drain = drain.clone();
            async move { drain.notified().await }
        })
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(HEAD_DEADLINE)
        .client_disconnect_timeout(LINGER)
        // A client that closes its side has gone: its request is dropped, and the work for it broken off.
        .h1_allow_half_closed(false)
        .h1_write_buffer_size(ANSWER_PART_BYTES)
        .on_connect_ext(|stream: &Stream, data: &mut Extensions| {
            data.insert(Arc::clone(stream.connection()));
        });
    let app = routes(state.clone()).into_factory().map_err(|error: actix_web::Error| error.error_response());
    let http = http.h1(map_config(app, |()| AppConfig::default()));
    let admit = move |io: TcpStream| {
        let peer = io.peer_addr().ok();
        let admitted = connections.admit(peer);
        if admitted.is_none() {
            // To a client that has sent nothing yet, this gets through.
            let _ = io.try_write(NO_ROOM);
        }
        let refused = || DispatchError::Io(io::ErrorKind::ConnectionRefused.into());
        std::future::ready(match admitted {
            Some(admitted) => Ok((Stream::new(io, admitted), peer)),
            None => Err(refused()),
        })
    };
    fn_service(admit).and_then(http)
}

/// Said to a newcomer for whom no other connection can make room.
const NO_ROOM: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// All routes, and what every request passes.
fn routes(
    state: web::Data<AppState>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<BoxBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    let (app, api) = App::new().into_utoipa_app().configure(api).split_for_parts();
    // Invariant: the schemas that are written by hand are JSON; a test reads the whole document.
    let document = openapi::document(&api).unwrap_or_default();
    app.app_data(state)
        .app_data(web::QueryConfig::default().error_handler(|error, _| bad_query(&error)))
        .app_data(web::Data::new(Document::new(document)))
        .route("/docs/{file:.*}", web::get().to(routes::docs::page))
        .service(web::redirect("/docs", "/docs/"))
        .configure(pages::configure)
        .default_service(web::to(middleware::no_route))
        .wrap(from_fn(middleware::handle))
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
fn forget_now_and_then(state: web::Data<AppState>) {
    actix_web::rt::spawn(async move {
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            metrics::sum_up();
            if let Some(rate) = &state.rate {
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

/// Waits for a signal to stop: from outside, from the keyboard, or from the terminal that goes.
#[cfg(unix)]
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let mut signals = kinds.into_iter().map(signal).collect::<Result<Vec<_>, _>>()?;
    Ok(async move {
        let any = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures_util::future::select_all(any).await;
    })
}

/// A file that grows beyond what the system allows is an error of that write, and not the end of the service.
#[cfg(unix)]
fn survive_file_limit() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    // SIGXFSZ, alike on Linux, macOS and the BSDs. Once it is taken, it stays so, though nothing waits for it.
    const FILE_SIZE_EXCEEDED: i32 = 25;
    signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED)).map(drop)
}

/// There is no such signal.
#[cfg(not(unix))]
fn survive_file_limit() -> io::Result<()> {
    Ok(())
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
    if log != Log::Off {
        // In the log's own form, with everything else.
        std::panic::set_hook(Box::new(|panic| tracing::error!(panic = %panic, "panicked")));
    }
    let builder = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    // A log that is set up already, by a program that uses the service as a part, stays.
    let _ = match log {
        Log::Json => builder.json().flatten_event(true).try_init(),
        Log::Text => builder.with_ansi(false).try_init(),
        Log::Off => Ok(()),
    };
}
