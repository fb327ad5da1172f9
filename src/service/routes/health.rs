//! Routes for operators: `/healthz`, `/readyz`, `/metrics`.

use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::{media, metrics};
use actix_web::{HttpResponse, get, web};

/// Reports that the service runs
#[utoipa::path(operation_id = "get_health", tag = "operation",
    responses((status = 200, description = "It runs", body = String, content_type = "text/plain")))]
#[get("/healthz")]
pub(in crate::service) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().content_type(media::TEXT).body("ok\n")
}

/// Reports whether the service is ready: it is not stopping, and the archive is writable
#[utoipa::path(operation_id = "get_readiness", tag = "operation",
    responses((status = 200, description = "It is ready", body = String, content_type = "text/plain")))]
#[get("/readyz")]
pub(in crate::service) async fn readyz(state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    if state.is_stopping() {
        return Err(Problem::new(&problem::STOPPING, "the service is stopping").retry_after(5));
    }
    state.check_archive().await?;
    Ok(HttpResponse::Ok().content_type(media::TEXT).body("ready\n"))
}

/// Metrics of requests and games in the text format of Prometheus
#[utoipa::path(operation_id = "get_metrics", tag = "operation",
    responses((status = 200, description = "The numbers", body = String, content_type = "text/plain")))]
#[get("/metrics")]
pub(in crate::service) async fn numbers() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(metrics::text())
}
