//! The guide's examples, each in a file of its own for each language, so that what the page shows is what can be run.

/// One thing to do, in each language.
pub(super) struct Example {
    pub(super) name: &'static str,
    shell: &'static str,
    python: &'static str,
    javascript: &'static str,
}

impl Example {
    /// Its language's mark, that language's name, and the program.
    pub(super) fn programs(&self) -> [(&'static str, &'static str, &'static str); 3] {
        [
            ("shell", "curl", self.shell),
            ("python", "Python", self.python),
            ("javascript", "JavaScript", self.javascript),
        ]
    }
}

macro_rules! example {
    ($name:literal) => {
        Example {
            name: $name,
            shell: include_str!(concat!("examples/", $name, ".sh")),
            python: include_str!(concat!("examples/", $name, ".py")),
            javascript: include_str!(concat!("examples/", $name, ".mjs")),
        }
    };
}

/// The examples, by what they show.
pub(super) struct Examples {
    pub(super) first_call: Example,
    pub(super) traversal: Example,
    pub(super) null: Example,
    pub(super) dropped: Example,
    pub(super) feed: Example,
    pub(super) unchanged: Example,
    pub(super) allowance: Example,
    pub(super) errors: Example,
}

pub(super) static EXAMPLES: Examples = Examples {
    first_call: example!("first_call"),
    traversal: example!("traversal"),
    null: example!("null"),
    dropped: example!("dropped"),
    feed: example!("feed"),
    unchanged: example!("unchanged"),
    allowance: example!("allowance"),
    errors: example!("errors"),
};
