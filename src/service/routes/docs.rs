//! `/openapi.json`: the description of all routes for programs.

use crate::service::media;
use actix_web::{HttpResponse, get, web};

/// The description of all routes as OpenAPI 3.1, as it is sent.
#[derive(Debug)]
pub struct Document {
    /// The document.
    pub value: serde_json::Value,
    text: web::Bytes,
}

impl Document {
    /// The document, ready to be sent.
    pub fn new(value: serde_json::Value) -> Document {
        let text = serde_json::to_vec_pretty(&value).unwrap_or_default().into();
        Document { value, text }
    }
}

/// Describes all routes, as OpenAPI 3.1
#[utoipa::path(operation_id = "get_openapi", tag = "operation",
    responses((status = 200, description = "This description", body = serde_json::Value)))]
#[get("/openapi.json")]
pub(in crate::service) async fn openapi(document: web::Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type(media::JSON).body(document.text.clone())
}
