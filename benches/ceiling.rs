//! The ceiling of `load.sh`: an axum server without layers, state or extractors that answers constant bytes.
//!
//! ```sh
//! ceiling 127.0.0.1:18082 page=21904 record=1180
//! ```
//! answers `/page` with 21,904 bytes and `/record` with 1,180.

use std::error::Error;

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;

// The allocator of the gateway, so that what is measured is the gateway's own work.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("an address is wanted, and NAME=BYTES for each route")?;
    let mut router = Router::new();
    for route in arguments {
        let (name, bytes) = route.split_once('=').ok_or_else(|| format!("{route} is not NAME=BYTES"))?;
        let body = Bytes::from(vec![b'x'; bytes.parse()?]);
        router = router.route(&format!("/{name}"), get(move || std::future::ready(body.clone())));
    }
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        axum::serve(listener, router).await?;
        Ok(())
    })
}
