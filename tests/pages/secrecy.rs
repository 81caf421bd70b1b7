//! Nothing that signs anybody in lies about in clear.

use std::fs;

use super::{ADA, PASSWORD, Site};
use crate::support::folder::files_under;
use crate::support::stores::on_each_store;

#[tokio::test(flavor = "multi_thread")]
async fn no_session_password_or_key_is_in_the_files_of_a_store() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.browser();
        browser.sign_in(ADA, "a wrong password");
        browser.sign_in("typed-by-mistake", "a wrong password");
        let visit = browser.cookies["catalogue-visit"].clone();
        let mut browser = site.signed_in(ADA);
        let key = browser.create_key("laptop");
        assert_eq!(site.call(&key), 200);
        let session = browser.session().expect("a session").to_owned();
        let form_token = browser.form_token.clone();
        let raw = data_encoding::BASE64URL_NOPAD.decode(session.as_bytes()).expect("base64");
        if !home.is_sqlite() {
            home.execute("CHECKPOINT");
        }
        let files: Vec<_> = files_under(home.files()).into_iter().chain(files_under(site.data.path())).collect();
        let contents: Vec<_> = files.iter().filter_map(|file| fs::read(file).ok()).collect();
        let holds = |wanted: &[u8]| contents.iter().any(|bytes| memchr::memmem::find(bytes, wanted).is_some());
        assert!(holds(ADA.as_bytes()) && holds(b"$argon2id$"), "the search finds what is there");
        let texts = [PASSWORD, "a wrong password", "typed-by-mistake", &visit, &session, &form_token, &key, &key[13..]];
        for text in texts {
            assert!(!holds(text.as_bytes()), "{text}");
        }
        assert!(!holds(&raw), "the session's token as bytes");
    })
    .await;
}
