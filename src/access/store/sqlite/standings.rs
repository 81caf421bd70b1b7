//! How keys stood when they were last read, for as long as nothing is committed.

use std::cell::RefCell;

use hashbrown::HashMap;
use thread_local::ThreadLocal;

use super::commits::State;
use super::{Day, Error, KeyId, Standing};

/// What each thread has read since the latest commit that it saw.
#[derive(Debug, Default)]
pub(super) struct Standings(ThreadLocal<RefCell<Read>>);

#[derive(Debug, Default)]
struct Read {
    after: Option<State>,
    standings: HashMap<(KeyId, Day), Standing>,
}

impl Standings {
    /// What this thread has read in this very state of the file; otherwise `read` is asked.
    pub(super) fn get_or_read(
        &self,
        key: KeyId,
        day: Day,
        state: Option<State>,
        read: impl FnOnce() -> Result<Option<Standing>, Error>,
    ) -> Result<Option<Standing>, Error> {
        if state.is_none() {
            return read();
        }
        let mut known = self.0.get_or_default().borrow_mut();
        if known.after != state {
            known.after = state;
            known.standings.clear();
        }
        if let Some(standing) = known.standings.get(&(key, day)) {
            return Ok(Some(*standing));
        }
        let standing = read()?;
        // A key that does not exist is not worth remembering: nobody asks for it twice.
        if let Some(standing) = standing {
            known.standings.insert((key, day), standing);
        }
        Ok(standing)
    }
}
