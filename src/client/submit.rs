//! Submits records to a service's archive.

use super::batches::Batch;
use super::connection::{Client, Request};
use super::error::ClientError;
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// Bytes of an answer: the reports on the records of a batch.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// The service's answer for a stored game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// Its id in the archive.
    pub id: String,
    /// True if it is new there.
    pub created: bool,
    /// True if the whole main line is legal.
    pub valid: bool,
    /// The report, as from `ferz validate`, in format 2 whatever the service's version.
    #[serde(default)]
    pub report: Value,
    /// All other keys of the answer.
    #[serde(flatten)]
    pub more: serde_json::Map<String, Value>,
}

/// The outcome of one record.
#[derive(Debug)]
pub struct Submitted {
    /// Number of the game in the input, from 0.
    pub game: usize,
    /// The service's answer; an error if it refuses this record.
    pub outcome: Result<Stored, ClientError>,
}

#[derive(Deserialize)]
struct Answer {
    items: Vec<Stored>,
    /// Texts of the batch that are no records.
    #[serde(default)]
    skipped: Vec<Skipped>,
}

#[derive(Deserialize)]
struct Skipped {
    record: usize,
    message: String,
}

/// Kinds of problems that smaller batches do not have.
const TOO_MUCH: [&str; 3] = ["content-too-large", "too-many-games", "too-much-work"];

impl Client {
    /// Submits records; splits them if they are too much for one request. Each record has its outcome, in order, even
    /// if the service refuses one. Submitting a record again is harmless.
    ///
    /// # Errors
    /// If the service cannot be reached, or refuses for another reason than a record's size.
    pub fn submit(&self, batch: &Batch) -> Result<Vec<Submitted>, ClientError> {
        let error = match self.submit_whole(batch) {
            Ok(Answer { items, skipped }) => {
                let mut skipped: HashMap<usize, String> =
                    skipped.into_iter().map(|skipped| (skipped.record, skipped.message)).collect();
                let mut items = items.into_iter();
                return Ok((0..batch.len())
                    .filter_map(|index| {
                        let outcome = match skipped.remove(&index) {
                            Some(why) => Err(ClientError::NoRecord(why)),
                            None => Ok(items.next()?),
                        };
                        Some(Submitted { game: batch.first + index, outcome })
                    })
                    .collect());
            }
            Err(error) if is_too_much(&error) => error,
            Err(ClientError::Refused { problem, .. }) if problem.name() == "no-records" => {
                let refused =
                    |game| Submitted { game, outcome: Err(ClientError::NoRecord(problem.detail.clone())) };
                return Ok((batch.first..batch.first + batch.len()).map(refused).collect());
            }
            Err(error) => return Err(error),
        };
        let Some((front, back)) = batch.halves() else {
            return Ok(vec![Submitted { game: batch.first, outcome: Err(error) }]);
        };
        let mut submitted = self.submit(&front)?;
        submitted.extend(self.submit(&back)?);
        Ok(submitted)
    }

    fn submit_whole(&self, batch: &Batch) -> Result<Answer, ClientError> {
        let body = self.send(&Request {
            method: Method::POST,
            path: &["api", "v1", "games"],
            accept: "application/json",
            body: Some(("application/x-chess-pgn", batch.bytes.clone())),
            answer_max: ANSWER_BYTES_MAX,
            ..Request::default()
        })?;
        let strange = |why: String| ClientError::Strange { server: self.server(), why };
        let body = String::from_utf8(body).map_err(|error| strange(error.to_string()))?;
        let answer: Answer = serde_json::from_str(&body).map_err(|error| strange(error.to_string()))?;
        let (sent, answered) = (batch.len(), answer.items.len() + answer.skipped.len());
        if answered != sent {
            return Err(strange(format!("{sent} games were sent, but it answers for {answered}")));
        }
        Ok(answer)
    }
}

fn is_too_much(error: &ClientError) -> bool {
    let ClientError::Refused { problem, .. } = error else { return false };
    problem.status == 413 || TOO_MUCH.contains(&problem.name())
}
