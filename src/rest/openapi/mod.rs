//! The OpenAPI document: `/api/v1/openapi.json`, and what its parts are made of.
//!
//! It is made from what serves: the router collects the operations ([`frame`] is what it begins with), each handler names its own
//! parameters and answers, and these come from the tables by which requests are read and refused. So the document cannot say one thing
//! and the service do another.

mod answers;
mod frame;
mod headers;
mod parameters;
mod refusals;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use utoipa::openapi::OpenApi;

pub(crate) use self::answers::{Description, One, Pages};
pub use self::frame::frame;
use crate::caching::{self, Held, Policy};
use crate::compression::Fixed;
use crate::error::Error;

/// The document as it is sent, and its tag.
#[derive(Clone, Debug)]
pub struct Document {
    json: Fixed,
    tag: String,
}

impl Document {
    /// Writes a document down.
    ///
    /// # Errors
    /// Where it has no JSON form.
    pub fn new(document: &OpenApi) -> Result<Self, serde_json::Error> {
        let mut json = serde_json::to_vec_pretty(document)?;
        json.push(b'\n');
        let tag = URL_SAFE_NO_PAD.encode(&Sha256::digest(&json)[..12]);
        Ok(Self { json: Fixed::new(json), tag })
    }

    /// The document's text.
    #[must_use]
    pub fn json(&self) -> &[u8] {
        self.json.plain()
    }
}

/// This description of the API.
///
/// It is made from the program that answers, so that the two cannot differ. It takes no key.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    tag = "openapi",
    params(Held),
    responses(Description),
    security(())
)]
pub(crate) async fn get_openapi(State(document): State<Arc<Document>>, held: Held) -> Result<Response, Error> {
    caching::conditional(&Policy::Public(&document.tag), &held, || {
        let mut response = document.json.clone().into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(response)
    })
}
