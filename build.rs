//! Brings GraphiQL into the binary: installs the pinned packages of `src/pages/graphiql` by npm, bundles them by esbuild, and leaves a
//! Rust file that embeds what came of it.
//!
//! Nobody needs npm to build the gateway. Without it, or without a network, the list of files is empty, the build says so in one line,
//! and the page says what to do. No script of a package runs while it is installed, and npm compares each with the lock's check sums.
//! All of it happens in cargo's own folder, once, until a file of `src/pages/graphiql` changes.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, error};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What the page is made of.
const SOURCES: &str = "src/pages/graphiql";

/// What esbuild begins with: the page, and the workers that its editors start.
const ENTRIES: [&str; 4] = ["page.js", "editor.worker.js", "graphql.worker.js", "json.worker.js"];

/// What is served of what comes out.
const SERVED: [&str; 3] = ["js", "css", "ttf"];

/// How long npm and esbuild may take: longer than they do on a slow line, and no build hangs.
const PATIENCE: Duration = Duration::from_mins(3);

type Result<T> = std::result::Result<T, Box<dyn error::Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed={SOURCES}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names a folder")?);
    let (folder, mut embedded) = (out.join("graphiql"), Vec::new());
    match bundle(&folder) {
        Ok(files) => embedded = files,
        Err(why) => println!("cargo::warning=without GraphiQL, which /graphiql explains: {why}"),
    }
    // The packages take two hundred megabytes, and have done their work.
    remove(&folder.join("node_modules"))?;
    let mut list = File::create(out.join("graphiql.rs"))?;
    writeln!(list, "&[")?;
    for path in embedded {
        let name = path.file_stem().and_then(|name| name.to_str()).ok_or("esbuild writes plain names")?;
        let path = path.to_str().ok_or("cargo's folder has a plain name")?;
        writeln!(list, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    writeln!(list, "]")?;
    Ok(())
}

/// The files of the page, compressed; each is called as it is served, and `.gz`.
fn bundle(folder: &Path) -> Result<Vec<PathBuf>> {
    remove(folder)?;
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(SOURCES)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    let npm = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
    run(Command::new("npm").args(npm).current_dir(folder))?;
    let esbuild = [
        "--bundle",
        "--minify",
        "--splitting",
        "--format=esm",
        "--target=es2022",
        "--define:process.env.NODE_ENV=\"production\"",
        "--loader:.ttf=file",
        "--entry-names=[name]",
        "--outdir=bundle",
        "--log-level=error",
    ];
    run(Command::new("node_modules/.bin/esbuild").args(ENTRIES).args(esbuild).current_dir(folder))?;
    let mut files = Vec::new();
    for entry in fs::read_dir(folder.join("bundle"))? {
        let path = entry?.path();
        if path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| SERVED.contains(&ending)) {
            files.push(compress(&path, &fs::read(&path)?)?);
        }
    }
    files.push(compress(&folder.join("bundle/licences.txt"), &licences(&folder.join("node_modules"))?)?);
    files.sort();
    Ok(files)
}

/// Runs a program to its end, quietly.
fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let log = command.get_current_dir().unwrap_or(Path::new(".")).join("said");
    let said = File::create(&log)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
    let mut running = command.spawn().map_err(|error| format!("{name} does not start ({error})"))?;
    let started = Instant::now();
    loop {
        match running.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(_) => {
                let said = fs::read_to_string(&log)?;
                return Err(format!("{name} fails ({})", said.lines().next().unwrap_or("it says nothing")).into());
            }
            None if started.elapsed() > PATIENCE => {
                running.kill()?;
                running.wait()?;
                return Err(format!("{name} takes longer than {} seconds", PATIENCE.as_secs()).into());
            }
            None => thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn compress(path: &Path, content: &[u8]) -> Result<PathBuf> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("esbuild writes plain names")?;
    let compressed = path.with_file_name(format!("{name}.gz"));
    let mut file = GzEncoder::new(File::create(&compressed)?, Compression::best());
    file.write_all(content)?;
    file.finish()?;
    Ok(compressed)
}

/// The licences of all that was installed, which ask to be passed on with it.
fn licences(packages: &Path) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(packages)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('@') {
            text.extend(licences(&folder)?);
        }
        let Ok(files) = fs::read_dir(&folder) else { continue };
        for file in files {
            let path = file?.path();
            let is_licence =
                |stem: &str| ["license", "licence", "notice"].contains(&stem.to_ascii_lowercase().as_str());
            if path.is_file() && path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_licence) {
                writeln!(text, "{name}\n{}\n", "=".repeat(name.len()))?;
                text.extend(fs::read(&path)?);
                writeln!(text, "\n")?;
            }
        }
    }
    Ok(text)
}

/// Removes a folder that may not be there.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
