//! The ceiling of `load.sh`: an axum server without layers, state or extractors that answers constant bytes.
//!
//! ```sh
//! ceiling 127.0.0.1:18082 page=21904 record=1180
//! ```
//! answers `/page` with 21,904 bytes and `/record` with 1,180. With `store=accounts.sqlite` it answers `/keyed/page` and `/keyed/record`
//! too: the same handlers, but for callers whose key, plan and allowance are good.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;
use catalogue_gateway::access::{Access, Caller, Location};
use catalogue_gateway::clock::Clock;

// The allocator of the gateway, so that what is measured is the gateway's own work.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve())
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("an address is wanted, and NAME=BYTES for each route")?;
    let (mut router, mut keyed, mut access) = (Router::new(), Router::<Arc<Access>>::new(), None);
    for route in arguments {
        let (name, value) = route.split_once('=').ok_or_else(|| format!("{route} is not NAME=BYTES"))?;
        if name == "store" {
            let store = Location::Sqlite(PathBuf::from(value)).open().await?;
            access = Some(Arc::new(Access::new(store, Clock::System, u32::MAX).await?));
            continue;
        }
        let body = Bytes::from(vec![b'x'; value.parse()?]);
        let same = body.clone();
        router = router.route(&format!("/{name}"), get(move || std::future::ready(body.clone())));
        keyed = keyed.route(&format!("/keyed/{name}"), get(move |_: Caller| std::future::ready(same.clone())));
    }
    if let Some(access) = access {
        router = router.merge(keyed.with_state(access));
    }
    axum::serve(tokio::net::TcpListener::bind(address).await?, router).await?;
    Ok(())
}
