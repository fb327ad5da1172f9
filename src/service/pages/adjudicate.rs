//! The page `/adjudicate`: judges a claim about a record or a game of the archive, or two stories of one game.

use super::check::{Asked, asked, attached, editable};
use super::form::{Choices, Group};
use super::markdown;
use super::posted::{ClaimFields, Input};
use super::render::{self, AdjudicatePage};
use super::stories::StoriesView;
use super::view::{ListedPlies, Tone};
use super::{articles, media};
use crate::service::archived::ArchivedGame;
use crate::service::at_hand::AtHand;
use crate::service::claims::{self, judge};
use crate::service::json::json;
use crate::service::memory::Budgeted;
use crate::service::problem::{self, Problem};
use crate::service::state::AppState;
use crate::service::subject::Subject;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use ferz::adjudicate::{
    Claim, ClaimKind, Decision, Drawn, Premise, Terms, Verdict, articles_in_words, check_in_words,
    clock_in_words, consequences, drawing, opening, page, premises_in_words, stories_page,
};
use ferz::board::Owner;
use ferz::clock::Policies;
use ferz::record::Record;
use ferz::replay::{Options, Replayer};
use ferz::text::limits::SEARCH_NODES;
use serde::Deserialize;
use std::sync::OnceLock;

/// The form with its values.
#[derive(Debug)]
pub struct ClaimForm<'a> {
    /// The text in the field for the record.
    pub text: String,
    /// The record in packed form, if it cannot be shown in the field.
    pub packed: String,
    /// The text in the field for the record of the other side.
    pub other: String,
    /// The other fields.
    pub fields: ClaimFields,
    /// The games.
    pub variants: &'a [Group],
    /// The chosen game.
    pub variant: String,
    /// The policies.
    pub policies: &'a Policies,
}

impl ClaimForm<'_> {
    /// The kinds of claims with their words and articles.
    pub fn kinds(&self) -> Vec<(&'static str, String)> {
        ClaimKind::ALL
            .iter()
            .map(|kind| (kind.id(), format!("{} ({})", kind.words(), kind.article())))
            .collect()
    }

    /// The names of the policies.
    pub fn policies(&self) -> Vec<&str> {
        self.policies.names().collect()
    }

    /// The premises that an arbiter may confirm, with their words.
    pub fn premises(&self) -> Vec<(&'static str, &'static str)> {
        Premise::STATED.iter().map(|premise| (premise.id(), premise.words())).collect()
    }

    /// The players.
    pub fn players(&self) -> [(&'static str, &'static str); 4] {
        [
            ("", "not needed, or the player on move"),
            ("white", "White"),
            ("black", "Black"),
            ("nature", "Nature"),
        ]
    }
}

/// A verdict in words, with what is needed to ask for its files.
#[derive(Debug)]
pub struct VerdictView {
    /// The tone.
    pub tone: Tone,
    /// The decision in a sentence.
    pub headline: String,
    /// The verdict in sentences, as HTML with links.
    pub explanation: String,
    /// What it rests on.
    pub strength: &'static str,
    /// What happens to the game and the players.
    pub consequences: Vec<String>,
    /// The readings of an ambiguous claim: rule, verdict and result.
    pub readings: Vec<[String; 3]>,
    /// The articles, each as a link with its words.
    pub articles: Vec<(String, String)>,
    /// The position as a diagram.
    pub drawing: String,
    /// The position as FEN.
    pub fen: String,
    /// The plies of the record, those that are evidence marked.
    pub plies: ListedPlies,
    /// A line that shows the verdict.
    pub line: String,
    /// Where an analysis leaves the claim open, in words, with the position.
    pub holes: Vec<[String; 2]>,
    /// The sum of a player's time that shows it, move by move.
    pub clock: Vec<String>,
    /// How to check it by hand; empty if it is undetermined.
    pub by_hand: String,
    /// True if there is a certificate.
    pub certified: bool,
    /// The record in packed form; empty for a game of the archive.
    pub packed: String,
    /// The claim.
    pub fields: ClaimFields,
    /// The chosen game.
    pub variant: String,
}

/// Query parameters of the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Query {
    /// The id of a game of the archive.
    id: String,
    /// The number of plies before the position.
    ply: String,
}

/// The page with its form.
#[get("/adjudicate")]
pub async fn ask(
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
    query: web::Query<Query>,
) -> Result<HttpResponse, Problem> {
    let Query { id, ply } = query.into_inner();
    let fields = ClaimFields { id, after: ply, ..ClaimFields::default() };
    let variants = &choices.get_or_init(|| Choices::of(state.registry)).variants;
    let [text, packed, other, variant] = [const { String::new() }; 4];
    let form = ClaimForm { text, packed, other, fields, variants, variant, policies: &state.policies };
    render::page(&AdjudicatePage { here: "/adjudicate", verdict: None, stories: None, refused: None, form })
}

/// What a request gets: the view of the verdict or of the stories, or a file.
enum Judged {
    View(Box<VerdictView>),
    Stories(Box<StoriesView>),
    Certificate(Vec<u8>),
    Paper(String),
}

/// Judges the claim of a form.
#[post("/adjudicate")]
pub async fn answer(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    choices: web::Data<OnceLock<Choices>>,
) -> Result<HttpResponse, Problem> {
    let Asked { posted, input, options, .. } = asked(&request, payload, &state).await?;
    let Input { bytes, packed } = input;
    let mut fields = posted.claim;
    if let (true, Some(game)) = (fields.number.is_empty(), posted.game) {
        fields.number = (game + 1).to_string();
    }
    let text = editable(bytes.as_ref());
    let kept = if text.is_empty() && !bytes.is_empty() { packed.clone() } else { String::new() };
    let other = editable(&posted.other);
    let judged = if !posted.other.is_empty() {
        let texts = (bytes, posted.other);
        Some(stories(&state, texts, options, &fields, (packed, posted.variant.clone())).await)
    } else if fields.kind.is_empty() {
        // The record comes from another page, and its claim is still to be written.
        None
    } else {
        let replayer = Box::new(state.replayer.with_options(options));
        let archived = !fields.id.is_empty();
        let game = number(&fields.number, "the number of the game");
        let subject = match archived {
            true => {
                ArchivedGame::find(&state, &fields.id).await.map(|game| Subject::Archived(Box::new(game)))
            }
            false => game.map(|game| Subject::Record {
                text: bytes,
                game: game.unwrap_or(1),
                replayer,
                definitions: Vec::new(),
                at_hand: Box::new(AtHand::new(&state)),
            }),
        };
        let packed = if archived { String::new() } else { packed };
        Some(judged(&state, subject, &fields, (packed, posted.variant.clone())).await)
    };
    let variants = &choices.get_or_init(|| Choices::of(state.registry)).variants;
    let (variant, policies) = (posted.variant, &state.policies);
    let form = ClaimForm { text, packed: kept, other, fields, variants, variant, policies };
    let of =
        |verdict, stories, refused| AdjudicatePage { here: "/adjudicate", verdict, stories, refused, form };
    match judged {
        None => render::page(&of(None, None, None)),
        Some(Ok(Judged::View(view))) => render::page(&of(Some(*view), None, None)),
        Some(Ok(Judged::Stories(view))) => render::page(&of(None, Some(*view), None)),
        Some(Ok(Judged::Certificate(json))) => {
            Ok(attached("certificate.json", HttpResponse::Ok().content_type(media::JSON).body(json)))
        }
        Some(Ok(Judged::Paper(html))) => Ok(attached(
            "verdict.html",
            HttpResponse::Ok().content_type("text/html; charset=utf-8").body(html),
        )),
        Some(Err(problem)) if matches!(problem.kind().status, 404 | 422) => {
            let detail = markdown::inline(problem.detail());
            let status = StatusCode::from_u16(problem.kind().status).unwrap_or(StatusCode::BAD_REQUEST);
            Ok(render::answer(status, render::html(&of(None, None, Some(detail)))?))
        }
        Some(Err(problem)) => Err(problem),
    }
}

/// Judges a claim, and makes what the form asks for.
async fn judged(
    state: &AppState,
    subject: Result<Subject, Problem>,
    fields: &ClaimFields,
    (packed, variant): (String, String),
) -> Result<Judged, Problem> {
    let (subject, claim, fields) = (subject?, claim(fields)?, fields.clone());
    let terms = terms(state, &fields)?;
    judge(state, subject, claim, (terms, state.judging), move |replayer, record, verdict| {
        made(replayer, record, &verdict, fields, (packed, variant))
    })
    .await?
}

/// Judges two stories, with or without a claim.
async fn stories(
    state: &AppState,
    texts: (Budgeted, Vec<u8>),
    options: Options,
    fields: &ClaimFields,
    (packed, variant): (String, String),
) -> Result<Judged, Problem> {
    let refuse = |detail: &str| Err(Problem::new(&problem::BAD_CLAIM, detail));
    if !fields.id.is_empty() {
        return refuse("two stories are two records; paste that of the archive in place of its id");
    }
    if fields.file == "certificate" {
        return refuse("two stories have no certificate; judge a claim by one of them");
    }
    let claim = if fields.kind.is_empty() { None } else { Some(claim(fields)?) };
    let game = number(&fields.number, "the number of the game")?.unwrap_or(1);
    let (terms, fields, other) = (terms(state, fields)?, fields.clone(), editable(&texts.1));
    claims::stories(
        state,
        options,
        texts,
        [game, 1],
        (claim, terms),
        Vec::new(),
        move |replayer, record, found| {
            Ok(match fields.file.as_str() {
                "paper" => {
                    let drawn = drawing(replayer, record, &found.stories.fen, Drawn::Svg);
                    Judged::Paper(stories_page(&found.stories, &drawn))
                }
                _ => {
                    let view = StoriesView::new(replayer, record, found, (fields, variant), (packed, other));
                    Judged::Stories(Box::new(view))
                }
            })
        },
    )
    .await
}

/// The terms that the form chooses.
fn terms(state: &AppState, fields: &ClaimFields) -> Result<Terms, Problem> {
    let mut terms = Terms { files: state.files.clone(), ..Terms::of(SEARCH_NODES) };
    if !fields.policy.is_empty() {
        let unknown = |message: String| Problem::new(&problem::BAD_OPTION, message);
        terms.policy = state.policies.named(&fields.policy).map_err(unknown)?;
    }
    if !fields.plan.is_empty() {
        terms.plans.push(fields.plan.as_bytes().into());
    }
    Ok(terms)
}

fn made(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    verdict: &Verdict,
    fields: ClaimFields,
    (packed, variant): (String, String),
) -> Result<Judged, Problem> {
    if fields.file == "certificate" {
        let none = || Problem::new(&problem::BAD_CLAIM, "no kind of certificate covers this verdict");
        return Ok(Judged::Certificate(json(verdict.certificate.as_ref().ok_or_else(none)?)?));
    }
    let drawing = drawing(replayer, record, &verdict.fen, Drawn::Svg);
    if fields.file == "paper" {
        return Ok(Judged::Paper(page(verdict, record, &drawing)));
    }
    let readings = verdict.readings.iter().map(|reading| {
        let name = [&reading.ruling, &reading.field, &Some(reading.reading.clone())];
        let name: Vec<&str> = name.into_iter().flatten().map(String::as_str).collect();
        let result = reading.result.map_or("", |result| result.as_str());
        [name.join(", "), reading.verdict.to_string(), result.to_owned()]
    });
    Ok(Judged::View(Box::new(VerdictView {
        tone: match verdict.verdict {
            Decision::Upheld => Tone::Good,
            Decision::Rejected => Tone::Bad,
            Decision::Undetermined | Decision::Ambiguous => Tone::Warning,
        },
        headline: opening(verdict),
        explanation: articles::linked(&verdict.explanation),
        strength: verdict.strength.words(),
        consequences: premises_in_words(verdict).into_iter().chain(consequences(verdict)).collect(),
        readings: readings.collect(),
        articles: articles_in_words(verdict)
            .iter()
            .map(|(id, words)| (articles::link(id), words.clone()))
            .collect(),
        drawing,
        fen: verdict.fen.clone(),
        plies: ListedPlies::new(record, &verdict.plies),
        line: verdict.line.join(" "),
        holes: verdict.holes.iter().map(|hole| [hole.why.clone(), hole.position.clone()]).collect(),
        clock: clock_in_words(verdict),
        by_hand: match verdict.verdict {
            Decision::Undetermined => String::new(),
            _ => markdown::inline(&check_in_words(verdict)),
        },
        certified: verdict.certificate.is_some(),
        packed,
        fields,
        variant,
    })))
}

/// The claim of a form.
fn claim(fields: &ClaimFields) -> Result<Claim, Problem> {
    let bad = |detail: String| Problem::new(&problem::BAD_CLAIM, detail);
    let ClaimFields { kind, by, after, intended, within, at, premise, .. } = fields;
    let kind = ClaimKind::ALL.iter().copied().find(|known| known.id() == kind);
    let kind = kind.ok_or_else(|| bad(format!("`{}` is no kind of claim", fields.kind)))?;
    let by = match by.as_str() {
        "" => None,
        name => {
            let known = Owner::ALL.into_iter().find(|owner| owner.name().eq_ignore_ascii_case(name));
            Some(known.ok_or_else(|| bad(format!("`{name}` is no player; choose White, Black or Nature")))?)
        }
    };
    let within = number(within, "the number of moves")?;
    let premises = match premise.as_str() {
        "" => Vec::new(),
        id => {
            let wrong = || bad(format!("`{id}` is not a premise; choose one of the list"));
            vec![Premise::stated(id).ok_or_else(wrong)?]
        }
    };
    let at = (!at.is_empty()).then(|| at.parse()).transpose().map_err(bad)?;
    Ok(Claim {
        kind,
        by,
        ply: number(after, "the ply")?,
        intended: Some(intended.clone()).filter(|text| !text.is_empty()),
        within: within.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        at,
        premises,
    })
}

/// A number that a field holds, if it holds any.
fn number(text: &str, what: &str) -> Result<Option<usize>, Problem> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |_| Problem::new(&problem::BAD_CLAIM, format!("{what} is not a number: `{text}`"));
    text.parse().map(Some).map_err(wrong)
}
