//! Requests meant to harm: refused or passed over, and the service goes on.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::export::Export;
use crate::support::service::Service;

#[track_caller]
fn goes_on(service: &Service) {
    assert_eq!(service.get("/api/v1/grants").status, 200);
}

#[test]
fn a_megabyte_of_address_or_header_does_no_harm() {
    let service = Service::of(&Export::of_count(3));
    let long = "a".repeat(1 << 20);
    for request in [
        format!("GET /api/v1/grants?q={long} HTTP/1.1\r\nHost: x\r\n\r\n"),
        format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n"),
        format!("GET /api/v1/grants HTTP/1.1\r\nHost: x\r\nX-Long: {long}\r\n\r\n"),
        format!("GET /api/v1/grants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {long}\r\n\r\n"),
        format!("GET /api/v1/grants HTTP/1.1\r\nHost: x\r\n{}\r\n", "X-Many: 1\r\n".repeat(50_000)),
        format!("{long} / HTTP/1.1\r\n\r\n"),
    ] {
        let answer = service.raw(request.as_bytes());
        let text = String::from_utf8_lossy(&answer);
        let status = text.split(' ').nth(1).unwrap_or_default();
        assert!(status.is_empty() || status.starts_with('4'), "{}: {status}", &request[..40]);
        goes_on(&service);
    }
}

#[test]
fn what_is_not_http_does_no_harm() {
    let service = Service::of(&Export::of_count(3));
    for request in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET\r\n\r\n",
        b"GET /api/v1/grants HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\njunk",
        b"GET /api/v1/grants HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"GET /api/v1/grants HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET http://[::bad/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT /api/v1/grants HTTP/1.1\r\nHost: x\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let answer = service.raw(request);
        assert!(!answer.starts_with(b"HTTP/1.1 5"), "{request:?}");
        goes_on(&service);
    }
}

#[test]
fn a_slow_client_holds_nobody_up() {
    let service = Service::of(&Export::of_count(3));
    let slow: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = TcpStream::connect(service.public()).expect("the service accepts connections");
            stream.write_all(b"GET /api/v1/grants HTTP/1.1\r\nHost: ").expect("the beginning of a request");
            stream
        })
        .collect();
    for _ in 0..20 {
        goes_on(&service);
    }
    drop(slow);
}

#[test]
fn a_connection_is_kept_after_an_error() {
    let service = Service::of(&Export::of_count(3));
    let mut stream = TcpStream::connect(service.public()).expect("the service accepts connections");
    let authorization = format!("Authorization: Bearer {}\r\n", service.key());
    for (target, authorization, status) in [
        ("/api/v1/grants?limit=0", authorization.as_str(), "400"),
        ("/api/v1/grants", "", "401"),
        ("/api/v1/grants/absent", &authorization, "404"),
        ("/nowhere", "", "404"),
        ("/api/v1/grants", &authorization, "200"),
    ] {
        let request = format!("GET {target} HTTP/1.1\r\nHost: x\r\n{authorization}\r\n");
        stream.write_all(request.as_bytes()).expect("the connection is open");
        let head = read_answer(&mut stream);
        assert_eq!(head.split(' ').nth(1), Some(status), "{target}: {head}");
    }
}

/// Reads one answer off a connection that stays open, and gives its head.
fn read_answer(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).expect("the connection is open");
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("a head is text");
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().expect("a length"))
    });
    let mut body = vec![0; length.expect("a length")];
    stream.read_exact(&mut body).expect("a body");
    head
}

#[test]
fn a_body_is_not_read_and_does_no_harm() {
    let service = Service::of(&Export::of_count(3));
    let key = service.key();
    let request = format!(
        "GET /api/v1/grants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    );
    let answer = service.raw(request.as_bytes());
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    let brewed = service.raw(b"BREW /api/v1/grants HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(brewed.starts_with(b"HTTP/1.1 405"), "{}", String::from_utf8_lossy(&brewed));
}

#[test]
fn no_query_is_a_server_error() {
    let service = Service::of(&Export::of_count(3));
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let name = prop::sample::select(vec![
        "q",
        "state",
        "entity",
        "industry",
        "status",
        "updated_since",
        "limit",
        "cursor",
        "x",
    ]);
    let parameter = (name, "\\PC{0,40}");
    let outcome = runner.run(&prop::collection::vec(parameter, 0..6), |parameters| {
        let parameters: Vec<_> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = service.list("/api/v1/grants", &parameters);
        prop_assert!(answer.status == 200 || answer.status == 400, "{} {:?}", answer.status, parameters);
        if answer.status == 400 {
            let error = answer.json()["error"].clone();
            prop_assert!(error == "invalid_parameter" || error == "cursor_filter_mismatch", "{error}");
        }
        Ok(())
    });
    outcome.expect("every query is answered or refused");
}
