//! The import table of the architecture, and the house style, read off the sources.
