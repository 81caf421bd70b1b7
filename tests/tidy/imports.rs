//! Which room may import what (architecture, the table of rooms). Rooms of other crates are kept by the crates themselves.

use super::paths::paths;
use super::{Source, sources};

/// What answers clients. No surface imports another.
const SURFACES: [&str; 3] = ["rest", "graphql", "pages"];

/// What a surface may import of this crate, besides itself. `app` is not in the table: it is the state that axum hands to every
/// handler, and names nothing that a surface could not name itself.
const OF_A_SURFACE: [&str; 6] = ["resolvers", "access", "caching", "compression", "error", "app"];

/// The files of a room: a folder or a file of that name.
fn of_room<'s>(sources: &'s [Source], room: &str) -> Vec<&'s Source> {
    let (file, folder) = (format!("src/{room}.rs"), format!("src/{room}/"));
    sources.iter().filter(|source| source.path == file || source.path.starts_with(&folder)).collect()
}

/// Names every path of a room that `is_allowed` does not allow.
fn violations(sources: &[Source], room: &str, is_allowed: impl Fn(&[&str]) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for source in of_room(sources, room) {
        for path in paths(&source.path, &source.text) {
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            if !is_allowed(&names) {
                found.push(format!("{} names {}", source.path, path.join("::")));
            }
        }
    }
    found
}

/// Whether a path inside the crate stays in `room` or leads into one of `others`; a path out of the crate does.
fn stays_in(path: &[&str], room: &str, others: &[&str]) -> bool {
    path[0] != "crate" || path[1] == room || others.contains(&path[1])
}

#[test]
fn resolvers_know_neither_surfaces_nor_access() {
    let sources = sources(&["src"]);
    assert!(!of_room(&sources, "resolvers").is_empty());
    let found = violations(&sources, "resolvers", |path| {
        stays_in(path, "resolvers", &["clock"]) && !["axum", "hyper", "tantivy"].contains(&path[0])
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn access_knows_neither_the_index_nor_surfaces() {
    let sources = sources(&["src"]);
    assert!(!of_room(&sources, "access").is_empty());
    let found = violations(&sources, "access", |path| {
        stays_in(path, "access", &["clock"]) && !["catalogue_index", "tantivy"].contains(&path[0])
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_surface_knows_neither_the_index_nor_tantivy_nor_another_surface() {
    let sources = sources(&["src"]);
    assert!(!of_room(&sources, "rest").is_empty());
    for surface in SURFACES {
        let found = violations(&sources, surface, |path| {
            stays_in(path, surface, &OF_A_SURFACE) && !["catalogue_index", "tantivy"].contains(&path[0])
        });
        assert_eq!(found, Vec::<String>::new());
    }
}

#[test]
fn tantivy_lives_in_the_index_and_nowhere_else() {
    for source in sources(&["src", "schema/src", "tests"]) {
        let named = paths(&source.path, &source.text).into_iter().find(|path| path[0] == "tantivy");
        assert_eq!(named, None, "{}", source.path);
    }
}

#[test]
fn the_index_knows_nothing_of_http_and_the_schema_nothing_of_either() {
    for (folder, never) in [
        ("index/src", &["axum", "hyper", "async_graphql", "tokio"][..]),
        ("schema/src", &["axum", "hyper", "tokio", "tantivy", "catalogue_index", "catalogue_gateway"]),
    ] {
        for source in sources(&[folder]) {
            let named = paths(&source.path, &source.text).into_iter().find(|path| never.contains(&path[0].as_str()));
            assert_eq!(named, None, "{}", source.path);
        }
    }
}
