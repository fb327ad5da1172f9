//! Request bodies: read with a size limit, a deadline and a minimum rate, and unpacked within the limit.
//!
//! The framework has none of these: it waits forever for a slow body, and unpacks before it checks the size.

use super::at_hand::RULES_DIGEST;
use super::limits::{
    BODY_DEADLINE, BODY_GRACE, BODY_RATE_MIN, BODY_SILENCE, DEFINITION_SENT_BYTES_MAX, DEFINITIONS_MAX,
    MEMORY_UNIT_BYTES, SMALL_BYTES, ZSTD_WINDOW_LOG_MAX,
};
use super::media::{self, BodyForm};
use super::memory::{Budgeted, MemoryBudget, Reservation};
use super::problem::{self, Place, Problem};
use super::state::AppState;
use super::xz;
use crate::plain::zipped::{self, Source, Zipped};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::{HttpRequest, web};
use ferz::interchange::xqf;
use ferz::json::is_json;
use ferz::rules::Registry;
use ferz::rules::check::check;
use ferz::text::{Budget, Encoding, Foreign, LineIndex, Packing};
use futures_util::{FutureExt, StreamExt};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::Read;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// A body as received.
#[derive(Debug)]
pub struct Body {
    bytes: Budgeted,
    packing: Packing,
    form: BodyForm,
    limit: usize,
}

/// Reads a body with records, of at most `limit` bytes, packed or not.
///
/// # Errors
/// If it is too large, too slow, incomplete, or of an unsupported type.
pub async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    memory: &MemoryBudget,
    limit: usize,
) -> Result<Body, Problem> {
    let (declared, form) = (packing(request)?, media::body_form(request)?);
    let bytes = raw(request, payload, memory, limit).await?;
    // `curl --data-binary @games.pgn.gz` does not declare an encoding.
    let packing = if declared == Packing::None { Packing::of(bytes.as_ref()) } else { declared };
    Ok(Body { bytes, packing, form, limit })
}

/// Reads a body as received, of at most `limit` bytes.
///
/// # Errors
/// If it is too large, too slow, or incomplete.
pub async fn raw(
    request: &HttpRequest,
    payload: web::Payload,
    memory: &MemoryBudget,
    limit: usize,
) -> Result<Budgeted, Problem> {
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let mut bytes = Budgeted::new(memory);
    let mut payload = payload.into_inner();
    let start = Instant::now();
    loop {
        let earned = Duration::from_secs((bytes.len() / BODY_RATE_MIN) as u64);
        let due = start + BODY_DEADLINE.min(BODY_GRACE + earned);
        let part = match payload.next().now_or_never() {
            Some(part) if Instant::now() < due => part,
            Some(_) => return Err(too_slow(bytes.len())),
            None => timeout_at(due.min(Instant::now() + BODY_SILENCE), payload.next())
                .await
                .map_err(|_| too_slow(bytes.len()))?,
        };
        match part {
            None => return Ok(bytes),
            Some(Ok(part)) if bytes.len() + part.len() > limit => return Err(too_large(limit)),
            Some(Ok(part)) => bytes.add(&part)?,
            Some(Err(error)) => return Err(broken(&error)),
        }
    }
}

fn packing(request: &HttpRequest) -> Result<Packing, Problem> {
    let values = request.headers().get_all(header::CONTENT_ENCODING).filter_map(|value| value.to_str().ok());
    let text = values.collect::<Vec<_>>().join(",").to_ascii_lowercase();
    match text.trim() {
        "" | "identity" => Ok(Packing::None),
        "gzip" | "x-gzip" => Ok(Packing::Gzip),
        "zstd" => Ok(Packing::Zstd),
        other => {
            let detail = format!("content encoding `{}` is not supported", other.escape_debug());
            let problem = Problem::new(&problem::UNSUPPORTED_ENCODING, detail);
            Err(problem.header(header::ACCEPT_ENCODING, header::HeaderValue::from_static("gzip, zstd")))
        }
    }
}

fn too_large(limit: usize) -> Problem {
    Problem::new(&problem::CONTENT_TOO_LARGE, format!("the limit is {limit} bytes, packed and unpacked"))
}

fn too_slow(bytes: usize) -> Problem {
    let (seconds, rate) = (BODY_DEADLINE.as_secs(), BODY_RATE_MIN);
    let detail = format!(
        "after {bytes} bytes no more came in time; a body takes at most {seconds} seconds, comes with at least \
         {rate} bytes a second, and never pauses for {} seconds",
        BODY_SILENCE.as_secs()
    );
    Problem::new(&problem::SLOW_BODY, detail)
}

fn broken(error: &PayloadError) -> Problem {
    match error {
        PayloadError::Incomplete(_) => Problem::new(&problem::UNFINISHED_BODY, error.to_string()),
        _ => Problem::new(&problem::BAD_REQUEST, format!("the body cannot be read: {error}")),
    }
}

/// Records in a JSON object, with what they need: as a text, or as the objects of `formats/JSON.md`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Deserialize<'de>"))]
struct Envelope<T> {
    records: T,
    #[serde(default)]
    definitions: Vec<String>,
}

/// True for a body that is records and not an envelope: its first key is not one of an envelope.
fn is_records(body: &[u8]) -> bool {
    let head = body.trim_ascii_start();
    let key = head.strip_prefix(b"{").map(<[u8]>::trim_ascii_start).unwrap_or_default();
    is_json(body) && !key.starts_with(b"\"records\"") && !key.starts_with(b"\"definitions\"")
}

/// Unpacked records.
pub struct Unpacked {
    /// The records.
    pub records: Budgeted,
    /// Games of the request's own, besides those that the service knows.
    pub own: Option<Registry>,
}

/// Records as a form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    records: String,
}

/// Budget units for a part of a body that is unpacked.
const UNITS_UNPACKED: u64 = 64;

/// Reads a file of at most `limit` bytes, unpacking it if its first bytes show that it is packed.
///
/// # Errors
/// If it is too large when unpacked, or damaged.
pub fn unpacked(
    bytes: &[u8],
    memory: &MemoryBudget,
    limit: usize,
    budget: &Budget,
) -> Result<Budgeted, Problem> {
    let packing = Packing::of(bytes);
    if packing == Packing::None && bytes.len() > limit {
        return Err(too_large(limit));
    }
    let mut held = Budgeted::new(memory);
    held.add(bytes)?;
    Body { bytes: held, packing, form: BodyForm::Records, limit }.unpacked(budget)
}

/// Reads a JSON object of at most `limit` bytes, packed or not, with the memory of its parts.
///
/// # Errors
/// Where the body is too large, comes too slowly, or is not such an object.
pub async fn parts<T: DeserializeOwned + Send + 'static>(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
    limit: usize,
) -> Result<(T, Reservation), Problem> {
    if media::body_form(request)? == BodyForm::Records && request.headers().contains_key(header::CONTENT_TYPE)
    {
        let detail = "this route takes a JSON object, not records alone";
        return Err(Problem::new(&problem::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let body = read(request, payload, &state.memory, limit).await?;
    let is_small = body.packing == Packing::None && body.bytes.len() <= SMALL_BYTES;
    let budget = state.budget();
    let work = budget.clone();
    let parse = move || {
        let bytes = body.unpacked(&work)?;
        let object = serde_json::from_slice(bytes.as_ref()).map_err(|error| json_problem(&error))?;
        Ok((object, bytes.into_reservation()))
    };
    // Unpacking and parsing cost time, which the thread of a connection does not have.
    if is_small { parse() } else { state.judges.run_within(&budget, state.judging, parse).await? }
}

/// Reads a small JSON object.
///
/// # Errors
/// Where the body is too large, comes too slowly, or is not such an object.
pub async fn object<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: web::Payload,
    memory: &MemoryBudget,
) -> Result<T, Problem> {
    object_and_digest(request, payload, memory).await.map(|(object, _)| object)
}

/// Reads a small JSON object with a digest of the request, by which one that is sent again is known. No body is an
/// empty object.
///
/// # Errors
/// As [`object`].
pub async fn object_and_digest<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: web::Payload,
    memory: &MemoryBudget,
) -> Result<(T, [u8; 32]), Problem> {
    let body = raw(request, payload, memory, SMALL_BYTES).await?;
    parsed_and_digest(request.path(), body.as_ref())
}

/// As [`object_and_digest`], for an object with a record in it.
///
/// # Errors
/// As [`object`], or if no thread is free.
pub async fn large_object_and_digest<T: DeserializeOwned + Send + 'static>(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
    limit: usize,
) -> Result<(T, [u8; 32]), Problem> {
    let body = raw(request, payload, &state.memory, limit).await?;
    if body.len() <= SMALL_BYTES {
        return parsed_and_digest(request.path(), body.as_ref());
    }
    let path = request.path().to_owned();
    let parse = move || parsed_and_digest(&path, body.as_ref());
    state.judges.run_within(&state.budget(), state.judging, parse).await?
}

fn parsed_and_digest<T: DeserializeOwned>(path: &str, body: &[u8]) -> Result<(T, [u8; 32]), Problem> {
    let bytes = if body.is_empty() { b"{}" } else { body };
    let object = serde_json::from_slice(bytes).map_err(|error| json_problem(&error))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(path.as_bytes()).update(b"\n").update(bytes);
    Ok((object, *hasher.finalize().as_bytes()))
}

impl Body {
    /// True if the records are small enough to be judged on the thread of the connection.
    pub fn is_small(&self) -> bool {
        let bytes = self.bytes.as_ref();
        // A definition costs more than its bytes; its key may be written with escapes.
        let has = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
        let may_define = self.form == BodyForm::Json && (has(b"definitions") || has(b"\\u"));
        // Rules that the archive may have are read from it.
        let names_rules = has(RULES_DIGEST.as_bytes());
        self.packing == Packing::None && bytes.len() <= SMALL_BYTES && !may_define && !names_rules
    }

    /// Records that need no unpacking.
    pub fn plain(bytes: Budgeted) -> Body {
        let limit = bytes.len();
        Body { bytes, packing: Packing::None, form: BodyForm::Records, limit }
    }

    /// Unpacks the body and extracts the records, and the games of their own, which are added to those of `registry`.
    /// Time grows with the body; do not call this on a thread that serves connections.
    ///
    /// # Errors
    /// If it is too large when unpacked, does not match its headers, or defines a game wrongly.
    pub fn records(self, registry: &Registry, budget: &Budget) -> Result<Unpacked, Problem> {
        let form = self.form;
        let unpacked = self.unpacked(budget)?;
        let records = match form {
            BodyForm::Json if is_records(unpacked.as_ref()) => unpacked,
            BodyForm::Json => return from_json(&unpacked, registry),
            BodyForm::Form if unpacked.as_ref().starts_with(b"records=") => from_form(&unpacked)?,
            // `curl --data-binary @FILE` declares a form, and sends the file.
            BodyForm::Form | BodyForm::Records => unpacked,
        };
        Ok(Unpacked { records, own: None })
    }

    /// The unpacked bytes, in UTF-8 whatever their encoding was.
    fn unpacked(self, budget: &Budget) -> Result<Budgeted, Problem> {
        let Body { bytes, packing, limit, .. } = self;
        let unpacked = match packing {
            Packing::None if zipped::begins(bytes.as_ref()) => unzip(&bytes, limit, budget)?,
            Packing::None => bytes,
            Packing::Xz => unpack_xz(&bytes, limit, budget)?,
            Packing::Gzip => {
                inflate(flate2::read::MultiGzDecoder::new(bytes.as_ref()), bytes.memory(), limit, budget)?
            }
            Packing::Zstd => {
                let mut decoder =
                    zstd::stream::read::Decoder::new(bytes.as_ref()).map_err(|error| packed(&error))?;
                decoder.window_log_max(ZSTD_WINDOW_LOG_MAX).map_err(|error| packed(&error))?;
                inflate(decoder, bytes.memory(), limit, budget)?
            }
        };
        if let Some(detail) = not_read(unpacked.as_ref()) {
            return Err(Problem::new(&problem::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        if xqf::begins(unpacked.as_ref()) {
            let text = xqf::to_text(unpacked.as_ref());
            let text =
                text.map_err(|damage| Problem::new(&problem::MALFORMED_ENCODING, damage.to_string()))?;
            return inflate(Encoding::Gb18030.decoded(&text[..]), unpacked.memory(), limit, budget);
        }
        match Encoding::of(unpacked.as_ref()) {
            Some(encoding) => inflate(encoding.decoded(unpacked.as_ref()), unpacked.memory(), limit, budget),
            None => Ok(unpacked),
        }
    }
}

/// The remedy for a body whose first bytes show an unsupported format.
fn not_read(head: &[u8]) -> Option<String> {
    Foreign::of(head).map(|foreign| foreign.advice(""))
}

fn packed(error: &std::io::Error) -> Problem {
    Problem::new(&problem::MALFORMED_ENCODING, format!("the body cannot be unpacked: {error}"))
}

/// The texts of the files in a zip archive, one after another.
fn unzip(bytes: &Budgeted, limit: usize, budget: &Budget) -> Result<Budgeted, Problem> {
    // Each of its files is read by a reader of its own, so the archive has several owners.
    let _copy = bytes.memory().take(bytes.len())?;
    let files = Zipped::open(Source::Bytes(bytes.as_ref().into())).map_err(|error| packed(&error))?;
    inflate(files, bytes.memory(), limit, budget)
}

/// Unpacks one xz stream.
fn unpack_xz(bytes: &Budgeted, limit: usize, budget: &Budget) -> Result<Budgeted, Problem> {
    let malformed = |detail: String| Problem::new(&problem::MALFORMED_ENCODING, detail);
    let dictionary = xz::dictionary(bytes.as_ref()).map_err(malformed)?;
    let _memory = bytes.memory().take(dictionary.min(limit))?;
    let mut rest = bytes.as_ref();
    let unpacked = inflate(lzma_rust2::XzReader::new(&mut rest, false), bytes.memory(), limit, budget)?;
    match rest {
        [] => Ok(unpacked),
        _ => Err(malformed("the body goes on after the xz stream; send one stream".to_owned())),
    }
}

fn inflate(
    mut decoder: impl Read,
    memory: &MemoryBudget,
    limit: usize,
    budget: &Budget,
) -> Result<Budgeted, Problem> {
    let mut unpacked = Budgeted::new(memory);
    let mut part = vec![0; MEMORY_UNIT_BYTES];
    loop {
        let detail = |_| Problem::new(&problem::TOO_MUCH_WORK, "unpacking the body takes too long");
        budget.spend(UNITS_UNPACKED).map_err(detail)?;
        match decoder.read(&mut part).map_err(|error| packed(&error))? {
            0 => return Ok(unpacked),
            read if unpacked.len() + read > limit => return Err(too_large(limit)),
            read => unpacked.add(&part[..read])?,
        }
    }
}

fn from_json(body: &Budgeted, registry: &Registry) -> Result<Unpacked, Problem> {
    let mut records = Budgeted::new(body.memory());
    let value: Envelope<&RawValue> = envelope(body)?;
    let definitions = match value.records.get().as_bytes().first() {
        Some(b'{' | b'[') => {
            records.add(value.records.get().as_bytes())?;
            value.definitions
        }
        // What is wrong with a text has its place in the body.
        _ => {
            let text: Envelope<Cow<'_, str>> = envelope(body)?;
            records.add(text.records.as_bytes())?;
            text.definitions
        }
    };
    let own = (!definitions.is_empty()).then(|| defined(registry, &definitions)).transpose()?;
    Ok(Unpacked { records, own })
}

fn envelope<'a, T: Deserialize<'a>>(body: &'a Budgeted) -> Result<Envelope<T>, Problem> {
    serde_json::from_slice(body.as_ref()).map_err(|error| json_problem(&error))
}

/// The games of a registry and those of a request, parents first.
///
/// # Errors
/// If a definition is wrong, or changes a game of the registry.
pub fn defined(registry: &Registry, definitions: &[String]) -> Result<Registry, Problem> {
    let wrong = |detail: String| Problem::new(&problem::BAD_DEFINITION, detail);
    if definitions.len() > DEFINITIONS_MAX {
        return Err(wrong(format!("{} definitions; at most {DEFINITIONS_MAX} are read", definitions.len())));
    }
    let mut own = registry.clone();
    for (text, number) in definitions.iter().zip(1..) {
        if text.len() > DEFINITION_SENT_BYTES_MAX {
            return Err(wrong(format!("definition {number} exceeds {DEFINITION_SENT_BYTES_MAX} bytes")));
        }
        check(&mut own, text).map_err(|mistakes| {
            let mistakes = mistakes.iter().map(|mistake| {
                let place = LineIndex::new(text.as_bytes()).locate(mistake.span.start);
                format!("definition {number}, line {}: {}", place.line, mistake.message)
            });
            wrong(mistakes.collect::<Vec<_>>().join("; "))
        })?;
        // What is kept under a known name is of the known rules.
        if let Some(name) = registry.changed_in(&own) {
            return Err(wrong(format!(
                "definition {number} changes `{name}`, which this service knows; give the game names of its own"
            )));
        }
    }
    Ok(own)
}

fn json_problem(error: &serde_json::Error) -> Problem {
    let kind = if error.is_data() { &problem::WRONG_SHAPE } else { &problem::MALFORMED_JSON };
    let place = Place { line: Some(error.line()), column: Some(error.column().max(1)), ..Place::default() };
    Problem::new(kind, error.to_string()).at(place)
}

fn from_form(body: &Budgeted) -> Result<Budgeted, Problem> {
    let wrong = |detail: String| Problem::new(&problem::WRONG_SHAPE, detail);
    let text = std::str::from_utf8(body.as_ref()).map_err(|error| wrong(error.to_string()))?;
    let form = web::Query::<Form>::from_query(text).map_err(|error| wrong(error.to_string()))?;
    let mut records = Budgeted::new(body.memory());
    records.add(form.records.as_bytes())?;
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn body(bytes: &[u8], packing: Packing, form: BodyForm) -> Body {
        let mut held = Budgeted::new(&MemoryBudget::default());
        held.add(bytes).unwrap();
        Body { bytes: held, packing, form, limit: 1_000 }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn xz(bytes: &[u8]) -> Vec<u8> {
        let mut encoder =
            lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn records(body: Body) -> Result<String, &'static str> {
        let Unpacked { records, .. } = body
            .records(Registry::built_in(), &Budget::unlimited())
            .map_err(|problem| problem.kind().name)?;
        Ok(String::from_utf8_lossy(records.as_ref()).into_owned())
    }

    #[test]
    fn records_come_in_several_forms() {
        use BodyForm::{Form, Json, Records};
        for (bytes, packing, form) in [
            (b"1. e4 *".to_vec(), Packing::None, Records),
            (gzip(b"1. e4 *"), Packing::Gzip, Records),
            ([gzip(b"1. e4"), gzip(b" *")].concat(), Packing::Gzip, Records),
            (zstd::encode_all(&b"1. e4 *"[..], 3).unwrap(), Packing::Zstd, Records),
            (xz(b"1. e4 *"), Packing::Xz, Records),
            (xz(br#"{"records": "1. e4 *"}"#), Packing::Xz, Json),
            (b"\xff\xfe1\0.\0 \0e\x004\0 \0*\0".to_vec(), Packing::None, Records),
            (gzip(b"\x001\0.\0 \0e\x004\0 \0*"), Packing::Gzip, Records),
            (br#"{"records": "1. e4 *"}"#.to_vec(), Packing::None, Json),
            (gzip(br#"{"records":"1.\u0020e4 *"}"#), Packing::Gzip, Json),
            (b"records=1.+e4%20*".to_vec(), Packing::None, Form),
            (b"1. e4 *".to_vec(), Packing::None, Form),
        ] {
            assert_eq!(
                records(body(&bytes, packing, form)).as_deref(),
                Ok("1. e4 *"),
                "{packing:?} {form:?}"
            );
        }
    }

    #[test]
    fn invalid_bodies_are_refused() {
        use BodyForm::{Form, Json, Records};
        let deep = "[".repeat(900);
        let bomb = zstd::encode_all(&vec![b'x'; 1_001][..], 3).unwrap();
        let mut cut = gzip(b"1. e4 *");
        cut.truncate(20);
        for (bytes, packing, form, kind) in [
            (gzip(&[b'x'; 1_001]), Packing::Gzip, Records, "content-too-large"),
            (bomb, Packing::Zstd, Records, "content-too-large"),
            (cut, Packing::Gzip, Records, "malformed-encoding"),
            (b"1. e4".to_vec(), Packing::Gzip, Records, "malformed-encoding"),
            (b"1. e4".to_vec(), Packing::Zstd, Records, "malformed-encoding"),
            (b"1. e4".to_vec(), Packing::None, Json, "malformed-json"),
            (b"{\"records\": \"\xff\"}".to_vec(), Packing::None, Json, "malformed-json"),
            (deep.into_bytes(), Packing::None, Json, "malformed-json"),
            (br#"{"records": 1}"#.to_vec(), Packing::None, Json, "wrong-shape"),
            (b"records=1&x=2".to_vec(), Packing::None, Form, "wrong-shape"),
            (b"\xff\xfe".repeat(400), Packing::None, Records, "content-too-large"),
            (gzip(b"\xfe\xff\x001\0."), Packing::Gzip, Json, "malformed-json"),
            (b"PK\x03\x04".to_vec(), Packing::None, Form, "malformed-encoding"),
            (b"7z\xbc\xaf\x27\x1c".to_vec(), Packing::None, Form, "unsupported-media-type"),
            (b"\xfd7zXZ\0\0\x04".to_vec(), Packing::Xz, Records, "malformed-encoding"),
            (xz(&[b'x'; 1_001]), Packing::Xz, Records, "content-too-large"),
            (xz(b"1. e4 *")[..60].to_vec(), Packing::Xz, Records, "malformed-encoding"),
            ([xz(b"1. e4 *"), xz(b"1. d4 *")].concat(), Packing::Xz, Records, "malformed-encoding"),
        ] {
            assert_eq!(records(body(&bytes, packing, form)), Err(kind), "{packing:?} {form:?}");
        }
    }
}
