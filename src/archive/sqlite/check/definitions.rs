//! Checks that stored rules match their digest.

use super::REMEMBERED;
use crate::error::ArchiveError;
use crate::read::whole;
use crate::rulebook::named;
use crate::rules_text;
use crate::sqlite::find::rules_of;
use crate::verify::{Finding, damage};
use ferz_core::notation::Style;
use ferz_records::record::read;
use ferz_records::replay::Options;
use rusqlite::{Connection, Row};

/// Compiles each stored definition for the first text that was judged by it, and compares the digests. Forgotten
/// entries have no texts.
pub(super) fn check(connection: &Connection, found: &mut dyn FnMut(Finding)) -> Result<(), ArchiveError> {
    let all = format!(
        "SELECT rules.name, rules.edition, rules.digest, rules.definition, submission.text, \
        submission.digest, submission.variant, submission.style, submission.let_stand FROM rules JOIN submission ON \
        submission.number = (SELECT one.number FROM game JOIN submission AS one ON one.game = game.number \
        WHERE game.rules = rules.number AND {REMEMBERED} ORDER BY one.number LIMIT 1)"
    );
    let mut all = connection.prepare(&all)?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let is_whole = is_whole(row);
        if !is_whole.as_ref().is_ok_and(|whole| *whole) {
            let name: String = row.get(0)?;
            let why = is_whole.err().map_or_else(String::new, |error| format!(": {error}"));
            let message = format!("the definition of `{name}` does not match its digest{why}");
            found(damage(None, message));
        }
    }
    Ok(())
}

fn is_whole(row: &Row<'_>) -> Result<bool, ArchiveError> {
    let rules = rules_of(row, 0)?;
    let (definition, packed): (String, Vec<u8>) = (row.get(3)?, row.get(4)?);
    let text = whole(&packed, &row.get(5)?)?;
    let style: Option<String> = row.get(7)?;
    let style: Option<Style> = style.and_then(|style| style.parse().ok());
    let options = Options { variant: row.get(6)?, style, let_stand: row.get(8)?, ..Options::default() };
    let registry = rules_text::registry(&definition)?;
    let record = read(&text, 0).next();
    Ok(record.is_some_and(|record| named(&registry, &record, &options) == rules))
}
