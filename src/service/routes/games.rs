//! `/api/v1/games`: the archive.

use super::{StyleOrAuto, given, number, reading, switch};
use crate::service::json::json;
use crate::service::limits::{GAMES_PER_PAGE, GAMES_PER_PAGE_MAX, SUBMIT_BYTES_MAX};
use crate::service::memory::Budgeted;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work::Unfinished;
use crate::service::{answer, body, media, metrics, openapi, work};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, ETag, EntityTag, Header, IfNoneMatch};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, get, post, web};
use ferz::archive::to_hex;
use ferz::archive::{
    Access, Archive, ArchiveError, Arrival, Entry, Filter, FoundGame, FoundGames, GameId, Listing, Logged,
    Reinstatement, Rulebooks, Scope, Stored, Submission, Summary, TokenId, Withdrawal,
};
use ferz::notation::Style;
use ferz::record::{Record, read};
use ferz::replay::{Replayer, Source};
use ferz::rewrite::{ConvertOptions, convert_within};
use ferz::rules::{Registry, RulesId};
use ferz::text::Budget;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Query parameters of a submission.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct SubmitQuery {
    /// The only accepted style, or `auto` for any
    #[serde(default, deserialize_with = "given")]
    #[param(schema_with = openapi::styles_or_auto)]
    style: Option<StyleOrAuto>,
    /// The game, overriding the tag `Variant`
    #[serde(default, deserialize_with = "given")]
    variant: Option<String>,
    /// Let illegal plies stand: report each, and continue from the position that resulted on the board
    #[serde(default, deserialize_with = "switch")]
    let_stand: Option<bool>,
}

/// The result for one record.
#[derive(ToSchema)]
#[allow(dead_code)] // it is written piece by piece
pub(in crate::service) struct Item {
    /// Identity of the entry
    #[schema(value_type = openapi::Id)]
    id: GameId,
    /// True if the entry is new
    created: bool,
    /// True if the entry was known and is withdrawn, so that lists do not show it; otherwise absent
    #[schema(required = false)]
    withdrawn: bool,
    /// Whether the whole main line is legal
    valid: bool,
    report: openapi::Report,
    /// The proof that the submission is in the log (c2sp.org/tlog-proof); absent if nothing was new
    #[schema(required = false)]
    receipt: String,
    /// The salt of the receipt's commitments, 32 hexadecimal digits; absent like the receipt
    #[schema(required = false)]
    salt: String,
}

/// The results for the records, in order.
#[derive(ToSchema)]
#[allow(dead_code)] // it is written piece by piece
pub(in crate::service) struct Submitted {
    items: Vec<Item>,
    /// Texts in the body that are not game records and were not stored; absent if there are none
    #[schema(required = false)]
    skipped: Vec<Skipped>,
}

/// A text that is not a game record.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Skipped {
    /// Its number among the records of the body, from 0
    record: usize,
    /// The line in which it begins, from 1
    line: usize,
    /// Why it is not a record
    message: String,
}

/// Judged records, ready to be stored.
struct Judged {
    submissions: Vec<Submission>,
    skipped: Vec<Skipped>,
    /// The reports as JSON, one a line.
    answer: Budgeted,
}

impl work::Task for Judged {
    fn record(
        &mut self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let mut submission = Submission::judge_within(replayer, record, source, budget)??;
        if !submission.is_record() {
            let line = source.locate(record.offset()).line;
            let message = submission.report().diagnostics.first().map(|found| found.message.to_string());
            self.skipped.push(Skipped { record: number, line, message: message.unwrap_or_default() });
            return Ok(());
        }
        self.answer.add(&submission.take_report_json())?;
        self.answer.add(b"\n")?;
        self.submissions.push(submission);
        Ok(())
    }

    fn answer(&mut self) -> &mut Budgeted {
        &mut self.answer
    }
}

/// Judges records and stores them in the archive
///
/// The records are on disk before the answer is sent. A record that is already in the archive creates no entry: its
/// item has `created` false. Illegal records are stored too; their items have `valid` false.
#[utoipa::path(operation_id = "submit_games", tag = "games", params(SubmitQuery),
    request_body(description = "Records", content((String = "application/x-chess-pgn"), (String = "text/plain"),
        (openapi::Records = "application/json"))),
    responses((status = 201, description = "The records are stored",
        headers(("location" = String, description = "The address of the entry, if there is one only")),
        content((Submitted = "application/json"), (String = "application/x-ndjson")))))]
#[post("/games")]
pub(in crate::service) async fn submit(
    request: HttpRequest,
    query: web::Query<SubmitQuery>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let options = reading(&state, query.style, query.variant.as_deref(), query.let_stand)?;
    let form = media::wanted(&request, &[media::JSON, media::NDJSON])?;
    let body = body::read(&request, payload, &state.memory, SUBMIT_BYTES_MAX).await?;
    let task = Judged { submissions: Vec::new(), skipped: Vec::new(), answer: Budgeted::new(&state.memory) };
    let Judged { submissions, skipped, answer: reports, .. } =
        work::whole(&state, body, options, task).await?;
    if submissions.is_empty() {
        let detail = match skipped.first() {
            Some(Skipped { line, message, .. }) => format!("line {line}: {message}"),
            None => "the body has no record".to_owned(),
        };
        return Err(Problem::new(&problem::NO_RECORDS, detail));
    }
    let stored = state.submit(submissions, &request).await?;
    metrics::stored(stored.len());
    let mut answer = Budgeted::new(&state.memory);
    let lines = form == media::NDJSON;
    if !lines {
        answer.add(b"{\"items\":[")?;
    }
    let reports = reports.as_ref().split(|byte| *byte == b'\n');
    for (index, (one, report)) in stored.iter().zip(reports).enumerate() {
        let Stored { id, created, valid, logged, is_withdrawn, .. } = one;
        if index > 0 && !lines {
            answer.add(b",\n")?;
        }
        let withdrawn = if *is_withdrawn { "\"withdrawn\":true," } else { "" };
        let head =
            format!("{{\"id\":\"{id}\",\"created\":{created},{withdrawn}\"valid\":{valid},\"report\":");
        answer.add(head.as_bytes())?;
        answer.add(report)?;
        if let Some(logged) = logged {
            let (receipt, salt) = (json(&logged.receipt().to_string())?, to_hex(&logged.salt()));
            answer.add(b",\"receipt\":")?;
            answer.add(&receipt)?;
            answer.add(format!(",\"salt\":\"{salt}\"").as_bytes())?;
        }
        answer.add(if lines { b"}\n" } else { b"}" })?;
    }
    if !lines {
        answer.add(b"]")?;
    }
    if !skipped.is_empty() {
        answer.add(if lines { b"{\"skipped\":" } else { b",\"skipped\":" })?;
        answer.add(&json(&skipped)?)?;
        answer.add(if lines { b"}\n" } else { b"" })?;
    }
    if !lines {
        answer.add(b"}\n")?;
    }
    let mut response = answer::whole(form, answer);
    *response.status_mut() = StatusCode::CREATED;
    if let ([one], headers) = (&stored[..], response.headers_mut())
        && let Ok(location) = header::HeaderValue::from_str(&format!("/api/v1/games/{}", one.id))
    {
        headers.insert(header::LOCATION, location);
    }
    Ok(response)
}

/// Query parameters of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct ListQuery {
    /// The full name of the game
    #[serde(default, deserialize_with = "given")]
    variant: Option<String>,
    /// White, Black or Nature: the beginnings of words of a name; case and accents are ignored
    #[serde(default, deserialize_with = "given")]
    player: Option<String>,
    /// White
    #[serde(default, deserialize_with = "given")]
    white: Option<String>,
    /// Black
    #[serde(default, deserialize_with = "given")]
    black: Option<String>,
    /// Event
    #[serde(default, deserialize_with = "given")]
    event: Option<String>,
    /// Site
    #[serde(default, deserialize_with = "given")]
    site: Option<String>,
    /// The first day, month or year: `1984.05.17`, `1984.05`, `1984`
    #[serde(default, deserialize_with = "given")]
    from: Option<String>,
    /// The last day, month or year
    #[serde(default, deserialize_with = "given")]
    to: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`
    #[serde(default, deserialize_with = "given")]
    result: Option<String>,
    /// Whether the whole main line is legal
    #[serde(default, deserialize_with = "switch")]
    valid: Option<bool>,
    /// The ending on the board: `checkmate`, `stalemate`, …
    #[serde(default, deserialize_with = "given")]
    end: Option<String>,
    /// The first plies of the game, in coordinate notation
    #[serde(default, deserialize_with = "given")]
    moves: Option<String>,
    /// Condition that must hold in some position of the game: `Nd5 and QxP` (`formats/QUERY.md`)
    #[serde(default, deserialize_with = "given")]
    q: Option<String>,
    /// With `q`: also say how many games it finds in all
    #[serde(default, deserialize_with = "switch")]
    count: Option<bool>,
    /// Include withdrawn games
    #[serde(default, deserialize_with = "switch")]
    withdrawn: Option<bool>,
    /// Include unfinished games that a later entry continues
    #[serde(default, deserialize_with = "switch")]
    continued: Option<bool>,
    /// Maximum number of entries of a page
    #[serde(default, deserialize_with = "number")]
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// The `next_cursor` of the previous page
    #[serde(default, deserialize_with = "given")]
    #[param(pattern = "^(g[1-9a-f][0-9a-f]{0,14})?$")]
    cursor: Option<String>,
}

/// Lists the games of the archive, the latest first
#[utoipa::path(operation_id = "list_games", tag = "games", params(ListQuery),
    responses((status = 200, description = "A page of entries", body = Page)))]
#[get("/games")]
pub(in crate::service) async fn list(
    request: HttpRequest,
    query: web::Query<ListQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let ListQuery { limit, cursor, count, .. } = &*query;
    let limit = limit.unwrap_or(GAMES_PER_PAGE);
    if !(1..=GAMES_PER_PAGE_MAX).contains(&limit) {
        let detail = format!("limit={limit} is not between 1 and {GAMES_PER_PAGE_MAX}");
        return Err(Problem::new(&problem::BAD_QUERY, detail));
    }
    let (filter, cursor, count) = (query.filter(), cursor.clone(), count.unwrap_or(false));
    if count && query.q.is_none() {
        return Err(Problem::new(&problem::BAD_QUERY, "count=1 needs a query: add `q`"));
    }
    let page = match &query.q {
        Some(query) => {
            let counted = if count { Some(state.count(filter.clone(), query).await?) } else { None };
            Page::of_found(state.search(filter, query, limit, cursor).await?, counted)
        }
        None => Page::of_listing(state.list(filter, limit, cursor).await?),
    };
    Ok(HttpResponse::Ok().content_type(media::JSON).body(json(&page)?))
}

/// A page of entries.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Page {
    /// With `q` a page may have fewer than `limit`, or none, although more follow
    #[schema(value_type = Vec<openapi::Listed>)]
    items: Vec<Listed>,
    /// The cursor of the next page; null on the last one
    next_cursor: Option<String>,
    /// With `q`: how many games of the list were looked at for this page
    #[serde(skip_serializing_if = "Option::is_none")]
    looked_at: Option<usize>,
    /// With `q`: how many of them cannot be judged, so that only their tags could decide
    #[serde(skip_serializing_if = "Option::is_none")]
    not_judged: Option<usize>,
    /// With `count=1`: how many games were found in all
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// With `count=1`: false if there may be more than `count`, since the work for a request ended before all were
    /// looked at
    #[serde(skip_serializing_if = "Option::is_none")]
    count_complete: Option<bool>,
}

/// A game of a list.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed {
    Summary(Summary),
    Found(FoundGame),
}

impl Page {
    fn of_listing(listing: Listing) -> Page {
        Page {
            items: listing.items.into_iter().map(Listed::Summary).collect(),
            next_cursor: listing.next_cursor,
            looked_at: None,
            not_judged: None,
            count: None,
            count_complete: None,
        }
    }

    fn of_found(found: FoundGames, counted: Option<(u64, bool)>) -> Page {
        Page {
            items: found.items.into_iter().map(Listed::Found).collect(),
            next_cursor: found.next_cursor,
            looked_at: Some(found.looked_at),
            not_judged: Some(found.not_judged),
            count: counted.map(|(count, _)| count),
            count_complete: counted.map(|(_, complete)| complete),
        }
    }
}

impl ListQuery {
    fn filter(&self) -> Filter {
        Filter {
            id: None,
            variant: self.variant.clone(),
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            result: self.result.clone(),
            valid: self.valid,
            end: self.end.clone(),
            moves: self.moves.clone(),
            withdrawn: (!self.withdrawn.unwrap_or(false)).then_some(false),
            continued: (!self.continued.unwrap_or(false)).then_some(false),
        }
    }
}

/// Query parameters of one game.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::service) struct GetQuery {
    /// A submitted text, byte for byte: 1 for the entry's first, 2 for its second
    #[serde(default, deserialize_with = "number")]
    #[param(minimum = 1, maximum = 1_000_000)]
    original: Option<usize>,
}

/// An entry without its report, which is already JSON.
#[derive(Serialize)]
struct Game<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    rules: Option<&'a RulesId>,
    start: &'a str,
    moves: &'a [String],
    arrivals: &'a [Arrival],
    related: Vec<GameId>,
    continues: &'a [GameId],
}

/// One game of the archive
///
/// JSON, or the record in standard notation with `Accept: application/x-chess-pgn`.
#[utoipa::path(operation_id = "get_game", tag = "games",
    params(("id" = inline(openapi::IdDigits), Path, description = "The id, or its first digits, at least 4"), GetQuery),
    responses((status = 200, description = "The game", headers(("etag" = String, description = "Tag of the content")),
            content((openapi::Game = "application/json"), (String = "application/x-chess-pgn"),
                (String = "text/plain"))),
        (status = 304, description = "Not modified")))]
#[get("/games/{id}")]
pub(in crate::service) async fn get(
    request: HttpRequest,
    id: web::Path<String>,
    query: web::Query<GetQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = state.game(&id).await?;
    if let Some(number) = query.original {
        let media = media::wanted(&request, &[media::PGN, media::TEXT])?;
        let texts = state.read(move |archive| archive.originals(id)).await?;
        let text = number.checked_sub(1).and_then(|index| texts.into_iter().nth(index));
        let none = || Problem::new(&problem::GAME_NOT_FOUND, format!("{id} has no text number {number}"));
        return Ok(tagged(&request, media, text.ok_or_else(none)?));
    }
    let media = media::wanted(&request, &[media::JSON, media::PGN])?;
    let registry = state.registry;
    let found = state.read(move |archive| {
        let Some(entry) = archive.get(id)? else { return Ok(None) };
        if media == media::PGN {
            let Some(text) = archive.original(id)? else { return Ok(None) };
            let book = archive.rulebook(&entry, &text, registry)?;
            return Ok(Some(Ok(canonical(archive, &book, &entry, &text)?)));
        }
        let related = archive.related(id)?.into_iter().map(|summary| summary.id).collect();
        Ok(Some(entry_json(&entry, related)))
    });
    let body = found.await?.ok_or(ArchiveError::NoGame(id))??;
    Ok(tagged(&request, media, body))
}

/// One game with its proof, in one file that `ferz verify` checks without the archive
///
/// The texts byte for byte, the rows of the archive, the rules, the events of the log about the game, and their places
/// in the signed tree (`formats/ARCHIVE.md`, Bundles). A game that was forgotten has none.
#[utoipa::path(operation_id = "get_bundle", tag = "games",
    params(("id" = inline(openapi::IdDigits), Path, description = "The id, or its first digits, at least 4")),
    responses((status = 200, description = "The bundle", headers(("etag" = String, description = "Tag of the content")),
            content((openapi::Bundle = "application/json"))),
        (status = 304, description = "Not modified")))]
#[get("/games/{id}/bundle")]
pub(in crate::service) async fn bundle(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let media = media::wanted(&request, &[media::JSON])?;
    let id = state.game(&id).await?;
    let bundle = state.read(move |archive| archive.bundle(id)).await?.ok_or(ArchiveError::NoGame(id))?;
    Ok(tagged(&request, media, bundle.to_string().into_bytes()))
}

/// Why a game is withdrawn
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct WithdrawalRequest {
    /// The reason, for those who look the game up later
    because: String,
    /// The game that takes its place: its id, or the first digits of it
    #[serde(default)]
    superseded_by: Option<String>,
}

/// Withdraws a game: lists hide it, and nothing is deleted
///
/// If the service requires tokens, an arbiter or a director withdraws the game; anyone else withdraws the texts of it
/// that came with the same token, and lists hide the game when all its texts are withdrawn. A withdrawal can be taken
/// back.
#[utoipa::path(operation_id = "withdraw_game", tag = "games",
    params(("id" = inline(openapi::IdDigits), Path, description = "The id, or its first digits, at least 4")),
    request_body = WithdrawalRequest,
    responses((status = 201, description = "The game or its texts are withdrawn", body = openapi::Summary)))]
#[post("/games/{id}/withdrawal")]
pub(in crate::service) async fn withdraw(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let wanted = body::object(&request, payload, &state.memory).await?;
    let WithdrawalRequest { because, superseded_by } = wanted;
    let id = state.game(&id).await?;
    let successor = match superseded_by {
        Some(successor) => Some(state.game(&successor).await?),
        None => None,
    };
    let (token, own) = asker(&request);
    let logged = state.withdraw(Withdrawal { id, successor, because, token, own }).await?;
    changed(&state, id, logged).await
}

/// Why a withdrawal is taken back
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct ReinstatementRequest {
    /// The reason, for those who look the game up later
    because: String,
}

/// Takes the withdrawals of a game back: lists show it again
///
/// If the service requires tokens, an arbiter or a director takes back all of them; anyone else those of the texts that
/// came with the same token.
#[utoipa::path(operation_id = "reinstate_game", tag = "games",
    params(("id" = inline(openapi::IdDigits), Path, description = "The id, or its first digits, at least 4")),
    request_body = ReinstatementRequest,
    responses((status = 201, description = "The withdrawals are taken back", body = openapi::Summary)))]
#[post("/games/{id}/reinstatement")]
pub(in crate::service) async fn reinstate(
    request: HttpRequest,
    id: web::Path<String>,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    media::wanted(&request, &[media::JSON])?;
    let wanted = body::object(&request, payload, &state.memory).await?;
    let ReinstatementRequest { because } = wanted;
    let id = state.game(&id).await?;
    let (token, own) = asker(&request);
    let logged = state.reinstate(Reinstatement { id, because, token, own }).await?;
    changed(&state, id, logged).await
}

/// The token of a request, and whether it has a right to its own texts alone.
fn asker(request: &HttpRequest) -> (Option<TokenId>, bool) {
    let extensions = request.extensions();
    let access = extensions.get::<Access>();
    (access.map(Access::id), access.is_some_and(|access| !access.allows(Scope::Arbiter)))
}

/// The answer about an entry that was withdrawn or reinstated.
async fn changed(state: &AppState, id: GameId, logged: Option<Logged>) -> Result<HttpResponse, Problem> {
    let none = || Problem::from(ArchiveError::NoGame(id));
    let entry = state.read(move |archive| archive.get(id)).await?.ok_or_else(none)?;
    let receipt = logged.map(|logged| logged.receipt().to_string());
    let body = json(&WithdrawnGame { summary: &entry.summary, receipt })?;
    Ok(HttpResponse::Created().content_type(media::JSON).body(body))
}

/// An entry that was withdrawn or reinstated.
#[derive(Serialize)]
struct WithdrawnGame<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
}

fn entry_json(entry: &Entry, related: Vec<GameId>) -> Result<Vec<u8>, Problem> {
    let Entry { summary, rules, start, moves, report, arrivals, continues } = entry;
    let mut body = json(&Game {
        summary,
        rules: rules.as_ref().map(|rules| &rules.id),
        start,
        moves,
        arrivals,
        related,
        continues,
    })?;
    // The closing brace is replaced by one more member.
    body.pop();
    body.extend_from_slice(b",\"report\":");
    body.extend_from_slice(report.as_bytes());
    body.extend_from_slice(b"}");
    Ok(body)
}

/// The record in standard notation.
fn canonical(
    archive: &Archive,
    registry: &Registry,
    entry: &Entry,
    text: &[u8],
) -> Result<Vec<u8>, ArchiveError> {
    let mut replayer = Replayer::new(registry, entry.options());
    let class = Rulebooks::new(archive, registry).codified_class(entry.rules.as_ref())?;
    let choices = ConvertOptions { digest: true, class, ..ConvertOptions::new(Style::San) };
    let budget = &archive.budget();
    let source = Source::new(text, 0, 0);
    let mut records = String::new();
    for record in read(text, 0) {
        records += &convert_within(&mut replayer, &record, &source, 0, &choices, budget)?.text;
    }
    Ok(records.into_bytes())
}

/// An answer with an `ETag` of its content, or 304 if the client has it.
pub(super) fn tagged(request: &HttpRequest, media: &'static str, body: Vec<u8>) -> HttpResponse {
    let digest = blake3::hash(&body).to_hex();
    let tag = EntityTag::new_strong(digest[..32].to_owned());
    let known = match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => request.headers().contains_key(header::IF_NONE_MATCH),
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(&tag)),
        Err(_) => false,
    };
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header(ETag(tag));
    if known { response.finish() } else { response.content_type(media).body(body) }
}
