//! A client that takes every answer as it is.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use ureq::AsSendBody;
use ureq::http::{HeaderMap, Method, Request, StatusCode};

/// How long an answer may take before the test fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// Larger than any answer of a test.
const LONGEST_BODY: u64 = 64 << 20;

/// Talks to one listener, with or without a key.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    agent: ureq::Agent,
    address: SocketAddr,
    key: Option<String>,
}

/// What the service answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr, key: Option<&str>) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_response_header_size(1 << 20)
            .input_buffer_size(1 << 20)
            .timeout_global(Some(PATIENCE))
            .build()
            .into();
        Self { agent, address, key: key.map(str::to_owned) }
    }

    /// GET of a path with its query, as it is written.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[])
    }

    /// GET with further headers.
    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::GET, path, headers)
    }

    /// GET of a list with parameters, percent-encoded here.
    pub(crate) fn list(&self, path: &str, parameters: &[(&str, &str)]) -> Answer {
        self.get(&with_query(path, parameters))
    }

    /// GET of a path from a service that may be gone, or go before it has answered.
    pub(crate) fn try_get(&self, path: &str) -> Result<Answer, ureq::Error> {
        self.try_send(Method::GET, path, &[], ())
    }

    /// Any request without a body.
    pub(crate) fn send(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.try_send(method, path, headers, ()).expect("the service answers")
    }

    /// POST of a body as it is, with nothing said of it but these headers.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.try_send(Method::POST, path, headers, body).expect("the service answers")
    }

    fn try_send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl AsSendBody,
    ) -> Result<Answer, ureq::Error> {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body).expect("the test states a request");
        let (parts, body) = self.agent.run(request)?.into_parts();
        let body = body.into_with_config().limit(LONGEST_BODY).read_to_vec()?;
        Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, body })
    }

    /// Every row of a list, met by following cursors; and every `as_of` that was said on the way.
    pub(crate) fn traverse(&self, path: &str, parameters: &[(&str, &str)]) -> (Vec<Value>, Vec<String>) {
        let (mut rows, mut instants) = (Vec::new(), Vec::new());
        let mut cursor: Option<String> = None;
        loop {
            let mut parameters = parameters.to_vec();
            if let Some(cursor) = &cursor {
                parameters.push(("cursor", cursor));
            }
            let page = self.list(path, &parameters).page();
            rows.extend(page.rows);
            instants.push(page.as_of);
            cursor = page.next;
            if cursor.is_none() {
                return (rows, instants);
            }
        }
    }

    /// Writes bytes to a connection of its own and gives whatever comes back until the service closes it or falls silent.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).expect("the service accepts connections");
        stream.set_read_timeout(Some(Duration::from_millis(700))).expect("a time limit");
        // The service may hang up on a request it will not read to the end.
        let _may_break = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _may_time_out = stream.read_to_end(&mut answer);
        answer
    }
}

/// A path with parameters, percent-encoded.
pub(crate) fn with_query(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    let query = query.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// A page of a list as the envelope has it.
pub(crate) struct Page {
    pub(crate) rows: Vec<Value>,
    pub(crate) next: Option<String>,
    pub(crate) as_of: String,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// A header that is there once at the most.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next();
        assert!(values.next().is_none(), "{name} is there twice");
        value.map(|value| value.to_str().expect("a header of plain characters"))
    }

    /// The page of a list, the answer being 200.
    pub(crate) fn page(&self) -> Page {
        assert_eq!(self.status, StatusCode::OK, "{}", String::from_utf8_lossy(&self.body));
        let body = self.json();
        Page {
            rows: body["data"].as_array().expect("data is a list").clone(),
            next: body["next_cursor"].as_str().map(str::to_owned),
            as_of: body["as_of"].as_str().expect("as_of is a text").to_owned(),
        }
    }

    /// The slugs of a page, in order.
    pub(crate) fn slugs(&self) -> Vec<String> {
        super::listing::slugs(&self.page().rows).into_iter().map(str::to_owned).collect()
    }

    /// The cursor of the next page, where there is one.
    pub(crate) fn next(&self) -> String {
        self.page().next.expect("there is a next page")
    }

    /// Checks a refusal whole: status, slug, parameter, the fields of the body and the headers every refusal has.
    #[track_caller]
    pub(crate) fn assert_refused(&self, status: u16, error: &str, parameter: Option<&str>) {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        let body = self.json();
        let fields: Vec<&str> = body.as_object().expect("a refusal is an object").keys().map(String::as_str).collect();
        let expected: &[&str] =
            if parameter.is_some() { &["error", "message", "parameter"] } else { &["error", "message"] };
        let mut sorted = fields.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "{text}");
        assert_eq!(body["error"], error, "{text}");
        assert_eq!(body["parameter"].as_str(), parameter, "{text}");
        let message = body["message"].as_str().expect("a sentence");
        assert!(message.ends_with('.') && message.chars().next().is_some_and(char::is_uppercase), "{message}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert_eq!(self.header("cache-control"), Some("no-store"));
        assert_eq!(self.header("etag"), None);
        self.rate();
    }

    /// The allowance every response reports: limit, remaining, and when it ends.
    #[track_caller]
    pub(crate) fn rate(&self) -> (u64, u64, u64) {
        let number = |name: &str| {
            let value = self.header(name).unwrap_or_else(|| panic!("{name} is not there"));
            value.parse::<u64>().unwrap_or_else(|_| panic!("{name} is {value}"))
        };
        (number("x-ratelimit-limit"), number("x-ratelimit-remaining"), number("x-ratelimit-reset"))
    }
}
