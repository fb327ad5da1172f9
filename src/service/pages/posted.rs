//! Posted forms: their fields, and the records in them.

use super::links::Step;
use crate::service::body;
use crate::service::memory::{Budgeted, MemoryBudget, Reservation};
use crate::service::problem::{self, Problem};
use actix_multipart::Multipart;
use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::web::{self, Bytes};
use ferz::archive::to_hex;
use ferz::notation::Style;
use ferz::text::Budget;
use futures_util::{StreamExt, future, stream};

/// The fields of a form.
#[derive(Debug, Default)]
pub struct Posted {
    /// The pasted text.
    pub record: Vec<u8>,
    /// The second pasted text, to compare with the first.
    pub other: Vec<u8>,
    /// The chosen file.
    pub file: Vec<u8>,
    /// The records of the previous page, packed.
    pub packed: String,
    /// The chosen game; empty for that of the record.
    pub variant: String,
    /// The chosen style; empty for any.
    pub style: String,
    /// Whether to store the games.
    pub keep: bool,
    /// The number of the open game.
    pub game: Option<usize>,
    /// The moment to show.
    pub step: Option<Step>,
    /// Answers to questions about plies in doubt: the index of the ply, and what it was.
    pub answers: Vec<String>,
    /// The style to convert it to.
    pub to: String,
    /// Whether to convert all games, or to make all repairs.
    pub all: bool,
    /// Whether to send a file in place of the page.
    pub send: bool,
    /// Whether to show the list of all games.
    pub overview: bool,
    /// True if Black is to be at the bottom, as the field says; turned by the button.
    pub from_black: bool,
    /// The fields of a claim.
    pub claim: ClaimFields,
    /// The fields of a table.
    pub table: TableFields,
    /// The memory of all fields.
    memory: Reservation,
}

/// The fields of the table where a game is played.
#[derive(Debug, Default, Clone)]
pub struct TableFields {
    /// The head of the game that the player has seen.
    pub head: String,
    /// The ply: typed, or else chosen.
    pub ply: String,
    /// What is wished, by the button that was pressed; empty and `ply` for a ply.
    pub wish: String,
    /// Whether to offer a draw with the ply.
    pub draw: bool,
}

/// The fields of a claim, as they were typed; empty if they were not.
#[derive(Debug, Default, Clone)]
pub struct ClaimFields {
    /// The id of a game of the archive; empty for a record.
    pub id: String,
    /// The number of the game in the record, from 1.
    pub number: String,
    /// The kind of the claim.
    pub kind: String,
    /// Who claims.
    pub by: String,
    /// The number of plies before the position.
    pub after: String,
    /// The ply that the claimant intends to make.
    pub intended: String,
    /// The number of the claimant's moves.
    pub within: String,
    /// A premise that an arbiter confirms.
    pub premise: String,
    /// The instant by which the opponent had made no move.
    pub at: String,
    /// The name of the policy.
    pub policy: String,
    /// The claimant's analysis.
    pub plan: String,
    /// The file to send in place of the page.
    pub file: String,
}

/// Fields of a form; the pages have fewer.
const FIELDS_MAX: usize = 100;

/// Bytes of a field other than the records.
const FIELD_BYTES_MAX: usize = 4096;

impl Posted {
    /// Reads the body of a form.
    ///
    /// # Errors
    /// If it is not a form.
    pub async fn read(request: &HttpRequest, bytes: Budgeted) -> Result<Posted, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if essence.eq_ignore_ascii_case("multipart/form-data") {
            return Posted::from_parts(request, bytes).await;
        }
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            let detail = format!("content type `{}` is not a form", essence.escape_debug());
            return Err(Problem::new(&problem::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let text = std::str::from_utf8(bytes.as_ref()).map_err(|error| no_form(&error.to_string()))?;
        // Each field costs an allocation or two, and a form has few of them.
        if memchr::memchr_iter(b'&', text.as_bytes()).nth(FIELDS_MAX).is_some() {
            return Err(no_form(&format!("more than {FIELDS_MAX} fields")));
        }
        let fields = web::Query::<Vec<(String, String)>>::from_query(text);
        let mut posted = Posted::default();
        for (name, value) in fields.map_err(|error| no_form(&error.to_string()))?.into_inner() {
            posted.set(&name, value.into_bytes())?;
        }
        posted.memory = bytes.into_reservation();
        Ok(posted)
    }

    async fn from_parts(request: &HttpRequest, bytes: Budgeted) -> Result<Posted, Problem> {
        // The fields are copies, counted beside the body until it is dropped.
        let memory = bytes.memory().take(bytes.len())?;
        let body = Bytes::from_owner(bytes);
        let whole = stream::once(future::ready(Ok::<_, PayloadError>(body)));
        let mut parts = Multipart::new(request.headers(), whole);
        let mut posted = Posted { memory, ..Posted::default() };
        while let Some(part) = parts.next().await {
            let mut part = part.map_err(|error| no_form(&error.to_string()))?;
            let name = part.name().unwrap_or_default().to_owned();
            let mut value = Vec::new();
            while let Some(piece) = part.next().await {
                value.extend_from_slice(&piece.map_err(|error| no_form(&error.to_string()))?);
            }
            posted.set(&name, value)?;
        }
        Ok(posted)
    }

    fn set(&mut self, name: &str, value: Vec<u8>) -> Result<(), Problem> {
        match name {
            // Browsers send the line ends of a text field as CR LF.
            "record" => self.record = unix_lines(value),
            "other" => self.other = unix_lines(value),
            "plan" => self.claim.plan = String::from_utf8_lossy(&unix_lines(value)).trim().to_owned(),
            "file" => self.file = value,
            "packed" => {
                self.packed = String::from_utf8(value).map_err(|error| no_form(&error.to_string()))?
            }
            _ if value.len() > FIELD_BYTES_MAX => {
                return Err(no_form(&format!("the field `{}` is too long", name.escape_debug())));
            }
            _ => self.set_short(name, String::from_utf8(value).unwrap_or_default().trim()),
        }
        Ok(())
    }

    fn set_short(&mut self, name: &str, value: &str) {
        match name {
            "variant" => value.clone_into(&mut self.variant),
            "style" => value.clone_into(&mut self.style),
            "answer" => self.answers.push(value.to_owned()),
            "to" => value.clone_into(&mut self.to),
            "keep" => self.keep = !value.is_empty(),
            "all" => self.all = !value.is_empty(),
            "overview" => self.overview = !value.is_empty(),
            "id" => value.clone_into(&mut self.claim.id),
            "number" => value.clone_into(&mut self.claim.number),
            "claim" => value.clone_into(&mut self.claim.kind),
            "by" => value.clone_into(&mut self.claim.by),
            "after" => value.clone_into(&mut self.claim.after),
            "intended" => value.clone_into(&mut self.claim.intended),
            "within" => value.clone_into(&mut self.claim.within),
            "premise" => value.clone_into(&mut self.claim.premise),
            "at" => value.clone_into(&mut self.claim.at),
            // The button of a claim: kind, player, plies and intended ply.
            "judge" => {
                let mut parts = value.splitn(4, ';').map(str::to_owned);
                let mut next = || parts.next().unwrap_or_default();
                let claim = &mut self.claim;
                (claim.kind, claim.by, claim.after, claim.intended) = (next(), next(), next(), next());
            }
            "side" => self.from_black ^= value == "black",
            "turn" => {
                self.from_black = !self.from_black;
                self.step = Step::read(name, value);
            }
            "policy" => value.clone_into(&mut self.claim.policy),
            "send" => {
                self.send = !value.is_empty();
                value.clone_into(&mut self.claim.file);
            }
            "head" => value.clone_into(&mut self.table.head),
            "wish" => value.clone_into(&mut self.table.wish),
            "draw" => self.table.draw = !value.is_empty(),
            "move" if !value.is_empty() => value.clone_into(&mut self.table.ply),
            "choice" if self.table.ply.is_empty() => value.clone_into(&mut self.table.ply),
            // The button that opens a game overrides the field with the one that was open.
            "open" => {
                self.game = value.parse().ok();
                self.step = None;
            }
            "game" => self.game = self.game.or(value.parse().ok()),
            _ => self.step = Step::read(name, value).or(self.step),
        }
    }

    /// The chosen style, if any.
    ///
    /// # Errors
    /// If there is no style with that name.
    pub fn style(&self) -> Result<Option<Style>, Problem> {
        style(&self.style)
    }

    /// The records, also packed for the next page. Time grows with their size.
    ///
    /// # Errors
    /// If they are too large, or a packed file is damaged.
    pub fn records(
        &mut self,
        memory: &MemoryBudget,
        limit: usize,
        budget: &Budget,
    ) -> Result<Input, Problem> {
        let unpack = |bytes: &[u8]| body::unpacked(bytes, memory, limit, budget);
        let bytes = match (self.file.is_empty(), self.packed.is_empty()) {
            (false, _) => unpack(&std::mem::take(&mut self.file))?,
            (true, false) => unpack(&from_hex(&std::mem::take(&mut self.packed))?)?,
            (true, true) => unpack(&std::mem::take(&mut self.record))?,
        };
        Ok(Input { packed: pack(bytes.as_ref())?, bytes })
    }
}

/// Records packed for the form of the next page.
///
/// # Errors
/// If they cannot be packed.
pub fn pack(bytes: &[u8]) -> Result<String, Problem> {
    let packed = zstd::bulk::compress(bytes, zstd::DEFAULT_COMPRESSION_LEVEL);
    packed.map(|packed| to_hex(&packed)).map_err(|error| Problem::new(&problem::INTERNAL, error.to_string()))
}

/// The records of a form.
#[derive(Debug)]
pub struct Input {
    /// The records.
    pub bytes: Budgeted,
    /// The records packed and in hexadecimal digits, which browsers send back unchanged.
    pub packed: String,
}

/// A style by name; `None` for an empty name.
///
/// # Errors
/// If there is no style with that name.
pub fn style(name: &str) -> Result<Option<Style>, Problem> {
    if name.is_empty() {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|message: String| Problem::new(&problem::BAD_OPTION, message))
}

fn no_form(detail: &str) -> Problem {
    Problem::new(&problem::BAD_REQUEST, format!("invalid form: {detail}"))
}

fn unix_lines(text: Vec<u8>) -> Vec<u8> {
    if memchr::memchr(b'\r', &text).is_none() {
        return text;
    }
    let mut out = Vec::with_capacity(text.len());
    for (index, byte) in text.iter().enumerate() {
        if *byte != b'\r' || text.get(index + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out
}

fn from_hex(text: &str) -> Result<Vec<u8>, Problem> {
    let half = |digit: u8| (digit as char).to_digit(16).map(|half| half as u8);
    let pairs = text.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| match pair {
            [high, low] => Some(half(*high)? << 4 | half(*low)?),
            _ => None,
        })
        .collect();
    bytes.ok_or_else(|| no_form("the records of the previous page are damaged"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    const LIMIT: usize = 1_000;

    async fn posted(kind: &str, body: &[u8]) -> Result<Posted, String> {
        let request = TestRequest::default().insert_header(("content-type", kind)).to_http_request();
        let mut bytes = Budgeted::new(&MemoryBudget::default());
        bytes.add(body).unwrap();
        Posted::read(&request, bytes).await.map_err(|problem| problem.to_string())
    }

    fn part(name: &str, more: &str, value: &str) -> String {
        format!("--XX\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n{value}\r\n")
    }

    #[actix_web::test]
    async fn a_file_counts_before_a_text() {
        let body = part("record", "", "1. d4\r\n*\r\n")
            + &part("file", "; filename=\"a.pgn\"\r\nContent-Type: application/octet-stream", "1. e4\r\n*")
            + &part("variant", "", "ichess")
            + &part("keep", "", "1")
            + "--XX--\r\n";
        let mut posted = posted("multipart/form-data; boundary=XX", body.as_bytes()).await.unwrap();
        assert_eq!((posted.variant.as_str(), posted.keep), ("ichess", true));
        assert_eq!(posted.record, b"1. d4\n*\n");
        let input = posted.records(&MemoryBudget::default(), LIMIT, &Budget::unlimited()).unwrap();
        assert_eq!(input.bytes.as_ref(), b"1. e4\r\n*");
    }

    #[actix_web::test]
    async fn records_come_back_as_they_were() {
        let bytes = b"1. e4 {Ol\xe1h\r\n} *\r";
        let mut posted = Posted { file: bytes.to_vec(), ..Posted::default() };
        let input = posted.records(&MemoryBudget::default(), LIMIT, &Budget::unlimited()).unwrap();
        let body = format!("packed={}&next=3&game=2", input.packed);
        let mut again = self::posted("application/x-www-form-urlencoded", body.as_bytes()).await.unwrap();
        assert_eq!(again.step, Step::read("next", "3"));
        assert_eq!(again.game, Some(2));
        assert_eq!(
            again.records(&MemoryBudget::default(), LIMIT, &Budget::unlimited()).unwrap().bytes.as_ref(),
            bytes
        );
    }

    #[actix_web::test]
    async fn invalid_forms_are_refused() {
        for (kind, body) in [
            ("text/plain", "1. e4"),
            ("multipart/form-data", "--XX"),
            ("multipart/form-data; boundary=XX", "nothing"),
            ("application/x-www-form-urlencoded", &format!("to={}", "x".repeat(5_000))),
        ] {
            assert!(posted(kind, body.as_bytes()).await.is_err(), "{kind}");
        }
        for packed in ["0", "xy", "00", &to_hex(&zstd::bulk::compress(&[b' '; 2_000], 3).unwrap()[..9])] {
            let mut posted = Posted { packed: packed.to_owned(), ..Posted::default() };
            let read = posted.records(&MemoryBudget::default(), LIMIT, &Budget::unlimited());
            assert!(read.is_err() || packed == "00", "{packed}");
        }
        let mut bomb = Posted { file: zstd::bulk::compress(&[b' '; 2_000], 3).unwrap(), ..Posted::default() };
        assert_eq!(
            bomb.records(&MemoryBudget::default(), LIMIT, &Budget::unlimited()).unwrap_err().kind().status,
            413
        );
    }
}
