//! The templates and their values. Values are escaped unless documented as HTML.

use super::adjudicate::{ClaimForm, VerdictView};
use super::compare::{CompareForm, ComparedView};
use super::decode::DecodedView;
use super::events::{GameOf, ListedEvent};
use super::form::{Form, Group};
use super::games::Asked;
use super::links::Links;
use super::page_records::ConvertedView;
use super::play::{Listed, Turn};
use super::posted::Posted;
use super::repair::Repaired;
use super::stories::StoriesView;
use super::view::{Board, GameView, Row};
use super::{SCRIPT, STYLESHEET, examples};
use crate::service::answer;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use askama::Template;
use ferz::archive::{Arrival, Counts, Withdrawn};
use ferz::replay::summary::counted;
use ferz::rules::RulesId;

/// Pages load nothing from other sites, and run only the script of this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; \
                      img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The menu of every page.
const MENU: [(&str, &str); 8] = [
    ("/", "Check a record"),
    ("/play", "Play"),
    ("/compare", "Compare"),
    ("/adjudicate", "Adjudicate"),
    ("/games", "Archive"),
    ("/events", "Events"),
    ("/variants", "Known games"),
    ("/rules", "Rules"),
];

/// Characters of packed records that fit into a link: mail and chats cut longer ones.
const LINK_MAX: usize = 6_000;

/// Declares the functions that every template can call.
macro_rules! page {
    ($name:ident $(<$lifetime:lifetime>)?) => {
        impl $(<$lifetime>)? $name $(<$lifetime>)? {
            fn menu(&self) -> &'static [(&'static str, &'static str)] {
                &MENU
            }

            fn script(&self) -> &'static str {
                &SCRIPT
            }

            fn stylesheet(&self) -> &'static str {
                &STYLESHEET
            }

            #[allow(dead_code, reason = "only pages with a game have links to it")]
            fn link_max(&self) -> usize {
                LINK_MAX
            }
        }
    };
}

/// The result for the posted records.
#[derive(Debug)]
pub enum Answer {
    /// Nothing was posted.
    None,
    /// The records have no game.
    Empty,
    /// Several games.
    Overview {
        /// A row for each.
        rows: Vec<Row>,
        /// Their legal plies.
        plies: usize,
        /// How the page refers to the records.
        links: Links,
    },
    /// One game.
    Game(Box<Opened>),
}

/// An open game.
#[derive(Debug)]
pub struct Opened {
    /// The game.
    pub game: GameView,
    /// How the page refers to the record.
    pub links: Links,
    /// The game in another style.
    pub converted: Option<ConvertedView>,
    /// The style selected in the list.
    pub chosen: &'static str,
    /// The button that has the focus.
    pub focus: &'static str,
    /// What the viewer can do, in a game that is played here.
    pub turn: Option<Turn>,
}

/// The part of a page with the board.
#[derive(Debug, Template)]
#[template(path = "board_part.html", config = "src/service/pages/askama.toml")]
pub struct BoardPart<'a> {
    /// The board.
    pub board: &'a Board,
    /// How the page refers to the record.
    pub links: &'a Links,
    /// The button that has the focus.
    pub focus: &'static str,
}

/// The page `/events`.
#[derive(Debug, Template)]
#[template(path = "events.html", config = "src/service/pages/askama.toml")]
pub struct EventsPage {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The events.
    pub items: Vec<ListedEvent>,
}

page!(EventsPage);

/// A page `/events/NAME`.
#[derive(Debug, Template)]
#[template(path = "event.html", config = "src/service/pages/askama.toml")]
pub struct EventPage {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The name.
    pub name: String,
    /// The crosstable as HTML.
    pub table: String,
    /// The address of the table in other forms.
    pub address: String,
    /// The games.
    pub games: Vec<GameOf>,
}

page!(EventPage);

/// The page `/play`.
#[derive(Debug, Template)]
#[template(path = "play.html", config = "src/service/pages/askama.toml")]
pub struct PlayPage {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The viewer.
    pub holder: String,
    /// The viewer's games.
    pub items: Vec<Listed>,
}

page!(PlayPage);

/// A page `/play/ID`.
#[derive(Debug, Template)]
#[template(path = "table.html", config = "src/service/pages/askama.toml")]
pub struct PlayTable<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The game.
    pub opened: Opened,
    /// The styles to choose from.
    pub styles: &'a [(&'static str, String)],
}

page!(PlayTable<'a>);

/// The page `/`.
#[derive(Debug, Template)]
#[template(path = "check.html", config = "src/service/pages/askama.toml")]
pub struct Check<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The heading.
    pub title: &'a str,
    /// The result for the records.
    pub answer: Answer,
    /// The form.
    pub form: Form<'a>,
    /// The styles to choose from.
    pub styles: &'a [(&'static str, String)],
    /// Entries of the archive, and whether each already existed.
    pub kept: Vec<(String, bool)>,
}

page!(Check<'a>);

impl Check<'_> {
    fn examples(&self) -> Vec<(&'static str, &'static str)> {
        examples::ALL.iter().map(|example| (example.name, example.about)).collect()
    }
}

/// The page `/adjudicate`.
#[derive(Debug, Template)]
#[template(path = "adjudicate.html", config = "src/service/pages/askama.toml")]
pub struct AdjudicatePage<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The verdict, if a claim was judged.
    pub verdict: Option<VerdictView>,
    /// Two stories, if there was a second record.
    pub stories: Option<StoriesView>,
    /// Why the claim was not judged, as HTML.
    pub refused: Option<String>,
    /// The form with its values.
    pub form: ClaimForm<'a>,
}

page!(AdjudicatePage<'a>);

/// The page `/compare`.
#[derive(Debug, Template)]
#[template(path = "compare.html", config = "src/service/pages/askama.toml")]
pub struct ComparePage<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The comparison, if records were compared.
    pub compared: Option<ComparedView>,
    /// The form with its values.
    pub form: CompareForm<'a>,
}

page!(ComparePage<'a>);

/// The page `/repair`.
#[derive(Debug, Template)]
#[template(path = "repair.html", config = "src/service/pages/askama.toml")]
pub struct RepairPage {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The repairs.
    pub repaired: Repaired,
    /// The repaired records.
    pub text: String,
    /// The repaired records in packed form.
    pub packed: String,
    /// The other fields of the form.
    pub posted: Posted,
}

page!(RepairPage);

/// The page `/decode`.
#[derive(Debug, Template)]
#[template(path = "decode.html", config = "src/service/pages/askama.toml")]
pub struct DecodePage {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// What was read.
    pub decoded: DecodedView,
    /// The number of the game in the records.
    pub game: usize,
    /// The records as they were, in packed form.
    pub packed: String,
    /// The other fields of the form.
    pub posted: Posted,
}

page!(DecodePage);

impl DecodePage {
    fn headline(&self) -> String {
        let DecodedView { variant, plies, changes, .. } = &self.decoded;
        let plies = counted(*plies, "ply", "plies");
        match changes.len() {
            0 => format!("{variant}, {plies}, as written"),
            changes => format!("{variant}, {plies}, {}", counted(changes, "change", "changes")),
        }
    }
}

/// Games whose verdicts the page about repairs lists.
const REPAIRED_GAMES_MAX: usize = 20;

impl RepairPage {
    fn headline(&self) -> String {
        match self.repaired.count() {
            0 => "Nothing to repair".to_owned(),
            count => counted(count, "change", "changes"),
        }
    }

    fn first_rows(&self) -> &[Row] {
        &self.repaired.rows[..self.repaired.rows.len().min(REPAIRED_GAMES_MAX)]
    }
}

/// A document.
#[derive(Debug, Template)]
#[template(path = "document.html", config = "src/service/pages/askama.toml")]
pub struct DocumentPage<'a> {
    /// The address, to mark it in the menu.
    pub here: &'a str,
    /// The heading.
    pub title: &'a str,
    /// Anchors and titles of its sections.
    pub sections: Vec<(String, &'static str)>,
    /// The text as HTML.
    pub html: String,
}

page!(DocumentPage<'a>);

/// A known game in the list.
#[derive(Debug)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its edition.
    pub edition: String,
    /// True if there is a later edition.
    pub older: bool,
}

/// The page `/variants`.
#[derive(Debug, Template)]
#[template(path = "variants.html", config = "src/service/pages/askama.toml")]
pub struct VariantsPage<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The games.
    pub games: Vec<Known>,
    /// The games with mutators.
    pub mutated: &'a [Group],
}

page!(VariantsPage<'a>);

/// A page `/variants/NAME`.
#[derive(Debug, Template)]
#[template(path = "variant.html", config = "src/service/pages/askama.toml")]
pub struct VariantPage {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The title.
    pub title: String,
    /// The starting position; `None` if it depends on tags.
    pub board: Option<Board>,
    /// The rules as HTML.
    pub html: String,
}

page!(VariantPage);

/// A game in a list of the archive.
#[derive(Debug)]
pub struct Found {
    /// Its identity.
    pub id: String,
    /// Who played.
    pub players: String,
    /// Event; empty if it is not known.
    pub event: String,
    /// Date, as the record has it.
    pub date: String,
    /// Name of the game.
    pub variant: String,
    /// True for rules that the program does not bring.
    pub own_rules: bool,
    /// Whether the whole main line is legal.
    pub valid: bool,
    /// Whether it was judged.
    pub judged: bool,
    /// Legal plies.
    pub plies: usize,
    /// The end on the board; empty if there is none.
    pub end: String,
    /// The result of the record.
    pub result: String,
    /// The positions that a query found, with the plies before them.
    pub hits: Vec<(usize, String)>,
    /// How many more there are.
    pub more_hits: usize,
}

/// The page `/games`.
#[derive(Debug, Template)]
#[template(path = "games.html", config = "src/service/pages/askama.toml")]
pub struct GamesPage<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The search.
    pub asked: Asked,
    /// The games to choose from.
    pub variants: &'a [Group],
    /// The entries found.
    pub items: Vec<Found>,
    /// The address of the next page.
    pub next: Option<String>,
    /// The address of the first page.
    pub first: String,
    /// True after the first page.
    pub on_later_page: bool,
    /// What the archive holds.
    pub counts: Counts,
}

page!(GamesPage<'a>);

impl GamesPage<'_> {
    /// What the archive holds, in a sentence.
    fn totals(&self) -> String {
        let Counts { games, not_valid, .. } = self.counts;
        let legal = match not_valid {
            0 => "all of them legal".to_owned(),
            1 => "one of them not legal".to_owned(),
            _ => format!("{not_valid} of them not legal"),
        };
        match games {
            0 => "The archive is empty.".to_owned(),
            1 => format!("One game, {}.", if not_valid == 0 { "legal" } else { "not legal" }),
            _ => format!("{games} games, {legal}."),
        }
    }

    /// The conditions of the search, in a few words.
    fn conditions(&self) -> String {
        let Asked { player, event, variant, result, valid, from, to, q, cursor: _ } = &self.asked;
        let verdict = match valid.as_str() {
            "true" => "legal",
            "false" => "not legal",
            other => other,
        };
        let (from, to) = (named("from", from), named("to", to));
        let all = [player, event, variant, result, verdict, &from, &to, q];
        let given: Vec<&str> = all.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
        given.join(", ")
    }

    fn results(&self) -> [(&'static str, &'static str); 5] {
        [("", "any"), ("1-0", "1-0"), ("0-1", "0-1"), ("1/2-1/2", "1/2-1/2"), ("*", "none (*)")]
    }

    fn verdicts(&self) -> [(&'static str, &'static str); 3] {
        [("", "any"), ("true", "legal"), ("false", "not legal")]
    }
}

/// A value with its name; empty without one.
fn named(name: &str, value: &str) -> String {
    if value.trim().is_empty() { String::new() } else { format!("{name} {}", value.trim()) }
}

/// A page `/games/ID`.
#[derive(Debug, Template)]
#[template(path = "archived.html", config = "src/service/pages/askama.toml")]
pub struct Archived<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The game.
    pub opened: Opened,
    /// The styles to choose from.
    pub styles: &'a [(&'static str, String)],
    /// The rules it is shown by, if they are not the current ones.
    pub other_rules: Option<RulesId>,
    /// Its identity.
    pub id: String,
    /// The time of the first submission.
    pub added: String,
    /// The entry that continues it, if one does.
    pub continued_by: Option<String>,
    /// Its withdrawal, if it was withdrawn.
    pub withdrawn: Option<Withdrawn>,
    /// The submitted texts.
    pub arrivals: Vec<Arrival>,
    /// Games with the same plies.
    pub related: Vec<Found>,
}

page!(Archived<'a>);

/// A page that reports a problem.
#[derive(Debug, Template)]
#[template(path = "error.html", config = "src/service/pages/askama.toml")]
pub struct ErrorPage<'a> {
    /// The address, to mark it in the menu.
    pub here: &'static str,
    /// The fault in general.
    pub title: &'a str,
    /// The fault in this case, as HTML.
    pub detail: String,
    /// The remedy, as HTML.
    pub remedy: String,
    /// The status.
    pub status: u16,
    /// The request's identifier.
    pub request_id: &'a str,
}

page!(ErrorPage<'a>);

const CONTENT_TYPE: &str = "text/html; charset=utf-8";

/// A template as an answer.
///
/// # Errors
/// If the template cannot be rendered.
pub fn page(template: &impl Template) -> Result<HttpResponse, Problem> {
    Ok(answer(StatusCode::OK, html(template)?))
}

/// A page with records, as an answer: rendering takes time that grows with them, which the thread of a connection does
/// not have.
///
/// # Errors
/// If no thread is free, or the template cannot be rendered.
pub async fn in_pool(
    state: &AppState,
    html: impl FnOnce() -> Result<String, Problem> + Send + 'static,
) -> Result<HttpResponse, Problem> {
    let budget = state.budget();
    let html = state.judges.run_within(&budget, state.judging, html).await?;
    Ok(answer(StatusCode::OK, html?))
}

/// A rendered template.
///
/// # Errors
/// If it cannot be rendered.
pub fn html(template: &impl Template) -> Result<String, Problem> {
    template.render().map_err(|error| Problem::new(&problem::INTERNAL, error.to_string()))
}

/// HTML shared by all answers like this one.
pub fn shared(html: Bytes) -> HttpResponse {
    let mut response = answer::shared(CONTENT_TYPE, html);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// HTML as an answer, with the policy of pages.
pub fn answer(status: StatusCode, html: String) -> HttpResponse {
    let mut response = HttpResponse::build(status);
    response.insert_header((header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)));
    response.content_type(CONTENT_TYPE).body(html)
}

mod filters {
    //! Filters of the templates.

    use askama::Values;
    use std::fmt::Display;

    /// Capitalizes the first letter.
    #[askama::filter_fn]
    pub fn capitalized(text: impl Display, _values: &dyn Values) -> askama::Result<String> {
        let text = text.to_string();
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
        Ok(first.unwrap_or_default() + letters.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::form::Choices;
    use super::*;
    use ferz::board::Owner;
    use ferz::record::read;
    use ferz::replay::{Options, Played, Replayer, Source};
    use ferz::rules::Registry;
    use ferz::text::Budget;

    /// The page of a record, without its diagram, form and lists of styles.
    fn page_of(record: &str, ply: Option<usize>) -> String {
        let bytes = record.as_bytes();
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let (record, source) = (read(bytes, 0).next().unwrap(), Source::new(bytes, 0, 0));
        let traced = Budget::endless(|budget| Played::within(&mut replayer, &record, &source, 0, budget));
        let game =
            GameView::new(&record, &source, traced.as_ref().map_err(|report| &**report), (ply, Owner::White));
        let (packed, variant, style) = ("00".to_owned(), String::new(), String::new());
        let links = Links::Form { packed, variant, style, games: 1, number: 0, from_black: false };
        let choices = Choices { variants: Vec::new(), styles: Vec::new() };
        let page = Check {
            here: "/",
            title: "The verdict",
            answer: Answer::Game(Box::new(Opened {
                game,
                links,
                converted: None,
                chosen: "san",
                focus: "back",
                turn: None,
            })),
            form: Form {
                title: "",
                text: "",
                rows: 8,
                variants: &choices.variants,
                styles: &choices.styles,
                variant: "",
                style: "",
                megabytes: 4,
            },
            styles: &choices.styles,
            kept: Vec::new(),
        };
        let html = page.render().unwrap();
        let (_, main) = html.split_once("<main").unwrap();
        let (main, _) = main.split_once("<form class=\"card\"").unwrap();
        let (before, drawing) = main.split_once("<svg").unwrap();
        let (_, after) = drawing.split_once("</svg>").unwrap();
        let lines = format!("<main{before}<svg/>{after}");
        let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    #[test]
    fn an_illegal_ply() {
        let record = "[White \"Ann\"]\n[Black \"<b>Ben\"]\n[Variant \"iago-b\"]\n\n\
            1. e2-e4 {best} e7-e5! 2. Ng1-f3&M Nb8-c6 3. O-O Ng8-f6 (3... Ke8-e6) 1-0\n";
        insta::assert_snapshot!(page_of(record, None));
    }

    #[test]
    fn an_illegal_ply_that_was_let_stand() {
        let record = "1. e4 e5 2. Ke3 {[%letstand]} Nf6 3. Nf3 *";
        let tried = page_of(record, Some(2));
        for part in
            ["1 illegal ply let stand", "Ply 3 is illegal, but was let stand", "Then <code class=\"bad\">Ke3"]
        {
            assert!(tried.contains(part), "{part}: {tried}");
        }
        let played = page_of(record, None);
        assert!(
            played.contains("After ply 5: Nf3") && played.contains("class=\"ply let-stand\""),
            "{played}"
        );
    }

    #[test]
    fn claims_are_shown_at_the_ply_where_they_are_open() {
        let record = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 e5 *";
        let claim = "Black may claim a draw by threefold repetition (the position occurred after plies 0, 4, \
            8), announcing the intended ply Ng8.";
        for (ply, open) in [(6, false), (7, true), (8, false)] {
            assert_eq!(page_of(record, Some(ply)).contains(claim), open, "{ply}");
        }
    }

    #[test]
    fn a_moment_of_a_game_with_a_third_player() {
        let record = "[Variant \"chaos+chess\"]\n[NatureRules \"basic\"]\n\n\
            1. e4 e5 2. Nf3 Nc6 3. Bc4 \u{221e}1.....a4=N 3... Nf6 *\n";
        insta::assert_snapshot!(page_of(record, Some(6)));
    }
}
