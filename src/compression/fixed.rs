//! Bodies that are the same each time: compressed once for each coding, and not whenever a stranger asks.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use tokio::sync::OnceCell;

use super::{Coding, compressed};

/// A body that is the same each time. Its responses carry it among their extensions, where [`super::compress`] finds it.
#[derive(Clone, Debug)]
pub struct Fixed(Arc<Forms>);

#[derive(Debug)]
struct Forms {
    plain: Bytes,
    /// By coding, once it was asked for. The cell lets one request compress and the others wait.
    coded: [OnceCell<Bytes>; Coding::ALL.len()],
}

impl Fixed {
    /// The body with these bytes.
    #[must_use]
    pub fn new(plain: impl Into<Bytes>) -> Self {
        Self(Arc::new(Forms { plain: plain.into(), coded: Default::default() }))
    }

    /// The body as it is.
    #[must_use]
    pub fn plain(&self) -> &Bytes {
        &self.0.plain
    }

    /// The body in a coding; `None` where there is no memory for it.
    pub(super) async fn compressed(&self, coding: Coding) -> Option<Bytes> {
        let compress = async || compressed(self.0.plain.clone(), coding).await.map(Bytes::from).ok_or(());
        self.0.coded[coding as usize].get_or_try_init(compress).await.ok().cloned()
    }
}

impl IntoResponse for Fixed {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.0.plain.clone()));
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_coding_is_made_once() {
        let fixed = Fixed::new("the same each time. ".repeat(100));
        for coding in Coding::ALL {
            let first = fixed.compressed(coding).await.expect("there is memory");
            let again = fixed.clone().compressed(coding).await.expect("there is memory");
            assert_eq!(first.as_ptr(), again.as_ptr(), "{coding:?}");
            assert_eq!(first, coding.compress(fixed.plain()).expect("there is memory"));
        }
    }
}
