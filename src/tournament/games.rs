//! The games of an event: those that the archive has, and those that are played in it.

use super::pairings::Pairing;
use super::standings::{Played, Score, Table, TieBreak};
use ferz::archive::{
    Act, ActError, Archive, ArchiveError, Books, Correspondence, CorrespondenceId, Filter, GameId, Summary,
    TokenId,
};
use ferz::board::Owner;
use ferz::correspondence::{Command, Proposal, State, Status, Terms, Visibility, What};
use ferz::record::GameResult;
use ferz::text::limits::ARCHIVE_PAGE_MAX;
use std::collections::{BTreeMap, HashSet};

/// A game of an event.
#[derive(Debug, Clone)]
pub struct EventGame {
    /// The tags of its event: round and players.
    pub pairing: Pairing,
    /// How far it is.
    pub score: Score,
    /// The entry, once there is one.
    pub entry: Option<GameId>,
    /// The game as it is played here; `None` if it was submitted.
    pub played: Option<Box<Correspondence>>,
}

/// What an event is to be.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Its name, for the tag `Event`.
    pub event: String,
    /// The name of the game, mutators first.
    pub variant: String,
    /// The policies for clocks and remedies.
    pub clock: Option<String>,
    /// The same for remedies.
    pub policy: Option<String>,
    /// The third player, in games that have one.
    pub nature: Option<String>,
    /// True to let the lot decide for Nature instead.
    pub nature_by_lot: bool,
    /// The visibility of its games.
    pub visibility: Visibility,
    /// Further tags of every game.
    pub tags: BTreeMap<String, String>,
    /// The games.
    pub pairings: Vec<Pairing>,
}

/// A game of an event that was created.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The pairing.
    pub pairing: Pairing,
    /// The game; `None` if it was there before.
    pub id: Option<CorrespondenceId>,
}

/// A game that waits for someone.
#[derive(Debug, Clone)]
pub struct Due {
    /// The game.
    pub id: CorrespondenceId,
    /// Its round and players.
    pub pairing: Pairing,
    /// Whether it is played, or begins once its terms are accepted.
    pub status: Status,
    /// The names of those who may act, or who have still to accept.
    pub players: Vec<String>,
    /// The last ply of a player, in coordinate notation.
    pub last: Option<String>,
    /// The instant at which time is up, in milliseconds since 1970; `None` without clocks.
    pub deadline: Option<u64>,
    /// The instant since which the game waits.
    pub since: Option<u64>,
}

impl Due {
    /// True if it is too late.
    pub fn is_overdue(&self, now: u64) -> bool {
        self.deadline.is_some_and(|deadline| deadline < now)
    }
}

/// The table of an event's games.
pub fn table(event: &str, games: &[EventGame], tie_breaks: &[TieBreak]) -> Table {
    let played = |game: &EventGame| {
        let Pairing { round, white, black } = game.pairing.clone();
        Played { round, white, black, score: game.score }
    };
    Table::of(event, &games.iter().map(played).collect::<Vec<_>>(), tie_breaks)
}

/// The games of an event, of those that are played here only the ones that `sees` admits.
///
/// # Errors
/// If the archive cannot be read.
pub fn games(
    archive: &Archive,
    books: Books<'_>,
    event: &str,
    sees: &dyn Fn(&State) -> bool,
) -> Result<Vec<EventGame>, ArchiveError> {
    let mut all = Vec::new();
    let mut entries = HashSet::new();
    each_played(archive, books, &mut |game| {
        let terms = &game.state.setting().terms;
        if terms.tags.get("Event").map(String::as_str) == Some(event) && sees(&game.state) {
            entries.extend(game.entry);
            all.push(of_played(game));
        }
    })?;
    let filter = Filter { event: Some(event.to_owned()), withdrawn: Some(false), ..Filter::default() };
    each_entry(archive, &filter, &mut |summary| {
        if summary.event == event && !entries.contains(&summary.id) {
            all.push(of_entry(summary));
        }
    })?;
    Ok(all)
}

/// The names of all events, each with its games and those among them that are not over: of those that are played here
/// only the ones that `sees` admits.
///
/// # Errors
/// If the archive cannot be read.
pub fn events(
    archive: &Archive,
    books: Books<'_>,
    sees: &dyn Fn(&State) -> bool,
) -> Result<BTreeMap<String, [usize; 2]>, ArchiveError> {
    let mut all: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut entries = HashSet::new();
    let mut count = |event: &str, is_open: bool| {
        if event != "?" {
            let [games, open] = all.entry(event.to_owned()).or_default();
            (*games, *open) = (*games + 1, *open + usize::from(is_open));
        }
    };
    each_played(archive, books, &mut |game| {
        entries.extend(game.entry);
        if let Some(event) = game.state.setting().terms.tags.get("Event").filter(|_| sees(&game.state)) {
            count(event, score_of(&game) == Score::Open);
        }
    })?;
    let filter = Filter { withdrawn: Some(false), ..Filter::default() };
    each_entry(archive, &filter, &mut |summary| {
        if !entries.contains(&summary.id) {
            count(&summary.event, summary.result == "*");
        }
    })?;
    Ok(all)
}

/// Creates the games of an event that are not there yet, so that a run that was interrupted can be repeated.
///
/// # Errors
/// If there can be no such game, or the archive cannot be read or written; the games before it are created.
pub fn create(
    archive: &Archive,
    books: Books<'_>,
    plan: &Plan,
    by: Option<&TokenId>,
    done: &mut dyn FnMut(Planned),
) -> Result<(), ActError> {
    let there = games(archive, books, &plan.event, &|_| true)?;
    let mut there: Vec<Pairing> =
        there.into_iter().filter(|game| game.score != Score::Annulled).map(|game| game.pairing).collect();
    for pairing in &plan.pairings {
        // The same two may meet twice in a round, in a match.
        if let Some(known) = there.iter().position(|known| known == pairing) {
            there.swap_remove(known);
            done(Planned { pairing: pairing.clone(), id: None });
            continue;
        }
        let id = create_one(archive, books, plan, pairing, by)?;
        done(Planned { pairing: pairing.clone(), id: Some(id) });
    }
    Ok(())
}

fn create_one(
    archive: &Archive,
    books: Books<'_>,
    plan: &Plan,
    pairing: &Pairing,
    by: Option<&TokenId>,
) -> Result<CorrespondenceId, ActError> {
    let mut proposal = Proposal {
        clock: plan.clock.clone(),
        policy: plan.policy.clone(),
        tags: plan.tags.clone(),
        variant: plan.variant.clone(),
        visibility: plan.visibility,
        ..Proposal::default()
    };
    proposal.tags.insert("Event".to_owned(), plan.event.clone());
    proposal.tags.insert("Round".to_owned(), pairing.round.clone());
    (proposal.players.white, proposal.players.black) = (pairing.white.clone(), pairing.black.clone());
    proposal.players.nature.clone_from(&plan.nature);
    let by = (by.cloned(), None);
    let made = match plan.nature_by_lot {
        true => archive.create_by_lot(proposal, by, books),
        false => archive.create_correspondence(proposal, by, books),
    };
    Ok(made?.game.id)
}

/// The games that wait for someone, the most urgent first.
pub fn due(games: &[EventGame], now: u64) -> Vec<Due> {
    let mut all: Vec<Due> = games.iter().filter_map(|game| due_of(game, now)).collect();
    all.sort_by_key(|due| (due.deadline.unwrap_or(u64::MAX), due.since));
    all
}

fn due_of(game: &EventGame, now: u64) -> Option<Due> {
    let played = game.played.as_ref()?;
    let state = &played.state;
    let players = &state.setting().terms.players;
    let acting: Vec<Owner> = match state.status() {
        Status::AwaitingAcceptance => {
            players.all().map(|(owner, _)| owner).filter(|owner| !state.has_accepted(*owner)).collect()
        }
        Status::Running => state.to_act(),
        Status::Disputed | Status::Ended | Status::Annulled => return None,
    };
    let running = state.clocks(now).and_then(|clocks| clocks.running);
    let last = state.instants().last().copied().filter(|instant| *instant > 0);
    Some(Due {
        id: played.id,
        pairing: game.pairing.clone(),
        status: state.status(),
        players: acting.iter().filter_map(|owner| players.name(*owner).map(str::to_owned)).collect(),
        last: state.last_real_ply().map(|(_, ply)| ply.to_owned()),
        deadline: running.and_then(|running| running.deadline),
        since: last.or(state.begun()),
    })
}

/// Takes a player out of an event with these games: those that are not over are lost, or annulled. Gives them as they
/// are after it.
///
/// # Errors
/// If the archive cannot be written; the games before it are ended.
pub fn withdraw(
    archive: &Archive,
    books: Books<'_>,
    games: &[EventGame],
    player: &str,
    annul: bool,
) -> Result<Vec<EventGame>, ActError> {
    let mut ended = Vec::new();
    for game in games {
        let Pairing { white, black, .. } = &game.pairing;
        let (Some(played), Score::Open) = (&game.played, game.score) else { continue };
        let result = match player {
            _ if player != white && player != black => continue,
            _ if annul => GameResult::Unknown,
            _ if player == white => GameResult::BlackWins,
            _ => GameResult::WhiteWins,
        };
        let command = Command::Rule { result, because: format!("{player} has withdrawn from the event") };
        let act = Act { id: played.id, head: played.head(), by: None, command, token: None, request: None };
        ended.push(of_played(archive.act(act, books)?.game));
    }
    Ok(ended)
}

/// Ends a game that both players have forfeited: it counts, and neither gets a point. False if it is over.
///
/// # Errors
/// If the archive cannot be written.
pub fn forfeit(archive: &Archive, books: Books<'_>, game: &EventGame) -> Result<bool, ActError> {
    let Some(played) = game.played.as_ref().filter(|_| game.score == Score::Open) else { return Ok(false) };
    let command = Command::Rule { result: GameResult::Unknown, because: BOTH_LOSE.to_owned() };
    let act = Act { id: played.id, head: played.head(), by: None, command, token: None, request: None };
    archive.act(act, books)?;
    Ok(true)
}

/// Creates a game once more, with another player in the place of one: by the same terms, from the start.
///
/// # Errors
/// If the archive cannot be read or written.
pub fn replace(
    archive: &Archive,
    books: Books<'_>,
    game: &Correspondence,
    player: &str,
    other: &str,
) -> Result<(Pairing, CorrespondenceId), ActError> {
    let terms = &game.state.setting().terms;
    let mut pairing = pairing_of(terms);
    for name in [&mut pairing.white, &mut pairing.black] {
        if name == player {
            other.clone_into(name);
        }
    }
    let plan = Plan {
        event: terms.tags.get("Event").cloned().unwrap_or_default(),
        variant: terms.variant.clone(),
        clock: Some(terms.clock.name.clone()),
        policy: Some(terms.policy.name.clone()),
        nature: terms.players.nature.clone(),
        nature_by_lot: terms.seed.is_some(),
        visibility: terms.visibility,
        tags: terms.tags.clone(),
        pairings: Vec::new(),
    };
    let id = create_one(archive, books, &plan, &pairing, None)?;
    Ok((pairing, id))
}

fn pairing_of(terms: &Terms) -> Pairing {
    Pairing {
        round: terms.tags.get("Round").cloned().unwrap_or_else(|| "?".to_owned()),
        white: terms.players.white.clone(),
        black: terms.players.black.clone(),
    }
}

fn of_played(game: Correspondence) -> EventGame {
    EventGame {
        pairing: pairing_of(&game.state.setting().terms),
        score: score_of(&game),
        entry: game.entry,
        played: Some(Box::new(game)),
    }
}

/// The reason of the ruling by which both players lose, which no result of a record says.
const BOTH_LOSE: &str = "both players forfeit the game";

/// A ruling that can still be appealed against counts until another one changes it.
fn score_of(game: &Correspondence) -> Score {
    let state = &game.state;
    let ruling = game.acts.iter().rev().find_map(|act| match &act.event.what {
        What::Ruled { because, .. } => Some(because.as_str()),
        _ => None,
    });
    match (state.status(), state.end().map(|end| end.result)) {
        (Status::Annulled, _) if ruling == Some(BOTH_LOSE) => Score::BothLose,
        (Status::Annulled, _) => Score::Annulled,
        (_, Some(GameResult::WhiteWins)) => Score::White,
        (_, Some(GameResult::BlackWins)) => Score::Black,
        (_, Some(GameResult::Draw)) => Score::Draw,
        (_, Some(_)) => Score::Annulled,
        (_, None) => Score::Open,
    }
}

fn of_entry(summary: Summary) -> EventGame {
    EventGame {
        score: Score::of_result(&summary.result),
        pairing: Pairing { round: summary.round, white: summary.white, black: summary.black },
        entry: Some(summary.id),
        played: None,
    }
}

/// Every game that is or was played here.
fn each_played(
    archive: &Archive,
    books: Books<'_>,
    take: &mut dyn FnMut(Correspondence),
) -> Result<(), ArchiveError> {
    let mut before = None;
    loop {
        let page = archive.correspondences(None, None, before, ARCHIVE_PAGE_MAX)?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        before = Some(*last);
        for (_, id) in page {
            // One that cannot be read hides no other; asked for by its id it says why.
            if let Ok(game) = archive.correspondence(id, books) {
                take(game);
            }
        }
    }
}

/// Every entry that fits.
fn each_entry(archive: &Archive, filter: &Filter, take: &mut dyn FnMut(Summary)) -> Result<(), ArchiveError> {
    let mut cursor = None;
    loop {
        let page = archive.list(filter, ARCHIVE_PAGE_MAX, cursor.as_deref())?;
        page.items.into_iter().for_each(&mut *take);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(());
        }
    }
}
