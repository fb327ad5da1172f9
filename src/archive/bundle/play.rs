//! What a bundle shows of the play: its rules, complete, and its plies. By these rules anyone can judge its texts.

use super::{Bundle, Bundled};
use crate::error::ArchiveError;
use crate::identity::{GameId, Header, Play, to_hex};
use crate::log::{Checkpoint, Kind, Leaf, LogError, Private};
use crate::rules_text;
use crate::submission::Submission;
use crate::verify::difference;
use ferz_core::rules::{Registry, RulesId};
use ferz_records::record::{Record, read};
use ferz_records::replay::{Options, Replayer, Report, Source};
use serde::{Deserialize, Serialize};

/// The play, which is the same for all texts of an entry. Each submission's event has its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BundledPlay {
    /// The event that stored the rules it was judged by; absent if it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<Bundled>,
    /// An extended FEN; empty if the game could not be judged.
    pub(crate) start: String,
    /// The legal plies in coordinate notation, separated by spaces.
    pub(crate) moves: String,
}

/// The rules that a game was judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundledRules<'b> {
    /// Their identity.
    pub id: RulesId,
    /// A definition file in TOML, which needs no other file.
    pub definition: &'b str,
}

impl BundledRules<'_> {
    /// The current games, preceded by these rules.
    fn registry(&self) -> Result<Registry, LogError> {
        rules_text::registry(self.definition).map_err(unread)
    }
}

/// Why this version cannot judge again.
fn unread(error: ArchiveError) -> LogError {
    LogError::malformed("bundle", error.to_string())
}

impl BundledPlay {
    /// The rules, as their event names them; `None` if there are none, or the event is no such one.
    pub(super) fn rules(&self) -> Option<BundledRules<'_>> {
        let event = self.rules.as_ref()?;
        let leaf: Leaf<'_> = serde_json::from_str(&event.leaf).ok()?;
        let (Kind::Rules, Some(name), Some(edition)) = (leaf.kind, leaf.name, leaf.edition) else {
            return None;
        };
        let id = RulesId { name: name.into(), edition: edition.into(), digest: leaf.id.into() };
        Some(BundledRules { id, definition: event.definition.as_deref()? })
    }

    /// The digest of the whole definition, as the event of the rules has it.
    pub(super) fn whole(&self) -> Option<String> {
        let leaf: Leaf<'_> = serde_json::from_str(&self.rules.as_ref()?.leaf).ok()?;
        Some(leaf.definition?.into())
    }

    /// Checks that the log had the event of the rules under the signed head, and that it stored these rules.
    pub(super) fn check_rules(&self, checkpoint: &str, head: &Checkpoint) -> Result<(), LogError> {
        let Some(event) = &self.rules else { return Ok(()) };
        event.proved_definition(checkpoint, head)?;
        // It names them as well.
        match self.rules() {
            Some(_) => Ok(()),
            None => Err(event.opening("the definition")),
        }
    }

    /// The key that the leaves about an entry state; `None` if its id is none. The legal plies of a record that is not
    /// legal, `is_legal` says, do not tell what was played: then no other entry has the play.
    pub(super) fn key(&self, is_legal: bool, entry: &str) -> Option<String> {
        let entry: GameId = entry.parse().ok()?;
        let text_key = (!is_legal || self.start.is_empty()).then_some([0; 16]);
        let play = Play { start: self.start.as_str().into(), moves: self.moves.clone(), text_key };
        Some(to_hex(&play.logged_key(self.rules().map(|rules| rules.id).as_ref(), entry)))
    }
}

/// A text of a bundle, judged again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedAgain {
    /// The number of the event that submitted it.
    pub index: u64,
    /// The first fact in which this version judges it otherwise.
    pub otherwise: Option<String>,
}

impl Bundled {
    /// How the text was to be read, and the report that was stored with it; `None` if the bundle does not show it.
    fn as_stored(&self) -> Option<(Options, Option<Report>)> {
        let private: Private<'_> = serde_json::from_str(self.private.as_deref()?).ok()?;
        let options = Options {
            variant: private.variant.map(Into::into),
            style: private.style.and_then(|style| style.parse().ok()),
            let_stand: private.let_stand == Some(1),
            ..Options::default()
        };
        let report = self.report.as_deref().and_then(|report| serde_json::from_str(report).ok());
        Some((options, report))
    }
}

impl Bundle {
    /// The rules that the game was judged by; `None` if it could not be judged.
    pub fn rules(&self) -> Option<BundledRules<'_>> {
        self.play.rules()
    }

    /// Judges the texts again by the rules in the bundle, and compares the facts with the reports in it.
    ///
    /// # Errors
    /// If this version cannot read the rules.
    pub fn judge_again(&self) -> Result<Vec<JudgedAgain>, LogError> {
        let stored = self.rules().map(|rules| rules.registry()).transpose()?;
        let registry = stored.as_ref().unwrap_or_else(|| Registry::built_in());
        let judged = self.submissions().map(|(event, leaf, text)| {
            let otherwise = match read(text, 0).next() {
                Some(record) => self.otherwise(registry, event, &leaf, &record).map_err(unread)?,
                None => Some("this version finds no game in the text".to_owned()),
            };
            Ok(JudgedAgain { index: event.index, otherwise })
        });
        judged.collect()
    }

    fn otherwise(
        &self,
        registry: &Registry,
        event: &Bundled,
        leaf: &Leaf<'_>,
        record: &Record<'_>,
    ) -> Result<Option<String>, ArchiveError> {
        let Some((options, before)) = event.as_stored() else {
            return Ok(Some("the bundle does not show how the text was to be read".to_owned()));
        };
        let rules = leaf.game.as_ref().and_then(|game| game.rules.as_deref());
        if rules != self.play.whole().as_deref() {
            let why = "it was judged by another definition of these rules, which the bundle does not have";
            return Ok(Some(why.to_owned()));
        }
        let mut replayer = Replayer::new(registry, options);
        let today = Submission::judge(&mut replayer, record, &Source::new(record.source(), 0, 0))?;
        let Some(before) = before else {
            return Ok(Some("the report on the text is of another version".to_owned()));
        };
        let stated = leaf.game.as_ref().map(|game| &*game.play);
        let logged = self.game.parse().map(|id: GameId| to_hex(&today.logged_play(id))).ok();
        let play = || (stated != logged.as_deref()).then(|| "the plies differ".to_owned());
        let entry = || (!self.has_tags(&today.header)).then(|| "the tags are read otherwise".to_owned());
        Ok(difference(&before, today.report()).or_else(play).or_else(entry))
    }

    /// True if these are the tags of the entry, which its first event has. The site may differ.
    fn has_tags(&self, header: &Header) -> bool {
        let private = self.events.first().and_then(|first| first.private.as_deref());
        let private: Option<Private<'_>> = private.and_then(|private| serde_json::from_str(private).ok());
        let (Some(game), Some(private)) = (self.first_facts(), private) else { return false };
        let Header { white, black, nature, event, site: _, date, round, result } = header;
        let said = [&private.white, &private.black, &private.event, &private.date, &private.round];
        said.into_iter().map(Option::as_deref).eq([white, black, event, date, round].map(|tag| Some(&**tag)))
            && private.nature.as_deref() == nature.as_deref()
            && game.result == *result
    }

    /// The events that submitted a text.
    fn submissions(&self) -> impl Iterator<Item = (&Bundled, Leaf<'_>, &[u8])> {
        self.events.iter().filter_map(|event| {
            let leaf = serde_json::from_str(&event.leaf).ok()?;
            Some((event, leaf, event.text.as_ref()?.bytes()))
        })
    }
}
