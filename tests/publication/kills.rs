//! A reindex killed: at every step by which it touches the disk, and at random moments.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::scene::Scene;
use crate::support::strace::{Fate, Step, run_to, steps};

/// How many reindexes are killed at a random moment.
const KILLED: usize = 200;

/// How many moments are drawn at the most: some lie behind the end of a reindex that was quick.
const MOMENTS: usize = 4 * KILLED;

/// Many steps are waiting for the disk, so that a few more at a time than there are processors end sooner.
const AT_A_TIME: usize = 3;

#[test]
fn a_reindex_killed_at_any_step_leaves_the_catalogue_as_it_was() {
    let scene = Scene::new();
    let writing: Vec<Step> = steps(&scene.copy(), &scene.reindex()).into_iter().filter(|step| step.writes).collect();
    assert!(writing.len() > 100, "a publication has many steps: {}", writing.len());
    for call in ["mkdir", "openat", "write", "fsync", "fdatasync", "ftruncate", "rename", "renameat", "unlinkat"] {
        assert!(writing.iter().any(|step| step.call == call), "{call} is among the steps");
    }
    let published = AtomicUsize::new(0);
    each_of(&writing, |step| {
        let vault = scene.copy();
        let traced = run_to(&vault, &scene.reindex(), step, Fate::Killed);
        assert_eq!(traced.status, None, "{step:?} is reached\n{}", traced.trace);
        scene.assert_unhurt(&vault, step.after_publication, &format!("a kill at {step:?}"));
        published.fetch_add(usize::from(step.after_publication), Ordering::Relaxed);
    });
    println!("killed at {} steps, {} of them after the publication", writing.len(), published.into_inner());
}

#[test]
fn a_reindex_killed_at_a_random_moment_leaves_the_catalogue_as_it_was() {
    let scene = Scene::new();
    let run = |vault: &crate::support::vault::Vault| {
        Command::new(env!("CARGO_BIN_EXE_catalogue"))
            .arg("--data-dir")
            .arg(vault.path())
            .args(scene.reindex())
            .env_clear()
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    let lasts = (0..3).map(|_| {
        let vault = scene.copy();
        let started = Instant::now();
        assert!(run(&vault).wait().expect("the program ends").success());
        started.elapsed()
    });
    let lasts = lasts.min().expect("three runs");
    let mut dice = ChaCha8Rng::seed_from_u64(4);
    let moments: Vec<Duration> =
        (0..MOMENTS).map(|_| lasts.mul_f64(f64::from(dice.next_u32()) / f64::from(u32::MAX))).collect();
    let (killed, published) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each_of(&moments, |moment| {
        if killed.load(Ordering::Relaxed) >= KILLED {
            return;
        }
        let vault = scene.copy();
        let mut running = run(&vault);
        std::thread::sleep(*moment);
        running.kill().expect("a process that runs or has ended");
        let status = running.wait().expect("the program ends");
        let is_published = vault.data().current_number().expect("a pointer") == Some(3);
        assert!(is_published || !status.success(), "a reindex that ended well has published");
        scene.assert_unhurt(&vault, is_published, &format!("a kill after {moment:?}"));
        killed.fetch_add(usize::from(!status.success()), Ordering::Relaxed);
        published.fetch_add(usize::from(is_published && !status.success()), Ordering::Relaxed);
    });
    let (killed, published) = (killed.into_inner(), published.into_inner());
    println!("{killed} reindexes of some {lasts:?} were killed, {published} of them after they had published");
    assert!(killed >= KILLED, "the moments lie within a reindex: {killed} of {MOMENTS}");
}

/// Does the work for each, a few at a time.
pub(super) fn each_of<T: Sync>(all: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(one);
                }
            });
        }
    });
}
