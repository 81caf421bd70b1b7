//! Signing in, and how often it may fail.

use catalogue_gateway::access::password;

use super::{ADA, BOB, PASSWORD, Site};
use crate::support::at;
use crate::support::command::run_with_input;
use crate::support::stores::on_each_store;

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_in_gets_to_the_keys_page() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.browser();
        for path in ["/account", "/account/keys"] {
            assert_eq!(browser.get(path).location(), "/account/sign-in", "{path}");
        }
        let answer = browser.sign_in(" Ada@Example.ORG ", PASSWORD);
        assert_eq!((answer.status, answer.location()), (303, "/account/keys"), "{}", answer.text());
        let keys = browser.get("/account/keys");
        assert_eq!(keys.status, 200);
        assert!(keys.text().contains(ADA) && keys.text().contains("You have no key yet"));
        for path in ["/account", "/account/sign-in"] {
            assert_eq!(browser.get(path).location(), "/account/keys", "{path}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_an_unknown_address_get_the_same_answer_by_the_same_work() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.browser();
        let mut answers = Vec::new();
        for email in [ADA, "nobody@example.org", "no address"] {
            let before = argon2_runs(&site);
            let answer = browser.sign_in(email, "wrong");
            assert_eq!(argon2_runs(&site) - before, 1, "{email}");
            assert_eq!(answer.status, 422);
            assert!(answer.text().contains("Email address or password is wrong"));
            answers.push(answer.text().replace(email, "EMAIL"));
            assert_eq!(browser.session(), None);
        }
        answers.dedup();
        assert_eq!(answers.len(), 1);
    })
    .await;
}

/// How often Argon2 has run on requests' behalf.
fn argon2_runs(site: &Site) -> u64 {
    let metrics = site.inside().get("/metrics");
    let count = metrics.text().lines().find_map(|line| line.strip_prefix("catalogue_argon2_runs_total "));
    count.and_then(|count| count.parse().ok()).expect("it is counted")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_password_that_an_account_can_have_is_one_that_signs_in() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        // Each letter is two bytes, and six as a form sends it.
        let longest = "\u{fc}".repeat(password::LONGEST / 2);
        let add =
            ["--database-url", home.url(), "account", "add", "long@example.org", "--plan", "api", "--password-stdin"];
        let too_long = run_with_input(&add, &format!("{longest}a\n"));
        assert_eq!(
            (too_long.status, too_long.err.as_str()),
            (1, "catalogue: the password is longer than 1000 bytes\n")
        );
        assert_eq!(run_with_input(&add, &format!("{longest}\n")).status, 0);
        let page = site.browser().get("/account/sign-in");
        assert!(page.text().contains("type=\"password\" maxlength=\"1000\""), "{}", page.text());
        let way_back = format!("/{}", "%".repeat(999));
        let mut browser = site.browser();
        browser.get("/account/sign-in");
        let fields = [("next", way_back.as_str()), ("email", "long@example.org"), ("password", &longest)];
        assert_eq!(browser.submit("/account/sign-in", &fields).location(), way_back);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_is_shown_again_but_for_the_password_and_is_text() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let answer = site.browser().sign_in("\"><script>alert(1)</script>", "my password");
        assert!(!answer.text().contains("<script>") && answer.text().contains("alert(1)"), "{}", answer.text());
        assert!(!answer.text().contains("my password"));
        let empty = site.browser().sign_in(" ", "");
        assert_eq!(empty.status, 422);
        for fault in ["#email\">Enter your email address", "#password\">Enter your password"] {
            assert!(empty.text().contains(fault), "{fault}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_for_an_account_are_limited_on_all_gateways_and_recover() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let beside = site.beside(home).await;
        for attempt in 0..5 {
            let mut browser = if attempt % 2 == 0 { site.browser() } else { beside.browser() };
            browser.headers.push(("x-forwarded-for", format!("192.0.2.{attempt}")));
            assert_eq!(browser.sign_in(ADA, "wrong").status, 422);
        }
        for site in [&site, &beside] {
            let locked = site.browser().sign_in("ADA@example.org", PASSWORD);
            assert_eq!((locked.status, locked.header("retry-after")), (429, "30"));
            assert!(locked.text().contains("try again in 30 seconds"), "{}", locked.text());
        }
        assert_eq!(site.browser().sign_in(BOB, PASSWORD).status, 303, "another account is not locked");
        site.clock.set(at("2026-07-02T06:00:29.001Z"));
        assert_eq!(site.browser().sign_in(ADA, PASSWORD).header("retry-after"), "1");
        site.clock.set(at("2026-07-02T06:00:30.000Z"));
        assert_eq!(site.browser().sign_in(ADA, "wrong").status, 422);
        assert_eq!(site.browser().sign_in(ADA, PASSWORD).header("retry-after"), "60", "the lock has grown");
        site.clock.set(at("2026-07-02T06:01:30.000Z"));
        assert_eq!(site.browser().sign_in(ADA, PASSWORD).status, 303);
        assert_eq!(site.browser().sign_in(ADA, "wrong").status, 422);
        assert_eq!(site.browser().sign_in(ADA, PASSWORD).status, 303, "success has cleared the count");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_from_a_network_are_limited_whomever_they_name() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.browser();
        browser.headers.push(("x-forwarded-for", "198.51.100.9, 192.0.2.1".to_owned()));
        browser.get("/account/sign-in");
        for attempt in 0..20 {
            let email = format!("{attempt}@example.org");
            let answer = browser.submit("/account/sign-in", &[("email", &email), ("password", "wrong")]);
            assert_eq!(answer.status, 422, "{attempt}");
        }
        assert_eq!(browser.sign_in(ADA, PASSWORD).status, 429);
        browser.headers = vec![("x-forwarded-for", "192.0.2.2".to_owned())];
        assert_eq!(browser.sign_in(ADA, PASSWORD).status, 303, "another network is not locked");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_guess_at_once_five_guesses_are_looked_at() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let guessing: Vec<_> = (0..12)
            .map(|guess| {
                let mut browser = site.browser();
                browser.headers.push(("x-forwarded-for", format!("192.0.2.{guess}")));
                std::thread::spawn(move || browser.sign_in(ADA, "wrong").status)
            })
            .collect();
        let answers: Vec<_> = guessing.into_iter().map(|guess| guess.join().expect("no panic")).collect();
        assert_eq!(answers.iter().filter(|status| **status == 422).count(), 5, "{answers:?}");
        assert_eq!(answers.iter().filter(|status| **status == 429).count(), 7, "{answers:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_form_of_another_browser_is_refused() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut other = site.browser();
        other.get("/account/sign-in");
        let fields = [("email", ADA), ("password", PASSWORD)];
        let mut browser = site.browser();
        assert_eq!(browser.submit("/account/sign-in", &fields).status, 403, "no cookie, no token");
        browser.form_token = other.form_token.clone();
        assert_eq!(browser.submit("/account/sign-in", &fields).status, 403, "another's token");
        // The page that says so is a good form.
        assert_eq!(browser.submit("/account/sign-in", &fields).status, 303);
    })
    .await;
}
