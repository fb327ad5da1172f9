//! `POST /api/v1/certificates`: checks the evidence of a verdict.

use crate::service::at_hand::AtHand;
use crate::service::json::json;
use crate::service::limits::RECORDS_BYTES_MAX;
use crate::service::problem::Problem;
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{body, media};
use actix_web::{HttpRequest, HttpResponse, post, web};
use ferz::certificate::{Certificate, Effort, Refusal, Step, check, shown};
use ferz::json::WholeText;
use ferz::text::Budget;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A certificate, and what it is checked against
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Checked {
    /// The certificate, as `ferz adjudicate --certificate` writes it
    #[schema(value_type = Object)]
    certificate: Box<RawValue>,
    /// Accept the certificate only if its record is in this text, byte for byte
    record: Option<String>,
    /// Definitions of games of the request's own, in TOML, parents first
    #[serde(default)]
    definitions: Vec<String>,
}

/// Whether a certificate is accepted
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Answer {
    /// Its record shows its verdict by its rules
    accepted: bool,
    /// What it shows and all that it rests on, a line each; empty if it is refused
    shows: Vec<String>,
    /// The step of the check that failed
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    /// Why
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Checks a certificate
///
/// The check replays the record of the certificate; it searches nothing and trusts nothing but the rules. What
/// `ferz check-certificate` does (formats/CERTIFICATES.md).
#[utoipa::path(operation_id = "check_certificate", tag = "claims", request_body = Checked,
    responses((status = 200, description = "Whether it is accepted", body = Answer)))]
#[post("/certificates")]
pub(in crate::service) async fn check_certificate(
    request: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let (asked, memory) = body::parts(&request, payload, &state, RECORDS_BYTES_MAX).await?;
    let (budget, at_hand) = (state.budget(), AtHand::new(&state));
    let (own, shared) = (budget.clone(), state.clone());
    let checked = state.provers.run_within(&budget, state.judging, move || {
        let found = steps(&shared, at_hand, &asked, &own);
        drop(memory);
        found
    });
    let checked = checked.await?.map_err(|unfinished| unfinished.problem(&state))?;
    let answer = match checked {
        Ok(shows) => Answer { accepted: true, shows, step: None, message: None },
        Err(Refusal { step, message }) => Answer {
            accepted: false,
            shows: Vec::new(),
            step: Some(step.to_string()),
            message: Some(message),
        },
    };
    Ok(HttpResponse::Ok().content_type(media::JSON).body([json(&answer)?, b"\n".to_vec()].concat()))
}

/// What the certificate shows, or why it is refused.
fn steps(
    state: &AppState,
    at_hand: AtHand,
    asked: &Checked,
    budget: &Budget,
) -> Result<Result<Vec<String>, Refusal>, Unfinished> {
    let refused = |step, message: String| Ok(Err(Refusal { step, message }));
    let certificate: Certificate = match serde_json::from_str(asked.certificate.get()) {
        Ok(certificate) => certificate,
        Err(error) => return refused(Step::Form, format!("no certificate: {error}")),
    };
    let text = WholeText::new(certificate.record.as_bytes());
    let Ok((record, _)) = text.record(1) else {
        return refused(Step::Record, "there is no record".to_owned());
    };
    let mut replayer = state.replayer.with_options(state.replayer.options().clone());
    let checked = at_hand.with(&asked.definitions)?.work(&mut replayer, &record, |replayer| {
        let effort = Effort::of(budget).with_files(state.files.as_deref());
        let checked = check(replayer.registry(), &state.languages, &certificate, effort);
        budget.check()?;
        Ok(checked)
    })?;
    let is_there = |text: &String| WholeText::new(text.as_bytes()).has(certificate.record.trim().as_bytes());
    if checked.is_ok() && !asked.record.as_ref().is_none_or(is_there) {
        return refused(Step::Record, "`record` does not have the record of the certificate".to_owned());
    }
    Ok(checked.map(|()| shown(&certificate)))
}
