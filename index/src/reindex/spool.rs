//! Rows set aside on disk until their order is known, and the short texts that decide it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Where a spooled row lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spooled {
    at: u64,
    length: u32,
}

/// Takes rows in the order they come.
pub(crate) struct SpoolWriter {
    file: BufWriter<File>,
    path: PathBuf,
    at: u64,
}

impl SpoolWriter {
    pub(crate) fn create(path: PathBuf) -> Result<Self, Error> {
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(Error::file("create", &path))?;
        Ok(Self { file: BufWriter::with_capacity(1 << 17, file), path, at: 0 })
    }

    /// Sets a row aside.
    pub(crate) fn push(&mut self, row: &[u8]) -> Result<Spooled, Error> {
        let length = u32::try_from(row.len()).map_err(|_| Error::damaged(&self.path, "a row is longer than 4 GiB"))?;
        self.file.write_all(row).map_err(Error::file("write", &self.path))?;
        let spooled = Spooled { at: self.at, length };
        self.at += u64::from(length);
        Ok(spooled)
    }

    /// Ends the taking in.
    pub(crate) fn finish(self) -> Result<Spool, Error> {
        let Self { file, path, .. } = self;
        let file = file.into_inner().map_err(|error| Error::file("write", &path)(error.into_error()))?;
        Ok(Spool { file, path })
    }
}

/// Gives rows back in any order, to many threads.
pub(crate) struct Spool {
    file: File,
    path: PathBuf,
}

impl Spool {
    /// Reads a row into `buffer`.
    pub(crate) fn read(&self, row: Spooled, buffer: &mut Vec<u8>) -> Result<(), Error> {
        buffer.clear();
        buffer.resize(row.length as usize, 0);
        self.file.read_exact_at(buffer, row.at).map_err(Error::file("read", &self.path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Short texts held together, so that a million slugs cost little more than their letters.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    blocks: Vec<String>,
}

/// Where a text lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextAt {
    block: u32,
    start: u32,
    length: u32,
}

/// The size of a block; what is longer has a block of its own.
const BLOCK: usize = 1 << 20;

impl Texts {
    /// Keeps a text.
    pub(crate) fn push(&mut self, text: &str) -> TextAt {
        if self.blocks.last().is_none_or(|block| block.len() + text.len() > block.capacity()) {
            self.blocks.push(String::with_capacity(BLOCK.max(text.len())));
        }
        let number = self.blocks.len() - 1;
        let block = &mut self.blocks[number];
        let start = block.len();
        block.push_str(text);
        // A block has at most as many bytes as a line of an export, and 2^32 blocks are beyond any memory.
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        TextAt { block: narrow(number), start: narrow(start), length: narrow(text.len()) }
    }

    pub(crate) fn get(&self, at: TextAt) -> &str {
        &self.blocks[at.block as usize][at.start as usize..(at.start + at.length) as usize]
    }
}

/// From a text to its number, for texts that are held elsewhere.
#[derive(Debug, Default)]
pub(crate) struct NumberOf {
    table: hashbrown::HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl NumberOf {
    /// The number of `text`, where `text_of` gives the text of a number.
    pub(crate) fn find<'a>(&self, text: &str, text_of: impl Fn(u32) -> &'a str) -> Option<u32> {
        self.table.find(self.hash(text), |&number| text_of(number) == text).copied()
    }

    /// Adds the text of `number`, which is not there yet.
    pub(crate) fn insert<'a>(&mut self, number: u32, text_of: impl Fn(u32) -> &'a str) {
        let hash = self.hash(text_of(number));
        let hasher = &self.hasher;
        self.table.insert_unique(hash, number, |&other| hash_with(hasher, text_of(other)));
    }

    fn hash(&self, text: &str) -> u64 {
        hash_with(&self.hasher, text)
    }
}

fn hash_with(hasher: &impl std::hash::BuildHasher, text: &str) -> u64 {
    hasher.hash_one(text)
}
