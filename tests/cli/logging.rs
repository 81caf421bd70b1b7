//! What the log says, and that it says where it was asked in vain.

use std::path::Path;

use crate::support::command::{catalogue, run};

#[test]
fn a_filter_that_cannot_be_read_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let man =
        |filter: &str| run(catalogue(folder.path()).args(["--log-format", "json", "man"]).env("CATALOGUE_LOG", filter));
    for filter in ["catalogue_gateway=loud", "a=b=c"] {
        let said = man(filter);
        assert_eq!(said.status, 0);
        assert!(said.err.contains("CATALOGUE_LOG cannot be read: what is logged is info and above"), "{}", said.err);
    }
    for filter in ["", "debug", "catalogue_gateway=debug,info"] {
        assert_eq!(man(filter).err, "", "{filter}");
    }
}

#[test]
fn proxies_are_addresses_or_ranges() {
    // The data folder lies in a file, so that nothing is served.
    let nowhere = Path::new("/dev/null/data");
    for (proxies, status) in [("10.0.0.0/8,::1", 1), ("10.0.0.0/40", 2), ("proxy", 2)] {
        let any_port = ["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"];
        let said = run(catalogue(nowhere).args(any_port).args(["--trusted-proxies", proxies]));
        assert_eq!(said.status, status, "{proxies}: {}", said.err);
    }
}
