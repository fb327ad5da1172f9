//! `/add-checkpoint`: a witness of other logs (c2sp.org/tlog-witness).

use crate::service::body;
use crate::service::limits::CHECKPOINT_BYTES_MAX;
use crate::service::media;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::archive::Refusal;

/// Cosigns the head of another log
///
/// The body is `old N`, with the size of the head that the witness cosigned last or 0, the lines of a consistency proof
/// from there, an empty line, and the signed checkpoint, as c2sp.org/tlog-witness describes it. The answer is the
/// cosignature. Needs no token: the log is known by its signature. If the witness has cosigned a head of another size,
/// the answer is 409 with that size.
#[utoipa::path(operation_id = "add_checkpoint", tag = "log",
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, description = "The cosignature", body = String, content_type = "text/plain")))]
#[post("/add-checkpoint")]
pub(in crate::service) async fn add_checkpoint(
    request: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body = body::raw(&request, payload, &state.memory, CHECKPOINT_BYTES_MAX).await?;
    let text = String::from_utf8(body.as_ref().to_vec());
    let text =
        text.map_err(|_| Problem::new(&problem::BAD_REQUEST, "the body is not UTF-8; send it as text"))?;
    let refused = match state.cosign(text).await? {
        Ok(line) => return Ok(HttpResponse::Ok().content_type(media::TEXT).body(line)),
        Err(refused) => refused,
    };
    let detail = refused.to_string();
    let kind = match refused {
        Refusal::OtherSize(size) => {
            return Ok(HttpResponse::Conflict().content_type(media::LOG_SIZE).body(format!("{size}\n")));
        }
        Refusal::UnknownLog(_) => &problem::UNKNOWN_LOG,
        Refusal::NotSigned(_) => &problem::NOT_SIGNED,
        Refusal::OtherHead(_) => &problem::TWO_HEADS,
        Refusal::NotGrown(_) => &problem::NOT_GROWN,
        Refusal::Storage(_) => &problem::INTERNAL,
        _ => &problem::BAD_REQUEST,
    };
    Err(Problem::new(kind, detail))
}
