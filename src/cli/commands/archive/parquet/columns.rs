//! Rows as columns of a Parquet file, which is written to another name first and renamed when it is whole.

use crate::cli::output::Failure;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A row of a table.
pub(super) trait Row: Sized {
    /// The table's name, with which the names of its files begin.
    const NAME: &'static str;

    /// Its columns, in the language of Parquet's schemas.
    const SCHEMA: &'static str;

    /// Rows as these columns, in order.
    fn columns(rows: &[Self]) -> Vec<Column>;
}

/// The values of a column. Those that may be missing come with a 1 for each that is there and a 0 for each that is not.
#[derive(Debug)]
pub(super) enum Column {
    Text(Vec<ByteArray>),
    MaybeText(Vec<ByteArray>, Vec<i16>),
    Short(Vec<i32>),
    Long(Vec<i64>),
    Switch(Vec<bool>),
}

impl Column {
    /// A column of texts.
    pub(super) fn text<'r, R>(rows: &'r [R], text: impl Fn(&'r R) -> &'r str) -> Column {
        Column::Text(rows.iter().map(|row| ByteArray::from(text(row))).collect())
    }

    /// A column of texts that may be missing.
    pub(super) fn maybe<'r, R>(rows: &'r [R], text: impl Fn(&'r R) -> Option<&'r str>) -> Column {
        let there = rows.iter().map(|row| i16::from(text(row).is_some())).collect();
        Column::MaybeText(rows.iter().filter_map(&text).map(ByteArray::from).collect(), there)
    }

    /// A column of numbers below 2^31.
    pub(super) fn short<R>(rows: &[R], number: impl Fn(&R) -> usize) -> Column {
        Column::Short(rows.iter().map(|row| i32::try_from(number(row)).unwrap_or(i32::MAX)).collect())
    }

    /// A column of numbers.
    pub(super) fn long<R>(rows: &[R], number: impl Fn(&R) -> i64) -> Column {
        Column::Long(rows.iter().map(number).collect())
    }

    /// A column of truths.
    pub(super) fn switch<R>(rows: &[R], is: impl Fn(&R) -> bool) -> Column {
        Column::Switch(rows.iter().map(is).collect())
    }

    fn write(&self, to: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        fn put<T: DataType>(
            to: &mut SerializedColumnWriter<'_>,
            values: &[T::T],
            there: Option<&[i16]>,
        ) -> Result<(), ParquetError> {
            to.typed::<T>().write_batch(values, there, None).map(|_| ())
        }
        match self {
            Column::Text(values) => put::<ByteArrayType>(to, values, None),
            Column::MaybeText(values, there) => put::<ByteArrayType>(to, values, Some(there)),
            Column::Short(values) => put::<Int32Type>(to, values, None),
            Column::Long(values) => put::<Int64Type>(to, values, None),
            Column::Switch(values) => put::<BoolType>(to, values, None),
        }
    }
}

/// A file of a table.
pub(super) struct TableFile {
    /// Where it will be.
    path: PathBuf,
    /// Where it is until it is whole.
    part: PathBuf,
    writer: SerializedFileWriter<File>,
}

impl TableFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(super) fn create<R: Row>(path: &Path) -> Result<TableFile, Failure> {
        let part = path.with_extension("part");
        let file = File::create(&part).map_err(|error| about(&part, &error.into()))?;
        let schema = parse_message_type(R::SCHEMA).map_err(|error| about(path, &error))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("ferz {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        Ok(TableFile { path: path.to_owned(), writer: writer.map_err(|error| about(&part, &error))?, part })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn add<R: Row>(&mut self, rows: &[R]) -> Result<(), Failure> {
        let columns = R::columns(rows);
        let written = self.writer.next_row_group().and_then(|mut group| {
            let mut columns = columns.iter();
            while let Some(mut to) = group.next_column()? {
                if let Some(column) = columns.next() {
                    column.write(&mut to)?;
                }
                to.close()?;
            }
            group.close().map(|_| ())
        });
        written.map_err(|error| about(&self.part, &error))
    }

    /// Ends the file, with what its footer says, and gives it its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self, says: &[(&str, String)]) -> Result<(), Failure> {
        for (key, value) in says {
            self.writer.append_key_value_metadata(KeyValue::new((*key).to_owned(), value.clone()));
        }
        let file = self.writer.into_inner().map_err(|error| about(&self.part, &error))?;
        file.sync_all().map_err(|error| about(&self.part, &error.into()))?;
        drop(file);
        std::fs::rename(&self.part, &self.path).map_err(|error| about(&self.path, &error.into()))
    }
}

/// What the footer of a file says under a key; `None` if there is no whole file, or it says nothing.
pub(super) fn footer(path: &Path, key: &str) -> Option<String> {
    let reader = SerializedFileReader::new(File::open(path).ok()?).ok()?;
    let says = reader.metadata().file_metadata().key_value_metadata()?;
    says.iter().find(|said| said.key == key)?.value.clone()
}

fn about(path: &Path, error: &ParquetError) -> Failure {
    let what = match error {
        ParquetError::External(inner) => match inner.downcast_ref::<io::Error>() {
            Some(error) => error.to_string(),
            None => inner.to_string(),
        },
        error => error.to_string(),
    };
    Failure::message(format!("{}: {what}", path.display()))
}
