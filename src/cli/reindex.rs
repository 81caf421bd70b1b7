//! `catalogue reindex`: an export becomes the published generation.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use catalogue_index::reindex::Progress;
use catalogue_index::{DataFolder, Report, Step};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::output::print;
use super::{Failure, Global};
use crate::clock::Clock;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch, independent of the others")]
pub(crate) struct Options {
    /// Folder of the export
    export: PathBuf,
    /// Read, check and compare, but publish nothing
    #[arg(long)]
    dry_run: bool,
    /// Publish the good rows where others are faulty; the rejected ones are written to `rejects.ndjson` in the generation's folder
    #[arg(long)]
    skip_invalid: bool,
    /// Publish even where more than a fifth of the records not yet closed are missing
    #[arg(long)]
    allow_mass_close: bool,
    /// Publish even where the crawl is older than the published one
    #[arg(long)]
    allow_older: bool,
    /// Form of the report on standard output
    #[arg(long, default_value = "text", value_name = "FORM")]
    report: ReportForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportForm {
    Text,
    Json,
}

/// The exit status of a refused export.
const REFUSED: u8 = 3;

pub(crate) fn run(global: &Global, options: &Options) -> Result<(), Failure> {
    let data = DataFolder::new(&global.data_dir);
    let how = catalogue_index::Options {
        dry_run: options.dry_run,
        skip_invalid: options.skip_invalid,
        allow_mass_close: options.allow_mass_close,
        allow_older: options.allow_older,
    };
    let report = index(&data, &options.export, how)?;
    let written = match options.report {
        ReportForm::Json => serde_json::to_string(&report)? + "\n",
        ReportForm::Text => in_words(&report, options),
    };
    let printed = print(written);
    if report.refused {
        let message = format!("{} was refused and nothing was published", options.export.display());
        return Err(Failure { status: REFUSED, message });
    }
    // What has been published is published, whoever hears of it.
    printed.map_err(|failure| match report.generation {
        Some(generation) => failure.after(&format!("generation {generation} was published")),
        None => failure,
    })
}

/// Takes an export in, with progress bars where standard error is a terminal.
pub(crate) fn index(data: &DataFolder, export: &Path, options: catalogue_index::Options) -> Result<Report, Failure> {
    let clock = Clock::System;
    with_progress(|progress| catalogue_index::reindex(data, export, options, &|| clock.now(), progress))
}

/// Does work that reports its progress, with bars where standard error is a terminal.
pub(crate) fn with_progress<T>(
    work: impl FnOnce(&Progress<'_>) -> Result<T, catalogue_index::Error>,
) -> Result<T, Failure> {
    let bar = Mutex::new(None);
    let shown = std::io::stderr().is_terminal();
    let done = work(&|step: Step| {
        if shown && let Ok(mut bar) = bar.lock() {
            show(&mut bar, step);
        }
    });
    if let Some((_, bar)) = bar.into_inner().ok().flatten() {
        bar.finish_and_clear();
    }
    Ok(done?)
}

/// Puts the bar where the step is; a new kind of step is a new bar.
fn show(current: &mut Option<(String, ProgressBar)>, step: Step) {
    let (name, done, total) = match step {
        Step::Reading { file, done, total } => (format!("reading {file}"), done, total),
        Step::Writing { list, done, total } => (format!("writing {list}"), done, total),
        Step::Verifying => ("verifying".to_owned(), 0, 0),
    };
    if current.as_ref().is_none_or(|(shown, _)| *shown != name) {
        if let Some((_, finished)) = current.take() {
            finished.finish();
        }
        let bar = ProgressBar::new(total).with_message(name.clone());
        if let Ok(style) = ProgressStyle::with_template("{msg:20} {wide_bar} {human_pos}/{human_len} {eta}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        *current = Some((name, bar));
    }
    if let Some((_, bar)) = current {
        bar.set_position(done.min(total));
    }
}

/// The report as a person reads it.
fn in_words(report: &Report, options: &Options) -> String {
    use std::fmt::Write as _;

    let mut text = String::new();
    for fault in &report.faults {
        let line = fault.line.map(|line| format!(":{line}")).unwrap_or_default();
        let field = fault.field.as_ref().map(|field| format!(" {field}:")).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}{line}:{field} {}", fault.file, fault.reason);
    }
    let kept = report.faults.len() as u64;
    if report.fault_count > kept {
        let _ = writeln!(text, "... and {} more faults", report.fault_count - kept);
    }
    let (rows, changes) = (&report.rows, &report.changes);
    if !report.refused {
        let _ = writeln!(
            text,
            "{} grants, {} funders, {} recipients, {} awards",
            rows.grants, rows.funders, rows.recipients, rows.awards
        );
        let _ = writeln!(
            text,
            "{} added, {} closed, {} deadlines, {} amounts, {} titles changed",
            changes.record_added,
            changes.record_closed,
            changes.deadline_changed,
            changes.amount_changed,
            changes.title_changed
        );
    }
    if report.rejected > 0 {
        let place = report.rejects.as_ref().map(|path| format!(", written to {}", path.display())).unwrap_or_default();
        let _ = writeln!(text, "{} rows rejected{place}", report.rejected);
    }
    let outcome = match report.generation {
        Some(generation) => format!("published as generation {generation}"),
        None if options.dry_run && !report.refused => "nothing published: a dry run".to_owned(),
        None => format!("refused: {} faults", report.fault_count),
    };
    let _ = writeln!(text, "{outcome} in {:.1} s", report.seconds);
    text
}
