//! What a player writes, in a letter or at a terminal, as a command of the rules of play.

use ferz::Position;
use ferz::board::Owner;
use ferz::correspondence::{ClaimName, Command, OfferKind, State, Status};
use ferz::position::Reason;

/// Something that a player wants to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// To accept the terms, an offer or a claim.
    Accept,
    /// To reject an offer or a claim; for Nature, to let her chance pass.
    Decline,
    /// To resign.
    Resign,
    /// To offer a draw, or to agree to one.
    Draw,
    /// For Nature, to call for her turn.
    Call,
    /// To call a time-out.
    TimeOut,
    /// To claim something that is decided at once.
    Claim(ClaimName),
    /// To register a key that signs the player's plies.
    Key(String),
    /// To make a ply.
    Ply {
        /// The ply, in any style.
        text: String,
        /// True to offer a draw with it.
        offers_draw: bool,
    },
}

impl Wish {
    /// The command that says so in a game.
    pub fn command(self, state: &State, by: Owner, signature: Option<String>) -> Command {
        let answers_claim = state.open_dispute().is_some_and(|dispute| dispute.by != by)
            || state.appealable_until().is_some();
        match self {
            Wish::Accept if state.status() == Status::AwaitingAcceptance => {
                Command::Accept { terms: state.setting().terms.digest() }
            }
            Wish::Accept | Wish::Decline if answers_claim => {
                Command::AnswerClaim { accept: self == Wish::Accept, because: None }
            }
            Wish::Accept => Command::Answer { accept: true },
            Wish::Decline if by == Owner::Nature => Command::Decline,
            Wish::Decline => Command::Answer { accept: false },
            Wish::Resign => Command::Resign,
            Wish::Draw => Command::Offer(OfferKind::Draw),
            Wish::Call => Command::Call,
            Wish::TimeOut => Command::TimeOut,
            Wish::Key(vkey) => Command::Register { vkey },
            Wish::Claim(claim) => Command::Claim { claim, intended: None, check: None },
            Wish::Ply { text, offers_draw } => {
                Command::Ply { text, offer: offers_draw.then_some(OfferKind::Draw), signature }
            }
        }
    }
}

/// What is written in a line that is nothing else; `None` if it is a sentence.
///
/// # Errors
/// If it is more than one ply, or a claim that no mail can make.
pub fn read(line: &str, position: &Position, by: Owner) -> Result<Option<Wish>, String> {
    let line = line.trim().trim_end_matches(['.', '!', '?']).trim();
    let line = match line.split_once(char::is_whitespace) {
        Some((number, rest)) if without_number(number).is_empty() => rest.trim(),
        _ => line,
    };
    if let Some(word) = word(&line.to_lowercase()) {
        return Ok(Some(word));
    }
    if let Some(name) = line.to_lowercase().strip_prefix("claim ") {
        return claim(name.trim()).map(|claim| Some(Wish::Claim(claim)));
    }
    if let Some(key) = line.strip_prefix("key ").filter(|key| key.contains('+')) {
        return Ok(Some(Wish::Key(key.trim().to_owned())));
    }
    let words: Vec<&str> =
        line.split_whitespace().map(without_number).filter(|word| !word.is_empty()).collect();
    let (words, offers_draw) = match words.as_slice() {
        [plies @ .., last] if is_draw(last) && !plies.is_empty() => (plies, true),
        all => (all, false),
    };
    // Notations with blanks in them, and those that no word of a letter looks like.
    let whole = words.join(" ");
    if !whole.is_empty() && position.read_by(by, &whole).is_ok() {
        return Ok(Some(Wish::Ply { text: whole, offers_draw }));
    }
    match words {
        [ply] if is_ply(ply, position, by) => Ok(Some(Wish::Ply { text: (*ply).to_owned(), offers_draw })),
        [_, _, ..] if words.iter().all(|word| is_ply(word, position, by)) => {
            Err(format!("`{whole}` is more than one ply"))
        }
        _ => Ok(None),
    }
}

fn word(line: &str) -> Option<Wish> {
    Some(match line {
        "accept" | "agree" | "agreed" | "accepted" => Wish::Accept,
        "decline" | "reject" => Wish::Decline,
        "resign" | "i resign" => Wish::Resign,
        "draw" | "offer draw" | "i offer a draw" => Wish::Draw,
        "call" => Wish::Call,
        "time-out" => Wish::TimeOut,
        _ => return None,
    })
}

fn is_draw(word: &str) -> bool {
    matches!(word.to_lowercase().trim_end_matches('?'), "draw" | "(=)" | "{draw}" | "(draw)")
}

/// A claim by its name: one that is decided at once. Others need an explanation that no line has.
fn claim(name: &str) -> Result<ClaimName, String> {
    let claim: Option<ClaimName> = serde_json::from_value(name.into()).ok();
    match claim {
        Some(claim @ (ClaimName::OnBoard(_) | ClaimName::ByClock(_))) => Ok(claim),
        Some(ClaimName::Judged(_)) => Err(format!(
            "`{name}` is a claim on which people decide; make it at the service, or write to the arbiter"
        )),
        None => Err(format!("`{}` is no claim", name.escape_debug())),
    }
}

/// A word without the number of the move before it: `12.`, `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = rest.len() < word.len() && rest.starts_with(['.', '…']);
    if is_number { rest.trim_start_matches(['.', '…']) } else { word }
}

/// True for what can be read as a ply, legal or not.
fn is_ply(word: &str, position: &Position, by: Owner) -> bool {
    match position.read_by(by, word) {
        Ok(_) => true,
        Err(fault) => !matches!(fault.reason, Reason::Unreadable | Reason::NoSuchKind | Reason::GameOver),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::Rules;

    fn ply(text: &str) -> Wish {
        Wish::Ply { text: text.to_owned(), offers_draw: false }
    }

    #[test]
    fn a_line_is_a_wish_or_a_sentence() {
        let position = Position::start(&Rules::named("chess").unwrap());
        for (line, wish) in [
            ("Nf3", Ok(Some(ply("Nf3")))),
            ("1. Nf3", Ok(Some(ply("Nf3")))),
            ("1.Nf3!", Ok(Some(ply("Nf3")))),
            ("e4 draw?", Ok(Some(Wish::Ply { text: "e4".to_owned(), offers_draw: true }))),
            ("Resign.", Ok(Some(Wish::Resign))),
            ("claim threefold_repetition", Ok(Some(Wish::Claim(claim("threefold_repetition").unwrap())))),
            // Illegal, but a ply: the rules say why it is refused.
            ("Nf6", Ok(Some(ply("Nf6")))),
            ("e4 e5", Err("more than one ply")),
            ("1. e4 e5 2. Nf3", Err("more than one ply")),
            ("Hello Ben, how are you?", Ok(None)),
            ("Best wishes", Ok(None)),
            ("", Ok(None)),
            ("claim forced_win", Err("people decide")),
            ("claim victory", Err("no claim")),
        ] {
            let found = read(line, &position, Owner::White);
            match (&found, &wish) {
                (Ok(found), Ok(wish)) => assert_eq!(found, wish, "{line}"),
                (Err(found), Err(why)) => assert!(found.contains(why), "{line}: {found}"),
                _ => panic!("{line}: {found:?}, not {wish:?}"),
            }
        }
    }
}
