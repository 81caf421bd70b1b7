//! Money is exact to the cent wherever it is answered, sums included.

use serde_json::json;

use super::send;
use crate::support::data::Data;
use crate::support::export::{Export, award, grant, recipient};
use crate::support::service::{Choices, PUBLISHED_AT, Service};

/// The largest amount, which no binary floating point number is.
const MOST: &str = "92233720368547758.07";

/// Stands for [`MOST`] in an export until that is text: a JSON value would not hold it.
const PLACEHOLDER: &str = "MOST";

/// Everything whose amounts are [`MOST`]: a grant, and an award to a recipient who has another of another year.
fn service() -> Service {
    let stated = grant("a").with("amount_max", PLACEHOLDER).with("industries", json!(["water"]));
    let mut export = Export::of([stated, grant("b")]);
    export.recipients = vec![recipient("p", "Pantry")];
    export.awards = vec![award("p", "f", 2025).with("amount", PLACEHOLDER), award("p", "f", 2024).with("amount", 0.07)];
    let files = tempfile::tempdir().expect("a temporary folder");
    export.write(files.path());
    for file in ["grants.ndjson", "awards.ndjson"] {
        let file = files.path().join(file);
        let text = std::fs::read_to_string(&file).expect("a file of the export");
        std::fs::write(&file, text.replace(&format!("\"{PLACEHOLDER}\""), MOST)).expect("a file of the export");
    }
    let data = Data::new();
    data.publish_folder(files.path(), PUBLISHED_AT);
    Service::over(data, Choices::default())
}

#[test]
fn the_largest_amount_is_answered_to_the_cent_everywhere() {
    let service = service();
    let client = service.analyst();
    let years = "awardsByYear { amountTotal awards { amount } }";
    let by_year = format!(
        r#""awardsByYear":[{{"amountTotal":{MOST},"awards":[{{"amount":{MOST}}}]}},{{"amountTotal":0.07,"awards":[{{"amount":0.07}}]}}]"#
    );
    for (query, expected) in [
        ("grant(slug: \"a\") { amountMax }".to_owned(), format!(r#""grant":{{"amountMax":{MOST}}}"#)),
        (format!("recipient(slug: \"p\") {{ {years} }}"), format!(r#""recipient":{{{by_year}}}"#)),
        (format!("recipients {{ nodes {{ {years} }} }}"), format!(r#""nodes":[{{{by_year}}}]"#)),
        (format!("recipients {{ nodes {{ {years} }} nodes {{ {years} }} }}"), format!(r#""nodes":[{{{by_year}}}]"#)),
        (format!("funder(slug: \"f\") {{ awards {{ nodes {{ {years} }} }} }}"), format!(r#""nodes":[{{{by_year}}}]"#)),
        (
            format!("funder(slug: \"f\") {{ awards {{ nodes {{ recipient {{ {years} }} }} }} }}"),
            format!(r#""recipient":{{{by_year}}}"#),
        ),
        (
            "grants { amounts { least median most total } }".to_owned(),
            format!(r#""amounts":{{"least":{MOST},"median":{MOST},"most":{MOST},"total":{MOST}}}"#),
        ),
        (
            "grants { moneyByIndustry(of: AMOUNT_MAX) { total } }".to_owned(),
            format!(r#""moneyByIndustry":[{{"total":{MOST}}},{{"total":null}}]"#),
        ),
    ] {
        let answer = send(&client, &format!("{{ {query} }}"), &json!({}));
        let body = String::from_utf8(answer.body).expect("UTF-8");
        assert!(body.contains(&expected), "{query}: {body} has {expected}");
    }
}
