//! Rows of CSV: lists that people keep in a spreadsheet.

use serde::Deserialize;

/// The rows of a list with a heading, each with its line.
///
/// # Errors
/// With the line, if a column is missing or a row cannot be read.
pub fn read_rows<T: for<'de> Deserialize<'de>>(text: &str) -> Result<Vec<(usize, T)>, String> {
    let text = text.trim_start_matches('\u{feff}');
    // Programs of countries with a decimal comma write semicolons.
    let heading = text.lines().next().unwrap_or_default();
    let delimiter = if heading.contains(';') { b';' } else { b',' };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(text.as_bytes());
    let heading = reader.headers().map_err(|error| error.to_string())?;
    let heading: csv::StringRecord = heading.iter().map(str::to_lowercase).collect();
    reader.set_headers(heading.clone());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        // The reader is before the blank lines that it skips.
        let at = record.position().map_or(0, |place| usize::try_from(place.byte()).unwrap_or_default());
        let (before, rest) = text.as_bytes().split_at(at.min(text.len()));
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let line = 1 + before.iter().chain(blank).filter(|byte| **byte == b'\n').count();
        let row = record.deserialize(Some(&heading)).map_err(|error| match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => format!("line {line}: {err}"),
            _ => format!("line {line}: {error}"),
        });
        rows.push((line, row?));
    }
    Ok(rows)
}

/// Rows of cells as CSV.
///
/// # Errors
/// If memory does not suffice.
pub fn rows_as_csv(rows: impl Iterator<Item = Vec<String>>) -> Result<String, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}
