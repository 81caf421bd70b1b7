//! `catalogue account`, `plan` and `key`.

use catalogue_gateway::access::password;
use catalogue_gateway::access::session::SessionToken;
use catalogue_gateway::access::store::Live;
use catalogue_schema::Timestamp;

use super::{NOW, access, email, header, instant};
use crate::support::command::{Said, run_with_input};
use crate::support::stores::{Home, on_each_store};

/// Runs a command on this store.
fn on(home: &Home, arguments: &[&str], stdin: &str) -> Said {
    run_with_input(&[arguments, &["--database-url", home.url()]].concat(), stdin)
}

/// Runs a command that must do what it is asked; its output, with the times in it replaced.
fn done(home: &Home, arguments: &[&str], stdin: &str) -> String {
    let outcome = on(home, arguments, stdin);
    assert_eq!((outcome.status, outcome.err.as_str()), (0, ""), "{arguments:?}");
    outcome.out
}

/// Runs a command that must fail; why it did.
fn failed(home: &Home, arguments: &[&str], stdin: &str) -> String {
    let outcome = on(home, arguments, stdin);
    assert_eq!((outcome.status, outcome.out.as_str()), (1, ""), "{arguments:?}");
    outcome.err
}

/// A list's rows, each as its fields; times are checked for their form and left out.
fn rows(list: &str) -> Vec<Vec<String>> {
    let field = |field: &str| match field.parse::<catalogue_schema::Timestamp>() {
        Ok(instant) => {
            assert_eq!(instant.to_string(), field, "RFC 3339 in UTC");
            "(time)".to_owned()
        }
        Err(_) => field.to_owned(),
    };
    list.lines().map(|line| line.split('\t').map(field).collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_manages_accounts_and_plans() {
    on_each_store(async |home| {
        done(home, &["account", "add", " Ada@Example.org", "--plan", "api", "--password-stdin"], "correct horse\n");
        let analyst = ["account", "add", "bob@example.org", "--plan", "free", "--role", "analyst", "--password-stdin"];
        done(home, &analyst, "battery staple");
        done(home, &["account", "plan", "BOB@example.org", "api"], "");
        let accounts = [
            ["email", "role", "plan", "created"],
            ["ada@example.org", "client", "api", "(time)"],
            ["bob@example.org", "analyst", "api", "(time)"],
        ];
        assert_eq!(rows(&done(home, &["account", "list"], "")), accounts);

        done(home, &["plan", "set", "trial", "--api"], "");
        done(home, &["plan", "set", "free", "--api"], "");
        done(home, &["plan", "set", "api", "--no-api"], "");
        let plans = [["name", "api"], ["api", "no"], ["free", "yes"], ["trial", "yes"]];
        assert_eq!(rows(&done(home, &["plan", "list"], "")), plans);

        let store = home.open().await;
        let (_, hash) = store.credentials(&email()).await.expect("it answers").expect("an account");
        assert!(password::matches(b"correct horse", &hash), "without its newline");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_manages_keys() {
    on_each_store(async |home| {
        done(home, &["account", "add", "ada@example.org", "--plan", "api", "--password-stdin"], "correct horse");
        let first = done(home, &["key", "create", "ada@example.org", "laptop"], "");
        let second = done(home, &["key", "create", "Ada@example.org", " nightly job "], "");
        let access = access(home.open().await, 5).await;
        for key in [&first, &second] {
            assert_eq!(key.lines().count(), 1);
            let caller = access.authenticate(Some(&header(&format!("Bearer {}", key.trim_end())))).await;
            assert_eq!(caller.expect("a good key").rate().remaining, 4, "each key has its own allowance");
        }
        access.close().await.expect("it answers");

        let (first, second) = (&first[4..12], &second[4..12]);
        done(home, &["key", "revoke", "ada@example.org", first], "");
        let listed = done(home, &["key", "list", "ada@example.org"], "");
        let mut keys = rows(&listed);
        for key in &mut keys[1..] {
            // The gateway's clock stands still: when it noted the use is known.
            assert_eq!(std::mem::take(&mut key[3]), "(time)");
        }
        assert_eq!(keys[0], ["id", "name", "created", "last_used", "revoked"]);
        assert_eq!(keys[1], [first, "laptop", "(time)", "", "(time)"]);
        assert_eq!(keys[2], [second, "nightly job", "(time)", "", "-"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_done_is_said_in_a_sentence() {
    on_each_store(async |home| {
        let add = ["account", "add", "ada@example.org", "--plan", "api", "--password-stdin"];
        assert_eq!(failed(home, &add, "\n"), "catalogue: the password is empty\n");
        done(home, &add, "correct horse");
        assert_eq!(failed(home, &add, "pw"), "catalogue: there is already an account ada@example.org\n");
        let nobody = "catalogue: there is no account bob@example.org\n";
        assert_eq!(failed(home, &["account", "plan", "bob@example.org", "api"], ""), nobody);
        assert_eq!(failed(home, &["key", "create", "bob@example.org", "laptop"], ""), nobody);
        assert_eq!(failed(home, &["key", "list", "bob@example.org"], ""), nobody);
        assert_eq!(failed(home, &["key", "revoke", "bob@example.org", "00000000"], ""), nobody);
        let no_plan = "catalogue: there is no plan \"gold\"\n";
        assert_eq!(failed(home, &["account", "plan", "ada@example.org", "gold"], ""), no_plan);
        let gold = ["account", "add", "bob@example.org", "--plan", "gold", "--password-stdin"];
        assert_eq!(failed(home, &gold, "pw"), no_plan);
        let no_email = ["account", "add", "bob", "--plan", "api", "--password-stdin"];
        assert_eq!(failed(home, &no_email, "pw"), "catalogue: \"bob\" is not an email address\n");
        let no_name = "catalogue: a key needs a name of 1 to 100 characters without control characters\n";
        assert_eq!(failed(home, &["key", "create", "ada@example.org", " "], ""), no_name);
        assert_eq!(failed(home, &["key", "create", "ada@example.org", "two\tfields"], ""), no_name);
        let no_name = "catalogue: a plan needs a name of 1 to 60 characters without control characters\n";
        assert_eq!(failed(home, &["plan", "set", "", "--api"], ""), no_name);
        for name in ["one", "two", "three"] {
            done(home, &["key", "create", "ada@example.org", name], "");
        }
        let full = "catalogue: the account ada@example.org holds three keys already: revoke one first\n";
        assert_eq!(failed(home, &["key", "create", "ada@example.org", "four"], ""), full);
        let unknown = "catalogue: the account ada@example.org has no key nonsense\n";
        assert_eq!(failed(home, &["key", "revoke", "ada@example.org", "nonsense"], ""), unknown);
        let keys = done(home, &["key", "list", "ada@example.org"], "");
        let id = &rows(&keys)[1][0];
        done(home, &["key", "revoke", "ada@example.org", id], "");
        let again = format!("catalogue: the key {id} is revoked already\n");
        assert_eq!(failed(home, &["key", "revoke", "ada@example.org", id], ""), again);
    })
    .await;
}

#[test]
fn wrong_usage_exits_2_and_an_unknown_database_1() {
    for arguments in [
        &["account", "add", "ada@example.org", "--plan", "api"][..],
        &["account", "add", "ada@example.org", "--password-stdin"],
        &["account", "add", "ada@example.org", "--plan", "api", "--role", "king", "--password-stdin"],
        &["plan", "set", "gold"],
        &["plan", "set", "gold", "--api", "--no-api"],
        &["key", "create", "ada@example.org"],
    ] {
        assert_eq!(run_with_input(arguments, "").status, 2, "{arguments:?}");
    }
    let outcome = run_with_input(&["plan", "list", "--database-url", "mysql://localhost"], "");
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.err, "catalogue: the database URL must begin with sqlite:// or postgres://\n");
}

#[test]
fn without_a_url_the_accounts_are_in_the_data_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let in_data = ["--data-dir", data.to_str().expect("UTF-8")];
    let set = run_with_input(&[&["plan", "set", "trial", "--no-api"][..], &in_data].concat(), "");
    assert_eq!((set.status, set.err.as_str()), (0, ""));
    assert!(data.join("accounts.sqlite").exists());
    let list = run_with_input(&[&["plan", "list"][..], &in_data].concat(), "");
    assert_eq!(list.out, "name\tapi\napi\tyes\nfree\tno\ntrial\tno\n");
}

#[test]
fn a_mistyped_folder_is_said_and_not_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let mistyped = folder.path().join("dtaa");
    for arguments in [
        &["account", "list"][..],
        &["account", "plan", "ada@example.org", "api"],
        &["account", "role", "ada@example.org", "analyst"],
        &["account", "password", "ada@example.org", "--password-stdin"],
        &["plan", "list"],
        &["key", "list", "ada@example.org"],
        &["key", "create", "ada@example.org", "laptop"],
        &["key", "revoke", "ada@example.org", "00000000"],
    ] {
        let said = run_with_input(&[arguments, &["--data-dir", mistyped.to_str().expect("UTF-8")]].concat(), "secret");
        assert_eq!((said.status, said.out.as_str()), (1, ""), "{arguments:?}");
        let sentence = format!("catalogue: there is no account store {}\n", mistyped.join("accounts.sqlite").display());
        assert_eq!(said.err, sentence, "{arguments:?}");
    }
    assert!(!mistyped.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_password_or_role_ends_the_sessions_of_that_account_alone() {
    on_each_store(async |home| {
        let store = home.open().await;
        for (name, password) in [("ada", "correct horse"), ("bob", "battery staple")] {
            let address = format!("{name}@example.org");
            done(home, &["account", "add", &address, "--plan", "api", "--password-stdin"], password);
        }
        let begin = async |name: &str| {
            let address = format!("{name}@example.org").parse().expect("an address");
            let (account, _) = store.credentials(&address).await.expect("it answers").expect("an account");
            let session = SessionToken::mint().expect("random bytes").digest();
            store.add_session(session, account, instant(NOW)).await.expect("it answers");
            session
        };
        let live = Live { begun_after: Timestamp::EPOCH, seen_after: Timestamp::EPOCH };
        let is_live = async |session| store.session(session, live).await.expect("it answers").is_some();
        let (ada, bob) = (begin("ada").await, begin("bob").await);
        done(home, &["account", "password", "Ada@example.org", "--password-stdin"], "another one\n");
        assert!(!is_live(ada).await && is_live(bob).await);
        let (_, hash) = store.credentials(&email()).await.expect("it answers").expect("an account");
        assert!(password::matches(b"another one", &hash) && !password::matches(b"correct horse", &hash));

        let ada = begin("ada").await;
        done(home, &["account", "role", "ada@example.org", "analyst"], "");
        assert!(!is_live(ada).await && is_live(bob).await);
        let roles = rows(&done(home, &["account", "list"], ""));
        assert_eq!([&roles[1][1], &roles[2][1]], ["analyst", "client"]);

        let nobody = "catalogue: there is no account eve@example.org\n";
        assert_eq!(failed(home, &["account", "role", "eve@example.org", "analyst"], ""), nobody);
        assert_eq!(failed(home, &["account", "password", "eve@example.org", "--password-stdin"], "pw"), nobody);
        let empty = failed(home, &["account", "password", "ada@example.org", "--password-stdin"], "\n");
        assert_eq!(empty, "catalogue: the password is empty\n");
    })
    .await;
}
