//! A list: its segments in order, and the way from a slug to a place.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;

use catalogue_schema::Status;

use super::segment::{LENGTH, Segment, folder_of};
use super::slugs::Slugs;
use super::{Shape, history::History};
use crate::error::Error;
use crate::fields::Fields;

/// The place of a row in its list, from 0.
pub type Place = u32;

/// A list of one resource, in list order.
pub(crate) struct List {
    pub(crate) fields: Fields,
    pub(crate) segments: Vec<Segment>,
    /// Where the pivot was found before: a guess, to be checked.
    pub(crate) pivot_before: AtomicU32,
    slugs: Slugs,
    count: Place,
    folder: PathBuf,
}

impl List {
    /// Opens the list in `folder`, which must hold `count` rows.
    pub(crate) fn open(folder: &Path, shape: Shape, count: u64) -> Result<Self, Error> {
        let count =
            Place::try_from(count).map_err(|_| Error::damaged(folder, "its count is beyond what a list holds"))?;
        let fields = Fields::new();
        let mut segments = Vec::new();
        for (index, length) in segment_lengths(count).enumerate() {
            segments.push(Segment::open(&folder_of(folder, index), &fields, shape, length)?);
        }
        let slugs = Slugs::open(folder, count as usize)?;
        Ok(Self { fields, segments, pivot_before: AtomicU32::new(0), slugs, count, folder: folder.to_owned() })
    }

    /// Where it lies.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many rows the list holds.
    pub(crate) fn count(&self) -> Place {
        self.count
    }

    /// The place of `slug`.
    pub(crate) fn find(&self, slug: &str) -> Option<Place> {
        self.slugs.find(slug)
    }

    /// The stored row at `place`; empty outside the list.
    pub(crate) fn row(&self, place: Place) -> &[u8] {
        self.in_segment(place).map_or(&[], |(segment, index)| segment.rows.get(index))
    }

    /// Reads the stored row at `place` from its file, for those who read many rows and must not keep them all mapped; gives the
    /// file.
    pub(crate) fn read_row(&self, place: Place, row: &mut Vec<u8>) -> Result<&Path, Error> {
        let found = self.in_segment(place);
        let (segment, index) = found.ok_or_else(|| Error::damaged(&self.folder, format!("it has no row {place}")))?;
        segment.rows.read(index, row)?;
        Ok(segment.rows.path())
    }

    /// The stored longer row at `place`; empty outside the list or in a list without them.
    pub(crate) fn details(&self, place: Place) -> &[u8] {
        let rows = self.in_segment(place).and_then(|(segment, index)| Some((segment.details.as_ref()?, index)));
        rows.map_or(&[], |(rows, index)| rows.get(index))
    }

    /// The file of the longer row at `place`; the list's folder outside the list or in a list without them.
    pub(crate) fn details_path(&self, place: Place) -> &Path {
        let rows = self.in_segment(place).and_then(|(segment, _)| segment.details.as_ref());
        rows.map_or(&self.folder, |rows| rows.path())
    }

    /// The history of the record at `place`; `None` outside the list or in a list without them.
    pub(crate) fn history(&self, place: Place) -> Option<History> {
        let (segment, index) = self.in_segment(place)?;
        segment.histories.as_ref()?.get(index)
    }

    /// The slug of the row at `place`.
    pub(crate) fn slug(&self, place: Place) -> &str {
        self.slugs.get(place)
    }

    /// How many records are not closed.
    pub(crate) fn not_closed(&self) -> u64 {
        let not_closed = [Status::Forecasted, Status::Open];
        let of_segment = |segment: &Segment| {
            let statuses = segment.vocabulary(self.fields.status)?;
            Some(not_closed.iter().map(|status| u64::from(statuses.count(status.as_str()))).sum::<u64>())
        };
        self.segments.iter().filter_map(of_segment).sum()
    }

    fn in_segment(&self, place: Place) -> Option<(&Segment, usize)> {
        let segment = self.segments.get((place / LENGTH) as usize)?;
        Some((segment, (place % LENGTH) as usize))
    }
}

/// How many documents each segment of a list of `count` holds.
pub(crate) fn segment_lengths(count: Place) -> impl Iterator<Item = usize> {
    (0..count).step_by(LENGTH as usize).map(move |first| LENGTH.min(count - first) as usize)
}
