//! Nothing that opens the service lies about in clear.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::{access, account_with_key, call};
use crate::support::command::run_with_input;
use crate::support::folder::files_under;
use crate::support::stores::on_each_store;

#[tokio::test(flavor = "multi_thread")]
async fn neither_keys_nor_passwords_are_in_the_files_of_a_store() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let access = access(store, 100).await;
        call(&access, &token).await.expect("a good key");
        access.close().await.expect("it answers");
        let printed = run_with_input(&["key", "create", "ada@example.org", "server", "--database-url", home.url()], "");
        assert_eq!(printed.status, 0, "{printed:?}");
        if !home.is_sqlite() {
            home.execute("CHECKPOINT");
        }
        let texts = [token.reveal(), printed.out.trim().to_owned()];
        let mut secrets: Vec<Vec<u8>> = vec![b"correct horse".to_vec(), token.secret().to_vec()];
        for text in &texts {
            // The whole token, its part after the id, and that without the checksum.
            secrets.extend([&text[..], &text[13..], &text[13..39]].map(|part| part.as_bytes().to_vec()));
        }
        let files = files_under(home.files());
        let contents: Vec<_> = files.iter().filter_map(|file| fs::read(file).ok()).collect();
        let holds = |wanted: &[u8]| contents.iter().any(|bytes| memchr::memmem::find(bytes, wanted).is_some());
        assert!(holds(b"ada@example.org") && holds(b"$argon2id$"), "the search finds what is there");
        for secret in &secrets {
            assert!(!holds(secret), "{}", String::from_utf8_lossy(secret));
        }
        if home.is_sqlite() {
            for file in &files {
                let mode = fs::metadata(file).expect("it is there").permissions().mode();
                assert_eq!(mode & 0o777, 0o600, "{}", file.display());
            }
        }
    })
    .await;
}
