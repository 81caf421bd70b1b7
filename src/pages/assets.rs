//! The pages' own files. Pages name them with a digest of what is in them, so that a browser may keep them for good.

use std::sync::{Arc, LazyLock};

use axum::extract::RawQuery;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::caching::Untagged;
use crate::compression::Fixed;

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

struct Asset {
    path: &'static str,
    kind: &'static str,
    content: LazyLock<Fixed>,
    digest: LazyLock<String>,
}

static STYLE: Asset = Asset {
    path: "/account/style.css",
    kind: CSS,
    content: LazyLock::new(|| Fixed::new(&include_bytes!("assets/style.css")[..])),
    digest: LazyLock::new(|| digest(STYLE.content.plain())),
};
static SCRIPT: Asset = Asset {
    path: "/account/script.js",
    kind: JAVASCRIPT,
    content: LazyLock::new(|| Fixed::new(&include_bytes!("assets/script.js")[..])),
    digest: LazyLock::new(|| digest(SCRIPT.content.plain())),
};
static DASHBOARD: Asset = Asset {
    path: "/dashboard.css",
    kind: CSS,
    content: LazyLock::new(|| Fixed::new(&include_bytes!("assets/dashboard.css")[..])),
    digest: LazyLock::new(|| digest(DASHBOARD.content.plain())),
};
static ICON: Asset = Asset {
    path: "/account/icon.svg",
    kind: SVG,
    content: LazyLock::new(|| Fixed::new(&include_bytes!("assets/icon.svg")[..])),
    digest: LazyLock::new(|| digest(ICON.content.plain())),
};
static REFERENCE_SCRIPT: Asset = Asset {
    path: "/docs/reference/reference.js",
    kind: JAVASCRIPT,
    content: LazyLock::new(|| Fixed::new(&include_bytes!("assets/reference.js")[..])),
    digest: LazyLock::new(|| digest(REFERENCE_SCRIPT.content.plain())),
};
static REFERENCE_LIBRARY: Asset = Asset {
    path: "/docs/reference/swagger-ui.js",
    kind: JAVASCRIPT,
    content: LazyLock::new(|| swagger_ui("swagger-ui-bundle.js")),
    digest: LazyLock::new(|| digest(REFERENCE_LIBRARY.content.plain())),
};
static REFERENCE_STYLE: Asset = Asset {
    path: "/docs/reference/swagger-ui.css",
    kind: CSS,
    content: LazyLock::new(|| swagger_ui("swagger-ui.css")),
    digest: LazyLock::new(|| digest(REFERENCE_STYLE.content.plain())),
};

/// What tells contents apart.
pub(super) fn digest(content: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(content)[..8])
}

/// A file of Swagger UI, which the binary brings along.
fn swagger_ui(name: &str) -> Fixed {
    let file = utoipa_swagger_ui::serve(name, Arc::default()).ok().flatten();
    Fixed::new(file.map(|file| file.bytes.into_owned()).unwrap_or_default())
}

impl Asset {
    fn address(&self) -> String {
        format!("{}?{}", self.path, *self.digest)
    }

    fn answer(&self, query: Option<&str>) -> Response {
        let policy = if query == Some(self.digest.as_str()) { Untagged::ForGood } else { Untagged::AskAgain };
        let mut response = self.content.clone().into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
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

    pub(super) fn reference_script(&self) -> String {
        REFERENCE_SCRIPT.address()
    }

    pub(super) fn reference_library(&self) -> String {
        REFERENCE_LIBRARY.address()
    }

    pub(super) fn reference_style(&self) -> String {
        REFERENCE_STYLE.address()
    }

    pub(super) fn dashboard(&self) -> String {
        DASHBOARD.address()
    }
}

pub(crate) async fn style(RawQuery(query): RawQuery) -> Response {
    STYLE.answer(query.as_deref())
}

pub(crate) async fn script(RawQuery(query): RawQuery) -> Response {
    SCRIPT.answer(query.as_deref())
}

pub(crate) async fn dashboard(RawQuery(query): RawQuery) -> Response {
    DASHBOARD.answer(query.as_deref())
}

pub(crate) async fn icon(RawQuery(query): RawQuery) -> Response {
    ICON.answer(query.as_deref())
}

pub(crate) async fn reference_script(RawQuery(query): RawQuery) -> Response {
    REFERENCE_SCRIPT.answer(query.as_deref())
}

pub(crate) async fn reference_library(RawQuery(query): RawQuery) -> Response {
    REFERENCE_LIBRARY.answer(query.as_deref())
}

pub(crate) async fn reference_style(RawQuery(query): RawQuery) -> Response {
    REFERENCE_STYLE.answer(query.as_deref())
}
