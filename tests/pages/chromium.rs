//! A real browser: Chromium, by its driver, with and without JavaScript.
//!
//! What it shows is written to `target/screenshots`, for people to look at.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use catalogue_gateway::clock::Clock;
use serde_json::json;
use tempfile::TempDir;
use thirtyfour::{By, ChromiumLikeCapabilities as _, DesiredCapabilities, WebDriver, WebElement};

use super::{ADA, PASSWORD, Site};
use crate::support::stores::Home;

const MISSING: &str = "Chromium or its driver is missing: install them with `apt-get install chromium chromium-driver`";

const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// A window of Chromium on a site, with the driver that moves it.
pub(super) struct Window {
    pub(super) page: WebDriver,
    site: String,
    // Dropped last: the driver ends its browser when it is told to, and is then ended itself.
    _driver: Driver,
    _profile: TempDir,
}

/// A driver on a port of its own, ended with the test.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        drop(listener);
        let process = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect(MISSING);
        Self { process, port }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _already_gone = self.process.kill();
        let _reaped = self.process.wait();
    }
}

impl Window {
    pub(super) async fn open(site: SocketAddr, with_scripts: bool) -> Self {
        let driver = Driver::start();
        let profile = tempfile::tempdir().expect("a folder");
        let mut capabilities = DesiredCapabilities::chrome();
        for flag in FLAGS {
            capabilities.add_arg(flag).expect("a flag");
        }
        capabilities.add_arg(&format!("--user-data-dir={}", profile.path().display())).expect("a flag");
        if !with_scripts {
            let blocked = json!({ "profile.managed_default_content_settings.javascript": 2 });
            capabilities.add_experimental_option("prefs", blocked).expect("a preference");
        }
        let mut patience = 100;
        let page = loop {
            match WebDriver::new(&format!("http://127.0.0.1:{}", driver.port), capabilities.clone()).await {
                Ok(page) => break page,
                Err(error) => {
                    patience -= 1;
                    assert!(patience > 0, "{MISSING} ({error})");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        };
        Self { page, site: format!("http://{site}"), _driver: driver, _profile: profile }
    }

    pub(super) async fn go(&self, path: &str) {
        self.page.goto(format!("{}{path}", self.site)).await.expect("the page opens");
    }

    pub(super) async fn find(&self, css: &str) -> WebElement {
        let found = wait(async || self.page.find(By::Css(css)).await.ok()).await;
        found.unwrap_or_else(|| panic!("there is no {css}"))
    }

    pub(super) async fn click(&self, css: &str) {
        self.find(css).await.click().await.expect(css);
    }

    /// Clicks on what leads to another page, and waits until this one is gone.
    pub(super) async fn follow(&self, css: &str) {
        let before = self.find("html").await;
        self.click(css).await;
        let gone = wait(async || before.tag_name().await.is_err().then_some(())).await;
        assert!(gone.is_some(), "{css} leads nowhere");
    }

    pub(super) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.expect(css)
    }

    pub(super) async fn count(&self, css: &str) -> usize {
        self.page.find_all(By::Css(css)).await.expect(css).len()
    }

    /// What an attribute says of the element that has the focus.
    async fn focused(&self, attribute: &str) -> String {
        let focused = self.page.active_element().await.expect("an element has the focus");
        focused.attr(attribute).await.expect(attribute).unwrap_or_default()
    }

    pub(super) async fn title(&self) -> String {
        self.page.title().await.expect("a title")
    }

    pub(super) async fn sign_in(&self, who: &str, password: &str) {
        self.go("/account/sign-in").await;
        let email = self.find("#email").await;
        email.clear().await.expect("a field");
        email.send_keys(who).await.expect("a field");
        self.find("#password").await.send_keys(password).await.expect("a field");
        self.follow("main button[type=submit]").await;
    }

    /// Makes a key and gives it.
    async fn create_key(&self, name: &str) -> String {
        self.go("/account/keys").await;
        self.find("#name").await.send_keys(name).await.expect("a field");
        self.follow("main form[action='/account/keys'] button").await;
        assert_eq!(self.text("h1").await, "Your new key");
        self.text("#new-key").await
    }

    /// Shows the whole page on a desk and on a phone, in light and in dark, and keeps what is seen.
    pub(super) async fn keep(&self, name: &str) {
        for (device, width, height, scale) in [("desktop", 1200, 860, 1), ("phone", 390, 844, 2)] {
            for scheme in ["light", "dark"] {
                let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
                self.tell("Emulation.setEmulatedMedia", media).await;
                self.resize(width, height, scale, device == "phone").await;
                let wider = self.ask("document.documentElement.scrollWidth > window.innerWidth").await;
                assert_eq!(wider, json!(false), "{name} has to be scrolled sideways on a {device}");
                let whole = self.ask("document.documentElement.scrollHeight").await.as_u64().expect("a height");
                self.resize(width, height.max(whole), scale, device == "phone").await;
                self.shoot(&format!("{name}-{device}-{scheme}")).await;
            }
        }
        self.tell("Emulation.clearDeviceMetricsOverride", json!({})).await;
        self.tell("Emulation.setEmulatedMedia", json!({ "features": [] })).await;
    }

    /// Keeps what is seen on a desk of a page that was made for one.
    pub(super) async fn keep_on_desk(&self, name: &str) {
        self.resize(1200, 860, 1, false).await;
        self.shoot(&format!("{name}-desktop-light")).await;
        self.tell("Emulation.clearDeviceMetricsOverride", json!({})).await;
    }

    /// Keeps the page as a printer that knows no colour gets it, on one long sheet.
    pub(super) async fn keep_printed(&self, name: &str) {
        let grey = "document.documentElement.style.filter = 'grayscale(1)'";
        self.tell("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
        self.resize(794, 1123, 2, false).await;
        self.ask(grey).await;
        let whole = self.ask("document.documentElement.scrollHeight").await.as_u64().expect("a height");
        self.resize(794, whole, 2, false).await;
        self.shoot(&format!("{name}-printed")).await;
        self.tell("Emulation.clearDeviceMetricsOverride", json!({})).await;
        self.tell("Emulation.setEmulatedMedia", json!({ "media": "" })).await;
    }

    async fn resize(&self, width: u64, height: u64, scale: u64, is_phone: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone });
        self.tell("Emulation.setDeviceMetricsOverride", size).await;
    }

    async fn shoot(&self, name: &str) {
        let path = screenshots().join(format!("{name}.png"));
        self.page.screenshot(&path).await.expect("a screenshot");
    }

    /// What a script of the driver's finds out; the page's own policy does not hold it.
    pub(super) async fn ask(&self, script: &str) -> serde_json::Value {
        self.page.execute(format!("return {script}"), vec![]).await.expect("a script of the driver's").json().clone()
    }

    /// Tells the browser something for which `WebDriver` has no word.
    pub(super) async fn tell(&self, command: &str, parameters: serde_json::Value) {
        self.page.cdp().send_raw(command, parameters).await.expect(command);
    }

    pub(super) async fn close(self) {
        self.page.clone().quit().await.expect("the browser ends");
    }
}

/// Asks again until there is an answer, for a while.
pub(super) async fn wait<T>(ask: impl AsyncFn() -> Option<T>) -> Option<T> {
    for _ in 0..200 {
        if let Some(answer) = ask().await {
            return Some(answer);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    None
}

fn screenshots() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holder_does_everything_in_chromium_with_scripts() {
    let home = Home::in_sqlite();
    let site = Site::at_clock(&home, Clock::System).await;
    let window = Window::open(site.gateway.public, true).await;
    window.go("/account").await;
    window.keep("1-sign-in").await;
    window.sign_in(ADA, "wrong").await;
    assert_eq!(window.title().await, "Error: Sign in – Catalogue");
    assert_eq!(window.text(".faults a").await, "Email address or password is wrong");
    assert_eq!(window.focused("class").await, "faults");
    window.keep("2-wrong-password").await;
    window.click(".faults a").await;
    assert_eq!(window.focused("id").await, "email");
    window.sign_in(ADA, PASSWORD).await;
    assert_eq!(window.title().await, "API keys – Catalogue");
    window.keep("3-no-keys").await;

    let first = window.create_key("nightly import").await;
    window.keep("4-created").await;
    assert_eq!(site.call(&first), 200);
    window.click("[data-copy]").await;
    let said = window.text("[data-copied]").await;
    assert!(said.starts_with("Copied") || said.starts_with("Selected"), "{said}");
    window.page.refresh().await.expect("the page loads");
    assert_eq!(window.text("h1").await, "API keys", "loading again makes no second key");
    assert_eq!(window.count(".key").await, 1);
    let second = window.create_key("laptop").await;
    window.create_key("a server with a rather long name, somewhere in the basement of the annex").await;

    window.go("/account/keys").await;
    assert!(!window.find("#name").await.is_enabled().await.expect("a field"));
    assert!(window.text("#full").await.contains("three keys at most"));
    window.keep("5-three-keys").await;

    let revoke = format!("#revoke-{}", &second[4..12]);
    window.click(&revoke).await;
    assert_eq!(window.text("#revoke-title").await, "Revoke laptop?");
    window.keep("6-dialog").await;
    window.click("[data-cancel]").await;
    assert_eq!(window.focused("id").await, revoke[1..]);
    assert_eq!(site.call(&second), 200, "keeping it keeps it");
    window.click(&revoke).await;
    window.follow("dialog button[type=submit]").await;
    assert!(window.text(".notice").await.contains("laptop is revoked"));
    assert_eq!((window.count(".key").await, site.call(&second), site.call(&first)), (2, 401, 200));
    assert!(window.find("#name").await.is_enabled().await.expect("a field"));
    window.keep("7-revoked").await;

    window.follow(".holder button").await;
    assert_eq!(window.text(".notice").await, "You have signed out.");
    window.page.back().await.expect("a page before");
    window.go("/account/keys").await;
    assert_eq!(window.title().await, "Sign in – Catalogue");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holder_does_everything_in_chromium_without_scripts() {
    let home = Home::in_sqlite();
    let site = Site::at_clock(&home, Clock::System).await;
    let window = Window::open(site.gateway.public, false).await;
    window.sign_in(ADA, "wrong").await;
    assert_eq!(window.text(".faults a").await, "Email address or password is wrong");
    window.sign_in(ADA, PASSWORD).await;
    let key = window.create_key("one").await;
    assert_eq!(site.call(&key), 200);
    assert!(!window.find("[data-copy]").await.is_displayed().await.expect("a button"), "it would do nothing");
    for name in ["two", "three"] {
        window.create_key(name).await;
    }
    window.go("/account/keys").await;
    assert!(!window.find("#name").await.is_enabled().await.expect("a field"));
    window.follow(&format!("#revoke-{}", &key[4..12])).await;
    assert_eq!(window.text("h1").await, "Revoke one?");
    window.keep("8-revoke-page").await;
    window.follow("main button[type=submit]").await;
    assert!(window.text(".notice").await.contains("one is revoked"));
    assert_eq!((window.count(".key").await, site.call(&key)), (2, 401));
    window.follow(".holder button").await;
    assert_eq!(window.text(".notice").await, "You have signed out.");
    window.close().await;
}
