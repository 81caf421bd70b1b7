//! Bodies compressed for clients that ask for it, and the same answers to all.

use std::io::Read as _;
use std::process::Command;
use std::time::{Duration, Instant};

use ureq::http::Method;

use crate::support::client::Answer;
use crate::support::export::Export;
use crate::support::service::Service;

/// Public addresses whose answers never change.
const CONSTANT: [&str; 4] = ["/docs", "/docs/reference", "/docs/reference/swagger-ui.js", "/account/style.css"];

const CODINGS: [&str; 3] = ["zstd", "gzip", "br"];

/// Addresses whose answers are large enough.
const LARGE: [&str; 3] = ["/api/v1/grants", "/api/v1/grants?limit=100", "/api/v1/openapi.json"];

fn service() -> Service {
    Service::of(&Export::of_count(150))
}

/// The body as it was before it was compressed.
fn plain(coding: &str, body: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match coding {
        "zstd" => plain = zstd::decode_all(body).expect("zstd"),
        "br" => brotli::BrotliDecompress(&mut &*body, &mut plain).expect("br"),
        "gzip" => {
            flate2::read::GzDecoder::new(body).read_to_end(&mut plain).expect("gzip");
        }
        other => panic!("no coding {other}"),
    }
    plain
}

fn asking(service: &Service, path: &str, accept: &str) -> Answer {
    service.get_with(path, &[("accept-encoding", accept)])
}

#[test]
fn each_coding_carries_the_same_bytes_under_the_same_tag() {
    let service = service();
    for path in LARGE {
        let whole = service.get(path);
        assert_eq!(whole.header("content-encoding"), None, "nobody asked");
        for coding in CODINGS {
            let small = asking(&service, path, coding);
            assert_eq!(small.header("content-encoding"), Some(coding), "{path}");
            assert!(
                small.body.len() * 3 < whole.body.len(),
                "{coding} makes {} of {}",
                small.body.len(),
                whole.body.len()
            );
            assert_eq!(small.header("content-length"), Some(small.body.len().to_string().as_str()));
            assert_eq!(plain(coding, &small.body), whole.body, "{coding} {path}");
            for name in ["etag", "vary", "cache-control", "content-type"] {
                assert_eq!(small.header(name), whole.header(name), "{coding} {path}");
            }
            assert!(small.header("vary").expect("Vary").contains("Accept-Encoding"));
        }
    }
}

#[test]
fn a_compressed_answer_that_is_held_is_not_sent_again() {
    let service = service();
    for path in LARGE {
        for coding in CODINGS {
            let held = asking(&service, path, coding).header("etag").expect("a tag").to_owned();
            for accept in CODINGS.into_iter().chain(["identity"]) {
                let headers = [("accept-encoding", accept), ("if-none-match", &held)];
                let unchanged = service.get_with(path, &headers);
                assert_eq!((unchanged.status, unchanged.body.len()), (304, 0), "{coding} then {accept}");
                assert_eq!(unchanged.header("content-encoding"), None);
                assert_eq!(unchanged.header("etag"), Some(held.as_str()));
            }
        }
    }
}

#[test]
fn a_head_says_what_the_get_would() {
    let service = service();
    for path in LARGE.into_iter().chain(CONSTANT) {
        for accept in CODINGS.into_iter().chain(["identity", "*;q=0"]) {
            let headers = [("accept-encoding", accept)];
            let (get, head) = (service.get_with(path, &headers), service.send(Method::HEAD, path, &headers));
            assert_eq!(head.body.len(), 0);
            for name in ["content-encoding", "content-length", "content-type", "etag", "vary", "cache-control"] {
                assert_eq!(head.header(name), get.header(name), "{name} of {path} for {accept}");
            }
            assert_eq!(get.header("content-length"), Some(get.body.len().to_string().as_str()), "{path} for {accept}");
        }
    }
}

#[test]
fn what_never_changes_is_the_same_in_every_coding_and_compressed_once() {
    let service = service();
    for path in CONSTANT {
        let whole = service.stranger().get(path).body;
        for coding in CODINGS {
            let small = asking(&service, path, coding);
            assert_eq!(small.header("content-encoding"), Some(coding), "{path}");
            assert_eq!(plain(coding, &small.body), whole, "{coding} {path}");
        }
    }
    // One and a half megabytes: compressed for each request, these would take a minute here.
    let (stranger, began) = (service.stranger(), Instant::now());
    for _ in 0..1_000 {
        let headers = [("accept-encoding", "br")];
        assert_eq!(stranger.send(Method::HEAD, "/docs/reference/swagger-ui.js", &headers).status, 200);
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn the_client_decides() {
    let service = service();
    for (accept, coding) in [
        ("gzip, deflate, br, zstd", Some("zstd")),
        ("gzip, deflate, br", Some("gzip")),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", Some("br")),
        ("zstd;q=0, *", Some("gzip")),
        ("GZIP", Some("gzip")),
        ("identity;q=0, br", Some("br")),
        ("identity, gzip;q=0.5", None),
        ("identity", None),
        ("deflate", None),
        ("gzip;q=0", None),
        ("", None),
        // Nothing that we have is left: the body as it is says more than a refusal.
        ("identity;q=0", None),
        ("*;q=0", None),
    ] {
        assert_eq!(asking(&service, LARGE[0], accept).header("content-encoding"), coding, "{accept}");
    }
}

#[test]
fn small_bodies_stay_as_they_are_unless_they_are_refused_so() {
    let service = service();
    for (accept, coding) in [("zstd, gzip", None), ("gzip, identity;q=0", Some("gzip"))] {
        let answer = asking(&service, "/api/v1/grants/g-001", accept);
        assert_eq!(answer.header("content-encoding"), coding, "{accept}");
        let whole = service.get("/api/v1/grants/g-001").body;
        assert!(whole.len() < 1_024);
        assert_eq!(coding.map_or_else(|| answer.body.clone(), |coding| plain(coding, &answer.body)), whole);
    }
}

#[test]
fn what_must_not_be_kept_is_never_compressed() {
    let service = service();
    let long = "x".repeat(3_000);
    for path in ["/account/sign-in".to_owned(), format!("/api/v1/grants?{long}=1")] {
        let answer = asking(&service, &path, "zstd, gzip, br, identity;q=0");
        assert!(answer.body.len() > 1_024, "{}", answer.body.len());
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("content-encoding"), None, "{path}");
    }
    let style = asking(&service, "/account/style.css", "gzip");
    assert_eq!((style.header("content-encoding"), style.header("vary")), (Some("gzip"), Some("Accept-Encoding")));
}

#[test]
fn both_versions_of_http_answer_alike() {
    let service = service();
    let url = format!("http://{}{}", service.public(), LARGE[0]);
    let tag = service.get(LARGE[0]).header("etag").expect("a tag").to_owned();
    for (flag, version) in [("--http1.1", "1.1"), ("--http2-prior-knowledge", "2")] {
        let say = |more: &[&str]| {
            let mut curl = Command::new("curl");
            curl.args([
                "--silent",
                "--show-error",
                "--output",
                "-",
                "--write-out",
                "\n%{http_version} %{response_code}",
            ]);
            curl.args([flag, "--header", &format!("Authorization: Bearer {}", service.key())]).args(more).arg(&url);
            let output = curl.output().expect("curl is there: `apt-get install curl`");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let end = output.stdout.iter().rposition(|&byte| byte == b'\n').expect("a last line");
            (output.stdout[..end].to_vec(), String::from_utf8_lossy(&output.stdout[end + 1..]).into_owned())
        };
        let whole = service.get(LARGE[0]).body;
        assert_eq!(say(&[]), (whole.clone(), format!("{version} 200")));
        for coding in CODINGS {
            let (body, said) = say(&["--header", &format!("Accept-Encoding: {coding}")]);
            assert_eq!(said, format!("{version} 200"));
            assert_eq!(plain(coding, &body), whole, "{coding} over HTTP/{version}");
            let held = format!("If-None-Match: {tag}");
            let unchanged = say(&["--header", &format!("Accept-Encoding: {coding}"), "--header", &held]);
            assert_eq!(unchanged, (Vec::new(), format!("{version} 304")));
        }
    }
}
