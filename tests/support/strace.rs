//! The program under `strace`, which kills it or makes a system call fail at a step the test chooses.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};

use super::vault::{Vault, folder};

/// The system calls by which a change of the catalogue touches the disk.
const CALLS: &str =
    "mkdir,openat,write,pwrite64,fsync,fdatasync,ftruncate,link,linkat,rename,renameat,renameat2,unlink,unlinkat,flock";

/// A system call that a change of the catalogue makes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) call: String,
    /// What it was about, below the data folder; `None` for a file whose name differs each time.
    pub(crate) file: Option<String>,
    /// For the how manieth time a thread makes this call about this file; without a file, about any.
    pub(crate) time: usize,
    /// Whether it may make something: `openat` with `O_CREAT`, or another call than `openat` and `flock`.
    pub(crate) writes: bool,
    /// Whether it comes after the staging folder was made.
    pub(crate) after_staging: bool,
    /// Whether it comes after the rename that moves the pointer.
    pub(crate) after_publication: bool,
}

/// What happens at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Killed,
    Fails(&'static str),
    /// Made only after so many microseconds.
    Waits(u32),
}

/// How a run under `strace` ended.
#[derive(Debug)]
pub(crate) struct Traced {
    /// The exit status; `None` for a process that was killed.
    pub(crate) status: Option<i32>,
    pub(crate) stderr: String,
    pub(crate) trace: String,
}

/// Lists the steps of a run of the program that goes well, each once.
pub(crate) fn steps(vault: &Vault, arguments: &[&str]) -> Vec<Step> {
    let traced = run(vault, arguments, &["-e", &format!("trace={CALLS}")]);
    assert_eq!(traced.status, Some(0), "{}", traced.stderr);
    let data = vault.path().to_str().expect("UTF-8");
    let mut seen = BTreeSet::new();
    let mut times: HashMap<(&str, &str, Option<String>), usize> = HashMap::new();
    let (mut after_staging, mut after_publication) = (false, false);
    let mut steps = Vec::new();
    for line in traced.trace.lines().filter(|line| !line.contains("resumed>")) {
        let (thread, call) = line.split_once(' ').expect("a thread and its call");
        let (call, about) = call.trim_start().split_once('(').expect("a call");
        let mut count = |file| {
            let time = times.entry((thread, call, file)).or_insert(0);
            *time += 1;
            *time
        };
        let of_all = count(None);
        let Some(file) = subject(about, data) else { continue };
        let is_unsteady = file.split('/').any(|name| name.starts_with(".tmp") || name.len() > 32);
        let (file, time) = if is_unsteady { (None, of_all) } else { (Some(file.clone()), count(Some(file))) };
        // What fails in a run that goes well may fail: a folder that is there already need not be made.
        if line.contains("= -1 ") || !seen.insert((call, file.clone(), time)) {
            continue;
        }
        let makes_staging = call == "mkdir" && file.as_deref() == Some("/staging");
        let writes = !(call == "flock" || call == "openat" && !line.contains("O_CREAT"));
        steps.push(Step { call: call.to_owned(), file, time, writes, after_staging, after_publication });
        after_staging |= makes_staging;
        after_publication |= call == "rename" && line.contains("/CURRENT\")");
    }
    steps
}

/// A system call that went well, and the files that it was about, below the data folder.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) text: String,
    pub(crate) files: Vec<String>,
}

impl Call {
    /// Whether it is one of these calls.
    pub(crate) fn is_one_of(&self, names: &[&str]) -> bool {
        self.text.split_once('(').is_some_and(|(name, _)| names.contains(&name))
    }
}

/// What a run of the program that goes well does to the disk, in order. A call that another thread's came between is told where it
/// begins.
pub(crate) fn calls(vault: &Vault, arguments: &[&str]) -> Vec<Call> {
    let traced = run(vault, arguments, &["-e", &format!("trace={CALLS}")]);
    assert_eq!(traced.status, Some(0), "{}", traced.stderr);
    let data = vault.path().to_str().expect("UTF-8");
    let lines = traced.trace.lines().filter(|line| !line.contains("resumed>") && !line.contains("= -1 "));
    let of_line = |line: &str| {
        let text = line.split_once(' ').map_or(line, |(_, call)| call.trim_start()).to_owned();
        let files = text.match_indices(data).filter_map(|(at, _)| subject(&text[at..], data)).collect();
        Call { text, files }
    };
    lines.map(of_line).collect()
}

/// Runs the program on a data folder and lets a step meet its fate.
pub(crate) fn run_to(vault: &Vault, arguments: &[&str], step: &Step, fate: Fate) -> Traced {
    let Step { call, file, time, .. } = step;
    let inject = match fate {
        Fate::Killed => format!("inject={call}:signal=KILL:when={time}"),
        Fate::Waits(micros) => format!("inject={call}:delay_enter={micros}:when={time}"),
        Fate::Fails(error) => format!("inject={call}:error={error}:when={time}"),
    };
    let trace = format!("trace={call}");
    let mut options = vec!["-e", &trace, "-e", &inject];
    let path = file.as_ref().map(|file| format!("{}{file}", vault.path().display()));
    options.extend(path.iter().flat_map(|path| ["-P", path]));
    // A filter in the kernel is quicker, but signals are not injected through it.
    options.extend((fate != Fate::Killed).then_some("--seccomp-bpf"));
    run(vault, arguments, &options)
}

fn run(vault: &Vault, arguments: &[&str], options: &[&str]) -> Traced {
    let out = folder();
    let trace = out.path().join("trace");
    let output = Command::new("strace")
        .args(["-f", "-qq", "-y", "-o"])
        .arg(&trace)
        .args(options)
        .args([env!("CARGO_BIN_EXE_catalogue"), "--data-dir"])
        .arg(vault.path())
        .args(arguments)
        .env_remove("CATALOGUE_DATABASE_URL")
        .stdin(Stdio::null())
        .output();
    let output = match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("strace is missing: install it (on Debian: apt-get install strace) and run this again")
        }
        output => output.expect("strace starts"),
    };
    let status = output.status.code();
    assert!(status.is_some() || output.status.signal() == Some(9), "{}", output.status);
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    Traced {
        status,
        stderr: stderr.split_inclusive('\n').filter(|line| !line.starts_with("strace: ")).collect(),
        trace: fs::read_to_string(&trace).expect("a trace"),
    }
}

/// The file that a call is about, below the data folder; `None` for a file elsewhere.
fn subject(about: &str, data: &str) -> Option<String> {
    let (_, below) = about.split_once(data)?;
    Some(below.chars().take_while(|letter| !matches!(letter, '>' | '"')).collect())
}
