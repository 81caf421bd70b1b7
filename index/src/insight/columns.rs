//! The columns of a segment that only insight reads. They are opened when they are asked for.

use std::path::Path;

use tantivy::columnar::{Column, StrColumn};

use crate::error::Error;
use crate::fields::FUNDER;
use crate::generation::segment::Segment;

/// A column of numbers.
pub(super) fn numbers(segment: &Segment, name: &str) -> Result<Column<u64>, Error> {
    segment.reader.fast_fields().u64(name).map_err(Error::index(Path::new("a segment")))
}

/// The funders' slugs.
pub(super) fn funders(segment: &Segment) -> Result<StrColumn, Error> {
    let path = Path::new("a segment");
    let column = segment.reader.fast_fields().str(FUNDER).map_err(Error::index(path))?;
    column.ok_or_else(|| Error::damaged(path, "it has no column of funders"))
}
