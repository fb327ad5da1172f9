//! `GET /healthz`: whether the service runs.

use crate::service::media;
use actix_web::{HttpResponse, get};

/// Says that the service runs
#[utoipa::path(operation_id = "get_health", tag = "operation")]
#[get("/healthz")]
pub(in crate::service) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().content_type(media::TEXT).body("ok\n")
}
