//! Whether the texts of an archive are those that were kept, and what today's program reports on them.

use super::{Checked, Finding, What, damage, rules_of};
use crate::archive::Submission;
use crate::archive::bound::{Rulebook, Rulebooks};
use crate::archive::error::ArchiveError;
use crate::archive::identity::{GameId, Header, text_key};
use crate::archive::pack::unpack;
use crate::archive::read::whole;
use crate::notation::Style;
use crate::record::{Record, read};
use crate::replay::{Options, Replayer, Source};
use crate::rules::RulesId;
use crate::text::limits::{ARCHIVE_TEXT_BYTES_AT_ONCE, ARCHIVE_TEXTS_AT_ONCE};
use rayon::prelude::*;
use rusqlite::{Connection, params};
use serde_json::Value;

/// A text with what is known of it.
struct Kept {
    id: GameId,
    play: [u8; 16],
    rules: Option<RulesId>,
    valid: bool,
    text_key: [u8; 16],
    digest: [u8; 32],
    text: Vec<u8>,
    report: Vec<u8>,
    options: Options,
}

const TEXTS: &str = "SELECT submission.number, game.id, play.key, game.valid, submission.text_key, \
    submission.digest, submission.text, submission.report, submission.variant, submission.style, \
    submission.stood, rules.name, rules.edition, rules.digest FROM submission \
    JOIN game ON game.number = submission.game JOIN play ON play.number = game.play \
    LEFT JOIN rules ON rules.number = play.rules WHERE submission.number > ?1 ORDER BY submission.number LIMIT ?2";

fn page(connection: &Connection, last: &mut i64) -> Result<Vec<Kept>, ArchiveError> {
    let mut next = connection.prepare_cached(TEXTS)?;
    let mut rows = next.query(params![*last, ARCHIVE_TEXTS_AT_ONCE as i64])?;
    let (mut page, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        *last = row.get(0)?;
        let style: Option<String> = row.get(9)?;
        let style: Option<Style> = style.and_then(|style| style.parse().ok());
        let kept = Kept {
            id: GameId(row.get(1)?),
            play: row.get(2)?,
            rules: rules_of(row, 11)?,
            valid: row.get(3)?,
            text_key: row.get(4)?,
            digest: row.get(5)?,
            text: row.get(6)?,
            report: row.get(7)?,
            options: Options { variant: row.get(8)?, style, stood: row.get(10)?, ..Options::default() },
        };
        bytes += kept.text.len() + kept.report.len();
        page.push(kept);
        if bytes > ARCHIVE_TEXT_BYTES_AT_ONCE {
            break;
        }
    }
    Ok(page)
}

/// Checks all texts, and counts them.
pub(super) fn check(
    connection: &Connection,
    books: Option<&Rulebooks<'_>>,
    checked: &mut Checked,
    found: &mut dyn FnMut(Finding),
    progress: &mut dyn FnMut(u64),
) -> Result<(), ArchiveError> {
    let mut last = 0;
    loop {
        let page = page(connection, &mut last)?;
        if page.is_empty() {
            return Ok(());
        }
        let looked: Vec<_> = page.par_iter().map(|kept| kept.check(books)).collect();
        for result in looked {
            match result {
                Ok(Today { reworded, other_rules }) => {
                    checked.reworded += u64::from(reworded);
                    checked.other_rules += u64::from(other_rules);
                }
                Err(finding) => found(finding),
            }
        }
        checked.texts += page.len() as u64;
        progress(page.len() as u64);
    }
}

/// What is another thing today, and is no finding.
#[derive(Default)]
struct Today {
    reworded: bool,
    other_rules: bool,
}

impl Kept {
    fn damage(&self, message: impl Into<String>) -> Finding {
        damage(Some(self.id), message)
    }

    /// The first thing that is wrong; else what is another thing today.
    fn check(&self, books: Option<&Rulebooks<'_>>) -> Result<Today, Finding> {
        let trouble = |error: ArchiveError| self.damage(error.to_string());
        let text = whole(&self.text, &self.digest).map_err(trouble)?;
        if text_key(&text) != self.text_key {
            return Err(self.damage("a text is not what its key was made from"));
        }
        let report = unpack(&self.report).map_err(trouble)?;
        let report: Value = serde_json::from_slice(&report)
            .map_err(|error| self.damage(format!("the report on a text is no JSON: {error}")))?;
        if report["legal"].as_bool() != Some(self.valid) {
            return Err(self.damage("the report on a text and the entry differ on whether it is legal"));
        }
        let Some(record) = read(&text, 0).next() else {
            return Err(self.damage("a text has no game in it"));
        };
        if Header::of(&record, report["result_tag"].as_str()).id(&self.play) != self.id {
            return Err(self.damage("a text is of another entry: its tags do not give the id"));
        }
        match books {
            Some(books) => self.judge_again(books, &record, &report),
            None => Ok(Today::default()),
        }
    }

    fn judge_again(
        &self,
        books: &Rulebooks<'_>,
        record: &Record<'_>,
        before: &Value,
    ) -> Result<Today, Finding> {
        let trouble = |error: ArchiveError| self.damage(error.to_string());
        let book = books.of(record, &self.options, self.rules.as_ref()).map_err(trouble)?;
        let mut replayer = Replayer::new(&book, self.options.clone());
        let source = Source::new(record.source(), 0, 0);
        let today = Submission::judge(&mut replayer, record, &source).map_err(trouble)?;
        let now = serde_json::to_value(today.report()).map_err(|error| self.damage(error.to_string()))?;
        let verdict = ["rules", "legal", "plies", "end", "result_tag", "agreement", "final_fen"];
        let differs = verdict.iter().find(|key| before[**key] != now[**key]);
        let ply = before["illegal"]["ply"] != now["illegal"]["ply"];
        if let Some(key) = differs.or(ply.then_some(&"illegal")) {
            let message = format!("`{key}` of the report was {}, and is {} today", before[*key], now[*key]);
            return Err(Finding { id: Some(self.id), what: What::Verdict, message });
        }
        if today.play_key != self.play {
            let message = "the plies are other ones today".to_owned();
            return Err(Finding { id: Some(self.id), what: What::Verdict, message });
        }
        Ok(Today { reworded: *before != now, other_rules: matches!(book, Rulebook::Kept(_)) })
    }
}
