//! Filters: what matches, what is dropped, and how it is said (specification, part 4, rule 1; decisions, section 3).

use serde_json::json;

use crate::support::client::Answer;
use crate::support::export::{Export, funder, grant, recipient};
use crate::support::service::Service;

fn service() -> Service {
    let mut export = Export::of([
        grant("a-anywhere"),
        grant("b-nowhere")
            .with("elig_states", json!([]))
            .with("elig_entities", json!([]))
            .with("industries", json!([])),
        grant("c-california")
            .with("elig_states", json!(["CA"]))
            .with("elig_entities", json!(["Nonprofits"]))
            .with("industries", json!(["art"])),
        grant("d-two")
            .with("elig_states", json!(["NY", "PR"]))
            .with("elig_entities", json!(["cities", "tribes"]))
            .with("industries", json!(["art", "health"]))
            .with("status", "forecasted"),
        grant("e-closed").with("elig_states", json!(["CA", "NY"])).with("status", "closed"),
    ]);
    export.funders = vec![
        funder("f", "Foundation").with("state", "CA").with("summary", "Gives to rivers."),
        funder("n", "Northern").with("state", "NY"),
        funder("o", "Old"),
    ];
    export.recipients = vec![recipient("r", "River Trust").with("state", "CA"), recipient("s", "School")];
    Service::of(&export)
}

fn ignored(answer: &Answer) -> Option<&str> {
    answer.header("x-service-ignored-filters")
}

#[test]
fn a_stated_list_matches_its_codes_null_matches_all_and_an_empty_one_none() {
    let service = service();
    for (query, slugs) in [
        ("state=CA", &["a-anywhere", "c-california", "e-closed"][..]),
        ("state=PR", &["a-anywhere", "d-two"]),
        ("state=TX", &["a-anywhere"]),
        ("entity=nonprofits", &["a-anywhere", "c-california", "e-closed"]),
        ("entity=tribes", &["a-anywhere", "d-two", "e-closed"]),
        ("industry=health", &["a-anywhere", "d-two", "e-closed"]),
        ("industry=art", &["a-anywhere", "c-california", "d-two", "e-closed"]),
    ] {
        let answer = service.get(&format!("/api/v1/grants?{query}"));
        assert_eq!(answer.slugs(), slugs, "{query}");
        assert_eq!(ignored(&answer), None, "{query}");
    }
}

#[test]
fn values_of_one_filter_widen_and_different_filters_narrow() {
    let service = service();
    for (query, slugs) in [
        ("state=CA&state=NY", &["a-anywhere", "c-california", "d-two", "e-closed"][..]),
        ("state=CA&industry=health", &["a-anywhere", "e-closed"]),
        ("state=NY&industry=health&entity=cities", &["a-anywhere", "d-two", "e-closed"]),
        ("state=NY&status=open", &["a-anywhere"]),
        ("status=forecasted", &["d-two"]),
        ("status=closed", &["e-closed"]),
        ("status=forecasted&state=TX", &[]),
        ("industry=art&industry=health&status=open&q=programme", &["a-anywhere", "c-california"]),
    ] {
        assert_eq!(service.get(&format!("/api/v1/grants?{query}")).slugs(), slugs, "{query}");
    }
}

#[test]
fn codes_match_in_any_case() {
    let service = service();
    for (query, same) in [
        ("state=ca", "state=CA"),
        ("state=cA", "state=CA"),
        ("entity=NONPROFITS", "entity=nonprofits"),
        ("entity=Cities", "entity=cities"),
        ("industry=ART", "industry=art"),
        ("status=OPEN", "status=open"),
        ("status=Forecasted", "status=forecasted"),
    ] {
        let [answer, expected] = [query, same].map(|query| service.get(&format!("/api/v1/grants?{query}")));
        assert_eq!(answer.slugs(), expected.slugs(), "{query}");
        assert_eq!(ignored(&answer), None, "{query}");
    }
}

#[test]
fn every_state_and_territory_is_answered_for_and_nothing_else() {
    let service = service();
    let codes = "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA \
                 RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI";
    assert_eq!(codes.split_whitespace().count(), 56);
    for code in codes.split_whitespace() {
        assert_eq!(ignored(&service.list("/api/v1/grants", &[("state", code)])), None, "{code}");
    }
    for code in ["ZZ", "C", "CAL", "California", "UM", "AA", "FM", " CA", "\u{ff23}\u{ff21}"] {
        assert!(ignored(&service.list("/api/v1/grants", &[("state", code)])).is_some(), "{code}");
    }
}

#[test]
fn a_dropped_value_is_listed_and_the_others_apply() {
    let service = service();
    let answer = service.get("/api/v1/grants?state=CA&state=ZZ&industry=foo&industry=health&status=open");
    assert_eq!(ignored(&answer), Some("state=ZZ, industry=foo"));
    assert_eq!(answer.slugs(), ["a-anywhere"]);
}

#[test]
fn a_filter_with_nothing_left_does_not_apply() {
    let service = service();
    let all = service.get("/api/v1/grants").slugs();
    for (query, listed) in [
        ("state=ZZ", "state=ZZ"),
        ("status=paused", "status=paused"),
        ("entity=nobody", "entity=nobody"),
        ("industry=nothing&industry=foo", "industry=nothing, industry=foo"),
        ("q=%21%3F", "q=%21%3F"),
    ] {
        let answer = service.get(&format!("/api/v1/grants?{query}"));
        assert_eq!((answer.slugs(), ignored(&answer)), (all.clone(), Some(listed)), "{query}");
    }
}

#[test]
fn dropped_values_are_percent_encoded_in_the_order_given_each_once() {
    let service = service();
    let values = [
        ("industry", "b, c=d"),
        ("state", "zz"),
        ("industry", "caf\u{e9}"),
        ("state", "zz"),
        ("state", "ZZ"),
        ("industry", "b, c=d"),
        ("entity", "new\r\nline"),
        ("q", "\u{2603} \"\""),
        ("status", "a-b.c_d~e"),
    ];
    let answer = service.list("/api/v1/grants", &values);
    let listed = "industry=b%2C%20c%3Dd, state=zz, industry=caf%C3%A9, state=ZZ, entity=new%0D%0Aline, \
                  q=%E2%98%83%20%22%22, status=a-b.c_d~e";
    assert_eq!(ignored(&answer), Some(listed));
    let tag = answer.header("etag").expect("a tag").to_owned();
    let path = crate::support::client::with_query("/api/v1/grants", &values);
    let unchanged = service.get_with(&path, &[("if-none-match", &tag)]);
    assert_eq!((unchanged.status, ignored(&unchanged)), (304, Some(listed)));
}

#[test]
fn an_empty_value_counts_as_not_given() {
    let service = service();
    let all = service.get("/api/v1/grants").slugs();
    let answer =
        service.get("/api/v1/grants?q=&state=&entity=&industry=&status=&updated_since=&limit=&cursor=&q=&status");
    assert_eq!((answer.slugs(), ignored(&answer)), (all, None));
    assert_eq!(service.get("/api/v1/grants?state=&state=PR").slugs(), ["a-anywhere", "d-two"]);
    assert_eq!(service.get("/api/v1/grants?status=&status=closed&status=").slugs(), ["e-closed"]);
    assert!(service.get("/api/v1/changes?since=&limit=&cursor=").page().rows.is_empty());
}

#[test]
fn where_funders_and_recipients_are_is_exact_and_null_matches_nothing() {
    let service = service();
    assert_eq!(service.get("/api/v1/funders?state=ca").slugs(), ["f"]);
    assert_eq!(service.get("/api/v1/funders?state=CA&state=NY").slugs(), ["f", "n"]);
    assert!(service.get("/api/v1/funders?state=TX").slugs().is_empty());
    assert_eq!(service.get("/api/v1/recipients?state=CA").slugs(), ["r"]);
    let answer = service.get("/api/v1/recipients?state=ZZ");
    assert_eq!((answer.slugs(), ignored(&answer)), (vec!["r".to_owned(), "s".to_owned()], Some("state=ZZ")));
}

#[test]
fn a_text_query_looks_in_a_funders_name_and_summary_and_a_recipients_name() {
    let service = service();
    assert_eq!(service.get("/api/v1/funders?q=rivers").slugs(), ["f"]);
    assert_eq!(service.get("/api/v1/funders?q=NORTHERN&state=NY").slugs(), ["n"]);
    assert_eq!(service.get("/api/v1/recipients?q=river").slugs(), ["r"]);
    assert!(service.get("/api/v1/recipients?q=rivers+school").slugs().is_empty());
}

#[test]
fn codes_are_answered_for_where_they_occur_in_the_published_generation() {
    let service = service();
    assert_eq!(ignored(&service.get("/api/v1/grants?industry=space")), Some("industry=space"));
    service.publish(&Export::of([grant("new").with("industries", json!(["space"]))]), "2026-07-01T13:00:00Z");
    let answer = service.get("/api/v1/grants?industry=space&status=open");
    assert_eq!((answer.slugs(), ignored(&answer)), (vec!["new".to_owned()], None));
    // What the crawl no longer lists stays in the catalogue, and so do its codes.
    assert_eq!(ignored(&service.get("/api/v1/grants?industry=health")), None);
}

#[test]
fn plus_signs_are_spaces_and_a_stray_percent_is_text() {
    let service = Service::of(&Export::of([grant("a").with("title", "50% off zz"), grant("b")]));
    for query in ["q=50+off", "q=50%20off", "q=50%25+off", "q=50%+off", "q=50%zz"] {
        let answer = service.get(&format!("/api/v1/grants?{query}"));
        assert_eq!((answer.slugs(), ignored(&answer)), (vec!["a".to_owned()], None), "{query}");
    }
    assert_eq!(service.get("/api/v1/grants?q=%FFoff").slugs(), ["a"], "bytes that are no text separate words");
}

#[test]
fn however_much_is_left_out_the_header_stays_short_and_says_so() {
    let service = Service::of(&Export::of_count(3));
    let query: Vec<String> = (0..100).map(|at| format!("industry={at:03}{}", "%C3%BC".repeat(90))).collect();
    let answer = service.get(&format!("/api/v1/grants?{}", query.join("&")));
    let listed = ignored(&answer).expect("they are listed");
    assert_eq!(answer.status, 200);
    assert!(listed.len() <= 4_096 + ", ...".len() && listed.ends_with(", ..."), "{}", listed.len());
    let values: Vec<_> = listed.split(", ").collect();
    assert_eq!(values[..values.len() - 1], query[..values.len() - 1], "what is listed is whole and in order");
    let query: Vec<String> = (0..100).map(|at| format!("state={at}")).collect();
    let short = service.get(&format!("/api/v1/grants?{}", query.join("&")));
    assert_eq!(ignored(&short).map(|listed| listed.split(", ").count()), Some(100), "short ones are all listed");
}

#[test]
fn an_address_takes_a_hundred_values() {
    let service = Service::of(&Export::of_count(3));
    let hundred = "state=CA&state=&entity=a&".repeat(50);
    assert_eq!(service.get(&format!("/api/v1/grants?{hundred}")).status, 200, "empty ones do not count");
    let refused = service.get(&format!("/api/v1/grants?{hundred}industry=x"));
    refused.assert_refused(400, "invalid_parameter", Some("industry"));
    let refused = service.get(&format!("/api/v1/funders?{}", "state=CA&".repeat(101)));
    refused.assert_refused(400, "invalid_parameter", Some("state"));
}
