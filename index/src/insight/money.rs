//! What the matching grants state of money.

use std::collections::BTreeMap;

use catalogue_schema::Money;
use catalogue_schema::insight::{AmountBucket, AmountDistribution, AmountField, IndustryMoney};

use super::facets::{FacetField, each_document};
use super::{Matches, columns};
use crate::error::Error;
use crate::fields::{AMOUNTS, NOT_STATED};

/// Where the ranges of a distribution begin, in dollars: each is two or five times the one before, as people speak of amounts.
const RANGES: [u64; 12] =
    [0, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000, 100_000_000];

impl Matches {
    /// How an amount is distributed over the matching grants.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn amounts(&self, of: AmountField) -> Result<AmountDistribution, Error> {
        let mut stated = Vec::new();
        self.for_each_value(column_of(of), |cents| stated.push(cents))?;
        let mut counts = [0_u64; RANGES.len()];
        for cents in &stated {
            counts[RANGES.partition_point(|dollars| dollars * 100 <= *cents) - 1] += 1;
        }
        let below = RANGES.iter().skip(1).map(|&dollars| Some(dollars)).chain([None]);
        let ranges = RANGES.into_iter().zip(below).zip(counts);
        let dollars = |dollars: u64| Money::from_cents(dollars * 100).unwrap_or(Money::MAX);
        let buckets =
            ranges.map(|((from, below), count)| AmountBucket { from: dollars(from), below: below.map(dollars), count });
        let money = |cents: &u64| Money::from_cents(*cents).unwrap_or(Money::MAX);
        let middle = stated.len().saturating_sub(1) / 2;
        let median = (!stated.is_empty()).then(|| *stated.select_nth_unstable(middle).1);
        Ok(AmountDistribution {
            buckets: buckets.collect(),
            stated: stated.len() as u64,
            not_stated: self.total - stated.len() as u64,
            least: stated.iter().min().map(money),
            median: median.as_ref().map(money),
            most: stated.iter().max().map(money),
            total: stated.iter().map(money).reduce(Money::saturating_add),
        })
    }

    /// The money of each industry, the largest sum first, ties by code; the records that state no industry last.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn money_by_industry(&self, of: AmountField) -> Result<Vec<IndustryMoney>, Error> {
        let mut sums: BTreeMap<String, (u64, u64, Option<Money>)> = BTreeMap::new();
        let Some(list) = self.list() else { return Ok(Vec::new()) };
        let field = list.fields.codes(FacetField::Industry);
        for (segment, bits, _) in self.segments() {
            let column = columns::numbers(segment, column_of(of))?;
            let Some(vocabulary) = segment.vocabulary(field) else { continue };
            for (term, _) in vocabulary.terms() {
                let (records, stated, total) = sums.entry(term.to_owned()).or_default();
                each_document(vocabulary, term, |document| {
                    if bits.contains(document) {
                        *records += 1;
                        if let Some(amount) = column.first(document).and_then(Money::from_cents) {
                            *stated += 1;
                            *total = Some(total.map_or(amount, |total| total.saturating_add(amount)));
                        }
                    }
                })?;
            }
        }
        let found = sums.into_iter().filter(|(_, (records, ..))| *records > 0);
        let mut found: Vec<IndustryMoney> = found
            .map(|(industry, (records, stated, total))| {
                let industry = Some(industry).filter(|industry| industry != NOT_STATED);
                IndustryMoney { industry, records, stated, total }
            })
            .collect();
        found.sort_by(|one, other| {
            let key = |money: &IndustryMoney| (money.industry.is_none(), std::cmp::Reverse(money.total));
            key(one).cmp(&key(other))
        });
        Ok(found)
    }
}

fn column_of(amount: AmountField) -> &'static str {
    let [least, most, pool] = AMOUNTS;
    match amount {
        AmountField::AmountMin => least,
        AmountField::AmountMax => most,
        AmountField::AmountTotalPool => pool,
    }
}
