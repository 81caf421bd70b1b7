//! The ceilings of `load.sh`: an axum server without layers, state or extractors that answers constant bytes; and, as a POST to
//! `/graphql`, a bare async-graphql schema with the library's defaults, whose resolvers return constants.
//!
//! ```sh
//! ceiling 127.0.0.1:18082 page=21904 record=1180
//! ```
//! answers `/page` with 21,904 bytes and `/record` with 1,180. With `store=accounts.sqlite` it answers `/keyed/page` and `/keyed/record`
//! too: the same handlers, but for callers whose key, plan and allowance are good.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use async_graphql::{EmptyMutation, EmptySubscription, Object, Request, Schema, SimpleObject};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::{get, post};
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
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let mut router = Router::new().route("/graphql", post(execute).with_state(schema));
    let (mut keyed, mut access) = (Router::<Arc<Access>>::new(), None);
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

type Bare = Schema<Query, EmptyMutation, EmptySubscription>;

async fn execute(State(schema): State<Bare>, body: Bytes) -> Vec<u8> {
    let request: Request = serde_json::from_slice(&body).expect("the bench sends requests");
    serde_json::to_vec(&schema.execute(request).await).expect("a response has a JSON form")
}

struct Query;

#[Object]
impl Query {
    async fn grants(&self, #[graphql(default = 20)] first: usize) -> Page {
        Page { nodes: vec![GRANT; first] }
    }
}

#[derive(SimpleObject)]
struct Page {
    nodes: Vec<Grant>,
}

/// The twelve fields that the bench asks for, with values of the lengths that synthetic grants have.
#[derive(Clone, SimpleObject)]
struct Grant {
    slug: &'static str,
    title: &'static str,
    summary: Option<&'static str>,
    status: &'static str,
    elig_states: Option<[&'static str; 3]>,
    industries: Option<[&'static str; 2]>,
    amount_min: Option<u64>,
    amount_max: Option<u64>,
    match_required: Option<bool>,
    deadline: Option<&'static str>,
    source_url: &'static str,
    updated_at: &'static str,
}

const GRANT: Grant = Grant {
    slug: "juniper-rural-water-quality-fund-round-two-942",
    title: "Juniper Rural Water Quality Fund, Round Two",
    summary: Some(
        "For work on wells, springs and small treatment works in rural places, with a share for training. Applicants show who is served \
         and for how long. Awards are made in two rounds, and unspent money of the first goes into the second.",
    ),
    status: "OPEN",
    elig_states: Some(["CA", "NY", "TX"]),
    industries: Some(["environment", "agriculture"]),
    amount_min: Some(200),
    amount_max: Some(4_000),
    match_required: Some(false),
    deadline: Some("2026-11-22T04:59:59.000Z"),
    source_url: "https://example.org/grants/juniper-rural-water-quality-fund-round-two-942",
    updated_at: "2026-11-21T05:36:13.903Z",
};
