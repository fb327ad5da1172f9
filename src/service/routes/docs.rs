//! `/openapi.json`: the description of all routes for programs.

use crate::service::problem::{self, Problem};
use crate::service::{answer, media};
use actix_web::http::header;
use actix_web::{HttpResponse, get, web};
use std::borrow::Cow;
use std::sync::Arc;
use utoipa_swagger_ui::{Config, serve};

/// The description of all routes as OpenAPI 3.1, serialized.
#[derive(Debug)]
pub struct Document {
    /// The document.
    pub value: serde_json::Value,
    text: web::Bytes,
}

impl Document {
    /// Serializes the document.
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
    answer::shared(media::JSON, document.text.clone())
}

/// The pages under `/docs/`: the same description as a page.
///
/// # Errors
/// If there is no such file.
pub(in crate::service) async fn page(file: web::Path<String>) -> Result<HttpResponse, Problem> {
    let config = Arc::new(Config::new(["/openapi.json"]));
    let found = serve(&file, config).map_err(|error| Problem::new(&problem::INTERNAL, error.to_string()))?;
    let found = found.ok_or_else(|| Problem::new(&problem::NOT_FOUND, "no page at this address"))?;
    let bytes = match found.bytes {
        // Embedded in the program: all answers share it.
        Cow::Borrowed(bytes) => web::Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let mut response = answer::shared(&found.content_type, bytes);
    if found.gzpipped {
        let gzip = header::HeaderValue::from_static("gzip");
        response.headers_mut().insert(header::CONTENT_ENCODING, gzip);
    }
    Ok(response)
}
