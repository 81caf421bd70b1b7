//! The import table of the architecture and the house style, read off the sources.

mod imports;
mod paths;
mod style;

use std::fs;
use std::path::{Path, PathBuf};

/// A source file: its path below the repository, and its text.
struct Source {
    path: String,
    text: String,
}

/// Every Rust file below these folders, in order.
fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting: Vec<PathBuf> =
        folders.iter().map(|folder| root.join(folder)).filter(|path| path.is_dir()).collect();
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(root).expect("below the repository").to_string_lossy().into_owned();
                found.push(Source { path: name, text: fs::read_to_string(&path).expect("a source file") });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(found.len() > 5, "the sources are where they were looked for");
    found
}
