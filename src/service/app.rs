//! Starts and stops the service, and assembles its routes.

use super::config::{Config, Log};
use super::limits::{
    ALIVE_PATIENCE_MS, ANSWER_PART_BYTES, BACKLOG, CONNECTIONS_RESERVE, FEED_LOOK_EVERY, FORGET_EVERY,
    HEAD_DEADLINE, INDEX_EVERY, KEEP_ALIVE, LINGER, SOCKET_BYTES, STOP_SECONDS,
};
use super::problem::{self, Problem};
use super::routes::docs::Document;
use super::state::AppState;
use super::stream::Stream;
use super::{metrics, middleware, openapi, pages, routes};
use actix_http::error::DispatchError;
use actix_http::{Extensions, HttpService};
use actix_server::{GracefulShutdownSignal, Server};
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::body::BoxBody;
use actix_web::dev::{AppConfig, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::{App, web};
use ferz::archive::{Archive, ArchiveError, Indexed};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use tokio::net::{TcpSocket, TcpStream};
use utoipa_actix_web::{AppExt, scope, service_config::ServiceConfig};

/// Why the service did not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The archive cannot be opened.
    #[error("{0}")]
    Archive(#[from] ArchiveError),
    /// The address is open to other machines, and no token protects the archive.
    #[error(
        "{0} can be reached from other machines, and no access token exists; create one with \
         `ferz archive token add NAME --db FILE`, or listen at 127.0.0.1"
    )]
    NoToken(SocketAddr),
    /// Listening failed.
    #[error("cannot listen at {0}: {1}; give another address with --listen")]
    Listen(String, #[source] io::Error),
    /// The system refuses threads or sockets.
    #[error("the service ended: {0}")]
    Run(#[source] io::Error),
}

/// Runs the service until a signal stops it. `ready` is called with the addresses once requests are accepted.
///
/// # Errors
/// If the service cannot be started.
pub fn run(config: &Config, ready: impl FnOnce(&[SocketAddr])) -> Result<(), ServeError> {
    set_up_log(config.log);
    actix_web::rt::System::new().block_on(async {
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
    // Before anything is asked: no clock of a game in progress counts the time in which the service did not run.
    let started = state.clone();
    web::block(move || look_after_games(&started)).await.unwrap_or_default();
    let sockets = listen(&config.listen)?;
    let addresses = sockets.iter().map(TcpListener::local_addr).collect::<Result<Vec<_>, _>>();
    let addresses = addresses.map_err(ServeError::Run)?;
    let workers = config.workers.max(1);
    let mut server = Server::build()
        .workers(workers)
        // Never reached: `connections` enforces the limit, and must see every new connection.
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
    let stop = shutdown_signal().map_err(ServeError::Run)?;
    spawn_housekeeping(state.clone());
    spawn_look_for_listeners(state.clone());
    spawn_indexing(state.clone());
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

/// Listens at all of the addresses that allow it.
///
/// # Errors
/// If none does.
fn listen(addresses: &[SocketAddr]) -> Result<Vec<TcpListener>, ServeError> {
    let listen = |address: &SocketAddr| {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // Allows a restart while connections of the previous process are in TIME_WAIT. On Windows the option would let
        // two services share the address.
        if cfg!(unix) {
            socket.set_reuseaddr(true)?;
        }
        // Accepted sockets inherit this.
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

/// Serves a connection: the framework's HTTP over a socket with our limits.
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
        // If a client closes its side, its request is dropped and the work on it cancelled.
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
            // Arrives unless the client has already sent data.
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

/// The answer to a new connection for which no other one can make room.
const NO_ROOM: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// All routes, with the middleware.
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
    // Invariant: the handwritten schemas are JSON; a test parses the whole document.
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
    use routes::{
        adjudications, bulletins, certificates, compare, convert, correspondence, decode, diagram, docs,
        feed, fix, games, health, log, match_points, positions, problems, stories, tournaments, validate,
        variants, witness,
    };
    let v1 = scope("/api/v1")
        .service(validate::validate)
        .service(convert::convert)
        .service(fix::fix)
        .service(decode::decode)
        .service(compare::compare)
        .service(match_points::score_match)
        .service(bulletins::bulletin)
        .service(positions::show_position)
        .service(positions::list_moves)
        .service(positions::list_claims)
        .service(adjudications::adjudicate)
        .service(adjudications::progress)
        .service(adjudications::cancel)
        .service(stories::stories)
        .service(certificates::check_certificate)
        .service(games::submit)
        .service(games::list)
        .service(games::get)
        .service(games::bundle)
        .service(games::withdraw)
        .service(games::reinstate)
        .service(correspondence::create)
        .service(correspondence::list)
        .service(correspondence::get)
        .service(correspondence::events)
        .service(correspondence::bundle)
        .service(correspondence::changes::accept_terms)
        .service(correspondence::changes::make_ply)
        .service(correspondence::changes::make_offer)
        .service(correspondence::disputes::make_claim)
        .service(correspondence::disputes::answer_claim)
        .service(correspondence::disputes::appeal)
        .service(correspondence::disputes::rule)
        .service(correspondence::secrets::register_key)
        .service(correspondence::secrets::commit)
        .service(correspondence::secrets::reveal)
        .service(correspondence::changes::go_on_leave)
        .service(correspondence::changes::call_time_out)
        .service(correspondence::changes::set_conditional)
        .service(correspondence::changes::take_back)
        .service(correspondence::changes::resign)
        .service(correspondence::changes::decide_as_nature)
        .service(feed::list)
        .service(tournaments::create)
        .service(tournaments::table)
        .service(tournaments::due)
        .service(diagram::diagram)
        .service(variants::list)
        .service(variants::check_definition)
        .service(variants::armies)
        .service(variants::get);
    config
        .service(v1)
        .service(health::healthz)
        .service(health::readyz)
        .service(health::numbers)
        .service(log::checkpoint)
        .service(log::key)
        .service(log::tile)
        .service(witness::add_checkpoint)
        .service(docs::openapi)
        .service(problems::explain);
}

/// Periodically compacts metrics and forgets idle addresses, so that memory does not grow with the requests.
fn spawn_housekeeping(state: web::Data<AppState>) {
    actix_web::rt::spawn(async move {
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            metrics::sum_up();
            state.jobs.forget();
            let games = state.clone();
            let _ = state.write(move |_| look_after_games(&games)).await;
            forget_jobs_of_forgotten_games(&state).await;
            if let Some(rate) = &state.rate {
                rate.forget();
            }
        }
    });
}

/// Wakes those who listen when the log has grown, by this service or another program.
fn spawn_look_for_listeners(state: web::Data<AppState>) {
    actix_web::rt::spawn(async move {
        loop {
            tokio::time::sleep(FEED_LOOK_EVERY).await;
            if state.listeners.are_there()
                && let Ok(size) = state.read(|archive| archive.log_size()).await
            {
                state.listeners.tell(size);
            }
        }
    });
}

/// Indexes what many entries wait for. What fails now is tried again at the next look.
fn spawn_indexing(state: web::Data<AppState>) {
    actix_web::rt::spawn(async move {
        loop {
            tokio::time::sleep(INDEX_EVERY).await;
            let state = state.clone();
            // Not on a thread that answers requests. It ends with the service.
            let indexed = web::block(move || {
                let archive = state.archive.within(state.work.clone());
                archive.index_if_many_wait(state.registry, &mut |_| ())
            });
            match indexed.await {
                Ok(Ok(Indexed { games: 0, .. })) | Err(_) => {}
                Ok(Ok(Indexed { games, segments })) => tracing::info!(games, segments, "games were indexed"),
                Ok(Err(error)) => tracing::warn!(%error, "games could not be indexed"),
            }
        }
    });
}

/// Notes that the service runs, and ends games in progress in which a player's time is up. What fails now is tried
/// again at the next look.
fn look_after_games(state: &AppState) {
    let books = (state.registry, &*state.policies);
    let stopped = state.archive.note_alive(ALIVE_PATIENCE_MS, books);
    let ended = stopped.and_then(|stopped| {
        if stopped > 0 {
            tracing::warn!(games = stopped, "no service ran for a while; the clocks stood still");
        }
        state.archive.end_overdue(books)
    });
    match ended {
        Ok(0) => {}
        Ok(ended) => tracing::info!(games = ended, "games ended on time"),
        Err(error) => tracing::warn!(%error, "games in progress could not be looked after"),
    }
}

/// Ends the jobs about games that were forgotten meanwhile, perhaps by another program.
async fn forget_jobs_of_forgotten_games(state: &AppState) {
    for game in state.jobs.games() {
        // If the archive cannot be asked now, the next round does.
        let _ = state.check_remembered(game).await;
    }
}

fn bad_query(error: &actix_web::error::QueryPayloadError) -> actix_web::Error {
    let what = error.to_string();
    let detail = what.strip_prefix("Query deserialize error: ").unwrap_or(&what);
    Problem::new(&problem::BAD_QUERY, detail).into()
}

/// Waits for SIGTERM, SIGINT or SIGHUP.
#[cfg(unix)]
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let mut signals = kinds.into_iter().map(signal).collect::<Result<Vec<_>, _>>()?;
    Ok(async move {
        let any = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures_util::future::select_all(any).await;
    })
}

/// Waits for Ctrl+C.
#[cfg(not(unix))]
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without signals the service runs until the process is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

fn set_up_log(log: Log) {
    if log != Log::Off {
        // Log panics in the format of all other entries.
        std::panic::set_hook(Box::new(|panic| tracing::error!(panic = %panic, "panicked")));
    }
    let builder = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    // Keep a log that the embedding program has set up.
    let _ = match log {
        Log::Json => builder.json().flatten_event(true).try_init(),
        Log::Text => builder.with_ansi(false).try_init(),
        Log::Off => Ok(()),
    };
}
