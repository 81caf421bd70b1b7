//! Bars: rows of a table with a rectangle as long as their number is large.

use crate::pages::moment::Count;

/// A part of the longest bar, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share(pub(super) u64);

impl Share {
    /// The part that `count` is of `most`. What is there at all is seen.
    pub(super) fn of(count: u64, most: u64) -> Self {
        let thousandths = u128::from(count) * 1_000 / u128::from(most.max(1));
        let thousandths = u64::try_from(thousandths).unwrap_or(1_000).min(1_000);
        Self(if count > 0 { thousandths.max(4) } else { 0 })
    }
}

/// A row of a chart.
#[derive(Clone, Debug)]
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) count: Count,
    /// How long the bar is; `None` for what is outside the scale, not stated or further ahead, which would dwarf the others.
    pub(super) share: Option<Share>,
}

/// A table of bars.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// What is counted, under the title.
    pub(super) lead: String,
    /// What the first column holds.
    pub(super) of: &'static str,
    pub(super) bars: Vec<Bar>,
    /// What is not shown.
    pub(super) note: Option<String>,
}

impl Chart {
    /// Whether nothing is on the scale.
    pub(super) fn is_silent(&self) -> bool {
        self.bars.iter().all(|bar| bar.share.is_none())
    }
}

/// The bars of counts, to one scale: first the `stated` ones, then the others, which have a number alone.
pub(super) fn bars(
    stated: impl IntoIterator<Item = (String, u64)>,
    rest: impl IntoIterator<Item = (&'static str, u64)>,
) -> Vec<Bar> {
    let stated: Vec<_> = stated.into_iter().collect();
    let most = stated.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let bar = |(label, count)| Bar { label, count: Count(count), share: Some(Share::of(count, most)) };
    let number = |(label, count): (&str, u64)| Bar { label: label.to_owned(), count: Count(count), share: None };
    let rest = rest.into_iter().filter(|(_, count)| *count > 0).map(number);
    stated.into_iter().map(bar).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_share_one_scale_and_nothing_but_nothing_is_invisible() {
        let bars =
            bars([("a".to_owned(), 200), ("b".to_owned(), 0), ("c".to_owned(), 1)], [("rest", 800), ("none", 0)]);
        let drawn: Vec<_> = bars.iter().map(|bar| (bar.label.as_str(), bar.share.map(|share| share.0))).collect();
        assert_eq!(drawn, [("a", Some(1_000)), ("b", Some(0)), ("c", Some(5)), ("rest", None)]);
        assert_eq!((Share::of(u64::MAX, 1), Share::of(0, 0)), (Share(1_000), Share(0)));
    }
}
