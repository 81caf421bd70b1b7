//! How a gateway ends that is asked to: by SIGTERM, as service managers do.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::Duration;

use super::Place;
use crate::support::command::run_with_input;
use crate::support::export::{Export, award, recipient};
use crate::support::process::Process;

/// A data folder whose one recipient is a row longer than the buffers of a connection, and a key to read it with.
fn with_a_long_row(place: &Place) -> String {
    let mut export = Export::of([]);
    export.recipients = vec![recipient("long", "Long")];
    let purpose = "x".repeat(60_000);
    export.awards = (0..400).map(|_| award("long", "f", 2025).with("purpose", purpose.as_str())).collect();
    assert_eq!(place.reindex_of(&export, &[]).status, 0);
    let data = place.data.path().to_str().expect("UTF-8");
    let run = |arguments: &[&str], input: &str| {
        let said = run_with_input(&[&["--data-dir", data], arguments].concat(), input);
        assert_eq!(said.status, 0, "{said:?}");
        said.out
    };
    run(&["account", "add", "ada@example.org", "--plan", "api", "--password-stdin"], "correct horse battery\n");
    run(&["key", "create", "ada@example.org", "laptop"], "").trim_end().to_owned()
}

#[test]
fn a_request_in_flight_is_answered_whole_and_no_other_is_begun() {
    let place = Place::new();
    let key = with_a_long_row(&place);
    let store = format!("sqlite://{}/accounts.sqlite", place.data.path().display());
    let mut gateway = Process::serve(place.data.path(), &store, 5_000);
    let mut connection = TcpStream::connect(gateway.public()).expect("a connection");
    connection.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    let request = format!("GET /api/v1/recipients/long HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n");
    connection.write_all(request.as_bytes()).expect("a request");
    let mut answer = vec![0; 1_000];
    // The answer has begun, and cannot end before it is read.
    let begun = connection.read(&mut answer).expect("the beginning of an answer");
    answer.truncate(begun);
    gateway.ask_to_end();
    while TcpStream::connect(gateway.public()).is_ok() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(gateway.has_ended(), None, "it waits for the request in flight");
    connection.read_to_end(&mut answer).expect("the rest of the answer");
    let answer = String::from_utf8(answer).expect("UTF-8");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    let row: serde_json::Value = serde_json::from_str(body).expect("a whole body");
    assert_eq!(row["data"]["awards_by_year"][0]["award_count"], 400);
    assert_eq!(gateway.end_of_itself(), Some(0));
}

#[test]
fn a_demo_answers_the_calls_it_prints_until_it_is_asked_to_end() {
    let place = Place::new();
    let data = place.data.path().join("demo");
    // Both are let go of just before the demo takes them: nobody else is given a port so soon again.
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let [public, internal] = ports.each_ref().map(|port| port.local_addr().expect("an address").to_string());
    drop(ports);
    let (mut demo, lines) = Process::demo(&data, &public, &internal);
    let calls: Vec<&String> = lines.iter().filter(|line| line.trim_start().starts_with("curl ")).collect();
    assert!(calls.len() >= 3, "{lines:?}");
    for call in calls {
        // The text is printed before the gateway listens.
        let call = call.replacen("curl ", "curl --silent --show-error --fail --retry 20 --retry-connrefused ", 1);
        let output = Command::new("sh").args(["-c", &call]).output().expect("a shell");
        assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let told = answer["data"].as_array().is_some_and(|rows| !rows.is_empty()) || answer["data"].is_object();
        assert!(told, "{call}: {answer}");
    }
    demo.ask_to_end();
    assert_eq!(demo.end_of_itself(), Some(0));
}
