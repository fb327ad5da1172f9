//! All positions of a game in one answer, so that the script steps through it without asking the service again.
//!
//! Each position is the part of the page with the board, in pieces: positions share most of theirs, and each piece is
//! sent once. The script puts them together.

use super::check::{Asked, asked};
use super::games::of_archive;
use super::links::Links;
use super::page_records::{Open, PageRecords};
use super::render::{self, BoardPart};
use super::view::{Board, LISTED_PLIES_MAX, Moves};
use crate::service::body::Body;
use crate::service::json::json;
use crate::service::media;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::work;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use ferz::board::{Mask, Owner, by_width};
use ferz::record::{Record, read};
use ferz::replay::{AnyOnTwo, OnTwo, Played, Replayer, Source, Trace, with_trace};
use ferz::text::{Budget, Exhausted};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Budget units of a position.
const UNITS: u64 = 256;

/// All positions of a game.
#[derive(Debug, Default, Serialize)]
pub struct Film {
    /// The pieces of HTML.
    pieces: Vec<String>,
    /// The pieces of each position, from the start on.
    boards: Vec<Vec<u32>>,
}

/// The boards of the first game of a text, from the start on; none if there are too many.
///
/// # Errors
/// If the budget ends before the work.
pub fn boards_of_text(
    replayer: &mut Replayer<'_>,
    text: &[u8],
    seen_by: Owner,
    budget: &Budget,
) -> Result<Vec<Board>, Exhausted> {
    let Some(record) = read(text, 0).next() else { return Ok(Vec::new()) };
    match Played::within(replayer, &record, &Source::new(text, 0, 0), 0, budget)? {
        Ok(played) => boards(&record, &played, seen_by, budget),
        Err(_) => Ok(Vec::new()),
    }
}

/// The boards of a game, from the start on; none if there are too many.
///
/// # Errors
/// If the budget ends before the work.
pub fn boards(
    record: &Record<'_>,
    played: &Played,
    seen_by: Owner,
    budget: &Budget,
) -> Result<Vec<Board>, Exhausted> {
    match played {
        Played::OnOne(trace) => with_trace!(trace, |trace| boards_of(record, trace, seen_by, budget)),
        Played::OnTwo(game) => by_width!(AnyOnTwo, game, |game| boards_on_two(record, game, seen_by, budget)),
    }
}

fn boards_on_two<M: Mask>(
    record: &Record<'_>,
    game: &OnTwo<M>,
    seen_by: Owner,
    budget: &Budget,
) -> Result<Vec<Board>, Exhausted> {
    let plies = game.plies.len();
    if plies > LISTED_PLIES_MAX {
        return Ok(Vec::new());
    }
    let moves = Moves::on_two(game, record, plies);
    let board = |ply| {
        budget.spend(2 * UNITS)?;
        Ok(Board::on_two(game, record, ply, moves.label_at(ply), seen_by))
    };
    (0..=plies).map(board).collect()
}

fn boards_of<M: Mask>(
    record: &Record<'_>,
    trace: &Trace<M>,
    seen_by: Owner,
    budget: &Budget,
) -> Result<Vec<Board>, Exhausted> {
    let plies = trace.plies.len();
    // The script has steps only for the plies of one list.
    if plies > LISTED_PLIES_MAX {
        return Ok(Vec::new());
    }
    let moves = Moves::of(trace, record, plies);
    let board = |ply| {
        budget.spend(UNITS)?;
        Ok(Board::of(trace, record, ply, moves.label_at(ply), seen_by))
    };
    (0..=plies).map(board).collect()
}

/// The positions with their links, in pieces.
///
/// # Errors
/// If there are none, or they cannot be rendered.
fn film(boards: &[Board], links: &Links) -> Result<Film, Problem> {
    if boards.is_empty() {
        let detail = format!("the game has more than {LISTED_PLIES_MAX} plies, or none");
        return Err(Problem::new(&problem::NOT_FOUND, detail));
    }
    let mut film = Film::default();
    let mut known: HashMap<String, u32> = HashMap::new();
    for board in boards {
        let html = render::html(&BoardPart { board, links, focus: "" })?;
        // Every piece but the first begins with a tag.
        let cuts = html.match_indices('<').map(|(at, _)| at).filter(|at| *at > 0);
        let mut from = 0;
        let mut own = Vec::new();
        for cut in cuts.chain([html.len()]) {
            let piece = &html[from..cut];
            from = cut;
            let number = match known.get(piece) {
                Some(number) => *number,
                None => {
                    let number = u32::try_from(film.pieces.len()).unwrap_or(u32::MAX);
                    film.pieces.push(piece.to_owned());
                    known.insert(piece.to_owned(), number);
                    number
                }
            };
            own.push(number);
        }
        film.boards.push(own);
    }
    Ok(film)
}

/// The positions of the open game of a form.
#[post("/positions")]
pub async fn of_form(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let Asked { posted, input, options, .. } = asked(&request, payload, &state).await?;
    let (game, from_black) = (posted.game.unwrap_or_default(), posted.from_black);
    let open = Open { game: Some(game), from_black, film: true, ..Open::default() };
    let records = PageRecords::new(open, false, &state);
    let records = work::whole(&state, Body::plain(input.bytes), options, records).await?;
    let links = Links::Form {
        packed: String::new(),
        variant: posted.variant,
        style: posted.style,
        games: records.games,
        number: game,
        from_black,
    };
    answer(&state, records.boards, links).await
}

/// Query parameters of the positions.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Query {
    /// The side at the bottom.
    side: String,
}

/// The positions of a game of the archive.
#[get("/games/{id}/positions")]
pub async fn of_game(
    state: web::Data<AppState>,
    id: web::Path<String>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let from_black = query.side == "black";
    let (path, boards) = of_archive(&state, &id, from_black).await?;
    answer(&state, boards, Links::Page { path, from_black }).await
}

pub(super) async fn answer(
    state: &AppState,
    boards: Vec<Board>,
    links: Links,
) -> Result<HttpResponse, Problem> {
    let budget = state.budget();
    let made = state.judges.run_within(&budget, state.judging, move || json(&film(&boards, &links)?));
    Ok(HttpResponse::Ok().content_type(media::JSON).body(made.await??))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::replay::{Options, trace};
    use ferz::rules::Registry;

    #[test]
    fn pieces_give_the_positions_again_and_are_few() {
        let text = "1. e4 e5 2. Nf3 {good} Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *".as_bytes();
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let (record, source) = (read(text, 0).next().unwrap(), Source::new(text, 0, 0));
        let played = Played::OnOne(trace(&mut replayer, &record, &source, 0).unwrap());
        for seen_by in Owner::REAL {
            let boards = boards(&record, &played, seen_by, &Budget::unlimited()).unwrap();
            let links = Links::Page { path: "/games/12".to_owned(), from_black: seen_by == Owner::Black };
            let film = film(&boards, &links).unwrap();
            assert_eq!((boards.len(), film.boards.len()), (11, 11));
            let mut whole = 0;
            for (board, pieces) in boards.iter().zip(&film.boards) {
                let again: String =
                    pieces.iter().map(|piece| film.pieces[*piece as usize].as_str()).collect();
                assert_eq!(again, render::html(&BoardPart { board, links: &links, focus: "" }).unwrap());
                whole += again.len();
            }
            let sent = serde_json::to_string(&film).unwrap().len();
            assert!(sent * 4 < whole, "{sent} of {whole} bytes");
        }
    }
}
