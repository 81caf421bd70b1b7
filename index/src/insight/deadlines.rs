//! When the deadlines fall that lie ahead.

use catalogue_schema::insight::{DeadlineBucket, Deadlines, Interval};

use super::Matches;

impl Matches {
    /// The deadlines of the matching grants in `steps` steps of the calendar, beginning with that of the list's instant.
    #[must_use]
    pub fn deadlines(&self, by: Interval, steps: usize) -> Deadlines {
        let mut buckets = Vec::with_capacity(steps);
        let mut from = by.start_of(self.as_of);
        while let Some(begun) = from.filter(|_| buckets.len() < steps) {
            let Some(until) = by.end_of(begun) else { break };
            buckets.push(DeadlineBucket { from: begun, until, count: 0 });
            from = Some(until);
        }
        let (mut later, mut passed, mut not_stated) = (0, 0, 0);
        // Deadlines ascend, so the bucket of one is never before that of the last.
        let mut at = 0;
        for (segment, bits, first) in self.segments() {
            for document in bits.iter() {
                let Some(deadline) = segment.deadlines.first(document) else {
                    not_stated += 1;
                    continue;
                };
                if first + document < self.start {
                    passed += 1;
                    continue;
                }
                while buckets.get(at).is_some_and(|bucket| bucket.until.unix_millis() <= deadline) {
                    at += 1;
                }
                match buckets.get_mut(at) {
                    Some(bucket) => bucket.count += 1,
                    None => later += 1,
                }
            }
        }
        Deadlines { buckets, later, passed, not_stated }
    }
}
