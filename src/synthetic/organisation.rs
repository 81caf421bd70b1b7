//! Funders, recipients and the awards between them: one row from one number.

use catalogue_index::export::AwardRow;
use catalogue_schema::{Funder, Giving, Recipient, Slug, Timestamp, UsState, Year};

use super::calendar;
use super::dice::{Dice, Purpose};
use super::grant::{amount, verified};
use super::{phrase, words};

const KINDS: &[&str] = &[
    "private-foundation",
    "state-agency",
    "federal-agency",
    "community-foundation",
    "subsidiary",
    "donor-advised-fund",
];

/// The funder of that number.
pub(super) fn funder(seed: u64, number: u64, crawled_at: Timestamp) -> Funder {
    let mut dice = Dice::new(seed, Purpose::Funder, number, 0);
    let name = phrase::organisation(&mut dice, words::FUNDER_ENDS);
    let slug = phrase::slug(&name, number);
    let years_ago = dice.between(1, 3);
    Funder {
        kind: dice.percent(90).then(|| (*dice.skewed(KINDS)).to_owned()),
        ein: dice.percent(40).then(|| employer_number(&mut dice)),
        city: dice.percent(60).then(|| (*dice.pick(words::PLACES)).to_owned()),
        state: state(&mut dice, 70),
        website: dice.percent(45).then(|| format!("https://example.org/{slug}")),
        summary: dice.percent(30).then(|| phrase::summary(&mut dice)),
        giving: dice
            .percent(40)
            .then(|| year_before(crawled_at, years_ago).map(|year| Giving { total: amount(&mut dice, 5, 8), year }))
            .flatten(),
        source_url: format!("https://example.org/funders/{slug}"),
        last_verified_at: verified(&mut dice, crawled_at),
        slug,
        name,
    }
}

/// The recipient of that number.
pub(super) fn recipient(seed: u64, number: u64, crawled_at: Timestamp) -> Recipient {
    let mut dice = Dice::new(seed, Purpose::Recipient, number, 0);
    let name = phrase::organisation(&mut dice, words::RECIPIENT_ENDS);
    let slug = phrase::slug(&name, number);
    Recipient {
        ein: dice.percent(50).then(|| employer_number(&mut dice)),
        city: dice.percent(60).then(|| (*dice.pick(words::PLACES)).to_owned()),
        state: state(&mut dice, 75),
        source_url: format!("https://example.org/recipients/{slug}"),
        last_verified_at: verified(&mut dice, crawled_at),
        slug,
        name,
    }
}

/// An award of the last twelve years. `crawl` is 0 in the first crawl of a chain; neither slice may be empty.
pub(super) fn award(
    (seed, number, crawl): (u64, u64, i64),
    crawled_at: Timestamp,
    funders: &[Slug],
    recipients: &[Slug],
) -> AwardRow {
    let mut dice = Dice::new(seed, Purpose::Award, number, crawl);
    let years_ago = dice.between(0, 11);
    // Half of the awards are spread evenly, so that few recipients go without, and half go to those who have most.
    let recipient = if dice.percent(50) { dice.pick(recipients) } else { dice.skewed(recipients) }.clone();
    AwardRow {
        funder: dice.skewed(funders).clone(),
        year: year_before(crawled_at, years_ago).unwrap_or(FIRST_YEAR),
        amount: dice.percent(97).then(|| amount(&mut dice, 3, 6)),
        purpose: dice.percent(30).then(|| phrase::purpose(&mut dice)),
        source_url: format!("https://example.org/recipients/{recipient}/awards"),
        last_verified_at: verified(&mut dice, crawled_at),
        recipient,
    }
}

const FIRST_YEAR: Year = Year::new(1).expect("1 is a year");

/// A number with the prefix 00, which is given to no employer.
fn employer_number(dice: &mut Dice) -> String {
    format!("00-{:07}", dice.below(10_000_000))
}

fn state(dice: &mut Dice, percent: u64) -> Option<UsState> {
    let place = usize::try_from(dice.below(56)).ok()?;
    dice.percent(percent).then(|| UsState::all().nth(place)).flatten()
}

fn year_before(crawled_at: Timestamp, years_ago: i64) -> Option<Year> {
    let year = i64::from(calendar::year_of(crawled_at)) - years_ago;
    u16::try_from(year).ok().and_then(Year::new)
}
