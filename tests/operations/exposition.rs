//! A strict reader of the text form in which Prometheus takes metrics: it panics where that form is not kept.

use std::collections::{BTreeMap, BTreeSet};

/// Everything that was told.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The kind of each metric, by its name.
    pub(super) kinds: BTreeMap<String, String>,
    /// The value of each series, by name and labels as they are written.
    pub(super) values: BTreeMap<String, f64>,
}

impl Told {
    pub(super) fn read(text: &str) -> Self {
        let mut told = Self::default();
        let mut helped = None;
        let mut current = String::new();
        assert!(text.ends_with('\n') && !text.contains('\r'), "lines end as they must");
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, help) = rest.split_once(' ').expect("a help says something");
                assert!(help.ends_with('.'), "{line}");
                helped = Some(name.to_owned());
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').expect("a type has a name");
                assert_eq!(helped.take().as_deref(), Some(name), "each type follows its help");
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
                assert!(name.starts_with("catalogue_"), "{line}");
                assert_eq!(told.kinds.insert(name.to_owned(), kind.to_owned()), None, "{name} is told twice");
                name.clone_into(&mut current);
            } else {
                let (series, value) = line.rsplit_once(' ').expect("a series has a value");
                let name = series.split('{').next().expect("a name");
                let endings: &[&str] =
                    if told.kinds[&current] == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
                assert!(endings.iter().any(|ending| name == format!("{current}{ending}")), "{line}");
                assert_labels(series.strip_prefix(name).expect("it begins so"));
                let value: f64 = value.parse().unwrap_or_else(|error| panic!("{error}: {line}"));
                assert!(value.is_finite() && value >= 0.0, "{line}");
                assert_eq!(told.values.insert(series.to_owned(), value), None, "{series} is told twice");
            }
        }
        told.check_histograms();
        told
    }

    /// The value of a series, which is there and whole.
    #[track_caller]
    pub(super) fn value(&self, series: &str) -> u64 {
        let value = self.values.get(series).unwrap_or_else(|| panic!("{series} is not told"));
        value.to_string().parse().expect("it is whole")
    }

    /// What the requests of a route got, by status.
    pub(super) fn answers(&self, listener: &str, route: &str) -> BTreeMap<u16, u64> {
        let before = format!("catalogue_http_requests_total{{listener=\"{listener}\",route=\"{route}\",status=\"");
        let told = self.values.keys().filter_map(|series| {
            let status = series.strip_prefix(&before)?.strip_suffix("\"}")?;
            Some((status.parse().expect("a status"), self.value(series)))
        });
        told.collect()
    }

    /// How many latencies of a route were taken.
    pub(super) fn timed(&self, listener: &str, route: &str) -> u64 {
        let labels = format!("{{listener=\"{listener}\",route=\"{route}\"}}");
        self.value(&format!("catalogue_http_request_duration_seconds_count{labels}"))
    }

    /// Buckets hold what the ones below them hold, and the last one everything.
    fn check_histograms(&self) {
        let mut checked = 0;
        let buckets: BTreeSet<&str> =
            self.values.keys().filter_map(|series| Some(series.split_once("_bucket{")?.0)).collect();
        for name in buckets {
            let mut of_labels: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
            for (series, value) in &self.values {
                let Some(labels) = series.strip_prefix(&format!("{name}_bucket{{")) else { continue };
                let (labels, bound) = labels.rsplit_once("le=\"").expect("a bucket has a bound");
                let bound = bound.trim_end_matches("\"}").parse().expect("a bound is a number");
                of_labels.entry(labels.trim_end_matches(',')).or_default().push((bound, *value));
            }
            for (labels, mut buckets) in of_labels {
                buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
                assert!(buckets.is_sorted_by(|one, next| one.1 <= next.1), "{name} {labels}: {buckets:?}");
                let (bound, all) = *buckets.last().expect("a bucket");
                assert!(bound.is_infinite());
                let count = self.values[&format!("{name}_count{{{labels}}}")];
                assert!((all - count).abs() < 0.5, "{name} {labels}");
                assert!(self.values.contains_key(&format!("{name}_sum{{{labels}}}")), "{name} {labels}");
                checked += 1;
            }
        }
        assert!(checked > 0, "there are latencies");
    }
}

/// Labels are `{name="value",…}`, each name once.
fn assert_labels(labels: &str) {
    if labels.is_empty() {
        return;
    }
    let inner = labels.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).expect(labels);
    let mut names = BTreeSet::new();
    // No value of ours has a quote or a comma in it.
    for label in inner.split(',') {
        let (name, value) = label.split_once('=').expect(labels);
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()) && names.insert(name), "{labels}");
        let value = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).expect(labels);
        assert!(!value.contains(['"', '\\', '\n']), "{labels}");
    }
}
