//! Withdrawals: entries that lists hide. Nothing is deleted: the entry stays readable, with the reason, and a
//! withdrawal can be taken back.

use super::Archive;
use super::error::ArchiveError;
use super::identity::GameId;
use super::log::Logged;
use super::tokens::TokenId;
use super::writer::Job;
use ferz_core::text::limits::ARCHIVE_BECAUSE_CHARS_MAX;
use serde::Serialize;

/// An entry to withdraw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// The entry.
    pub id: GameId,
    /// The entry that supersedes it, if there is one.
    pub successor: Option<GameId>,
    /// The reason, for those who look it up later.
    pub because: String,
    /// The token that asks for it, if the service requires one.
    pub token: Option<TokenId>,
    /// True to withdraw only the texts that this token submitted. The entry is hidden when all its texts are withdrawn;
    /// otherwise it is hidden at once.
    pub own: bool,
}

/// A withdrawal to take back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reinstatement {
    /// The entry.
    pub id: GameId,
    /// The reason, for those who look it up later.
    pub because: String,
    /// The token that asks for it, if the service requires one.
    pub token: Option<TokenId>,
    /// True to take back only what this token has withdrawn of its own texts; otherwise all withdrawals of the entry.
    pub own: bool,
}

/// The withdrawal of an entry, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Withdrawn {
    /// The reason.
    pub because: String,
    /// The entry that supersedes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<GameId>,
    /// The name of the token that asked for it; `None` from the command line, and for a service without tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Time of the withdrawal, as RFC 3339.
    pub time: String,
}

impl Archive {
    /// Withdraws an entry, or the texts of it that one token submitted: lists hide an entry that is withdrawn, or has
    /// no other texts. A later submission of the same text leaves it withdrawn. Returns the event, for a receipt.
    ///
    /// # Errors
    /// If there is no such entry, nothing is left to withdraw, its successor is missing, withdrawn or the entry itself,
    /// the reason is empty or too long, or the archive cannot be written.
    pub fn withdraw(&self, mut withdrawal: Withdrawal) -> Result<Option<Logged>, ArchiveError> {
        withdrawal.because = reason(&withdrawal.because)?;
        self.ask(|reply| Job::Withdraw(withdrawal, reply))
    }

    /// Takes withdrawals of an entry back: lists show it again. Returns the event, for a receipt.
    ///
    /// # Errors
    /// If there is no such entry, nothing of it is withdrawn, the reason is empty or too long, or the archive cannot be
    /// written.
    pub fn reinstate(&self, mut reinstatement: Reinstatement) -> Result<Option<Logged>, ArchiveError> {
        reinstatement.because = reason(&reinstatement.because)?;
        self.ask(|reply| Job::Reinstate(reinstatement, reply))
    }
}

/// A reason without the white space around it.
pub(super) fn reason(because: &str) -> Result<String, ArchiveError> {
    let because = because.trim();
    let chars = because.chars().count();
    if chars == 0 || chars > ARCHIVE_BECAUSE_CHARS_MAX {
        let why = format!("give a reason of at most {ARCHIVE_BECAUSE_CHARS_MAX} characters");
        return Err(ArchiveError::Withdrawal(why));
    }
    Ok(because.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Submission, Which};
    use ferz_core::rules::Registry;
    use ferz_records::record::read;
    use ferz_records::replay::{Options, Replayer, Source};

    fn submit(archive: &Archive, text: &str) -> GameId {
        let mut replayer = Replayer::new(Registry::built_in(), Options::default());
        let record = read(text.as_bytes(), 0).next().unwrap();
        let source = Source::new(text.as_bytes(), 0, 0);
        let submission = Submission::judge(&mut replayer, &record, &source).unwrap();
        archive.submit(vec![submission]).unwrap()[0].id
    }

    fn listed(archive: &Archive, withdrawn: Option<bool>) -> Vec<GameId> {
        let filter = Filter { withdrawn, ..Filter::default() };
        archive.list(&filter, 10, None).unwrap().items.into_iter().map(|summary| summary.id).collect()
    }

    #[test]
    fn a_withdrawn_entry_is_hidden_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ferz");
        let archive = Archive::open(&path).unwrap();
        let wrong = submit(&archive, "[White \"Ann\"]\n\n1. e4 e5 1-0\n");
        let right = submit(&archive, "[White \"Ann\"]\n\n1. e4 e5 0-1\n");
        let ask = |id, successor, because: &str| {
            let token = Some(TokenId { name: "ann".into(), event: 0 });
            archive.withdraw(Withdrawal { id, successor, because: because.into(), token, own: false })
        };
        for (successor, because) in [(None, " "), (Some(wrong), "typing error"), (Some(GameId([7; 16])), "x")]
        {
            assert!(matches!(ask(wrong, successor, because), Err(ArchiveError::Withdrawal(_))), "{because}");
        }
        assert_eq!(ask(GameId([7; 16]), None, "x"), Err(ArchiveError::NoGame(GameId([7; 16]))));
        ask(wrong, Some(right), " typing error\n").unwrap();
        assert!(matches!(ask(wrong, None, "again"), Err(ArchiveError::Withdrawal(_))));
        assert!(matches!(ask(right, Some(wrong), "back"), Err(ArchiveError::Withdrawal(_))));
        assert_eq!(listed(&archive, None), [right, wrong]);
        assert_eq!((listed(&archive, Some(false)), listed(&archive, Some(true))), (vec![right], vec![wrong]));
        // A later submission changes nothing.
        assert_eq!(submit(&archive, "[White \"Ann\"]\n\n1. e4 e5 1-0\n"), wrong);
        let withdrawn = archive.get(wrong).unwrap().unwrap().summary.withdrawn.unwrap();
        let Withdrawn { because, superseded_by, token, .. } = withdrawn;
        assert_eq!((&*because, superseded_by, token.as_deref()), ("typing error", Some(right), Some("ann")));
        assert!(archive.get(right).unwrap().unwrap().summary.withdrawn.is_none());
        assert!(archive.original(wrong).unwrap().is_some());
        let texts: usize = archive
            .texts(&Filter { withdrawn: Some(false), ..Filter::default() }, Which::All)
            .map(|page| page.unwrap().len())
            .sum();
        assert_eq!(texts, 1);
        let mut findings = Vec::new();
        archive.verify(None, &mut |finding| findings.push(finding), &mut |_| ()).unwrap();
        assert_eq!(findings, []);
    }

    #[test]
    fn a_changed_or_deleted_withdrawal_is_found() {
        for (change, expected) in [
            (
                "UPDATE withdrawal SET because = 'other'",
                "event 3 is not what `because` of row 1 of `withdrawal` says",
            ),
            (
                "DELETE FROM hidden; DELETE FROM withdrawal",
                "event 3 added row 1 of `withdrawal`, which is missing",
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.ferz");
            let archive = Archive::open(&path).unwrap();
            let id = submit(&archive, "1. e4 e5 1-0\n");
            archive
                .withdraw(Withdrawal {
                    id,
                    successor: None,
                    because: "twice".into(),
                    token: None,
                    own: false,
                })
                .unwrap();
            let connection = rusqlite::Connection::open(&path).unwrap();
            let drop = "DROP TRIGGER withdrawals_stay; DROP TRIGGER withdrawals_are_kept";
            connection.execute_batch(drop).unwrap();
            connection.execute_batch(change).unwrap();
            let mut messages = Vec::new();
            archive.verify(None, &mut |finding| messages.push(finding.message), &mut |_| ()).unwrap();
            assert!(messages.iter().any(|message| message == expected), "{messages:#?}");
        }
    }
}
