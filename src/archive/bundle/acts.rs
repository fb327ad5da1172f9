//! A game that was played here, with everything that happened, in one file that is checked without the archive: every
//! event is in the signed log, and the game follows from the events by its rules.

use super::{Bundled, Bytes};
use crate::Archive;
use crate::correspondence::{ActError, Books, CorrespondenceId, check_at};
use crate::error::ArchiveError;
use crate::log::{Checkpoint, Kind, LogError, Private, Receipt, VerifierKey, leaf_hash, private_commitment};
use crate::rules_text;
use ferz_core::board::Owner;
use ferz_correspondence::{Event, Setting, State, What, check_draws};
use ferz_records::clock::Policies;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The format of such a bundle.
const FORMAT: &str = "ferz-played@v1";

/// How every such bundle begins.
const FIRST: &str = "{\"format\":\"ferz-played";

/// A game that was played here, with all its events and the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedBundle {
    format: String,
    /// The id of the game in progress.
    correspondence: String,
    /// The signed head under which all events are proved.
    checkpoint: String,
    /// The event that stored the rules, with their definition.
    rules: Bundled,
    events: Vec<Bundled>,
}

impl PlayedBundle {
    pub(crate) fn new(
        id: CorrespondenceId,
        checkpoint: String,
        rules: Bundled,
        events: Vec<Bundled>,
    ) -> PlayedBundle {
        PlayedBundle { format: FORMAT.to_owned(), correspondence: id.to_string(), checkpoint, rules, events }
    }

    /// True if a text is such a bundle, whole or not.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(FIRST)
    }

    /// The signed head.
    pub fn checkpoint(&self) -> &str {
        &self.checkpoint
    }

    /// A receipt of each event.
    pub fn receipts(&self) -> Vec<Receipt> {
        self.events.iter().map(|event| event.receipt(&self.checkpoint)).collect()
    }

    /// The definition of the rules, which needs no other file.
    pub fn rules(&self) -> Option<&str> {
        self.rules.definition.as_deref()
    }

    /// Checks that the log had all events under a signed head, that they are the first ones about the game without a
    /// gap, that they are what their leaves commit to, and that the game follows from them by its rules and policies.
    /// Returns the game.
    ///
    /// # Errors
    /// If anything is not proved, or a policy of the game is not among these.
    pub fn leads_to(&self, head: &Checkpoint, policies: &Policies) -> Result<State, LogError> {
        let definition = self.rules.proved_definition(&self.checkpoint, head)?;
        let mut events = Vec::with_capacity(self.events.len());
        let leaves: Vec<_> = self.events.iter().map(|event| leaf_hash(event.leaf.as_bytes())).collect();
        let mut before: Option<&Bundled> = None;
        for (place, event) in self.events.iter().enumerate() {
            event.receipt(&self.checkpoint).leads_to(head)?;
            events.push(self.opened(event, place, before)?);
            before = Some(event);
        }
        let id = self
            .correspondence
            .parse()
            .map_err(|_| LogError::malformed("bundle", "it has no id of a game"))?;
        (0..events.len()).try_for_each(|place| check_at(id, &events, place, &leaves))?;
        let wrong = |why: String| LogError::malformed("bundle", why);
        let Some(What::Created { terms, policies: kept }) = events.first().map(|event| &event.what) else {
            return Err(wrong("its first event does not create the game".to_owned()));
        };
        let registry = rules_text::registry(definition).map_err(|error| wrong(error.to_string()))?;
        let policies = policies.with_kept(kept.iter().map(String::as_str));
        let setting = Setting::of_terms((**terms).clone(), &registry, &policies);
        let setting = setting.map_err(|error| wrong(error.to_string()))?;
        check_draws(&setting, &self.correspondence, &events).map_err(|error| wrong(error.to_string()))?;
        State::of(setting, &events).map_err(|error| wrong(error.to_string()))
    }

    /// What happened in an event, which must be at this place and what its leaf commits to.
    fn opened(&self, event: &Bundled, place: usize, before: Option<&Bundled>) -> Result<Event, LogError> {
        let wrong = |what: &str| event.opening(what);
        let leaf = event.leaf_at(&self.correspondence, place, before)?;
        if leaf.kind != Kind::Act {
            return Err(wrong("the place in the history of the game"));
        }
        let salt = event.salt.as_ref().and_then(Bytes::salt).ok_or_else(|| wrong("the salt"))?;
        let private = event.private.as_deref().ok_or_else(|| wrong("what is private"))?;
        let is_bare = event.text.is_none() && event.report.is_none() && event.definition.is_none();
        if !is_bare || Some(private_commitment(&salt, private)) != leaf.private {
            return Err(wrong("what is private"));
        }
        let private: Private<'_> = serde_json::from_str(private).map_err(|_| wrong("what is private"))?;
        let what = private.act.and_then(|act| serde_json::from_str::<What>(&act).ok());
        let (what, facts) = what.zip(leaf.act).ok_or_else(|| wrong("the act"))?;
        let by = match facts.player.as_deref() {
            Some(player) => {
                let known = Owner::ALL.into_iter().find(|owner| owner.name().eq_ignore_ascii_case(player));
                Some(known.ok_or_else(|| wrong("the player"))?)
            }
            None => None,
        };
        if facts.kind != what.kind() || facts.coord.as_deref() != what.coord() {
            return Err(wrong("the act"));
        }
        let time = chrono::DateTime::parse_from_rfc3339(&leaf.time).map_err(|_| wrong("the time"))?;
        let at = u64::try_from(time.timestamp_millis()).map_err(|_| wrong("the time"))?;
        Ok(Event { at, by, what })
    }
}

impl fmt::Display for PlayedBundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

impl FromStr for PlayedBundle {
    type Err = LogError;

    fn from_str(text: &str) -> Result<PlayedBundle, LogError> {
        let wrong = |why: String| LogError::malformed("bundle", why);
        let bundle: PlayedBundle = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if bundle.format != FORMAT {
            return Err(wrong(format!("its format is not `{FORMAT}`; use a later version of this program")));
        }
        // One spelling for one content.
        match bundle.to_string() == text {
            true => Ok(bundle),
            false => Err(wrong("it is not written as the program writes it".to_owned())),
        }
    }
}

impl Archive {
    /// A game that was played here, with the proof of everything that happened; `None` if there is no such game.
    ///
    /// # Errors
    /// If the archive cannot be read, or what it has does not prove the game.
    pub fn played_bundle(
        &self,
        id: CorrespondenceId,
        books: Books<'_>,
    ) -> Result<Option<PlayedBundle>, ActError> {
        let Some(bundle) = self.store().played_bundle(id, self.limit())? else { return Ok(None) };
        let damaged = |error: LogError| ArchiveError::Corrupt(format!("the game {id}: {error}"));
        let key: VerifierKey = self.log_key()?.parse().map_err(damaged)?;
        let head = Checkpoint::open(&bundle.checkpoint, &key).map_err(damaged)?;
        bundle.leads_to(&head, books.1).map_err(damaged)?;
        Ok(Some(bundle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Act, TokenId};
    use ferz_core::rules::Registry;
    use ferz_correspondence::{Command, Players, Proposal};

    fn bundle() -> (PlayedBundle, Checkpoint) {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("a.ferz")).unwrap();
        let books = (Registry::built_in(), &**Policies::built_in());
        let token = Some(TokenId { name: "ann".into(), event: 1 });
        let players = Players { white: "Ann".into(), black: "Ben".into(), nature: Some("Brown".into()) };
        let proposal = Proposal { variant: "chaos+iago-b".into(), players, ..Proposal::default() };
        let made = archive.create_correspondence(proposal, (token.clone(), None), books).unwrap();
        let (id, terms) = (made.game.id, made.game.state.setting().terms.digest());
        let act = |by, command| {
            let head = archive.correspondence(id, books).unwrap().head();
            let act = Act { id, head, by: Some(by), command, token: token.clone(), request: None };
            archive.act(act, books).unwrap();
        };
        for player in Owner::ALL {
            act(player, Command::Accept { terms: terms.clone() });
        }
        for text in ["e4", "e5", "Nf3/M", "Nc6", "Bc4"] {
            let by = archive.correspondence(id, books).unwrap().state.to_act()[0];
            act(by, Command::Ply { text: text.into(), offer: None, signature: None });
        }
        act(Owner::Nature, Command::Ply { text: "a4=N".into(), offer: None, signature: None });
        act(Owner::Black, Command::Resign);
        let bundle = archive.played_bundle(id, books).unwrap().unwrap();
        let key: VerifierKey = archive.log_key().unwrap().parse().unwrap();
        let head = Checkpoint::open(bundle.checkpoint(), &key).unwrap();
        (bundle, head)
    }

    #[test]
    fn a_bundle_proves_the_game() {
        let (bundle, head) = bundle();
        let again: PlayedBundle = bundle.to_string().parse().unwrap();
        let state = again.leads_to(&head, Policies::built_in()).unwrap();
        assert_eq!(state.plies().len(), 6);
        assert_eq!(state.end().unwrap().cause, "resignation");
        assert!(
            PlayedBundle::is_one(&bundle.to_string()) && !super::super::Bundle::is_one(&bundle.to_string())
        );
    }

    #[test]
    fn what_is_changed_moved_or_left_out_is_refused() {
        let (bundle, head) = bundle();
        let refused = |change: &dyn Fn(&mut PlayedBundle)| {
            let mut other = bundle.clone();
            change(&mut other);
            other.leads_to(&head, Policies::built_in()).is_err()
        };
        assert!(!refused(&|_| ()));
        assert!(refused(&|bundle| drop(bundle.events.remove(4))));
        assert!(refused(&|bundle| bundle.events.swap(4, 5)));
        assert!(refused(&|bundle| bundle.correspondence = "0".repeat(32)));
        assert!(refused(&|bundle| bundle.rules.definition = Some("name = \"x\"".into())));
        for index in 0..bundle.events.len() {
            let edit = |edit: &dyn Fn(&mut Bundled)| refused(&|bundle| edit(&mut bundle.events[index]));
            assert!(edit(&|event| {
                let digit = event.leaf.find(|c: char| c.is_ascii_digit()).unwrap();
                let other = if event.leaf[digit..].starts_with('3') { "4" } else { "3" };
                event.leaf.replace_range(digit..=digit, other);
            }));
            assert!(edit(
                &|event| event.private = event.private.as_ref().map(|json| json.replace("Ann", "Cleo") + " ")
            ));
            assert!(edit(&|event| event.salt = Some(Bytes(vec![0; 16]))));
            assert!(edit(&|event| event.proof.clear()));
            assert!(edit(&|event| event.report = Some(String::new())));
        }
        // Any byte that is changed is noticed, by the form or by the proof.
        let text = bundle.to_string();
        for at in (0..text.len()).step_by(97) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            let proved = changed.parse().is_ok_and(|bundle: PlayedBundle| {
                bundle.checkpoint() == self::bundle_checkpoint(&text)
                    && bundle.leads_to(&head, Policies::built_in()).is_ok()
            });
            assert!(!proved, "byte {at}");
        }
    }

    fn bundle_checkpoint(text: &str) -> String {
        text.parse::<PlayedBundle>().unwrap().checkpoint
    }
}
