//! Analysts: who may see what is on the internal listener (decisions, section 9).
//!
//! An analyst is signed in with a browser, or brings a key, whatever its plan. Nothing is charged.

use axum::http::HeaderMap;
use catalogue_schema::Refusal;

use super::account::Role;
use super::authorization::authorization;
use super::caller::Denied;
use super::cookies::Cookies;
use super::error::Error;
use super::service::Access;
use super::session::Session;

/// Somebody whose account is an analyst's.
#[derive(Clone, Debug)]
pub struct Analyst {
    /// The session, where the analyst has signed in; a key has none.
    pub session: Option<Session>,
}

/// Why somebody is not let in.
#[derive(Debug)]
pub enum NotAnalyst {
    /// Nobody has signed in, and there is no key.
    Nobody,
    /// The account is a client's; its session, where it has signed in.
    Client(Option<Box<Session>>),
    /// The key is none, or the store did not answer.
    Denied(Denied),
    /// The store did not answer when it was asked for the session.
    Failed(Error),
}

impl Access {
    /// The analyst who sends these headers. A key counts before a session: whoever sends one means it. `cookies` says whether the browser
    /// speaks TLS.
    ///
    /// # Errors
    /// [`NotAnalyst`].
    pub async fn analyst(&self, headers: &HeaderMap, cookies: Cookies) -> Result<Analyst, NotAnalyst> {
        let Ok(authorization) = authorization(headers) else {
            return Err(NotAnalyst::Denied(self.denied(Refusal::InvalidKey, self.now())));
        };
        if let Some(authorization) = authorization {
            let identity = self.identify(Some(authorization)).await.map_err(NotAnalyst::Denied)?;
            let is_analyst = identity.role == Role::Analyst;
            return if is_analyst { Ok(Analyst { session: None }) } else { Err(NotAnalyst::Client(None)) };
        }
        match self.session(headers, cookies).await {
            Ok(Some(session)) if session.account.role == Role::Analyst => Ok(Analyst { session: Some(session) }),
            Ok(Some(session)) => Err(NotAnalyst::Client(Some(Box::new(session)))),
            Ok(None) => Err(NotAnalyst::Nobody),
            Err(error) => Err(NotAnalyst::Failed(error)),
        }
    }
}
