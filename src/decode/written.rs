//! What is decoded: a text or cells.

use crate::cells::{Cells, CellsError};
use crate::costs::Costs;
use crate::decode::{DecodeError, Options, decode_sheets, sheet_of};
use crate::reading::Decoded;
use crate::sheet::Sheet;
use ferz_core::text::Budget;
use ferz_core::text::limits::DECODE_TEXT_BYTES_MAX;
use ferz_records::record::{Record, read};
use ferz_records::replay::Replayer;

/// A score sheet as it comes.
#[derive(Debug, Clone)]
pub enum Written {
    /// A text, with or without tags.
    Text(String),
    /// What a recogniser says.
    Cells(Cells),
}

impl Written {
    /// Cells if the text is a JSON object, a text otherwise.
    ///
    /// # Errors
    /// If the JSON has another shape.
    pub fn of(text: String) -> Result<Written, CellsError> {
        let is_object =
            text.trim_start().strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
        if is_object { Ok(Written::Cells(Cells::read(text.as_bytes())?)) } else { Ok(Written::Text(text)) }
    }

    /// The sheet.
    ///
    /// # Errors
    /// If the cells are wrong.
    pub fn sheet(&self, costs: &Costs) -> Result<Sheet, CellsError> {
        match self {
            Written::Cells(cells) => Sheet::of_cells(cells, costs),
            Written::Text(text) => match read(text.as_bytes(), 0).next().filter(|_| has_tags(text)) {
                Some(record) => Ok(sheet_of(&record, costs)),
                None => Ok(Sheet::of_text(text, 0, costs)),
            },
        }
    }

    /// A record with its tags: what names the game.
    pub fn record(&self) -> String {
        match self {
            Written::Text(text) if has_tags(text) => text.clone(),
            Written::Cells(Cells { variant: Some(variant), .. }) => {
                format!("[Variant \"{}\"]\n\n*\n", variant.replace(['"', '\\'], ""))
            }
            _ => "*\n".to_owned(),
        }
    }

    fn names_game(&self) -> bool {
        read(self.record().as_bytes(), 0).next().is_some_and(|record| names_game(&record))
    }

    /// Of several sheets of a game the one that names it; the first if none does.
    pub fn naming<'w>(sheets: &[&'w Written]) -> Option<&'w Written> {
        sheets.iter().find(|written| written.names_game()).or(sheets.first()).copied()
    }
}

fn names_game(record: &Record<'_>) -> bool {
    record.find_tag("Variant").is_some() || record.find_tag("FEN").is_some()
}

/// True if a text has a line with a tag.
pub fn has_tags(text: &str) -> bool {
    let is_tag = |line: &str| {
        let line = line.trim_start().strip_prefix('[');
        line.is_some_and(|line| line.trim_start().starts_with(|char: char| char.is_ascii_alphabetic()))
    };
    text.lines().any(is_tag)
}

/// Decodes one score sheet, or two of one game.
///
/// # Errors
/// If cells are wrong, the game cannot be played, or nothing could be a ply.
pub fn decode_written(
    replayer: &mut Replayer<'_>,
    written: &[&Written],
    options: &Options,
    budget: &Budget,
) -> Result<Decoded, DecodeError> {
    for written in written {
        if let Written::Text(text) = written
            && text.len() > DECODE_TEXT_BYTES_MAX
        {
            return Err(DecodeError::TooLong(text.len()));
        }
    }
    let sheet = |written: &&Written| written.sheet(options.costs);
    let sheets = written.iter().map(sheet).collect::<Result<Vec<Sheet>, CellsError>>();
    let sheets = sheets.map_err(|error| DecodeError::Cells(error.to_string()))?;
    let texts: Vec<String> = written.iter().map(|written| written.record()).collect();
    let records: Vec<Record<'_>> = texts.iter().filter_map(|text| read(text.as_bytes(), 0).next()).collect();
    let mut naming = records.iter().filter(|record| names_game(record));
    let record = naming.next().or(records.first()).ok_or(DecodeError::Nothing)?;
    if naming.any(|other| other.tag("FEN") != record.tag("FEN")) {
        return Err(DecodeError::Different);
    }
    decode_sheets(replayer, record, &sheets, options, budget)
}
