//! Why a change is refused, as problems.

use crate::service::in_progress::none;
use crate::service::problem::{self, Problem};
use ferz::archive::{ActError, to_hex};
use ferz::correspondence::Refused;
use serde_json::Value;

/// The problem for a request about a state of the game that has passed.
pub(super) fn stale(head: &str) -> Problem {
    let detail = format!("the head of the game is \"{head}\", not the one in `If-Match`");
    Problem::new(&problem::STALE, detail).with("head", Value::from(head))
}

/// The problem for a change that was refused.
pub(in crate::service) fn acted(error: ActError) -> Problem {
    let detail = error.to_string();
    match error {
        ActError::Archive(error) => error.into(),
        ActError::Terms(_) => Problem::new(&problem::BAD_TERMS, detail),
        ActError::Stale(head) => stale(&to_hex(&head)),
        ActError::None(id) => none(&id),
        ActError::Signature(_) => Problem::new(&problem::BAD_SIGNATURE, detail),
        ActError::KeyUsed(_) => Problem::new(&problem::KEY_USED, detail),
        ActError::Refused(refused) => refusal(&refused, detail),
        _ => Problem::new(&problem::ARCHIVE_DAMAGED, detail),
    }
}

fn refusal(refused: &Refused, detail: String) -> Problem {
    match refused {
        Refused::NotToAct { .. } | Refused::NotFor(_) | Refused::NotArbiter | Refused::NotPlayer => {
            Problem::new(&problem::NOT_YOUR_TURN, detail)
        }
        Refused::Illegal { text, fault, nearest } => {
            let illegal = serde_json::json!({
                "text": text,
                "reason_id": fault.reason.id(),
                "reason": fault.message,
                "rule": fault.rule,
                "candidates": nearest,
            });
            Problem::new(&problem::ILLEGAL_PLY, detail).with("illegal", illegal)
        }
        Refused::Unsigned(_) | Refused::NoKey(_) => Problem::new(&problem::BAD_SIGNATURE, detail),
        Refused::OtherTerms(_)
        | Refused::OtherSecret
        | Refused::NoHash
        | Refused::SecretTooLong
        | Refused::Army(_)
        | Refused::TakebackTo { .. }
        | Refused::Reason
        | Refused::TooLong
        | Refused::Tree(_)
        | Refused::Leave { .. }
        | Refused::TimeOuts { .. }
        | Refused::Inexpressible(_) => Problem::new(&problem::BAD_OPTION, detail),
        _ => Problem::new(&problem::NOT_NOW, detail),
    }
}
