//! `/graphiql`: the editor in which analysts write their queries.
//!
//! It is other people's work and none of it is in this repository: `build.rs` installs and bundles what `graphiql/package-lock.json` pins,
//! and the binary holds it, so that the page needs no other host. A binary that was built without it says on the page how to get it.

use std::io::Read as _;
use std::sync::LazyLock;

use askama::Template;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use catalogue_schema::Refusal;
use flate2::read::GzDecoder;

use super::analyst::Analyst;
use super::assets::{Assets, digest};
use super::page::page;
use super::problem::Problem;
use super::signed_in::Holder;
use crate::caching::Untagged;
use crate::compression::Fixed;
use crate::error::refused;

/// The files by name, compressed.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/graphiql.rs"));

/// As strict as GraphiQL lets it be. Its editor writes style elements of its own as it goes, so styles are not held to files; fonts and
/// cursors are written into its style sheet. Scripts, workers and whatever is asked come from this host alone, and nothing is evaluated.
const CONTENT_SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

#[derive(Template)]
#[template(path = "graphiql.html")]
struct Editor {
    assets: Assets,
    style: String,
    script: String,
}

#[derive(Template)]
#[template(path = "no_graphiql.html")]
struct NoEditor {
    assets: Assets,
    place: &'static str,
    holder: Option<Holder>,
}

/// The page.
pub(crate) async fn show(Analyst { holder }: Analyst) -> Result<Response, Problem> {
    let (Some(style), Some(script)) = (address_of("page.css"), address_of("page.js")) else {
        return page(StatusCode::OK, &NoEditor { assets: Assets, place: "/graphiql", holder });
    };
    let mut response = page(StatusCode::OK, &Editor { assets: Assets, style, script })?;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    Ok(response)
}

/// A file of the page, for whoever asks: it is other people's and public.
pub(crate) async fn file(uri: Uri) -> Response {
    let name = uri.path().rsplit('/').next().unwrap_or_default();
    let Some(file) = find(name) else { return refused(&Refusal::NotFound, None) };
    file.answer(uri.query())
}

/// A file of the page.
struct File {
    name: &'static str,
    digest: String,
    content: Fixed,
}

/// All of them, taken out of the binary when the first is asked for. One that is damaged is missing.
static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let files = EMBEDDED.iter().filter_map(|(name, compressed)| {
        let mut plain = Vec::new();
        let read = GzDecoder::new(*compressed).read_to_end(&mut plain);
        read.inspect_err(|error| tracing::error!(%error, file = name, "a file of GraphiQL is damaged")).ok()?;
        Some(File { name, digest: digest(compressed), content: Fixed::new(plain) })
    });
    files.collect()
});

fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

fn address_of(name: &str) -> Option<String> {
    let file = find(name)?;
    Some(format!("/graphiql/{name}?{}", file.digest))
}

impl File {
    fn kind(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("ttf") => "font/ttf",
            _ => "text/plain; charset=utf-8",
        }
    }

    fn answer(&self, query: Option<&str>) -> Response {
        // The bundler calls what a page begins with by its name, and everything else by a digest of it.
        let has_digest = self.name.contains('-') || query.is_some_and(|query| query == self.digest);
        let policy = if has_digest { Untagged::ForGood } else { Untagged::AskAgain };
        let mut response = self.content.clone().into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind()));
        policy.write(response.headers_mut());
        response
    }
}
