//! Chance that repeats itself: every row rolls dice of its own.
//!
//! Nothing but whole numbers is used, so that the same arguments give the same bytes on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a roll is for; rolls for different things are independent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    Funder = 1,
    Recipient,
    Award,
    Grant,
    /// What moves in a row that stays.
    Move,
    /// How many rows come and go.
    Count,
    /// Which rows go.
    Leave,
    /// Which rows come back.
    Return,
}

/// A share, in millionths.
pub(super) const MILLION: u64 = 1_000_000;

/// A source of chance.
#[derive(Debug)]
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice of one row. `crawl` tells the crawls of a chain apart where they must differ, and is 0 where they must not.
    pub(super) fn new(seed: u64, purpose: Purpose, index: u64, crawl: i64) -> Self {
        let mut key = [0; 32];
        let parts = [seed, purpose as u64, index, crawl.cast_unsigned()];
        for (slot, part) in key.chunks_exact_mut(8).zip(parts) {
            slot.copy_from_slice(&part.to_le_bytes());
        }
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 to below `bound`, each as likely as the others; 0 where `bound` is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        let scaled = (u128::from(self.0.next_u64()) * u128::from(bound)) >> 64;
        u64::try_from(scaled).expect("a product of two 64-bit numbers has a 64-bit upper half")
    }

    /// A number from `least` to `most`, both included.
    pub(super) fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below(most.abs_diff(least) + 1).cast_signed()
    }

    /// True in `percent` of a hundred rolls.
    pub(super) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// True in `millionths` of a million rolls.
    pub(super) fn millionths(&mut self, millionths: u32) -> bool {
        self.below(MILLION) < u64::from(millionths)
    }

    /// One of the items, each as likely as the others. The items must not be empty.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[narrow(self.below(items.len() as u64))]
    }

    /// One of the items, the first ones far more often than the last, much as words and their ranks go in a language. The items must
    /// not be empty.
    ///
    /// The place is the product of three even chances: of 100 items the first is drawn in about one roll of six and the last in one
    /// of millions.
    pub(super) fn skewed<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        const BITS: u32 = 21;
        let roll = self.0.next_u64();
        let chance = |at: u32| (roll >> (at * BITS)) & ((1 << BITS) - 1);
        let product = (((chance(0) * chance(1)) >> BITS) * chance(2)) >> BITS;
        &items[narrow((product * items.len() as u64) >> BITS)]
    }
}

/// Chooses exactly so many out of so many, one after the other, each as likely as the others.
#[derive(Debug)]
pub(super) struct Sample {
    wanted: u64,
    left: u64,
    dice: Dice,
}

impl Sample {
    /// Chooses `wanted` out of `total`, or all where more are wanted.
    pub(super) fn new(wanted: u64, total: u64, dice: Dice) -> Self {
        Self { wanted: wanted.min(total), left: total, dice }
    }

    /// Whether the next of the `total` is chosen.
    pub(super) fn takes_next(&mut self) -> bool {
        let taken = self.dice.below(self.left) < self.wanted;
        self.left = self.left.saturating_sub(1);
        self.wanted -= u64::from(taken);
        taken
    }
}

fn narrow(place: u64) -> usize {
    usize::try_from(place).expect("a place within a slice is a usize")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_row_rolls_the_same_and_another_row_does_not() {
        let roll = |index, crawl| Dice::new(7, Purpose::Grant, index, crawl).below(u64::MAX);
        assert_eq!(roll(1, 0), roll(1, 0));
        assert_ne!(roll(1, 0), roll(2, 0));
        assert_ne!(roll(1, 0), roll(1, 1));
    }

    #[test]
    fn a_sample_has_exactly_the_size_asked_for() {
        for (wanted, total) in [(0, 5), (3, 10), (10, 10), (12, 10), (0, 0)] {
            let mut sample = Sample::new(wanted, total, Dice::new(1, Purpose::Leave, 0, 0));
            let taken = (0..total).filter(|_| sample.takes_next()).count() as u64;
            assert_eq!(taken, wanted.min(total), "{wanted} of {total}");
        }
    }

    #[test]
    fn the_first_items_are_common_and_the_last_are_rare() {
        let places: Vec<usize> = (0..100).collect();
        let mut dice = Dice::new(1, Purpose::Grant, 0, 0);
        let mut rolls = [0_u32; 100];
        for _ in 0..20_000 {
            rolls[*dice.skewed(&places)] += 1;
        }
        assert!((2_800..4_200).contains(&rolls[0]), "{}", rolls[0]);
        assert!(rolls[50] > 0 && rolls[50] < 200, "{}", rolls[50]);
        assert!(rolls[99] < 3, "{}", rolls[99]);
    }
}
