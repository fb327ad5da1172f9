//! Bundles: a game with the proof of everything that the log says about it, in one file that is checked without the
//! archive.

mod acts;
mod play;

use super::Archive;
use super::error::ArchiveError;
use super::identity::{GameId, to_hex};
use super::log::{
    Checkpoint, Commitment, GameFacts, Kind, Leaf, LogError, Receipt, Salt, VerifierKey, commitment,
    leaf_hash, private_commitment,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferz_core::rules::digest_of_file;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

pub use acts::PlayedBundle;
pub(super) use play::BundledPlay;
pub use play::{BundledRules, JudgedAgain};

/// The format of a bundle.
const FORMAT: &str = "ferz-bundle@v1";

/// How every bundle begins.
const FIRST: &str = "{\"format\":\"ferz-bundle";

/// A game of an archive with the events about it, and all that opens their commitments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    format: String,
    /// The id of the game.
    game: String,
    /// The signed head under which all events are proved.
    checkpoint: String,
    play: BundledPlay,
    events: Vec<Bundled>,
}

/// An event of a bundle, with what its commitments are to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bundled {
    pub(super) index: u64,
    /// The leaf, byte for byte.
    pub(super) leaf: String,
    /// The hashes beside the way from the leaf to the root.
    pub(super) proof: Vec<Commitment>,
    /// The salt of the commitments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) salt: Option<Bytes>,
    /// The text that was submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Content>,
    /// The report on it, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) report: Option<String>,
    /// What is private about the event, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) private: Option<String>,
    /// The definition of rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) definition: Option<String>,
}

/// A text, which need not be UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Other(Other),
}

/// Bytes in an object of their own, since they are no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Other {
    base64: Bytes,
}

/// Bytes as Base64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        STANDARD.decode(&*text).map(Bytes).map_err(serde::de::Error::custom)
    }
}

impl Bytes {
    fn salt(&self) -> Option<Salt> {
        self.0.as_slice().try_into().ok()
    }
}

impl Content {
    /// Bytes as text if they are UTF-8.
    pub(super) fn of(bytes: Vec<u8>) -> Content {
        match String::from_utf8(bytes) {
            Ok(text) => Content::Text(text),
            Err(error) => Content::Other(Other { base64: Bytes(error.into_bytes()) }),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Content::Text(text) => text.as_bytes(),
            Content::Other(Other { base64 }) => &base64.0,
        }
    }
}

impl Bundled {
    fn receipt(&self, checkpoint: &str) -> Receipt {
        Receipt {
            leaf: self.leaf.clone().into_bytes(),
            index: self.index,
            path: self.proof.iter().map(|hash| hash.0).collect(),
            checkpoint: checkpoint.to_owned(),
        }
    }

    fn opening(&self, what: &str) -> LogError {
        LogError::Opening { index: self.index, what: what.to_owned() }
    }

    /// The leaf of the event, which must be the one at this place about something with this id.
    fn leaf_at(&self, id: &str, place: usize, before: Option<&Bundled>) -> Result<Leaf<'_>, LogError> {
        let leaf: Leaf<'_> = serde_json::from_str(&self.leaf).map_err(|_| self.opening("the leaf"))?;
        let prev = before.map(|before| to_hex(&leaf_hash(before.leaf.as_bytes())));
        if leaf.id != id || leaf.sequence != place as u64 || leaf.prev.as_deref() != prev.as_deref() {
            return Err(self.opening("the place in the history of the game"));
        }
        Ok(leaf)
    }

    /// The definition of the event of rules, which the log must have had under the signed head.
    fn proved_definition(&self, checkpoint: &str, head: &Checkpoint) -> Result<&str, LogError> {
        self.receipt(checkpoint).leads_to(head)?;
        let wrong = || self.opening("the definition");
        let leaf: Leaf<'_> = serde_json::from_str(&self.leaf).map_err(|_| wrong())?;
        let definition = self.definition.as_deref().ok_or_else(wrong)?;
        let is_logged =
            leaf.kind == Kind::Rules && leaf.definition.as_deref() == Some(&*digest_of_file(definition));
        let is_bare =
            self.salt.is_none() && self.text.is_none() && self.report.is_none() && self.private.is_none();
        if is_bare && is_logged { Ok(definition) } else { Err(wrong()) }
    }

    /// Checks that the event is the one at this place about the game with this play, and that its leaf commits to
    /// everything shown.
    fn check(
        &self,
        game: &str,
        play: Option<&str>,
        rules: Option<&str>,
        place: usize,
        before: Option<&Bundled>,
    ) -> Result<(), LogError> {
        let wrong = |what: &str| self.opening(what);
        let leaf = self.leaf_at(game, place, before)?;
        // The first event of an entry has its play, and no event changes it.
        let stated = leaf.game.as_ref().map(|game| &*game.play);
        if stated.is_none() && place == 0 || stated.is_some() && stated != play {
            return Err(wrong("the play"));
        }
        if place == 0 && leaf.game.as_ref().and_then(|game| game.rules.as_deref()) != rules {
            return Err(wrong("the rules"));
        }
        let Some(salt) = self.salt.as_ref().and_then(Bytes::salt) else { return Err(wrong("the salt")) };
        let opened = |label: &str, bytes: Option<&[u8]>| {
            bytes.map(|bytes| commitment(&salt, label, &Sha256::digest(bytes).into()))
        };
        let game = leaf.game.as_ref();
        if opened("text", self.text.as_ref().map(Content::bytes)) != game.map(|game| game.text) {
            return Err(wrong("the text"));
        }
        if opened("report", self.report.as_deref().map(str::as_bytes)) != game.map(|game| game.report) {
            return Err(wrong("the report"));
        }
        if self.private.as_deref().map(|json| private_commitment(&salt, json)) != leaf.private {
            return Err(wrong("what is private"));
        }
        match &self.definition {
            Some(_) => Err(wrong("the definition")),
            None => Ok(()),
        }
    }
}

impl Bundle {
    /// A bundle of the events about a game, in their order.
    pub(super) fn new(game: GameId, checkpoint: String, play: BundledPlay, events: Vec<Bundled>) -> Bundle {
        Bundle { format: FORMAT.to_owned(), game: game.to_string(), checkpoint, play, events }
    }

    /// True if a text is a bundle, whole or not.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(FIRST)
    }

    /// Checks that the log had all events under the signed head, that they are the first ones about the game without a
    /// gap, and that texts, reports, rules and plies are those that were logged.
    ///
    /// # Errors
    /// If anything is not proved.
    pub fn verify(&self, key: &VerifierKey) -> Result<Checkpoint, LogError> {
        let head = Checkpoint::open(&self.checkpoint, key)?;
        self.leads_to(&head)?;
        Ok(head)
    }

    /// [`Bundle::verify`] under a head whose signature was checked before: that of [`checkpoint`](Bundle::checkpoint).
    ///
    /// # Errors
    /// If anything else is not proved.
    pub fn leads_to(&self, head: &Checkpoint) -> Result<(), LogError> {
        self.play.check_rules(&self.checkpoint, head)?;
        let play = self.play.key(self.is_legal(), &self.game);
        let (rules, mut before) = (self.play.whole(), None);
        for (place, event) in self.events.iter().enumerate() {
            event.receipt(&self.checkpoint).leads_to(head)?;
            event.check(&self.game, play.as_deref(), rules.as_deref(), place, before)?;
            before = Some(event);
        }
        match before {
            Some(_) => Ok(()),
            None => Err(LogError::malformed("bundle", "it has no event")),
        }
    }

    /// True if the leaves say that the record is legal, which each of them says of the same play.
    fn is_legal(&self) -> bool {
        self.first_facts().is_some_and(|game| game.legal == 1)
    }

    /// What the first leaf says about the game.
    fn first_facts(&self) -> Option<GameFacts<'_>> {
        let leaf: Leaf<'_> = serde_json::from_str(&self.events.first()?.leaf).ok()?;
        leaf.game
    }

    /// The signed head.
    pub fn checkpoint(&self) -> &str {
        &self.checkpoint
    }

    /// A receipt of each event.
    pub fn receipts(&self) -> Vec<Receipt> {
        self.events.iter().map(|event| event.receipt(&self.checkpoint)).collect()
    }

    /// The texts that were submitted, byte for byte, the first one first.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.events.iter().filter_map(|event| event.text.as_ref()).map(Content::bytes)
    }
}

impl fmt::Display for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

impl FromStr for Bundle {
    type Err = LogError;

    fn from_str(text: &str) -> Result<Bundle, LogError> {
        let wrong = |why: String| LogError::malformed("bundle", why);
        let bundle: Bundle = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if bundle.format != FORMAT {
            return Err(wrong(format!("its format is not `{FORMAT}`; use a later version of this program")));
        }
        // One spelling for one content: nothing can be changed, not even where JSON would allow it.
        match bundle.to_string() == text {
            true => Ok(bundle),
            false => Err(wrong("it is not written as `ferz archive bundle` writes it".to_owned())),
        }
    }
}

impl Archive {
    /// A game with the proof of everything that the log says about it; `None` if there is no such game.
    ///
    /// # Errors
    /// If the archive cannot be read or is damaged, or the game was forgotten.
    pub fn bundle(&self, id: GameId) -> Result<Option<Bundle>, ArchiveError> {
        self.check_remembered(id)?;
        let Some(bundle) = self.store().bundle(id, self.limit())? else { return Ok(None) };
        let damaged = |error: LogError| ArchiveError::Corrupt(format!("the game {id}: {error}"));
        let key: VerifierKey = self.log_key()?.parse().map_err(damaged)?;
        match bundle.verify(&key) {
            Ok(_) => Ok(Some(bundle)),
            Err(error) => Err(damaged(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Submission, Withdrawal};
    use ferz_core::rules::Registry;
    use ferz_records::record::read;
    use ferz_records::replay::{Options, Replayer, Source};

    fn submit(archive: &Archive, text: &[u8]) -> GameId {
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let record = read(text, 0).next().unwrap();
        let submission = Submission::judge(&mut replayer, &record, &Source::new(text, 0, 0)).unwrap();
        archive.submit(vec![submission]).unwrap()[0].id
    }

    /// A game with two texts, the second in Latin-1, that was withdrawn, among others.
    fn bundle() -> (Bundle, VerifierKey, GameId) {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("a.ferz")).unwrap();
        submit(&archive, b"[White \"Cleo\"]\n\n1. d4 *\n");
        let id = submit(&archive, b"[White \"Ann\"]\n[Site \"G\xc3\xb6\"]\n\n1. e4 e5 1-0\n");
        submit(&archive, b"1. c4 *\n");
        assert_eq!(submit(&archive, b"[White \"Ann\"]\n[Site \"G\xf6\"]\n\n1. e2e4 e7e5 1-0\n"), id);
        let because = "entered twice".to_owned();
        archive.withdraw(Withdrawal { id, successor: None, because, token: None, own: false }).unwrap();
        let key = archive.log_key().unwrap().parse().unwrap();
        let bundle = archive.bundle(id).unwrap().unwrap();
        assert_eq!(archive.bundle(GameId([7; 16])).unwrap(), None);
        (bundle, key, id)
    }

    #[test]
    fn a_bundle_shows_everything_and_is_proved() {
        let (bundle, key, id) = bundle();
        let text = bundle.to_string();
        let again: Bundle = text.parse().unwrap();
        assert_eq!(again, bundle);
        assert_eq!(again.verify(&key).unwrap().size, 7);
        assert_eq!((again.game, again.events.len()), (id.to_string(), 3));
        let texts: Vec<&[u8]> = bundle.texts().collect();
        assert_eq!(texts.len(), 2);
        assert!(texts[0].starts_with(b"[White \"Ann\"]\n[Site \"G\xc3\xb6\"]"));
        assert!(texts[1].starts_with(b"[White \"Ann\"]\n[Site \"G\xf6\"]"));
        assert!(bundle.events.iter().all(|event| event.private.is_some()));
        assert!(bundle.events[..2].iter().all(|event| event.report.is_some()));
        assert!(text.contains("entered twice"), "{text}");
        let other = crate::log::SigningKey::new(key.name(), &[1; 32]).unwrap();
        assert!(matches!(bundle.verify(other.verifier()), Err(LogError::OtherKey(_))));
    }

    #[test]
    fn every_changed_byte_is_refused() {
        let (bundle, key, _) = bundle();
        let text = bundle.to_string().into_bytes();
        let proved = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).ok()?;
            text.parse::<Bundle>().ok()?.verify(&key).ok()
        };
        assert!(proved(&text).is_some());
        for at in 0..text.len() {
            for change in [1, 0x20, 3] {
                let mut changed = text.clone();
                changed[at] ^= change;
                assert!(proved(&changed).is_none(), "byte {at}, {:?}", String::from_utf8_lossy(&changed));
            }
            assert!(proved(&[&text[..at], &text[at + 1..]].concat()).is_none(), "without byte {at}");
            assert!(proved(&[&text[..at], b" ", &text[at..]].concat()).is_none(), "a space at {at}");
        }
    }

    #[test]
    fn texts_are_judged_again() {
        let (bundle, _, _) = bundle();
        let again = bundle.judge_again().unwrap();
        let same = |index| JudgedAgain { index, otherwise: None };
        assert_eq!(again, [same(bundle.events[0].index), same(bundle.events[1].index)]);
        // What a server would have had to store to judge wrongly: the log binds it, and the rules do not lead to it.
        let mut changed = bundle.clone();
        let report = changed.events[1].report.as_mut().unwrap();
        *report = report.replace("\"plies\":2", "\"plies\":1");
        let otherwise = changed.judge_again().unwrap()[1].otherwise.clone();
        assert_eq!(otherwise.as_deref(), Some("plies: before 1, by this version 2"));
    }

    #[test]
    fn what_is_moved_or_left_out_is_refused() {
        let (bundle, key, _) = bundle();
        let refused = |change: &dyn Fn(&mut Bundle)| {
            let mut changed = bundle.clone();
            change(&mut changed);
            changed.verify(&key).is_err()
        };
        assert!(refused(&|bundle| bundle.events.clear()));
        assert!(refused(&|bundle| drop(bundle.events.remove(0))));
        assert!(refused(&|bundle| drop(bundle.events.remove(1))));
        assert!(refused(&|bundle| bundle.events.swap(0, 1)));
        assert!(refused(&|bundle| bundle.game = "0".repeat(32)));
        assert!(refused(&|bundle| bundle.events[0].text = None));
        assert!(refused(&|bundle| bundle.events[0].text = bundle.events[1].text.clone()));
        assert!(refused(&|bundle| bundle.events[0].salt = None));
        assert!(refused(&|bundle| bundle.events[2].text = Some(Content::Text(String::new()))));
        for event in 0..3 {
            assert!(refused(&|bundle| bundle.events[event].private = None));
            assert!(refused(&|bundle| bundle.events[event].private = Some("{ }".to_owned())));
            assert!(refused(&|bundle| bundle.events[event].report = Some("{}".to_owned())));
            assert!(refused(&|bundle| bundle.events[event].definition = Some(String::new())));
        }
        assert!(refused(&|bundle| bundle.events[0].report = None));
        assert!(refused(&|bundle| bundle.play.moves.push_str(" e7e5")));
        assert!(refused(&|bundle| bundle.play.rules = None));
        assert!(refused(&|bundle| {
            let rules = bundle.play.rules.as_mut().unwrap();
            rules.definition.as_mut().unwrap().push('\n');
        }));
        assert!(refused(&|bundle| bundle.play.rules.as_mut().unwrap().definition = None));
        assert!(refused(&|bundle| bundle.play.rules.as_mut().unwrap().report = Some(String::new())));
        assert!(refused(&|bundle| bundle.play.rules = Some(bundle.events[0].clone())));
        // The later events may be left out: a bundle shows a history up to some point.
        assert!(!refused(&|bundle| drop(bundle.events.pop())));
    }
}
