//! The codings, at their measured levels.

use std::cell::RefCell;
use std::io;

use flate2::{Compress, Compression, FlushCompress, Status};

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// RFC 8878.
    Zstd,
    /// RFC 7932.
    Brotli,
    /// RFC 1952.
    Gzip,
}

/// The levels: see the table in `benches/README.md`.
const ZSTD_LEVEL: i32 = 3;
const GZIP_LEVEL: u32 = 4;
const BROTLI_QUALITY: i32 = 5;

/// Brotli's window, as a power of two: more than any page of ours is long.
const BROTLI_WINDOW: i32 = 19;

/// DEFLATE's window, as a power of two: the largest.
const GZIP_WINDOW: u8 = 15;

thread_local! {
    // Both keep tables of hundreds of kilobytes, which are made once for each thread.
    static ZSTD: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    static GZIP: RefCell<Option<Compress>> = const { RefCell::new(None) };
}

impl Coding {
    /// Every coding, in the order in which they are preferred where a client likes them as well.
    pub const ALL: [Self; 3] = [Self::Zstd, Self::Gzip, Self::Brotli];

    /// Its name in `Content-Encoding`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Its names in `Accept-Encoding`.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Zstd => &["zstd"],
            Self::Brotli => &["br"],
            Self::Gzip => &["gzip", "x-gzip"],
        }
    }

    /// The bytes, compressed.
    ///
    /// # Errors
    /// Where there is no memory for it.
    pub fn compress(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Zstd => ZSTD.with_borrow_mut(|kept| {
                let compressor = match kept {
                    Some(compressor) => compressor,
                    None => kept.insert(zstd::bulk::Compressor::new(ZSTD_LEVEL)?),
                };
                compressor.compress(plain)
            }),
            Self::Brotli => brotli(plain),
            Self::Gzip => GZIP.with_borrow_mut(|kept| {
                let make = || Compress::new_gzip(Compression::new(GZIP_LEVEL), GZIP_WINDOW);
                gzip(kept.get_or_insert_with(make), plain)
            }),
        }
    }
}

fn brotli(mut plain: &[u8]) -> io::Result<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        lgwin: BROTLI_WINDOW,
        size_hint: plain.len(),
        ..Default::default()
    };
    let mut small = Vec::with_capacity(plain.len() / 4);
    brotli::BrotliCompress(&mut plain, &mut small, &parameters)?;
    Ok(small)
}

fn gzip(compress: &mut Compress, mut plain: &[u8]) -> io::Result<Vec<u8>> {
    compress.reset();
    let mut small = Vec::with_capacity(plain.len() / 3 + 64);
    loop {
        let before = compress.total_in();
        let status = compress.compress_vec(plain, &mut small, FlushCompress::Finish)?;
        let taken = usize::try_from(compress.total_in() - before).unwrap_or(plain.len());
        plain = &plain[taken..];
        if status == Status::StreamEnd {
            return Ok(small);
        }
        small.reserve(plain.len() / 3 + 1024);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use proptest::prelude::*;

    use super::*;

    fn plain(coding: Coding, small: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match coding {
            Coding::Zstd => plain = zstd::decode_all(small).expect("zstd"),
            Coding::Brotli => brotli::BrotliDecompress(&mut &*small, &mut plain).expect("br"),
            Coding::Gzip => {
                flate2::read::GzDecoder::new(small).read_to_end(&mut plain).expect("gzip");
            }
        }
        plain
    }

    proptest! {
        #[test]
        fn what_was_compressed_is_read_as_it_was(bytes in prop::collection::vec(any::<u8>(), 0..5_000), times in 1_usize..50) {
            let bytes = bytes.repeat(times);
            for coding in Coding::ALL {
                let small = coding.compress(&bytes).expect("there is memory");
                prop_assert_eq!(&plain(coding, &small), &bytes);
            }
        }
    }
}
