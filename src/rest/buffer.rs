//! The buffers that answers are assembled in.
//!
//! A page is some twenty kilobytes, written once by us and read once by the kernel. In fresh memory both would wait for it; a buffer
//! that was sent a moment ago is still in the processor's cache. So each thread keeps a few, and takes the latest first.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use axum::body::Bytes;

/// How large a new buffer is: room for a page of twenty rows.
const NEW: usize = 32 * 1024;

/// The largest buffer kept: larger answers are rare, and would stay in memory for good.
const LARGEST_KEPT: usize = 256 * 1024;

/// How many buffers a thread keeps: as many answers can wait for their clients at once before new buffers are made.
const MOST_KEPT: usize = 16;

thread_local! {
    static KEPT: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer, which goes back to the thread that drops it.
pub(super) struct Buffer(Vec<u8>);

impl Buffer {
    /// An empty buffer.
    pub(super) fn take() -> Self {
        let kept = KEPT.with_borrow_mut(Vec::pop);
        Self(kept.unwrap_or_else(|| Vec::with_capacity(NEW)))
    }

    /// The bytes, whose buffer goes back when the last of them is dropped.
    pub(super) fn into_bytes(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut buffer = std::mem::take(&mut self.0);
        buffer.clear();
        // A thread that ends has none to keep it in.
        let _kept = KEPT.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.len() < MOST_KEPT && buffer.capacity() <= LARGEST_KEPT {
                kept.push(buffer);
            }
        });
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for Buffer {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sent_buffer_is_taken_again_empty() {
        let mut first = Buffer::take();
        first.extend_from_slice(b"an answer");
        let memory = first.as_ptr();
        let bytes = first.into_bytes();
        assert_eq!(&*bytes, b"an answer");
        let part = bytes.slice(3..);
        drop(bytes);
        assert_ne!(Buffer::take().as_ptr(), memory, "a part of it is still to be sent");
        drop(part);
        let again = Buffer::take();
        assert_eq!((again.as_ptr(), again.len()), (memory, 0));
    }

    #[test]
    fn neither_large_buffers_nor_many_are_kept() {
        let mut large = Buffer::take();
        large.resize(LARGEST_KEPT + 1, 0);
        drop(large);
        assert!(Buffer::take().capacity() <= LARGEST_KEPT);
        let many: Vec<_> = (0..100).map(|_| Buffer::take()).collect();
        drop(many);
        assert_eq!(KEPT.with_borrow(Vec::len), MOST_KEPT);
    }
}
