//! What follows from a mail: a change of a game, and letters.

use super::desk::{Desk, PLACEHOLDER, heading, waits_for};
use super::inbox::{Line, Received, read};
use super::letter::Letter;
use crate::wish::{self, Wish};
use ferz::Position;
use ferz::archive::{
    Act, ActError, Archive, ArchiveError, Books, Correspondence, CorrespondenceId, ReplyCode,
};
use ferz::board::Owner;
use ferz::correspondence::{Status, What};
use ferz::text::limits::ARCHIVE_PAGE_MAX;
use std::collections::BTreeMap;

/// What follows from a mail.
#[derive(Debug, Default)]
pub struct Answered {
    /// One sentence for each change that was stored.
    pub stored: Vec<String>,
    /// One sentence for each answer that was refused, and for a mail to which there is none.
    pub refused: Vec<String>,
    /// The letters to send.
    pub letters: Vec<Letter>,
    /// Players of whom there is no address.
    pub without_address: Vec<String>,
}

/// A line `ferz GAME CODE …` of a mail.
#[derive(Debug, PartialEq, Eq)]
struct Coded {
    id: CorrespondenceId,
    /// The code, or a signature.
    code: String,
    /// What follows it on its line; empty for nothing, and for the placeholder.
    rest: String,
}

/// Why an answer is not taken, and who may learn more: the player whose code it has.
struct Refusal {
    why: String,
    player: Option<Owner>,
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal { why, player: None }
    }
}

/// Does what a mail says, if it proves whose it is, at an instant in milliseconds since 1970.
///
/// # Errors
/// If the archive cannot be read or written.
pub fn answer(
    archive: &Archive,
    books: Books<'_>,
    desk: &Desk<'_>,
    mail: &[u8],
    now: u64,
) -> Result<Answered, ArchiveError> {
    let mut answered = Answered::default();
    let Some(received) = read(mail) else {
        answered.refused.push("this is no mail: it has no sender".to_owned());
        return Ok(answered);
    };
    if let Some(why) = received.automatic {
        answered.refused.push(format!("the mail is not answered: {why}"));
        return Ok(answered);
    }
    let mut by_game: BTreeMap<CorrespondenceId, Vec<Coded>> = BTreeMap::new();
    for coded in coded(&received) {
        by_game.entry(coded.id).or_default().push(coded);
    }
    let mut unproved = Vec::new();
    if by_game.is_empty() {
        unproved
            .push("it has no line with the code of a game, so that it does not prove whose it is".to_owned());
    }
    let is_only = by_game.len() == 1;
    for (id, lines) in by_game {
        // A reply to a letter about several games quotes the lines of all; those that are not filled in say nothing.
        if !is_only && lines.iter().all(|line| line.rest.is_empty()) {
            continue;
        }
        let game = match archive.correspondence(id, books) {
            Ok(game) => game,
            Err(ActError::Archive(error @ ArchiveError::TooMuchWork)) => return Err(error),
            Err(error) => {
                unproved.push(error.to_string());
                continue;
            }
        };
        match taken(archive, books, desk, &game, (&received, &lines, is_only))? {
            Ok((after, player)) => {
                let said = format!("{}: {}", heading(&after), what_happened(&after, player, game.acts.len()));
                tell(desk, (&game, &after), (player, &said), &received, &mut answered);
                answered.stored.push(said);
            }
            Err(Refusal { why, player: Some(player) }) => {
                let said = format!("{}: not taken: {why}", heading(&game));
                let body = format!("your answer was not taken: {why}.\n\n{}", desk.part(&game, player, now));
                write(desk, &game, player, (heading(&game), &body), Some(&received), &mut answered);
                answered.refused.push(said);
            }
            Err(Refusal { why, player: None }) => unproved.push(why),
        }
    }
    // One mail has one such answer, however many games it names: no one is flooded in someone else's name.
    if let Some(why) = unproved.first() {
        without_code(archive, books, desk, &received, why, now, &mut answered)?;
    }
    Ok(answered)
}

/// The lines of a mail that are looked at, and the codes in them that count: a mail has a few.
const LINES_MAX: usize = 1000;
const CODES_MAX: usize = 32;

/// The lines with codes, each once.
fn coded(received: &Received) -> Vec<Coded> {
    // Long lines may have been broken between words.
    let lines: Vec<Vec<&str>> =
        received.lines.iter().take(LINES_MAX).map(|line| line.text.split_whitespace().collect()).collect();
    let mut found: Vec<Coded> = Vec::new();
    for (number, words) in lines.iter().enumerate() {
        for (place, word) in words.iter().enumerate() {
            if !word.trim_matches(['`', '"', '*']).eq_ignore_ascii_case("ferz") {
                continue;
            }
            let mut rest = words[place + 1..].iter().map(|word| (number, *word)).collect::<Vec<_>>();
            let more = lines.iter().enumerate().skip(number + 1).take(3);
            rest.extend(more.flat_map(|(number, words)| words.iter().map(move |word| (number, *word))));
            let mut rest = rest.into_iter();
            let Some(id) = rest.next().and_then(|(_, word)| word.parse().ok()) else { continue };
            let Some((line, code)) = rest.next() else { continue };
            let code = code.trim_matches(['`', '"']);
            let said: Vec<&str> =
                rest.take_while(|(number, _)| *number == line).map(|(_, word)| word).collect();
            let said = said.join(" ");
            let said = said.trim_matches(['`', '"', ' ']);
            let rest = if said.eq_ignore_ascii_case(PLACEHOLDER) { "" } else { said };
            let one = Coded { id, code: code.to_owned(), rest: rest.to_owned() };
            if found.len() < CODES_MAX && !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

/// A mail of which nothing proves whose it is. A player with this address learns what to send back, by a letter to the
/// address that the director knows; anyone else only that it was not taken.
fn without_code(
    archive: &Archive,
    books: Books<'_>,
    desk: &Desk<'_>,
    received: &Received,
    why: &str,
    now: u64,
    answered: &mut Answered,
) -> Result<(), ArchiveError> {
    answered.refused.push(format!("nothing was stored: {why}"));
    let Some(from) = &received.from else { return Ok(()) };
    let answers = received.id.clone();
    let subject = format!("Re: {}", received.subject);
    let Some(player) = desk.player_at(from) else {
        let body = format!(
            "your mail was not taken: {why}.\n\nSend back the line of the last letter that you got about the game from \
             the address that the director knows, or ask the director."
        );
        answered.letters.push(Letter { to: from.clone(), subject, body, answers });
        return Ok(());
    };
    let mut parts = Vec::new();
    for status in [Status::AwaitingAcceptance, Status::Running, Status::Disputed] {
        for (_, id) in archive.correspondences(Some(&player.name), Some(status), None, ARCHIVE_PAGE_MAX)? {
            let Ok(game) = archive.correspondence(id, books) else { continue };
            let roles = game.state.setting().terms.players.played_by(&player.name);
            let waiting = roles.into_iter().find(|role| waits_for(&game.state, *role));
            parts.extend(waiting.map(|role| desk.part(&game, role, now)));
        }
    }
    let games = match parts.is_empty() {
        true => "No game waits for you.".to_owned(),
        false => parts.join("\n\n"),
    };
    let body = format!("your mail was not taken: {why}.\n\n{games}");
    answered
        .letters
        .extend(desk.letter(&player.name, subject, &body).map(|letter| Letter { answers, ..letter }));
    Ok(())
}

/// Changes a game as the lines of a mail say, or says why not. Gives the game after it and whose act it was.
fn taken(
    archive: &Archive,
    books: Books<'_>,
    desk: &Desk<'_>,
    game: &Correspondence,
    (received, lines, is_only): (&Received, &[Coded], bool),
) -> Result<Result<(Correspondence, Owner), Refusal>, ArchiveError> {
    let (player, signature, line) = match proof(desk, game, lines) {
        Ok(proof) => proof,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let refuse = |why: String| Ok(Err(Refusal { why, player: Some(player) }));
    let filled: Vec<&Coded> = lines.iter().filter(|line| !line.rest.is_empty()).collect();
    if filled.iter().any(|other| other.rest != line.rest) {
        return refuse("it has several answers to one game; send one".to_owned());
    }
    let position = game.state.position();
    let wish = match line.rest.as_str() {
        "" if is_only => among(&received.lines, &position, player),
        "" => Err("the line has no ply".to_owned()),
        rest => wish::read(rest, &position, player).map(|wish| {
            // It stands where the ply stands, so that it was meant to be one.
            wish.unwrap_or_else(|| Wish::Ply { text: rest.to_owned(), offers_draw: false })
        }),
    };
    let wish = match wish {
        Ok(wish) => wish,
        Err(why) => return refuse(why),
    };
    let command = wish.command(&game.state, player, signature);
    let act = Act { id: game.id, head: game.head(), by: Some(player), command, token: None, request: None };
    match archive.act(act, books) {
        Ok(acted) => Ok(Ok((acted.game, player))),
        Err(ActError::Archive(error)) => Err(error),
        Err(ActError::Refused(refused)) => refuse(refused.explained()),
        Err(error) => refuse(error.to_string()),
    }
}

/// Whose answer it is, by the code or the signature, with the signature and the line that has it.
fn proof<'l>(
    desk: &Desk<'_>,
    game: &Correspondence,
    lines: &'l [Coded],
) -> Result<(Owner, Option<String>, &'l Coded), Refusal> {
    let read = |line: &'l Coded| Some((desk.codes.read(game, &line.code)?, line));
    let mut known: Vec<(ReplyCode, &Coded)> = lines.iter().filter_map(read).collect();
    // What a reply quotes comes after what it says.
    known.sort_by_key(|(code, line)| (matches!(code, ReplyCode::Old(_)), line.rest.is_empty()));
    match known.first() {
        Some((ReplyCode::Present(player), line)) => return Ok((*player, None, line)),
        Some((ReplyCode::Old(player), _)) => {
            let why = "the line is from an earlier position, or was answered before".to_owned();
            return Err(Refusal { why, player: Some(*player) });
        }
        None => {}
    }
    let signs = |player: &Owner| game.state.key(*player).is_some();
    let signer = game.state.to_act().into_iter().find(signs);
    let signed = lines.iter().find(|line| !line.rest.is_empty() && is_signature(&line.code));
    match (signer, signed) {
        (Some(player), Some(line)) => Ok((player, Some(line.code.clone()), line)),
        _ => Err(Refusal::from("its code is none of this game".to_owned())),
    }
}

/// True for what has the form of a signature: 64 bytes in Base64.
fn is_signature(code: &str) -> bool {
    code.len() == 88 && code.ends_with("==")
}

/// What the acts of a game after the first `before` ones were.
fn what_happened(game: &Correspondence, player: Owner, before: usize) -> String {
    let new = &game.acts[before.min(game.acts.len())..];
    let acts = new.iter().map(|act| {
        let who = act.event.by.map_or_else(String::new, |by| format!("{} ", by.name()));
        match act.event.what.coord() {
            Some(coord) => format!("{who}{coord}"),
            None => format!("{who}{}", done(&act.event.what)),
        }
    });
    let acts: Vec<String> = acts.collect();
    if acts.is_empty() { format!("{}: nothing new", player.name()) } else { acts.join(", ") }
}

/// An act other than a ply, in a few words.
fn done(what: &What) -> String {
    match what {
        What::Claimed { claim, upheld, .. } => {
            let verdict = match upheld {
                Some(true) => "which is right",
                Some(false) => "which is false",
                None => "which waits for an answer",
            };
            format!("claimed {}, {verdict}", claim.name())
        }
        What::Offered { offer } => format!("offered {offer}"),
        What::Ended { result, cause } => format!("ended {} by {cause}", result.as_str()),
        what => what.kind().to_owned(),
    }
}

/// Letters after a change: to the player who made it, to those who have something new to do, and to all at the end.
fn tell(
    desk: &Desk<'_>,
    (before, game): (&Correspondence, &Correspondence),
    (by, said): (Owner, &str),
    received: &Received,
    answered: &mut Answered,
) {
    let state = &game.state;
    let now = game.acts.last().map_or(0, |act| act.event.at);
    let is_over = state.end().is_some();
    let is_same = state.plies() == before.state.plies() && state.offer() == before.state.offer();
    for (player, _) in state.setting().terms.players.all() {
        let waits = waits_for(state, player);
        let part = || desk.part(game, player, now);
        if player == by {
            let rest = if is_over || waits { part() } else { String::new() };
            let body = format!("your answer was taken: {said}.\n\n{rest}");
            write(desk, game, player, (heading(game), &body), Some(received), answered);
        } else if is_over || waits && !(is_same && waits_for(&before.state, player)) {
            write(desk, game, player, (heading(game), &part()), None, answered);
        }
    }
}

/// Writes to a player of a game.
fn write(
    desk: &Desk<'_>,
    game: &Correspondence,
    player: Owner,
    (subject, body): (String, &str),
    received: Option<&Received>,
    answered: &mut Answered,
) {
    let Some(name) = game.state.setting().terms.players.name(player) else { return };
    match desk.letter(name, subject, body) {
        Some(letter) => {
            let answers = received.and_then(|received| received.id.clone());
            answered.letters.push(Letter { answers, ..letter });
        }
        None => answered.without_address.push(name.to_owned()),
    }
}

/// The only wish in the player's own lines.
///
/// # Errors
/// If there is none, or more than one.
fn among(lines: &[Line], position: &Position, by: Owner) -> Result<Wish, String> {
    let mut found: Option<Wish> = None;
    let own: Vec<&Line> = lines.iter().take(LINES_MAX).filter(|line| !line.is_quoted).collect();
    for line in &own {
        let Some(wish) = wish::read(&line.text, position, by)? else { continue };
        match &found {
            Some(other) if *other != wish => {
                return Err("it has several plies or words on lines of their own; send one".to_owned());
            }
            _ => found = Some(wish),
        }
    }
    if let Some(wish) = found {
        return Ok(wish);
    }
    match own.as_slice() {
        // All that was written was meant to be the ply; why it is none is of interest.
        [only] if only.text.split_whitespace().count() == 1 => {
            Ok(Wish::Ply { text: only.text.clone(), offers_draw: false })
        }
        _ => Err("it has no ply on a line of its own".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::Rules;

    fn lines(text: &str) -> Vec<Line> {
        text.lines().map(|text| Line { text: text.to_owned(), is_quoted: false }).collect()
    }

    fn ply(text: &str) -> Wish {
        Wish::Ply { text: text.to_owned(), offers_draw: false }
    }

    #[test]
    fn a_letter_has_one_wish_or_none() {
        let position = Position::start(&Rules::named("chess").unwrap());
        for (text, wish) in [
            ("Dear Ben,\nmy move is below.\n\n12. e4\n\nBest wishes\nAnn", Ok(ply("e4"))),
            ("e4\ne4", Ok(ply("e4"))),
            ("Nfg9", Ok(ply("Nfg9"))),
            ("e4 e5", Err("more than one ply")),
            ("e4\nNf3", Err("several plies")),
            ("e4\nresign", Err("several plies")),
            ("Hello Ben, how are you?", Err("no ply on a line")),
            ("", Err("no ply on a line")),
        ] {
            let found = among(&lines(text), &position, Owner::White);
            match (&found, &wish) {
                (Ok(found), Ok(wish)) => assert_eq!(found, wish, "{text}"),
                (Err(found), Err(why)) => assert!(found.contains(why), "{text}: {found}"),
                _ => panic!("{text}: {found:?}, not {wish:?}"),
            }
        }
    }
}
