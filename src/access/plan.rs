//! Plans: what an account has agreed to.

use super::error::Error;

/// The longest name of a plan, in characters.
const LONGEST_NAME: usize = 60;

/// A plan. `free` (without the API) and `api` (with it) exist from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The name operators give it.
    pub name: String,
    /// Whether accounts on it may use the API.
    pub includes_api: bool,
}

impl Plan {
    /// A plan with a name that can stand in a list.
    ///
    /// # Errors
    /// [`Error::BadName`] where the name is empty, too long or has control characters.
    pub fn new(name: &str, includes_api: bool) -> Result<Self, Error> {
        Ok(Self { name: named("plan", name, LONGEST_NAME)?, includes_api })
    }
}

/// A name without blanks around it, or why it cannot be one: names are shown in pages and lists, one to a line.
pub(super) fn named(what: &'static str, name: &str, longest: usize) -> Result<String, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > longest || name.chars().any(char::is_control) {
        return Err(Error::BadName { what, longest });
    }
    Ok(name.to_owned())
}
