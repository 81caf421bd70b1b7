//! What stays open, what stays on disk, and what is noticed, while generations come and go.

use std::fs;

use catalogue_index::{Catalogue, Options, Resource};
use catalogue_schema::Requested;

use crate::support::crawl::{Crawl, day, minute, programme};
use crate::support::vault::{Vault, folder, list, page};

fn crawl(number: usize) -> Crawl {
    Crawl::of(1, (0..30).map(programme)).with(3, |row| row.title = format!("Title {number}"))
}

#[test]
fn a_data_folder_made_anew_under_a_gateway_is_served() {
    let vault = Vault::new();
    vault.publish(&crawl(1), minute(1));
    let gateway = vault.open();
    let cursor = page(&gateway, Resource::Grants, &Requested::default(), None, day(9), 10).1.expect("a second page");
    for name in ["generations", "changes"] {
        fs::remove_dir_all(vault.file(name)).expect(name);
    }
    fs::remove_file(vault.file("CURRENT")).expect("the pointer");
    assert!(!gateway.refresh().expect("nothing is published, and what is served stays"));
    vault.publish(&crawl(2), minute(2));
    assert!(gateway.refresh().expect("the new folder is sound"), "generation 1 is not the one that was served");
    let rows = list(&gateway, Resource::Grants, day(9));
    assert!(rows.iter().any(|row| row["title"] == "Title 2"), "{rows:?}");
    assert!(!gateway.refresh().expect("nothing new"));
    let Err(refusal) = gateway.traverse(Resource::Grants, &Requested::default(), Some(&cursor), day(9)) else {
        panic!("a cursor of the old folder goes on in the new one");
    };
    assert_eq!(refusal.slug(), "invalid_parameter");
}

#[test]
fn cursors_of_more_generations_than_stay_open_are_all_followed() {
    let vault = Vault::new();
    vault.publish(&crawl(0), minute(0));
    let gateway = vault.open();
    let begin = |gateway: &Catalogue| {
        let (rows, next) = page(gateway, Resource::Grants, &Requested::default(), None, day(9), 20);
        (rows, next.expect("a second page"))
    };
    let mut first_pages = vec![begin(&gateway)];
    for number in 1..12 {
        vault.publish(&crawl(number), minute(i64::try_from(number).expect("small")));
        assert!(gateway.refresh().expect("a sound generation"));
        first_pages.push(begin(&gateway));
    }
    for round in 0..2 {
        for (number, (first, cursor)) in first_pages.iter().enumerate() {
            let (rest, next) = page(&gateway, Resource::Grants, &Requested::default(), Some(cursor), day(9), 20);
            assert_eq!((first.len() + rest.len(), next), (30, None), "generation {number}, round {round}");
            let title = format!("Title {number}");
            assert!(first.iter().chain(&rest).any(|row| row["title"] == *title), "generation {number}");
        }
    }
}

#[test]
fn what_is_not_published_clears_nothing_away() {
    let vault = Vault::new();
    for number in 1..4 {
        vault.publish(&crawl(number), minute(i64::try_from(number).expect("small")));
    }
    let export = folder();
    crawl(4).write(export.path());
    let reindex = |options| catalogue_index::reindex(&vault.data(), export.path(), options, &|| day(40), &|_| {});
    let dry = reindex(Options { dry_run: true, ..Options::default() }).expect("a reindex");
    assert!(!dry.published && !dry.refused);
    assert_eq!(vault.listed(), (3, vec![1, 2, 3]), "after a dry run");
    fs::write(export.path().join("funders.ndjson"), "no funder\n").expect("a file of the export");
    assert!(reindex(Options::default()).expect("a reindex").refused);
    assert_eq!(vault.listed(), (3, vec![1, 2, 3]), "after a refusal");
    crawl(4).write(export.path());
    assert!(reindex(Options::default()).expect("a reindex").published);
    assert_eq!(vault.listed(), (4, vec![3, 4]), "after a publication");
}
