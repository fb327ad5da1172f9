//! `GET /problems/{name}`: explains the `type` of a problem.

use crate::service::problem::{self, Kind, Problem};
use crate::service::{media, openapi};
use actix_web::{HttpResponse, get, web};

/// Explains the `type` of a problem
#[utoipa::path(operation_id = "get_problem", tag = "operation",
    params(("name" = inline(openapi::ProblemName), Path, description = "The last part of a problem's type")),
    responses((status = 200, description = "Its meaning", body = String, content_type = "text/plain")))]
#[get("/problems/{name}")]
pub(in crate::service) async fn explain(name: web::Path<String>) -> Result<HttpResponse, Problem> {
    let known = problem::ALL.iter().find(|kind| kind.name == name.as_str());
    let Some(Kind { name, status, title, remedy }) = known else {
        let names: Vec<&str> = problem::ALL.iter().map(|kind| kind.name).collect();
        let detail = format!("unknown problem; known ones are {}", names.join(", "));
        return Err(Problem::new(&problem::NOT_FOUND, detail));
    };
    let text = format!("{name} (status {status})\n\n{title}.\n\n{remedy}\n");
    Ok(HttpResponse::Ok().content_type(media::TEXT).body(text))
}
