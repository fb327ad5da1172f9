//! What the players agree on before the first ply.

use crate::adopted::Adopted;
use crate::secret::OpenArmies;
use ferz_core::board::Owner;
use ferz_core::position::FenError;
use ferz_core::rules::definition::CapturesTo;
use ferz_core::rules::{Registry, RegistryError, RulesId, digest_of_file};
use ferz_records::clock::{Clocks, Policies, Policy, PolicyId};
use ferz_records::play::{Game, Position, Rules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The names of the players, as the holders of their tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// The player of Black.
    pub black: String,
    /// The third player, in games that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nature: Option<String>,
    /// The player of White.
    pub white: String,
}

impl Players {
    /// The name of a player.
    pub fn name(&self, player: Owner) -> Option<&str> {
        match player {
            Owner::White => Some(&self.white),
            Owner::Black => Some(&self.black),
            Owner::Nature => self.nature.as_deref(),
        }
    }

    /// Everyone who plays, in the order of their slots.
    pub fn all(&self) -> impl Iterator<Item = (Owner, &str)> {
        Owner::ALL.into_iter().filter_map(|player| Some((player, self.name(player)?)))
    }

    /// The sides that a person of this name plays: none, one, or several.
    pub fn played_by<'a>(&'a self, person: &'a str) -> impl Iterator<Item = Owner> + 'a {
        self.all().filter(move |(_, name)| *name == person).map(|(player, _)| player)
    }
}

/// The people who may see a game in progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Its players and arbiters.
    #[default]
    Players,
    /// Everyone who may read the archive.
    Public,
}

/// A game that someone wants to be played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Proposal {
    /// What was played elsewhere, of a game that continues here.
    pub adopted: Option<Adopted>,
    /// The name of the policy for clocks; `untimed` without it.
    pub clock: Option<String>,
    /// True if a secret number of each player is hashed into Nature's choices by lot, so that the service, which chose
    /// the seed, did not choose them.
    pub nonces: bool,
    /// The players.
    pub players: Players,
    /// The name of the policy for remedies; `plain` without it.
    pub policy: Option<String>,
    /// For Nature by lot instead of a third player: the digest of a seed ([`seed_digest`](crate::seed_digest)).
    pub seed: Option<String>,
    /// Tags of the record, of which some choose rules: `NatureRules`, `WhiteArmy`, `FEN`.
    pub tags: BTreeMap<String, String>,
    /// The name of the game, mutators first.
    pub variant: String,
    /// Its visibility.
    pub visibility: Visibility,
}

/// The agreement that all players accept before the first ply. Its digest binds them to the rules as well.
// The order of the fields is that of the keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// What was played elsewhere, of a game that continues here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adopted: Option<Adopted>,
    /// The policy for clocks.
    pub clock: PolicyId,
    /// The SHA-256 of the whole definition of the rules, words included.
    pub definition: String,
    /// True if each player commits to a secret number and reveals it before the first ply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nonces: bool,
    /// The players.
    pub players: Players,
    /// The policy for remedies.
    pub policy: PolicyId,
    /// The rules.
    pub rules: RulesId,
    /// True if each player commits to an army and reveals it before the first ply. `rules` are those of other armies
    /// until then; `definition` covers all of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret_armies: bool,
    /// The digest of the seed from which Nature's choices are drawn. The operator of the service can foresee them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// Tags of the record, of which some choose rules.
    pub tags: BTreeMap<String, String>,
    /// The name of the game, mutators first.
    pub variant: String,
    /// Its visibility.
    pub visibility: Visibility,
}

impl Terms {
    /// True if the players commit to secrets, and reveal them before the first ply.
    pub fn has_secrets(&self) -> bool {
        self.secret_armies || self.nonces
    }

    /// The digest that each player accepts: the SHA-256 of the terms as JSON, 64 hexadecimal digits.
    pub fn digest(&self) -> String {
        // Every field is text, so that writing cannot fail.
        digest_of_file(&serde_json::to_string(self).unwrap_or_default())
    }
}

/// The reason for which no game can have these terms.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProposalError {
    /// The game is unknown, or its tags make no sense.
    #[error(transparent)]
    Rules(#[from] RegistryError),
    /// The tag `FEN` is no position of the game.
    #[error("the tag `FEN`: {0}")]
    Start(FenError),
    /// There is no such policy.
    #[error("{0}")]
    Policy(String),
    /// A player is missing.
    #[error("`players.{}`: {why}", player.name())]
    Player {
        /// The side.
        player: Owner,
        /// The fault.
        why: &'static str,
    },
    /// What was played elsewhere cannot be continued.
    #[error("the record: {0}")]
    Adopted(String),
    /// A game on two boards.
    #[error("`variant`: the game is on two boards, and games in progress are on one")]
    TwoBoards,
    /// Secret numbers without a lot.
    #[error("`nonces`: the lot decides nothing in this game; leave them out")]
    Nonces,
    /// A tag that the terms say themselves.
    #[error("the tag `{0}` is not for `tags`: `variant`, `players` and the game itself say it")]
    Tag(String),
    /// Rules or a policy have changed since they were accepted.
    #[error(
        "the {what} `{name}` is not the one that the players accepted; its digest is {found}, not {agreed}"
    )]
    Changed {
        /// Rules or policy.
        what: &'static str,
        /// The name.
        name: String,
        /// The digest that the players accepted.
        agreed: String,
        /// The digest now.
        found: String,
    },
}

/// Tags that follow from the terms or from what happens.
pub(crate) const OWN_TAGS: [&str; 7] =
    ["Variant", "White", "Black", "Nature", "Result", "Termination", "RulesDigest"];

/// The longest name of a player, in bytes.
const NAME_BYTES_MAX: usize = 255;

/// Terms with the rules and policies that they name.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The terms.
    pub terms: Arc<Terms>,
    /// The rules.
    pub rules: Rules,
    /// The rules of the clocks.
    pub clocks: Clocks,
    /// The policy for remedies.
    pub policy: Arc<Policy>,
    /// The policy for clocks.
    clock: Arc<Policy>,
    /// The armies from which the players choose in secret.
    pub(crate) armies: Option<OpenArmies>,
}

impl Setting {
    /// The terms that a proposal leads to.
    ///
    /// # Errors
    /// If there is no such game or policy, a player is missing, or a tag makes no sense.
    pub fn of_proposal(
        proposal: Proposal,
        registry: &Registry,
        policies: &Policies,
    ) -> Result<Setting, ProposalError> {
        let Proposal { adopted, clock, nonces, players, policy, seed, tags, variant, visibility } = proposal;
        if let Some(tag) = tags.keys().find(|tag| OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(tag))) {
            return Err(ProposalError::Tag(tag.clone()));
        }
        let armies = OpenArmies::of(registry, &variant, &tags)?;
        let rules = rules(registry, &variant, &tags, armies.as_ref())?;
        if rules.definition().captures.to == CapturesTo::Partner {
            return Err(ProposalError::TwoBoards);
        }
        check_players(&players, seed.is_some(), &rules)?;
        if nonces && seed.is_none() {
            return Err(ProposalError::Nonces);
        }
        let clock = named(policies, clock.as_deref().unwrap_or("untimed"))?;
        let policy = named(policies, policy.as_deref().unwrap_or("plain"))?;
        let terms = Terms {
            adopted,
            clock: (*clock.id).clone(),
            definition: rules.whole().to_owned(),
            nonces,
            players,
            policy: (*policy.id).clone(),
            rules: rules.id().clone(),
            secret_armies: armies.is_some(),
            seed,
            tags,
            variant: registry.canonical_name(&variant)?,
            visibility,
        };
        let setting = Setting {
            terms: Arc::new(terms),
            rules,
            clocks: clock.clocks.clone().unwrap_or_default(),
            policy,
            clock,
            armies,
        };
        setting.game()?;
        Ok(setting)
    }

    /// The rules and policies of terms that were accepted.
    ///
    /// # Errors
    /// If they are unknown, or others than those that were accepted.
    pub fn of_terms(
        terms: Terms,
        registry: &Registry,
        policies: &Policies,
    ) -> Result<Setting, ProposalError> {
        let armies = match terms.secret_armies {
            true => OpenArmies::of(registry, &terms.variant, &terms.tags)?,
            false => None,
        };
        let rules = rules(registry, &terms.variant, &terms.tags, armies.as_ref())?;
        if rules.whole() != terms.definition {
            return Err(ProposalError::Changed {
                what: "game",
                name: terms.variant,
                agreed: terms.definition,
                found: rules.whole().to_owned(),
            });
        }
        let clock = named(policies, &terms.clock.name)?;
        let policy = named(policies, &terms.policy.name)?;
        for (agreed, now) in [(&terms.clock, &clock), (&terms.policy, &policy)] {
            if agreed.digest != now.id.digest {
                return Err(ProposalError::Changed {
                    what: "policy",
                    name: agreed.name.clone(),
                    agreed: agreed.digest.clone(),
                    found: now.id.digest.clone(),
                });
            }
        }
        let clocks = clock.clocks.clone().unwrap_or_default();
        Ok(Setting { terms: Arc::new(terms), rules, clocks, policy, clock, armies })
    }

    /// True if its terms lead to the same rules and policies among others of the same names.
    pub fn is_by(&self, registry: &Registry, policies: &Policies) -> bool {
        let Terms { variant, tags, definition, clock, policy, .. } = &*self.terms;
        let rules = rules(registry, variant, tags, self.armies.as_ref());
        let is_named = |id: &PolicyId| policies.named(&id.name).is_ok_and(|now| now.id.digest == id.digest);
        rules.is_ok_and(|rules| rules.whole() == definition) && is_named(clock) && is_named(policy)
    }

    /// The files of its policies, each once.
    pub fn policy_files(&self) -> Vec<String> {
        let mut files = vec![self.clock.text.to_string()];
        if self.clock.id != self.policy.id {
            files.push(self.policy.text.to_string());
        }
        files
    }

    /// True if time is counted.
    pub fn has_clocks(&self) -> bool {
        !self.clocks.periods.is_empty() || self.clocks.silence.is_some() || self.clocks.limit.is_some()
    }

    /// True if anything depends on the time that passes: clocks, or the time that Nature may take.
    pub fn is_timed(&self) -> bool {
        self.has_clocks() || self.clocks.nature_time.is_some() && self.rules.has_nature()
    }

    /// The position that the game starts from: the array, or the one in the tag `FEN`.
    ///
    /// # Errors
    /// If the tag is no position of the game.
    pub fn start(&self) -> Result<Position, ProposalError> {
        match self.terms.tags.get("FEN") {
            Some(fen) => Position::from_fen(&self.rules, fen).map_err(ProposalError::Start),
            None => Ok(Position::start(&self.rules)),
        }
    }

    /// The game before the first ply that is made here, after those that were made elsewhere.
    ///
    /// # Errors
    /// If its start is not a position of the game, or one of those plies is not legal.
    pub fn game(&self) -> Result<Game, ProposalError> {
        let mut game = Game::from_position(self.start()?);
        for (index, coord) in self.terms.adopted.iter().flat_map(|adopted| &adopted.plies).enumerate() {
            let wrong = |fault| ProposalError::Adopted(format!("ply {} is not legal: {fault}", index + 1));
            if game.play_coord(coord).is_none() {
                game.play(coord).map_err(wrong)?;
            }
        }
        match game.end() {
            Some(end) => Err(ProposalError::Adopted(format!("the game is over: {}", end.reason.id()))),
            None => Ok(game),
        }
    }

    /// The rules with the armies that the players chose.
    ///
    /// # Errors
    /// If the game has no such armies, or not together.
    pub fn rules_with(&self, armies: [&str; 2]) -> Result<Rules, RegistryError> {
        match &self.armies {
            Some(open) => open.rules(&self.terms.variant, &self.terms.tags, armies),
            None => Ok(self.rules.clone()),
        }
    }
}

/// The rules that tags choose; those of stand-ins while the players have not chosen their armies.
fn rules(
    registry: &Registry,
    variant: &str,
    tags: &BTreeMap<String, String>,
    armies: Option<&OpenArmies>,
) -> Result<Rules, RegistryError> {
    match armies {
        Some(open) => open.rules_in(registry, variant, tags),
        None => registry.rules(variant, &|name| tags.get(name).cloned()).map(Rules::from),
    }
}

fn named(policies: &Policies, name: &str) -> Result<Arc<Policy>, ProposalError> {
    policies.named(name).map_err(ProposalError::Policy)
}

fn check_players(players: &Players, by_lot: bool, rules: &Rules) -> Result<(), ProposalError> {
    let wrong = |player, why| Err(ProposalError::Player { player, why });
    for (player, name) in players.all() {
        if name.trim().is_empty() || name.len() > NAME_BYTES_MAX || name.chars().any(char::is_control) {
            return wrong(player, "write a name of 1 to 255 bytes, without control characters");
        }
    }
    match (rules.has_nature(), &players.nature) {
        (true, None) if !by_lot => {
            wrong(Owner::Nature, "the game has a third player; name who plays Nature, or let the lot decide")
        }
        (true, Some(_)) if by_lot => wrong(Owner::Nature, "the lot decides for Nature; leave it out"),
        (false, _) if by_lot || players.nature.is_some() => {
            wrong(Owner::Nature, "the game has no third player; leave it out")
        }
        _ => Ok(()),
    }
}
