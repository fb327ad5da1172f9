//! The steps of rules on their way to V-Class.

use super::Rows;
use super::withdraw::asker;
use crate::error::ArchiveError;
use crate::log::{Kind, Leaf};
use crate::register::{RulesToRegister, Step, StepAsked};
use crate::sqlite::log::{following, previous};
use crate::sqlite::private;
use ferz_core::rules::RulesId;
use rusqlite::{OptionalExtension, params};
use std::borrow::Cow;
use std::str::FromStr;

const ADD_STEP: &str = "INSERT INTO register (rules, step, class, because, token, by, happened, event) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// The last event about a definition in the register.
pub(in crate::sqlite) const LAST_STEP: &str =
    "SELECT max(register.event) FROM register JOIN rules ON rules.number = register.rules WHERE whole = ?1";

/// The definition that is codified under a name and an edition.
const CODIFIED: &str = "SELECT whole FROM register JOIN rules ON rules.number = register.rules \
    WHERE step = 'codified' AND name = ?1 AND edition = ?2";

impl Rows<'_> {
    /// Adds a step to the register.
    pub(super) fn register(&mut self, asked: &StepAsked) -> Result<u64, ArchiveError> {
        let (id, whole) = match &asked.rules {
            RulesToRegister::New(game) => (game.id().clone(), game.whole().to_owned()),
            RulesToRegister::Known(rules) => (rules.id.clone(), rules.whole.clone()),
        };
        let rules = match &asked.rules {
            RulesToRegister::New(game) => self.rules(game)?.number,
            RulesToRegister::Known(_) => self.number_of_rules(&id, &whole)?,
        };
        self.is_free(&id, &whole)?;
        let find = "SELECT step FROM register WHERE rules = ?1 ORDER BY number DESC LIMIT 1";
        let last: Option<String> =
            self.connection.prepare_cached(find)?.query_row([rules], |row| row.get(0)).optional()?;
        let last = last.map(|step| Step::from_str(&step)).transpose()?;
        asked.step.may_follow(last, &id)?;
        let event = self.events.next();
        let (name, by) = asker(asked.token.as_ref());
        let class = asked.class.map(|class| class.to_string());
        let row = params![rules, asked.step.name(), class, asked.because, name, by, self.events.now(), event];
        self.connection.prepare_cached(ADD_STEP)?.execute(row)?;
        let before: Option<i64> = self
            .connection
            .prepare_cached(&format!("{LAST_STEP} AND register.event < ?2"))?
            .query_row(params![whole, event], |row| row.get(0))?;
        let before = before.map(|before| previous(self.connection, before)).transpose()?;
        let salt = self.events.salt()?;
        let leaf = Leaf {
            class: class.map(Cow::Owned),
            edition: Some(Cow::Borrowed(&id.edition)),
            name: Some(Cow::Borrowed(&id.name)),
            private: Some(private::of_withdrawal(&asked.because, name, by).commitment(&salt)?),
            step: Some(Cow::Borrowed(asked.step.name())),
            ..Leaf::new(Kind::Register, whole.as_str(), self.events.time())
        };
        let leaf = following(leaf, before.as_ref()).bytes()?;
        self.events.add(&leaf, Some(salt))
    }

    /// Refuses other rules under a name and an edition that are codified.
    pub(super) fn is_free(&self, id: &RulesId, whole: &str) -> Result<(), ArchiveError> {
        let mut find = self.connection.prepare_cached(CODIFIED)?;
        let codified: Option<String> =
            find.query_row([&id.name, &id.edition], |row| row.get(0)).optional()?;
        match codified {
            Some(codified) if codified != whole => Err(ArchiveError::Register(format!(
                "`{}`, edition {}, is codified here with another definition; give yours another name or edition",
                id.name, id.edition
            ))),
            _ => Ok(()),
        }
    }

    fn number_of_rules(&self, id: &RulesId, whole: &str) -> Result<i64, ArchiveError> {
        let RulesId { name, edition, digest } = id;
        let mut find = self.connection.prepare_cached(super::FIND_RULES)?;
        let number = find.query_row([digest, whole, name, edition], |row| row.get(0)).optional()?;
        number.ok_or_else(|| {
            ArchiveError::Register(format!("`{name}`, edition {edition}, was not submitted; submit it first"))
        })
    }
}
