//! A window that holds too much is refused before a row is sent, with what a client must know to ask again.

use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{Refusal, Requested, Timestamp};
use serde_json::Value;

use crate::support::crawl::{Crawl, day, programme};
use crate::support::vault::{Vault, list_asked};

const LIMIT: u64 = 12;

/// Publications that brought nothing (the baseline), 5, 10 and 2 changes.
fn vault() -> Vault {
    let vault = Vault::new();
    for (on, count) in [(1, 20), (2, 25), (3, 35), (4, 37)] {
        vault.publish(&Crawl::of(on, (0..count).map(programme)), day(on));
    }
    vault
}

fn since(since: Timestamp) -> Requested {
    Requested { since: Some(since), ..Requested::default() }
}

#[test]
fn a_window_that_is_too_large_is_refused_with_limit_count_and_a_since_that_fits() {
    let vault = vault();
    let catalogue = Catalogue::open(vault.data(), &[1; 32], LIMIT).expect("a catalogue");
    for (asked, count) in [(Requested::default(), 17), (since(day(1)), 17), (since(day(2)), 17)] {
        let Err(refusal) = catalogue.traverse(Resource::Changes, &asked, None, day(9)) else {
            panic!("{asked:?} is served, though it is too large");
        };
        assert_eq!(refusal, Refusal::WindowTooLarge { limit: LIMIT, count, fits_since: Some(day(3)) });
        assert_eq!(refusal.status(), 400);
        let body = serde_json::to_value(refusal.body()).expect("JSON");
        assert_eq!((&body["error"], &body["parameter"]), (&Value::from("window_too_large"), &Value::from("since")));
        let message = body["message"].as_str().expect("a sentence");
        for named in ["12", "17", &day(3).to_string()] {
            assert!(message.contains(named), "{message} names {named}");
        }
    }
    let fits = list_asked(&catalogue, Resource::Changes, &since(day(3)), day(9));
    assert_eq!(fits.len(), 12, "the `since` that is named is served, and is the earliest");
    let earlier = day(3).plus_millis(-1).expect("an instant");
    assert_eq!(list_asked(&catalogue, Resource::Changes, &since(day(3)), day(9)).len(), 12);
    assert_eq!(list_asked(&catalogue, Resource::Changes, &since(day(4)), day(9)).len(), 2);
    assert_eq!(list_asked(&catalogue, Resource::Changes, &since(day(5)), day(9)).len(), 0);
    let after_second = day(2).plus_millis(1).expect("an instant");
    assert_eq!(list_asked(&catalogue, Resource::Changes, &since(after_second), day(9)).len(), 12);
    assert_eq!(list_asked(&catalogue, Resource::Changes, &since(earlier), day(9)).len(), 12);
}

#[test]
fn where_the_last_publication_alone_is_too_large_no_since_is_named() {
    let vault = vault();
    vault.publish(&Crawl::of(5, (0..50).map(programme)), day(5));
    let catalogue = Catalogue::open(vault.data(), &[1; 32], LIMIT).expect("a catalogue");
    let Err(refusal) = catalogue.traverse(Resource::Changes, &since(day(5)), None, day(9)) else {
        panic!("the window is served, though it is too large");
    };
    let sentence = refusal.to_string();
    assert!(sentence.contains("13") && sentence.contains("12") && !sentence.contains("ask again"), "{sentence}");
}

#[test]
fn a_traversal_that_fits_when_it_begins_is_served_to_its_end_whatever_is_published_meanwhile() {
    let vault = vault();
    let catalogue = Catalogue::open(vault.data(), &[1; 32], LIMIT).expect("a catalogue");
    let asked = since(day(3));
    let (mut seen, mut cursor, mut on) = (Vec::new(), None, 5);
    loop {
        let traversal = catalogue.traverse(Resource::Changes, &asked, cursor.as_deref(), day(9)).expect("it goes on");
        let page = traversal.page(4).expect("a page");
        let mut text = b"[".to_vec();
        page.append_rows(&mut text);
        text.push(b']');
        seen.extend(serde_json::from_slice::<Vec<Value>>(&text).expect("JSON"));
        cursor = catalogue.next_cursor(&page);
        if cursor.is_none() {
            break;
        }
        vault.publish(&Crawl::of(on, (0..usize::try_from(on).expect("small") * 20).map(programme)), day(4));
        assert!(catalogue.refresh().expect("a new generation"));
        on += 1;
    }
    assert_eq!(seen.len(), 12);
    assert!(seen.iter().all(|change| change["observed_at"].as_str() < Some(&*day(5).to_string())));
}
