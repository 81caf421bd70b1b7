//! The same comparison through the whole service.

use catalogue_schema::Timestamp;
use proptest::prelude::*;

use super::model::{self, Record};
use super::random::{PUBLICATIONS, Reading, catalogue, export, reading, runner};
use crate::support::service::Service;

/// Follows cursors over HTTP, with the reading's limits and while its clock moves.
fn follow(service: &Service, reading: &Reading) -> Vec<String> {
    let mut filter: Vec<(String, String)> =
        reading.asked.values.iter().map(|(field, value)| (field.name().to_owned(), value.clone())).collect();
    filter.extend(reading.asked.updated_since.map(|since| ("updated_since".to_owned(), since.to_string())));
    let begun = Timestamp::from_unix_millis(reading.now).expect("an instant");
    let mut slugs = Vec::new();
    let mut cursor: Option<String> = None;
    for (number, (limit, half_hours)) in reading.steps.iter().cycle().enumerate() {
        let moved = if number == 0 { 0 } else { half_hours * 1_800_000 };
        service.clock.set(begun.plus_millis(moved).expect("an instant"));
        let limit = limit.to_string();
        let mut parameters: Vec<(&str, &str)> =
            filter.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        parameters.push(("limit", &limit));
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let page = service.list("/api/v1/grants", &parameters).page();
        assert_eq!(page.as_of, begun.to_string());
        slugs.extend(page.rows.iter().map(|row| row["slug"].as_str().expect("a slug").to_owned()));
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    slugs
}

#[test]
fn the_service_gives_the_models_rows_in_the_models_order() {
    let cases = (catalogue(30..60), prop::collection::vec(reading(), 60));
    let outcome = runner(4).run(&cases, |(rolled, readings)| {
        let service = Service::of(&export(&rolled, 0));
        for publication in [1, 2] {
            service.publish(&export(&rolled, publication), PUBLICATIONS[publication]);
        }
        let records: Vec<Record> = rolled.iter().map(|rolled| rolled.record.clone()).collect();
        for reading in &readings {
            let expected = model::list(&records, &reading.asked, reading.now);
            prop_assert_eq!(follow(&service, reading), expected, "{:?}", reading);
        }
        Ok(())
    });
    outcome.expect("the model agrees");
}
