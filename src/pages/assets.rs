//! The pages' own files. Pages name them with a digest of what is in them, so that a browser may keep them for good.

use std::sync::LazyLock;

use axum::extract::RawQuery;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::caching::Untagged;

struct Asset {
    path: &'static str,
    kind: &'static str,
    content: &'static str,
    digest: LazyLock<String>,
}

static STYLE: Asset = Asset {
    path: "/account/style.css",
    kind: "text/css; charset=utf-8",
    content: include_str!("assets/style.css"),
    digest: LazyLock::new(|| STYLE.content_digest()),
};
static SCRIPT: Asset = Asset {
    path: "/account/script.js",
    kind: "text/javascript; charset=utf-8",
    content: include_str!("assets/script.js"),
    digest: LazyLock::new(|| SCRIPT.content_digest()),
};
static ICON: Asset = Asset {
    path: "/account/icon.svg",
    kind: "image/svg+xml",
    content: include_str!("assets/icon.svg"),
    digest: LazyLock::new(|| ICON.content_digest()),
};

impl Asset {
    fn content_digest(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.content)[..8])
    }

    fn address(&self) -> String {
        format!("{}?{}", self.path, *self.digest)
    }

    fn answer(&self, query: Option<&str>) -> Response {
        let policy = if query == Some(self.digest.as_str()) { Untagged::ForGood } else { Untagged::AskAgain };
        let mut response =
            ([(header::CONTENT_TYPE, HeaderValue::from_static(self.kind))], self.content).into_response();
        policy.write(response.headers_mut());
        response
    }
}

/// Where the files are, for templates.
pub(super) struct Assets;

#[expect(clippy::unused_self, reason = "templates call methods")]
impl Assets {
    pub(super) fn style(&self) -> String {
        STYLE.address()
    }

    pub(super) fn script(&self) -> String {
        SCRIPT.address()
    }

    pub(super) fn icon(&self) -> String {
        ICON.address()
    }
}

pub(crate) async fn style(RawQuery(query): RawQuery) -> Response {
    STYLE.answer(query.as_deref())
}

pub(crate) async fn script(RawQuery(query): RawQuery) -> Response {
    SCRIPT.answer(query.as_deref())
}

pub(crate) async fn icon(RawQuery(query): RawQuery) -> Response {
    ICON.answer(query.as_deref())
}
