//! Rounds: what is compared takes turns, so that a busy machine slows all of it.

use std::hint::black_box;
use std::time::Instant;

/// How often each is timed; medians are taken over the rounds.
const ROUNDS: usize = 9;

/// One of the things compared: what it is asked, by number, and how often in a row, so that the clock can tell.
pub(crate) struct Contender<'a> {
    pub(crate) askings: usize,
    pub(crate) repeat: u32,
    pub(crate) ask: Box<dyn Fn(usize) -> usize + 'a>,
}

/// Times every contender in turns; gives for each the nanoseconds of each of its askings, medians over the rounds.
pub(crate) fn compare(contenders: &[Contender<'_>]) -> Vec<Vec<f64>> {
    let mut times: Vec<Vec<[f64; ROUNDS]>> =
        contenders.iter().map(|contender| vec![[0.0; ROUNDS]; contender.askings]).collect();
    for round in 0..ROUNDS {
        for (contender, times) in contenders.iter().zip(&mut times) {
            for (asking, times) in times.iter_mut().enumerate() {
                let started = Instant::now();
                for _ in 0..contender.repeat {
                    black_box((contender.ask)(black_box(asking)));
                }
                times[round] = started.elapsed().as_secs_f64() * 1e9 / f64::from(contender.repeat);
            }
        }
    }
    times.into_iter().map(|askings| askings.into_iter().map(|rounds| median(&rounds)).collect()).collect()
}

/// The middle of some values.
pub(crate) fn median(values: &[f64]) -> f64 {
    at(values, 50)
}

/// The value that so many hundredths of the values are below.
pub(crate) fn at(values: &[f64], hundredths: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() - 1) * hundredths / 100]
}
