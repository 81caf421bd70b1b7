//! A browser without scripts: it keeps cookies and sends the forms of the page it was last on.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use ureq::http::{HeaderMap, Method, Request};

/// A browser.
#[derive(Clone, Debug)]
pub(super) struct Browser {
    agent: ureq::Agent,
    address: SocketAddr,
    pub(super) cookies: BTreeMap<String, String>,
    /// The token of the forms on the last page that had one.
    pub(super) form_token: String,
    /// Sent with every request besides.
    pub(super) headers: Vec<(&'static str, String)>,
}

/// What the browser was answered.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    pub(super) fn length(&self) -> usize {
        self.body.len()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("ASCII"))
    }

    pub(super) fn location(&self) -> &str {
        self.header("location")
    }

    /// The key that a page shows.
    pub(super) fn key(&self) -> &str {
        between(self.text(), "aria-labelledby=\"key-label\">", "</code>").expect("a key is shown")
    }

    /// The ids of the keys that the page lists.
    pub(super) fn key_ids(&self) -> Vec<&str> {
        self.text().split("<code>ctg_").skip(1).filter_map(|rest| rest.split_once("_…")).map(|(id, _)| id).collect()
    }

    pub(super) fn set_cookies(&self) -> Vec<&str> {
        self.headers.get_all("set-cookie").iter().map(|line| line.to_str().expect("ASCII")).collect()
    }
}

impl Browser {
    pub(super) fn new(address: SocketAddr) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_mins(1)))
            .build()
            .into();
        Self { agent, address, cookies: BTreeMap::new(), form_token: String::new(), headers: Vec::new() }
    }

    pub(super) fn get(&mut self, path: &str) -> Answer {
        self.send(&Method::GET, path, "")
    }

    /// Sends a form of the page the browser is on.
    pub(super) fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("form_token", &self.form_token).extend_pairs(fields);
        self.send(&Method::POST, path, &form.finish())
    }

    pub(super) fn send(&mut self, method: &Method, path: &str, body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        if *method == Method::POST {
            request = request.header("content-type", "application/x-www-form-urlencoded");
        }
        if !self.cookies.is_empty() {
            let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", cookies.join("; "));
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let response = self.agent.run(request.body(body).expect("a request")).expect("the service answers");
        let (parts, body) = response.into_parts();
        let body = body.into_with_config().limit(16 << 20).read_to_vec().expect("the answer has a body");
        let answer = Answer { status: parts.status.as_u16(), headers: parts.headers, body };
        for line in answer.set_cookies() {
            let (name, value) = line.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        if let Some(token) =
            between(std::str::from_utf8(&answer.body).unwrap_or_default(), "name=\"form_token\" value=\"", "\"")
        {
            token.clone_into(&mut self.form_token);
        }
        answer
    }

    pub(super) fn sign_in(&mut self, email: &str, password: &str) -> Answer {
        self.get("/account/sign-in");
        self.submit("/account/sign-in", &[("email", email), ("password", password)])
    }

    /// Makes a key and gives it.
    pub(super) fn create_key(&mut self, name: &str) -> String {
        self.get("/account/keys");
        let answer = self.submit("/account/keys", &[("name", name)]);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.key().to_owned()
    }

    /// The value of the session's cookie.
    pub(super) fn session(&self) -> Option<&str> {
        self.cookies.get("catalogue-session").map(String::as_str)
    }
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}
