//! Requests as GraphQL over HTTP has them: the parameters of a POST's JSON or of a GET's address.

use std::sync::{Arc, LazyLock};

use async_graphql::Variables;
use axum::http::StatusCode;
use moka::sync::Cache;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The longest body, in bytes.
pub(super) const LONGEST_BODY: usize = 1 << 20;

/// Longer queries are not kept for those who ask by digest, in bytes.
const LONGEST_KEPT: usize = 64 * 1024;

/// Queries that were sent with their digests, up to 16 MB of them. They hold nothing of the catalogue, so that all gateways of a process
/// may share them.
static KEPT: LazyLock<Cache<[u8; 32], Arc<str>>> = LazyLock::new(|| {
    let weigher = |_: &[u8; 32], query: &Arc<str>| u32::try_from(query.len()).unwrap_or(u32::MAX);
    Cache::builder().weigher(weigher).max_capacity(16 << 20).build()
});

/// What is asked.
#[derive(Debug)]
pub(super) struct Parameters {
    pub(super) query: String,
    pub(super) operation: Option<String>,
    pub(super) variables: Variables,
}

/// Why a request has no query that could be executed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unusable {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) message: &'static str,
}

const fn bad(code: &'static str, message: &'static str) -> Unusable {
    Unusable { status: StatusCode::BAD_REQUEST, code, message }
}

/// The parameters as they are sent; others are left alone, as the specification of GraphQL over HTTP says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    query: Option<String>,
    operation_name: Option<String>,
    #[serde(default)]
    variables: Option<Variables>,
    extensions: Option<Extensions>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extensions {
    persisted_query: Option<PersistedQuery>,
}

/// A query by its digest, as Apollo's clients send it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PersistedQuery {
    version: u32,
    sha256_hash: String,
}

/// Reads the body of a POST.
pub(super) fn of_body(body: &[u8]) -> Result<Parameters, Unusable> {
    match body.trim_ascii_start().first() {
        None => return Err(bad("bad_request", "The body is empty: send a JSON object with a `query`.")),
        // A batch is refused before its items are read.
        Some(b'[') => {
            return Err(bad("batch_refused", "A request asks one query: send several queries as several requests."));
        }
        _ => {}
    }
    let sent = serde_json::from_slice(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => bad("bad_request", PARAMETERS),
        _ => bad("bad_request", "The body is not JSON."),
    })?;
    parameters(sent)
}

const PARAMETERS: &str = "A request is a JSON object with a text `query` and, where they are given, a text `operationName`, an object \
                          `variables` and an object `extensions`.";

/// Reads the query of a GET's address.
pub(super) fn of_address(query: &str) -> Result<Parameters, Unusable> {
    let mut sent = Sent { query: None, operation_name: None, variables: None, extensions: None };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "query" => sent.query = Some(value.into_owned()),
            "operationName" => sent.operation_name = Some(value.into_owned()).filter(|name| !name.is_empty()),
            "variables" => sent.variables = json(&value)?,
            "extensions" => sent.extensions = json(&value)?,
            _ => {}
        }
    }
    parameters(sent)
}

fn json<T: for<'a> Deserialize<'a>>(text: &str) -> Result<Option<T>, Unusable> {
    if text.is_empty() {
        return Ok(None);
    }
    let reason = "`variables` and `extensions` must be JSON objects, percent-encoded.";
    serde_json::from_str(text).map_err(|_| bad("bad_request", reason))
}

fn parameters(sent: Sent) -> Result<Parameters, Unusable> {
    let persisted = sent.extensions.and_then(|extensions| extensions.persisted_query);
    let query = match (sent.query, persisted) {
        (Some(query), None) => query,
        (query, Some(persisted)) => by_digest(query, &persisted)?,
        (None, None) => return Err(bad("bad_request", PARAMETERS)),
    };
    Ok(Parameters { query, operation: sent.operation_name, variables: sent.variables.unwrap_or_default() })
}

/// The query of a digest; one that comes with its query is kept.
fn by_digest(query: Option<String>, persisted: &PersistedQuery) -> Result<String, Unusable> {
    if persisted.version != 1 {
        return Err(bad("PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported"));
    }
    let digest = data_encoding::HEXLOWER_PERMISSIVE.decode(persisted.sha256_hash.as_bytes()).ok();
    let digest: Option<[u8; 32]> = digest.and_then(|digest| digest.try_into().ok());
    let Some(digest) = digest else {
        return Err(bad("bad_request", "`sha256Hash` must be the SHA-256 of the query in hexadecimal digits."));
    };
    match query {
        // Apollo's clients know this answer by its words, and send the query with the digest then.
        None => KEPT.get(&digest).map(|query| query.to_string()).ok_or(Unusable {
            status: StatusCode::OK,
            code: "PERSISTED_QUERY_NOT_FOUND",
            message: "PersistedQueryNotFound",
        }),
        Some(query) if Sha256::digest(query.as_bytes())[..] == digest => {
            if query.len() <= LONGEST_KEPT {
                KEPT.insert(digest, query.as_str().into());
            }
            Ok(query)
        }
        Some(_) => Err(bad("bad_request", "`sha256Hash` is not the SHA-256 of the query.")),
    }
}
