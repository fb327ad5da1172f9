//! `/log`: the log of the archive, as c2sp.org/tlog-tiles describes it.

use crate::service::media;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, get, web};
use ferz::archive::Tile;

/// The signed head of the log
///
/// A checkpoint (c2sp.org/tlog-checkpoint): the name of the log, its number of events, the root of the hash tree over
/// them, and the signature.
#[utoipa::path(operation_id = "get_checkpoint", tag = "log",
    responses((status = 200, description = "The checkpoint", body = String, content_type = "text/plain")))]
#[get("/log/checkpoint")]
pub(in crate::service) async fn checkpoint(state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    Ok(text(state.read(|archive| archive.checkpoint()).await?))
}

/// The public key of the log
///
/// A vkey, NAME+ID+KEY: `ferz verify RECEIPT --key VKEY` checks receipts with it.
#[utoipa::path(operation_id = "get_log_key", tag = "log",
    responses((status = 200, description = "The key", body = String, content_type = "text/plain")))]
#[get("/log/key")]
pub(in crate::service) async fn key(state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    Ok(text(state.read(|archive| archive.log_key()).await? + "\n"))
}

/// A tile of the log
///
/// Hashes (`0/x001/067`, `1/000.p/17`) or events (`entries/000`), as c2sp.org/tlog-tiles describes them. A tile never
/// changes.
#[utoipa::path(operation_id = "get_tile", tag = "log", params(("tile" = String, Path,
        description = "Level and number of the tile, and its width if it is partial")),
    responses((status = 200, description = "The tile", body = Vec<u8>, content_type = "application/octet-stream")))]
#[get("/log/tile/{tile:.*}")]
pub(in crate::service) async fn tile(
    path: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let wanted = path.into_inner();
    let none = || {
        let detail = format!("the log has no tile `{}`", wanted.escape_debug());
        Problem::new(&problem::NOT_FOUND, detail)
    };
    let tile = Tile::from_path(&wanted).ok_or_else(none)?;
    let bytes = state.read(move |archive| archive.tile(&tile)).await?.ok_or_else(none)?;
    let cached = (header::CACHE_CONTROL, "private, max-age=604800, immutable");
    Ok(HttpResponse::Ok().content_type("application/octet-stream").insert_header(cached).body(bytes))
}

fn text(found: String) -> HttpResponse {
    HttpResponse::Ok().content_type(media::TEXT).body(found)
}
